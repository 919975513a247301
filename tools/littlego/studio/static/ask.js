// Asking the server from a component: again when something changes, never two at once, the last good answer kept.
import { Problem, ask, askTogether, document_ } from "./api.js";
import { askWithEdits, carriedAnswer } from "./carried.js";
import { useLayoutEffect, useState } from "./html.js";
import { sharing } from "./sharing.js";
import { set, useStore } from "./state.js";

const RETRIES = 3; // of what a process was at work on when it died, and of what was overtaken
const SLOW = 200; // milliseconds
const shared = sharing();
const NOTHING = { answer: null, problem: null, busy: false, asked: "{}", revision: 0 };

/** Ask a method beside whatever else the page asks of it; return its answer. Throws Problem, or AbortError. */
export const askBeside = (method, parameters, signal, how = ask) =>
  shared(how, method, parameters, document_.revision, signal);

/**
 * A hook: the answer of a method for parameters, asked again when they or the text change.
 *
 * Returns {answer, problem, busy, asked, revision}: `answer` is the last good one and stays while the next is on its way or
 * fails; `asked` is the parameters that it is for, as JSON, `revision` that of the text that it is about. wait: milliseconds to wait for the next change first.
 * when: false asks nothing. again: a value whose change asks again. text: false does not ask again after an edit.
 * together: true asks in one request with the others of one moment that are so, and with each edit; not for what takes long.
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
  // Before the browser paints: an effect after it would cost a frame at every keystroke.
  useLayoutEffect(() => {
    if (!when) return undefined;
    const control = new AbortController();
    let slow = 0; // the timer after which it is shown that something is awaited
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

const waiting = new Map(); // what is to be done after so many milliseconds, begun in one moment

/** Do something after a while, together with all that is begun now for then; return what gives that up. */
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

/** The result after an answer; while what is edited cannot be read, the last answer about it stays. */
function next(old, answer, asked, about) {
  const before = kept(old, asked);
  if (answer.compiles === false && before.answer) return { ...before, problem: null, busy: false };
  return { answer, problem: null, busy: false, asked, revision: about };
}

/** The last result, without its answer where that is about another pattern. */
function kept(old, asked) {
  const isSame = JSON.parse(old.asked).pattern === JSON.parse(asked).pattern;
  return isSame ? old : { ...old, answer: null, asked };
}

/** Return an answer, asked again where that may fare better. first: the promise of an answer that is on its way. */
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
 * Whether a request was refused though it is about the text as it is. Where the page still waits for it, one that was
 * sent before it has reached the server after it, and was taken for the newer one.
 */
const isOvertaken = (problem) => problem.code === "stale" && problem.more.revision === undefined;

/** Whether a problem only says that a newer request took the place of this one. */
export function isPassing(problem) {
  return problem.name === "AbortError" || problem.code === "stale";
}
