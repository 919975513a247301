// The current board: where the pattern fires on it, in all eight symmetries, and why it does not fire elsewhere.
import { CommandLine } from "../command.js";
import { setBoard } from "../document.js";
import { ExportButton } from "../export.js";
import { classes, html, memo, useEffect, useLatest, useMemo, useState } from "../html.js";
import { useKeys } from "../keys.js";
import { nextStone, readPosition, toMove, turned, withStone } from "../position.js";
import { SetupOfBoard } from "../setup.js";
import { set } from "../state.js";
import { Board } from "../board.js";
import { WhyNot } from "./whynot.js";

const MOST = 24; // places to list; all are marked on the board
const Drawn = memo(Board); // redrawn only if its properties change, because each keystroke brings several answers

/**
 * board: the current position; fires, why, repairs: results of useAnswer; onExample(kind) adds the board as an example.
 */
export function BoardPane({ board, move, fires, why, repairs, onExample }) {
  const [isSetting, setSetting] = useState(false);
  const [pointed, setPointed] = useState(0);
  const placements = useMemo(() => placementsOf(fires.answer), [fires.answer]);
  const moves = useMemo(() => (fires.answer?.patterns ?? []).flatMap((one) => one.moves), [fires.answer]);
  const shown = move && why.answer?.placement ? why.answer.placement : placements[pointed];
  const { rows } = useMemo(() => readPosition(board), [board]);
  const drawn = useMemo(
    () => ({
      labels: labelsOf(shown),
      marks: marksOf(moves, move),
      lit: (shown?.cells ?? []).map((cell) => cell.point),
      describe: (row, column) => describe(moves, `${row},${column}`),
    }),
    [shown, moves, move],
  );
  useEffect(() => setPointed(0), [fires.answer]);
  useEffect(() => set({ placement: shown ? { symmetry: shown.symmetry, place: shown.place } : {} }), [shown]);
  const place = (row, column, stone) => setBoard(withStone(board, row, column, stone));
  const ask = (at) => set({ move: move === at ? "" : at });
  const click = (row, column, event) => {
    if (!isSetting) ask(`${row},${column}`);
    else place(row, column, event.shiftKey ? "." : nextStone(rows[row][column]));
  };
  const press = (key, row, column) => {
    if (["X", "O", "."].includes(key)) place(row, column, key);
    else if (key === "!") ask(`${row},${column}`);
    else return false;
    return true;
  };
  const next = () => (set({ move: "" }), setPointed((pointed + 1) % placements.length));
  useKeys([
    { key: "s", title: "Switch clicks: set stones or explain", group: "Board", run: () => setSetting(!isSetting) },
    { key: "t", title: "Swap side to move", group: "Board", run: () => setBoard(turned(board)) },
    {
      key: "h",
      title: "Next place where the pattern fires",
      group: "Board",
      run: () => placements.length > 0 && next(),
    },
  ]);
  const point = useLatest((number) => (set({ move: "" }), setPointed(number)));
  return html`<section class=${classes("pane", fires.busy && "busy")} aria-labelledby="board-title" data-revision=${fires.revision}>
    <h2 id="board-title">Board <span class="muted">${toMove(board)} to move</span></h2>
    <${Drawn}
      name=${`The current board, ${toMove(board)} to move`}
      stones=${rows}
      onPoint=${useLatest(click)}
      onKey=${useLatest(press)}
      ...${drawn}
    />
    <p class="muted">
      ${isSetting ? "Click a point to set a stone: X, O, none." : "Click a point to see why the pattern does not fire there."}
    </p>
    ${move && !fires.problem && html`<${WhyNot} ...${{ move, repairs }} result=${why} />`}
    <div class="buttons">
      <button type="button" aria-pressed=${isSetting} onClick=${() => setSetting(!isSetting)}>Set stones</button>
      <button type="button" onClick=${() => setBoard(turned(board))}>Swap side</button>
      <button type="button" aria-pressed=${move === "pass"} onClick=${() => ask("pass")}>Explain pass</button>
      <button type="button" onClick=${() => onExample("matches")}>Add example</button>
      <button type="button" onClick=${() => onExample("no_match")}>Add counterexample</button>
      <${ExportButton} />
    </div>
    <${SetupOfBoard} position=${board} />
    <${Hits} answer=${fires.answer} placements=${placements} problem=${fires.problem} pointed=${move ? -1 : pointed} onPoint=${point} />
    <${CommandLine} command=${(move && why.answer?.command) || fires.answer?.command} />
  </section>`;
}

function placementsOf(answer) {
  const patterns = answer?.patterns ?? [];
  return patterns.flatMap((one) => one.placements.map((placed) => ({ ...placed, pattern: one.pattern })));
}

function labelsOf(placement) {
  return Object.fromEntries((placement?.labels ?? []).map(({ letter, point }) => [point, letter]));
}

function marksOf(moves, asked) {
  const marks = Object.fromEntries(moves.map(({ move }) => [move, "move"]));
  delete marks.pass;
  if (asked && asked !== "pass") marks[asked] ??= "circle";
  return marks;
}

function describe(moves, place) {
  const found = moves.find(({ move }) => move === place);
  return found ? `the pattern fires, ${found.points} points` : "";
}

/** The list of placements, which is redrawn only if the answer or the shown placement changes. */
const Hits = memo(({ answer, placements, problem, pointed, onPoint }) => {
  const count = answer?.count ?? 0;
  const told = count
    ? `The pattern fires in ${count === 1 ? "one place" : `${count} places`}.`
    : "The pattern does not fire here.";
  return html`${problem && html`<p class="problem">${problem.message}</p>`}
    ${answer && html`<p role="status" data-hits=${count}>${told}</p>`}
    <ul class="hits">
      ${placements.slice(0, MOST).map(
        (hit, index) =>
          html`<li key=${index}>
            <button type="button" aria-pressed=${index === pointed} title=${hit.turn} onClick=${() => onPoint(index)}>
              ${(answer.patterns.length > 1 ? `${hit.pattern} ` : "") + hit.move}
              <span class="muted">${hit.turn}</span> ${hit.points > 0 ? `+${hit.points}` : hit.points}
            </button>
          </li>`,
      )}
      ${count > MOST && html`<li class="muted">and ${count - MOST} more</li>`}
    </ul>`;
});
