// The reasons in words: the best candidates, and the arguments for and against the selected point.
import { useState, classes, html } from "../html.js";
import { CommandLine } from "../command.js";
import { set } from "../state.js";
import { byMove, rankOf, shownCandidates, valueText, valueWords } from "./overlay.js";

/** A link to a pattern; plain text if its file is not open. */
export function PatternLink({ id, own }) {
  if (!own) return html`<code>${id}</code>`;
  const go = (event) => (event.preventDefault(), set({ view: "pattern", pattern: id }));
  return html`<a href=${`#view=pattern&pattern=${encodeURIComponent(id)}`} onClick=${go}>${id}</a>`;
}

/** decision: the result of useAnswer; exact: the exact values, if known; onPick(move) selects a move. */
export function Candidates({ decision, exact, scale, most, selected, onPick }) {
  const { answer, problem } = decision;
  if (!answer) return problem ? html`<p class="problem">${problem.message}</p>` : html`<p class="muted">Deciding …</p>`;
  const values = byMove(exact);
  const exactOf = (one) => valueText(values[one.move], scale) || (one.result === null ? "" : one.result);
  const shown = shownCandidates(answer.moves, most);
  const hasExact = shown.some((one) => exactOf(one) !== "");
  return html`<p role="status" class="said" data-chosen=${answer.chosen}>
      <strong>${answer.chosen}</strong> is played. ${answer.said}
    </p>
    ${answer.overruled && html`<p class="doubtful">Overruled: the patterns would have played ${answer.overruled}.</p>`}
    ${!answer.own && html`<p class="muted">Decided by ${answer.patterns}, because the open file is for another game.</p>`}
    <div class="scroll" tabindex="0" role="region" aria-label="Candidates">
      <table class="candidates">
        <thead>
          <tr>
            <th scope="col">Move</th>
            <th scope="col">Priority</th>
            <th scope="col">Points</th>
            ${hasExact && html`<th scope="col">Exact</th>`}
            <th scope="col">Verdict</th>
          </tr>
        </thead>
        <tbody>
          ${shown.map(
            (one) =>
              html`<tr key=${one.move} class=${one.kind}>
                <td>
                  <button type="button" aria-pressed=${selected === one.move} onClick=${() => onPick(one.move)}>
                    ${one.kind === "vetoed" ? "✗" : `${rankOf(answer.moves, one)}.`} ${one.move}
                  </button>
                </td>
                <td>${one.priority}</td>
                <td>${one.points}</td>
                ${hasExact && html`<td>${exactOf(one)}</td>`}
                <td>${one.kind === "chosen" ? `played; ${one.verdict}` : one.verdict}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    <${CommandLine} command=${answer.command} />`;
}

/**
 * The arguments for and against a point. why: the result of useAnswer for `why_not`; onLight(pattern) highlights the
 * pattern's cells; onWrite() creates a pattern from the point.
 */
export function PointReasons({ move, decision, why, exact, own, onLight, onWrite }) {
  const [isLong, setLong] = useState(false);
  const candidate = decision?.moves.find((one) => one.move === move);
  const answer = why.answer && JSON.parse(why.asked).move === move ? why.answer.explain.why_not : null;
  const value = byMove(exact)[move];
  const firings = [...(candidate?.firings ?? [])].sort((one, other) => Math.abs(other.points) - Math.abs(one.points));
  const shown = isLong ? firings : firings.slice(0, 6);
  return html`<div class="point-reasons" aria-labelledby="point-title">
    <h3 id="point-title">${candidate?.kind === "chosen" ? `Why ${move}` : `Why not ${move}?`}</h3>
    ${own && candidate && move !== "pass" && html`<p class="buttons"><button type="button" onClick=${onWrite}>New pattern</button></p>`}
    ${why.problem && html`<p class="problem">${why.problem.message}</p>`}
    <p role="status" data-why=${move}>${answer?.answer ?? ""}</p>
    ${value && html`<p>${valueWords(value)}.</p>`}
    ${candidate && html`<p class=${classes(candidate.kind === "vetoed" && "bad")}>Verdict: ${candidate.verdict}${candidate.reply ? `; the triangle is the reply` : ""}.</p>`}
    <ul class="clauses">
      ${shown.map(
        (one) =>
          html`<li key=${one.pattern}>
            <button type="button" class="points" disabled=${!one.cells.length} title="Highlight the pattern's cells" onClick=${() => onLight(one.pattern)}>
              ${one.points > 0 ? `+${one.points}` : one.points}
            </button>
            <${PatternLink} id=${one.pattern} own=${own} /> <span class="muted">${one.when && `${one.when}. `}${one.summary}</span>
          </li>`,
      )}
    </ul>
    ${firings.length > 6 && html`<button type="button" onClick=${() => setLong(!isLong)}>${isLong ? "Fewer patterns" : `All ${firings.length} patterns`}</button>`}
    <${Lines} lines=${answer?.lines ?? []} own=${own} />
    <${Misses} misses=${answer?.near_misses ?? []} own=${own} />
    <${CommandLine} command=${why.answer?.command} />
  </div>`;
}

function Lines({ lines, own }) {
  if (!lines.length) return null;
  return html`<ul class="clauses" aria-label="Lines of play">
    ${lines.map(
      (one) =>
        html`<li key=${one.text}>
          ${one.patterns.map((id, number) => html`${number > 0 && ", "}<${PatternLink} key=${id} id=${id} own=${own} />`)}: ${one.text}
        </li>`,
    )}
  </ul>`;
}

function Misses({ misses, own }) {
  if (!misses.length) return null;
  return html`<details>
    <summary>Near misses: ${misses.length}</summary>
    <ul class="clauses">
      ${misses.map(
        (one) => html`<li key=${one.pattern}><${PatternLink} id=${one.pattern} own=${own} /> ${one.failed}</li>`,
      )}
    </ul>
  </details>`;
}
