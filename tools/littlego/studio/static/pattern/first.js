// The pattern that the studio opens first: a drawn pattern that decides its own first example.
import { ask } from "../api.js";
import { announce } from "../announce.js";
import { get, set } from "../state.js";

/** Select the pattern that the server proposes, unless the author selects another pattern meanwhile. */
export async function selectFirst() {
  try {
    const { pattern } = await ask("first_pattern");
    if (pattern && !get().pattern) set({ pattern }, { step: false });
  } catch (problem) {
    if (problem.name !== "AbortError") announce(problem.message, { problem: true });
  }
}
