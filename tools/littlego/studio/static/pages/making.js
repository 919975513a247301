// A command's page during its job, with progress and a stop button.
import { ask } from "../api.js";
import { html, useEffect, useState } from "../html.js";
import { FIRST, Surveyed, takeSurveys } from "../effects/coverage.js";
import { WorkButtons, useWork } from "../effects/work.js";
import { useStore } from "../state.js";

const NOTHING = { html: "", command: "", problem: "" };

/**
 * A hook: a page, {html, command, problem, work, start}. kind: the kind of the page; parameters: the parameters of its
 * method; again: a value whose change rebuilds the page.
 */
export function usePage(kind, parameters, again) {
  const [made, setMade] = useState(NOTHING);
  const isJob = kind !== "grading"; // a grading is only read from its file, which is fast
  const work = useWork(`${kind}_page`, { first: FIRST, take: takeSurveys });
  const wanted = JSON.stringify(parameters);
  const file = useStore((state) => state.file);
  const start = () => work.start(JSON.parse(wanted));
  useEffect(() => {
    setMade(NOTHING);
    work.clear();
    if (isJob) return void start();
    const stop = new AbortController();
    const tell = (why) => stop.signal.aborted || setMade({ ...NOTHING, problem: why.message });
    ask("grading_page", JSON.parse(wanted), stop).then((page) => setMade({ ...NOTHING, ...page }), tell);
    return () => stop.abort();
  }, [kind, wanted, again, file]);
  return isJob ? { ...NOTHING, ...work.done, work, start } : { ...made, start };
}

/** The view of a page's job: its progress, and for a survey the results so far. */
export function Making({ kind, page: { work, start }, pattern, onPattern }) {
  if (!work || work.done) return null;
  return html`<${WorkButtons} work=${work} start=${start} title="Build page" />
    ${kind === "coverage" && html`<div class="coverage-pane"><${Surveyed} ...${{ work, pattern, onPattern }} /></div>`}`;
}
