// The page's link to the studio in a worker of this page. The installed studio has a module of this name for HTTP.

import { Problem } from "./problem.js";

/** The name that this page (a browser tab) chooses for itself. */
export const page = crypto.randomUUID();

/** Return the problem of a studio that is gone. */
export const gone = () => new Problem({ code: "offline", text: "The page's Python does not answer: reload this page." });

/** Do nothing: there is no server, so there is no token. */
export function takeToken() {}

// Keep the whole site for later visits, also offline; without a service worker (a private window) nothing is missing now.
navigator.serviceWorker?.register(new URL("../sw.js", import.meta.url)).catch(() => {});

const worker = new Worker(new URL("../desk.js", import.meta.url), { type: "module" });
const waiting = new Map(); // number of a request -> what to do with its messages
let number = 0;

worker.onmessage = ({ data }) => {
  const message = JSON.parse(data);
  waiting.get(message.id)?.(message);
};
worker.onerror = () => {
  for (const hear of waiting.values()) hear({ problem: { code: "offline", text: gone().message } });
};

function send(method, path, body, signal, hear) {
  const id = ++number;
  waiting.set(id, hear);
  worker.postMessage(JSON.stringify({ id, page, method, path, body: body ?? {} }));
  signal?.addEventListener("abort", () => {
    if (!waiting.delete(id)) return;
    worker.postMessage(JSON.stringify({ id, abort: true }));
    hear({ aborted: true });
  });
  return id;
}

const aborted = () => new DOMException("The request was aborted.", "AbortError");

/** Send a request of the API; return its answer. Throws Problem. */
export function request(method, path, body, signal) {
  if (signal?.aborted) return Promise.reject(aborted());
  return new Promise((resolve, reject) => {
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
