// Links to a pattern with its board, for pages that others can open.
import { Problem, ask } from "./api.js";
import { announce } from "./announce.js";
import { copy } from "./command.js";
import { SHARES } from "./link.js";
import { get, link } from "./state.js";

const HIGH = 620; // height of an embedded page in pixels

/** Return {address, id}: a link with the selected pattern and the board, and the pattern's id. Throws Problem. */
async function addressOf(more = {}) {
  const { pattern, board, atHand, move } = get();
  const made = await ask("link", { pattern, position: board || atHand });
  return { address: link({ v1: made.link, move, ...more }), id: made.id };
}

/** Copy a link: with the selected pattern if others can open it, otherwise to a game, a page or a view. */
export async function copyLink() {
  const { view, pattern, v1, file, ...parts } = get();
  if (!SHARES) return void copy(link(), "The link");
  const isAboutPattern = pattern && view !== "pages" && !(view === "board" && parts.game);
  if (!isAboutPattern) return void copy(link({ ...parts, view }), "The link to this view");
  try {
    await copy((await addressOf({ view })).address, `The link to ${pattern} on this board`);
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    announce(problem.message, { problem: true });
  }
}

/**
 * Return the HTML that shows the selected pattern on the board in another page; "" without a pattern. Throws Problem.
 */
export async function embedding() {
  if (!SHARES || !get().pattern) return "";
  const { address, id } = await addressOf({ embed: "1" });
  return `<iframe src="${address}" title="${id}" loading="lazy" width="100%" height="${HIGH}"></iframe>`;
}
