// The page's link to the studio: requests over HTTP. Only this module depends on how the page reaches the studio.

import { Problem } from "./problem.js";

/** Whether copied links contain a pattern: no, because nobody else can open an address on this machine. */
export const SHARES = false;

/** The name that this page (a browser tab) chooses for itself. */
export const page = crypto.randomUUID();

const GONE = "The studio does not answer: start it again, then reload this page.";
let token = "";

/** Return the Problem for a studio that does not answer. */
export const gone = () => new Problem({ code: "offline", text: GONE });

/**
 * Remove the token from the address (#token=...&rest), so that no copied link contains the token; store the token for
 * this tab and for other tabs.
 */
export function takeToken() {
  const fragment = new URLSearchParams(location.hash.slice(1));
  if (fragment.has("token")) {
    for (const kept of [sessionStorage, localStorage]) kept.setItem("studio-token", fragment.get("token"));
    fragment.delete("token");
    history.replaceState(null, "", `${location.pathname}#${fragment}`);
  }
  // The tab's own token has precedence; a tab opened by a copied link has no token and uses the browser's token.
  token = sessionStorage.getItem("studio-token") ?? localStorage.getItem("studio-token") ?? "";
}

async function fetchFrom(method, path, body, signal) {
  const headers = { "X-Studio-Token": token, "X-Studio-Page": page };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await fetch(path, {
      method,
      headers,
      signal,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw gone();
  }
  if (answer.ok) return answer;
  const told = await answer.json().catch(() => ({}));
  throw new Problem(told.problem ?? { code: "failed", text: `The studio answered with ${answer.status}.` });
}

/** Send a request of the API; return the JSON of its answer. Throws Problem. */
export const request = async (method, path, body, signal) => (await fetchFrom(method, path, body, signal)).json();

/** Send a request of the API whose answer is a stream; yield its events. Throws Problem. */
export async function* events(method, path, body, signal) {
  const answer = await fetchFrom(method, path, body, signal);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) if (block.startsWith("data: ")) yield JSON.parse(block.slice(6));
  }
}
