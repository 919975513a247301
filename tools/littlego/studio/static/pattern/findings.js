// The findings of the check: each with its line and caret, the page of its code, and a fix if there is one.
import { ask } from "../api.js";
import { CommandLine } from "../command.js";
import { classes, html, useState } from "../html.js";
import { Dialog, openDialog } from "../dialogs.js";
import { scrollTo } from "./text.js";

const MOST = 30; // shown at once

/**
 * Return the findings without duplicates: of the selected entry immediately, and of the whole file when known. entry,
 * file: results of useAnswer; revision: the revision of the text. Places from an older revision may be wrong, so the
 * file's findings about the edited entry are then omitted.
 */
export function allFindings(entry, file, pattern, revision) {
  const isOld = file.revision !== revision;
  const found = new Map();
  const add = (one) => found.set(`${one.code}:${one.line}:${one.text}`, { ...one, isOld: one.isOld ?? false });
  for (const one of file.answer?.problems ?? [])
    if (!isOld || one.pattern !== pattern) add({ ...one, isOld, revision: file.revision });
  for (const one of [...(entry.answer?.problems ?? []), ...(entry.answer?.outside ?? [])]) {
    add({ ...one, revision: entry.revision });
  }
  const rank = (one) => (one.pattern === pattern ? 0 : 1) * 1e7 + one.line;
  return [...found.values()].sort((one, other) => rank(one) - rank(other));
}

async function showPage(code) {
  const { title, page, command } = await ask("page", { code });
  openDialog(Page, { title: `${code}: ${title}`, page, command });
}

function Page({ title, page, command, onClose }) {
  return html`<${Dialog} title=${title} onClose=${onClose}>
    <pre class="page-text">${page}</pre>
    <${CommandLine} command=${command} />
  <//>`;
}

/**
 * findings: the result of allFindings; busy: whether the whole file is being checked; revision, checked: the revisions
 * of the entry's and the file's results.
 */
export function FindingsPane({ findings, busy, problem, command, revision, checked, onFix }) {
  const [all, setAll] = useState(false);
  const shown = all ? findings : findings.slice(0, MOST);
  return html`<section class=${classes("pane findings-pane", busy && "busy")} aria-labelledby="findings-title" data-revision=${revision} data-checked=${checked}>
    <h2 id="findings-title">Findings <span class="muted">${findings.length || "none"}</span></h2>
    ${problem && html`<p class="problem">${problem.message}</p>`}
    <ul class="findings">
      ${shown.map((finding) => html`<${Finding} key=${keyOf(finding)} finding=${finding} onFix=${onFix} />`)}
    </ul>
    ${
      shown.length < findings.length &&
      html`<button type="button" onClick=${() => setAll(true)}>Show all ${findings.length}</button>`
    }
  </section>`;
}

const keyOf = (finding) => `${finding.code}:${finding.line}:${finding.column}:${finding.text}`;

function Finding({ finding, onFix }) {
  return html`<li>
    <button type="button" class="plain" onClick=${() => scrollTo(finding.line, finding.column)}>
      <strong class=${`severity-${finding.severity}`}>${finding.severity}</strong> line ${finding.line}:${finding.column}
    </button>
    <button type="button" onClick=${() => showPage(finding.code)} aria-label=${`${finding.code}: explanation`}>
      ${finding.code}
    </button>
    ${finding.fix && !finding.isOld && html` <button type="button" class="main" onClick=${() => onFix(finding)}>${finding.fix.title}</button>`}
    <p>${finding.text}</p>
    ${finding.excerpt?.trim() && html`<pre>${pointedOut(finding)}</pre>`}
    ${finding.drawing && html`<pre>${finding.drawing}</pre>`}
  </li>`;
}

/** The line of the text, with a caret below the place. */
function pointedOut({ excerpt, column }) {
  const first = Math.min(column - 1, excerpt.search(/\S/));
  return `${excerpt.slice(first)}\n${" ".repeat(column - 1 - first)}^`;
}
