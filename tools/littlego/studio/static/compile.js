// Compilation of the open file from the page, as by `littlego compile`, with warnings about stale files.
import { announce } from "./announce.js";
import { job } from "./api.js";
import { CommandLine } from "./command.js";
import { Dialog, openDialog } from "./dialogs.js";
import { save } from "./files.js";
import { html } from "./html.js";
import { get } from "./state.js";

/** Save the text, compile it, and show the result. */
export async function compile() {
  await save();
  if (!get().saved) return; // the reason was announced
  announce("Compiling and running all examples …");
  const mistakes = [];
  job("compile", {}, ({ result, problem, done }) => {
    if (result) mistakes.push(result);
    if (problem) announce(problem.text, { problem: true });
    if (done) openDialog(Compiled, { done, mistakes });
  });
}

function Compiled({ done, mistakes, onClose }) {
  const { written, output, patterns, bytes, stale, command } = done;
  return html`<${Dialog} title=${written ? "Compiled" : "Not compiled"} onClose=${onClose}>
    <p class=${written ? "good" : "bad"}>
      ${written ? `${output}: ${patterns} patterns, ${bytes} bytes` : `No file was written: ${mistakes.length} ${mistakes.length === 1 ? "mistake" : "mistakes"}.`}
    </p>
    <ul>
      ${[...mistakes, ...stale].map((line) => html`<li key=${line}>${line}</li>`)}
    </ul>
    <${CommandLine} command=${command} />
  <//>`;
}
