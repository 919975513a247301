// Places in a text: the server counts characters, a JavaScript string counts units, of which 😀 has two.
import { ChangeSet } from "@codemirror/state";

const SURROGATE = /[\ud800-\udbff][\udc00-\udfff]/g;

function pairs(doc) {
  return [...doc.toString().matchAll(SURROGATE)].map((match) => match.index);
}

/** Return a function that turns an index in a document into a count of characters. */
export function inCharacters(doc) {
  const doubled = pairs(doc);
  return (index) => index - doubled.filter((at) => at < index).length;
}

/** Return a function that turns a count of characters into an index in a document, at most its end. */
export function inUnits(doc) {
  const doubled = pairs(doc).map((at, before) => at - before);
  return (count) => Math.min(doc.length, count + doubled.filter((at) => at < count).length);
}

/** Return a ChangeSet as the changes that the server reads: places in characters of the text before it. */
export function changesForServer(changes, before) {
  const count = inCharacters(before);
  const list = [];
  changes.iterChanges((from, to, _from, _to, inserted) =>
    list.push({ from: count(from), to: count(to), insert: inserted.toString() }),
  );
  return list;
}

/** Return changes of the server, each {from, to, insert} in characters of one text, as CodeMirror wants them. */
export function changesForEditor(changes, doc) {
  const unit = inUnits(doc);
  return changes.map(({ from, to, insert }) => ({ from: unit(from), to: unit(to), insert }));
}

/** Return the ChangeSet from one text to another that touches the least: all between what both begin and end with. */
export function difference(doc, after) {
  const before = doc.toString();
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const change = { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
  return ChangeSet.of(before === after ? [] : [change], before.length);
}
