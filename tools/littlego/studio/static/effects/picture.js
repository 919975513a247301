// A board as one picture with a text alternative, instead of hundreds of points.
import { classes, html } from "../html.js";

const CELL = 40;
const RIM = 30; // width of the border that contains the row and column numbers

/**
 * A board as a picture, with zero-based row and column numbers. rows: strings of X (Black), O and `.`; move:
 * `row,column` or PASS; mark: the move's mark, "cross" or "circle"; name: the text alternative.
 */
export function Picture({ rows, move = "", mark = "cross", name }) {
  const size = rows.length;
  const [row, column] = /^\d/.test(move) ? move.split(",").map(Number) : [-1, -1];
  const side = size * CELL;
  return html`<svg class="picture glyph" viewBox=${`${-RIM} ${-RIM} ${side + RIM} ${side + RIM}`} role="img" aria-label=${name}>
    <${Numbers} size=${size} />
    <rect width=${side} height=${side} class="wood" />
    <path d=${lines(size)} class="line" />
    ${rows.flatMap((line, y) => [...line].map((stone, x) => stone !== "." && html`<${Stone} ...${{ x, y, stone }} />`))}
    ${row >= 0 && html`<${Mark} ...${{ x: column, y: row, mark }} />`}
  </svg>`;
}

function Numbers({ size }) {
  const at = (one) => one * CELL + CELL / 2;
  return html`<g class="numbers">
    ${Array.from({ length: size }, (_, one) => html`<text x=${at(one)} y=${-RIM / 4}>${one}</text><text x=${-RIM / 2} y=${at(one) + 7}>${one}</text>`)}
  </g>`;
}

function lines(size) {
  const [from, to] = [CELL / 2, size * CELL - CELL / 2];
  return Array.from({ length: size }, (_, index) => {
    const at = index * CELL + CELL / 2;
    return `M${from} ${at}H${to}M${at} ${from}V${to}`;
  }).join("");
}

function Stone({ x, y, stone }) {
  const at = (one) => one * CELL + CELL / 2;
  return html`<circle cx=${at(x)} cy=${at(y)} r="17" class=${stone === "X" ? "own" : "their"} />`;
}

function Mark({ x, y, mark }) {
  const shape =
    mark === "circle"
      ? html`<circle cx="20" cy="20" r="11" class="mark" />`
      : html`<path d="M9 9l22 22M31 9l-22 22" class="mark" />`;
  return html`<g class=${classes("marked", mark)} transform=${`translate(${x * CELL} ${y * CELL})`}>${shape}</g>`;
}
