// The roles of every pattern in games, updated after each corpus, and boards for each role of the selected pattern.
import { CommandLine } from "../command.js";
import { classes, html, useEffect, useState } from "../html.js";
import { SHARES } from "../link.js";
import { set, useStore } from "../state.js";
import { OpenButton, moveName } from "./boards.js";
import { Picture } from "./picture.js";
import { WorkButtons, useWork } from "./work.js";

const COUNTS = ["decides", "supports", "present", "vetoed"];
/** The initial state of a survey. surveys: by source. */
export const FIRST = { surveys: {}, rows: [], positions: 0 };
// The parameters of a survey. Python in a browser needs minutes for the default number of positions of a match.
const DEFAULT = {};
const FEW = { positions: 20 };
const PLACE = {
  decides: "decides the move",
  supports: "supports the move",
  present: "fires without effect",
  vetoed: "its move is vetoed",
};

export function BoardsPane({ pattern }) {
  const work = useWork("boards", { first: [], take: (found, one) => [...found, one] });
  const start = () => work.start({ pattern });
  useEffect(() => work.clear(), [pattern]);
  const counts = work.done?.counts;
  return html`<section class=${classes("pane boards-pane", work.isRunning && "busy")} aria-labelledby="boards-title">
    <h2 id="boards-title">Example boards <span class="muted">${pattern}</span></h2>
    <${WorkButtons} work=${work} start=${start} title="Find boards"
      about="Boards of recorded decisions on which the pattern decides the move, supports it, or fires without effect." />
    <p role="status" data-boards=${work.done ? work.state.length : null}>
      ${counts && COUNTS.map((name) => `${name} ${counts[name] ?? 0}`).join(", ")}
    </p>
    <ul class="changes">
      ${(work.state ?? []).map(
        ({ position, rows, played, role, colour }) =>
          html`<li class="change" key=${position + role}>
            <figure>
              <${Picture} rows=${rows} move=${played} name=${`board ${rows.join(" ")}, ${colour} plays ${moveName(played)}`} />
              <figcaption>${PLACE[role]}; ${colour} plays <strong>${moveName(played)}</strong></figcaption>
            </figure>
            <div class="buttons"><${OpenButton} position=${position} move=${played} /></div>
          </li>`,
      )}
    </ul>
    <${CommandLine} command=${work.done?.command} />
  </section>`;
}

/** A hook: the parameters of the jobs `coverage` and `coverage_page`. */
export const useSurvey = () => useStore((state) => (SHARES && state.ruleset === "match" ? FEW : DEFAULT));

/** A note if a survey in this page has fewer positions than in an installed studio. */
export const SurveyNote = () =>
  useSurvey() === FEW &&
  html`<p class="muted">This page surveys ${FEW.positions} positions of each board size. An installed studio surveys more.</p>`;

export function CoveragePane({ pattern }) {
  const survey = useSurvey();
  const work = useWork("coverage", { first: FIRST, take: takeSurveys });
  return html`<section class=${classes("pane coverage-pane", work.isRunning && "busy")} aria-labelledby="coverage-title">
    <h2 id="coverage-title">Coverage</h2>
    <${WorkButtons} work=${work} start=${() => work.start(survey)} title="Measure coverage"
      about="Counts how often each pattern decides or supports a move in each corpus, and lists patterns without effect." />
    <${SurveyNote} />
    <${Surveyed} work=${work} pattern=${pattern} onPattern=${(id) => set({ pattern: id })} />
    <${CommandLine} command=${work.done?.command} />
  </section>`;
}

/** Return the state of a survey after a result of the jobs `coverage` and `coverage_page`. */
export function takeSurveys(found, { surveys, rows, positions }) {
  return { surveys: { ...found.surveys, ...surveys }, rows, positions };
}

/** The results of a survey so far. work: the result of useWork with `takeSurveys`; onPattern(id) opens a pattern. */
export function Surveyed({ work, pattern, onPattern }) {
  const [odd, setOdd] = useState(false);
  const { surveys, rows, positions } = { ...FIRST, ...work.state, ...work.done };
  if (!work.state) return null;
  const share = work.done && `${work.done.active_percent}% of the patterns decide or support a move in`;
  return html`<ul class=${classes("sources", work.isOld && "old")}>
      ${Object.entries(surveys).map(([name, survey]) => html`<li key=${name}>${name}: ${survey.positions} positions</li>`)}
    </ul>
    <p role="status" data-surveyed=${work.done ? positions : null}>${share ?? "So far:"} ${positions} game positions.</p>
    ${work.done && html`<p><label><input type="checkbox" checked=${odd} onChange=${() => setOdd(!odd)} /> show only rows with a remark</label></p>`}
    ${
      positions > 0 &&
      html`<div class="scrolled" tabindex="0" role="region" aria-label="Coverage by pattern">
        <${Table} rows=${rows.filter((row) => !odd || row.remark)} ...${{ pattern, onPattern }} />
      </div>`
    }`;
}

function Table({ rows, pattern, onPattern }) {
  const choose = (id) => (event) => (event.preventDefault(), onPattern(id));
  return html`<table>
    <thead>
      <tr>
        <th scope="col">pattern</th>
        ${COUNTS.map((name) => html`<th scope="col" key=${name}>${name}</th>`)}
        <th scope="col">remark</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr key=${row.pattern} aria-current=${row.pattern === pattern ? "true" : null}>
            <th scope="row">
              <a href=${"#view=effects&pattern=" + encodeURIComponent(row.pattern)} onClick=${choose(row.pattern)}>${row.pattern}</a>
            </th>
            ${COUNTS.map((name) => html`<td key=${name}>${row[name]}</td>`)}
            <td>${row.remark}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}
