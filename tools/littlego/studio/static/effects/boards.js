// The common elements of the effects panes: buttons that open a board, links to patterns, and signs of exact results.
import { html } from "../html.js";
import { set } from "../state.js";

// The exact result of a change: each result has its own sign, so that no information depends on colour alone.
export const VERDICTS = {
  worse: { sign: "▼", said: "loses the win", class: "lost-truth" },
  better: { sign: "▲", said: "wins a lost position", class: "won-truth" },
  "": { sign: "?", said: "unknown result", class: "" },
  "won both ways": { sign: "=", said: "won both ways", class: "" },
  "lost both ways": { sign: "=", said: "lost both ways", class: "" },
  "not shown": { sign: "–", said: "test part: result hidden", class: "" },
};

/** Open the board view with a position and a point. */
export function openBoard(position, move = "") {
  set({ view: "board", board: position, game: "", step: "", move: /^\d/.test(move) ? move : "" });
}

/** Return a move's display name. */
export const moveName = (move) => (move === "PASS" ? "pass" : move);

/** A button that opens a position in the board view. */
export function OpenButton({ position, move, children }) {
  return html`<button type="button" onClick=${() => openBoard(position, move)}>${children ?? "Open board"}</button>`;
}

/** A link to a pattern in the pattern view. */
export function PatternLink({ id }) {
  const follow = (event) => (event.preventDefault(), set({ view: "pattern", pattern: id }));
  return html`<a href=${"#view=pattern&pattern=" + encodeURIComponent(id)} onClick=${follow}>${id}</a>`;
}
