// The board view: a position or a game, the move and its reasons, exact values, and a game against a player.
import { ask } from "../api.js";
import { announce } from "../announce.js";
import { useAnswer } from "../ask.js";
import { Board } from "../board.js";
import { setBoard } from "../document.js";
import { ExportButton, handOut } from "../export.js";
import { classes, html, useEffect, useMemo, useState } from "../html.js";
import { useKeys } from "../keys.js";
import { createPattern } from "../pattern/create.js";
import { emptyBoard, nextStone, readPosition, toMove, turned, withStone } from "../position.js";
import { SetupOfBoard } from "../setup.js";
import { useKept } from "../remember.js";
import { get, set, useStore } from "../state.js";
import { register } from "../views.js";
import { useJudging, useSolving } from "../game/judging.js";
import { OpenPane } from "../game/opening.js";
import { PlayPane, Thinking, useOpponent } from "../game/opponent.js";
import { litBy, overlay } from "../game/overlay.js";
import { playerOf, sidesOf, useSetup } from "../game/newmatch.js";
import { PlayedOut, usePlayOut } from "../game/playout.js";
import { ReasonsPane } from "../game/answers.js";
import { GamePane, StepButtons, clock } from "../game/steps.js";
import { TurningHere, deeper, turningPoints } from "../game/turning.js";
import { clocksAt, keepGame, knownGame } from "../game/kept.js";
import { boardKeys, usePeek } from "../game/keys.js";

const DOES = {
  ask: "explains why or why not",
  play: "plays there",
  set: "sets a stone: X, O, none",
  guess: "is your guess",
};
const EXACT = 10; // default maximum of moves left for exact judgement
const SHOWN = { most: 5, scale: "absolute", exact: EXACT, opinion: false }; // default display options

/** Return a result of `useAnswer`, without an answer that is about another position or game. */
function now(result, name, value) {
  return JSON.parse(result.asked)[name] === value ? result : { ...result, answer: null };
}

/** Return the game, the position shown, and functions to show another game or position. */
function useShown() {
  const text = useStore((state) => state.game);
  const step = useStore((state) => state.step);
  const ruleset = useStore((state) => state.ruleset);
  const chosen = useStore((state) => state.board || state.atHand);
  const known = knownGame(text);
  const asked = useAnswer("game", { game: text }, { when: Boolean(text) && !known, text: false });
  const game = useMemo(() => (text ? (known ?? (asked.answer && keepGame(asked.answer))) : null), [text, known, asked]);
  const count = game ? game.moves.length : 0;
  const at = step === "" ? count : Math.min(Math.max(0, Number(step) || 0), count);
  const position = game ? game.positions[at] : chosen || emptyBoard(ruleset);
  const over = game?.over && at === count ? game.end : "";
  const atHand = over ? game.positions[count - 1] : position; // after the end no side is to move
  useEffect(() => set({ atHand, ...(game ? { board: atHand } : {}) }, { step: false }), [atHand]);
  useEffect(() => handOut({ atHand, position }), [atHand, position]);
  const go = (number) => set({ step: String(Math.min(Math.max(0, number), count)), move: "" });
  const open = (found) => {
    const hasMoves = found.moves.length > 0 || !readPosition(found.positions[0]).rows.length;
    set({ game: found.game, step: hasMoves ? get().step : "", move: "" });
  };
  const problem = text && !known ? asked.problem : null;
  const awaited = text && !game && !problem ? text : ""; // moves made while the game loads belong to the game
  return { game, awaited, at, count, position, over, go, open, problem };
}

