// The decisions that the edit changes, each drawn before and after. Losses come first; a button accepts the changes.
import { job } from "../api.js";
import { announce } from "../announce.js";
import { CommandLine } from "../command.js";
import { onEdit } from "../document.js";
import { classes, html, useEffect, useState } from "../html.js";
import { useKeys } from "../keys.js";
import { get, useStore } from "../state.js";
import { Change } from "./change.js";
import { VERDICTS } from "./boards.js";
import { Here } from "./here.js";
import { WorkButtons, useWork } from "./work.js";

const PAUSE = 150; // milliseconds without an edit before decisions are compared
const REST = 2000; // milliseconds without an edit before the first comparison is prepared
const AT_ONCE = 12; // changes to show before "more"
const FIRST = { changes: [], reasons: {} };
const AGAINST = {
  disk: "the saved file",
  opened: "the file as opened",
  record: "the recorded decisions",
  HEAD: "the last commit",
};

// The first comparison's data is loaded when the author pauses, because the author often looks at the effects then.
let resting = 0;
const stopListening = onEdit(() => {
  if (get().demo) return; // the walk compares nothing, and needs the processor for other work
  clearTimeout(resting);
  resting = setTimeout(() => (stopListening(), job("prepare", {}, () => {})), REST);
});

function take(state, { changes, reasons }) {
  const found = changes ? [...state.changes, ...changes] : state.changes;
  const told = Object.fromEntries((reasons ?? []).map((one) => [one.number, one]));
  return { changes: found, reasons: { ...state.reasons, ...told } };
}

export function ChangesPane() {
  const revision = useStore((state) => state.revision);
  const saved = useStore((state) => state.saved);
  const hasSaved = useStore((state) => state.hasSaved);
  const file = useStore((state) => state.file);
  const files = useStore((state) => state.files);
  const [against, setAgainst] = useState(get().saved && get().hasSaved ? "opened" : "disk");
  const [chosen, setChosen] = useState({ verdict: "all", pattern: "all", most: AT_ONCE });
  const work = useWork("diff", { first: FIRST, take });
  const start = () => work.start({ against });
  useEffect(() => {
    const timer = setTimeout(start, PAUSE);
    return () => clearTimeout(timer);
  }, [revision, against, file]);
  useKeys([{ key: "d", title: "Compare decisions", group: "Effects", run: start }]);
  const { changes, reasons } = work.state ?? FIRST;
  const shown = changes.filter((one) => isWanted(one, reasons[one.number], chosen));
  const others = files.filter((name) => name !== file);
  return html`<section class=${classes("pane changes-pane", work.isRunning && "busy")} aria-labelledby="changes-title">
    <h2 id="changes-title">Changed decisions</h2>
    <p class="buttons">
      <label>Compared with <select value=${against} onChange=${(event) => setAgainst(event.target.value)}>
        ${Object.entries(AGAINST).map(([value, title]) => html`<option key=${value} value=${value}>${title}</option>`)}
        ${others.map((name) => html`<option key=${name} value=${name}>${name}</option>`)}
      </select></label>
    </p>
    ${against !== "record" && html`<${Here} against=${against} isReady=${!work.isRunning} />`}
    <h3>Recorded positions</h3>
    <${WorkButtons} work=${work} start=${start} title="Compare"
      about="Applies the current text to the recorded positions and shows the decisions that change." />
    <div role="status" data-changes=${work.state ? changes.length : null} class=${classes(work.isOld && "old")}>
      ${(work.done?.said ?? [toldSoFar(work, changes)]).map((line) => html`<p key=${line}>${line}</p>`)}
    </div>
    ${against === "disk" && saved && changes.length > 0 && html`<p class="muted">The file was saved. These are the decisions that the saved edit changed.</p>`}
    ${against === "disk" && saved && !changes.length && work.done && html`<p class="muted">The text equals the saved file.${hasSaved && " To see the effect of all your edits, compare with the file as opened."}</p>`}
    ${work.done?.stale.length > 0 && html`<${Stale} stale=${work.done.stale} />`}
    ${changes.length > 0 && html`<${Filters} ...${{ changes, reasons, chosen, setChosen, groups: work.done?.groups }} />`}
    ${against === "record" && changes.length > 0 && html`<${Accept} ...${{ shown, all: changes, saved, again: start }} />`}
    <ol class=${classes("changes", work.isOld && "old")}>
      ${shown
        .slice(0, chosen.most)
        .map(
          (one) => html`<${Change} key=${one.number} ...${{ change: one, reason: reasons[one.number], against }} />`,
        )}
    </ol>
    ${
      shown.length > chosen.most &&
      html`<button type="button" onClick=${() => setChosen({ ...chosen, most: chosen.most + AT_ONCE })}>
        ${`Show more (${shown.length - chosen.most})`}
      </button>`
    }
    <${CommandLine} command=${work.done?.command} />
  </section>`;
}

