// A game between two players, at least one of which uses the open file's patterns, with a display and a stop button.
import { job } from "../api.js";
import { announce } from "../announce.js";
import { CommandLine } from "../command.js";
import { html, useEffect, useRef, useState } from "../html.js";

/** The player that uses the page's current patterns. */
export const THIS_FILE = "this file";

/**
 * A hook: {playing, start, stop}. start({game, black, white, seed, until}) lets two players continue a game. With
 * `until`, "black" or "white", they play games until this side loses. onGame(answer) takes the game after each move or,
 * with `until`, after each game. onSeed(seed) gets the last game's seed. playing: {black, white, running, moves, tried,
 * told, last, command, problem}, null before the first game.
 */
export function usePlayOut(onGame, onSeed) {
  const [playing, setPlaying] = useState(null);
  const work = useRef(null);
  useEffect(() => () => work.current?.cancel(), []);
  const stop = () => {
    work.current?.cancel();
    setPlaying((old) => (old?.running ? { ...old, running: false } : old));
  };
  const start = (asked) => {
    work.current?.cancel();
    setPlaying({ ...asked, running: true, moves: 0, tried: 0, told: "", last: "", command: "", problem: "" });
    work.current = job("play_out", asked, (event) => {
      const { result, done } = event;
      if (result) onGame(result);
      if (done) {
        onSeed(done.seed);
        announce([triedText(asked, done), done.end].filter(Boolean).join(" "));
      }
      setPlaying((old) => old && next(old, event));
    });
  };
  return { playing, start, stop };
}

/** Return the result of the search for a lost game, "" without a search. */
function triedText({ until, seed }, { games, lost, seed: last }) {
  if (!until) return "";
  const tried = games === 1 ? `One game, seed ${last}` : `${games} games, seeds ${seed} to ${last}`;
  return lost
    ? `${tried}. The patterns lost this game.`
    : `${tried}: the patterns lost no game. Try another opponent or position, or the patterns of littlego init --small.`;
}

function next(old, { result, done, problem, progress }) {
  if (progress) return { ...old, tried: progress[1] ? progress[0] + 1 : 0 };
  if (result) return { ...old, moves: old.moves + 1, last: result.game };
  if (done) return { ...old, command: done.command, told: triedText(old, done), running: false };
  if (problem) return { ...old, problem: problem.text, running: false };
  return old;
}

/**
 * The progress beside the board, and at the end the command that plays the same game. ended: the text of the game whose
 * end is shown, "" if no end is shown.
 */
export function PlayedOut({ playing, ended, onStop }) {
  if (!playing) return null;
  const { black, white, running, moves, tried, told, last, command, problem } = playing;
  return html`<div class="played-out" data-running=${String(running)}>
    ${
      running &&
      html`<p class="buttons">
        <span role="status"><strong>${black}</strong> (Black) against <strong>${white}</strong> (White), ${tried ? `game ${tried}` : `move ${moves}`} …</span>
        <button type="button" onClick=${onStop}>Stop</button>
      </p>`
    }
    ${problem && html`<p class="problem" role="alert">${problem}</p>`} ${told && html`<p data-told="">${told}</p>`} ${ended && ended === last && html`<${CommandLine} command=${command} />`}
  </div>`;
}
