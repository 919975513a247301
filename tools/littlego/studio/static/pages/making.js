// A page of a command being made, by a job that says how far it is and can be stopped.
import { ask } from "../api.js";
import { html, useEffect, useState } from "../html.js";
import { FIRST, Surveyed, takeSurveys } from "../effects/coverage.js";
import { WorkButtons, useWork } from "../effects/work.js";
import { useStore } from "../state.js";

const NOTHING = { html: "", command: "", problem: "" };

/** A hook: a page, {html, command, problem, work, start}. kind: of it; parameters: of its method; again: makes it anew. */
export function usePage(kind, parameters, again) {
  const [made, setMade] = useState(NOTHING);
  const isJob = kind !== "grading"; // which is read, and takes a moment
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

/** What there is to see of a page that a job makes: how far it is, and of a survey what it has found so far. */
export function Making({ kind, page: { work, start }, pattern, onPattern }) {
  if (!work || work.done) return null;
  return html`<${WorkButtons} work=${work} start=${start} title="Build page" />
    ${kind === "coverage" && html`<div class="coverage-pane"><${Surveyed} ...${{ work, pattern, onPattern }} /></div>`}`;
}
