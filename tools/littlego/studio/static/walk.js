// The guided walk of the demo, above every view: from a lost game to a pattern that wins it, in five steps.
import { announce } from "./announce.js";
import { useAnswer } from "./ask.js";
import { classes, html, useEffect, useRef, useState } from "./html.js";
import { useKeys } from "./keys.js";
import { set, useStore } from "./state.js";
import { Draw, Lost, Prove, Why, Win } from "./walk/steps.js";

const STEPS = [
  ["Lose a game", Lost],
  ["Ask why", Why],
  ["Draw the pattern", Draw],
  ["Test it", Prove],
  ["Play again, and win", Win],
];
const CLOSED = "off"; // in the address: the walk is closed

/** Return whether a step of the walk is shown. */
export const isWalkOpen = ({ demo, walk }) => demo && walk !== CLOSED;

/** Start the walk in a demo, unless the address already names a step or closes the walk. */
export function beginWalk({ demo, walk }) {
  if (demo && !walk) set({ walk: "1" }, { step: false });
}

/** The panel of the walk, or a button to resume a closed walk; nothing outside a demo. */
export function Walk() {
  const demo = useStore((state) => state.demo);
  return demo ? html`<${Panel} />` : null;
}

function Panel() {
  const walk = useStore((state) => state.walk);
  const panel = useRef(null);
  const [isDone, setDone] = useState(false); // whether the step's own task is done, so that the next step is due
  const at = Math.min(Math.max(Number.parseInt(walk, 10) || 1, 1), STEPS.length) - 1;
  const go = (number) => {
    set({ walk: number < STEPS.length ? String(number + 1) : CLOSED });
    announce(
      number < STEPS.length
        ? `Step ${number + 1}: ${STEPS[number][0]}.`
        : "The walk is closed. Press w to open the walk.",
    );
  };
  const focus = () => {
    if (walk !== CLOSED) return void panel.current?.focus(); // immediately, because the next key may follow
    go(0);
    setTimeout(() => panel.current?.focus());
  };
  useKeys([{ key: "w", title: "Guided walk", run: focus }]);
  if (walk === CLOSED)
    return html`<p class="walk-closed"><button type="button" onClick=${focus}>Guided walk</button></p>`;
  return html`<section class="pane walk" ref=${panel} tabindex="-1" aria-labelledby="walk-title">
    <h2 id="walk-title">From a lost game to a pattern that wins it</h2>
    <ol>
      ${STEPS.map(
        ([title], number) =>
          html`<li key=${title}>
            <button type="button" class="plain" aria-current=${number === at ? "step" : null} onClick=${() => go(number)}>
              ${number + 1}. ${title}
            </button>
          </li>`,
      )}
    </ol>
    <${Step} at=${at} onDone=${setDone} />
    <p class="buttons walk-go">
      <button type="button" disabled=${!at} onClick=${() => go(at - 1)}>Back</button>
      <button type="button" class=${classes(isDone && "main")} onClick=${() => go(at + 1)}>${at < STEPS.length - 1 ? "Next step" : "End walk"}</button>
      ${at < STEPS.length - 1 && html`<button type="button" onClick=${() => go(STEPS.length)}>Close walk</button>`}
    </p>
  </section>`;
}

/**
 * A step, with the data of all steps: the lost game, and the id of the new pattern, "" for none. onDone(isDone) reports
 * whether the step's task is done. A step shows one main button: its task or the next step.
 */
function Step({ at, onDone }) {
  const lost = useAnswer("walk_lost", {}, { wait: 60 }); // after the answers to typed text
  const now = useAnswer("walk_now", {}, { wait: 60 });
  const body = useRef(null);
  useEffect(() => body.current?.scrollTo?.(0, 0), [at]);
  const [, component] = STEPS[at];
  return html`<div class="walk-step" ref=${body}>
    ${lost.problem && html`<p class="problem">${lost.problem.message}</p>`}
    ${lost.answer && html`<${component} key=${at} lost=${lost.answer} mine=${now.answer?.mine ?? ""} onDone=${onDone} />`}
  </div>`;
}
