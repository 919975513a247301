// Dialogs: one at a time, with the browser's dialog element, which traps the focus and closes on Escape.
import { Announcements } from "./announce.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "./html.js";

let show = () => {};

/**
 * Open a dialog. `component` gets the function `onClose(value)`. Return a promise of the value, null if the user
 * dismisses the dialog.
 */
export function openDialog(component, properties = {}) {
  return new Promise((resolve) => show({ component, properties, resolve }));
}

/** Ask a question with buttons, [[value, title]...]; return the chosen value, or null. */
export function choose(title, text, buttons) {
  return openDialog(Choice, { title, text, buttons });
}

function Choice({ title, text, buttons, onClose }) {
  return html`<${Dialog} title=${title} onClose=${onClose}>
    ${text.split("\n").map((line) => html`<p key=${line}>${line}</p>`)}
    <p class="buttons">
      ${buttons.map(
        ([value, label], index) =>
          html`<button type="button" key=${value} class=${index ? "" : "main"} onClick=${() => onClose(value)}>
            ${label}
          </button>`,
      )}
    </p>
  <//>`;
}

/** A modal dialog with a title; Escape and its Close button return null. */
export function Dialog({ title, children, onClose, wide = false }) {
  const element = useRef(null);
  useLayoutEffect(() => {
    const before = document.activeElement;
    const dialog = element.current;
    dialog.showModal(); // immediately, because the next key may be Escape
    return () => {
      dialog.close(); // first, because no element outside an open dialog can have the focus
      (before?.isConnected ? before : document.getElementById("main"))?.focus();
    };
  }, []);
  const cancel = (event) => {
    event.preventDefault();
    onClose(null);
  };
  return html`<dialog ref=${element} class=${wide ? "wide" : ""} aria-labelledby="dialog-title" onCancel=${cancel}>
    <header>
      <h2 id="dialog-title">${title}</h2>
      <button type="button" onClick=${() => onClose(null)}>Close</button>
    </header>
    ${children}
    <${Announcements} />
  </dialog>`;
}

/** The container of dialogs. */
export function Dialogs() {
  const [open, setOpen] = useState(null);
  useEffect(() => {
    show = setOpen;
    return () => (show = () => {});
  }, []);
  if (!open) return null;
  const close = (value) => {
    setOpen(null);
    open.resolve(value ?? null);
  };
  return html`<${open.component} ...${open.properties} onClose=${close} />`;
}
