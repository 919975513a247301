// The pattern's examples as boards with results, and buttons to duplicate, edit, remove and propose examples.
import { announce } from "../announce.js";
import { CommandLine } from "../command.js";
import { setBoard } from "../document.js";
import { whenOff } from "../focus.js";
import { classes, html, memo, useLatest, useState } from "../html.js";
import { nextStone, isMatch } from "../position.js";
import { set, useStore } from "../state.js";
import { editOr, editOrTell } from "../sync.js";
import { Board } from "../board.js";
import { Setup } from "../setup.js";
import { KINDS } from "./kinds.js";
import { Proposals } from "./proposals.js";

/**
 * pattern: the selected pattern; result: the result of useAnswer for `examples`: all examples of a pattern, each with
 * its verdict. Edits change the shown pattern, even while the answer about a newly selected pattern is on its way.
 */
export function ExamplesPane({ pattern, result: { answer, asked, problem, busy, revision } }) {
  const shown = JSON.parse(asked).pattern;
  const examples = answer?.examples ?? [];
  const counts = {}; // number of examples by kind
  for (const { kind } of examples) counts[kind] = (counts[kind] ?? 0) + 1;
  const failing = examples.filter((example) => example.finding).length;
  return html`<section class=${classes("pane", busy && "busy")} aria-labelledby="examples-title" data-examples=${revision}>
    <h2 id="examples-title">
      Examples
      <span class="muted">${failing ? `${failing} of ${examples.length} fail` : `${examples.length} pass`}</span>
    </h2>
    ${problem && html`<p class="problem">${problem.message}</p>`}
    <ul class="examples">
      ${examples.map(
        (example) =>
          html`<${Example} key=${shown + example.name} ...${{ pattern: shown, example, count: counts[example.kind] }} />`,
      )}
    </ul>
    <${CommandLine} command=${answer?.command} />
    <${Proposals} pattern=${pattern} />
  </section>`;
}

// The board is redrawn only when it changes, so that hundreds of points are not compared at every keystroke. An element
// in useMemo would keep in memory all elements that were ever drawn: see html.js.
const Drawing = memo(
  ({ name, drawn, move, onPoint, onKey }) =>
    html`<${Board} ...${{ name, onPoint, onKey }} stones=${drawn.split("/")} marks=${move ? { [move]: "move" } : {}} />`,
);

/**
 * count: the number of examples of the same kind. The example can be moved among them. An example is redrawn only if
 * its answer or `count` changes.
 */
const Example = memo(({ pattern, example, count }) => {
  const { kind, index, rows, asked, finding, problem } = example;
  const [isEdited, setEdited] = useState(false);
  const edit = (operation) => editOrTell("edit_example", { pattern, kind, index, ...operation });
  const atHand = () => {
    setBoard(example.position);
    set({ move: asked && asked !== "pass" ? asked : "" });
  };
  const shift = (by) => async (event) => {
    const { list, title } = { list: event.currentTarget.closest(".examples"), title: event.currentTarget.dataset.does };
    if (!(await edit({ op: by < 0 ? "up" : "down" }))) return;
    // The pressed button now belongs to another example, so the focus follows the example that moved.
    const names = [...list.children].map((one) => one.dataset.example);
    list.children[names.indexOf(example.name) + by]?.querySelector(`[data-does="${title}"]`)?.focus();
    announce(`Moved to place ${index + 1 + by} of ${count}.`);
  };
  const put = (row, column, symbol) => edit({ op: "cell", key: "board", row, column, symbol });
  const click = (row, column, event) => {
    if (!isEdited) atHand();
    else put(row, column, event.shiftKey ? "." : nextStone(rows[row][column]));
  };
  const press = (key, row, column) => {
    if (!isEdited || !["X", "O", "."].includes(key)) return false;
    put(row, column, key);
    return true;
  };
  return html`<li data-example=${example.name} class=${classes(finding && "failing")}>
    <p class=${finding ? "bad" : "good"} title=${`line ${example.line}`}>${KINDS[kind]} <strong>${asked ?? "anywhere"}</strong></p>
    <${Drawing}
      name=${`Example ${index + 1}, ${KINDS[kind]}, ${finding ? "fails" : "holds"}`}
      drawn=${rows.join("/")}
      move=${asked === "pass" ? null : asked}
      onPoint=${useLatest(click)}
      onKey=${useLatest(press)}
    />
    ${finding && problem && html`<p>${problem.text}</p>`}
    <div class="buttons">
      <button type="button" onClick=${atHand}>Show</button>
      <button type="button" aria-pressed=${isEdited} onClick=${() => setEdited(!isEdited)}>Edit</button>
      <button type="button" onClick=${() => edit({ op: "duplicate" })}>Duplicate</button>
      <button type="button" onClick=${() => edit({ op: "remove" })}>Remove</button>
      ${count > 1 && html`<button type="button" data-does="up" aria-label="Earlier" title="Earlier" ...${whenOff(index === 0, shift(-1))}>↑</button>`}
      ${count > 1 && html`<button type="button" data-does="down" aria-label="Later" title="Later" ...${whenOff(index === count - 1, shift(1))}>↓</button>`}
    </div>
    ${isEdited && html`<${Details} ...${{ pattern, example, edit }} />`}
  </li>`;
});

/** The editable values of an example besides its board: its kind, its move, and the game's state. */
function Details({ pattern, example: { kind, asked, index, rows, position, fields }, edit }) {
  const [refused, setRefused] = useState("");
  const [, redraw] = useState(null);
  const ruleset = useStore((state) => state.ruleset);
  const set = async (name, value) => {
    setRefused("");
    const key = { left: "moves_left" }[name] ?? name;
    const told = name === "prisoners" && value ? `[${value.join(", ")}]` : value;
    if (told === null && fields[name] === null) return;
    await editOr("edit_example", { pattern, kind, index, op: "set", key, value: told }, {}, setRefused);
  };
  // After a refusal, the control shows the file's value again.
  const tell = async (operation) => (await edit(operation)) ?? redraw({});
  const move = (event) => tell({ op: "set", key: "move", value: event.target.value.trim() || null });
  return html`<div class="form">
    <div class="field">
      <label>kind</label>
      <select aria-label="kind" value=${kind} onChange=${(event) => tell({ op: "move_to", to: event.target.value })}>
        ${Object.entries(KINDS).map(([one, title]) => html`<option key=${one} value=${one}>${title}</option>`)}
      </select>
      <label>move</label>
      <input aria-label="move" value=${asked ?? ""} placeholder="row,column" onChange=${move} />
    </div>
    <${Setup} values=${fields} rows=${rows} inMatch=${isMatch(position, ruleset)} problem=${refused} onSet=${set} />
    <p class="muted">Click the board to set a stone: X, O, none. X is to move.</p>
  </div>`;
}
