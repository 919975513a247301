// The keys of the board view, as in other Go programs.
import { useEffect, useState } from "../html.js";
import { isTyping } from "../keys.js";

const GAME = "Game";
const ANSWERS = "Answers";

/** Return the list of keys for useKeys; act: the functions to call. */
export function boardKeys(act) {
  return [
    { key: "ArrowLeft", title: "One move back", group: GAME, run: () => act.step(-1) },
    { key: "ArrowRight", title: "One move forward", group: GAME, run: () => act.step(1) },
    { key: "Home", title: "To the start", group: GAME, run: act.start },
    { key: "End", title: "To the end", group: GAME, run: act.end },
    { key: "n", title: "Next turning point", group: GAME, run: () => act.turning(1) },
    { key: "Shift-n", title: "Previous turning point", group: GAME, run: () => act.turning(-1) },
    { key: "j", title: "Judge moves", group: GAME, run: act.judge },
    {
      key: ["1", "2", "3", "4", "5", "6", "7", "8", "9"],
      title: "Explain this candidate",
      group: ANSWERS,
      run: (event) => act.candidate(Number(event.key)),
    },
    { key: "a", title: "Show or hide the answers", group: ANSWERS, run: act.reveal },
    { key: "z", title: "Show the answers while the key is held", group: ANSWERS, run: () => {} },
    { key: "v", title: "Switch exact values: lead, or points lost", group: ANSWERS, run: act.scale },
    { key: "g", title: "Guess the move before the answer", group: ANSWERS, run: act.guess },
    { key: "h", title: "Hint", group: ANSWERS, run: () => void act.hint() },
    { key: "p", title: "Switch clicks: play moves or explain", group: GAME, run: act.play },
    { key: "s", title: "Switch clicks: set stones or explain", group: "Board", run: act.set },
    { key: "t", title: "Swap side to move", group: "Board", run: act.other },
    { key: "u", title: "Take back the last move", group: GAME, run: act.undo },
  ];
}

/** A hook: whether a key is held down. */
export function usePeek(key) {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    const down = (event) => event.key === key && !event.ctrlKey && !isTyping(event.target) && setHeld(true);
    const up = (event) => event.key === key && setHeld(false);
    const away = () => setHeld(false);
    window.addEventListener("keydown", down);
    window.addEventListener("keyup", up);
    window.addEventListener("blur", away);
    return () => {
      window.removeEventListener("keydown", down);
      window.removeEventListener("keyup", up);
      window.removeEventListener("blur", away);
    };
  }, []);
  return held;
}
