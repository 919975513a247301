// Boards out of the answers, as the panes list them: each opens in the board view.
import { html } from "../html.js";
import { set } from "../state.js";

// What the truth says of a change: a sign of its own for each, so that no colour tells anything alone.
export const VERDICTS = {
  worse: { sign: "▼", said: "loses the win", class: "lost-truth" },
  better: { sign: "▲", said: "wins a lost position", class: "won-truth" },
  "": { sign: "?", said: "unknown result", class: "" },
  "won both ways": { sign: "=", said: "won both ways", class: "" },
  "lost both ways": { sign: "=", said: "lost both ways", class: "" },
  "not shown": { sign: "–", said: "test part: result hidden", class: "" },
};

/** Go to the board view with a position and a point of it. */
export function openBoard(position, move = "") {
  set({ view: "board", board: position, game: "", step: "", move: /^\d/.test(move) ? move : "" });
}

/** Return a move as people say it. */
export const moveName = (move) => (move === "PASS" ? "pass" : move);

/** A button that opens a board in the board view. */
export function OpenButton({ position, move, children }) {
  return html`<button type="button" onClick=${() => openBoard(position, move)}>${children ?? "Open board"}</button>`;
}

/** A link to a pattern in the pattern view. */
export function PatternLink({ id }) {
  const follow = (event) => (event.preventDefault(), set({ view: "pattern", pattern: id }));
  return html`<a href=${"#view=pattern&pattern=" + encodeURIComponent(id)} onClick=${follow}>${id}</a>`;
}
