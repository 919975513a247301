// A game against a player: the sides, the clocks, and the requests for the player's replies.
import { job } from "../api.js";
import { announce } from "../announce.js";
import { saveSgf } from "../export.js";
import { html, useEffect, useRef, useState } from "../html.js";
import { toMove as sideToMove } from "../position.js";
import { NewMatch } from "./newmatch.js";
import { clock } from "./steps.js";

const OTHER = { black: "white", white: "black" };

/**
 * A hook: a game in progress. game: the answer of `game`, null while the game loads; position: the game's initial
 * position, used while it loads; atEnd: whether the game's last position is shown; onGame(answer) takes the game with a
 * further move.
 *
 * In the result, `match` is {player, mine, minutes, slow, seed}, null without an opponent. `isTheirs` is whether it is
 * the player's turn, and `toMove` the colour to move. `left` has the seconds on both clocks, or is null. spend()
 * deducts the person's time and returns the remaining seconds.
 */
export function useOpponent({ game, position, atEnd, onGame }) {
  const [match, setMatch] = useState(null);
  const [left, setLeft] = useState(null);
  const [said, setSaid] = useState("");
  const [thinking, setThinking] = useState(false);
  const [stopped, setStopped] = useState(false); // whether the player was stopped
  const since = useRef(performance.now());
  const toMove = sideToMove(game?.positions.at(-1) ?? position);
  const isTheirs = Boolean(match && game && atEnd && !game.over && match.mine !== "both" && toMove !== match.mine);
  useEffect(() => {
    since.current = performance.now();
    if (!isTheirs || stopped) return undefined;
    setThinking(true);
    const clocks = left ? { black: left.black, white: left.white } : {};
    const parameters = { game: game.game, player: match.player, seed: match.seed, ...clocks };
    const work = job("reply", parameters, ({ done, problem }) => {
      if (problem) ended(problem.text);
      else if (done) take(done);
    });
    return () => (work.cancel(), setThinking(false));
  }, [isTheirs, stopped, game?.game]);
  useEffect(() => setStopped(false), [game?.game]);
  const take = (answer) => {
    setThinking(false);
    if (left && answer.left !== null) setLeft({ ...left, [toMove]: answer.left });
    if (!answer.game) return ended(`${match.player} lost: ${answer.fault}`);
    setSaid(answer.said);
    announce(`${match.player} ${answer.move === "resign" ? "resigns" : `plays ${answer.move}`}.`);
    return onGame(answer.game);
  };
  const ended = (text) => (announce(text, { problem: true }), setMatch(null));
  const spend = () => {
    if (!left) return null;
    const now = { ...left, [toMove]: left[toMove] - (performance.now() - since.current) / 1000 };
    since.current = performance.now();
    setLeft(now);
    if (now[toMove] > 0) return now[toMove];
    ended(`${toMove} ran out of time: ${OTHER[toMove]} wins.`);
    return 0;
  };
  const start = (wanted) => {
    since.current = performance.now();
    setMatch({ ...wanted, seed: Math.floor(Math.random() * 1e6) });
    setLeft(wanted.minutes > 0 ? { black: wanted.minutes * 60, white: wanted.minutes * 60 } : null);
    setSaid("");
  };
  const stop = () => setMatch(null);
  return { match, start, stop, isTheirs, left, thinking, said, spend, toMove, since, stopped, setStopped };
}

/**
 * opponent: the result of useOpponent; over: how the game ended, if its end is shown; playing: as in usePlayOut; setup:
 * the players, as in useSetup. The buttons call the other functions.
 */
