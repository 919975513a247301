// The export of the board and the game: as text for the commands, as a picture, as SGF; copied or saved as a file.
import { Problem, ask } from "./api.js";
import { announce } from "./announce.js";
import { CommandLine, copy } from "./command.js";
import { Dialog, openDialog } from "./dialogs.js";
import { knownGame } from "./game/kept.js";
import { html } from "./html.js";
import { embedding } from "./shared.js";
import { get } from "./state.js";

const SGF = [
  "sgf",
  "SGF",
  "game.sgf",
  "application/x-go-sgf",
  "The game, or the board as a set-up position, for other Go programs.",
];
const FORMS = [
  ["text", "Text", "board.txt", "text/plain", "A drawing of the board that `littlego explain` can read."],
  ["svg", "SVG", "board.svg", "image/svg+xml", "A picture of the board, for web pages and documents."],
  SGF,
  ["embed", "HTML", "board.html", "text/html", "The pattern on this board, for another page."],
];

let drawn = null;

/**
 * Set the board to export. shown: {atHand, position}. `position` is the board shown. If the game is over, `atHand` is
 * the position before the last move.
 */
export function handOut(shown) {
  drawn = shown;
}

/** Ask for the format, and export the current position. */
export const openExport = () =>
  handedOut((answer) => openDialog(Export, { answer, what: get().game ? "the game" : "the board" }));

/** Save the current game as an SGF file. */
export const saveSgf = () => handedOut(({ sgf }) => download(sgf, SGF[2], SGF[3]));

async function handedOut(use) {
  const { atHand, move, game, view } = get();
  const position = view === "board" && drawn?.atHand === atHand ? drawn.position : atHand;
  const found = knownGame(game); // the text alone has no names, reasons or clocks
  const more = found && { players: found.players, said: all(found, "said"), left: all(found, "left") };
  try {
    const answer = await ask("export", { position, move: /^\d/.test(move) ? move : "", game, ...more });
    use({ ...answer, embed: view === "pattern" ? await embedding() : "" });
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    announce(problem.message, { problem: true });
  }
}

const all = ({ moves }, name) => moves.map((one) => one[name]);

/** The export button. */
export function ExportButton() {
  return html`<button type="button" aria-keyshortcuts="x" onClick=${openExport}>Export …</button>`;
}

function Export({ answer, what, onClose }) {
  return html`<${Dialog} title="Export the board" onClose=${onClose}>
    ${FORMS.filter(([form]) => answer[form]).map(
      ([form, title, file, type, about]) =>
        html`<section key=${form} class="export">
          <h3>${title}</h3>
          <p class="muted">${about}</p>
          ${form === "svg" ? html`<${Preview} svg=${answer.svg} />` : html`<pre tabindex="0" aria-label=${`${title} of ${what}`}>${answer[form]}</pre>`}
          <p class="buttons">
            <button type="button" onClick=${() => copy(answer[form], `The ${title.toLowerCase()} of ${what}`)}>Copy ${title}</button>
            <button type="button" onClick=${() => download(answer[form], file, type)}>Save ${file}</button>
          </p>
          ${form === "text" && html`<${CommandLine} command=${answer.command} />`}
        </section>`,
    )}
  <//>`;
}

function Preview({ svg }) {
  return html`<img class="export-picture" alt="The board" src=${`data:image/svg+xml,${encodeURIComponent(svg)}`} />`;
}

function download(text, name, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = Object.assign(document.createElement("a"), { href: address, download: name });
  link.click();
  URL.revokeObjectURL(address);
  announce(`${name} is in the browser's download folder.`);
}
