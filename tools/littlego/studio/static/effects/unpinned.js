// Untested parts: small changes of the pattern that no test detects, and boards that would detect the changes.
import { announce } from "../announce.js";
import { CommandLine } from "../command.js";
import { classes, html, useEffect, useState } from "../html.js";
import { editOrTell } from "../sync.js";
import { OpenButton } from "./boards.js";
import { Picture } from "./picture.js";
import { WorkButtons, useWork } from "./work.js";

const KINDS = { matches: "matches", no_match: "does not match" };

export function UnpinnedPane({ pattern }) {
  const work = useWork("unpinned", { first: [], take: (found, one) => [...found, one] });
  const [added, setAdded] = useState([]);
  useEffect(() => (work.clear(), setAdded([])), [pattern]);
  const start = () => (setAdded([]), work.start({ pattern }));
  const add = async ({ mutant, drawn: { kind, position, move } }) => {
    if (!(await editOrTell("add_example", { pattern, kind, position, ...(move && { move }) }))) return;
    setAdded((old) => [...old, mutant]);
    announce("The example was added to the text. Check that it is right; Undo removes it.");
  };
  return html`<section class=${classes("pane unpinned-pane", work.isRunning && "busy")} aria-labelledby="unpinned-title">
    <h2 id="unpinned-title">Untested parts <span class="muted">${pattern}</span></h2>
    <${WorkButtons} work=${work} start=${start} title="Find untested"
      about="Small changes to the pattern that no example or recorded decision detects, and boards that detect them." />
    <p role="status" data-unpinned=${work.done ? work.state.length : null}>${work.done && told(work.done.score)}</p>
    <ul class="changes">
      ${(work.state ?? []).map(
        (one) =>
          html`<${Survivor} key=${one.mutant} survivor=${one} isAdded=${added.includes(one.mutant)} onAdd=${() => add(one)} />`,
      )}
    </ul>
    <${CommandLine} command=${work.done?.command} />
  </section>`;
}

function told({ example, decision, survived, percent }) {
  const noticed = example + decision;
  return `${noticed} of ${noticed + survived} small changes are detected (${percent}%): ${example} by an example, ${decision} by a recorded decision.`;
}

function Survivor({ survivor: { mutant, message, rows, cell, drawn }, isAdded, onAdd }) {
  return html`<li class="change">
    <p class="doubtful"><code>${mutant}</code></p>
    <p>${message}</p>
    ${cell && html`<${Drawing} rows=${rows} cell=${cell} />`}
    ${
      drawn
        ? html`<figure>
              <${Picture} rows=${drawn.rows} move=${drawn.move ?? ""} name=${`a board that detects the change: ${KINDS[drawn.kind]} ${drawn.move ?? "anywhere"}`} />
              <figcaption>${KINDS[drawn.kind]} <strong>${drawn.move ?? "anywhere"}</strong></figcaption>
            </figure>
            <div class="buttons">
              <button type="button" class="main" disabled=${isAdded} onClick=${onAdd}>${isAdded ? "Added" : "Add example"}</button>
              <${OpenButton} position=${drawn.position} move=${drawn.move ?? ""} />
            </div>`
        : html`<p class="muted">No board was found that detects this change; it may have no effect.</p>`
    }
  </li>`;
}

function Drawing({ rows, cell: [row, column] }) {
  const said = `row ${row + 1}, column ${column + 1} of the drawing`;
  return html`<pre class="drawing" role="img" aria-label=${said}>
${rows.map((line, y) => [...line].map((symbol, x) => (y === row && x === column ? html`<mark>${symbol}</mark> ` : symbol + " ")).concat("\n"))}</pre
  >`;
}
