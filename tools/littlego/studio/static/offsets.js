// Conversion of text offsets: the server counts characters, JavaScript counts UTF-16 units (two for 😀).
import { ChangeSet } from "@codemirror/state";

const PAIR = /[\ud800-\udbff][\udc00-\udfff]/; // a character that takes two UTF-16 units
const known = new WeakMap(); // document -> the indices of its pairs

/** Return the indices of a document's pairs. The search goes line by line, because a copy of the text is garbage. */
function pairs(doc) {
  if (known.has(doc)) return known.get(doc);
  const found = [];
  let start = 0;
  for (const part of doc.iter()) {
    if (PAIR.test(part)) for (const { index } of part.matchAll(new RegExp(PAIR, "g"))) found.push(start + index);
    start += part.length;
  }
  known.set(doc, found);
  return found;
}

/** Return a function from an index in a document to a count of characters. */
export function inCharacters(doc) {
  const doubled = pairs(doc);
  return (index) => index - doubled.filter((at) => at < index).length;
}

/** Return a function from a count of characters to an index in a document, at most its end. */
export function inUnits(doc) {
  const doubled = pairs(doc).map((at, before) => at - before);
  return (count) => Math.min(doc.length, count + doubled.filter((at) => at < count).length);
}

/** Return a ChangeSet as changes for the server, with offsets in characters of the text `before`. */
export function changesForServer(changes, before) {
  const count = inCharacters(before);
  const list = [];
  changes.iterChanges((from, to, _from, _to, inserted) =>
    list.push({ from: count(from), to: count(to), insert: inserted.toString() }),
  );
  return list;
}

/** Return the server's changes, {from, to, insert} in characters of one text, in CodeMirror's format. */
export function changesForEditor(changes, doc) {
  const unit = inUnits(doc);
  return changes.map(({ from, to, insert }) => ({ from: unit(from), to: unit(to), insert }));
}

/** Return the smallest ChangeSet from one text to another: everything between their common start and end. */
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
