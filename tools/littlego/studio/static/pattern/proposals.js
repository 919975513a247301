// Proposed examples: near misses, and boards that kill mutants of the pattern. A key accepts the first proposal.
import { announce } from "../announce.js";
import { job } from "../api.js";
import { CommandLine } from "../command.js";
import { html, useEffect, useRef, useState } from "../html.js";
import { useKeys } from "../keys.js";
import { editOrTell } from "../sync.js";
import { Board } from "../board.js";
import { KINDS } from "./kinds.js";

const NONE = { proposals: [], told: "", command: "", isRunning: false };

/** Return the state after an event of the job. */
function after(old, { result, progress, problem, done }) {
  if (result) return { ...old, proposals: [...old.proposals, result] };
  if (progress) return { ...old, told: `${progress[0]} of ${progress[1]} checked` };
  if (problem) return { ...old, told: problem.text, isRunning: false };
  return done ? { ...old, told: summary(done), command: done.command, isRunning: false } : old;
}

function summary({ count, survivors, unpinned }) {
  const proposed = count ? `${count} proposed` : "no proposals";
  return `${proposed}; ${survivors} mutants survive, ${unpinned} of them without a board that kills them`;
}

/** The proposals for a pattern, each of which can be accepted or dropped. */
export function Proposals({ pattern }) {
  const [{ proposals, told, command, isRunning }, setState] = useState(NONE);
  const running = useRef(null);
  const stop = () => {
    running.current?.cancel();
    running.current = null;
    setState((old) => ({ ...old, isRunning: false }));
  };
  useEffect(() => {
    setState(NONE);
    return stop;
  }, [pattern]);
  const start = () => {
    stop();
    setState({ ...NONE, told: "looking for examples", isRunning: true });
    running.current = job("propose", { pattern }, (event) => setState((old) => after(old, event)));
  };
  const drop = (proposal) => {
    setState((old) => ({ ...old, proposals: old.proposals.filter((one) => one !== proposal) }));
  };
  const accept = async (proposal) => {
    const { kind, position, move } = proposal;
    if (!(await editOrTell("add_example", { pattern, kind, position, ...(move && { move }) }))) return;
    drop(proposal);
    announce("The example was added to the text. Undo removes it.");
  };
  const first = (run) => () => (proposals.length ? void run(proposals[0]) : false);
  useKeys([
    { key: "p", title: "Propose examples", group: "Pattern", run: start },
    { key: "a", title: "Accept the first proposal", group: "Pattern", run: first(accept) },
    { key: "d", title: "Drop the first proposal", group: "Pattern", run: first(drop) },
  ]);
  return html`<div class="proposals">
    <h3>Proposals</h3>
    <p class="buttons">
      <button type="button" onClick=${isRunning ? stop : start}>${isRunning ? "Stop" : "Propose examples"}</button>
      <span class="muted" role="status">${told}</span>
    </p>
    <ul class="examples">
      ${proposals.map(
        (proposal) => html`<${Proposal} key=${proposal.kind + proposal.text} ...${{ proposal, accept, drop }} />`,
      )}
    </ul>
    <${CommandLine} command=${command} />
  </div>`;
}

function Proposal({ proposal, accept, drop }) {
  const { kind, move, rows, why } = proposal;
  const marks = move && move !== "pass" ? { [move]: "move" } : {};
  return html`<li>
    <p class="doubtful">${KINDS[kind]} <strong>${move ?? "anywhere"}</strong></p>
    <${Board} name=${`Proposed example, ${KINDS[kind]}`} stones=${rows} marks=${marks} />
    <p>${why}</p>
    <div class="buttons">
      <button type="button" class="main" onClick=${() => accept(proposal)}>Accept</button>
      <button type="button" onClick=${() => drop(proposal)}>Drop</button>
    </div>
  </li>`;
}
