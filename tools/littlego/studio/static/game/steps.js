// Stepping through a game: its controls, its value as a graph, its turning points and its moves.
import { whenOff } from "../focus.js";
import { classes, html, useEffect, useRef, useState } from "../html.js";
import { Graph } from "./graph.js";
import { Turning } from "./turning.js";

const MARKS = {
  wrong: "loses the win",
  doubtful: "doubtful",
  right: "the only winning move",
  interesting: "hard to refute",
};
const SIGNS = { wrong: "✗", doubtful: "?", right: "✓", interesting: "!" };

/** The buttons that step through a game, and the current move number. */
export function StepButtons({ moves, step, onStep, turning, onTurning }) {
  const count = moves.length;
  const last = moves[step - 1];
  const to = (number, title, text, keys) =>
    html`<button
      type="button"
      aria-label=${title}
      aria-keyshortcuts=${keys}
      title=${`${title} (${keys})`}
      ...${whenOff(number < 0 || number > count || number === step, () => onStep(number))}
    >
      ${text}
    </button>`;
  return html`<div class="buttons steps" role="group" aria-label="Step through the game">
    ${to(0, "To the start", "|◀", "Home")} ${to(step - 1, "One move back", "◀", "ArrowLeft")}
    <span class="where" data-step=${step}>move ${step} of ${count}</span>
    <span class="hidden" role="status">${last ? `Move ${step}, ${last.colour} ${last.move}` : "The start of the game"}</span>
    ${to(step + 1, "One move forward", "▶", "ArrowRight")} ${to(count, "To the end", "▶|", "End")}
    <button type="button" aria-keyshortcuts="n" ...${whenOff(!turning, () => onTurning(1))}>Next turning point</button>
  </div>`;
}

/**
 * game: the answer of `game`; judging: the result of useJudging; onJudge(exact) starts the judgement; exact: the
 * maximum number of moves left for exact judgement; onAgain(one) resumes play before a judged move.
 */
export function GamePane({ game, step, judging, onStep, onJudge, onStop, exact, onExact, onAgain, onWrite }) {
  const names = game.players.some(Boolean)
    ? `${game.players[0] || "?"} (Black) against ${game.players[1] || "?"} (White)`
    : "";
  return html`<section class="pane" aria-labelledby="game-title">
    <h2 id="game-title">Game <span class="muted">${game.ruleset}</span></h2>
    ${names && html`<p>${names}</p>`}
    ${game.end && html`<p role="status" data-end="">${game.end}</p>`}
    <p class="muted">${game.score}</p>
    <${Graph} game=${game} judged=${judging.results} step=${step} onStep=${onStep} />
    <div class="buttons">
      ${
        judging.running
          ? html`<button type="button" onClick=${onStop}>Stop judging</button>`
          : html`<button type="button" class=${classes(game.over && !judging.done && "main")} aria-keyshortcuts="j" onClick=${() => onJudge(exact)}>Judge moves</button>`
      }
      ${
        game.depths.length > 0 &&
        html`<label class="inline"
          >exact with up to
          <select value=${exact} onChange=${(event) => onExact(Number(event.target.value))}>
            ${game.depths.map((one) => html`<option value=${one} selected=${one === exact}>${one}</option>`)}
          </select>
          moves left</label
        >`
      }
      ${judging.running && html`<progress max=${judging.progress[1]} value=${judging.progress[0]} aria-label="Moves judged"></progress>`}
    </div>
    ${judging.running && !judging.progress[0] && html`<${Preparing} />`}
    ${judging.problem && html`<p class="problem">${judging.problem}</p>`}
    <${Turning} ...${{ judging, step, onStep, onJudge, onAgain, onWrite }} />
    <${Moves} ...${{ game, judging, step, onStep }} />
  </section>`;
}

const LONG = 3000; // milliseconds until the page explains the delay

function Preparing() {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), LONG);
    return () => clearTimeout(timer);
  }, []);
  const why = "The solver is loading. In a new installation it is compiled first, which takes a minute or more.";
  return html`<p class="muted" role="status">${isLong && why}</p>`;
}

function Moves({ game, judging, step, onStep }) {
  const list = useRef(null);
  useEffect(() => {
    const here = list.current?.querySelector("[aria-current]");
    if (here) list.current.scrollTop = here.offsetTop - list.current.clientHeight / 2; // offsetTop counts from the list
  }, [step, game.game]);
  if (!game.moves.length) return null;
  return html`<h3>Moves</h3>
    <ol class="moves of-game" ref=${list} tabindex="0" aria-label="The moves of the game">
      ${game.moves.map((one) => {
        const found = judging.results[one.number];
        return html`<li key=${one.number}>
          <button
            type="button"
            class="plain"
            aria-current=${one.number === step ? "step" : null}
            onClick=${() => onStep(one.number)}
          >
            <span class="number">${one.number}</span>
            <span class=${classes("stone", one.colour)} aria-hidden="true"></span>
            <span class="hidden">${one.colour}</span> ${one.move}
            ${found?.mark && html` <span title=${MARKS[found.mark]}>${SIGNS[found.mark]} <span class="hidden">${MARKS[found.mark]}</span></span>`}
            ${one.left !== null && html` <span class="muted">${clock(one.left)}</span>`}
          </button>
        </li>`;
      })}
    </ol>
    <${Legend} marks=${game.moves.map((one) => judging.results[one.number]?.mark)} />`;
}

/** The legend of the signs that appear after moves. */
function Legend({ marks }) {
  const there = Object.keys(MARKS).filter((mark) => marks.includes(mark));
  if (!there.length) return null;
  return html`<p class="muted legend">${there.map((mark) => `${SIGNS[mark]} ${MARKS[mark]}`).join(" · ")}</p>`;
}

/** Return seconds as minutes:seconds. */
export function clock(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
