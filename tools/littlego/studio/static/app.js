// The page: the parts common to all views, and its start.
import { Announcements, announce } from "./announce.js";
import { compile } from "./compile.js";
import { Dialogs, openDialog } from "./dialogs.js";
import { redoStep, undoStep } from "./document.js";
import { useAnswer } from "./ask.js";
import { copyLink } from "./shared.js";
import { openExport } from "./export.js";
import {
  CHANGED,
  beginDocument,
  fileState,
  openFile,
  openShared,
  reconcile,
  revert,
  save,
  watchFile,
} from "./files.js";
import { keepFocus, whenOff } from "./focus.js";
import { classes, html, render, useEffect, useRef } from "./html.js";
import { KeysDialog, listenForKeys, useKeys } from "./keys.js";
import { followFragment, get, link, reset, set, useStore } from "./state.js";
import { allViews, loadViews, viewOf } from "./views.js";
import { Walk, beginWalk, isWalkOpen } from "./walk.js";
import { Welcome } from "./welcome.js";

function resetView() {
  reset();
  announce(
    "The view is reset: board, game, pattern and move are cleared; the text is unchanged. The browser's Back button restores the view.",
  );
}

/** Move the focus to the next part of the page, as F6 does in a browser's window. */
function nextPane(by) {
  const panes = [...document.querySelectorAll(".pane")];
  const at = panes.findIndex((pane) => pane.contains(document.activeElement));
  const next = panes[(Math.max(at, by > 0 ? -1 : 0) + by + panes.length) % panes.length];
  const inside = "button:not(:disabled):not([tabindex='-1']), input, select, textarea, [tabindex='0'], .cm-content";
  (next?.querySelector(inside) ?? next)?.focus();
}

const showKeys = () => openDialog(KeysDialog);

/** Return the handler of an undo key. In a text field, the key keeps its usual meaning. */
const unlessTyped = (step) => (event) =>
  event.target.matches?.("input:not([type]), input[type=text], textarea") ? false : step();

function commands() {
  return [
    { key: "?", title: "Show keyboard shortcuts", run: () => void showKeys() },
    { key: "Ctrl-s", title: "Save the file", run: () => void save() },
    { key: "Ctrl-Shift-s", title: "Save and compile", run: () => void compile() },
    { key: "Ctrl-z", title: "Undo, in text, form, drawing and board", run: unlessTyped(undoStep) },
    { key: ["Ctrl-Shift-z", "Ctrl-y"], title: "Redo", run: unlessTyped(redoStep) },
    { key: "F6", title: "Next part of the page", run: () => nextPane(1) },
    { key: "Shift-F6", title: "Previous part of the page", run: () => nextPane(-1) },
    { key: "x", title: "Export the board as text, SVG or SGF", run: () => void openExport() },
    { key: "l", title: "Copy a link to this view", run: () => void copyLink() },
    ...allViews().map((view) => ({
      key: view.key,
      title: `Go to ${view.title}`,
      run: () => set({ view: view.id }),
    })),
  ];
}

function Tabs() {
  const shown = useStore((state) => viewOf(state.view).id);
  return html`<nav aria-label="Views">
    ${allViews().map(
      (view) =>
        html`<a
          key=${view.id}
          href=${"#view=" + view.id}
          aria-current=${view.id === shown ? "page" : null}
          onClick=${(event) => {
            event.preventDefault();
            set({ view: view.id });
          }}
          >${view.title}</a
        >`,
    )}
  </nav>`;
}

function Tools() {
  const undoable = useStore((state) => state.undoable);
  const redoable = useStore((state) => state.redoable);
  const saved = useStore((state) => state.saved && !state.parted);
  const isWalking = useStore(isWalkOpen); // the open step of the walk has the main button
  return html`<div class="tools" role="group" aria-label="Tools">
    <button type="button" class=${classes(!saved && !isWalking && "main")} ...${whenOff(saved, () => save())}>Save</button>
    <button type="button" title="Restore the saved text" ...${whenOff(saved, () => void revert())}>Revert</button>
    <button type="button" onClick=${compile}>Compile</button>
    <button type="button" ...${whenOff(!undoable, undoStep)}>Undo</button>
    <button type="button" ...${whenOff(!redoable, redoStep)}>Redo</button>
    <button type="button" onClick=${copyLink}>Copy link</button>
    <button type="button" title="Clear board, game, pattern and move; the text does not change" onClick=${resetView}>Reset view</button>
    <button type="button" aria-keyshortcuts="?" onClick=${showKeys}>Shortcuts</button>
  </div>`;
}

function File() {
  const file = useStore((state) => state.file);
  const files = useStore((state) => state.files);
  const told = useStore(fileState);
  const parted = useStore((state) => state.parted);
  const names = files.includes(file) ? files : [file, ...files];
  return html`<p class="file">
    <select aria-label="The open file" value=${file} onChange=${(event) => openFile(event.target.value)}>
      ${names.map((name) => html`<option key=${name} value=${name}>${name}</option>`)}
    </select>
    <span class="muted" data-told="file">${told}</span>
    ${parted === CHANGED && html`<button type="button" class="main" onClick=${() => reconcile("")}>File changed …</button>`}
  </p>`;
}

/** The page embedded in another page: a pattern on its board, and a link to the playground. */
function Embedded({ view }) {
  const pattern = useStore((state) => state.pattern);
  const address = useStore((state) => link({ ...state, file: "", embed: "" }));
  const { answer } = useAnswer("outline", {});
  const summary = answer?.entries.find((one) => one.id === pattern)?.summary;
  return html`<main id="main" class=${"embed view-" + view.id}>
      <p><strong>${pattern}</strong> ${summary} <a href=${address} target="_blank">Open in the playground</a></p>
      <${Shown} view=${view} />
    </main>`;
}

function App() {
  const isEmbedded = useStore((state) => state.embed === "1");
  const view = useStore((state) => viewOf(state.view));
  return isEmbedded ? html`<${Embedded} view=${view} />` : html`<${Whole} view=${view} />`;
}

function Whole({ view }) {
  const main = useRef(null);
  useKeys(commands());
  useEffect(() => {
    document.title = `${view.title} · ${get().file || "Little-Go studio"}`;
  }, [view]);
  return html`<a class="skip" href="#main" onClick=${(event) => (event.preventDefault(), main.current.focus())}
      >Skip to content</a
    >
    <header class="top">
      <h1>Little-Go studio</h1>
      <${File} />
      <${Tabs} />
      <${Tools} />
    </header>
    <${Walk} />
    <${Welcome} />
    <main id="main" ref=${main} tabindex="-1" aria-label=${view.title} class=${"view-" + view.id}><${Shown} view=${view} /></main>
    <${Announcements} />
    <${Dialogs} />`;
}

/**
 * The view, in a component that never redraws by itself. The properties of `main` keep the element of its child. If the
 * child's component redrew by itself, this element would keep all elements that were ever drawn.
 */
function Shown({ view }) {
  return html`<${view.component} key=${view.id} />`;
}

/** Start the page: load the views and the open file, then draw. */
export async function begin(root) {
  followFragment(openFile, openShared);
  try {
    await Promise.all([loadViews(), beginDocument()]);
  } catch (problem) {
    render(html`<p role="alert" class="problem">${problem.message}</p>`, root);
    throw problem;
  }
  beginWalk(get());
  root.replaceChildren();
  render(html`<${App} />`, root);
  listenForKeys();
  keepFocus();
  watchFile();
}
