// The overlay of the answers on a board: ranks, marks and figures at the points, and their spoken text.

const MARKS = { chosen: "ring", costly: "square", vetoed: "cross" }; // marks by kind of candidate
const KINDS = {
  chosen: "the chosen move",
  safe: "safe",
  costly: "sacrifices stones",
  vetoed: "vetoed",
  unknown: "not checked",
};

/** Return the description of a candidate's kind. */
export function kindText(kind) {
  return KINDS[kind] ?? kind;
}

/** Return a number with its sign, such as +2.5, -1 or 0. */
export function signed(number) {
  return number > 0 ? `+${number}` : number < 0 ? `−${-number}` : "0";
}

/**
 * Return the text of an exact value. scale: "absolute", Black's lead at the end, or "relative", the points lost against
 * the best move. If the leads are unknown, return the winner.
 */
export function valueText(value, scale) {
  if (!value) return "";
  if (value.margin === null) return value.wins ? "wins" : "loses";
  if (scale === "absolute") return signed(value.margin);
  return value.cost ? `−${value.cost}` : "best";
}

/** Return the text of an exact value in words, for a reader who does not see the board. */
export function valueWords(value) {
  if (!value) return "";
  const outcome = value.wins ? "exact: wins" : "exact: loses";
  if (value.margin === null) return outcome;
  return `${outcome}; Black's final lead is ${signed(value.margin)}${value.cost ? `; points lost: ${value.cost}` : ""}`;
}

/** Return exact values by their move. */
export function byMove(exact) {
  return Object.fromEntries((exact?.values ?? []).map((one) => [one.move, one]));
}

/** Return the candidates to show: the best `most` that may be played, and better candidates that were vetoed. */
export function shownCandidates(moves, most) {
  const able = moves.filter((one) => one.kind !== "vetoed").slice(0, most);
  const chosen = moves.find((one) => one.kind === "chosen");
  const isBetter = (one) =>
    one.priority > chosen.priority || (one.priority === chosen.priority && one.points > chosen.points);
  const vetoed = moves.filter((one) => one.kind === "vetoed" && (able.length < most || isBetter(one)));
  return [...able, ...vetoed.slice(0, Math.max(most, 3))];
}

/**
 * Return {labels, marks, figures, describe, lit} for a board. decision, exact: answers, null or undefined while hidden;
 * looked: the point under the pointer or the focus; last: the last move; most: the number of candidates to show; scale:
 * see valueText; turning: the judgement of the next move if it gave the win away, or null.
 */
export function overlay({ decision, exact, selected, looked, last, most, scale, turning = null }) {
  const labels = {};
  const marks = last && last.includes(",") ? { [last]: "dot" } : {};
  const figures = {};
  const values = byMove(exact);
  const moves = decision?.moves ?? [];
  const shown = shownCandidates(moves, most);
  shown.forEach((one) => {
    if (one.move === "pass") return;
    if (one.kind !== "vetoed") labels[one.move] = String(rankOf(moves, one));
    if (MARKS[one.kind]) marks[one.move] = MARKS[one.kind];
    figures[one.move] = valueText(values[one.move], scale) || (one.kind === "vetoed" ? "" : String(one.points));
  });
  if (exact && most > moves.length) for (const move in values) figures[move] ??= valueText(values[move], scale);
  const asked = moves.find((one) => one.move === selected);
  if (asked?.reply && asked.reply !== "pass") marks[asked.reply] = "triangle";
  if (selected && !labels[selected]) marks[selected] ??= "circle";
  const also = (point, mark) => (marks[point] = [marks[point], mark].filter(Boolean).join(" "));
  turning?.winning.forEach((point) => also(point, "corners"));
  if (turning) also(turning.move, "diamond");
  return {
    labels,
    marks,
    figures,
    lit: litBy(asked ?? moves.find((one) => one.move === looked), null),
    describe: describer(moves, values, decision),
  };
}

/** Return a candidate's rank among the playable candidates, from 1. */
export function rankOf(moves, one) {
  return moves.filter((other) => other.kind !== "vetoed").indexOf(one) + 1;
}

/**
 * Return the board points of the cells of a candidate's pattern. pattern: the pattern's id; null chooses the drawn
 * pattern with the most points.
 */
export function litBy(candidate, pattern) {
  const drawn = (candidate?.firings ?? []).filter((one) => one.cells.length > 1);
  const best = drawn.reduce((old, one) => (!old || one.points > old.points ? one : old), null);
  return (pattern ? candidate?.firings.find((one) => one.pattern === pattern) : best)?.cells ?? [];
}

function describer(moves, values, decision) {
  const found = Object.fromEntries(moves.map((one) => [one.move, one]));
  return (row, column) => {
    const one = found[`${row},${column}`];
    const exact = valueWords(values[`${row},${column}`]);
    if (!one) return exact;
    const said = one.kind === "chosen" ? decision.said : one.said;
    const why = said.startsWith(`${one.move}: `) ? said.slice(one.move.length + 2) : said; // the label names the point
    return [kindText(one.kind), one.kind === "vetoed" ? one.verdict : "", exact, why].filter(Boolean).join("; ");
  };
}
