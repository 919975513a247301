// What the page shows, in one store: every part of it that a link should carry is kept in the URL's fragment.
import { useEffect, useState } from "./html.js";

// The parts that are kept in the fragment, each with the value that is left out of it.
const KEPT = { file: "", view: "pattern", pattern: "", board: "", move: "", game: "", step: "", walk: "", page: "" };
// A change of one of these is a step for the browser's Back button; of the others it is not.
const STEPS = ["file", "view", "pattern", "page"];

const ALWAYS = "always";

const store = {
  ...KEPT,
  ruleset: "little-go", // of the open file
  atHand: "", // the position that the views are about, also where no other was chosen
  placement: {}, // of the pattern on it, as {symmetry, place}, where one is shown
  revision: 0, // of its text, as the server knows it
  saved: true, // whether the text is that of the file
  demo: false, // whether this is `littlego studio --demo`, with its guided walk
  files: [], // that can be opened
  readonly: "", // why the file cannot be written, "" where it can
  parted: "", // "changed" or "gone": what became of the file on the disk, where the text here has not followed
  online: true, // whether the server answers
  undoable: 0, // steps that undo can take back, and redo make again
  redoable: 0,
};
const listeners = new Set();

/** Return the state as it is now, to be read only. */
export function get() {
  return store;
}

/**
 * Change parts of the state; all that listen are told, and the fragment follows. step: false where that is nothing that
 * the Back button should return from.
 */
export function set(part, { step = true } = {}) {
  const changed = Object.keys(part).filter((name) => !Object.is(store[name], part[name]));
  if (!changed.length) return;
  const isMain = (name) => step === ALWAYS || (STEPS.includes(name) && store[name]); // the first file is where one begins
  const isStep = step && changed.some(isMain);
  Object.assign(store, part);
  if (changed.some((name) => name in KEPT)) writeFragment(isStep);
  for (const listener of [...listeners]) listener(store, changed);
}

/** Call a function with the state and the names of what changed, after each change; return what ends that. */
export function subscribe(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A hook: what a selector picks of the state, drawn anew when it changes. */
export function useStore(selector) {
  const [picked, setPicked] = useState(() => selector(store));
  useEffect(() => {
    const look = () => setPicked(() => selector(store));
    look(); // it may have changed between the first drawing and now
    return subscribe(look);
  }, []);
  return picked;
}

function readFragment() {
  const kept = {};
  const parameters = new URLSearchParams(location.hash.slice(1));
  for (const name of Object.keys(KEPT)) kept[name] = parameters.get(name) ?? KEPT[name];
  return { ...kept, file: kept.file || store.file }; // a link without a file means the one that is open
}

function fragmentOf(values) {
  const parameters = new URLSearchParams(location.hash.slice(1)); // what others keep there stays, such as the token
  for (const [name, usual] of Object.entries(KEPT)) {
    if (values[name] && values[name] !== usual) parameters.set(name, values[name]);
    else parameters.delete(name);
  }
  // Readable links: these characters mean nothing in a fragment, and boards are full of them.
  return "#" + parameters.toString().replaceAll("%2F", "/").replaceAll("%2C", ",").replaceAll("%3A", ":");
}

function writeFragment(isStep) {
  const fragment = fragmentOf(store);
  if (fragment === location.hash) return;
  if (isStep) history.pushState(null, "", fragment);
  else history.replaceState(null, "", fragment);
}

/** Take over what the fragment says, now and whenever the browser goes back or a link is followed. */
export function followFragment(openFile) {
  Object.assign(store, readFragment());
  const follow = async () => {
    const next = readFragment();
    if (next.file !== store.file && !(await openFile(next.file))) next.file = store.file;
    set(next);
  };
  window.addEventListener("popstate", follow);
  window.addEventListener("hashchange", follow);
}

/** Return the address that opens the studio as it is now. */
export function link() {
  return location.origin + location.pathname + fragmentOf(store);
}

/** Forget what was chosen, the open file apart; the Back button brings it back. */
export function reset() {
  set({ ...KEPT, file: store.file, view: store.view, walk: store.walk }, { step: ALWAYS });
}
