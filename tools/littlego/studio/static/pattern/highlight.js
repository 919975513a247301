// Syntax colours for a patterns file, line by line: after a keystroke only the visible lines are parsed again.
// @codemirror/lang-yaml parses all of YAML: after a keystroke in the middle of a long list it parses most of the list
// again, which takes longer than all other work after a keystroke.
import { LanguageSupport, StreamLanguage } from "@codemirror/language";

const KEY = /(?:"[^"]*"|'[^']*'|[\w][^:#{}[\],]*?)(?=\s*:(?:\s|$))/;
const BLOCK = /[|>][-+\d]*(?=\s*(?:#|$))/;
const SEPARATOR = /[-:](?=\s|$)|[[\]{},]/;

/**
 * quote: the delimiter of an open quoted text, or null. block: the column of a key with a block value below, or null.
 * owner: the column of the last key or dash. isStart: whether a key or a value may start here.
 */
const startState = () => ({ quote: null, block: null, owner: 0, isStart: true });

function beginLine(stream, state) {
  const isFurtherOut = stream.indentation() <= (state.block ?? state.owner);
  if (isFurtherOut) Object.assign(state, { quote: null, block: null });
  if (state.block === null) state.isStart = true;
}

function quoted(stream, state) {
  for (let sign = stream.next(); sign; sign = stream.next()) {
    if (sign === "\\" && state.quote === '"') stream.next();
    else if (sign === state.quote) {
      state.quote = null;
      break;
    }
  }
  return "string";
}

function token(stream, state) {
  if (stream.sol()) beginLine(stream, state);
  if (state.block !== null && stream.sol()) {
    stream.skipToEnd();
    return null;
  }
  if (state.quote) return quoted(stream, state);
  if (stream.eatSpace()) return null;
  const isApart = stream.start === 0 || /\s/.test(stream.string[stream.start - 1]);
  if (isApart && stream.match(/#.*/)) return "comment";
  if (stream.match(SEPARATOR)) {
    if (stream.current() === "-") state.owner = stream.column();
    state.isStart = true;
    return "separator";
  }
  if (state.isStart) {
    state.isStart = false;
    if (stream.match(KEY)) {
      state.owner = stream.column();
      return "propertyName";
    }
    if (stream.match(BLOCK)) {
      state.block = state.owner;
      return "meta";
    }
    if (stream.match(/["']/)) {
      state.quote = stream.current();
      return quoted(stream, state);
    }
  }
  stream.next();
  stream.eatWhile(/[^\s,\]}]/);
  return null;
}

/**
 * Return the indentation of a new line: the indentation of the key above, or one level more if this key has no value.
 */
function indent(state, text, { pos, state: { doc }, unit }) {
  const line = doc.lineAt(pos);
  const before = line.from < pos || line.number === 1 ? line : doc.line(line.number - 1);
  const [, dash, rest] = /^(\s*(?:-\s+(?=[\w"'-]+\s*:))?)(.*)/.exec(before.text.slice(0, pos - before.from));
  return dash.length + (/(?::|[|>][-+\d]*)\s*$/.test(rest) ? unit : 0);
}

const parser = { name: "patterns", startState, token, indent, languageData: { commentTokens: { line: "#" } } };

/** The language of a patterns file, for the editor. */
export const patterns = () => new LanguageSupport(StreamLanguage.define(parser));
