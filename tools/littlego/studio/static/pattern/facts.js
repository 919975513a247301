// What a condition may go on with: the facts that there are, offered while one is being written in the form.
import { useAnswer } from "../ask.js";
import { html } from "../html.js";

const LAST_WORD = /[A-Za-z_]\w*$/;

/** The facts of this file, [{fact, usage, text}]; asked for once. */
export function useFacts() {
  return useAnswer("facts", {}, { text: false }).answer?.facts ?? [];
}

/** A list of what a field may hold next: what is written already, its last word made a fact. */
export function FactOptions({ id, written, facts }) {
  const word = LAST_WORD.exec(written)?.[0] ?? "";
  const before = written.slice(0, written.length - word.length);
  const fitting = facts.filter(({ fact }) => fact.startsWith(word));
  return html`<datalist id=${id}>
    ${fitting.map(({ usage, text }) => html`<option key=${usage} value=${before + usage} label=${text}></option>`)}
  </datalist>`;
}
