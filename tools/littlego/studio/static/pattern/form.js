// The form of a pattern: its drawing, conditions and other keys. The form offers only valid values.
import { announce } from "../announce.js";
import { classes, html, useCallback, useEffect, useLatest, useMemo, useRef, useState } from "../html.js";
import { editOr, editOrTell, sent } from "../sync.js";
import { Drawing } from "./drawing.js";
import { badgesOf, inGrid } from "./badges.js";
import { Conditions, Field, textOf } from "./fields.js";
import { gridOf } from "./grid.js";

// Keys that have another control in the form, or their own pane.
const ELSEWHERE = ["diagram", "sequence", "labels", "when", "examples", "todo_match", "todo_no_match"];

const OF_BOARD = "the board:"; // the prefix of problems that are shown beside the board

/**
 * entry, badges: results of useAnswer; failing: failing cell clauses of a why-not answer; findings: the entry's
 * findings. Edits change the shown pattern, even while the answer about a newly selected pattern is on its way.
 */
export function FormPane({ entry, badges, failing, findings }) {
  const { pattern } = JSON.parse(entry.asked);
  // A field that loses the focus because another pattern is shown still writes to its own pattern.
  const fill = useCallback(
    (operation, onRefused) => editOr("fill_in", { pattern, ...operation }, {}, onRefused),
    [pattern],
  );
  const answer = entry.answer;
  const drawing = answer?.drawing;
  const written = useMemo(() => drawing && gridOfEntry(drawing), [drawing]);
  const counts = useMemo(() => badgesOf(shownOf(badges.answer?.patterns), written), [badges.answer, written]);
  if (!answer?.readable) return html`<${Unreadable} answer=${answer} problem=${entry.problem} />`;
  const edit = (operation) => editOrTell("splice", { pattern, ...operation });
  const when = answer.keys.find((one) => one.key === "when");
  const rest = answer.keys.filter((one) => !ELSEWHERE.includes(one.key) && one.kind !== "unknown");
  return html`<section class=${classes("pane", badges.busy && "busy")} aria-labelledby="drawing-title" data-revision=${badges.revision}>
      <h2 id="drawing-title">Drawing</h2>
      ${told(entry)}
      <${DrawingOf} key=${pattern} ...${{ written, counts, failing, edit }} />
      ${!badges.problem?.message.startsWith(OF_BOARD) && told(badges)}
    </section>
    <section class="pane form" aria-labelledby="form-title">
      <h2 id="form-title">Form</h2>
      <${Conditions} key=${pattern} field=${when} badges=${counts.conditions} findings=${findings} fill=${fill} />
      ${rest.map((field) => html`<${Field} key=${pattern + field.key} ...${{ field, fill }} found=${textOf(findings, field)} />`)}
      <p class="buttons"><button type="button" onClick=${() => remove(pattern)}>Remove pattern</button></p>
    </section>`;
}

async function remove(pattern) {
  if (await editOrTell("remove_pattern", { pattern })) announce(`${pattern} was removed. Undo restores it.`);
}

/** Return the move of a sequence that fires, else its first move. */
const shownOf = (patterns) => patterns?.find((one) => one.hits) ?? patterns?.[0];

const told = ({ problem }) => problem && html`<p class="problem">${problem.message}</p>`;

function gridOfEntry({ key, rows, labels }) {
  return rows.length ? gridOf(rows.join("\n"), labels.join("\n"), key === "sequence") : null;
}

function Unreadable({ answer, problem }) {
  const why = answer ? "The entry is not valid YAML; see the findings. The form returns once the entry is valid." : "";
  return html`<section class="pane" aria-labelledby="drawing-title">
    <h2 id="drawing-title">Drawing</h2>
    <p>${problem ? problem.message : why}</p>
  </section>`;
}

/** The drawing changes immediately with each click; the text changes when the server answers. */
function DrawingOf({ written, counts, failing, edit }) {
  const [drawn, setDrawn] = useState(null);
  const waiting = useRef(0);
  useEffect(() => {
    if (!waiting.current) setDrawn(null);
  }, [JSON.stringify(written)]);
  const grid = drawn ?? written;
  const change = useLatest(async (next, edits) => {
    setDrawn(next);
    waiting.current += 1;
    const made = await Promise.all(edits.map((one) => edit(inDrawing(one, grid))));
    await sent(); // until then an answer may be about the old text
    waiting.current -= 1;
    if (made.includes(null)) setDrawn(null);
  });
  const lit = useMemo(() => (grid ? failing.map((cell) => inGrid(cell, grid)) : []), [failing, grid]);
  if (!grid) return html`<p class="muted">This pattern has no drawing, because its move is a pass.</p>`;
  return html`<${Drawing} grid=${grid} badges=${counts} lit=${lit} onChange=${change} />`;
}

/** Convert an edit of a grid for the server, whose rows and columns count the drawing's edges. */
function inDrawing({ edit: op, side, row, column, symbol, letter }, { edges }) {
  if (side) return { op, side };
  const place = { row: row + Number(edges.top), column: column + Number(edges.left) };
  return { op, ...place, symbol: op === "label" ? letter : symbol };
}
