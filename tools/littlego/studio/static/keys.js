// The keyboard: each component declares its keys, and `?` lists all active keys.
import { html, useEffect, useRef } from "./html.js";
import { Dialog } from "./dialogs.js";

const declared = []; // {keys, title, run, group}; the last entry with a key wins

/** Whether the target is a text field, in which letters are not commands. */
export function isTyping(target) {
  return Boolean(target.closest?.("input, textarea, select, [contenteditable], .cm-editor, [data-typing]"));
}

/** Return a key's name in the syntax of useKeys: `Ctrl-s`, `Shift-n`, `?`, `ArrowLeft`. */
export function nameOf(event) {
  const shift = event.shiftKey && (event.key.length > 1 || /^\p{Lu}$/u.test(event.key) || event.key === " ");
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const control = event.ctrlKey || event.metaKey ? "Ctrl-" : "";
  return control + (event.altKey ? "Alt-" : "") + (shift ? "Shift-" : "") + key;
}

/**
 * A hook: keys that are active while the component is shown. list: {key, title, run, group}; `key` is one or several
 * names as returned by `nameOf`; if `run(event)` returns false, the key keeps its usual meaning.
 */
export function useKeys(list) {
  const latest = useRef(list);
  latest.current = list;
  useEffect(() => {
    const entries = list.map((one, index) => ({
      ...one,
      keys: [one.key].flat(),
      run: (event) => latest.current[index].run(event),
    }));
    declared.push(...entries);
    return () => entries.forEach((entry) => declared.splice(declared.indexOf(entry), 1));
  }, []);
}

function press(event) {
  if (event.defaultPrevented || event.isComposing) return;
  const name = nameOf(event);
  const isText = isTyping(event.target) && !name.startsWith("Ctrl-") && !/^((Alt-)?(Shift-)?F\d+|Alt-\d)$/.test(name);
  if (isText || document.querySelector("dialog[open]")) return;
  for (const entry of [...declared].reverse()) {
    if (!entry.keys.includes(name) || entry.run(event) === false) continue;
    event.preventDefault();
    return;
  }
}

/** Listen for all declared keys; call once. */
export function listenForKeys() {
  window.addEventListener("keydown", press);
}

// Keys of a grid of cells that has the focus.
const IN_GRIDS = [
  ["A drawing", ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"], "Move between cells"],
  ["A drawing", ["Enter", " "], "Next symbol; with Shift the previous symbol"],
  ["A drawing", ["X", "O", "x", "o", ".", "?", "*"], "Draw this symbol"],
  ["A drawing", ["A", "B", "C"], "Label the cell; Backspace removes the label"],
  ["A board", ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"], "Move between points"],
  ["A board", ["Enter", "!"], "Explain why the pattern does not fire here"],
  ["A board", ["X", "O", "."], "Set or remove a stone"],
].map(([group, keys, title]) => ({ group, keys, title }));

const SHOWN = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", " ": "Space" };

/** Return a key's display name. */
export function shownKey(name) {
  const parts = name.split(/-(?=.)/);
  const last = parts.pop();
  const shown = SHOWN[last] ?? (last.length === 1 && parts.length ? last.toUpperCase() : last);
  return [...parts, shown].join(" + ");
}

/** Return the keys of an entry for the list; for a row of digits, only the first and the last. */
function keysOf({ keys }) {
  return keys.length > 6 && keys.every((key) => /^\d$/.test(key)) ? [`${keys[0]} … ${keys.at(-1)}`] : keys;
}

/** The list of all active keys, in groups. */
export function KeysDialog({ onClose }) {
  const groups = new Map([["Everywhere", []]]); // first, because these are always active
  for (const entry of [...declared, ...IN_GRIDS]) {
    const group = entry.group ?? "Everywhere";
    groups.set(group, [...(groups.get(group) ?? []), entry]);
  }
  return html`<${Dialog} title="Keyboard shortcuts" wide onClose=${onClose}>
    <div class="key-groups">
    ${[...groups].map(
      ([group, entries]) =>
        html`<section key=${group}>
          <h3>${group}</h3>
          <dl class="keys">
            ${entries.map(
              (entry) =>
                html`<div key=${entry.title}>
                  <dt>${keysOf(entry).map((key) => html`<kbd key=${key}>${shownKey(key)}</kbd> `)}</dt>
                  <dd>${entry.title}</dd>
                </div>`,
            )}
          </dl>
        </section>`,
    )}
    </div>
  <//>`;
}
