// A drawing as a grid of cells with edges and labels, and its changes by clicks. The server writes the text.

const ORDER = "123456789abcdefghijklmnopqrstuvwxyz"; // symbols of a sequence's moves

/**
 * A grid: {rows, labels, edges, isSequence}. rows: strings of one length, a symbol for each cell; labels: the same
 * size, a capital letter or `.`; edges: {top, bottom, left, right}, true if the drawing ends at the edge of the board.
 * isSequence: whether the moves are numbered.
 */
export const SIDES = ["top", "bottom", "left", "right"];

/** Return the grid of a drawing and its labels in the file's syntax without spaces. */
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

/** Return whether a letter can be a label: a capital other than X and O. */
export function isLabel(letter) {
  return /^[A-NP-WYZ]$/.test(letter);
}

/** Return the drawing of a grid in the file's syntax, a line for each row, cells separated by spaces. */
export function drawingOf({ rows, edges }) {
  const left = edges.left ? "|" : "";
  const right = edges.right ? "|" : "";
  const rim = (edges.left ? "+" : "") + "-".repeat(rows[0]?.length ?? 0) + (edges.right ? "+" : "");
  const lines = rows.map((row) => left + row + right);
  if (edges.top) lines.unshift(rim);
  if (edges.bottom) lines.push(rim);
  return lines.map((line) => [...line].join(" ")).join("\n");
}

/** Return the labels of a grid in the file's syntax, or "" if there are none. */
export function labelsOf({ rows, labels, edges }) {
  if (!labels.some((line) => /[A-Z]/.test(line))) return "";
  return drawingOf({ rows: labels, edges });
}

/** Return the place of a move, {row, column}, or null if the drawing lacks the move. */
export function placeOf({ rows }, symbol = "*") {
  const row = rows.findIndex((line) => line.includes(symbol));
  return row < 0 ? null : { row, column: rows[row].indexOf(symbol) };
}

/** Return the move symbols of a drawing: `*`, or a sequence's moves in order. */
export function movesOf({ rows, isSequence }) {
  const drawn = rows.join("");
  return [...(isSequence ? ORDER : "*")].filter((symbol) => drawn.includes(symbol));
}

/** Return the symbols that clicks cycle through. */
export function symbolsOf(grid) {
  if (grid.isSequence) return ["X", "O", ".", "?"];
  return ["X", "O", "x", "o", ".", "?", ...movesOf(grid)]; // the drawing of a pass has no *
}

/** Return the moves that may be put on a cell: the drawn moves, and the next move of a sequence. */
export function movable(grid) {
  const moves = movesOf(grid);
  return grid.isSequence ? [...moves, ORDER[moves.length]] : moves;
}

function put(lines, row, column, symbol) {
  return lines.map((line, at) => (at === row ? line.slice(0, column) + symbol + line.slice(column + 1) : line));
}

/**
 * Return the grid with another symbol in a cell, or null if a move would be lost. A move put on another cell leaves an
 * empty cell; the last move of a sequence may be removed.
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

/** Return the grid with a label in a cell; "." removes the label. */
export function withLabel(grid, row, column, letter) {
  return { ...grid, labels: put(grid.labels, row, column, letter) };
}

/** Return the grid with another row or column of `?` cells at a side. */
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

/** Return the grid without the row or column at a side; null if the grid would lose its move or become empty. */
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

/** Return the grid with the edge of the board at a side added or removed. */
export function withEdge(grid, side) {
  return { ...grid, edges: { ...grid.edges, [side]: !grid.edges[side] } };
}
