// The open file: opened, saved, watched on the disk, and told when it and the text part.
import { Problem, document_, follow, merge, open, reload, save as write, state, unsaved } from "./api.js";
import { announce } from "./announce.js";
import { resolveConflicts } from "./conflicts.js";
import { choose } from "./dialogs.js";
import { change, openText } from "./document.js";
import { editorExtensions } from "./pattern/editor.js";
import { get, set } from "./state.js";
import { beginSync, editFrom, hearEdit, hearRevision, hearSaved, sent, takeFrom } from "./sync.js";

export const CHANGED = "changed"; // how the file can have parted from the text
const GONE = "gone";

/** Load the file that the address names, or the one that the server has open. */
export async function beginDocument() {
  const wanted = get().file;
  show(await state());
  if (wanted && wanted !== get().file) await openFile(wanted);
}

function show(found) {
  openText(found.text, editorExtensions);
  beginSync();
  const { file, files, ruleset, saved, readonly, demo } = found;
  set({ file, files, ruleset, saved, readonly, demo, parted: "" });
  if (found.restored) {
    later("The unsaved text of the last session was restored. Revert loads the text of the file instead.");
  }
}

/** Tell something once the page is drawn. */
function later(text, options) {
  setTimeout(() => announce(text, options));
}

/** Open another file, in this page and in every other; returns whether that could be done. */
export async function openFile(file) {
  try {
    await sent();
    show(await open(file));
    return true;
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    later(problem.message, { problem: true });
    return false;
  }
}

/** Return in a few words how the text and the file stand. */
export function fileState({ saved, online, readonly, parted }) {
  if (!online) return "the studio does not answer";
  if (parted === GONE) return "deleted on the disk";
  if (readonly) return "read only";
  return saved ? "saved" : "edited, not saved";
}

/** Write the text to its file; where that was changed meanwhile, ask what to do. digest: of the file to write over. */
export async function save(digest) {
  await sent();
  try {
    const { revision } = document_;
    await write(digest);
    hearSaved(revision);
    announce(`${get().file} was saved.`);
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    if (problem.code === "changed" && problem.more.digest === "")
      await save(""); // it is gone: nothing is written over
    else if (problem.code === "changed") await reconcile(problem.more.digest);
    else if (problem.code === "stale") {
      hearRevision(problem.more.revision);
      await save(digest);
    } else announce(problem.message, { problem: true });
  }
}

/** Ask what to do with a file that was changed on the disk while there is an unsaved text here, and do it. */
export async function reconcile(digest) {
  const chosen = await choose(
    "The file changed on disk",
    `Another program changed ${get().file}, and the text in the studio is not saved.\n` +
      "Merge combines both. Where both changed the same lines, you choose.",
    [["merge", "Merge"], ["reload", "Load file"], ...(digest ? [["over", "Overwrite file"]] : [])],
  );
  if (chosen === "merge") await mergeFile();
  else if (chosen === "reload") await reloadFile();
  else if (chosen === "over") await save(digest);
}

/** Give up the text for what the file holds. */
export async function reloadFile() {
  if (await orTell(takeFrom(reload))) announce(`The text of ${get().file} was loaded.`);
  set({ parted: "" });
}

/** Give up what is not saved, as one step that undo takes back. */
export async function revert() {
  if (!(await orTell(editFrom(unsaved, { told: "the way back to the saved text" })))) return;
  announce(`The text of ${get().file} was loaded. Undo restores your text.`);
}

async function mergeFile() {
  const answer = await orTell(takeFrom(merge));
  if (!answer) return;
  set({ parted: "" });
  if (!answer.conflicts.length) announce("Merged: the text has the changes of the file and of the studio.");
  else {
    const changes = await resolveConflicts(answer.conflicts);
    if (changes.length) change(changes);
    announce("Merged with your choices. Save writes the text to the file.");
  }
}

async function orTell(promise) {
  try {
    return await promise;
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    announce(problem.message, { problem: true });
    return null;
  }
}

/** Hear from now on what other pages and programs do. */
export function watchFile() {
  follow(async (event) => {
    if (event.offline) set({ online: false });
    else if (event.state) {
      set({ online: true, files: event.state.files });
      hearRevision(event.state.revision);
    } else if (event.edit) hearEdit(event);
    else if (event.saved) {
      document_.digest = event.saved;
      hearSaved(event.revision);
    } else if (event.opened) {
      show(await state());
      announce(`Another tab opened ${event.opened}.`);
    } else if ("disk" in event) hearDisk(event);
  });
}

function hearDisk({ disk, taken, text }) {
  if (taken) {
    document_.digest = disk;
    announce(`${get().file} changed on disk; the new text was loaded. Undo does not restore the old text.`);
    set({ parted: "" });
  } else {
    set({ parted: disk ? CHANGED : GONE });
    announce(
      text ||
        (disk
          ? `${get().file} changed on disk; the unsaved text in the studio is kept.`
          : `${get().file} was deleted. Save writes it again.`),
    );
  }
}
