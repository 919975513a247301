// Sliders for a pattern's priority and points, a button that omits the pattern, and the decisions that they flip.
import { announce } from "../announce.js";
import { useAnswer } from "../ask.js";
import { CommandLine } from "../command.js";
import { classes, html, useEffect, useState } from "../html.js";
import { useStore } from "../state.js";
import { editOrTell } from "../sync.js";
import { VERDICTS, moveName } from "./boards.js";
import { Change } from "./change.js";
import { WorkButtons, useWork } from "./work.js";

const SPAN = 200; // range of a slider to each side of its initial value
const DRAWN = 6;
const PAUSE = 250; // milliseconds without a change of the values before stored games are searched
const FIRST = { count: 0, changes: [] };
const STILL = { more: 0, row: "", phase: null, priority: null, without: false };

/** The sliders of a pattern, initially at the values in the text. priority: null while unknown. */
export const SliderPane = (props) => html`<${Sliders} key=${props.pattern} ...${props} />`;

function Sliders({ pattern, priority }) {
  const [put, setPut] = useState(STILL);
  const board = useStore((state) => state.board || state.atHand);
  const isMoved = put.without || put.more !== 0 || (put.priority !== null && put.priority !== priority);
  const asked = { pattern, most: DRAWN, ...(board && { position: board }), more: put.more, without: put.without };
  if (put.row) asked.row = put.row;
  if (put.phase !== null) asked.phase = put.phase;
  if (put.priority !== null) asked.priority = put.priority;
  // The question is sent before a slider moves, because the first answer is slow.
  const { answer, problem, busy } = useAnswer("slide", asked, { when: Boolean(pattern) });
  const flips = useFlips(asked, put, isMoved && Boolean(pattern));
  const isAnswered = answer && (Object.keys(answer.set).length > 0 || answer.without);
  const found = isMoved && isAnswered ? answer : null;
  const write = async () => {
    for (const [key, value] of Object.entries(found.set))
      if (!(await editOrTell("splice", { pattern, op: "set", key, value }))) return;
    announce("The values were written to the text. Undo removes them.");
    setPut(STILL);
  };
  return html`<section class=${classes("pane slider-pane", busy && "busy")} aria-labelledby="slider-title">
    <h2 id="slider-title">Try values <span class="muted">${pattern}</span></h2>
    <${Slider} title="Priority" value=${put.priority ?? priority ?? 0} from=${(priority ?? 0) - SPAN} to=${(priority ?? 0) + SPAN} step="5"
      disabled=${put.without || priority === null} onPut=${(value) => setPut({ ...put, priority: value })} />
    ${answer?.table && html`<${Table} table=${answer.table} put=${put} onPick=${(row, phase) => setPut({ ...put, row, phase })} />`}
    <${Slider} title="Points added" value=${put.more} from=${-SPAN} to=${SPAN} step="1" disabled=${put.without}
      onPut=${(value) => setPut({ ...put, more: value })} />
    <p class="buttons">
      <button type="button" aria-pressed=${put.without} onClick=${() => setPut({ ...STILL, without: !put.without })}>Omit pattern</button>
      <button type="button" disabled=${!isMoved} onClick=${() => setPut(STILL)}>Reset values</button>
      <button type="button" disabled=${!found || !Object.keys(found.set).length} onClick=${write}>Apply values</button>
    </p>
    ${problem && isMoved && html`<p class="problem">${problem.message}</p>`}
    <div role="status" data-flips=${found?.count ?? flips.work.done?.count ?? null}>${found && html`<${Summary} found=${found} />`}</div>
    ${flips.isAsked && html`<${Flips} ...${flips} />`}
    <ol class="changes">
      ${(flips.isAsked ? (flips.work.state ?? FIRST) : (found ?? FIRST)).changes.map((one) => html`<${Change} key=${one.number} change=${one} against="" />`)}
    </ol>
    <${CommandLine} command=${found?.command} />
  </section>`;
}

