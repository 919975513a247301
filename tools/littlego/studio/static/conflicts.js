// Conflicts between a text and its file: both versions side by side, to choose from.
import { Dialog, openDialog } from "./dialogs.js";
import { html, useState } from "./html.js";

/** Ask for a decision on each conflict of a merge; return the changes that insert the chosen version, or both. */
export async function resolveConflicts(conflicts) {
  const chosen = (await openDialog(Conflicts, { conflicts })) ?? [];
  return conflicts.flatMap(({ from, to, mine, theirs }, index) => {
    if (chosen[index] === "theirs") return [{ from, to, insert: theirs }];
    return chosen[index] === "both" ? [{ from, to, insert: mine + theirs }] : [];
  });
}

const WAYS = [
  ["mine", "the text in the studio"],
  ["theirs", "the text in the file"],
  ["both", "both, one after the other"],
];

function Conflicts({ conflicts, onClose }) {
  const [chosen, setChosen] = useState(conflicts.map(() => "mine"));
  const set = (index, way) => setChosen(chosen.map((one, at) => (at === index ? way : one)));
  return html`<${Dialog} title="Studio and file changed the same lines" wide onClose=${() => onClose(chosen)}>
    ${conflicts.map(
      ({ mine, theirs }, index) =>
        html`<fieldset key=${index}>
          <legend>Conflict ${index + 1} of ${conflicts.length}</legend>
          <div class="versions">
            <div><h3>In the studio</h3><pre>${mine || "(nothing)"}</pre></div>
            <div><h3>In the file</h3><pre>${theirs || "(nothing)"}</pre></div>
          </div>
          ${WAYS.map(
            ([way, title]) =>
              html`<label key=${way}
                ><input
                  type="radio"
                  name=${`conflict-${index}`}
                  checked=${chosen[index] === way}
                  onChange=${() => set(index, way)}
                />${title}</label
              >`,
          )}
        </fieldset>`,
    )}
    <p class="buttons"><button type="button" class="main" onClick=${() => onClose(chosen)}>Apply choices</button></p>
  <//>`;
}
