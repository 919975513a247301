"""Random games under any rules, as game records."""

from __future__ import annotations

import random

from littlego.games.game import margin2, opening
from littlego.games.little_go import little_go_of
from littlego.games.match import match_rules
from littlego.match.referee import COLOURS, TIME_UP, GameRecord, Move, count_out, prisoners_of
from littlego.rules.geometry import points_of
from littlego.rules.position import BLACK, PASS, RESIGN, WHITE
from littlego.rules.ruleset import Ruleset

TEXTS = ("", "", "", "a plain reason", "odd ] \\ : [x] [y] \\", "two\nlines", "é 囲碁 \u3164")
LEAD, RESIGNED, FLAGGED, FAULT = range(4)  # ways in which a game ends


def rules_of(size: int, rng: random.Random) -> list[Ruleset]:
    """Return the course's rules and a match's rules with random options for a board size."""
    return [little_go_of(size), match_rules(size, rng.choice([13, 13, 0, 15, -7]), rng.random() < 0.5)]


def random_game(ruleset: Ruleset, rng: random.Random, longest: int = 200, start=None) -> GameRecord:
    """Return a random game, sometimes with clocks, with any kind of end."""
    position = start or opening(ruleset)
    left = [900.0, 900.0] if rng.random() < 0.5 else None
    budgets = None if left is None else (900.0, 900.0)
    moves: list[Move] = []
    over, end = False, rng.choice([LEAD, LEAD, RESIGNED, FLAGGED, FAULT])
    plies = rng.randrange(1, longest)
    while not over and (len(moves) < plies or end == LEAD):
        move = PASS if len(moves) >= plies else rng.choice([*points_of(position.legal()), PASS])
        over = position.ends_with(move)
        if left is not None:
            left[position.colour - 1] -= round(rng.random(), 3)
        seconds = None if left is None else round(left[position.colour - 1], 3)
        moves.append(Move(len(moves) + 1, position.colour, move, 0.0, rng.choice(TEXTS), "", "", seconds))
        position = position.play(move)
    return _ended(position, moves, LEAD if over else end, budgets)


def _ended(position, moves: list[Move], end: int, budgets) -> GameRecord:
    mover, fault, note = position.colour, 0, ""
    winner = BLACK + WHITE - mover
    if end == LEAD:
        winner, why = count_out(position, len(moves))
    elif end == RESIGNED:
        moves.append(Move(len(moves) + 1, mover, RESIGN, 0.0, "", "", "", None if budgets is None else 1.0))
        why = f"{COLOURS[mover]} resigned"
    else:
        fault, note = mover, "exit status 1" if end == FAULT else ""
        why = f"{COLOURS[mover]} lost: {TIME_UP if end == FLAGGED else 'it wrote nothing'}"
    return GameRecord(
        position.ruleset,
        ("Ada", "Bob \\ ]:"),
        0,
        0,
        tuple(moves),
        winner,
        why,
        margin2(position),
        fault,
        note,
        position.black,
        position.white,
        ("", ""),
        prisoners_of(position),
        budgets,
    )
