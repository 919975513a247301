"""The simple roles: random, greedy and aggressive from the handout, and silly. This module runs on Python 3.7.

According to the handout, the role random `moves randomly`. The role greedy `places the stone that captures the maximum
number of enemy stones`. The role aggressive `looks at the next two possible moves and tries to capture the maximum
number of enemy stones`. Both moves are the role's own moves, without a reply in between. The role aggressive ranks
points first by the number of stones that a move captures, then by the largest number that a second move could capture
if the opponent passed in between. Among points that still tie, the role prefers points that are not on the edge, then
points with more adjacent enemy stones. On the empty board, the role aggressive plays the centre. These rules were
inferred from recorded games of the course's own player; docs/opponents.md states how often the roles and this player
agree.

Each role chooses at random among moves that its rules rank equally.

The role silly is not from the handout: it follows a description of the test agent on the match's public server. The
role silly plays the move after which its lead is highest. When behind, it passes only if no point is legal.

In the course's game each stone counts one point, so all roles fill their own eyes. In games without a move limit, all
roles except silly leave their own eyes empty, because the game would otherwise never end. These roles pass if every
legal point is one of their own eyes.
"""

from __future__ import annotations

import random
from typing import Any

from littlego.games.game import is_open, margin2
from littlego.rules.geometry import around, count, edges_at, points_of
from littlego.rules.life import is_eye
from littlego.rules.position import BLACK, PASS, Position, chains, liberties


def playable(position: Position) -> list[int]:
    """Return the legal points; in a game without a move limit, leave out the mover's own eyes."""
    points = points_of(position.legal())
    if position.ruleset.length:
        return points
    own, theirs, grid = position.own, position.theirs, position.grid
    return [point for point in points if not is_eye(1 << point, own, theirs, grid)]


def random_choices(position: Position) -> list[int]:
    """Return the playable points, or the pass if no point is playable."""
    return playable(position) or [PASS]


def choose_random(position: Position, rng: random.Random) -> int:
    """Return a random playable point, or the pass if no point is playable."""
    return rng.choice(random_choices(position))


def captures(position: Position) -> dict[int, int]:
    """Return {point: number of captured stones} for all points at which a move captures stones.

    Points that the ko rule forbids are included.
    """
    occupied, grid = position.own | position.theirs, position.grid
    found = [(liberties(chain, occupied, grid), count(chain)) for chain in chains(position.theirs, grid)]
    return {
        last.bit_length() - 1: sum(size for free, size in found if free == last)
        for last, _ in found
        if count(last) == 1
    }


def greedy_choices(position: Position) -> list[int]:
    """Return the playable points at which a move captures the most stones.

    If no capture is possible, return all playable points; if no point is playable, return the pass.
    """
    taken = captures(position)
    return _best({point: taken.get(point, 0) for point in playable(position)})


def choose_greedy(position: Position, rng: random.Random) -> int:
    """Return a random move from greedy_choices(position)."""
    return rng.choice(greedy_choices(position))


def aggressive_value(position: Position, point: int) -> tuple[int, int, bool, int]:
    """Return a point's rank as (captured now, captured next, whether off the edge, enemy neighbours).

    The first value is the number of stones that a move at the point captures. The second value is the largest number of
    stones that another move could capture if the opponent passed in between. The third value is True for a point off
    the edge, and the fourth value is the number of adjacent enemy stones.
    """
    again = position.play(point).play(PASS)
    seconds = sorted(captures(again).items(), key=lambda second: -second[1])
    then = next((stones for second, stones in seconds if is_open(again, second)), 0)
    off_edge = not edges_at(point, position.grid[0])
    now = count(position.theirs & ~again.theirs)
    return now, then, off_edge, count(around(1 << point, position.grid) & position.theirs)


def aggressive_choices(position: Position) -> list[int]:
    """Return the points that aggressive_value ranks highest, or the pass if no point is playable.

    On the empty board, return the centre.
    """
    if not position.black | position.white:
        return [centre(position)]
    return _best({point: aggressive_value(position, point) for point in playable(position)})


def choose_aggressive(position: Position, rng: random.Random) -> int:
    """Return a random move from aggressive_choices(position)."""
    return rng.choice(aggressive_choices(position))


def silly_choices(position: Position) -> list[int]:
    """Return the moves after which the mover's lead is highest.

    The pass is considered unless the mover is behind and has a legal point.
    """
    sign = 1 if position.colour == BLACK else -1
    leads = {move: sign * margin2(position.play(move)) for move in points_of(position.legal())}
    if sign * margin2(position) >= 0 or not leads:
        leads[PASS] = sign * margin2(position.play(PASS))
    highest = max(leads.values())
    return [move for move, lead in leads.items() if lead == highest]


def choose_silly(position: Position, rng: random.Random) -> int:
    """Return a random move from silly_choices(position)."""
    return rng.choice(silly_choices(position))


def centre(position: Position) -> int:
    """Return the middle point of the board."""
    return position.ruleset.size**2 // 2


def _best(values: dict[int, Any]) -> list[int]:
    """Return the points with the highest value, or the pass if there are no points."""
    highest = max(values.values(), default=None)
    return [point for point, value in values.items() if value == highest] or [PASS]
