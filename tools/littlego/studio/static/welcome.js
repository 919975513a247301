// The welcome panel of a page that strangers open by a link: an explanation of the page, and three things to try.
import { html, useState } from "./html.js";
import { SHARES } from "./link.js";
import { set, useStore } from "./state.js";

const NAME = "littlego-welcomed"; // in the browser's storage: the panel was closed

/** The welcome panel; nothing in the installed studio, or after the user closed the panel. */
export function Welcome() {
  const [isClosed, setClosed] = useState(!SHARES || isKept());
  const pattern = useStore((state) => state.pattern);
  const close = () => (setClosed(true), keep());
  if (isClosed) return null;
  return html`<section class="pane welcome" aria-labelledby="welcome-title">
    <h2 id="welcome-title">A pattern fires on a board</h2>
    <p>
      The player chooses its moves by patterns. This page shows one, ${pattern || "…"}, and a board on which it fires: ✱
      marks the move. Python runs in your browser, and nothing is sent.
    </p>
    <ol>
      <li>Click another point of the board: the page says why the pattern does not fire there.</li>
      <li>Change a number in the form: board and findings follow while you type.</li>
      <li>
        <button type="button" class="plain" onClick=${() => set({ view: "board" })}>Play against the patterns</button>, and
        ask why the player moves as it does.
      </li>
    </ol>
    <p class="buttons"><button type="button" onClick=${close}>Close</button></p>
  </section>`;
}

function isKept() {
  try {
    return localStorage.getItem(NAME) !== null;
  } catch {
    return false; // the browser stores nothing
  }
}

function keep() {
  try {
    localStorage.setItem(NAME, "1");
  } catch {
    // nothing can be stored, so the panel appears again at the next visit
  }
}
