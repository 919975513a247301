// The five steps of the guided walk: each explains a task, offers to do it, and shows whether it is done.
import { ask, job } from "../api.js";
import { useAnswer } from "../ask.js";
import { CommandLine } from "../command.js";
import { setBoard } from "../document.js";
import { html, useEffect, useRef, useState } from "../html.js";
import { createPattern } from "../pattern/create.js";
import { get, set } from "../state.js";
import { editOrTell, sent } from "../sync.js";
import { Replay } from "./replay.js";

const NAME = "stand-between";
const KIND = "cut";
const SUMMARY = "Take the point between two of their chains: they stay two, and each is weaker than both.";
const CONDITIONS = ["cuts(*) >= 2", "own_liberties(*) >= 2"];
const POINTS = "60";

const Done = ({ isDone, children }) =>
  html`<li class=${isDone ? "good" : "muted"} data-done=${String(isDone)}>${children}</li>`;

export function Lost({ lost }) {
  const [at, setAt] = useState(lost.positions.length - 1);
  const { number, move } = lost;
  return html`<div>
      <p>
        Eight patterns play Black against <code>greedy</code>, which captures whatever it can.
        <strong> ${lost.end}</strong> Step through the game. Move ${number} looks strange: White has two stones on
        the right, one above and one below Black's row, and Black crawls along the left edge.
      </p>
      <p class="buttons"><button type="button" onClick=${() => setAt(number - 1)}>Show move ${number}</button></p>
    </div>
    <${Replay} game=${lost} at=${at} onAt=${setAt} name="The lost game" marks=${at === number - 1 ? { [move]: "circle" } : {}} />`;
}

export function Why({ lost }) {
  const { number, move, positions } = lost;
  const show = () => {
    setBoard(positions[number - 1]);
    set({ view: "pattern", move });
  };
  return html`<div>
    <p>
      A reason says why a move is better than the next best move. Does any reason support the point
      between the two white stones, <code>${move}</code>? If not, write a pattern for this point.
    </p>
    <p class="buttons"><button type="button" onClick=${show}>Open board</button></p>
    <div class="walk-said" tabindex="0" role="group" aria-label="Output of explain">
      <pre>${lost.text}</pre>
      <pre>${lost.why_not}</pre>
    </div>
    <${CommandLine} command=${lost.command} />
  </div>`;
}

export function Draw({ lost, mine }) {
  const { answer: entry } = useAnswer("entry", { pattern: mine }, { when: Boolean(mine) });
  const create = async () => {
    const position = lost.positions[lost.number - 1];
    setBoard(position);
    await createPattern({ board: position, move: lost.move, name: NAME, kind: KIND });
  };
  return html`<div>
    <p>
      A new pattern starts with the smallest drawing that fires only for this move. Now turn it into an idea: take
      the point between two opposing stones, wherever your own stones are. Remove the <code>X</code>, and add two
      conditions that no drawing can express: the stones are two chains, and the stone between them can survive.
    </p>
    <p class="buttons">
      <button type="button" class=${mine ? "" : "main"} disabled=${Boolean(mine)} onClick=${create}>New pattern …</button>
      ${mine && html`<button type="button" onClick=${() => set({ view: "pattern", pattern: mine })}>Show ${mine}</button>`}
    </p>
    ${mine && entry?.readable && html`<${Edits} entry=${entry} mine=${mine} />`}
  </div>`;
}

/** The edits that turn the drawing into the idea, each with a button; the author can also make them in the view. */
function Edits({ entry, mine }) {
  return html`<ul class="walk-edits">
    ${editsOf(entry).map(
      ({ title, isDone, method, change }) =>
        html`<${Done} key=${title} isDone=${isDone}>
          ${title}
          <button type="button" disabled=${isDone} aria-label=${`Do it: ${title}`} onClick=${() => editOrTell(method, { pattern: mine, ...change })}>
            Do it
          </button>
        <//>`,
    )}
  </ul>`;
}

/** Return the edits from the smallest drawing to the idea, each with whether it is made. */
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
      title: `Give it ${POINTS} points`,
      isDone: valueOf("points") === POINTS,
      method: "fill_in",
      change: { op: "set", key: "points", value: POINTS },
    },
    {
      title: "Write a sentence that says why the move is good",
      isDone: !/^Say in one sentence/.test(valueOf("summary") ?? ""),
      method: "fill_in",
      change: { op: "set", key: "summary", value: SUMMARY },
    },
  ];
}

/** Return the side of a drawing on which a stone of the mover lies. */
function sideOf(rows) {
  if (rows.some((row) => row.startsWith("X"))) return "left";
  if (rows.some((row) => row.endsWith("X"))) return "right";
  return rows[0]?.includes("X") ? "top" : "bottom";
}

export function Prove({ mine }) {
  const check = useAnswer("check", {}, { when: Boolean(mine), wait: 200 });
  const found = useAnswer("examples", { pattern: mine }, { when: Boolean(mine) });
  if (!mine) return html`<p>You have no pattern yet: draw one in step 3.</p>`;
  const examples = found.answer?.examples ?? [];
  const holding = examples.filter((one) => !one.finding).length;
  const all = examples.length;
  const problems = check.answer?.problems ?? [];
  return html`<div>
    <p>
      The check looks for mistakes and doubtful parts, the examples run, and mutants change the pattern slightly in
      many ways: does an example or a recorded decision detect each change?
    </p>
    <ul class="walk-edits">
      <${Done} isDone=${Boolean(check.answer) && !problems.length}>
        ${check.answer ? (problems.length ? problems[0].text : "The check finds no problems.") : "The file is being checked."}
      <//>
      <${Done} isDone=${all > 0 && holding === all}>${holding} of ${all} examples pass.<//>
      <${Mutants} pattern=${mine} />
    </ul>
    <${CommandLine} command=${check.answer?.command} />
  </div>`;
}

function Mutants({ pattern }) {
  const [told, setTold] = useState(null); // null, {busy}, {survivors}, {problem}
  const work = useRef(null);
  useEffect(() => () => work.current?.cancel(), []);
  const start = () => {
    setTold({ busy: true });
    work.current = job("propose", { pattern }, ({ done, problem }) => {
      if (done) setTold(done);
      if (problem) setTold({ problem: problem.text });
    });
  };
  const survivors = told?.survivors;
  return html`<${Done} isDone=${survivors === 0}>
    ${survivors === undefined ? "The mutants have not run yet." : survivors ? `${survivors} mutants survive.` : "No mutant survives."}
    ${told?.problem && html` <span class="problem">${told.problem}</span>`}
    <button type="button" disabled=${told?.busy} onClick=${start}>${told?.busy ? "Running …" : "Run mutants"}</button>
  <//>`;
}

export function Win({ mine }) {
  const [game, setGame] = useState(null);
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
      <p class="buttons"><button type="button" class="main" onClick=${play}>Play again</button></p>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      <p role="status" data-won=${game ? String(game.won) : null}>
        ${game && html`<strong>${game.won ? "Won: " : "Not won: "}</strong>${game.end}`}
      </p>
      ${game?.won && !get().saved && html`<p>The Save and Compile buttons above write the patterns to their files.</p>`}
      <${CommandLine} command=${game?.command} />
    </div>
    ${game && html`<${Replay} game=${game} at=${at} onAt=${setAt} name="The game played again" />`}`;
}
