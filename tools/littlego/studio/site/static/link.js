// The page's link to the studio in a worker of this page. The installed studio has a module of this name for HTTP.

import { announce } from "./announce.js";
import { Problem } from "./problem.js";
import { broken, first, worker } from "../start.js";

/** Whether copied links contain a pattern: yes, because other people can open the links. */
export const SHARES = true;

/** The name that this page (a browser tab) chooses for itself. */
export const page = crypto.randomUUID();

const PAUSE = 2000; // milliseconds between two checks of the worker
const PATIENCE = 10; // unanswered checks until the worker is terminated
const TOO_SLOW =
  "Python did not answer for 20 seconds and was stopped. Reload this page, or open it again without its link.";

/** Return the Problem for a studio that does not answer. */
export const gone = () =>
  new Problem({ code: "offline", text: "The page's Python does not answer: reload this page." });

/** Do nothing, because a page without a server needs no token. */
export function takeToken() {}

const NEW = "A new version of this page is ready. Close all tabs of this page, then open it again.";

// Store the whole site for later visits, also offline. The page also works without a service worker, for example in a
// private window.
navigator.serviceWorker
  ?.register(new URL("../sw.js", import.meta.url))
  .then((kept) => {
    const tell = (version) => version.state === "installed" && navigator.serviceWorker.controller && announce(NEW);
    if (kept.waiting) tell(kept.waiting);
    kept.addEventListener("updatefound", () => {
      const version = kept.installing;
      version.addEventListener("statechange", () => tell(version));
    });
  })
  .catch(() => {});

const waiting = new Map(); // number of a request -> the function that handles its messages
let number = 0;
let heard = false; // whether the worker has sent a message
let ended = ""; // why the worker no longer answers, "" if it answers
let unanswered = 0; // the number of checks since the worker was pinged; 0 after an answer

worker.onmessage = ({ data }) => {
  [heard, unanswered] = [true, 0];
  const message = JSON.parse(data);
  waiting.get(message.id)?.(message);
};
broken.then(() => heard || fail(gone().message));

function fail(text) {
  ended = text;
  announce(text, { problem: true });
  for (const hear of [...waiting.values()]) hear({ problem: { code: "offline", text } });
}

// A pattern from a stranger's link may run forever, so a worker that does not answer is terminated. The page counts
// checks, not seconds, because the page may run before the worker after the computer wakes up.
setInterval(() => {
  if (!heard || !waiting.size || document.hidden) unanswered = 0;
  else if (++unanswered === 1) worker.postMessage(JSON.stringify({ id: 0, ping: true }));
  else if (unanswered > PATIENCE) {
    worker.terminate();
    fail(TOO_SLOW);
  }
}, PAUSE);

function send(method, path, body, signal, hear) {
  const id = ++number;
  waiting.set(id, hear);
  if (ended) queueMicrotask(() => hear({ problem: { code: "offline", text: ended } }));
  worker.postMessage(JSON.stringify({ id, page, method, path, body: body ?? {} }));
  signal?.addEventListener("abort", () => {
    if (!waiting.delete(id)) return;
    worker.postMessage(JSON.stringify({ id, abort: true }));
    hear({ aborted: true });
  });
  return id;
}

const aborted = () => new DOMException("The request was aborted.", "AbortError");

/** Return the site's own answer to a request about the shipped patterns; undefined if there is none. */
async function early(path, body) {
  const { state, answers } = (await first) ?? {};
  if (path === "/api/state") return state;
  if (!path.startsWith("/api/ask") || body.revision !== state?.revision) return undefined;
  const { revision, slot, asks, ...parameters } = body;
  const answerOf = ({ method, parameters }) => answers[keyOf(method, parameters)];
  if (!asks) {
    const answer = answerOf({ method: path.slice("/api/ask/".length), parameters });
    return answer && { revision, answer };
  }
  const found = asks.map(answerOf);
  return found.every(Boolean) ? { answers: found.map((answer) => ({ answer })) } : undefined;
}

/** Return the key of a question in the site's own answers. */
const keyOf = (method, parameters) => JSON.stringify([method, Object.entries(parameters).sort()]);

/** Send a request of the API; return its answer. Throws Problem. */
export async function request(method, path, body, signal) {
  const answer = heard || ended ? undefined : await early(path, body);
  if (signal?.aborted) throw aborted();
  if (answer) return answer;
  return await new Promise((resolve, reject) => {
    const id = send(method, path, body, signal, ({ answer, problem }) => {
      waiting.delete(id);
      if (answer) resolve(answer);
      else reject(problem ? new Problem(problem) : aborted());
    });
  });
}

/** Send a request of the API whose answer is a stream; yield its events. Throws Problem. */
export async function* events(method, path, body, signal) {
  if (signal?.aborted) throw aborted();
  const heard = [];
  let wake = () => {};
  const id = send(method, path, body, signal, (message) => {
    heard.push(message);
    wake();
  });
  try {
    for (;;) {
      while (!heard.length) await new Promise((resolve) => (wake = resolve));
      const { event, over, problem } = heard.shift();
      if (event) yield event;
      else if (over) return;
      else throw problem ? new Problem(problem) : aborted();
    }
  } finally {
    if (waiting.delete(id)) worker.postMessage(JSON.stringify({ id, abort: true }));
  }
}
