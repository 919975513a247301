// The start of the first worker, apart from the page's other modules so that Python loads while they load.

export const worker = new Worker(new URL("./desk.js", import.meta.url), { type: "module" });

/** A promise that resolves when the worker breaks. */
export const broken = new Promise((resolve) => worker.addEventListener("error", resolve));
