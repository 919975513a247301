// A game that two players play out by themselves, one of them the open file's patterns; it is watched, and stopped.
import { job } from "../api.js";
import { announce } from "../announce.js";
import { CommandLine } from "../command.js";
import { html, useEffect, useRef, useState } from "../html.js";

/** The player that follows the patterns as they are in the page. */
export const THIS_FILE = "this file";

/**
 * A hook: {playing, start, stop}. start({game, black, white, seed}) has two players go on with a game; onGame(answer)
 * takes it after each move. playing: {black, white, running, moves, last, command, problem}, null before the first.
 */
export function usePlayOut(onGame) {
  const [playing, setPlaying] = useState(null);
  const work = useRef(null);
  useEffect(() => () => work.current?.cancel(), []);
  const stop = () => {
    work.current?.cancel();
    setPlaying((old) => (old?.running ? { ...old, running: false } : old));
  };
  const start = (asked) => {
    work.current?.cancel();
    setPlaying({ ...asked, running: true, moves: 0, last: "", command: "", problem: "" });
    work.current = job("play_out", asked, ({ result, done, problem }) => {
      if (result) onGame(result);
      if (done) announce(done.end);
      setPlaying((old) => old && next(old, { result, done, problem }));
    });
  };
  return { playing, start, stop };
}

function next(old, { result, done, problem }) {
  if (result) return { ...old, moves: old.moves + 1, last: result.game };
  if (done) return { ...old, command: done.command, running: false };
  if (problem) return { ...old, problem: problem.text, running: false };
  return old;
}

/**
 * Beside the board: who plays it out and how far they are; at its end the command that plays the same game. ended: the
 * text of the game whose end is shown, "" before that.
 */
export function PlayedOut({ playing, ended, onStop }) {
  if (!playing) return null;
  const { black, white, running, moves, last, command, problem } = playing;
  return html`<div class="played-out" data-running=${String(running)}>
    ${
      running &&
      html`<p class="buttons">
        <span role="status"><strong>${black}</strong> (Black) against <strong>${white}</strong> (White), move ${moves} …</span>
        <button type="button" onClick=${onStop}>Stop it</button>
      </p>`
    }
    ${problem && html`<p class="problem" role="alert">${problem}</p>`} ${ended && ended === last && html`<${CommandLine} command=${command} />`}
  </div>`;
}
