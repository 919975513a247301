// A new pattern from the current board: the smallest drawing that fires for a move, with two examples.
import { ask } from "../api.js";
import { Dialog, openDialog } from "../dialogs.js";
import { html, useState } from "../html.js";
import { Board } from "../board.js";
import { readPosition, toMove } from "../position.js";
import { set } from "../state.js";
import { editOrTell, sent } from "../sync.js";
import { NAME, explainName } from "./name.js";

/**
 * Ask for the id, summary, class and move, and insert the pattern into the text; return its id, "" if the author cancels
 * the dialog. name, summary, kind, move: the dialog's initial values. isEnough: whether the pattern gets enough points for the
 * move to be played.
 */
export async function createPattern({ board, move, name = "", summary = "", kind = "shape", isEnough = false }) {
  const { classes } = await ask("classes");
  const asked = await openDialog(NewPattern, { board, move, classes, name, summary, kind, isEnough });
  if (!asked) return "";
  const answer = await editOrTell("new_pattern", { position: board, enough: isEnough, ...asked });
  if (!answer) return "";
  await sent();
  set({ pattern: answer.pattern, move: asked.move });
  return answer.pattern;
}

function NewPattern({ board, move, classes, name, summary, kind, isEnough, onClose }) {
  const [wanted, setWanted] = useState({ name, summary, kind, move });
  const change = (name) => (event) => setWanted({ ...wanted, [name]: event.target.value });
  const changeName = (event) => (explainName(event.target), change("name")(event));
  const submit = (event) => {
    event.preventDefault();
    onClose(wanted);
  };
  return html`<${Dialog} title="New pattern" onClose=${onClose}>
    <form class="form" onSubmit=${submit}>
      <p>
        The pattern is the smallest drawing of the current board that fires for no other move. It gets an example that
        matches and an example that does not match. ${
          isEnough && "The pattern gets up to 100 points: enough for this move to be played, if points decide."
        }
      </p>
      <p>${wanted.move ? "The circle marks the pattern's move. Click another point to change the move." : "Click the pattern's move on the board."}</p>
      <${Board}
        name=${`The board of the new pattern, ${toMove(board)} to move`}
        stones=${readPosition(board).rows}
        marks=${{ [wanted.move.replaceAll(" ", "")]: "circle" }}
        onPoint=${(row, column) => setWanted({ ...wanted, move: `${row},${column}` })}
      />
      <div class="field">
        <label for="new-name">id</label>
        <input id="new-name" required pattern=${NAME} value=${wanted.name} onInput=${changeName} />
        <span class="help muted">lower-case letters and digits, words joined by hyphens: cut-the-corner-2</span>
      </div>
      <div class="field">
        <label for="new-summary">summary</label>
        <input id="new-summary" required placeholder="Capture stones at a point that would also give the opponent two eyes." value=${wanted.summary} onInput=${change("summary")} />
        <span class="help muted">one sentence: what the move does, and why that is good</span>
      </div>
      <div class="field">
        <label for="new-kind">class</label>
        <select id="new-kind" value=${wanted.kind} onChange=${change("kind")}>
          ${classes.map((one) => html`<option key=${one} value=${one}>${one}</option>`)}
        </select>
      </div>
      <div class="field">
        <label for="new-move">move</label>
        <input id="new-move" required pattern="[0-9]+ *, *[0-9]+" value=${wanted.move} onInput=${change("move")} />
        <span class="help muted">row,column, both from 0</span>
      </div>
      <p class="buttons"><button class="main">Create</button></p>
    </form>
  <//>`;
}
