// The editor pane: it scrolls to the selected pattern, and selects the pattern at the cursor.
import { setDiagnostics } from "@codemirror/lint";
import { EditorView } from "@codemirror/view";
import { editor } from "../document.js";
import { html, useEffect, useRef } from "../html.js";
import { inUnits } from "../offsets.js";
import { get, set, useStore } from "../state.js";

/**
 * patterns: the outline's patterns, with their first and last lines; findings: each with its place, some with a fix.
 */
export function TextPane({ patterns, findings, onFix }) {
  const host = useRef(null);
  const chosen = useStore((state) => state.pattern);
  const byCursor = useRef(""); // the pattern selected by the cursor, which needs no scrolling
  const isFollowing = useRef(false); // whether the editor has scrolled to a selected pattern
  const isMarked = useRef(false); // whether findings are marked in the text
  const latest = useRef(patterns);
  latest.current = patterns;
  useEffect(() => {
    host.current.append(editor().dom);
    const follow = () => {
      const found = entryAt(latest.current, editor());
      if (!found || found.id === get().pattern || !editor().hasFocus) return;
      byCursor.current = found.id;
      set({ pattern: found.id });
    };
    const element = host.current;
    element.addEventListener("keyup", follow);
    element.addEventListener("mouseup", follow);
    return () => {
      element.removeEventListener("keyup", follow);
      element.removeEventListener("mouseup", follow);
      editor()?.dom.remove();
    };
  }, []);
  useEffect(() => {
    const pattern = patterns.find((one) => one.id === chosen);
    if (!pattern) return; // a new pattern is in the next outline
    // If the editor has the focus, or was used before the first outline, the author chose its position.
    const isThere = editor().hasFocus && (!isFollowing.current || entryAt(patterns, editor()) === pattern);
    if (pattern.line && byCursor.current !== chosen && !isThere) scrollTo(pattern.line);
    byCursor.current = "";
    isFollowing.current = true;
  }, [chosen, patterns.some((one) => one.id === chosen)]);
  useEffect(() => {
    const view = editor();
    const fresh = findings.filter((finding) => !finding.isOld);
    if (!fresh.length && !isMarked.current) return; // setting an unchanged empty list costs as much as a changed list
    isMarked.current = fresh.length > 0;
    const unit = inUnits(view.state.doc);
    const diagnostics = fresh.map((finding) => ({
      from: unit(finding.from),
      to: unit(finding.to),
      severity: finding.severity === "note" ? "info" : finding.severity,
      message: `${finding.code} ${finding.text}`,
      actions: finding.fix ? [{ name: finding.fix.title, apply: () => onFix(finding) }] : [],
    }));
    view.dispatch(setDiagnostics(view.state, diagnostics));
  }, [findings]);
  return html`<section class="pane text-pane" aria-labelledby="text-title">
    <h2 id="text-title">Text</h2>
    <div class="text-host" ref=${host}></div>
  </section>`;
}

/** Return the entry at the editor's cursor, or undefined. */
export function entryAt(patterns, view) {
  const line = view.state.doc.lineAt(view.state.selection.main.head).number;
  return patterns.find((pattern) => pattern.line <= line && line <= pattern.end);
}

/** Scroll the editor so that a line, from 1, is near its top, and put the cursor there; column: from 1. */
export function scrollTo(number, column = 0) {
  const view = editor();
  const line = view.state.doc.line(Math.min(Math.max(number, 1), view.state.doc.lines));
  view.dispatch({
    selection: { anchor: Math.min(line.to, line.from + (column ? column - 1 : line.text.search(/\S|$/))) },
    effects: EditorView.scrollIntoView(line.from, { y: "start", yMargin: 12 }),
  });
  if (!column) return;
  view.dom.scrollIntoView({ block: "nearest" });
  view.focus();
}
