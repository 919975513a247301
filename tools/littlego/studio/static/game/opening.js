// Import of boards and games: pasted, from a file, from the patterns' folder, from a tournament, or empty.
import { ask } from "../api.js";
import { announce } from "../announce.js";
import { useAnswer } from "../ask.js";
import { html, useState } from "../html.js";
import { STARTS } from "../sizes.js";

const LARGEST = 1_000_000; // characters of a file

/** onGame(answer) gets the game that `open_game` returns; a position counts as a game without moves. */
export function OpenPane({ onGame }) {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState("");
  const [tournament, setTournament] = useState(null); // {file, games}
  const files = useAnswer("game_files", {}, { text: false });
  const open = async (parameters) => {
    setProblem("");
    try {
      const answer = await ask("open_game", parameters);
      if (answer.games) setTournament({ file: parameters.file, games: answer.games });
      else {
        onGame(answer);
        if (answer.remarks?.length) announce(answer.remarks.join(" "), { problem: true });
      }
    } catch (found) {
      if (found.name === "AbortError") return;
      setProblem(found.message);
    }
  };
  const choose = async (event) => {
    const [file] = event.target.files;
    if (!file) return;
    if (file.size > LARGEST) return setProblem(`${file.name} is larger than a million bytes; expected one game.`);
    await open({ data: await base64(file) }); // bytes, because the server also decodes other encodings than UTF-8
    event.target.value = "";
  };
  const paste = (event) => (
    event.preventDefault(),
    text.trim() ? void open({ text }) : announce("Enter a board or a game first.")
  );
  return html`<section class="pane open-pane" aria-labelledby="open-title">
    <h2 id="open-title">Open</h2>
    <form onSubmit=${paste}>
      <label for="open-text">A board, an input.txt, or a game as SGF or JSON</label>
      <textarea
        id="open-text"
        rows="4"
        spellcheck=${false}
        value=${text}
        placeholder=". . X O ."
        onInput=${(event) => setText(event.target.value)}
      ></textarea>
      <div class="buttons">
        <button type="submit" class="main">Open</button>
        <label class="file-button"
          >From a file
          <input type="file" accept=".sgf,.json,.txt" onChange=${choose} />
        </label>
      </div>
    </form>
    ${problem && html`<p role="alert" class="problem">${problem}</p>`}
    <h3>Empty boards</h3>
    <div class="buttons" role="group" aria-label="Empty boards">
      ${Object.entries(STARTS).map(([one, title]) => html`<button type="button" key=${one} onClick=${() => open({ text: `${one};` })}>${title}</button>`)}
    </div>
    <${Files} names=${files.answer?.files ?? []} onOpen=${(file) => open({ file })} />
    ${tournament && html`<${Tournament} ...${tournament} onOpen=${(number) => open({ file: tournament.file, number })} />`}
  </section>`;
}

/** Return a file's bytes in base64. */
async function base64(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const parts = [];
  for (let at = 0; at < bytes.length; at += 8192) parts.push(String.fromCharCode(...bytes.subarray(at, at + 8192)));
  return btoa(parts.join(""));
}

function Files({ names, onOpen }) {
  if (!names.length) return null;
  return html`<h3>Files in this folder</h3>
    <ul class="hits">
      ${names.map((name) => html`<li key=${name}><button type="button" onClick=${() => onOpen(name)}>${name}</button></li>`)}
    </ul>`;
}

function Tournament({ file, games, onOpen }) {
  return html`<h3>Games of ${file}</h3>
    <ol class="moves" tabindex="0" aria-label=${`The games of ${file}`}>
      ${games.map(
        (one) =>
          html`<li key=${one.number}>
            <button type="button" class="plain" onClick=${() => onOpen(one.number)}>
              ${one.number}: ${one.black} against ${one.white}, ${one.result}, ${one.moves} moves
            </button>
          </li>`,
      )}
    </ol>`;
}
