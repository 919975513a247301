// The pages view: gallery, coverage, tournaments and gradings, as the commands write them, with links to the patterns.
import { ask } from "../api.js";
import { announce } from "../announce.js";
import { useAnswer } from "../ask.js";
import { CommandLine } from "../command.js";
import { SurveyNote, useSurvey } from "../effects/coverage.js";
import { keepGame } from "../game/kept.js";
import { html, useEffect, useRef, useState } from "../html.js";
import { useKeys } from "../keys.js";
import { Frame } from "../pages/frame.js";
import { Making, usePage } from "../pages/making.js";
import { set, useStore } from "../state.js";
import { register } from "../views.js";

const SOLVED = 16; // maximum number of moves left at which the solver searches for losing moves

/** Return [kind, file] of the page in the address: `gallery`, or `arena roles.sqlite`. */
function readPage(page) {
  const [kind, ...rest] = page.split(" ");
  return [kind || "gallery", rest.join(" ")];
}

function PagesView() {
  const page = useStore((state) => state.page);
  const pattern = useStore((state) => state.pattern);
  const [words, setWords] = useState("");
  const [found, setFound] = useState([0, 0]); // [matching cards, all cards]
  const [again, setAgain] = useState(0);
  const [left, setLeft] = useState(0);
  const survey = useSurvey();
  const files = useAnswer("page_files", {}, { text: false, again }).answer ?? { arena: [], grading: [] };
  const outline = useAnswer("outline", {}, { text: false, again });
  const [kind, file] = readPage(page);
  const made = usePage(
    kind,
    { gallery: {}, coverage: survey, grading: { file }, arena: { file, left } }[kind] ?? {},
    again,
  );
  const field = useRef(null);
  useEffect(() => (setWords(""), setFound([0, 0])), [page]);
  useKeys([
    { key: "/", title: "Search the page", group: "Pages", run: () => (field.current ? field.current.focus() : false) },
  ]);
  const choose = (next) => (setLeft(0), set({ page: next === "gallery" ? "" : next }));
  const choices = [
    ["gallery", "Gallery"],
    ["coverage", "Coverage"],
    ...files.arena.map((name) => [`arena ${name}`, `Tournament ${name}`]),
    ...files.grading.map((name) => [`grading ${name}`, `Grading ${name}`]),
  ];
  const shown = choices.find(([value]) => value === (page || "gallery"))?.[1] ?? page;
  const ids = (outline.answer?.entries ?? []).map((entry) => entry.id);
  return html`<div class="pages-view">
    <section class="pane" aria-labelledby="pages-title">
      <h2 id="pages-title">Pages</h2>
      <div class="buttons" role="group" aria-label="Page">
        ${choices.map(
          ([value, title]) =>
            html`<button type="button" key=${value} aria-pressed=${value === (page || "gallery")} onClick=${() => choose(value)}>
              ${title}
            </button>`,
        )}
        <button type="button" onClick=${() => setAgain(again + 1)}>Rebuild</button>
        ${
          kind === "arena" &&
          html`<button type="button" aria-pressed=${left > 0} onClick=${() => setLeft(left ? 0 : SOLVED)}>
            Find losing moves
          </button>`
        }
      </div>
      ${
        found[1] > 0 &&
        html`<p class="buttons">
          <label class="inline">Search <input type="search" ref=${field} value=${words} aria-keyshortcuts="/" placeholder="id, word or fact" onInput=${(event) => setWords(event.target.value)} /></label>
          <span role="status" class="muted" data-found=${found[0]}>${words && `${found[0]} of ${found[1]}`}</span>
        </p>`
      }
      ${kind === "coverage" && html`<${SurveyNote} />`}
      <${Making} ...${{ kind, page: made, pattern, onPattern: goToPattern }} />
      <p role="status" class="muted" data-page=${made.html ? kind : null}>${toldOf(made)}</p>
      ${made.problem && html`<p class="problem" role="alert">${made.problem}</p>`}
      <${CommandLine} command=${made.command} />
    </section>
    ${made.html && html`<${Frame} title=${shown} page=${made.html} ...${{ ids, words }} onFound=${setFound} onClear=${() => setWords("")} onPattern=${goToPattern} onGame=${(name) => openGame(kind, file, name)} />`}
  </div>`;
}

function toldOf({ html: made, problem, work }) {
  if (problem || work?.problem) return "";
  if (made) return "Click a pattern's id to open the pattern, or a game's number to open the game.";
  return work && !work.isRunning ? "The page was not built." : "Building the page …";
}

const goToPattern = (pattern) => set({ view: "pattern", pattern });

/** Open a game that a page links to: games/game-7.sgf of a tournament, games/outcome-7 of a grading. */
async function openGame(kind, file, name) {
  const number = Number(/(\d+)(\.sgf)?$/.exec(name)?.[1]);
  try {
    const found = await ask(kind === "arena" ? "open_game" : "grading_game", { file, number });
    set({ view: "board", game: keepGame(found).game, step: "", move: "" });
  } catch (why) {
    announce(why.message, { problem: true });
  }
}

register({ id: "pages", title: "Pages", key: "Alt-4", component: PagesView });
