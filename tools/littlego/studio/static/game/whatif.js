// What-if comparison: the move without a pattern, or with another file, compared with the actual move.
import { useAnswer } from "../ask.js";
import { CommandLine } from "../command.js";
import { html, useState } from "../html.js";
import { useStore } from "../state.js";

/** position: the current position; decision: the answer of `decision`. */
export function WhatIf({ position, decision }) {
  const files = useStore((state) => state.files);
  const [without, setWithout] = useState("");
  const [file, setFile] = useState("");
  const parameters = { position, file, without: without ? [without] : [] };
  const asked = useAnswer("what_if", parameters, { when: Boolean(without || file) });
  const answer = asked.asked === JSON.stringify(parameters) ? asked.answer : null;
  const firing = [...new Set(decision.moves.flatMap((one) => one.firings.map((firing) => firing.pattern)))].sort();
  return html`<details class="what-if">
    <summary>Try alternatives</summary>
    <label
      >without the pattern
      <select value=${without} onChange=${(event) => setWithout(event.target.value)}>
        <option value="">(none)</option>
        ${firing.map((name) => html`<option key=${name} value=${name}>${name}</option>`)}
      </select>
    </label>
    <label
      >with the file
      <select value=${file} onChange=${(event) => setFile(event.target.value)}>
        <option value="">(the open file)</option>
        ${files.map((name) => html`<option key=${name} value=${name}>${name}</option>`)}
      </select>
    </label>
    ${(without || file) && asked.problem && html`<p class="problem">${asked.problem.message}</p>`}
    ${
      answer &&
      html`<p role="status" data-moved=${answer.moved}>${told(answer)}</p>
      <${CommandLine} command=${answer.command} />`
    }
  </details>`;
}

function told({ moved, chosen, explain }) {
  const { said, changed, then } = explain.what_if;
  const others = changed.length ? ` ${changed.length} moves change their score.` : " No move changes its score.";
  return `${said}: ${moved ? `the move is ${chosen} instead. ${then.reason.text}.` : `the move is still ${chosen}.`}${others}`;
}