/** A hook: {work, start, isAsked}, the search for flipped decisions in stored games. It runs only for a match, and
   starts again when a slider moves. */
function useFlips({ pattern, priority, more, row, phase, without }, put, isMoved) {
  const isAsked = useStore((state) => state.ruleset === "match") && isMoved;
  const revision = useStore((state) => state.revision);
  const work = useWork("flips", {
    first: FIRST,
    take: ({ count, changes }, one) => ({ count: count + 1, changes: one ? [...changes, one] : changes }),
  });
  const start = () =>
    work.start({ pattern, more, row, phase, without, most: DRAWN, ...(priority !== undefined && { priority }) });
  useEffect(() => {
    if (!isAsked) return void work.clear();
    const timer = setTimeout(start, PAUSE);
    return () => clearTimeout(timer);
  }, [isAsked, pattern, put, revision]);
  return { work, start, isAsked };
}

function Flips({ work, start }) {
  const { count, changes } = work.state ?? FIRST;
  const drawn = count > changes.length ? `, ${changes.length} shown` : "";
  return html`<${WorkButtons} work=${work} start=${start} title="Count changes" />
    <p class=${classes(work.isOld && "old")} role="status">
      <strong>${count}</strong> decisions in recorded games change${drawn}${work.done ? "." : " so far."}
    </p>`;
}

/**
 * The table of the points. A click on a number restricts the slider to this number; a second click removes the
 * restriction.
 */
function Table({ table: { heads, ...rows }, put, onPick }) {
  const cell = (row, phase, number) => {
    const isPicked = put.row === row && put.phase === phase;
    const pick = () => (isPicked ? onPick("", null) : onPick(row, phase));
    const label = `${row}, ${heads[phase]} left: ${number}`;
    return html`<td key=${phase}><button type="button" aria-pressed=${isPicked} aria-label=${label} onClick=${pick}>${number}</button></td>`;
  };
  return html`<table class="phases">
    <caption>
      Points by moves left; select a number to change only this number
    </caption>
    <tr><td></td>${heads.map((head) => html`<th key=${head} scope="col">${head}</th>`)}</tr>
    ${Object.entries(rows).map(
      ([row, numbers]) =>
        html`<tr key=${row}><th scope="row">${row}</th>${numbers.map((number, phase) => cell(row, phase, number))}</tr>`,
    )}
  </table>`;
}

function Slider({ title, value, from, to, step, disabled, onPut }) {
  const put = (event) => {
    const number = Number(event.target.value);
    if (event.target.value !== "" && Number.isInteger(number)) onPut(number);
  };
  const id = "slide-" + title.toLowerCase().replace(" ", "-");
  return html`<div class="slider">
    <label for=${id}>${title}</label>
    <input type="range" id=${id} min=${from} max=${to} step=${step} value=${value} disabled=${disabled} onInput=${put} />
    <input type="number" aria-label=${title + ", as a number"} value=${value} disabled=${disabled} onInput=${put} />
  </div>`;
}

function Summary({ found: { count, verdicts, here, changes, set: values } }) {
  const named = Object.entries(values).map(([key, value]) => `${key}: ${value}`);
  const by = Object.keys(VERDICTS).filter((name) => verdicts[name]);
  return html`<p>${named.join(", ")}</p>
    ${
      count !== null &&
      html`<p>
        <strong>${count}</strong> recorded decisions change${count > changes.length ? `, ${changes.length} shown` : ""}.
        ${by.map((name) => html` <span key=${name} class="verdict">${`${VERDICTS[name].sign} ${verdicts[name]} ${name || "unknown"}`}</span>`)}
      </p>`
    }
    ${here && html`<p>On the current board ${here.moved ? html`the move becomes <strong>${moveName(here.then.move)}</strong>.` : "the move stays the same."} ${here.reasons[1]}</p>`}`;
}
