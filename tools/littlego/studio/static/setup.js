// A small form for the values beside a board: side to move, moves left, previous board, prisoners, last moves.
import { Problem } from "./api.js";
import { askBeside } from "./ask.js";
import { Board } from "./board.js";
import { setBoard } from "./document.js";
import { html, useState } from "./html.js";
import { isMatch, nextStone, readPosition, toMove, writePosition } from "./position.js";
import { get, set } from "./state.js";

const POINT = "[0-9]+ *, *[0-9]+|pass";

/**
 * values: {colour, left, previous, prisoners, last, own_last}, each null for its default. `previous` has rows. `prisoners` has
 * the numbers of prisoners that X and O hold. rows: the current board. inMatch: whether the match ruleset applies.
 * onSet(name, value) makes a change.
 */
export function Setup({ values, rows, inMatch, problem, onSet }) {
  const { colour, left, previous, prisoners } = values;
  const held = prisoners ?? [0, 0];
  const number = (text) => (text === "" ? null : Number(text));
  const hold = (at) => (text) => onSet("prisoners", at ? [held[0], number(text) ?? 0] : [number(text) ?? 0, held[1]]);
  const field = (name, control) => html`<label class="field"><span>${name}</span>${control}</label>`;
  const played = (key, name) =>
    field(
      name,
      html`<${Typed} pattern=${POINT} value=${values[key] ?? ""} placeholder="row,column" onTyped=${(text) => onSet(key, text.trim() || null)} />`,
    );
  return html`<div class="form setup">
    ${field(
      "to move",
      html`<select value=${colour} onChange=${(event) => onSet("colour", event.target.value)}>
        <option value="black">Black</option>
        <option value="white">White</option>
      </select>`,
    )}
    ${
      !inMatch &&
      field(
        "moves left",
        html`<${Typed} type="number" min="1" max="24" value=${left ?? ""} placeholder="maximum" onTyped=${(text) => onSet("left", number(text))} />`,
      )
    }
    ${inMatch && field("prisoners of X", html`<${Typed} type="number" min="0" value=${held[0]} onTyped=${hold(0)} />`)}
    ${inMatch && field("prisoners of O", html`<${Typed} type="number" min="0" value=${held[1]} onTyped=${hold(1)} />`)}
    ${inMatch && played("last", "opponent's last move")} ${inMatch && played("own_last", "own last move")}
    <${Before} ...${{ previous, rows, onSet }} />
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
  </div>`;
}

/** A field whose text survives redraws during typing; onTyped(text) is called when typing ends. */
function Typed({ value, onTyped, ...rest }) {
  const [typed, setTyped] = useState(null);
  const done = ({ target }) => {
    setTyped(null);
    if (target.reportValidity()) onTyped(target.value);
  };
  return html`<input ...${rest} value=${typed ?? value} onInput=${(event) => setTyped(event.target.value)} onChange=${done} />`;
}

/** The board before the last move, for ko and passes, beside the current board. */
function Before({ previous, rows, onSet }) {
  const put = (row, column, stone) => {
    const line = previous[row];
    onSet("previous", previous.with(row, line.slice(0, column) + stone + line.slice(column + 1)));
  };
  const click = (row, column, event) => put(row, column, event.shiftKey ? "." : nextStone(previous[row][column]));
  const press = (key, row, column) => ["X", "O", "."].includes(key) && (put(row, column, key), true);
  if (!previous)
    return html`<p class="buttons">
      <button type="button" onClick=${() => onSet("previous", rows)}>Add previous board</button>
    </p>`;
  return html`<div class="before">
    <p>The board before the last move; the same board means a pass. Click to set a stone: X, O, none.</p>
    <${Board} name="The board before the last move" stones=${previous} onPoint=${click} onKey=${press} />
    <p class="buttons"><button type="button" onClick=${() => onSet("previous", null)}>Remove board</button></p>
  </div>`;
}

/** Return the fields of a position's text as values for Setup. */
export function setupOf(position) {
  const { fields } = readPosition(position);
  const of = (name) => fields.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
  return {
    colour: toMove(position),
    left: of("left"),
    previous: of("previous")?.split("/") ?? null,
    prisoners: of("prisoners")?.split(",").map(Number) ?? null,
    last: of("last"),
    own_last: of("own_last"),
  };
}

/** Return a position's text with the value `name` changed, without fields that become invalid. */
export function withSetup(position, name, value) {
  const { rows, fields } = readPosition(position);
  const gone = {
    colour: /^(black|white|left=.*|previous=.*|last=.*|own_last=.*)$/,
    previous: /^(previous|last)=/,
    last: /^(last|previous)=/,
  };
  const kept = fields.filter((one) => !(gone[name] ?? new RegExp(`^${name}=`)).test(one));
  const told = { colour: value, previous: `previous=${value && [value].flat().join("/")}` };
  const said = value === null ? [] : [told[name] ?? `${name}=${String(value).replaceAll(" ", "")}`];
  return writePosition({ rows, fields: name === "colour" ? [...said, ...kept] : [...kept, ...said] });
}

/** The form for the current position, whose changes the server checks. */
export function SetupOfBoard({ position }) {
  const [wrong, setWrong] = useState({ about: "", text: "" });
  const { rows } = readPosition(position);
  const put = async (name, value) => {
    try {
      const { positions } = await askBeside("game", { game: `${withSetup(position, name, value)};` });
      set({ game: "", step: "", move: "" });
      setBoard(positions[0]);
      setWrong({ about: "", text: "" });
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      if (problem.code !== "stale") setWrong({ about: position, text: problem.message });
    }
  };
  return html`<details class="setup-of-board">
    <summary>Side to move, moves left, previous board</summary>
    <${Setup}
      values=${setupOf(position)}
      rows=${rows}
      inMatch=${isMatch(position, get().ruleset)}
      problem=${wrong.about === position ? wrong.text : ""}
      onSet=${put}
    />
  </details>`;
}
