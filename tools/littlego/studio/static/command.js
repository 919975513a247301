// The command line that does what a pane shows: to be read, copied, and pasted into an issue.
import { announce } from "./announce.js";
import { html } from "./html.js";

/** Put a text on the clipboard, and say so. */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    announce(`${what} was copied.`);
  } catch {
    announce(`The browser does not allow copying. Copy it by hand: ${text}`, { problem: true });
  }
}

/** command: of an answer; nothing is shown where there is none. */
export function CommandLine({ command }) {
  if (!command) return null;
  return html`<details class="command">
    <summary>On the command line</summary>
    <code>${command}</code> <button type="button" onClick=${() => copy(command, "The command")}>Copy</button>
  </details>`;
}
