// The page's client of the server: every answer belongs to a revision, and every failure is a Problem with a code.

import { events, gone, page, request } from "./link.js";
import { Problem } from "./problem.js";

export { Problem };

const AGAIN = 1000; // milliseconds between attempts to reach the server
const LONGEST = 100; // milliseconds that an answer waits until an earlier answer is drawn

/** GET a path of the API; return the JSON of its answer. */
export const get = (path, { signal } = {}) => request("GET", path, undefined, signal);

/** POST a JSON object to a path of the API; return the JSON of its answer. */
export const post = (path, body, { signal } = {}) => request("POST", path, body, signal);

/** The document as the server knows it, used by `edit`, `ask`, `save`, `merge` and `reload`. */
export const document_ = { revision: 0, digest: "" };

function know(found) {
  document_.revision = found.revision;
  document_.digest = found.digest ?? document_.digest;
  return found;
}

/** Return the page's initial state: file, text, revision, digest, saved, restored, ruleset, files, command ... */
export const state = async () => know(await get("/api/state"));

/** Open another file of the folder; return the state. */
export const open = async (file) => know(await post("/api/open", { file }));

/** Open a shared link as an unsaved text; return the state, with link: {pattern, board, own}. */
export const openLink = async (link) => know(await post("/api/link", { link }));

/**
 * Call a method; return its answer. Throws Problem; "stale" means that an edit, or a newer request of the same slot,
 * replaced the call. Components call methods through ask.js, which gives each question its own slot.
 */
export async function ask(method, params = {}, { signal, slot = 0 } = {}) {
  const { answer } = await post(`/api/ask/${method}`, { revision: document_.revision, slot, ...params }, { signal });
  return answer;
}

let gathered = []; // questions to send in one request

/**
 * Call a method as `ask` does, in one request with all other calls of the same turn of the event loop, because one
 * request costs less than several. All answers arrive together, so that the page is redrawn only once.
 */
export function askTogether(method, parameters = {}, { slot = 0, signal } = {}) {
  if (!gathered.length) queueMicrotask(askGathered);
  return new Promise((resolve, reject) => gathered.push({ method, parameters, slot, signal, resolve, reject }));
}

async function askGathered() {
  const waiting = gathered;
  gathered = [];
  const stop = new AbortController();
  const leave = () => waiting.every(({ signal }) => signal?.aborted) && stop.abort();
  for (const { signal } of waiting) signal?.addEventListener("abort", leave);
  try {
    const asks = waiting.map(({ method, parameters, slot }) => ({ method, parameters, slot }));
    const { answers } = await post("/api/ask", { revision: document_.revision, asks }, stop);
    deliver(waiting, answers);
  } catch (problem) {
    for (const { reject } of waiting) reject(problem);
  }
}

function deliver(waiting, answers, read = ({ answer }) => answer) {
  answers.forEach((found, at) =>
    found.problem ? waiting[at].reject(new Problem(found.problem)) : waiting[at].resolve(read(found)),
  );
}

/**
 * Change the text by [{from, to, insert}], with offsets in code points of the text before the change.
 *
 * asks: lists of questions about the new revision, {method, parameters, slot, held}. The answers to a list arrive
 * together. Return {revision, saved, answers}: the new revision, whether the text is saved in the file, and a promise for each
 * question. The promise resolves to {answer} or, if a question has the field `held`, perhaps to {changes}: see Desk.edit.
 */
export async function edit(changes, asks = []) {
  const body = { revision: document_.revision, changes };
  if (!asks.length) return { ...know(await post("/api/edit", body)), answers: [] };
  const answers = events("POST", "/api/edit", { ...body, asks });
  const { value } = await answers.next().catch((error) => {
    if (error instanceof Problem) throw error;
    return {}; // the connection broke
  });
  if (!value) throw gone();
  const made = know(value);
  const waiting = asks.map((some) => some.map(() => Promise.withResolvers()));
  void receive(answers, waiting);
  return { ...made, answers: waiting.flat().map(({ promise }) => promise) };
}

