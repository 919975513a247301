// A board: an SVG under a grid of buttons with arrow-key navigation.
import { classes, html, memo, useLatest, useRef, useState } from "./html.js";
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
  const look = (row, column) => onLook?.(row, column);
  const focusOn = (row, column) => (setFocus([row, column]), look(row, column));
  const handlers = { onPoint, look, focusOn, press };
  const act = useLatest((handler, ...given) => handlers[handler]?.(...given));
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
            const [label, mark, figure] = [labels[place], marks[place], figures[place]];
            return html`<${Cell}
              key=${place}
              ...${{ row, column, size, stone, label, mark, figure, act }}
              isBlack=${stone === black}
              isLit=${lit.includes(place)}
              isFirst=${at[0] === row && at[1] === column}
              described=${describe?.(row, column)}
            />`;
          })}
        </div>`,
    )}
  </div>`;
}

const SAID = { X: "X", O: "O", ".": "empty" };

/**
 * A point of the board. isFirst: whether the Tab key leads to this point. described: a text for screen readers.
 * act(handler, ...) calls a handler of the board.
 */
const Cell = memo((properties) => {
  const { row, column, size, stone, label, mark, figure, isBlack, isLit, isFirst, described, act } = properties;
  const place = `${row},${column}`;
  const spoken = [`${place} ${SAID[stone]}`, label && `label ${label}`, ...marksOf(mark).map((one) => one[0])];
  return html`<button
    type="button"
    role="gridcell"
    data-point=${place}
    data-row=${row}
    data-column=${column}
    class=${classes("cell", isLit && "lit")}
    tabindex=${isFirst ? 0 : -1}
    aria-label=${[...spoken, figure, described].filter(Boolean).join(", ")}
    onClick=${(event) => act("onPoint", row, column, event)}
    onKeyDown=${(event) => act("press", event, row, column)}
    onFocus=${() => act("focusOn", row, column)}
    onMouseEnter=${() => act("look", row, column)}
  >
    <${Point} ...${{ row, column, size, stone, mark, isBlack }} />
    ${label && html`<span class=${classes("label", stone !== "." && "on-stone")} data-text=${label}></span>`}
    ${figure && html`<span class="badge" data-text=${figure}></span>`}
  </button>`;
});

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
