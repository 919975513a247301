// All patterns of the file, searchable by id, class or summary, with their findings.
import { classes, html, memo, useRef, useState } from "../html.js";
import { useKeys } from "../keys.js";
import { set, useStore } from "../state.js";

const fits = (pattern, words) =>
  words.every((word) => `${pattern.id} ${pattern.class} ${pattern.summary}`.toLowerCase().includes(word));

/** patterns: the entries of the outline. */
export function Outline({ patterns, busy, onNew }) {
  const chosen = useStore((state) => state.pattern);
  const [wanted, setWanted] = useState("");
  const field = useRef(null);
  const shown = patterns.filter((pattern) => fits(pattern, wanted.toLowerCase().split(/\s+/).filter(Boolean)));
  const step = (by) => {
    const at = shown.findIndex((pattern) => pattern.id === chosen);
    const next = shown[(Math.max(at, 0) + by + shown.length) % shown.length];
    if (next) set({ pattern: next.id });
  };
  useKeys([
    { key: "/", title: "Search the patterns", group: "Pattern", run: () => field.current.focus() },
    { key: "j", title: "Next pattern", group: "Pattern", run: () => step(1) },
    { key: "k", title: "Previous pattern", group: "Pattern", run: () => step(-1) },
  ]);
  const press = (event) => {
    if (event.key === "Enter" && shown.length) set({ pattern: shown[0].id });
    else if (event.key === "Escape") setWanted("");
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") step(event.key === "ArrowDown" ? 1 : -1);
    else return;
    event.preventDefault();
  };
  return html`<section class=${classes("pane outline", busy && "busy")} aria-labelledby="outline-title">
    <h2 id="outline-title">Patterns <span class="muted">${shown.length} of ${patterns.length}</span></h2>
    <input
      type="search"
      ref=${field}
      value=${wanted}
      placeholder="id, class or word"
      aria-label="Search the patterns"
      onInput=${(event) => setWanted(event.target.value)}
      onKeyDown=${press}
    />
    <ul>
      ${shown.map(
        ({ id, summary, shared, problems, severity }) =>
          html`<${Item} key=${id} ...${{ id, summary, shared, problems, severity }} isChosen=${id === chosen} />`,
      )}
    </ul>
    <p class="buttons">
      <button type="button" onClick=${onNew}>New pattern</button>
      <button type="button" onClick=${() => set({ view: "pages", page: "" })}>Show gallery</button>
      <button type="button" onClick=${() => set({ view: "pages", page: "coverage" })}>Show coverage</button>
    </p>
  </section>`;
}

const Item = memo(({ id, summary, shared, problems, severity, isChosen }) => {
  const choose = (event) => {
    event.preventDefault();
    set({ pattern: id });
  };
  const told = problems > 0 && `${problems} findings, at worst ${severity}`;
  return html`<li>
    <a href=${"#pattern=" + encodeURIComponent(id)} title=${summary} aria-current=${isChosen ? "true" : null} onClick=${choose}>
      ${id}${shared && html` <span class="muted">shared</span>`}
      ${told && html`<span class=${`count ${severity}`} title=${told}>${problems}<span class="hidden"> ${told}</span></span>`}
    </a>
  </li>`;
});
