// The learning player's opinion beside our reasons: the player's move, chance to win, and most visited moves.
import { useAnswer } from "../ask.js";
import { html } from "../html.js";
import { toMove } from "../position.js";

/** position: the current position; selected: the selected point; onPick(move) selects a move. */
export function Opinion({ position, selected, onPick }) {
  const found = useAnswer("opinion", { position }, { text: false });
  const answer = JSON.parse(found.asked).position === position ? found.answer : null;
  const said = answer ? sentence(answer, toMove(position)) : found.problem?.message;
  return html`<section class="opinion" aria-label="Opinion of zero" aria-busy=${found.busy}>
    <p role="status" data-opinion=${answer?.chosen}>
      ${said && html`<strong>Opinion of zero, a learning player:</strong> ${said}`}
    </p>
    ${!said && html`<p class="muted">zero is thinking …</p>`}
    ${answer?.known && html`<${Moves} ...${{ moves: answer.moves, selected, onPick }} />`}
    <p class="muted">This opinion does not affect the move of the file's patterns.</p>
  </section>`;
}

function sentence({ known, why, chosen, winrate, simulations }, colour) {
  if (!known) return `none, because ${why}.`;
  return `it plays ${chosen}. The chance that ${colour} wins is ${percent(winrate)}, after ${simulations} simulations.`;
}

function Moves({ moves, selected, onPick }) {
  return html`<table class="candidates" aria-label="Moves of zero">
    <thead>
      <tr>
        <th scope="col">Move</th>
        <th scope="col">Probability</th>
        <th scope="col">Visits</th>
        <th scope="col">Chance to win</th>
      </tr>
    </thead>
    <tbody>
      ${moves.map(
        (one) =>
          html`<tr key=${one.move}>
            <td><button type="button" aria-pressed=${selected === one.move} onClick=${() => onPick(one.move)}>${one.move}</button></td>
            <td>${percent(one.probability)}</td>
            <td>${one.visits}</td>
            <td>${percent(one.winrate)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** Return a share from 0 to 1 as a percentage; only an exact 0 or 1 is shown as 0% or 100%. */
function percent(share) {
  if (share > 0 && share < 0.005) return "<1%";
  return share < 1 && share >= 0.995 ? ">99%" : `${Math.round(100 * share)}%`;
}
