// Games that were opened or played here: what the text of a game in the address does not hold, its clocks, words and names.

import { keep, kept } from "../session.js";

const KEY = "game"; // of the last one
const MOST = 20; // answers that are kept
const answers = new Map(); // text of a game -> the answer with all that is known
let record = kept(KEY);

/** Keep the answer of a method that tells of a game; return it with what is known of that game besides. */
export function keepGame(answer) {
  const game = withRecord(answer);
  answers.delete(game.game);
  answers.set(game.game, game);
  if (answers.size > MOST) answers.delete(answers.keys().next().value);
  if (game.moves.length && !isBegunAs(record, game)) keepRecord((record = game));
  return game;
}

/** Return the answer that was kept for the text of a game, or null. */
export function knownGame(text) {
  return answers.get(text) ?? null;
}

/** Whether a game begins with all that is shown: going back in a record does not shorten it. */
function isBegunAs(whole, part) {
  return Boolean(whole) && part.moves.length <= whole.moves.length && sameMoves(whole, part) === part.moves.length;
}

/** Return an answer with the clocks, reasons and names of the record, as far as their moves are the same. */
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

/** Return how many of their first moves two games have alike; none where they start otherwise. */
function sameMoves(one, other) {
  if (one.positions[0] !== other.positions[0]) return 0;
  const least = Math.min(one.moves.length, other.moves.length);
  for (let at = 0; at < least; at += 1) if (one.moves[at].move !== other.moves[at].move) return at;
  return least;
}

/** Return {black, white}: the seconds on the clocks after so many moves, null for who has none. */
export function clocksAt(game, count) {
  const left = (colour) =>
    game.moves.slice(0, count).findLast((one) => one.colour === colour && one.left !== null)?.left;
  const [black, white] = game.budgets ?? [null, null];
  return { black: left("black") ?? black, white: left("white") ?? white };
}

function keepRecord({ positions, moves, players, budgets }) {
  keep(KEY, { positions: positions.slice(0, 1), moves, players, budgets });
}
