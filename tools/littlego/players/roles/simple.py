"""The three simple roles of the handout, random, greedy and aggressive, and silly. Runs on Python 3.7.

random `moves randomly`. greedy `places the stone that captures the maximum number of enemy stones`. aggressive `looks
at the next two possible moves and tries to capture the maximum number of enemy stones`: the two moves are its own two
in a row. What it captures now comes first, then the most that a second move could capture if the opponent did nothing
in between. Of equal moves it plays off the edge, and of these next to the most enemy stones. It begins in the centre.
All this was read off recorded games of the course's own player; docs/opponents.md says how well it fits.

What is still equal each of them leaves to chance.

silly is none of the handout's: it is the agent that the match's public server brings along to try it with, written from
a description. It plays the move after which its lead is highest, were the game to end there, and never passes while it
is behind.

All of them fill their own eyes: in the course's game stones count. Where no number of moves ends a game they do not,
since it would go on for ever, and pass where nothing else is left.
"""

from __future__ import annotations

import random
from typing import Any

from littlego.games.game import is_open, margin2
from littlego.rules.geometry import around, count, edges_at, points_of
from littlego.rules.life import is_eye
from littlego.rules.position import BLACK, PASS, Position, chains, liberties


def playable(position: Position) -> list[int]:
    """Return the legal points, in a game without a limit of moves but for the mover's own eyes."""
    points = points_of(position.legal())
    if position.ruleset.length:
        return points
    own, theirs, grid = position.own, position.theirs, position.grid
    return [point for point in points if not is_eye(1 << point, own, theirs, grid)]


def random_choices(position: Position) -> list[int]:
    """Return the playable points, or the pass where there is none."""
    return playable(position) or [PASS]


def choose_random(position: Position, rng: random.Random) -> int:
    """Return a playable point, each as likely, or the pass where there is none."""
    return rng.choice(random_choices(position))


def captures(position: Position) -> dict[int, int]:
    """Return how many stones the mover captures, by the point: the last liberty of a chain, or of several."""
    occupied, grid = position.own | position.theirs, position.grid
    found = [(liberties(chain, occupied, grid), count(chain)) for chain in chains(position.theirs, grid)]
    return {
        last.bit_length() - 1: sum(size for free, size in found if free == last)
        for last, _ in found
        if count(last) == 1
    }


def greedy_choices(position: Position) -> list[int]:
    """Return the points that capture the most, or the pass where none is playable."""
    taken = captures(position)
    return _best({point: taken.get(point, 0) for point in playable(position)})


def choose_greedy(position: Position, rng: random.Random) -> int:
    """Return one of greedy's choices, each as likely."""
    return rng.choice(greedy_choices(position))


def aggressive_value(position: Position, point: int) -> tuple[int, int, bool, int]:
    """Return (stones captured now, most stones that a second move in a row could capture, off the edge, contact)."""
    again = position.play(point).play(PASS)
    seconds = sorted(captures(again).items(), key=lambda second: -second[1])
    then = next((stones for second, stones in seconds if is_open(again, second)), 0)
    off_edge = not edges_at(point, position.grid[0])
    now = count(position.theirs & ~again.theirs)
    return now, then, off_edge, count(around(1 << point, position.grid) & position.theirs)


def aggressive_choices(position: Position) -> list[int]:
    """Return the points with the highest value, or the pass where none is playable; on the empty board the centre."""
    if not position.black | position.white:
        return [centre(position)]
    return _best({point: aggressive_value(position, point) for point in playable(position)})


def choose_aggressive(position: Position, rng: random.Random) -> int:
    """Return one of aggressive's choices, each as likely."""
    return rng.choice(aggressive_choices(position))


def silly_choices(position: Position) -> list[int]:
    """Return the moves after which the mover's lead is highest, the pass among them only where it leads already."""
    sign = 1 if position.colour == BLACK else -1
    leads = {move: sign * margin2(position.play(move)) for move in points_of(position.legal())}
    if sign * margin2(position) >= 0 or not leads:
        leads[PASS] = sign * margin2(position.play(PASS))
    highest = max(leads.values())
    return [move for move, lead in leads.items() if lead == highest]


def choose_silly(position: Position, rng: random.Random) -> int:
    """Return one of silly's choices, each as likely."""
    return rng.choice(silly_choices(position))


def centre(position: Position) -> int:
    """Return the middle point of the board."""
    return position.ruleset.size**2 // 2


def _best(values: dict[int, Any]) -> list[int]:
    """Return the points with the highest value, or the pass where there is none."""
    highest = max(values.values(), default=None)
    return [point for point, value in values.items() if value == highest] or [PASS]
