"""Tests, run by node, of a game's data that the page's address lacks: clocks, comments and names."""

from __future__ import annotations

import json

from npm_packages import eval_node, needs_node

from littlego.studio.app import STATIC

HEAD = f"""
const stored = {{}};
globalThis.sessionStorage = {{ getItem: (key) => stored[key] ?? null, setItem: (key, value) => (stored[key] = value) }};
const load = (again) => import({json.dumps((STATIC / "game" / "kept.js").as_uri())} + "?" + again);
const bare = (moves) => ({{
  game: `match-9; ${{moves.join(" ")}}`,
  players: ["", ""],
  budgets: null,
  positions: ["start", ...moves],
  moves: moves.map((move, at) => ({{ colour: at % 2 ? "white" : "black", move, said: "", left: null }})),
}});
const told = (moves) => {{
  const game = bare(moves);
  const seconds = (one, at) => ({{ ...one, said: `why ${{one.move}}`, left: 100 - at }});
  return {{ ...game, players: ["A", "B"], moves: game.moves.map(seconds) }};
}};
"""


def run(script):
    """Return a script's output as JSON."""
    return eval_node(HEAD + script)


@needs_node
def test_clocks_words_and_names_stay_while_a_game_is_stepped_through_and_after_a_reload():
    told = run("""
    const { clocksAt, keepGame, knownGame } = await load(1);
    const game = keepGame(told(["4,4", "2,2", "6,6"]));
    const again = (await load(2)).keepGame(bare(["4,4", "2,2"])); // of the address, in a page that was loaded anew
    tell([knownGame(game.game).moves.map((one) => one.left), knownGame("other"), clocksAt(game, 2), clocksAt(game, 0),
      again.moves.map((one) => [one.left, one.said]), again.players]);
    """)
    assert told[:2] == [[100, 99, 98], None]
    assert told[2:4] == [{"black": 100, "white": 99}, {"black": None, "white": None}]
    assert told[4:] == [[[100, "why 4,4"], [99, "why 2,2"]], ["A", "B"]]


@needs_node
def test_another_game_takes_over_only_what_is_the_same():
    told = run("""
    const { keepGame } = await load(1);
    keepGame(told(["4,4", "2,2", "6,6"]));
    const branch = keepGame(bare(["4,4", "2,2", "pass"]));
    const longer = keepGame(bare(["4,4", "2,2", "pass", "pass"]));
    const other = keepGame({ ...bare(["4,4"]), positions: ["another start"] });
    tell([branch, longer, other].map((one) => [one.moves.map((move) => move.left), one.players[0]]));
    """)
    assert told == [[[100, 99, None], ""], [[100, 99, None, None], ""], [[None], ""]]
