// The truth strip of a pattern: a square for each of its decisions in solved positions, which opens its board.
import { CommandLine } from "../command.js";
import { classes, html, useEffect, useRef, useState } from "../html.js";
import { useStore } from "../state.js";
import { moveName, openBoard } from "./boards.js";
import { WorkButtons, useWork } from "./work.js";

const PAUSE = 700; // milliseconds without an edit before the pattern is judged again
const AT_ONCE = 300; // squares of an outcome to show before "more"
export const OUTCOMES = {
  blundered: { sign: "✗", title: "loses the win" },
  kept: { sign: "✓", title: "keeps the win" },
  free: { sign: "·", title: "harmless: every move wins" },
  lost: { sign: "–", title: "lost with every move" },
};
const ROLES = { decides: "the pattern decides", supports: "the pattern supports the move with other patterns" };
const FIRST = { blundered: [], kept: [], free: [], lost: [] };

function take(state, { decisions }) {
  const next = { ...state };
  for (const one of decisions) next[one.outcome] = [...next[one.outcome], one];
  return next;
}

export function StripPane({ pattern }) {
  const revision = useStore((state) => state.revision);
  const isKnown = useStore((state) => state.ruleset !== "match");
  const work = useWork("truth", { first: FIRST, take });
  const start = () => work.start({ pattern });
  useEffect(() => work.clear(), [pattern]);
  useEffect(() => {
    if (!pattern || !isKnown) return undefined;
    const timer = setTimeout(start, PAUSE);
    return () => {
      clearTimeout(timer);
      work.stop(); // otherwise the comparison of decisions could wait for an outdated job
    };
  }, [pattern, revision, isKnown]);
  if (!isKnown) return html`<${NoTruth} />`;
  const found = work.state ?? FIRST;
  const count = Object.values(found).reduce((sum, some) => sum + some.length, 0);
  return html`<section class=${classes("pane strip-pane", work.isRunning && "busy")} aria-labelledby="strip-title">
    <h2 id="strip-title">Exact results <span class="muted">${pattern}</span></h2>
    <${WorkButtons} work=${work} start=${start} title="Check results"
      about="One square for each decision of the pattern in a solved position: does the move keep the win? Click a square to open its board." />
    <p role="status" data-decisions=${work.done ? count : null}>
      ${work.done && summary(found, count)}
    </p>
    ${count > 0 && html`<${Legend} found=${found} />`}
    ${Object.keys(OUTCOMES).map((name) => html`<${Strip} key=${name} name=${name} decisions=${found[name]} />`)}
    <${CommandLine} command=${work.done?.command} />
  </section>`;
}

/** The legend of the signs and borders that appear on the squares. */
function Legend({ found }) {
  const there = Object.keys(OUTCOMES).filter((name) => found[name].length);
  const roles = Object.keys(ROLES).filter((role) => there.some((name) => found[name].some((one) => one.role === role)));
  return html`<dl class="strip-legend">
    ${there.map(
      (name) => html`<div key=${name}>
        <dt class=${"square " + name} aria-hidden="true">${OUTCOMES[name].sign}</dt>
        <dd>${OUTCOMES[name].title}</dd>
      </div>`,
    )}
    ${roles.map(
      (role) => html`<div key=${role}>
        <dt class=${"square " + role} aria-hidden="true"></dt>
        <dd>${ROLES[role]}</dd>
      </div>`,
    )}
  </dl>`;
}

/** The message shown instead of the strip for a match. */
function NoTruth() {
  return html`<section class="pane strip-pane" aria-labelledby="strip-title">
    <h2 id="strip-title">Exact results</h2>
    <p class="muted" data-truth="none">
      No data for a match: only positions of Little-Go on 5x5 are solved. See the changed decisions and the example boards
      instead.
    </p>
  </section>`;
}

function summary(found, count) {
  if (!count) return "The pattern decides or supports no move in the solved positions.";
  const judged = found.blundered.length + found.kept.length;
  return `The pattern decides or supports the move in ${count} solved positions. The move matters in ${judged}; it loses the win in ${found.blundered.length}.`;
}

function Strip({ name, decisions }) {
  const [most, setMost] = useState(AT_ONCE);
  const [focus, setFocus] = useState(0);
  const list = useRef(null);
  const { sign, title } = OUTCOMES[name];
  if (!decisions.length) return null;
  const press = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 10, ArrowUp: -10, Home: -focus, End: decisions.length }[
      event.key
    ];
    if (step === undefined) return;
    event.preventDefault();
    const shown = Math.min(most, decisions.length) - 1;
    const next = Math.max(0, Math.min(shown, focus + step));
    setFocus(next);
    list.current.children[next]?.firstChild.focus();
  };
  return html`<h3>${title} <span class="muted">${decisions.length}</span></h3>
    <ul class=${"strip " + name} ref=${list} onKeyDown=${press}>
      ${decisions.slice(0, most).map(
        (one, index) =>
          html`<li key=${one.code}>
            <button
              type="button"
              tabindex=${index === focus ? 0 : -1}
              class=${one.role}
              title=${told(one, title)}
              aria-label=${told(one, title)}
              onFocus=${() => setFocus(index)}
              onClick=${() => openBoard(one.position, one.played)}
            >
              ${sign}
            </button>
          </li>`,
      )}
    </ul>
    ${decisions.length > most && html`<button type="button" onClick=${() => setMost(most + AT_ONCE)}>Show more</button>`}`;
}

function told({ played, winning, left, role }, title) {
  const wins = winning.length && winning.length < 7 ? `; winning: ${winning.map(moveName).join(" ")}` : "";
  return `${moveName(played)}, ${title}, ${left} left, the pattern ${role}${wins}`;
}
