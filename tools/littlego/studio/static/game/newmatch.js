// The setup of a match: the opponent, the person's colour, the clocks, and whether the open file plays for the person.
import { useAnswer } from "../ask.js";
import { html } from "../html.js";
import { useKept } from "../remember.js";
import { THIS_FILE } from "./playout.js";

const OTHER = "other"; // a typed player, such as erring:0.1:ours
const USUAL = { name: "greedy", written: "", mine: "black", minutes: "", seed: 1 };

/** A hook: [setup, change], the players' setup and its setter; the setup is stored for the session. */
export function useSetup() {
  return useKept("players", USUAL);
}

/** Return the player of a setup. */
export function playerOf({ name, written }) {
  return (name === OTHER ? written.trim() : name) || USUAL.name;
}

/**
 * Return {black, white, seed} if this file plays the person's side; mine: the person's side, by default as in the
 * setup.
 */
export function sidesOf(setup, mine = "") {
  const player = playerOf(setup);
  const side = mine || setup.mine;
  return {
    black: side === "white" ? player : THIS_FILE,
    white: side === "black" ? player : THIS_FILE,
    seed: Number(setup.seed) || 0,
  };
}

/**
 * setup: the result of useSetup; onStart({player, mine, minutes, slow}) starts a game; onPlayOut(until) lets this
 * file's patterns play and, if `until` is true, plays more games until they lose.
 */
export function NewMatch({ setup: [setup, change], onStart, onPlayOut }) {
  const found = useAnswer("players", {}, { text: false });
  const players = found.answer?.players ?? [{ name: setup.name, argument: false }];
  const player = playerOf(setup);
  const known = players.find((one) => one.name === player || one.name === player.split(":")[0]);
  const begin = (event) => {
    event.preventDefault();
    onStart({ player, mine: setup.mine, minutes: Number(setup.minutes || 0), slow: known?.slow ?? "" });
  };
  return html`<form class="new-match" onSubmit=${begin}>
    <label
      >Against
      <select name="player" value=${setup.name} onChange=${(event) => change({ name: event.target.value })}>
        ${players
          .filter((one) => !one.argument)
          .map(
            (one) =>
              html`<option key=${one.name} value=${one.name} selected=${one.name === setup.name}>${one.name}</option>`,
          )}
        <option value=${OTHER} selected=${setup.name === OTHER}>other …</option>
      </select>
    </label>
    ${setup.name === OTHER && html`<${Written} ...${{ setup, change, players }} />`}
    ${known?.about && html`<p class="muted" data-about=${known.name}>${known.about}. ${known.slow}</p>`}
    <label
      >You are
      <select name="mine" value=${setup.mine} onChange=${(event) => change({ mine: event.target.value })}>
        <option value="black">Black (X)</option>
        <option value="white">White (O)</option>
        <option value="both">both</option>
      </select>
    </label>
    <label
      >Minutes each
      <input name="minutes" type="number" min="0" max="600" step="0.5" placeholder="no clock" value=${setup.minutes} onInput=${(event) => change({ minutes: event.target.value })}
    /></label>
    <p class="buttons"><button type="submit" class="main">Start game</button></p>
    <p class="buttons">
      <button type="button" onClick=${() => onPlayOut(false)}>Play out</button>
      ${setup.mine !== "both" && html`<button type="button" title="Play games with the next seeds until this side loses" onClick=${() => onPlayOut(true)}>Find loss</button>`}
      <label class="inline"
        >seed
        <input name="seed" type="number" min="0" max="999999" value=${setup.seed} onInput=${(event) => change({ seed: event.target.value })}
      /></label>
      <span class="muted"
        >Play out finishes the game; this file's patterns play ${setup.mine === "both" ? "both sides" : "your side"}. The same
        seed repeats the game.</span
      >
    </p>
  </form>`;
}

/** The field for a player with an argument, such as an error rate. */
function Written({ setup, change, players }) {
  const forms = players.filter((one) => one.argument).map((one) => `${one.name}:`);
  return html`<label
    >Player
    <input
      name="written"
      value=${setup.written}
      autocomplete="off"
      spellcheck=${false}
      placeholder="erring:0.1:ours"
      title=${`A player's name as on the command line: ${forms.join(", ")} and an argument`}
      onInput=${(event) => change({ written: event.target.value })}
  /></label>`;
}
