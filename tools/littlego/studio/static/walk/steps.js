// The five steps of the guided walk: each explains a task, offers to do it, and shows whether it is done.
import { ask, job } from "../api.js";
import { useAnswer } from "../ask.js";
import { CommandLine } from "../command.js";
import { setBoard } from "../document.js";
import { Board } from "../board.js";
import { classes, html, useEffect, useLayoutEffect, useRef, useState } from "../html.js";
import { readPosition } from "../position.js";
import { createPattern } from "../pattern/create.js";
import { get, set } from "../state.js";
import { editOrTell, sent } from "../sync.js";
import { Replay } from "./replay.js";

const NAME = "stand-between";
const KIND = "cut";
const SUMMARY = "Cut two opposing chains at the point between them: apart, both are weaker.";
const CONDITIONS = ["cuts(*) >= 2", "own_liberties(*) >= 2"];
const POINTS = "60";

const Done = ({ isDone, children }) =>
  html`<li class=${isDone ? "good" : "muted"} data-done=${String(isDone)}>${children}</li>`;

/** A button that is the step's main button until its task is done. */
const Task = ({ isDone, ...rest }) => html`<button type="button" class=${classes(!isDone && "main")} ...${rest} />`;

/** Report to the walk whether the step's task is done. */
function useDone(isDone, onDone) {
  useLayoutEffect(() => onDone(isDone), [isDone]);
}

export function Lost({ lost, onDone }) {
  const [at, setAt] = useState(lost.positions.length - 1);
  const { number, move } = lost;
  const [isDone, setDone] = useState(false);
  useDone(isDone, onDone);
  const show = () => (setAt(number - 1), setDone(true));
  return html`<div>
      <p>
        Eight patterns play Black against <code>greedy</code>, which captures whatever it can.
        <strong> ${lost.end}</strong> Step through the game. Move ${number} looks strange: White has two stones on
        the right, one above and one below Black's row, and Black crawls along the left edge.
      </p>
      <p class="buttons"><${Task} isDone=${isDone} onClick=${show}>Show move ${number}<//></p>
    </div>
    <${Replay} game=${lost} at=${at} onAt=${setAt} name="The lost game" marks=${at === number - 1 ? { [move]: "circle" } : {}} />`;
}

export function Why({ lost, onDone }) {
  const { number, move, positions } = lost;
  useDone(true, onDone);
  const show = () => {
    setBoard(positions[number - 1]);
    set({ view: "pattern", move });
  };
  return html`<div>
      <p>
        A reason explains why the player prefers a move to another move. Does any pattern support the point
        between the two white stones, <code>${move}</code>? If not, write a pattern for this point.
      </p>
      <p class="buttons"><button type="button" onClick=${show}>Open board</button></p>
      <${CommandLine} command=${lost.command} />
    </div>
    <${Reasons} lost=${lost} />`;
}

/** Return a message with the parts between backticks set as code. */
const withCode = (text) => text.split("`").map((part, at) => (at % 2 ? html`<code key=${at}>${part}</code>` : part));

/** Two boards of the lost position: the moves that the patterns prefer, and the point that no pattern supports. */
function Reasons({ lost }) {
  const { number, move, played, equals, points, rank, missing, positions } = lost;
  const { rows } = readPosition(positions[number - 1]);
  const figures = Object.fromEntries([played, ...equals].map((one) => [one, String(points)]));
  return html`<figure class="walk-board">
      <${Board} name=${`Before move ${number}: the moves that the patterns prefer`} stones=${rows} figures=${figures} marks=${{ [played]: "ring" }} />
      <figcaption>
        <strong>${played} is played</strong> (the ring) with ${points} points.
        ${equals.length > 0 && ` ${equals.length + 1} moves have equal points; the order of the board points decides.`}
      </figcaption>
    </figure>
    <figure class="walk-board">
      <${Board} name=${`Before move ${number}: the point that no pattern supports`} stones=${rows} marks=${{ [move]: "circle" }} />
      <figcaption>
        <strong>${move} is number ${rank.at} of ${rank.of}</strong> (the circle). The nearest patterns that do not fire:
        <ul>${missing.map((one) => html`<li key=${one.pattern}><code>${one.pattern}</code>: ${withCode(one.why)}</li>`)}</ul>
      </figcaption>
    </figure>`;
}

export function Draw({ lost, mine, onDone }) {
  const { answer: entry } = useAnswer("entry", { pattern: mine }, { when: Boolean(mine) });
  useDone(Boolean(mine && entry?.readable && editsOf(entry).every((one) => one.isDone)), onDone);
  const create = async () => {
    const position = lost.positions[lost.number - 1];
    setBoard(position);
    await createPattern({ board: position, move: lost.move, name: NAME, summary: SUMMARY, kind: KIND });
  };
  return html`<div>
    <p>
      A new pattern starts with the smallest drawing that fires for no other move on its board. Now generalize it: take
      the point between two opposing stones, wherever your own stones are. Remove the <code>X</code>, and add two
      conditions that no drawing can express: the stones are two chains, and the stone between them can survive.
    </p>
    <p class="buttons">
      <${Task} isDone=${Boolean(mine)} disabled=${Boolean(mine)} onClick=${create}>New pattern …<//>
      ${mine && html`<button type="button" onClick=${() => set({ view: "pattern", pattern: mine })}>Show ${mine}</button>`}
    </p>
    ${mine && entry?.readable && html`<${Edits} edits=${editsOf(entry)} mine=${mine} />`}
  </div>`;
}

