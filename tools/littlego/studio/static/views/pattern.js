// The pattern view: one pattern as text, as a drawing and a form, on a board, and in its examples.
import { html, memo, useEffect, useLatest, useMemo, useRef, useState } from "../html.js";
import { announce } from "../announce.js";
import { editor } from "../document.js";
import { useAnswer } from "../ask.js";
import { useKeys } from "../keys.js";
import { register } from "../views.js";
import { get, set, useStore } from "../state.js";
import { emptyBoard } from "../position.js";
import { changeIf, editOrTell } from "../sync.js";
import { BoardPane } from "../pattern/hits.js";
import { ExamplesPane } from "../pattern/examples.js";
import { createPattern } from "../pattern/create.js";
import { selectFirst } from "../pattern/first.js";
import { FindingsPane, allFindings } from "../pattern/findings.js";
import { FormPane } from "../pattern/form.js";
import { Outline } from "../pattern/outline.js";
import { TextPane, entryAt } from "../pattern/text.js";
import { failingCells } from "../pattern/whynot.js";

// Each pane is redrawn only when its own properties change, because each keystroke in the text brings several answers.
const Panes = {
  Outline: memo(Outline),
  Text: memo(TextPane),
  Findings: memo(FindingsPane),
  Form: memo(FormPane),
  Board: memo(BoardPane),
  Examples: memo(ExamplesPane),
};
const NONE = [];
const PAUSE = 500; // milliseconds without an edit before the whole file is checked
const AFTER = 40; // milliseconds by which hits, badges and findings precede the rest

/** Return the answers for all panes about the selected pattern, requested together. */
function useAnswers(again) {
  const pattern = useStore((state) => state.pattern);
  const ruleset = useStore((state) => state.ruleset);
  const chosen = useStore((state) => state.board);
  const move = useStore((state) => state.move);
  const when = Boolean(pattern);
  const together = true;
  const examples = useAnswer("examples", { pattern }, { when, again, wait: AFTER, together });
  const first = examples.answer?.examples.find((example) => example.kind === "matches");
  const board = chosen || first?.position || emptyBoard(ruleset);
  const here = { pattern, position: board };
  return {
    ...{ pattern, board, move, examples },
    outline: useAnswer("outline", {}, { wait: AFTER, together }),
    findings: useAnswer("findings", { pattern }, { when, together }),
    check: useAnswer("check", {}, { wait: PAUSE }),
    entry: useAnswer("entry", { pattern }, { when, wait: AFTER, together }),
    fires: useAnswer("fires", here, { when, together }),
    badges: useAnswer("badges", here, { when, together }),
    repairs: useAnswer("repairs", { ...here, move }, { when: when && Boolean(move), wait: AFTER }),
    why: useAnswer("why_not_here", { ...here, move }, { when: when && Boolean(move) }),
  };
}

/**
 * Keep a pattern selected: by default the pattern that the server proposes. A renamed entry stays selected under its
 * new id. If the selected id is unknown while the author types, the entry at the cursor is selected.
 */
function useChosen(patterns, pattern, isFresh) {
  const number = useRef(null); // the entry's number
  useEffect(() => {
    if (!patterns.length || !isFresh) return; // a new pattern is in the next outline
    if (get().pattern !== pattern) return; // the author has selected another pattern since this drawing
    const at = patterns.findIndex((one) => one.id === pattern);
    if (at >= 0) number.current = at;
    else {
      const isUnknown = number.current === null;
      if (isUnknown && !pattern && !editor().hasFocus) return void selectFirst();
      const writing = isUnknown && pattern && editor().hasFocus ? entryAt(patterns, editor()) : undefined;
      if (pattern && isUnknown && !writing) announce(`There is no pattern ${pattern} in this file.`, { problem: true });
      set({ pattern: (writing ?? patterns[number.current ?? 0] ?? patterns[0]).id }, { step: false });
    }
  }, [patterns, pattern, isFresh]);
}

function PatternView() {
  const [again, setAgain] = useState(0);
  const { pattern, board, move, outline, findings, check, entry, fires, badges, why, repairs, examples } =
    useAnswers(again);
  const patterns = outline.answer?.entries ?? NONE;
  const revision = useStore((state) => state.revision);
  const found = useMemo(
    () => allFindings(findings, check, pattern, revision),
    [findings.answer, findings.revision, check.answer, check.revision, pattern, revision],
  );
  useChosen(patterns, pattern, outline.revision === revision);
  useEffect(() => set({ atHand: board }), [board]);
  const failing = useMemo(() => (move ? failingCells(why.answer) : NONE), [move, why.answer]);
  const onExample = useLatest((kind) => {
    if (kind === "matches" && !move) {
      return announce("Click the move on the board first: an example says for which move the pattern must fire.");
    }
    const at = move ? { move } : {};
    return editOrTell("add_example", { pattern, kind, position: board, ...at });
  });
  const onNew = useLatest(() => createPattern({ board, move }));
  const onFix = useLatest((finding) => changeIf(finding.revision, finding.fix.changes));
  useKeys([
    { key: "Ctrl-Enter", title: "Run the examples again", group: "Pattern", run: () => setAgain((old) => old + 1) },
    { key: "n", title: "New pattern from the board", group: "Pattern", run: () => void onNew() },
    { key: "e", title: "Make the board an example", group: "Board", run: () => void onExample("matches") },
    { key: "c", title: "Make the board a counterexample", group: "Board", run: () => void onExample("no_match") },
  ]);
  return html`<div class="pattern-view">
    <${Panes.Outline} patterns=${patterns} busy=${outline.busy} onNew=${onNew} />
    <div class="column column-text">
      <${Panes.Text} patterns=${patterns} findings=${found} onFix=${onFix} />
      <${Panes.Findings} findings=${found} busy=${check.busy} problem=${findings.problem} command=${check.answer?.command} revision=${findings.revision} checked=${check.revision} onFix=${onFix} />
    </div>
    <div class="column">
      <${Panes.Form} ...${{ entry, badges, failing, findings: found }} />
    </div>
    <div class="column column-board">
      <${Panes.Board} ...${{ board, move, fires, why, repairs, onExample }} />
      <${Panes.Examples} pattern=${pattern} result=${examples} />
    </div>
  </div>`;
}

register({ id: "pattern", title: "Pattern", key: "Alt-1", component: PatternView });
