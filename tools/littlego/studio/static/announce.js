// Announcements of the page: in a live region for screen readers, and in a line that disappears.
import { html, useEffect, useState } from "./html.js";

const SECONDS = 6; // until a line disappears
const tellers = []; // the callbacks of the visible regions; the callback of an open dialog is last
let early = null; // an announcement made before the first region existed
let count = 0;

/** Announce an event; a problem stays until the user dismisses it or another announcement replaces it. */
export function announce(text, { problem = false } = {}) {
  const said = { text, problem, number: ++count };
  if (tellers.length) tellers.at(-1)(said);
  else early = said;
}

/**
 * The live region, with the last announcement. A dialog has its own region, because everything outside an open dialog
 * is inert.
 */
export function Announcements() {
  const [said, setSaid] = useState(null);
  useEffect(() => {
    tellers.push(setSaid);
    if (early) setSaid(early);
    early = null;
    return () => tellers.splice(tellers.indexOf(setSaid), 1);
  }, []);
  useEffect(() => {
    if (!said || said.problem) return undefined;
    const timer = setTimeout(() => setSaid(null), SECONDS * 1000);
    return () => clearTimeout(timer);
  }, [said]);
  return html`<div class="announcements">
    <p role="status" aria-live="polite">${said && !said.problem ? said.text : ""}</p>
    <p role="alert" class="problem">
      ${
        said?.problem &&
        html`<span key=${said.number}>${said.text}</span>
          <button type="button" onClick=${() => setSaid(null)}>Dismiss</button>`
      }
    </p>
  </div>`;
}
