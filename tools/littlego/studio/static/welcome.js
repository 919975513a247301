// The welcome panel of a page that strangers open by a link: an explanation of the page, and three things to try.
import { announce } from "./announce.js";
import { THIS_FILE } from "./game/playout.js";
import { html, useState } from "./html.js";
import { SHARES } from "./link.js";
import { createPattern } from "./pattern/create.js";
import { keep, kept } from "./session.js";
import { get, set, useStore } from "./state.js";

const WIDE = "(min-width: 46rem)"; // pages on which the panel is open at first
const NAME = "littlego-welcomed"; // storage key, set when the user has closed the panel

/** The welcome panel of the pattern view; nothing in the installed studio, or after the user has closed the panel. */
export function Welcome() {
  const [isClosed, setClosed] = useState(!SHARES || isKept());
  const pattern = useStore((state) => state.pattern);
  const view = useStore((state) => state.view);
  const close = () => (setClosed(true), store());
  if (isClosed || view !== "pattern") return null;
  return html`<section class="pane welcome" aria-labelledby="welcome-title"><details open=${matchMedia(WIDE).matches}>
    <summary><h2 id="welcome-title">A Go player with drawn patterns: look, draw, play</h2></summary>
    <p>
      The player chooses its moves by patterns. This page shows the pattern ${pattern || "…"} and a board; ✱ marks a move
      for which the pattern fires. Python runs in your browser, and nothing is sent.
    </p>
    <ol>
      <li>Click another point of the board. Below the board, the page shows why the pattern does not fire there.</li>
      <li>
        <button type="button" onClick=${draw}>Draw pattern</button> Your own pattern gets up to 100 points: enough for its
        move to be played on this board, if points decide there. The view Effects then counts the decisions that the pattern changes.
      </li>
      <li><button type="button" onClick=${play}>Play game</button> The patterns play against you, and give the reasons for each move.</li>
    </ol>
    <p class="buttons">
      <button type="button" onClick=${close}>Close</button>
      <a href="./docs/tutorial.html">Tutorial</a>
      <a href="./docs/index.html">Docs</a>
    </p>
  </details></section>`;
}

const draw = () => createPattern({ board: get().board || get().atHand, move: get().move, isEnough: true });

/** Start a game on an empty board, as Black against the open file. */
function play() {
  keep("players", { ...kept("players"), name: THIS_FILE, mine: "black", minutes: "" });
  const game = get().ruleset === "match" ? "match-9;" : `${get().ruleset};`;
  set({ view: "board", game, board: "", step: "", move: "", isStarting: true });
  announce("The game has started. You are Black: click a point of the board to play there.");
}

function isKept() {
  try {
    return localStorage.getItem(NAME) !== null;
  } catch {
    return false; // the browser stores nothing
  }
}

function store() {
  try {
    localStorage.setItem(NAME, "1");
  } catch {
    // nothing can be stored, so the panel appears again at the next visit
  }
}
