// Fact suggestions for a condition that is typed in the form.
import { useAnswer } from "../ask.js";
import { html } from "../html.js";

const LAST_WORD = /[A-Za-z_]\w*$/;

/** The facts of this file, [{fact, usage, text}], requested once. */
export function useFacts() {
  return useAnswer("facts", {}, { text: false }).answer?.facts ?? [];
}

/** A field's suggestions: the typed text, with its last word completed to the name of a fact. */
export function FactOptions({ id, written, facts }) {
  const word = LAST_WORD.exec(written)?.[0] ?? "";
  const before = written.slice(0, written.length - word.length);
  const fitting = facts.filter(({ fact }) => fact.startsWith(word));
  return html`<datalist id=${id}>
    ${fitting.map(({ usage, text }) => html`<option key=${usage} value=${before + usage} label=${text}></option>`)}
  </datalist>`;
}
