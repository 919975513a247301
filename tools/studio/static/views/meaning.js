// The view of what an edit means for play: decisions that change, the truth about a pattern, sliders, coverage.
import { useAnswer } from "../ask.js";
import { html, useEffect } from "../html.js";
import { register } from "../views.js";
import { set, useStore } from "../state.js";
import { ChangesPane } from "../meaning/changes.js";
import { BoardsPane, CoveragePane } from "../meaning/coverage.js";
import { OtherPane } from "../meaning/other.js";
import { SliderPane } from "../meaning/slider.js";
import { StripPane } from "../meaning/strip.js";
import { UnpinnedPane } from "../meaning/unpinned.js";

const NONE = [];
/** Return the number that a text says, 0 for one that is no whole number, or none. */
const wholeNumber = (text) => (Number.isInteger(Number(text)) ? Number(text) : 0);

function MeaningView() {
  const pattern = useStore((state) => state.pattern);
  const outline = useAnswer("outline", {});
  const entries = outline.answer?.entries ?? NONE;
  const entry = useAnswer("entry", { pattern }, { when: Boolean(pattern) });
  const priority = entry.answer?.keys?.find((one) => one.key === "priority")?.value;
  useEffect(() => {
    if (entries.length && !entries.some((one) => one.id === pattern)) set({ pattern: entries[0].id }, { step: false });
  }, [entries, pattern]);
  return html`<div class="meaning-view">
    <p class="chosen">
      <label class="inline">
        Pattern
        <select value=${pattern} onChange=${(event) => set({ pattern: event.target.value })}>
          ${entries.map(({ id }) => html`<option key=${id} value=${id}>${id}</option>`)}
        </select>
      </label>
    </p>
    <div class="column">
      <${ChangesPane} />
    </div>
    <div class="column">
      <${StripPane} pattern=${pattern} />
      <${SliderPane} pattern=${pattern} priority=${entry.answer ? wholeNumber(priority) : null} />
      <${OtherPane} pattern=${pattern} />
    </div>
    <div class="column">
      <${UnpinnedPane} pattern=${pattern} />
      <${BoardsPane} pattern=${pattern} />
      <${CoveragePane} pattern=${pattern} />
    </div>
  </div>`;
}

register({ id: "meaning", title: "Meaning", key: "Alt-3", component: MeaningView });
