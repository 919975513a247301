// A graph of a game with two lines: the result of best play where known, and the lead on the board after each move.
import { html } from "../html.js";

const WIDTH = 600;
const HEIGHT = 200;
const PAD = 12;

/**
 * game: the answer of `game`; judged: results of the job `judge_game`, by number; step: the number of moves before the
 * position shown; onStep(number) shows another position. The graph is hidden from screen readers.
 */
export function Graph({ game, judged, step, onStep }) {
  const count = game.moves.length;
  if (!count) return null;
  const standing = game.standing.map((value, number) => ({ number, value }));
  const exact = exactValues(game, judged);
  const most = Math.max(5, ...[...standing, ...exact].map(({ value }) => Math.abs(value)));
  const x = (number) => PAD + ((WIDTH - 2 * PAD) * number) / count;
  const y = (value) => HEIGHT / 2 - ((HEIGHT / 2 - PAD) * value) / most;
  const click = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    const part = ((event.clientX - box.left) / box.width) * WIDTH - PAD;
    onStep(Math.min(count, Math.max(0, Math.round((part / (WIDTH - 2 * PAD)) * count))));
  };
  const turning = exact.filter(({ number }) => judged[number]?.turning);
  return html`<figure class="graph">
    <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" onClick=${click}>
      <path d=${`M${PAD} ${y(0)}H${WIDTH - PAD}`} class="zero" />
      <path d=${line(standing, x, y)} class="standing" />
      <path d=${line(exact, x, y)} class="exact" />
      ${exact.map(({ number, value }) => html`<circle cx=${x(number)} cy=${y(value)} r="3.5" class="exact-point" />`)}
      ${turning.map(({ number, value }) => html`<path d=${triangle(x(number), y(value))} class="turning" />`)}
      <path d=${`M${x(step)} 0V${HEIGHT}`} class="here" />
    </svg>
    <figcaption class="muted">
      The vertical axis is Black's lead after komi.
      ${exact.length ? " The line with dots shows the exact result of best play; a triangle marks a turning point." : ""} The
      dashed line shows, after each move, the lead if the game ended there.
    </figcaption>
  </figure>`;
}

/** Return the exact values of positions, by the number of moves before them. */
function exactValues(game, judged) {
  const values = new Map();
  for (const one of Object.values(judged)) {
    if (one.best !== null) values.set(one.number - 1, one.best);
    if (one.margin !== null) values.set(one.number, one.margin);
  }
  return [...values].map(([number, value]) => ({ number, value })).sort((a, b) => a.number - b.number);
}

function line(points, x, y) {
  return points.map(({ number, value }, at) => `${at ? "L" : "M"}${x(number)} ${y(value)}`).join("");
}

function triangle(x, y) {
  return `M${x} ${y - 11}l8 14h-16z`;
}