export function PlayPane({
  opponent,
  game,
  over,
  playing,
  hint,
  setup,
  onStart,
  onPlayOut,
  onUndo,
  onHint,
  onNew,
  onMove,
}) {
  const { match, stop, left, said } = opponent;
  const isBusy = Boolean(playing?.running);
  const [chosen, setChosen] = useState(null); // whether the setup is shown, once the user has toggled it
  const isShown = chosen ?? !game?.moves.length;
  const fold = (event) => (event.preventDefault(), setChosen(!isShown));
  return html`<section class="pane play-pane" aria-labelledby="play-title">
    <h2 id="play-title">Play</h2>
    ${match && html`<p>Against <strong>${match.player}</strong>, ${match.mine === "both" ? "both colours are yours" : `you are ${match.mine}`}.</p>`}
    ${over && html`<p role="status" class="result" data-result="">The game is over. <strong>${over}</strong></p>`}
    ${
      !match &&
      !over &&
      !isBusy &&
      html`<details class="who-plays" open=${isShown}>
        <summary onClick=${fold}>Game setup</summary>
        <${NewMatch} ...${{ setup, onStart, onPlayOut }} />
      </details>`
    }
    ${left && html`<${Clocks} ...${{ opponent, running: Boolean(match) && !game?.over }} />`}
    ${match && said && html`<details><summary>Reason for the move</summary><p>${said}</p></details>`}
    <div class="buttons">
      ${over && html`<button type="button" class="main" onClick=${onNew}>New game</button>`}
      <button type="button" aria-keyshortcuts="u" disabled=${!game?.moves.length || isBusy} onClick=${onUndo}>Take back</button>
      ${!over && !isBusy && html`<button type="button" onClick=${() => onMove("pass")}>Pass</button>`}
      ${match && !over && html`<button type="button" onClick=${() => onMove("resign")}>Resign</button>`}
      ${!over && !isBusy && html`<button type="button" aria-keyshortcuts="h" onClick=${onHint}>Hint</button>`}
      ${match && html`<button type="button" onClick=${stop}>End game</button>`}
      ${game?.moves.length > 0 && !isBusy && html`<button type="button" onClick=${saveSgf}>Save SGF</button>`}
    </div>
    <div role="status">${hint && html`<p class="hint">${hint.said}</p>${hint.patterns && html`<p class="muted">${hint.patterns}</p>`}<p class="muted pre">${hint.exact}</p>`}</div>
  </section>`;
}

const LONG = 2; // seconds after which the thinking time is shown

/** The note beside the board while a player thinks, with the elapsed time and a button to stop or resume the player. */
export function Thinking({ opponent }) {
  const { match, thinking, stopped, setStopped } = opponent;
  if (match && stopped)
    return html`<p class="buttons"><span>${match.player} has stopped.</span> <button type="button" onClick=${() => setStopped(false)}>Think again</button></p>`;
  if (!match || !thinking) return null;
  return html`<${Waiting} match=${match} since=${opponent.since} onStop=${() => setStopped(true)} />`;
}

function Waiting({ match: { player, slow }, since, onStop }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds(Math.floor((performance.now() - since.current) / 1000)), 500);
    return () => clearInterval(timer);
  }, []);
  const isLong = seconds >= LONG;
  return html`<div class="thinking">
    <p class="buttons">
      <span role="status">${player} is thinking …</span>
      ${isLong && html`<progress aria-label=${`${player} thinks`}></progress> <span class="muted">${seconds} s</span>`}
      <button type="button" onClick=${onStop}>Stop</button>
    </p>
    ${isLong && slow && html`<p class="muted" data-slow="">${slow}</p>`}
  </div>`;
}

function Clocks({ opponent, running }) {
  const [, setTick] = useState(0);
  useEffect(() => {
    if (!running) return undefined;
    const timer = setInterval(() => setTick((old) => old + 1), 500);
    return () => clearInterval(timer);
  }, [running]);
  const spent = running ? (performance.now() - opponent.since.current) / 1000 : 0;
  const shown = (colour) => clock(opponent.left[colour] - (colour === opponent.toMove ? spent : 0));
  return html`<p class="clocks" role="timer" aria-label="Clocks">
    <span>Black ${shown("black")}</span> <span>White ${shown("white")}</span>
  </p>`;
}
