// Long jobs of a pane, restarted when their subject changes; the last good result stays until the next result.
import { job } from "../api.js";
import { html, useEffect, useRef, useState } from "../html.js";

const IDLE = { state: null, done: null, progress: null, problem: null, isRunning: false, isOld: false };

/**
 * A hook: a job, its results, and functions to start and stop it.
 *
 * take(state, result) returns the state after a further result; the initial state is `first`. Returns {state, done,
 * progress, problem, isRunning, isOld, start, stop}; isOld: whether the state comes from an earlier run, because this
 * run has no result yet.
 */
export function useWork(kind, { first, take }) {
  const [work, setWork] = useState(IDLE);
  const running = useRef(null);
  const stop = () => {
    running.current?.cancel();
    running.current = null;
    setWork((old) => ({ ...old, isRunning: false, progress: null }));
  };
  const start = (parameters) => {
    running.current?.cancel();
    setWork((old) => ({ ...old, isRunning: true, isOld: old.state !== null, progress: null, problem: null }));
    const mine = job(kind, parameters, (event) => {
      if (running.current === mine) setWork((old) => after(old, event, first, take));
    });
    running.current = mine;
  };
  const clear = () => (stop(), setWork(IDLE));
  useEffect(() => () => running.current?.cancel(), []);
  return { ...work, start, stop, clear };
}

function after(old, { result, progress, done, problem }, first, take) {
  if (progress) return { ...old, progress };
  const before = old.isOld || old.state === null ? first : old.state;
  if (result) return { ...old, state: take(before, result), done: old.isOld ? null : old.done, isOld: false };
  if (done) return { ...old, state: before, done, isOld: false, isRunning: false, progress: null };
  if (problem) return { ...old, problem, isRunning: false, progress: null };
  return old;
}

/** Start and stop buttons with the progress; about: a description of the result, shown until there is a result. */
export function WorkButtons({ work, start, title, about = "" }) {
  const { isRunning, progress, problem } = work;
  return html`<p class="buttons">
      <button type="button" onClick=${isRunning ? work.stop : start}>${isRunning ? "Stop" : title}</button>
      ${isRunning && html`<progress aria-label=${title} ...${share(progress)}></progress>`}
      ${isRunning && progress && progress[1] > 1 && html`<span class="muted">${progress[0]} of ${progress[1]}</span>`}
    </p>
    ${about && !isRunning && work.state === null && html`<p class="muted">${about}</p>`}
    ${problem && html`<p class="problem" role="alert">${problem.text}</p>`}`;
}

function share(progress) {
  return progress && progress[1] ? { value: progress[0], max: progress[1] } : {};
}
