// The one document: the text in the editor. Form, drawing and examples change it too, so one undo serves them all.
import { Annotation, EditorState, StateEffect, Transaction } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { history, invertedEffects, isolateHistory, redo, redoDepth, undo, undoDepth } from "@codemirror/commands";
import { announce } from "./announce.js";
import { changesForEditor } from "./offsets.js";
import { get, set } from "./state.js";

let view = null; // the editor; it lives as long as the page, shown or not
const listeners = new Set();

/** Marks a change that came from the server: it is not sent back. */
export const fromServer = Annotation.define();

const boardEffect = StateEffect.define(); // {from, to}: the position at hand; undo brings it back like text
const boardHistory = invertedEffects.of((transaction) =>
  transaction.effects
    .filter((effect) => effect.is(boardEffect))
    .map(({ value }) => boardEffect.of({ from: value.to, to: value.from })),
);

const toldEffect = StateEffect.define(); // what a step is called when it is taken back
const toldHistory = invertedEffects.of((transaction) => transaction.effects.filter((effect) => effect.is(toldEffect)));

/** Make the editor for a text, or give the one there is another; extensions: what its pane adds. */
export function openText(text, extensions) {
  const state = EditorState.create({
    doc: text,
    extensions: [history(), boardHistory, toldHistory, EditorView.updateListener.of(follow), extensions],
  });
  if (view) view.setState(state);
  else view = new EditorView({ state });
  set({ undoable: 0, redoable: 0 });
}

/** Return the editor's view, or null before a document is open. */
export function editor() {
  return view;
}

/** Return the text as it is now. */
export function text() {
  return view ? view.state.doc.toString() : "";
}

/** Call a function with the ChangeSet of each edit made here, and the document before it; return what ends that. */
export function onEdit(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function follow(update) {
  for (const transaction of update.transactions) {
    for (const effect of transaction.effects) if (effect.is(boardEffect)) set({ board: effect.value.to });
    if (!transaction.docChanged || transaction.annotation(fromServer)) continue;
    for (const listener of listeners) listener(transaction.changes, transaction.startState.doc);
  }
  set({ undoable: undoDepth(update.state), redoable: redoDepth(update.state) });
}

/**
 * Make changes of the server, in characters of the text as it is now, as one step of undo. told: what the step is called
 * when it is taken back, such as "an example added".
 */
export function change(changes, { select = null, event = "input.studio", told = "" } = {}) {
  const doc = view.state.doc;
  view.dispatch({
    changes: changesForEditor(changes, doc),
    effects: told ? toldEffect.of(told) : [],
    annotations: [isolateHistory.of("full"), Transaction.userEvent.of(event)],
    ...(select === null ? {} : { selection: { anchor: select }, scrollIntoView: true }),
  });
}

/** Take over a ChangeSet from the server, already mapped over what is not yet sent; undo does not revert it. */
export function takeOver(changes) {
  view.dispatch({ changes, annotations: [fromServer.of(true), Transaction.addToHistory.of(false)] });
}

/** Put another position at hand, as a step that undo takes back. */
export function setBoard(board) {
  if (!view) set({ board });
  else if (board !== get().board) view.dispatch({ effects: boardEffect.of({ from: get().board, to: board }) });
}

/** Take the last step back, in whichever pane it was made, and say what it was: it may not be on the screen. */
export function undoStep() {
  return step(undo, "Undone");
}

/** Make the step again that was taken back last. */
export function redoStep() {
  return step(redo, "Redone");
}

function step(go, word) {
  if (!view) return false;
  let told = "";
  const isDone = go({
    state: view.state,
    dispatch: (transaction) => ((told = nameOf(transaction)), view.dispatch(transaction)),
  });
  if (isDone) announce(`${word}: ${told}.`);
  return isDone;
}

/** Return what a transaction of the history takes back: by the name of the step, or by where it is. */
function nameOf({ effects, changes, newDoc }) {
  const named = effects.find((effect) => effect.is(toldEffect));
  if (named) return named.value;
  if (changes.empty) return effects.some((effect) => effect.is(boardEffect)) ? "a change of the board" : "a step";
  let line = 1;
  changes.iterChangedRanges((_before, _end, from) => (line = newDoc.lineAt(from).number));
  return `an edit in line ${line}`;
}
