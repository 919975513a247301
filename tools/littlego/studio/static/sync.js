// Synchronisation of the text with the server: this page's edits are sent immediately, one request at a time, and other
// edits are merged.
import { ChangeSet } from "@codemirror/state";
import { Problem, ask, document_, edit, state } from "./api.js";
import { announce } from "./announce.js";
import { questionsOfEdit, takeAnswers } from "./carried.js";
import { change, editor, onEdit, takeOver } from "./document.js";
import { changesForEditor, changesForServer, difference } from "./offsets.js";
import { get, set } from "./state.js";

const STEPS = {
  // names of the methods' edits in undo messages
  add_example: "an example added",
  edit_example: "an example changed",
  new_pattern: "a new pattern",
  remove_pattern: "a pattern removed",
  splice: "a change of the drawing or a key",
  fill_in: "a change in the form",
};
const RETRIES = 5; // retries of an edit by form or drawing during typing
const PAUSE = 1000; // milliseconds before a retry if the server did not answer

let known = null; // the server's document at document_.revision
let unsent = null; // the ChangeSet from `known` to the editor's document, or null
let newest = 0; // the newest revision known from the server
let working = null; // the promise of the running exchange with the server, or null
const tasks = []; // further exchanges, which run before the next edit is sent
let queue = Promise.resolve(); // edits by form and drawing, one after the other

onEdit((changes, before) => {
  unsent = unsent ? unsent.compose(changes) : changes;
  known ??= before;
  set({ saved: false });
  work();
});

// The browser asks before it leaves the page while the server lacks an edit, because the edit would be lost.
addEventListener("beforeunload", (event) => {
  if (unsent || working) event.preventDefault();
});

/** Start the synchronisation. The editor's text must equal the server's text. */
export function beginSync() {
  known = editor().state.doc;
  unsent = null;
  newest = document_.revision;
  set({ revision: document_.revision });
}

function work() {
  working ??= exchange().finally(() => (working = null));
  return working;
}

async function exchange() {
  while (tasks.length || unsent || newest > document_.revision) {
    try {
      if (tasks.length) await tasks.shift()();
      else if (newest > document_.revision) await catchUp();
      else await send();
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      await waitFor(problem);
    }
  }
}

async function send() {
  const [changes, before] = [unsent, known];
  unsent = null;
  known = changes.apply(before);
  try {
    const { revision, saved, answers } = await edit(changesForServer(changes, before), questionsOfEdit());
    takeAnswers(revision, answers);
    set({ revision, saved: saved && !unsent, online: true });
  } catch (problem) {
    known = before;
    unsent = unsent ? changes.compose(unsent) : changes;
    if (problem.code !== "stale" && problem.code !== "invalid") throw problem;
    if (problem.more.since) takeEdits(problem.more.since, problem.more.revision);
    else await catchUp();
  }
}

async function waitFor(problem) {
  if (get().online)
    announce(`${problem.message} Your edits are kept in this page; copy them before you reload it.`, { problem: true });
  set({ online: false });
  await new Promise((resolve) => setTimeout(resolve, PAUSE));
}

async function catchUp() {
  const found = await state();
  newest = document_.revision;
  merge(difference(known, found.text));
  set({ revision: found.revision, saved: found.saved && !unsent, online: true });
}

/** Apply edits of other pages and programs, as lists of changes. revision: the revision after these edits. */
function takeEdits(edits, revision) {
  let all = ChangeSet.empty(known.length);
  let doc = known;
  for (const changes of edits) {
    const one = ChangeSet.of(changesForEditor(changes, doc), doc.length);
    doc = one.apply(doc);
    all = all.compose(one);
  }
  document_.revision = revision;
  merge(all);
  set({ revision });
}

/** Merge a ChangeSet based on `known`; local edits stay in the text. */
function merge(theirs) {
  known = theirs.apply(known);
  if (theirs.empty) return;
  const mine = unsent;
  unsent = mine && mine.map(theirs, true);
  takeOver(mine ? theirs.map(mine) : theirs);
}

/** Apply an edit of another page or program, as reported by the server. */
export function hearEdit({ edit: changes, revision, saved }) {
  if (revision <= document_.revision) return;
  if (!working && revision === document_.revision + 1) {
    takeEdits([changes], revision);
    newest = revision;
    set({ saved });
  } else hearRevision(revision);
}

/** Catch up with the server's revision if it is newer. */
export function hearRevision(revision) {
  newest = Math.max(newest, revision);
  work();
}

/** Record that a revision was saved; newer and unsent edits are not in the file. */
export function hearSaved(revision) {
  set({ saved: !unsent && !working && revision === document_.revision, hasSaved: true, parted: "" });
}

/** Wait until the server has the editor's text; return its revision. */
export async function sent() {
  while (unsent || working) await work();
  return get().revision;
}

/** Request changes that the server made itself, such as a merge, and apply them; return the answer. */
export async function takeFrom(request) {
  await sent();
  return new Promise((resolve, reject) => {
    tasks.push(async () => {
      try {
        const answer = await request();
        takeEdits([answer.changes], answer.revision);
        newest = answer.revision;
        set({ saved: answer.saved && !unsent });
        resolve(answer);
      } catch (problem) {
        reject(problem);
      }
    });
    work();
  });
}

/**
 * Apply the edit in a method's answer, {changes: [...]}, as one undo step; return the answer.
 *
 * Edits run one after the other. If the text changed during a request, the request is repeated.
 */
export const editBy = (method, parameters, options = {}) =>
  editFrom(() => ask(method, parameters), { told: STEPS[method], ...options });

/** Apply the edit in a request's answer, as `editBy` does. */
export function editFrom(request, options = {}) {
  const made = queue.then(() => tryEdit(request, options));
  queue = made.catch(() => null);
  return made;
}

async function tryEdit(request, options) {
  for (let attempt = 0; attempt < RETRIES; attempt += 1) {
    await sent();
    const doc = editor().state.doc;
    try {
      const answer = await request();
      if (editor().state.doc !== doc) continue;
      if (answer.changes.length) change(answer.changes, options);
      return answer;
    } catch (problem) {
      // Retry if another page was faster, or if the worker died; the server restarts the worker.
      if (!["stale", "died"].includes(problem.code) || attempt === RETRIES - 1) throw problem;
    }
  }
  throw new Problem({
    code: "stale",
    text: "The text changed during the edit; try again.",
  });
}

/** Apply an edit as `editBy` does, and announce a failure; return the answer, or null. */
export async function editOrTell(method, parameters, options) {
  return editOr(method, parameters, options, (why) => announce(why, { problem: true }));
}

/** Apply an edit as `editBy` does; after a failure call a function with the reason, and return null. */
export async function editOr(method, parameters, options, onRefused) {
  try {
    return await editBy(method, parameters, options);
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    onRefused(problem.message);
    return null;
  }
}

/**
 * Apply changes that an answer proposed if the text is still at its revision; otherwise announce that the text changed.
 */
export async function changeIf(revision, changes) {
  if ((await sent()) === revision) change(changes);
  else announce("The text has changed; check the edit again.", { problem: true });
}
