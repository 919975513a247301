// The form's fields: each is written when its value is complete and valid, and shows the findings at its place.
import { classes, html, memo, useEffect, useRef, useState } from "../html.js";
import { toldNumber } from "./badges.js";
import { FactOptions, useFacts } from "./facts.js";
import { NAME, whyInvalid } from "./name.js";

/**
 * field: a key of the entry; found: the text of the findings at its place. fill(operation, onRefused) changes the text,
 * or calls onRefused with the reason. A field is redrawn only if the answer about the entry changes it.
 */
export const Field = memo(({ field, found, fill }) => {
  const [typed, setTyped] = useState(null); // the text being typed, or null
  const [refused, setRefused] = useState({ text: "" });
  // Each refusal is a new object, so that the control is redrawn with the value of the file.
  const refuse = (text) => setRefused((old) => (text || old.text ? { text } : old));
  const value = shown(field);
  const tried = useRef(null); // the last written value: Enter and the following blur both finish a field
  useEffect(() => {
    setTyped(null);
    refuse("");
    tried.current = null;
  }, [value]);
  const write = (next) => {
    if (next === value) return;
    if (next === "" || next === false) fill({ op: "remove", key: field.key }, refuse);
    else fill({ op: "set", key: field.key, value: written(field, next) }, refuse);
  };
  const finish = (control) => {
    const why = typed === "" && field.required ? "This key is required." : whyInvalid(control);
    if (why) refuse(why);
    if (typed === null || why || typed === tried.current) return;
    tried.current = typed;
    write(typed);
  };
  const id = `field-${field.key}`;
  const wrong = refused.text || found;
  const common = { id, title: field.meaning, "aria-describedby": `${id}-told`, "aria-invalid": wrong ? "true" : null };
  return html`<div class=${classes("field", !field.written && "unwritten")}>
    <label for=${id} title=${field.meaning}>${field.key}</label>
    <${Control} ...${{ field, value: typed ?? value, setTyped, write, finish, common }} />
    <span class="wrong problem" id=${`${id}-told`}>${wrong}</span>
  </div>`;
});

/** The value of a key for its control: a text, or a boolean. */
function shown(field) {
  if (field.kind === "flag") return field.value === "true";
  return Array.isArray(field.value) ? field.value.join(", ") : (field.value ?? "");
}

/** A control's value as the value of a key. */
function written(field, value) {
  if (field.kind === "integer") return Number(value);
  if (field.kind === "names")
    return value
      .split(",")
      .map((one) => one.trim())
      .filter(Boolean);
  return value;
}

/** Return the texts of the findings at the place of a key or of an item; findings: the entry's findings. */
export function textOf(findings, place) {
  if (!place?.written) return "";
  const here = (one) => one.line === place.key_line || (one.from >= place.from && one.from <= place.to);
  return findings
    .filter(here)
    .map((one) => one.text)
    .join(" ");
}

function Control({ field, value, setTyped, write, finish, common }) {
  if (field.kind === "flag") {
    const check = (event) => write(event.target.checked);
    return html`<span><input type="checkbox" ...${common} checked=${value} onChange=${check} /></span>`;
  }
  if (field.kind === "choice") {
    return html`<select ...${common} value=${value} onChange=${(event) => write(event.target.value)}>
      ${!field.required && html`<option value="">—</option>`}
      ${Object.entries(field.choices).map(
        ([word, meaning]) => html`<option key=${word} value=${word} title=${meaning}>${word}</option>`,
      )}
    </select>`;
  }
  const press = (event) => {
    if (event.key === "Escape") setTyped(null);
    else if (event.key === "Enter") finish(event.target);
    else return;
    event.preventDefault();
  };
  const shared = {
    ...common,
    value,
    onInput: (event) => setTyped(event.target.value),
    onBlur: (event) => finish(event.target),
    onKeyDown: press,
  };
  if (field.kind === "integer")
    return html`<input type="number" step="1" min=${field.least} max=${field.most} ...${shared} />`;
  if (field.kind === "name") return html`<input type="text" spellcheck=${false} pattern=${NAME} ...${shared} />`;
  if (field.kind === "text") return html`<textarea rows="2" ...${shared}></textarea>`;
  return html`<input type="text" spellcheck=${false} ...${shared} />`;
}

/** The conditions under `when`, each with the number of placements that remain; the last field adds a condition. */
export function Conditions({ field, badges, findings, fill }) {
  const texts = field?.value ?? [];
  const facts = useFacts();
  return html`<h3>Conditions</h3>
    <ul class="conditions">
      ${[...texts, ""].map(
        (text, index) =>
          html`<${Condition}
            key=${index === texts.length ? "new" : `${index} ${text}`}
            text=${text}
            badge=${text && badges[index]}
            found=${textOf(findings, text && field.items && { ...field.items[index], written: true })}
            isNew=${index === texts.length}
            ...${{ index, facts, fill }}
          />`,
      )}
    </ul>`;
}

/** A condition's field, which is redrawn only if one of the properties changes. isNew: whether the field adds a condition. */
const Condition = memo(({ text, badge, found, index, isNew, facts, fill }) => {
  const [typed, setTyped] = useState(null);
  const [refused, setRefused] = useState("");
  const [isFocused, setFocused] = useState(false); // only this field has suggestions, because there are many facts
  const number = index + 1;
  const onSet = (value) => {
    if (value) return fill({ op: "set_item", key: "when", index, value }, setRefused);
    return isNew ? null : fill({ op: "remove_item", key: "when", index }, setRefused);
  };
  const forget = () => {
    setTyped(null);
    setRefused("");
  };
  const finish = async () => {
    if (typed === null || typed.trim() === text) return forget();
    if (await onSet(typed.trim())) forget();
  };
  const leave = () => {
    setFocused(false);
    void finish();
  };
  const press = (event) => {
    if (event.key === "Escape") forget();
    else if (event.key === "Enter") finish();
    else return;
    event.preventDefault();
  };
  return html`<li>
    <input
      type="text"
      spellcheck=${false}
      aria-label=${text ? `Condition ${number}` : "Add a condition"}
      placeholder=${text ? "" : "for example liberties(A) >= 2"}
      aria-invalid=${refused || found ? "true" : null}
      list=${`facts-${number}`}
      value=${typed ?? text}
      onInput=${(event) => setTyped(event.target.value)}
      onFocus=${() => setFocused(true)}
      onBlur=${leave}
      onKeyDown=${press}
    />
    ${isFocused && html`<${FactOptions} id=${`facts-${number}`} written=${typed ?? text} facts=${facts} />`}
    ${badge && html`<span class="count" title=${badge.text}>${badge.count}<span class="hidden"> ${badge.text}</span></span>`}
    ${text && html`<button type="button" aria-label=${`Remove condition ${number}`} onClick=${() => onSet("")}>×</button>`}
    ${badge && badge.numbers.map((one) => html`<span class="numbers muted" key=${one.offset}>${toldNumber(one)}</span>`)}
    ${(refused || found) && html`<span class="wrong problem" role="alert">${refused || found}</span>`}
  </li>`;
});
