// The document: the text in the editor. Form, drawing and examples edit the same text, so they share one undo history.
import { Annotation, EditorState, StateEffect, Transaction } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { history, invertedEffects, isolateHistory, redo, redoDepth, undo, undoDepth } from "@codemirror/commands";
import { announce } from "./announce.js";
import { changesForEditor } from "./offsets.js";
import { get, set } from "./state.js";

let view = null; // the editor, which lives as long as the page, visible or not
const listeners = new Set();

/** Marks a change from the server, so that it is not sent back. */
export const fromServer = Annotation.define();

const boardEffect = StateEffect.define(); // {from, to}: the current board position; undo restores it like text
const boardHistory = invertedEffects.of((transaction) =>
  transaction.effects
    .filter((effect) => effect.is(boardEffect))
    .map(({ value }) => boardEffect.of({ from: value.to, to: value.from })),
);

const toldEffect = StateEffect.define(); // a step's name for undo messages
const toldHistory = invertedEffects.of((transaction) => transaction.effects.filter((effect) => effect.is(toldEffect)));

/** Create the editor for a text, or replace the editor's text; extensions: the extensions of the editor's pane. */
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

/** Return the current text. */
export function text() {
  return view ? view.state.doc.toString() : "";
}

/**
 * Call a function with the ChangeSet of each edit in this page and the document before it; return a function to stop.
 */
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
 * Apply the server's changes, whose offsets count characters of the current text, as one undo step. told: the step's
 * name for undo messages, such as "an example added".
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

/** Apply a ChangeSet from the server, mapped over the unsent edits; undo does not revert it. */
export function takeOver(changes) {
  view.dispatch({ changes, annotations: [fromServer.of(true), Transaction.addToHistory.of(false)] });
}

/** Set the current board position, as an undo step. */
export function setBoard(board) {
  if (!view) set({ board });
  else if (board !== get().board) view.dispatch({ effects: boardEffect.of({ from: get().board, to: board }) });
}

/** Undo the last step in any pane, and announce it, because it may not be visible. */
export function undoStep() {
  return step(undo, "Undone");
}

/** Redo the step that was undone last. */
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

/** Return the name of a history transaction: the name of its step, or the line that it changes. */
function nameOf({ effects, changes, newDoc }) {
  const named = effects.find((effect) => effect.is(toldEffect));
  if (named) return named.value;
  if (changes.empty) return effects.some((effect) => effect.is(boardEffect)) ? "a change of the board" : "a step";
  let line = 1;
  changes.iterChangedRanges((_before, _end, from) => (line = newDoc.lineAt(from).number));
  return `an edit in line ${line}`;
}