/** The edits that turn the drawing into the walk's pattern, each with a button; the author can also edit in the view.
 */
function Edits({ edits, mine }) {
  const next = edits.find((one) => !one.isDone);
  return html`<ul class="walk-edits">
    ${edits.map(
      ({ title, isDone, method, change }) =>
        html`<${Done} key=${title} isDone=${isDone}>
          ${title}
          <button type="button" class=${classes(title === next?.title && "main")} disabled=${isDone} aria-label=${`Do it: ${title}`} onClick=${() => editOrTell(method, { pattern: mine, ...change })}>
            Do it
          </button>
        <//>`,
    )}
  </ul>`;
}

/** Return the edits that turn the smallest drawing into the walk's pattern; `isDone` states whether an edit is done. */
export function editsOf({ keys, drawing }) {
  const valueOf = (key) => keys.find((one) => one.key === key)?.value;
  const conditions = valueOf("when") ?? [];
  const rows = drawing?.rows ?? [];
  const isOwn = rows.some((row) => row.includes("X"));
  return [
    {
      title: "Remove your own stone from the drawing",
      isDone: !isOwn,
      method: "splice",
      change: { op: "shrink", side: sideOf(rows) },
    },
    ...CONDITIONS.map((text) => ({
      title: `Add the condition ${text}`,
      isDone: conditions.includes(text),
      method: "fill_in",
      change: { op: "set_item", key: "when", index: conditions.length, value: text },
    })),
    {
      title: `Give the pattern ${POINTS} points`,
      isDone: valueOf("points") === POINTS,
      method: "fill_in",
      change: { op: "set", key: "points", value: POINTS },
    },
  ];
}

/** Return the side of a drawing on which a stone of the mover lies. */
function sideOf(rows) {
  if (rows.some((row) => row.startsWith("X"))) return "left";
  if (rows.some((row) => row.endsWith("X"))) return "right";
  return rows[0]?.includes("X") ? "top" : "bottom";
}

export function Prove({ mine, onDone }) {
  const [isRun, setRun] = useState(false);
  useDone(isRun || !mine, onDone);
  const check = useAnswer("check", {}, { when: Boolean(mine), wait: 200 });
  const found = useAnswer("examples", { pattern: mine }, { when: Boolean(mine) });
  if (!mine) return html`<p>You have no pattern yet: draw one in step 3.</p>`;
  const examples = found.answer?.examples ?? [];
  const holding = examples.filter((one) => !one.finding).length;
  const all = examples.length;
  const problems = check.answer?.problems ?? [];
  return html`<div>
    <p>
      The check looks for mistakes and doubtful parts, and runs the examples. Mutants are small changes to the pattern:
      does an example or a recorded decision detect each change?
    </p>
    <ul class="walk-edits">
      <${Done} isDone=${Boolean(check.answer) && !problems.length}>
        ${check.answer ? (problems.length ? problems[0].text : "The check finds no problems.") : "The file is being checked."}
      <//>
      <${Done} isDone=${all > 0 && holding === all}>${holding} of ${all} examples pass.<//>
      <${Mutants} pattern=${mine} isRun=${isRun} onRun=${setRun} />
    </ul>
    <${CommandLine} command=${check.answer?.command} />
  </div>`;
}

function Mutants({ pattern, isRun, onRun }) {
  const [told, setTold] = useState(null); // null, {busy}, {survivors}, {problem}
  const work = useRef(null);
  useEffect(() => () => work.current?.cancel(), []);
  const start = () => {
    setTold({ busy: true });
    work.current = job("propose", { pattern }, ({ done, problem }) => {
      if (done) (setTold(done), onRun(true));
      if (problem) setTold({ problem: problem.text });
    });
  };
  const survivors = told?.survivors;
  return html`<${Done} isDone=${survivors === 0}>
    ${survivors === undefined ? "The mutants have not run yet." : survivors ? `${survivors} mutants survive.` : "No mutant survives."}
    ${told?.problem && html` <span class="problem">${told.problem}</span>`}
    <${Task} isDone=${isRun} disabled=${told?.busy} onClick=${start}>${told?.busy ? "Running …" : "Run mutants"}<//>
  <//>`;
}

export function Win({ mine, onDone }) {
  const [game, setGame] = useState(null);
  useDone(Boolean(game?.won), onDone);
  const [problem, setProblem] = useState("");
  const [at, setAt] = useState(0);
  const play = async () => {
    setProblem("");
    try {
      await sent();
      const played = await ask("walk_game");
      setGame(played);
      setAt(played.positions.length - 1);
    } catch (why) {
      setProblem(why.message);
    }
  };
  return html`<div>
      <p>
        Play against the same opponent with the same seed and the current patterns
        ${mine ? html` (including <code>${mine}</code>)` : ""}. One game proves little; the Effects
        view shows every recorded decision that changes.
      </p>
      <p class="buttons"><${Task} isDone=${Boolean(game?.won)} onClick=${play}>Play again<//></p>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      <p role="status" data-won=${game ? String(game.won) : null}>
        ${game && html`<strong>${game.won ? "Won: " : "Not won: "}</strong>${game.end}`}
      </p>
      ${game?.won && !get().saved && html`<p>The Save and Compile buttons above write the patterns to their files.</p>`}
      <${CommandLine} command=${game?.command} />
    </div>
    ${game && html`<${Replay} game=${game} at=${at} onAt=${setAt} name="The game played again" />`}`;
}
