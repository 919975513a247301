// Long jobs of a game and a position: the judgement of every move, and exact values with many moves left.
import { job } from "../api.js";
import { useEffect, useRef, useState } from "../html.js";
import { keep, kept } from "../session.js";

const NOTHING = { exact: 0, results: {}, running: false, progress: [0, 1], problem: "", done: null };
const KEY = "judged";
const MOST = 6; // maximum number of stored judgements
const judged = new Map(kept(KEY) ?? []); // by game and depth; kept across views, because judging is slow
const lookers = new Set();
let work = null; // the running job: {game, exact, cancel}

const keyOf = (game, exact) => `${exact} ${game}`;

/** A hook: {judging, judge(exact), stop} for a game's text; exact: the preferred depth, in moves left. */
export function useJudging(game, exact) {
  const [, draw] = useState(0);
  useEffect(() => {
    const look = () => draw((old) => old + 1);
    lookers.add(look);
    return () => lookers.delete(look);
  }, []);
  useEffect(() => {
    if (game && work && work.game !== game) stopJudging();
  }, [game]);
  const judge = (depth) => {
    stopJudging();
    const one = { game, exact: depth };
    put(one, { ...NOTHING, exact: depth, running: true });
    one.cancel = job("judge_game", one, (event) => put(one, next(judged.get(keyOf(game, depth)), event))).cancel;
    work = one;
  };
  return { judging: judgingOf(game, exact), judge, stop: stopJudging };
}

function stopJudging() {
  if (!work) return;
  work.cancel();
  const old = judged.get(keyOf(work.game, work.exact));
  if (old?.running) put(work, { ...old, running: false });
  work = null;
}

/** Return the judgement of a game to the given depth, else to the greatest depth judged. */
function judgingOf(game, exact) {
  const found = [...judged].filter(([key]) => key.slice(key.indexOf(" ") + 1) === game).map(([, one]) => one);
  return found.find((one) => one.exact === exact) ?? found.sort((one, other) => other.exact - one.exact)[0] ?? NOTHING;
}

function put({ game, exact }, judging) {
  const key = keyOf(game, exact);
  judged.delete(key);
  judged.set(key, judging);
  if (judged.size > MOST) judged.delete(judged.keys().next().value);
  if (!judging.running)
    keep(
      KEY,
      [...judged].filter(([, one]) => !one.running),
    );
  for (const look of lookers) look();
}

function next(old, event) {
  if (event.result) return { ...old, results: { ...old.results, [event.result.number]: event.result } };
  if (event.progress) return { ...old, progress: event.progress };
  if (event.problem) return { ...old, running: false, problem: event.problem.text };
  return { ...old, running: false, done: event.done ?? null };
}

const solvedPositions = new Map(); // solved positions by text; some took minutes

/** A hook: {solving, solve, stop} for a position with many moves left; `solving` has the values known so far. */
export function useSolving(position) {
  const [solving, setSolving] = useState(null); // {values, progress, winner, problem, running}
  const work = useRef(null);
  useEffect(() => {
    setSolving(solvedPositions.get(position) ?? null);
    return () => work.current?.cancel();
  }, [position]);
  useEffect(() => {
    if (solving?.winner && !solving.running) solvedPositions.set(solving.position, solving);
  }, [solving]);
  const solve = () => {
    work.current?.cancel();
    setSolving({ position, values: [], progress: [0, 1], winner: "", problem: "", running: true });
    work.current = job("solve", { position }, (event) => setSolving((old) => solved(old, event)));
  };
  const stop = () => {
    work.current?.cancel();
    setSolving((old) => old && { ...old, running: false });
  };
  return { solving, solve, stop };
}

function solved(old, event) {
  if (event.result) return { ...old, values: [...old.values, event.result] };
  if (event.progress) return { ...old, progress: event.progress };
  if (event.problem) return { ...old, running: false, problem: event.problem.text };
  return { ...old, ...event.done, running: false };
}
