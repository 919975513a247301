// Compiling the open file from the page: what `littlego compile` writes, and what it says of the rest.
import { announce } from "./announce.js";
import { job } from "./api.js";
import { CommandLine } from "./command.js";
import { Dialog, openDialog } from "./dialogs.js";
import { save } from "./files.js";
import { html } from "./html.js";
import { get } from "./state.js";

/** Save the text, compile it, and show what came of it. */
export async function compile() {
  await save();
  if (!get().saved) return; // what hindered it was told
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
      ${written ? `${output}: ${patterns} patterns, ${bytes} bytes` : `No file was written: ${mistakes.length} mistakes.`}
    </p>
    <ul>
      ${[...mistakes, ...stale].map((line) => html`<li key=${line}>${line}</li>`)}
    </ul>
    <${CommandLine} command=${command} />
  <//>`;
}
