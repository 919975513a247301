// A small board that steps through a game of the walk.
import { Board } from "../board.js";
import { whenOff } from "../focus.js";
import { html } from "../html.js";
import { readPosition } from "../position.js";

/**
 * game: {moves, positions}; at: the number of moves on the board; onAt(number) shows the board after another number of
 * moves; name: the board's name for screen readers; marks: additional marks by "row,column".
 */
export function Replay({ game, at, onAt, name, marks = {} }) {
  const { rows } = readPosition(game.positions[at]);
  const last = at ? game.moves[at - 1] : null;
  const shown = last && last.move !== "pass" ? { [last.move]: "dot", ...marks } : marks;
  const end = game.positions.length - 1;
  const title = last ? `${last.colour} ${last.move}` : "the empty board";
  return html`<div class="replay">
    <${Board} name=${`${name}, after ${at} moves`} stones=${rows} marks=${shown} />
    <p class="buttons">
      <button type="button" aria-label="To the start" ...${whenOff(!at, () => onAt(0))}>|◀</button>
      <button type="button" aria-label="One move back" ...${whenOff(!at, () => onAt(at - 1))}>◀</button>
      <button type="button" aria-label="One move forward" ...${whenOff(at === end, () => onAt(at + 1))}>▶</button>
      <button type="button" aria-label="To the end" ...${whenOff(at === end, () => onAt(end))}>▶|</button>
      <span class="muted" role="status">${at} of ${end}: ${title}</span>
    </p>
  </div>`;
}