/** Resolve the promises for the answers after an edit, list by list. A list waits until the previous list is drawn. */
async function receive(stream, lists) {
  try {
    for (const waiting of lists) {
      const { value } = await stream.next();
      if (waiting !== lists[0]) await drawn();
      deliver(waiting, value.answers, (found) => found);
    }
    await stream.next(); // read to the end, because a browser has few connections
  } catch {
    const problem = new Problem({ code: "died", text: "The connection broke before the answers to an edit arrived." });
    for (const { reject } of lists.flat()) reject(problem); // promises that have an answer stay resolved
  }
}

/** Wait until the page is drawn; a hidden page is not drawn. */
const drawn = () =>
  Promise.race([
    new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))),
    new Promise((resolve) => setTimeout(resolve, LONGEST)),
  ]);

/**
 * Write the text to its file. Throws Problem "changed" if the file on disk has changed since it was last read; to
 * overwrite the file, pass the digest of the Problem (`more.digest`).
 */
export async function save(digest = document_.digest) {
  const found = await post("/api/save", { revision: document_.revision, digest });
  document_.digest = found.digest; // not `found.revision`: an edit may have increased the revision since
  return found.digest;
}

/** Return {changes}, which turn the text into the file's contents as last read or saved. */
export const unsaved = () => post("/api/unsaved", { revision: document_.revision });

/** Replace the text with the file's contents; return {revision, digest, changes, saved}. */
export const reload = async () => know(await post("/api/reload", { revision: document_.revision }));

/**
 * Merge the file's changes since the last read; return {revision, digest, changes, saved, conflicts}. A conflict is
 * {from, to, mine, theirs, base}. The text contains `mine` from `from` to `to`, in code points of the new text.
 */
export const merge = async () => know(await post("/api/merge", { revision: document_.revision }));

/**
 * Call onEvent with the server's events until the signal aborts. Events that this page caused are skipped.
 *
 * The first event of each connection is {state}. Later events are {edit: changes, revision}, {saved: digest, revision}
 * and {opened: file, revision}. {undrafted} says why the draft is not saved, '' if it is saved. {disk: digest, taken}
 * reports that the file changed on disk; `taken` is whether the server loaded it. {offline: true} is sent once when the
 * server does not answer.
 */
export async function follow(onEvent, { signal } = {}) {
  let online = true;
  while (!signal?.aborted) {
    try {
      await listen(
        "/api/events",
        (event) => {
          online = true;
          if (event.page !== page) onEvent(event);
        },
        { signal },
      );
    } catch (problem) {
      if (problem.name === "AbortError") return;
    }
    if (online && !signal?.aborted) onEvent({ offline: true });
    online = false;
    await new Promise((resolve) => setTimeout(resolve, AGAIN));
  }
}

/** Call onEvent with each event of a stream of the API, until it ends or the signal aborts it. */
export async function listen(path, onEvent, { signal } = {}) {
  for await (const event of events("GET", path, undefined, signal)) onEvent(event);
}

/**
 * Start a long job; return {cancel, ended}. `ended` is a promise that resolves at the job's end. onEvent gets
 * {progress}, {result}, and finally {done} or {problem}, unless the caller cancels the job.
 */
export function job(kind, params, onEvent) {
  const stop = new AbortController();
  let number = null;
  const run = async () => {
    ({ job: number } = await post(`/api/jobs/${kind}`, params, { signal: stop.signal }));
    let isOver = false;
    const hear = (event) => {
      isOver ||= "done" in event || "problem" in event;
      if (!stop.signal.aborted) onEvent(event);
    };
    await listen(`/api/jobs/${number}/events`, hear, stop);
    if (!isOver)
      throw new Problem({ code: "died", text: "The studio stopped reporting on this job; start the job again." });
  };
  const ended = run().catch((error) => {
    if (stop.signal.aborted) return;
    onEvent({ problem: { code: error.code ?? "failed", text: error.message } });
  });
  const cancel = () => {
    stop.abort();
    if (number !== null) request("DELETE", `/api/jobs/${number}`).catch(() => {});
  };
  return { cancel, ended };
}
