// The pattern that the studio opens with: one that decides on its own first example, and has a drawing.
import { ask } from "../api.js";
import { announce } from "../announce.js";
import { get, set } from "../state.js";

/** Select the pattern that the server proposes, unless the author selects another one meanwhile. */
export async function selectFirst() {
  try {
    const { pattern } = await ask("first_pattern");
    if (pattern && !get().pattern) set({ pattern }, { step: false });
  } catch (problem) {
    if (problem.name !== "AbortError") announce(problem.message, { problem: true });
  }
}
