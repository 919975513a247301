// A position in the syntax of the API and the address: rows joined by `/`, then fields, such as `white` or `left=9`.
import { EMPTY_SIZES } from "./sizes.js";

/** Return {rows, fields} of a position's text; fields: the words after the rows. */
export function readPosition(text) {
  const [drawn = "", ...fields] = text.trim().split(/\s+/);
  return { rows: drawn.split("/").filter(Boolean), fields };
}

/** Return the text of rows and fields. */
export function writePosition({ rows, fields }) {
  return [rows.join("/"), ...fields].join(" ");
}

/** Return an empty board of a ruleset. */
export function emptyBoard(ruleset) {
  const size = EMPTY_SIZES[ruleset] ?? EMPTY_SIZES["little-go"];
  const rows = Array(size).fill(".".repeat(size));
  return writePosition({ rows, fields: ruleset === "match" ? ["ruleset=match"] : [] });
}

/** Return the position with another stone on a point, without fields that are only valid for the old stones. */
export function withStone(text, row, column, stone) {
  const { rows, fields } = readPosition(text);
  const line = rows[row];
  const changed = rows.map((one, at) => (at === row ? line.slice(0, column) + stone + line.slice(column + 1) : one));
  return writePosition({ rows: changed, fields: fields.filter((one) => !/^(previous|left|last|own_last)=/.test(one)) });
}

/** Return the next stone in the cycle of clicks on a point. */
export function nextStone(stone) {
  return { ".": "X", X: "O", O: "." }[stone];
}

/** Return the side to move, "black" or "white". */
export function toMove(text) {
  return readPosition(text).fields.includes("white") ? "white" : "black";
}

/** Return whether a position belongs to a match; ruleset: the default ruleset. */
export function isMatch(text, ruleset) {
  const named = readPosition(text).fields.find((one) => one.startsWith("ruleset="));
  return (named ?? `ruleset=${ruleset}`) === "ruleset=match";
}

/** Return the position with the other side to move. */
export function turned(text) {
  const { rows, fields } = readPosition(text);
  const rest = fields.filter(
    (one) => one !== "black" && one !== "white" && !/^(left|previous|last|own_last)=/.test(one),
  );
  return writePosition({ rows, fields: toMove(text) === "white" ? rest : ["white", ...rest] });
}
