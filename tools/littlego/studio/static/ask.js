// Answers for components. A request is repeated after changes, and the last good answer stays until the next answer
// arrives.
import { Problem, ask, askTogether, document_ } from "./api.js";
import { askWithEdits, carriedAnswer } from "./carried.js";
import { useLayoutEffect, useState } from "./html.js";
import { sharing } from "./sharing.js";
import { set, useStore } from "./state.js";

const RETRIES = 3; // after a worker died, and after an overtaken request
const SLOW = 200; // milliseconds
const shared = sharing();
const NOTHING = { answer: null, problem: null, busy: false, asked: "{}", revision: 0 };

/** Call a method independently of the page's other requests; return its answer. Throws Problem, or AbortError. */
export const askBeside = (method, parameters, signal, how = ask) =>
  shared(how, method, parameters, document_.revision, signal);

/**
 * A hook: a method's answer for parameters, requested again when the parameters or the text change.
 *
 * Returns {answer, problem, busy, asked, revision}. `answer` is the last good answer, which stays while the next
 * request runs or fails. `asked` has the parameters of that answer as JSON, and `revision` the text's revision. wait:
 * milliseconds to wait for further changes. when: false sends no request. again: a value whose change repeats the
 * request. text: false ignores edits. together: true sends the question in one request with the questions of other
 * components, and with each edit. Slow methods must not set `together`.
 */
export function useAnswer(
  method,
  parameters,
  { wait = 0, when = true, again = 0, text = true, together = false } = {},
) {
  const revision = useStore((state) => state.revision);
  const online = useStore((state) => state.online);
  const [result, setResult] = useState(NOTHING);
  const wanted = JSON.stringify(parameters);
  // A layout effect runs before the browser paints; a normal effect would cost a frame at every keystroke.
  useLayoutEffect(() => {
    if (!when) return undefined;
    const control = new AbortController();
    let slow = 0; // the timer after which `busy` is set
    const run = async () => {
      slow = setTimeout(() => setResult((old) => ({ ...old, busy: true })), SLOW);
      try {
        const about = document_.revision;
        const first = together ? carriedAnswer(method, wanted, about) : undefined;
        const answer = await askAgain(together ? askTogether : ask, method, JSON.parse(wanted), control.signal, first);
        if (!control.signal.aborted) setResult((old) => next(old, answer, wanted, about));
      } catch (problem) {
        if (control.signal.aborted || isPassing(problem)) return;
        if (!(problem instanceof Problem)) throw problem;
        if (problem.code === "offline") set({ online: false });
        else setResult((old) => ({ ...kept(old, wanted), problem, busy: false }));
      } finally {
        clearTimeout(slow);
      }
    };
    const forget = wait ? after(wait, run) : void run();
    const forgetEdits = together && text ? askWithEdits(method, wanted, wait) : null;
    return () => {
      forgetEdits?.();
      forget?.();
      clearTimeout(slow);
      control.abort();
    };
  }, [method, wanted, text ? revision : 0, when, again, online]);
  return result;
}

const waiting = new Map(); // delay in milliseconds -> callbacks of the timer started at this moment

/**
 * Call a function after a delay, together with other calls made at this moment; return a function to cancel the call.
 */
function after(wait, run) {
  if (!waiting.has(wait)) {
    const runs = new Set();
    waiting.set(wait, runs);
    queueMicrotask(() => waiting.delete(wait));
    setTimeout(() => runs.forEach((one) => one()), wait);
  }
  const runs = waiting.get(wait).add(run);
  return () => runs.delete(run);
}

/** Return the result after an answer; while the edited pattern is unreadable, its last answer stays. */
function next(old, answer, asked, about) {
  const before = kept(old, asked);
  if (answer.compiles === false && before.answer) return { ...before, problem: null, busy: false };
  return { answer, problem: null, busy: false, asked, revision: about };
}

/** Return the last result, without its answer if the answer is about another pattern. */
function kept(old, asked) {
  const isSame = JSON.parse(old.asked).pattern === JSON.parse(asked).pattern;
  return isSame ? old : { ...old, answer: null, asked };
}

/** Return an answer, with retries where they may help. first: the promise of a running request. */
async function askAgain(how, method, parameters, signal, first) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ((attempt === 1 && first) || askBeside(method, parameters, signal, how));
    } catch (problem) {
      const mayFareBetter = problem.code === "died" || (isOvertaken(problem) && !signal.aborted);
      if (!mayFareBetter || attempt > RETRIES) throw problem;
    }
  }
}

/**
 * Whether a request about the current text was refused. If the page still waits for this request, an earlier request
 * reached the server later and replaced it.
 */
const isOvertaken = (problem) => problem.code === "stale" && problem.more.revision === undefined;

/** Whether a problem only means that a newer request replaced this one. */
export function isPassing(problem) {
  return problem.name === "AbortError" || problem.code === "stale";
}
