// The decision in the current position with another file's patterns, or without the selected pattern, as in `littlego
// explain --what-if`.
import { useAnswer } from "../ask.js";
import { CommandLine } from "../command.js";
import { classes, html, useState } from "../html.js";
import { emptyBoard, readPosition, toMove } from "../position.js";
import { useStore } from "../state.js";
import { OpenButton, moveName } from "./boards.js";
import { Picture } from "./picture.js";

const LEFT_OUT = ""; // instead of a file's name

export function OtherPane({ pattern }) {
  const ruleset = useStore((state) => state.ruleset);
  const position = useStore((state) => state.board || state.atHand) || emptyBoard(ruleset);
  const file = useStore((state) => state.file);
  const files = useStore((state) => state.files);
  const [other, setOther] = useState(LEFT_OUT);
  const what = other === LEFT_OUT ? { without: [pattern] } : { file: other };
  const { answer, problem, busy } = useAnswer("what_if", { position, ...what }, { when: Boolean(pattern) });
  const then = answer?.explain.what_if;
  const { rows } = readPosition(position);
  return html`<section class=${classes("pane other-pane", busy && "busy")} aria-labelledby="other-title">
    <h2 id="other-title">Try another file</h2>
    <label>
      With
      <select value=${other} onChange=${(event) => setOther(event.target.value)}>
        <option value=${LEFT_OUT}>without ${pattern}</option>
        ${files.filter((name) => name !== file).map((name) => html`<option key=${name} value=${name}>${name}</option>`)}
      </select>
    </label>
    ${problem && html`<p class="problem">${problem.message}</p>`}
    ${
      then &&
      html`<div class="both otherwise">
          <figure>
            <${Picture} rows=${rows} move=${answer.explain.move} mark="circle" name=${`the current board, ${toMove(position)} to move; now ${moveName(answer.explain.move)}`} />
            <figcaption>now <strong>${moveName(answer.explain.move)}</strong></figcaption>
          </figure>
          <figure>
            <${Picture} rows=${rows} move=${then.then.move} name=${`then ${moveName(then.then.move)}`} />
            <figcaption>then <strong>${moveName(then.then.move)}</strong></figcaption>
          </figure>
        </div>
        <p role="status" data-moved=${String(then.moved)}>
          ${then.said}: ${then.moved ? "the move changes." : "the move stays the same."}
          ${then.changed.length ? ` Points change at ${then.changed.map(moveName).join(", ")}.` : " No move changes its score."}
        </p>
        <div class="buttons"><${OpenButton} position=${position} move=${then.then.move} /></div>`
    }
    <${CommandLine} command=${answer?.command} />
  </section>`;
}