function BoardView() {
  const shown = useShown();
  const { game, at, count, position, over, go } = shown;
  const selected = useStore((state) => state.move);
  const [does, setDoes] = useState("ask");
  const [chosen, choose] = useKept("answers", SHOWN);
  const [revealed, setRevealed] = useState(true);
  const options = { ...chosen, revealed };
  const [guess, setGuess] = useState(null); // {position, move}
  const [light, setLight] = useState(null); // the pattern whose cells are highlighted
  const [hint, setHint] = useState(null);
  const [looked, setLooked] = useState(null); // the point under the pointer or the focus
  const peeking = usePeek("z");
  const isGuessed = guess?.position === position;
  const setup = useSetup();
  const take = (answer) => show(keepGame(answer));
  const show = (found) => set({ game: found.game, step: "", move: "", board: found.positions.at(-1) });
  const [who, changeWho] = setup;
  const playOut = usePlayOut(take, (seed) => changeWho({ seed }));
  const isOpen = !over && !playOut.playing?.running && (peeking || (does === "guess" ? isGuessed : options.revealed));
  const decision = now(useAnswer("decision", { position }, { when: isOpen }), "position", position);
  const exact = now(useAnswer("exact", { position }, { when: isOpen, text: false }), "position", position);
  const move = isGuessed && !selected ? guess.move : selected;
  const why = now(useAnswer("why_not", { position, move }, { when: isOpen && Boolean(move) }), "position", position);
  const { judging, judge, stop } = useJudging(game?.moves.length ? game.game : "", options.exact);
  const judgeTo = (exact) => (choose({ exact }), judge(exact));
  const more = judging.running ? 0 : deeper(judging);
  useEffect(() => void (more && judgeTo(more)), [more, judging]); // judge deeper while the loser's mistake is unknown
  const missed = turningPoints(judging).find((one) => one.number === at + 1) ?? null; // at a turning point
  const solver = useSolving(position);
  const values = solver.solving?.values.length ? solver.solving : exact.answer;
  const last = at > 0 ? game.moves[at - 1].move : "";
  const seen = isOpen ? { decision: decision.answer, exact: values } : {};
  const turningHere = isOpen ? missed : null;
  const drawn = overlay({
    ...{ ...seen, most: options.most, scale: options.scale, selected: move, looked, last, turning: turningHere },
  });
  useEffect(() => (setLight(null), setHint(null)), [position, move]);

  const opponent = useOpponent({ game, position, atEnd: at === count, onGame: take });
  const gameAt = (number) => (game ? gameUpTo(game, number) : shown.awaited || `${position};`);
  const letPlay = (text, sides, until = "") => {
    opponent.stop();
    set({ game: text, step: "", move: "" });
    playOut.start({ game: text, ...sides, until });
  };
  const playAgain = (one) => letPlay(gameAt(one.number - 1), sidesOf(who, who.mine === "both" ? one.colour : ""));
  const writePattern = async (one, point) => {
    const before = game.positions[one.number - 1];
    if (await createPattern({ board: before, move: point, isEnough: true })) {
      setBoard(before);
      set({ view: "pattern" });
    }
  };
  const newGame = () => (opponent.stop(), set({ game: gameAt(0), step: "", move: "" }));
  const play = async (point) => {
    if (opponent.isTheirs) return void announce(`It is the turn of ${opponent.match.player}: wait for its move.`);
    const left = opponent.match ? opponent.spend() : null;
    if (left === 0) return;
    try {
      take(await ask("move", { game: gameAt(at), move: point, ...(left === null ? {} : { left }) }));
      if (opponent.match && does !== "play") setDoes("play");
    } catch (problem) {
      if (problem.name !== "AbortError") announce(problem.message, { problem: true });
    }
  };
  const setStone = (row, column, stone) => {
    const changed = withStone(position, row, column, stone);
    set({ game: "", step: "", move: "" });
    setBoard(changed);
  };
  const pick = (point) => set({ move: selected === point ? "" : point });
  const click = (row, column, event) => {
    const place = `${row},${column}`;
    const { rows } = readPosition(position);
    if (does === "play") void play(place);
    else if (does === "set") setStone(row, column, event.shiftKey ? "." : nextStone(rows[row][column]));
    else if (does === "guess") setGuess({ position, move: place });
    else {
      pick(place);
      if (!options.revealed) announce("The answers are hidden: press a to show them.");
    }
  };
  const press = (key, row, column) => {
    if (key === "!" || key === "?") pick(`${row},${column}`);
    else if (key === "*") void play(`${row},${column}`);
    else if (["X", "O", "."].includes(key)) setStone(row, column, key);
    else return false;
    return true;
  };
  const startMatch = (wanted) => {
    set({ game: gameAt(at), step: "", move: "" });
    setRevealed(false); // the player wants to think first
    setDoes("play");
    opponent.start(wanted);
  };
  useEffect(() => {
    if (!get().isStarting) return;
    set({ isStarting: false });
    startMatch({ player: playerOf(who), mine: who.mine, minutes: 0, slow: "" });
  }, []);
  const undo = () => {
    const back = opponent.match && opponent.match.mine !== "both" && opponent.toMove === opponent.match.mine ? 2 : 1;
    const upTo = Math.max(0, at - back);
    set({ game: gameUpTo(game, upTo), step: "", move: "" });
  };
  const askHint = async () => {
    if (over) return announce(`The game is over: ${over}`);
    announce("Looking for a hint …");
    const found = await ask("hint", { position }).catch((problem) => ({ said: problem.message, exact: "" }));
    setHint(found);
    announce("The hint is shown under Play.");
  };
  const turning = turningPoints(judging)
    .map((one) => one.number - 1) // the position before the move, as in `littlego explain GAME:NUMBER`
    .sort((a, b) => a - b);
  const toTurning = (by) => {
    const next = by > 0 ? turning.find((one) => one > at) : turning.findLast((one) => one < at);
    if (next !== undefined) go(next);
    else
      announce(
        turning.length
          ? "No further turning point in this direction."
          : "No turning point is known. Judge the moves first.",
      );
  };
  useKeys(
    boardKeys({
      step: (by) => game && go(at + by),
      start: () => game && go(0),
      end: () => game && go(count),
      turning: toTurning,
      candidate: (number) => {
        const able = (decision.answer?.moves ?? []).filter((one) => one.kind !== "vetoed");
        return able[number - 1] && isOpen ? pick(able[number - 1].move) : false;
      },
      reveal: () => setRevealed(!revealed),
      scale: () => choose({ scale: options.scale === "absolute" ? "relative" : "absolute" }),
      guess: () => setDoes(does === "guess" ? "ask" : "guess"),
      play: () => setDoes(does === "play" ? "ask" : "play"),
      set: () => setDoes(does === "set" ? "ask" : "set"),
      undo: () => game?.moves.length > 0 && undo(),
      hint: askHint,
      judge: () => game?.moves.length > 0 && judge(options.exact),
      other: () => (set({ game: "", step: "", move: "" }), setBoard(turned(position))),
    }),
  );
  const { rows } = readPosition(position);
  const begin = (answer) => {
    const found = keepGame(answer);
    set({ game: found.moves.length ? found.game : "", step: found.moves.length ? "" : "", move: "" });
    if (!found.moves.length) setBoard(found.positions[0]);
    opponent.stop();
    playOut.stop();
  };
  const lit = light
    ? litBy(
        decision.answer?.moves.find((one) => one.move === move),
        light,
      )
    : drawn.lit;
  return html`<div class="board-view">
    <div class="column">
      <section class="pane" aria-labelledby="at-hand-title">
        <h2 id="at-hand-title">Board <span class="muted">${over ? "the game is over" : describePosition(position, game && clocksAt(game, at))}</span></h2>
        ${shown.problem && html`<p role="alert" class="problem">${shown.problem.message}</p>`}
        <${Board}
          name=${`The board, ${toMove(position)} to move`}
          stones=${rows}
          ...${{ labels: drawn.labels, marks: drawn.marks, figures: drawn.figures, describe: drawn.describe, lit }}
          onPoint=${click}
          onKey=${press}
          onLook=${(row, column) => setLooked(`${row},${column}`)}
        />
        <${Thinking} opponent=${opponent} />
        <${PlayedOut} playing=${playOut.playing} ended=${over ? game.game : ""} onStop=${playOut.stop} />
        ${over && html`<p class="result">The game is over. <strong>${over}</strong></p>`}
        ${turningHere && html`<${TurningHere} one=${turningHere} onAgain=${playAgain} onWrite=${writePattern} />`}
        ${game && html`<${StepButtons} ...${{ moves: game.moves, step: at, onStep: go, turning: turning.length, onTurning: toTurning }} />`}
        <${Clicks} ...${{ does, setDoes, onTyped: (point) => (does === "ask" ? pick(point) : does === "guess" ? setGuess({ position, move: point }) : play(point)) }} />
        <p class="looked" aria-hidden="true">${pointed(looked, drawn.describe)}</p>
        <${SetupOfBoard} position=${position} />
        <p class="buttons"><${ExportButton} /></p>
      </section>
    </div>
    <div class="column">
      <${ReasonsPane}
        ...${{ position, decision, exact, values, why, move, options, change: choose, setRevealed, isOpen, over, does, guess: isGuessed ? guess : null, solver, pick, setLight }}
      />
    </div>
    <div class="column">
      <${PlayPane}
        ...${{ opponent, game, over, playing: playOut.playing, hint, setup, onStart: startMatch, onUndo: undo, onHint: askHint }}
        ...${{ onNew: newGame, onMove: play, onPlayOut: (until) => letPlay(gameAt(at), sidesOf(who), until ? who.mine : "") }}
      />
      ${
        game?.moves.length > 0 &&
        html`<${GamePane}
          ...${{ game, step: at, judging, onStep: go, onJudge: judgeTo, onStop: stop, exact: options.exact, onAgain: playAgain, onWrite: writePattern }}
          onExact=${(most) => choose({ exact: most })}
        />`
      }
      <${OpenPane} onGame=${begin} />
    </div>
  </div>`;
}

