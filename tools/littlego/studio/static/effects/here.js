// The decision on the current board before and after the edit.
import { useAnswer } from "../ask.js";
import { html } from "../html.js";
import { emptyBoard } from "../position.js";
import { useStore } from "../state.js";
import { moveName } from "./boards.js";
import { Change } from "./change.js";

/** against: the version to compare with. isReady: whether to ask now; a running comparison would wait for the answer. */
export function Here({ against, isReady }) {
  const ruleset = useStore((state) => state.ruleset);
  const position = useStore((state) => state.board || state.atHand) || emptyBoard(ruleset);
  const { answer, problem, revision } = useAnswer("change_here", { position, against }, { when: isReady });
  return html`<div class="here">
    <h3>Current board</h3>
    ${problem && html`<p class="problem">${problem.message}</p>`}
    ${
      answer &&
      html`<p role="status" data-here=${String(answer.moved)}>${told(answer)}</p>
        <ul>
          <${Change} key=${`${revision} ${against} ${answer.position}`} change=${answer} against=${against} />
        </ul>`
    }
  </div>`;
}

function told({ before, after, moved }) {
  if (moved) return `The edit changes the move from ${moveName(before)} to ${moveName(after)}.`;
  return `The edit does not change the move ${moveName(after)}.`;
}
