// The pane of answers (candidates, exact values, another player's opinion, the selected point): hidden until a button,
// a key or a guess reveals them.
import { html } from "../html.js";
import { CommandLine } from "../command.js";
import { createPattern } from "../pattern/create.js";
import { set } from "../state.js";
import { Opinion } from "./opinion.js";
import { byMove } from "./overlay.js";
import { Candidates, PointReasons } from "./reasons.js";
import { WhatIf } from "./whatif.js";

const ALL = 1000;

/** options, change: the display options and their setter; solver: the result of useSolving; others: as in the view. */
export function ReasonsPane(given) {
  const { position, decision, exact, values, why, move, options, change, isOpen, over, does, guess, solver } = given;
  const { pick, setLight, setRevealed } = given;
  const { revealed, most, scale, opinion } = options;
  const hasExact = !exact.answer || exact.answer.known || exact.answer.deep; // a match has no exact values
  const write = async () => {
    if (await createPattern({ board: position, move })) set({ view: "pattern" });
  };
  return html`<section class="pane answers" aria-labelledby="answers-title" aria-busy=${decision.busy}>
    <h2 id="answers-title">Answers</h2>
    <div class="buttons">
      <button type="button" aria-pressed=${revealed} aria-keyshortcuts="a" onClick=${() => setRevealed(!revealed)}>
        Show answers
      </button>
      <button type="button" aria-pressed=${opinion} title="The opinion of zero, a learning player" onClick=${() => change({ opinion: !opinion })}>
        Ask zero
      </button>
      <label class="inline"
        >best
        <select aria-label="Number of candidates" value=${most} onChange=${(event) => change({ most: Number(event.target.value) })}>
          ${[1, 3, 5, 9].map((one) => html`<option key=${one} value=${one}>${one}</option>`)}
          <option value=${ALL}>all</option>
        </select>
      </label>
      ${
        hasExact &&
        html`<label class="inline"
          >exact values
          <select aria-label="Exact values" value=${scale} onChange=${(event) => change({ scale: event.target.value })}>
            <option value="absolute">Black's lead</option>
            <option value="relative">points lost</option>
          </select>
        </label>`
      }
    </div>
    ${over && html`<p class="muted">The game is over: ${over} Step back to see the answers for a move.</p>`}
    ${!isOpen && !over && html`<p class="muted">${does === "guess" ? "Click the point where you would play to see the answer." : "Hidden. Press a to show the answers, or hold z to peek."}</p>`}
    <div role="status">${isOpen && guess && html`<${Guess} ...${{ guess, decision: decision.answer, values }} />`}</div>
    ${isOpen && move && html`<${PointReasons} ...${{ move, decision: decision.answer, why, exact: values, own: decision.answer?.own }} onLight=${setLight} onWrite=${write} />`}
    ${isOpen && html`<${Candidates} ...${{ decision, exact: values, scale, most, selected: move, onPick: pick }} />`}
    ${isOpen && html`<${Exact} ...${{ exact, values, solver }} />`}
    ${isOpen && opinion && html`<${Opinion} ...${{ position, selected: move, onPick: pick }} />`}
    ${isOpen && decision.answer && html`<${WhatIf} position=${position} decision=${decision.answer} />`}
  </section>`;
}

function Guess({ guess, decision, values }) {
  if (!decision) return null;
  const value = byMove(values)[guess.move];
  const isOurs = guess.move === decision.chosen;
  const known = value ? (value.wins ? " Exact: your guess wins." : " Exact: your guess does not win.") : "";
  return html`<p class=${isOurs || value?.wins ? "good" : "bad"} data-guess=${guess.move}>
    You guessed ${guess.move}${isOurs ? ", and this move is played." : `; ${decision.chosen} is played.`}${known}
  </p>`;
}

function Exact({ exact: { answer, problem }, values, solver }) {
  const { solving, solve, stop } = solver;
  const winner = values?.winner;
  const isSolved = Boolean(solving?.winner);
  return html`<div class="exact-values">
    ${problem && html`<p class="problem">${problem.message}</p>`}
    ${winner && html`<p role="status" data-winner=${winner}>Exact: ${winner} wins${lead(values)}.</p>`}
    ${answer && !answer.known && !isSolved && html`<p class="muted">${answer.why}.</p>`}
    ${
      answer?.deep &&
      !isSolved &&
      (solving?.running
        ? html`<p>
            <progress max=${solving.progress[1]} value=${solving.progress[0]} aria-label="Moves solved"></progress>
            <button type="button" onClick=${stop}>Stop solving</button>
          </p>`
        : html`<button type="button" onClick=${solve}>Solve position</button>`)
    }
    ${solving?.problem && html`<p class="problem">${solving.problem}</p>`}
    <${CommandLine} command=${answer?.command} />
  </div>`;
}

function lead({ best }) {
  if (best === null || best === undefined) return "";
  return best > 0 ? `; Black's final lead is ${best}` : `; White's final lead is ${-best}`;
}
