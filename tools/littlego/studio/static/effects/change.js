// One changed decision: the board before and after, the responsible pattern, and the reason for each move.
import { askBeside } from "../ask.js";
import { classes, html, useState } from "../html.js";
import { useStore } from "../state.js";
import { OpenButton, PatternLink, VERDICTS, moveName } from "./boards.js";
import { Picture } from "./picture.js";

const LARGE = 7; // with more rows than this, the two boards take the full width

/**
 * change: a change of the job `diff`, or the answer of `change_here`, which has no verdict; reason: the change with its
 * responsible pattern, once known; against: the version to compare with.
 */
export function Change({ change, reason, against }) {
  const [why, setWhy] = useState(null);
  const { position, rows, colour, left, before, after, verdict } = change;
  const { sign, said, class: name } = VERDICTS[verdict ?? ""];
  const askWhy = async () => {
    setWhy({ before: "…", after: "…" });
    try {
      setWhy(await askBeside("change_reasons", { position, before, after, ...(against && { against }) }));
    } catch (problem) {
      setWhy(problem.name === "AbortError" ? null : { before: problem.message, after: "" });
    }
  };
  const moves = `${colour} to move${left > 0 && left < 100 ? `, ${left} left` : ""}`;
  const isJudged = useStore((state) => state.ruleset !== "match") && verdict !== undefined;
  return html`<li class=${classes("change", rows.length > LARGE && "large")}>
    <p class=${name}>
      ${isJudged && html`<span aria-hidden="true" class="sign">${sign}</span> ${said} `}<span class="muted">${moves}</span>
    </p>
    <div class="both">
      <figure>
        <${Picture} rows=${rows} move=${before} mark="circle" name=${`${drawn(rows)}; before, ${moveName(before)} was played`} />
        <figcaption>before <strong>${moveName(before)}</strong></figcaption>
      </figure>
      <figure>
        <${Picture} rows=${rows} move=${after} name=${`now, ${moveName(after)} is played`} />
        <figcaption>after <strong>${moveName(after)}</strong></figcaption>
      </figure>
    </div>
    ${reason && html`<${Responsible} reason=${reason} />`}
    ${why && html`<dl class="why"><dt>before</dt><dd>${why.before}</dd><dt>after</dt><dd>${why.after}</dd></dl>`}
    <div class="buttons">
      <${OpenButton} position=${position} move=${after} />
      ${!why && against && before !== after && html`<button type="button" onClick=${askWhy}>Why?</button>`}
    </div>
  </li>`;
}

function Responsible({ reason: { responsible, why } }) {
  const words = { alone: "Responsible", together: "Responsible together", decides: "Now decided by" }[why];
  return html`<p class="responsible">
    ${words}: ${responsible.slice(0, 4).map((id) => html`<${PatternLink} key=${id} id=${id} /> `)}
    ${responsible.length > 4 && `and ${responsible.length - 4} more`}
  </p>`;
}

/** Return a board as text rows. */
function drawn(rows) {
  return `board ${rows.join(" ")}`;
}
