// A board: an SVG under a grid of buttons with arrow-key navigation.
import { classes, html, useRef, useState } from "./html.js";
import { STARS } from "./sizes.js";

const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
// Each mark has its own shape and a spoken word, so that no information depends on colour alone. Functions draw the
// shapes: a constant element would be shared by all boards, and keep the last board in memory.
const MARKS = {
  move: ["move", () => html`<path d="M20 10v20M11.3 15l17.4 10M11.3 25l17.4-10" class="mark" />`],
  cross: ["crossed", () => html`<path d="M12 12l16 16M28 12l-16 16" class="mark" />`],
  circle: ["circled", () => html`<circle cx="20" cy="20" r="8" class="mark" fill="none" />`],
  ring: ["ringed", () => html`<circle cx="20" cy="20" r="17.5" class="mark" fill="none" />`],
  square: ["boxed", () => html`<rect x="12" y="12" width="16" height="16" class="mark" fill="none" />`],
  triangle: ["marked", () => html`<path d="M20 10l9 16H11z" class="mark" fill="none" />`],
  diamond: ["played next", () => html`<path d="M20 4l16 16-16 16L4 20z" class="mark" fill="none" />`],
  corners: [
    "keeps the win",
    () => html`<path d="M3 11V3h8M29 3h8v8M37 29v8h-8M11 37H3v-8" class="mark" fill="none" />`,
  ],
  dot: ["last move", () => html`<circle cx="20" cy="20" r="5" class="mark full" />`],
};
const marksOf = (mark = "") => mark.split(" ").flatMap((name) => (MARKS[name] ? [MARKS[name]] : []));

/**
 * stones: rows of X, O and `.`. labels, marks, figures: objects by "row,column". A label is a letter or number. A mark
 * is one or more of MARKS, separated by spaces. A figure is a short text under the point. lit: highlighted points. Rows
 * and columns are zero-based. black: which of X and O is drawn black. describe(row, column) returns the text that a
 * screen reader speaks after the point's stone. onPoint(row, column, event), onKey(key, row, column), onLook(row,
 * column): the handlers.
 */
export function Board({
  stones,
  labels = {},
  marks = {},
  figures = {},
  lit = [],
  black = "X",
  name,
  onPoint,
  onKey,
  onLook,
  describe,
}) {
  const [focus, setFocus] = useState([0, 0]);
  const element = useRef(null);
  const size = stones.length;
  const at = focus.map((one) => Math.min(one, size - 1));
  const press = (event, row, column) => {
    const step = STEPS[event.key];
    if (step && !event.ctrlKey && !event.altKey) {
      const [down, right] = [row + step[0], column + step[1]];
      element.current.querySelector(`[data-point="${down},${right}"]`)?.focus();
    } else if (event.ctrlKey || event.metaKey || event.altKey || !onKey?.(event.key, row, column)) return;
    event.preventDefault();
  };
  return html`<div
    class="board"
    style=${`--columns: ${size}`}
    role="grid"
    data-size=${size}
    aria-label=${name}
    ref=${element}
  >
    ${stones.map(
      (line, row) =>
        html`<div role="row" key=${row}>
          ${[...line].map((stone, column) => {
            const place = `${row},${column}`;
            const said = { X: "X", O: "O", ".": "empty" }[stone];
            const more = [
              labels[place] && `label ${labels[place]}`,
              ...marksOf(marks[place]).map((one) => one[0]),
              figures[place],
              describe?.(row, column),
            ];
            return html`<button
              type="button"
              role="gridcell"
              key=${place}
              data-point=${place}
              data-row=${row}
              data-column=${column}
              class=${classes("cell", lit.includes(place) && "lit")}
              tabindex=${at[0] === row && at[1] === column ? 0 : -1}
              aria-label=${[`${place} ${said}`, ...more].filter(Boolean).join(", ")}
              onClick=${(event) => onPoint?.(row, column, event)}
              onKeyDown=${(event) => press(event, row, column)}
              onFocus=${() => (setFocus([row, column]), onLook?.(row, column))}
              onMouseEnter=${() => onLook?.(row, column)}
            >
              <${Point} ...${{ row, column, size, stone, mark: marks[place], isBlack: stone === black }} />
              ${labels[place] && html`<span class=${classes("label", stone !== "." && "on-stone")} data-text=${labels[place]}></span>`}
              ${figures[place] && html`<span class="badge" data-text=${figures[place]}></span>`}
            </button>`;
          })}
        </div>`,
    )}
  </div>`;
}

function Point({ row, column, size, stone, mark, isBlack }) {
  const across = `M${column ? 0 : 20} 20H${column < size - 1 ? 40 : 20}`;
  const down = `M20 ${row ? 0 : 20}V${row < size - 1 ? 40 : 20}`;
  const stars = STARS[size] ?? [];
  return html`<svg viewBox="0 0 40 40" aria-hidden="true" class="glyph">
    <path d=${across + down} class="line" />
    ${stars.includes(row) && stars.includes(column) && html`<circle cx="20" cy="20" r="4" class="star" />`}
    ${stone !== "." && html`<circle cx="20" cy="20" r="17" class=${isBlack ? "own" : "their"} />`}
    ${mark && html`<g class=${classes("marked", stone !== "." && isBlack && "on-black")}>${marksOf(mark).map((one) => one[1]())}</g>`}
  </svg>`;
}