/** The player's files that these patterns make stale, each with the command that rebuilds the file. */
function Stale({ stale }) {
  return html`<h3>Stale files</h3>
    <ul class="clauses stale">
      ${stale.map(({ what, text, command }) => html`<li key=${what + command}>${text}: <code>${command}</code></li>`)}
    </ul>`;
}

function toldSoFar(work, changes) {
  if (!work.state) return work.isRunning ? "Looking for changed decisions …" : "";
  return `${changes.length} decisions change. Looking for the responsible patterns …`;
}

function isWanted(change, reason, { verdict, pattern }) {
  if (verdict !== "all" && change.verdict !== verdict) return false;
  return pattern === "all" || Boolean(reason?.responsible.includes(pattern));
}

function Filters({ changes, reasons, chosen, setChosen }) {
  const verdicts = Object.keys(VERDICTS).filter((name) => changes.some((one) => one.verdict === name));
  const counts = new Map();
  for (const { responsible } of Object.values(reasons))
    for (const name of responsible) counts.set(name, (counts.get(name) ?? 0) + 1);
  const choose = (part) => setChosen({ ...chosen, ...part, most: AT_ONCE });
  return html`<div class="filters">
    <div class="buttons" role="group" aria-label="Filter by exact result">
      ${(verdicts.length > 1 ? ["all", ...verdicts] : []).map(
        (name) =>
          html`<button type="button" key=${name} aria-pressed=${chosen.verdict === name} onClick=${() => choose({ verdict: name })}>
            ${name === "all" ? "all" : `${VERDICTS[name].sign} ${name || "not known"}`}
            <span class="muted">${name === "all" ? changes.length : changes.filter((one) => one.verdict === name).length}</span>
          </button>`,
      )}
    </div>
    ${
      counts.size > 1 &&
      html`<label>Responsible <select value=${chosen.pattern} onChange=${(event) => choose({ pattern: event.target.value })}>
        <option value="all">any pattern</option>
        ${[...counts].sort((one, two) => two[1] - one[1]).map(([name, count]) => html`<option key=${name} value=${name}>${`${name} (${count})`}</option>`)}
      </select></label>`
    }
  </div>`;
}

function Accept({ shown, all, saved, again }) {
  const [busy, setBusy] = useState(null); // the progress, [done, all]
  const accept = (positions) => {
    setBusy([0, 1]);
    job("accept", positions ? { positions } : {}, ({ progress, done, problem }) => {
      if (progress) setBusy(progress);
      if (problem) announce(problem.text, { problem: true });
      if (done) announce(`${done.record}: ${done.accepted} of ${done.changes} changes accepted.`);
      if (problem || done) (setBusy(null), again());
    });
  };
  const some = shown.length < all.length;
  return html`<p class="buttons">
    ${
      some &&
      html`<button type="button" disabled=${!saved || busy !== null} onClick=${() => accept(shown.map((one) => one.position))}>
        ${`Accept ${shown.length}`}
      </button>`
    }
    <button type="button" disabled=${!saved || busy !== null} onClick=${() => accept(null)}>${`Accept all ${all.length}`}</button>
    ${busy && html`<progress aria-label="Accepting" value=${busy[0]} max=${busy[1]}></progress>`}
    <span class="muted">${saved ? "Updates the recorded decisions, as `littlego diff --accept` does. This is not needed to save or compile." : "save the file first"}</span>
  </p>`;
}
