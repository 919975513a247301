// The text here and at the server: edits are sent as they are made, one request at a time, and others' are taken over.
import { ChangeSet } from "@codemirror/state";
import { Problem, ask, document_, edit, state } from "./api.js";
import { announce } from "./announce.js";
import { questionsOfEdit, takeAnswers } from "./carried.js";
import { change, editor, onEdit, takeOver } from "./document.js";
import { changesForEditor, changesForServer, difference } from "./offsets.js";
import { get, set } from "./state.js";

const STEPS = {
  // what undo calls the edits that methods make
  add_example: "an example added",
  edit_example: "an example changed",
  new_pattern: "a new pattern",
  remove_pattern: "a pattern removed",
  splice: "a change of the drawing or a key",
  fill_in: "a change in the form",
};
const RETRIES = 5; // of an edit by form or drawing while somebody types on
const PAUSE = 1000; // milliseconds before a server that did not answer is asked again

let known = null; // the document as the server has it at document_.revision
let unsent = null; // the ChangeSet from there to the one in the editor, or null
let newest = 0; // the newest revision that the server told of
let working = null; // the promise of what is being exchanged with the server, or null
const tasks = []; // what else is to be exchanged, while no edit is on its way
let queue = Promise.resolve(); // edits by form and drawing, one after the other

onEdit((changes, before) => {
  unsent = unsent ? unsent.compose(changes) : changes;
  known ??= before;
  set({ saved: false });
  work();
});

/** Begin with the text of the editor as the one that the server has. */
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
  if (get().online) announce(`${problem.message} Your edits are kept in this page.`, { problem: true });
  set({ online: false });
  await new Promise((resolve) => setTimeout(resolve, PAUSE));
}

async function catchUp() {
  const found = await state();
  newest = document_.revision;
  merge(difference(known, found.text));
  set({ revision: found.revision, saved: found.saved && !unsent, online: true });
}

/** Take over edits that others made, lists of changes, which lead to a revision. */
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

/** Take over a ChangeSet from `known` on; what was edited here meanwhile stays in the text. */
function merge(theirs) {
  known = theirs.apply(known);
  if (theirs.empty) return;
  const mine = unsent;
  unsent = mine && mine.map(theirs, true);
  takeOver(mine ? theirs.map(mine) : theirs);
}

/** Take over an edit that another page or program made, as the server tells it. */
export function hearEdit({ edit: changes, revision, saved }) {
  if (revision <= document_.revision) return;
  if (!working && revision === document_.revision + 1) {
    takeEdits([changes], revision);
    newest = revision;
    set({ saved });
  } else hearRevision(revision);
}

/** Catch up with a revision that the server tells of, where that is newer than the one here. */
export function hearRevision(revision) {
  newest = Math.max(newest, revision);
  work();
}

/** Take over that the text was saved at a revision; what is written here since, or is on its way, is not in the file. */
export function hearSaved(revision) {
  set({ saved: !unsent && !working && revision === document_.revision, parted: "" });
}

/** Wait until the server has the text of the editor; return its revision. */
export async function sent() {
  while (unsent || working) await work();
  return get().revision;
}

/** Ask for changes of the text that the server has made itself, such as a merge, and take them over; return the answer. */
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
 * Make the edit that a method of the server answers with, {changes: [...]}, as one step of undo; return the answer.
 *
 * Edits are made one after the other. One whose text changed while it was asked for is asked for again.
 */
export const editBy = (method, parameters, options = {}) =>
  editFrom(() => ask(method, parameters), { told: STEPS[method], ...options });

/** Make the edit that a request answers with, as `editBy` does. */
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
      // Another page was faster: once more, with its edit; or the process that was asked has died, and is started anew.
      if (!["stale", "died"].includes(problem.code) || attempt === RETRIES - 1) throw problem;
    }
  }
  throw new Problem({
    code: "stale",
    text: "The text changed during the edit; try again.",
  });
}

/** Make an edit as `editBy` does, and tell what is wrong where it cannot be made; returns the answer, or null. */
export async function editOrTell(method, parameters, options) {
  return editOr(method, parameters, options, (why) => announce(why, { problem: true }));
}

/** Make an edit as `editBy` does; where it cannot be made, call a function with why, and return null. */
export async function editOr(method, parameters, options, onRefused) {
  try {
    return await editBy(method, parameters, options);
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    onRefused(problem.message);
    return null;
  }
}

/** Make changes that an answer proposed, if the text is still the one that it is about; else say so. */
export async function changeIf(revision, changes) {
  if ((await sent()) === revision) change(changes);
  else announce("The text has changed; check the edit again.", { problem: true });
}
