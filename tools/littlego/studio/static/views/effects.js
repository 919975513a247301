// The Effects view: changed decisions, exact results, other values, coverage.
import { useAnswer } from "../ask.js";
import { html, useEffect } from "../html.js";
import { selectFirst } from "../pattern/first.js";
import { register } from "../views.js";
import { set, useStore } from "../state.js";
import { ChangesPane } from "../effects/changes.js";
import { BoardsPane, CoveragePane } from "../effects/coverage.js";
import { OtherPane } from "../effects/other.js";
import { SliderPane } from "../effects/slider.js";
import { StripPane } from "../effects/strip.js";
import { UnpinnedPane } from "../effects/unpinned.js";

const NONE = [];
/** Return the whole number in a text, or 0. */
const wholeNumber = (text) => (Number.isInteger(Number(text)) ? Number(text) : 0);

function EffectsView() {
  const pattern = useStore((state) => state.pattern);
  const outline = useAnswer("outline", {});
  const entries = outline.answer?.entries ?? NONE;
  const entry = useAnswer("entry", { pattern }, { when: Boolean(pattern) });
  const priority = entry.answer?.keys?.find((one) => one.key === "priority")?.value;
  useEffect(() => {
    if (!entries.length || entries.some((one) => one.id === pattern)) return;
    if (pattern) set({ pattern: entries[0].id }, { step: false });
    else void selectFirst();
  }, [entries, pattern]);
  return html`<div class="effects-view">
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

register({ id: "effects", title: "Effects", key: "Alt-3", component: EffectsView });
