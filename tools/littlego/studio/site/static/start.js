// The start of the first worker, separate from the page's other modules, so that Python loads while they load.

import { openStored, read } from "./stored.js";

export const worker = new Worker(new URL("./desk.js", import.meta.url), { type: "module" });

/** A promise that resolves when the worker breaks. */
export const broken = new Promise((resolve) => worker.addEventListener("error", resolve));

const PATIENCE = 5000; // milliseconds; a stored answer that takes longer would arrive after Python's own answers

/** The site's stored answers for the time before Python answers; undefined if the browser stores files. */
export const first = loadFirst().catch(console.warn);

async function loadFirst() {
  const folder = await openStored();
  if (folder && (await read(folder)).length) return undefined;
  const answer = await fetch(new URL("./first.json", import.meta.url), { signal: AbortSignal.timeout(PATIENCE) });
  return await answer.json();
}
