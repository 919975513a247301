"""Bounds of the facts about a move of the mover at a point.

Each function takes a View, the pattern's move (0: a pass) and the fact's arguments, chains as Chains and points as
masks; see bounds for what it returns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.geometry import around, count, flood
from tools.exact.partial import single_points
from tools.exact.terms import LONGEST_CAUGHT, Chains, Range

if TYPE_CHECKING:
    from tools.exact.view import View


def may_move(view: View, move: int) -> bool:
    return not move or view.about("legal", move)[1] == 1


def must_move(view: View, move: int) -> bool:
    return not move or view.about("legal", move)[0] == 1


def prey_of(view: View, point: int) -> tuple[int, int]:
    """Return the stones of theirs that own playing at the point surely captures, and those that it may capture."""
    board, grid = view.board, view.grid
    sure = maybe = 0
    for stone in single_points(around(point, grid) & board.theirs):
        if stone & board.known_theirs:
            low, high = view.about("liberties", stone)
            chain = view.chain(stone).low
            if high == 1 and point & board.known_empty:
                sure |= chain
        else:
            low, chain = 1, flood(stone, board.known_theirs, grid)
        if low == 1 and not around(chain, grid) & board.known_empty & ~point:
            maybe |= flood(stone, board.theirs, grid)
    return sure, maybe


def legal(view: View, move: int, point: int) -> Range:
    board, grid = view.board, view.grid
    if not point & board.empty or point & board.ko:
        return 0, 0
    sure, maybe = prey_of(view, point)
    if not maybe and not _reach(view, point, board.own, board.empty):
        return 0, 0
    if not point & board.known_empty:
        return 0, 1
    stays = sure or _reach(view, point, board.known_own, board.known_empty)
    return int(
        bool(stays)
        or any(view.about("liberties", stone)[0] >= 2 for stone in single_points(around(point, grid) & board.known_own))
    ), 1


def captures(view: View, move: int, point: int) -> Range:
    low, high = view.about("legal", point)
    sure, maybe = prey_of(view, point)
    near = around(point, view.grid)
    fewest = low * count(sure)
    if low and not _reach(view, point, view.board.own, view.board.empty):  # no suicide: one of them is taken
        sizes = [view.about("size", stone)[0] for stone in single_points(near & maybe & view.board.known_theirs)]
        fewest = max(fewest, 1 if near & maybe & view.board.open else min(sizes, default=1))
    return fewest, high * count(maybe)


def own_liberties(view: View, move: int, point: int) -> Range:
    low, high = view.about("legal", point)
    fewest, most = liberties_there(view, point)
    return low * fewest, high * most


def liberties_there(view: View, point: int) -> Range:
    """Return the bounds of the liberties of the own chain at the point after a legal move there."""
    board = view.board
    sure, maybe = prey_of(view, point)
    free = _reach(view, point, board.known_own, board.known_empty)
    freed = count(_reach(view, point, board.known_own, sure))
    if view.about("captures", point)[0]:  # what is captured beside the point becomes a liberty
        freed = max(1, freed)
    return max(1, count(free) + freed), count(_reach(view, point, board.own, board.empty | maybe))


def _reach(view: View, point: int, own: int, room: int) -> int:
    """Return the points of `room` that a stone at the point would have as liberties, joined to those stones."""
    return around(flood(point, own, view.grid), view.grid) & room & ~point


def joins(view: View, move: int, point: int) -> Range:
    return _chains_beside(view, point, view.board.known_own, view.board.own)


def cuts(view: View, move: int, point: int) -> Range:
    return _chains_beside(view, point, view.board.known_theirs, view.board.theirs)


def _chains_beside(view: View, point: int, known: int, may_be: int) -> Range:
    """Return the bounds of the number of different chains beside the point."""
    near = around(point, view.grid)
    sure, fewest, most = near & known, 0, count(near & may_be & ~known)
    rest = sure
    while rest:
        rest &= ~flood(rest & -rest, may_be, view.grid)
        fewest += 1
    while sure:
        sure &= ~flood(sure & -sure, known, view.grid)
        most += 1
    return fewest, most


def ko(view: View, move: int, point: int) -> Range:
    """A ko is taken by a lone stone that captures one stone and has no other liberty."""
    wanted = (("legal", 1), ("captures", 1), ("own_liberties", 1), ("joins", 0))
    found = [(view.about(name, point), answer) for name, answer in wanted]
    possible = all(low <= answer <= high for (low, high), answer in found)
    return int(all(low == high == answer for (low, high), answer in found)), int(possible)


def _put_in_atari(view: View, point: int) -> tuple[list[Chains], int]:
    """Return the chains beside the point that surely have two liberties, it being one, and stones that may be so."""
    board, grid = view.board, view.grid
    sure, maybe = [], 0
    for stone in single_points(around(point, grid) & board.theirs):
        chain = view.chain(stone) if stone & board.known_theirs else None
        low, high = view.about("liberties", stone) if chain else (1, 2)
        if chain and low == high == 2:
            sure.append(chain)
        stones = chain.low if chain else flood(stone, board.known_theirs, grid)
        if low <= 2 <= high and count(around(stones, grid) & board.known_empty & ~point) <= 1:
            maybe |= flood(stone, board.theirs, grid)
    return sure, maybe


def atari(view: View, move: int, point: int) -> Range:
    low, high = view.about("legal", point)
    sure, maybe = _put_in_atari(view, point)
    stones = 0
    for chain in sure:
        stones |= chain.low
    return low * count(stones), high * count(maybe)


def saves(view: View, move: int, point: int) -> Range:
    """A chain beside the move that surely has three liberties after it is caught by no ladder."""
    board, grid = view.board, view.grid
    low, high = view.about("legal", point)
    if not high:
        return 0, 0
    maybe = board.own & ~board.known_own
    for stone in single_points(board.known_own):
        if view.about("liberties", stone)[0] == 1:
            maybe |= view.chain(stone).up
    rescued = 0
    if low and liberties_there(view, point)[0] > LONGEST_CAUGHT:
        for stone in single_points(around(point, grid) & board.known_own):
            if view.about("liberties", stone)[1] == 1:
                rescued |= view.chain(stone).low
    return count(rescued), count(maybe)


def threatens(view: View, move: int, point: int) -> Range:
    low, high = view.about("legal", point)
    if not high:
        return 0, 0
    sure, _ = _put_in_atari(view, point)
    sizes = [view.about("size", chain.low & -chain.low)[0] for chain in sure]
    return (max(sizes, default=0) if low else 0), count(view.board.theirs)


def snapback(view: View, move: int, point: int) -> Range:
    fewest, most = view.about("own_liberties", point)
    return 0, count(view.board.theirs) if fewest <= 1 <= most else 0


def makes_life(view: View, move: int, point: int) -> Range:
    return 0, view.about("legal", point)[1] * count(view.board.own | point)
