// The command line for a pane's contents, to read, copy, and paste into an issue.
import { announce } from "./announce.js";
import { html } from "./html.js";

/** Copy a text to the clipboard, and announce the result. */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    announce(`${what} was copied.`);
  } catch {
    announce(`The browser does not allow copying. Copy the text by hand: ${text}`, { problem: true });
  }
}

/** command: an answer's command; '' shows nothing. */
export function CommandLine({ command }) {
  if (!command) return null;
  return html`<details class="command">
    <summary>On the command line</summary>
    <code>${command}</code> <button type="button" onClick=${() => copy(command, "The command")}>Copy</button>
  </details>`;
}
