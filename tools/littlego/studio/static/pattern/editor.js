// The text editor: YAML with completion, hover help and findings from the server.
import { autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap } from "@codemirror/commands";
import { bracketMatching, codeFolding, foldGutter, foldService, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { ask, Problem } from "../api.js";
import { editor } from "../document.js";
import { inCharacters, inUnits } from "../offsets.js";
import { get } from "../state.js";
import { sent } from "../sync.js";
import { patterns } from "./highlight.js";

/**
 * Call a method about a place in the text, the current board and its shown placement; return null if there is no
 * answer.
 */
async function answerAt(method, place) {
  await sent();
  const { atHand, placement } = get();
  const board = atHand ? { position: atHand, ...placement } : {};
  try {
    return await ask(method, { offset: inCharacters(editor().state.doc)(place), ...board });
  } catch (problem) {
    if (problem instanceof Problem) return null;
    throw problem;
  }
}

const toldValues = (values) => (values ?? []).map(({ text, value }) => `${text} is ${value}`).join(", ");

async function complete(context) {
  if (!context.explicit && !context.matchBefore(/[\w*-]+|[(] ?$/)) return null;
  const answer = await answerAt("complete", context.pos);
  if (context.aborted || !answer?.options.length) return null;
  const unit = inUnits(context.state.doc);
  return {
    from: unit(answer.from),
    to: Math.max(context.pos, unit(answer.to)),
    options: answer.options.map((option) => ({
      label: option.label,
      apply: option.insert,
      detail: toldValues(option.values) || option.detail,
      info: option.info || undefined,
      type: option.kind,
    })),
  };
}

const hover = hoverTooltip(async (view, place) => {
  const answer = await answerAt("hover", place);
  if (!answer?.title) return null;
  const unit = inUnits(view.state.doc);
  const lines = [answer.title, answer.text, toldValues(answer.values)].filter(Boolean);
  return { pos: unit(answer.from), end: unit(answer.to), above: true, create: () => ({ dom: helpOf(lines) }) };
});

function helpOf(lines) {
  const dom = document.createElement("div");
  dom.className = "hover-help";
  dom.append(...lines.map((line) => Object.assign(document.createElement("p"), { textContent: line })));
  return dom;
}

/** Fold an entry of the list below its first line. */
const folding = foldService.of((state, start, end) => {
  const line = state.doc.lineAt(start);
  const depth = /^ *- id:/.test(line.text) ? line.text.search(/\S/) : -1;
  if (depth < 0) return null;
  let last = line;
  for (let number = line.number + 1; number <= state.doc.lines; number += 1) {
    const next = state.doc.line(number);
    if (next.text.trim() && next.text.search(/\S/) <= depth) break;
    if (next.text.trim()) last = next;
  }
  return last.to > end ? { from: end, to: last.to } : null;
});

const editingKeys = defaultKeymap.filter(({ key }) => key !== "Mod-Enter"); // that key runs the examples

/**
 * Scroll a selected pattern to the top of the editor, without scrolling the page, so that the board stays visible on a
 * phone.
 */
function scrollInside(view, range, { y, yMargin }) {
  if (y !== "start") return false;
  view.scrollDOM.scrollTop = view.lineBlockAt(range.head).top - yMargin;
  return true;
}

/** The extensions of this editor, without the undo history, which belongs to the document. */
export const editorExtensions = [
  lineNumbers(),
  foldGutter(),
  codeFolding(),
  folding,
  drawSelection(),
  highlightActiveLine(),
  bracketMatching(),
  highlightSelectionMatches(),
  search({ top: true }),
  lintGutter(),
  patterns(),
  syntaxHighlighting(classHighlighter),
  autocompletion({ override: [complete], icons: false }),
  hover,
  EditorState.tabSize.of(2),
  EditorView.lineWrapping,
  EditorView.scrollHandler.of(scrollInside),
  EditorView.contentAttributes.of({ "aria-label": "The patterns file, as text", tabindex: "0" }),
  keymap.of([...completionKeymap, ...lintKeymap, ...searchKeymap, ...editingKeys]),
];
