// The seven symbols of a drawing as pictures. Each has its own shape, so that no symbol is recognisable only by colour.
import { html } from "../html.js";

const MEANINGS = {
  X: "own stone",
  O: "opponent's stone",
  x: "own or empty",
  o: "opponent's or empty",
  ".": "empty",
  "?": "any point",
  "*": "the move",
};

/** Return the meaning of a drawing's symbol in a few words. */
export function meaningOf(symbol) {
  return MEANINGS[symbol] ?? `move ${symbol}`;
}

// Functions, because a constant element would keep in memory all elements that were ever drawn: see html.js.
const SHAPES = {
  X: () => html`<circle cx="20" cy="20" r="15" class="own" />`,
  O: () => html`<circle cx="20" cy="20" r="15" class="their" />`,
  x: () => html`<circle cx="20" cy="20" r="11" class="own maybe" />`,
  o: () => html`<circle cx="20" cy="20" r="11" class="their maybe" />`,
  ".": () => null,
  "?": () => html`<text x="20" y="27" class="any">?</text>`,
  "*": () => html`<path d="M20 7v26M8.7 13.5l22.6 13M8.7 26.5l22.6-13" class="move" />`,
};

/** A symbol on the crossing of two lines. */
export function Glyph({ symbol }) {
  return html`<svg viewBox="0 0 40 40" aria-hidden="true" class="glyph">
    ${symbol !== "?" && html`<path d="M20 0v40M0 20h40" class="line" />`}
    ${symbol in SHAPES ? SHAPES[symbol]() : html`<circle cx="20" cy="20" r="14" class="numbered" /><text x="20" y="27" class="any">${symbol}</text>`}
  </svg>`;
}
