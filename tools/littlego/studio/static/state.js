// The page's state in one store. The parts that a link contains are also in the URL's fragment.
import { useEffect, useState } from "./html.js";

// The parts in the fragment, with their defaults. A part with its default value is omitted from the fragment. v1: a
// shared link, which replaces a file. embed: "1" for a page within another page.
const KEPT = {
  ...{ file: "", view: "pattern", pattern: "", board: "", move: "", game: "", step: "", walk: "", page: "" },
  ...{ v1: "", embed: "" },
};
// Changes of these parts are steps for the browser's Back button; changes of other parts are not.
const STEPS = ["file", "view", "pattern", "page"];

const ALWAYS = "always";

const store = {
  ...KEPT,
  ruleset: "little-go", // ruleset of the open file
  atHand: "", // the position that the views show, including a default position
  placement: {}, // the pattern's shown placement, as {symmetry, place}
  revision: 0, // the server's revision of the text
  saved: true, // whether the text is saved in the file
  hasSaved: false, // whether a page has saved the file since this page opened the file
  isStarting: false, // whether the board view starts a game when it is drawn
  demo: false, // whether this is `littlego studio --demo`, with its guided walk
  files: [], // files that can be opened
  readonly: "", // why the file cannot be written, "" if it can
  undrafted: "", // why the unsaved text is not on disk as a draft, in a sentence
  parted: "", // "changed" or "gone": the state of the file on disk, if this text differs from it
  online: true, // whether the server answers
  undoable: 0, // number of steps that undo can revert
  redoable: 0, // number of steps that redo can repeat
};
const listeners = new Set();

/** Return the current state, read-only. */
export function get() {
  return store;
}

/**
 * Change parts of the state, notify all listeners, and update the fragment. step: false if the Back button should not
 * undo the change.
 */
export function set(part, { step = true } = {}) {
  const changed = Object.keys(part).filter((name) => !Object.is(store[name], part[name]));
  if (!changed.length) return;
  const isMain = (name) => step === ALWAYS || (STEPS.includes(name) && store[name]); // the first file is not a step
  const isStep = step && changed.some(isMain);
  Object.assign(store, part);
  if (changed.some((name) => name in KEPT)) writeFragment(isStep);
  for (const listener of [...listeners]) listener(store, changed);
}

/** Call a function with the state and the changed names after each change; return a function to stop. */
export function subscribe(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A hook: the part of the state that a selector returns; when it changes, the component is redrawn. */
export function useStore(selector) {
  const [picked, setPicked] = useState(() => selector(store));
  useEffect(() => {
    const look = () => setPicked(() => selector(store));
    look(); // the state may have changed since the first drawing
    return subscribe(look);
  }, []);
  return picked;
}

/** Return the parts of the state that the address contains. */
export function inAddress() {
  const kept = {};
  const parameters = new URLSearchParams(location.hash.slice(1));
  for (const name of Object.keys(KEPT)) kept[name] = parameters.get(name) ?? KEPT[name];
  return { ...kept, file: kept.file || store.file }; // a link without a file means the open file
}

function fragmentOf(values) {
  const parameters = new URLSearchParams(location.hash.slice(1)); // other parts, such as the token, stay
  for (const [name, usual] of Object.entries(KEPT)) {
    if (values[name] && values[name] !== usual) parameters.set(name, values[name]);
    else parameters.delete(name);
  }
  // Readable links: these characters are harmless in a fragment, and frequent in boards.
  return "#" + parameters.toString().replaceAll("%2F", "/").replaceAll("%2C", ",").replaceAll("%3A", ":");
}

function writeFragment(isStep) {
  const fragment = fragmentOf(store);
  if (fragment === location.hash) return;
  if (isStep) history.pushState(null, "", fragment);
  else history.replaceState(null, "", fragment);
}

/** Apply the fragment to the state, now and after each navigation. */
export function followFragment(openFile, openShared) {
  Object.assign(store, inAddress());
  const follow = async () => {
    const next = inAddress();
    if (next.v1 && next.v1 !== store.v1) return void (await openShared(next));
    if (next.file !== store.file && !(await openFile(next.file))) next.file = store.file;
    set(next);
  };
  window.addEventListener("popstate", follow);
  window.addEventListener("hashchange", follow);
}

/** Return the address of the current state, or of the given values. */
export function link(values = store) {
  return location.origin + location.pathname + fragmentOf({ ...KEPT, ...values });
}

/** Reset the state except the open file, the view and the walk; the Back button restores the old state. */
export function reset() {
  set({ ...KEPT, file: store.file, view: store.view, walk: store.walk }, { step: ALWAYS });
}
