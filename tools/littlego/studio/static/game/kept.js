// Games that were opened or played here, with the data that a link lacks: clocks, reasons and names.

import { keep, kept } from "../session.js";

const KEY = "game"; // storage key of the last game
const MOST = 20; // maximum number of stored answers
const answers = new Map(); // text of a game -> its most complete answer
let record = kept(KEY);

/** Store an answer about a game; return the answer with all known data of the game. */
export function keepGame(answer) {
  const game = withRecord(answer);
  answers.delete(game.game);
  answers.set(game.game, game);
  if (answers.size > MOST) answers.delete(answers.keys().next().value);
  if (game.moves.length && !isBegunAs(record, game)) keepRecord((record = game));
  return game;
}

/** Return the stored answer for the text of a game, or null. */
export function knownGame(text) {
  return answers.get(text) ?? null;
}

/**
 * Return whether the moves of `part` are the first moves of `whole`. In this case, `part` must not replace the record.
 */
function isBegunAs(whole, part) {
  return Boolean(whole) && part.moves.length <= whole.moves.length && sameMoves(whole, part) === part.moves.length;
}

/** Return an answer with the clocks, reasons and names of the record, for the moves that the games have in common. */
function withRecord(answer) {
  const same = record ? sameMoves(record, answer) : 0;
  if (!same) return answer;
  const isOfIt = same === Math.min(record.moves.length, answer.moves.length);
  const named = isOfIt && !answer.players.some(Boolean);
  return {
    ...answer,
    players: named ? record.players : answer.players,
    budgets: answer.budgets ?? (isOfIt ? record.budgets : null),
    moves: answer.moves.map((one, at) =>
      at < same ? { ...one, said: one.said || record.moves[at].said, left: one.left ?? record.moves[at].left } : one,
    ),
  };
}

/** Return the number of common first moves of two games; 0 if they start differently. */
function sameMoves(one, other) {
  if (one.positions[0] !== other.positions[0]) return 0;
  const least = Math.min(one.moves.length, other.moves.length);
  for (let at = 0; at < least; at += 1) if (one.moves[at].move !== other.moves[at].move) return at;
  return least;
}

/** Return {black, white}: the seconds on the clocks after a number of moves, null for a player without a clock. */
export function clocksAt(game, count) {
  const left = (colour) =>
    game.moves.slice(0, count).findLast((one) => one.colour === colour && one.left !== null)?.left;
  const [black, white] = game.budgets ?? [null, null];
  return { black: left("black") ?? black, white: left("white") ?? white };
}

function keepRecord({ positions, moves, players, budgets }) {
  keep(KEY, { positions: positions.slice(0, 1), moves, players, budgets });
}
