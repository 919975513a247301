// A drawing as a grid of cells with edges and labels: how the clicks of the page change it. The text is Python's.

const ORDER = "123456789abcdefghijklmnopqrstuvwxyz"; // of the moves of a sequence

/**
 * A grid: {rows, labels, edges, isSequence}. rows: strings of one length, a symbol for each cell; labels: the same size, a capital
 * letter or `.`; edges: {top, bottom, left, right}, true where the drawing ends at the edge of the board. isSequence: whether
 * the moves are numbered.
 */
export const SIDES = ["top", "bottom", "left", "right"];

/** Return the grid of a drawing and its labels, as the file writes them without spaces. */
export function gridOf(drawing, labels, isSequence = false) {
  const lines = trimmed(drawing);
  const edges = {
    top: /^[-+]+$/.test(lines[0] ?? ""),
    bottom: lines.length > 1 && /^[-+]+$/.test(lines.at(-1)),
    left: false,
    right: false,
  };
  const inner = lines.slice(edges.top ? 1 : 0, edges.bottom ? -1 : undefined);
  edges.left = inner.length > 0 && inner.every((line) => line.startsWith("|"));
  edges.right = inner.length > 0 && inner.every((line) => line.length > 1 && line.endsWith("|"));
  const cut = (line) => line.slice(edges.left ? 1 : 0, edges.right ? -1 : undefined);
  const rows = inner.map(cut);
  const lettered = trimmed(labels).filter((line) => !/^[-+]+$/.test(line));
  const bare = lettered.map((line) => line.replaceAll("|", ""));
  return { rows, labels: rows.map((row, at) => onlyLabels(bare[at] ?? "", row.length)), edges, isSequence };
}

function trimmed(text) {
  return (text ?? "")
    .split("\n")
    .map((line) => line.replace(/\s/g, ""))
    .filter(Boolean);
}

function onlyLabels(line, width) {
  return [...line.padEnd(width, ".").slice(0, width)].map((one) => (isLabel(one) ? one : ".")).join("");
}

/** Whether a letter can name a point: a capital that is no stone. */
export function isLabel(letter) {
  return /^[A-NP-WYZ]$/.test(letter);
}

/** Return the drawing of a grid as the file writes it, rows on lines, cells apart. */
export function drawingOf({ rows, edges }) {
  const left = edges.left ? "|" : "";
  const right = edges.right ? "|" : "";
  const rim = (edges.left ? "+" : "") + "-".repeat(rows[0]?.length ?? 0) + (edges.right ? "+" : "");
  const lines = rows.map((row) => left + row + right);
  if (edges.top) lines.unshift(rim);
  if (edges.bottom) lines.push(rim);
  return lines.map((line) => [...line].join(" ")).join("\n");
}

/** Return the labels of a grid as the file writes them, or "" where there are none. */
export function labelsOf({ rows, labels, edges }) {
  if (!labels.some((line) => /[A-Z]/.test(line))) return "";
  return drawingOf({ rows: labels, edges });
}

/** Return where a move is, {row, column}, or null in a drawing without it. */
export function placeOf({ rows }, symbol = "*") {
  const row = rows.findIndex((line) => line.includes(symbol));
  return row < 0 ? null : { row, column: rows[row].indexOf(symbol) };
}

/** Return the symbols of a drawing that are moves: `*`, or those of a sequence in their order. */
export function movesOf({ rows, isSequence }) {
  const drawn = rows.join("");
  return [...(isSequence ? ORDER : "*")].filter((symbol) => drawn.includes(symbol));
}

/** Return the symbols that a click goes through. */
export function symbolsOf(grid) {
  if (grid.isSequence) return ["X", "O", ".", "?"];
  return ["X", "O", "x", "o", ".", "?", ...movesOf(grid)]; // a pass has no * to draw
}

/** Return the moves that may be put on a cell: those that are drawn, and the next of a sequence. */
export function movable(grid) {
  const moves = movesOf(grid);
  return grid.isSequence ? [...moves, ORDER[moves.length]] : moves;
}

function put(lines, row, column, symbol) {
  return lines.map((line, at) => (at === row ? line.slice(0, column) + symbol + line.slice(column + 1) : line));
}

/**
 * Return the grid with another symbol in a cell, or null where a move would be lost by it. A move that is put on
 * another cell leaves its own, which becomes empty; the last move of a sequence may go.
 */
export function withSymbol(grid, row, column, symbol) {
  const moves = movesOf(grid);
  const lost = grid.rows[row][column];
  if (moves.includes(lost) && symbol !== lost && !(grid.isSequence && moves.length > 1 && lost === moves.at(-1))) {
    return null;
  }
  const before = moves.includes(symbol) ? placeOf(grid, symbol) : null;
  const rows = before ? put(grid.rows, before.row, before.column, ".") : grid.rows;
  return { ...grid, rows: put(rows, row, column, symbol) };
}

/** Return the grid with a label in a cell; "." takes it away. */
export function withLabel(grid, row, column, letter) {
  return { ...grid, labels: put(grid.labels, row, column, letter) };
}

/** Return the grid with one more row or column at a side, of points that may be anything. */
export function grown(grid, side) {
  const { rows, labels } = grid;
  const add = (lines, filler) => {
    const blank = filler.repeat(lines[0].length);
    if (side === "top") return [blank, ...lines];
    if (side === "bottom") return [...lines, blank];
    return lines.map((line) => (side === "left" ? filler + line : line + filler));
  };
  return { ...grid, rows: add(rows, "?"), labels: add(labels, ".") };
}

/** Return the grid without the row or column at a side; null where that would take the move, or all. */
export function shrunk(grid, side) {
  const { rows, labels } = grid;
  const upright = side === "top" || side === "bottom";
  if ((upright ? rows.length : rows[0].length) < 2) return null;
  const cut = (lines) => {
    if (upright) return side === "top" ? lines.slice(1) : lines.slice(0, -1);
    return lines.map((line) => (side === "left" ? line.slice(1) : line.slice(0, -1)));
  };
  const smaller = { ...grid, rows: cut(rows), labels: cut(labels) };
  return movesOf(smaller).length < movesOf(grid).length ? null : smaller;
}

/** Return the grid with the edge of the board at a side, or without it where it is. */
export function withEdge(grid, side) {
  return { ...grid, edges: { ...grid.edges, [side]: !grid.edges[side] } };
}