/** Return the text for the point under the pointer; a screen reader reads it at the point itself. */
function pointed(looked, describe) {
  const said = looked && describe(...looked.split(","));
  return said ? `${looked}: ${said}.` : "";
}

/** Return the text of a game's first moves. */
function gameUpTo(game, count) {
  const start = game.game.slice(0, game.game.indexOf(";") + 1);
  return [start, ...game.moves.slice(0, count).map((one) => one.move)].join(" ").trim();
}

function describePosition(position, clocks) {
  const { fields } = readPosition(position);
  const of = (name) => fields.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1);
  const isMatch = of("ruleset") === "match";
  const held = of("prisoners")?.split(",") ?? (isMatch ? [0, 0] : null);
  const left = ["black", "white"].filter((colour) => clocks && clocks[colour] !== null);
  return [
    `${toMove(position)} (${toMove(position) === "white" ? "O" : "X"}) to move`,
    of("left") && `${of("left")} ${of("left") === "1" ? "move" : "moves"} left`,
    held && `prisoners: Black ${held[0]}, White ${held[1]}`,
    left.length > 0 && `clocks: ${left.map((colour) => `${colour} ${clock(clocks[colour])}`).join(", ")}`,
  ]
    .filter(Boolean)
    .join(", ");
}

/** The choice of what a click on the board does, and a field for typing a point. */
function Clicks({ does, setDoes, onTyped }) {
  const [typed, setTyped] = useState("");
  const enter = (event) => {
    event.preventDefault();
    const found = /^\s*(\d{1,2})\s*[,;. ]\s*(\d{1,2})\s*$/.exec(typed);
    if (!found && typed.trim().toLowerCase() !== "pass")
      return announce(`${typed}: expected row,column, both from 0, or pass.`, { problem: true });
    onTyped(found ? `${Number(found[1])},${Number(found[2])}` : "pass");
    setTyped("");
  };
  return html`<div class="clicks">
    <div class="buttons" role="group" aria-label="What a click on the board does">
      ${Object.keys(DOES).map(
        (one) =>
          html`<button type="button" key=${one} aria-pressed=${does === one} onClick=${() => setDoes(one)}>
            ${one[0].toUpperCase() + one.slice(1)}
          </button>`,
      )}
      <form class=${classes("typed")} onSubmit=${enter}>
        <label>Point <input value=${typed} size="5" placeholder="2,3" onInput=${(event) => setTyped(event.target.value)} /></label>
      </form>
    </div>
    <p class="muted">A click ${DOES[does]}.</p>
  </div>`;
}

register({ id: "board", title: "Board", key: "Alt-2", component: BoardView });
