// What the page tells: to a screen reader by a live region, to all by a line that goes by itself.
import { html, useEffect, useState } from "./html.js";

const SECONDS = 6; // that a line stays
const tellers = []; // one of each region that is shown; the last one is that of a dialog, if there is any
let early = null; // what was said before there was a region to say it in
let count = 0;

/** Say something that happened; a problem stays until it is dismissed or followed by another. */
export function announce(text, { problem = false } = {}) {
  const said = { text, problem, number: ++count };
  if (tellers.length) tellers.at(-1)(said);
  else early = said;
}

/** The live region, with the last thing that was said. A dialog has one of its own: all outside of it is inert. */
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
