// Turning points: the moves that gave the win away, each with the board before the move, where play can resume.
import { classes, html } from "../html.js";

const MOST_COSTLY = 3;
const AT_ONCE = 14; // maximum number of moves left for an automatic search for a turning point

/** Return the judged turning points, most expensive first. */
export function turningPoints(judging) {
  return Object.values(judging.results)
    .filter((one) => one.turning)
    .sort((one, other) => cost(other) - cost(one) || one.number - other.number);
}

/**
 * The progress of judging with a button to continue, and the turning points. onAgain(point) resumes play before a
 * turning point; onWrite(point) starts a pattern for a move that keeps the win there.
 */
export function Turning({ judging, step, onStep, onJudge, onAgain, onWrite }) {
  if (!Object.keys(judging.results).length) return null;
  const points = turningPoints(judging);
  return html`<h3>Turning points</h3>
    ${!points.length && judging.running && html`<p class="muted">None so far.</p>`}
    <${Judged} ...${{ judging, onJudge, isNone: !points.length }} />
    <ul class="clauses turning-points">
      ${points.map(
        (one) =>
          html`<li key=${one.number}>
            <button type="button" aria-pressed=${one.number - 1 === step} title="Show the board before this move" onClick=${() => onStep(one.number - 1)}>
              Move ${one.number}, ${one.colour} ${one.move}
            </button>
            ${` ${lost(one)} `}
            <button type="button" onClick=${() => onAgain(one)}>Play here</button> <${WriteButton} ...${{ one, onWrite }} />
          </li>`,
      )}
    </ul>
    <${Costliest} ...${{ judging, step, onStep, onAgain, onWrite }} />`;
}

/** A note on a position before a turning point: the move played, and the moves that would have kept the win. */
export function TurningHere({ one, onAgain, onWrite }) {
  const said = `${one.colour} played ${one.move} here (the diamond) and gave the win away; ${keeping(one)} (the corners).`;
  return html`<p class="turning-here" role="status" data-turning=${one.number}>
    <strong>A turning point:</strong> ${said} <button type="button" onClick=${() => onAgain(one)}>Play here</button> <${WriteButton} ...${{ one, onWrite }} />
  </p>`;
}

/** Return the point to write a pattern for: the best move that keeps the win, "" if only a pass does. */
export function pointToWrite({ better, winning, turning }) {
  const keeps = (move) => !turning || winning.includes(move);
  return [better?.[0], ...(winning ?? [])].find((move) => move && keeps(move) && move !== "pass") ?? "";
}

/**
 * Return the loser's moves that cost the most points by exact play, most expensive first; [] if a turning point of the
 * loser is known. Against an opponent that errs, a better move may win.
 */
export function costliest({ results }) {
  const loser = loserOf(results);
  const his = Object.values(results).filter((one) => one.colour === loser && one.best !== null);
  if (his.some((one) => one.turning)) return [];
  return his
    .filter((one) => cost(one) > 0 && pointToWrite(one))
    .sort((one, other) => cost(other) - cost(one) || one.number - other.number)
    .slice(0, MOST_COSTLY);
}

/** Return the colour that lost, as far as the game is judged; "" if unknown. */
function loserOf(results) {
  const last = Object.values(results).reduce((old, one) => (!old || one.number > old.number ? one : old), null);
  return { black: "white", white: "black" }[last?.wins] ?? "";
}

function Costliest({ judging, step, onStep, onAgain, onWrite }) {
  const moves = costliest(judging);
  if (!moves.length) return null;
  return html`<h3>Costliest moves</h3>
    <p class="muted">With best play the game was already lost, but a better move may still win against an opponent that errs.</p>
    <ul class="clauses turning-points costliest">
      ${moves.map(
        (one, index) =>
          html`<li key=${one.number}>
            <button type="button" aria-pressed=${one.number - 1 === step} title="Show the board before this move" onClick=${() => onStep(one.number - 1)}>
              Move ${one.number}, ${one.colour} ${one.move}
            </button>
            ${` lost ${cost(one)} ${cost(one) === 1 ? "point" : "points"}; best was ${one.better[0]} `}
            <button type="button" onClick=${() => onAgain(one)}>Play here</button> <${WriteButton} ...${{ one, onWrite, isMain: index === 0 }} />
          </li>`,
      )}
    </ul>`;
}

function WriteButton({ one, onWrite, isMain = true }) {
  const point = pointToWrite(one);
  return (
    point &&
    html`<button type="button" class=${classes(isMain && "main")} title=${`Start a pattern that plays ${point} here`} onClick=${() => onWrite(one, point)}>
      Write ${point}
    </button>`
  );
}

/**
 * Return the limit on moves left for the next, deeper judgement of a game. Return 0 if a turning point of the loser is
 * known, or if the next limit is above AT_ONCE.
 */
export function deeper({ done, results }) {
  if (!done?.more || done.more > AT_ONCE) return 0;
  const loser = loserOf(results);
  const isFound = Object.values(results).some((one) => one.turning && one.colour === loser);
  return isFound ? 0 : done.more;
}

function lost(one) {
  const points = `${cost(one)} ${cost(one) === 1 ? "point" : "points"}`;
  return `gave away the win and ${points}; ${keeping(one)}${one.reply ? `; the reply ${one.reply} refutes the move` : ""}`;
}

function keeping({ winning }) {
  const all = winning.length > 1 ? `${winning.slice(0, -1).join(", ")} or ${winning.at(-1)}` : winning[0];
  return `${all} would have kept the win`;
}

function Judged({ judging: { done, exact, results }, onJudge, isNone }) {
  if (!done) return null;
  const none = isNone ? `None of these moves is a turning point. ${done.more ? wonBefore(results) : ""}` : "";
  if (!done.known && !done.more)
    return html`<p class="muted">No exact results: the solver supports only Little-Go on 5x5.</p>`;
  const said =
    done.known === done.of
      ? `${done.of === 1 ? "The only move is" : `All ${done.of} moves are`} judged exactly.`
      : `${done.known} of ${done.of} moves are judged exactly: the moves with up to ${exact} moves left.`;
  return html`<p role="status" data-judged=${done.known}>
    ${said} ${none}
    ${done.more && html`<button type="button" onClick=${() => onJudge(done.more)}>Judge more</button>`}
  </p>`;
}

/** Return a sentence about who was winning before the first exactly judged move; "" if there is none. */
export function wonBefore(results) {
  const known = Object.values(results).filter((one) => one.best !== null);
  if (!known.length) return "";
  const first = known.reduce((old, one) => (one.number < old.number ? one : old));
  const winner = first.best > 0 ? "Black" : "White";
  return `${winner} was already winning before move ${first.number}: an earlier move decided the game, or no move did. `;
}

function cost(one) {
  return Math.abs(one.best - one.margin);
}
