// Why the pattern does not fire for a move: the first failing clause, all clauses with their verdicts, and repairs.
import { html, useEffect, useRef } from "../html.js";
import { changeIf } from "../sync.js";

/** result, repairs: the results of useAnswer for `why_not_here` and `repairs`. */
export function WhyNot({ move, result: { answer, problem }, repairs }) {
  const title = useRef(null);
  useEffect(() => title.current.scrollIntoView({ block: "nearest" }), [move]); // on a phone, below the screen
  return html`<div class="why-not">
    <h3 ref=${title}>${answer?.fires ? `The pattern fires for ${move}` : `Why not ${move}?`}</h3>
    ${problem && html`<p class="problem">${problem.message}</p>`}
    ${answer?.failed && html`<p role="status" class="bad">${answer.failed}</p>`}
    ${answer?.illegal && html`<p>${answer.illegal}</p>`}
    <ul class="clauses">
      ${(answer?.clauses ?? []).map((clause, index) => html`<${Clause} key=${index} clause=${clause} />`)}
    </ul>
    ${!answer?.fires && html`<${Repairs} move=${move} result=${repairs} />`}
  </div>`;
}

/** The smallest changes that make the pattern fire for the move, each with the other firings that it causes. */
function Repairs({ move, result: { answer, revision } }) {
  const found = answer?.repairs ?? [];
  if (!found.length) return null;
  return html`<h3>Changes that make the pattern fire</h3>
    <ul class="clauses">
      ${found.map(
        ({ title, count, moves, changes }) =>
          html`<li key=${title}>
            <button type="button" onClick=${() => changeIf(revision, changes)}>${title}</button>
            <span class="muted"> ${elsewhere(count, moves, move)}</span>
          </li>`,
      )}
    </ul>`;
}

function elsewhere(count, moves, move) {
  const others = moves.map((one) => one.move).filter((one) => one !== move);
  if (!others.length) return "and nowhere else on this board";
  return `then the pattern fires in ${count} places, also for ${others.join(" ")}`;
}

const WORD = { true: "good", false: "bad", null: "muted" };

function Clause({ clause }) {
  const asked = (clause.facts ?? []).map(({ text, value }) => `${text} is ${value}`).join(", ");
  return html`<li class=${WORD[clause.holds]}>
    ${said(clause)}${asked && html` <span class="muted">${asked}</span>`}
    ${clause.holds === null && html` <span class="muted">not checked, because the drawing does not match</span>`}
  </li>`;
}

function said(clause) {
  if (clause.kind === "edge") return `the ${clause.side} is the edge of the board`;
  if (clause.kind === "cell")
    return html`<code>${clause.symbol}</code> at ${clause.point}: there is <code>${clause.found}</code>`;
  if (clause.kind === "legal") return "the move is legal";
  return html`<code>${clause.text}</code>`;
}

/** Return the failing clauses of an answer that are cells of the drawing. */
export function failingCells(answer) {
  return (answer?.clauses ?? []).filter((clause) => clause.kind === "cell" && clause.holds === false);
}
