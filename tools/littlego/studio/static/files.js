// The open file: opening, saving, monitoring on disk, and warnings when it differs from the text.
import { Problem, document_, follow, merge, open, openLink, reload, save as write, state, unsaved } from "./api.js";
import { announce } from "./announce.js";
import { resolveConflicts } from "./conflicts.js";
import { choose } from "./dialogs.js";
import { change, openText } from "./document.js";
import { editorExtensions } from "./pattern/editor.js";
import { get, inAddress, set } from "./state.js";
import { beginSync, editFrom, hearEdit, hearRevision, hearSaved, sent, takeFrom } from "./sync.js";

export const CHANGED = "changed"; // how the file can differ from the text
const GONE = "gone";

/** Load the file that the address names, or the server's open file. */
export async function beginDocument() {
  const { file: wanted, v1 } = get();
  show(await state());
  if (v1) await openShared(inAddress());
  else if (wanted && wanted !== get().file) await openFile(wanted);
}

/**
 * Open a shared link. wanted: the parts of the state in its address; the link's own pattern and board are the defaults.
 */
export async function openShared(wanted) {
  try {
    await sent();
    const found = await openLink(wanted.v1);
    const { pattern, board, own } = found.link;
    show(found);
    set(
      { ...wanted, file: found.file, pattern: wanted.pattern || pattern, board: wanted.board || board },
      { step: false },
    );
    if (own) later(`The link's pattern ${pattern} is open. Nothing is stored unless you save it.`);
    else if (!found.restored) later(`The text that you saved for this link is open, in ${found.file}.`);
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    set({ v1: "" }, { step: false });
    later(problem.message, { problem: true });
  }
}

function show(found) {
  openText(found.text, editorExtensions);
  beginSync();
  const { file, files, ruleset, saved, readonly, demo, undrafted } = found;
  set({ file, files, ruleset, saved, readonly, demo, undrafted, parted: "", hasSaved: false });
  if (found.restored) {
    const more = found.drafts
      ? ` ${found.drafts} older drafts remain: to see them, save or revert, then start the studio again.`
      : "";
    later(`The unsaved text of the last session was restored. Revert replaces it with the text of the file.${more}`);
  }
}

/** Announce a text after the page is drawn. */
function later(text, options) {
  setTimeout(() => announce(text, options));
}

/** Open another file in all pages; return whether the file was opened. */
export async function openFile(file) {
  try {
    await sent();
    show(await open(file));
    set({ v1: "" }, { step: false });
    return true;
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    later(problem.message, { problem: true });
    return false;
  }
}

/** Return the state of the text and the file in a few words. */
export function fileState({ saved, online, readonly, parted, undrafted, v1 }) {
  if (!online) return "the studio does not answer";
  if (undrafted) return undrafted;
  if (parted === GONE) return "deleted on the disk";
  if (readonly) return "read only";
  if (saved) return "saved";
  return v1 ? "from a link, not saved" : "edited, not saved";
}

/** Save the text; if the file changed in the meantime, ask what to do. digest: the digest of the file to overwrite. */
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
      await save(""); // the file is gone, so nothing is overwritten
    else if (problem.code === "changed") await reconcile(problem.more.digest);
    else if (problem.code === "stale") {
      hearRevision(problem.more.revision);
      await save(digest);
    } else announce(problem.message, { problem: true });
  }
}

/** Ask how to handle a file that changed on disk while this text is unsaved, and handle the file accordingly. */
export async function reconcile(digest) {
  const chosen = await choose(
    "The file changed on disk",
    `Another program changed ${get().file}, and the text in the studio is not saved.\n` +
      "Merge combines the text and the file. If both changed the same lines, you choose a version.",
    [["merge", "Merge"], ["reload", "Load file"], ...(digest ? [["over", "Overwrite file"]] : [])],
  );
  if (chosen === "merge") await mergeFile();
  else if (chosen === "reload") await reloadFile();
  else if (chosen === "over") await save(digest);
}

/** Replace the text with the file's contents. */
export async function reloadFile() {
  if (await orTell(takeFrom(reload))) announce(`The text of ${get().file} was loaded.`);
  set({ parted: "" });
}

/** Discard the unsaved changes as one undo step. */
export async function revert() {
  if (!(await orTell(editFrom(unsaved, { told: "the revert to the saved text" })))) return;
  announce(`The text of ${get().file} was loaded. Undo restores your text.`);
}

async function mergeFile() {
  const answer = await orTell(takeFrom(merge));
  if (!answer) return;
  set({ parted: "" });
  if (!answer.conflicts.length) announce("Merged: the text has the changes made in the file and in the studio.");
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

/** Subscribe to the events of other pages and programs. */
export function watchFile() {
  follow(async (event) => {
    if (event.offline) set({ online: false });
    else if (event.state) {
      set({ online: true, files: event.state.files, undrafted: event.state.undrafted });
      hearRevision(event.state.revision);
    } else if (event.edit) hearEdit(event);
    else if (event.saved) {
      document_.digest = event.saved;
      hearSaved(event.revision);
    } else if (event.opened) {
      show(await state());
      announce(`Another tab opened ${event.opened}.`);
    } else if ("undrafted" in event) hearDraft(event);
    else if ("disk" in event) hearDisk(event);
  });
}

function hearDraft({ undrafted }) {
  set({ undrafted });
  if (undrafted) announce(`${undrafted}. The studio tries again every second.`, { problem: true });
  else announce("Drafts of the unsaved text can be saved again.");
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
