"""Bounds of the facts about chains.

Each function takes a View, the pattern's move (0: a pass) and the fact's arguments, chains as Chains and points as
masks; see bounds for what it returns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.geometry import around, count
from tools.exact.bounds_moves import liberties_there, may_move, must_move, prey_of
from tools.exact.partial import single_points
from tools.exact.terms import LONGEST_CAUGHT, Chains, Range, Term

if TYPE_CHECKING:
    from tools.exact.view import View


def size(view: View, move: int, chain: Chains) -> Range:
    return count(chain.low), count(chain.up)


def liberties(view: View, move: int, chain: Chains) -> Range:
    if not chain.low:
        return 0, 0
    sure = count(around(chain.low, view.grid) & view.board.known_empty)
    return max(1, sure), count(around(chain.up, view.grid) & view.board.empty)


def in_atari(view: View, move: int, chain: Chains) -> Range:
    if not chain.low:
        return 0, 0
    low, high = view.about("liberties", chain.low)
    return int(high == 1), int(low == 1)


def shared_liberties(view: View, move: int, chain: Chains, other: Chains) -> Range:
    grid, board = view.grid, view.board
    sure = around(chain.low, grid) & around(other.low, grid) & board.known_empty
    most = count(around(chain.up, grid) & around(other.up, grid) & board.empty)
    for one in (chain, other):
        most = min(most, view.about("liberties", one.low)[1] if one.low else 0)
    return count(sure), most


def eyes(view: View, move: int, chain: Chains) -> Range:
    fact = "eye" if chain.is_own else "their_eye"
    sure = sum(view.about(fact, point)[0] for point in single_points(around(chain.low, view.grid)))
    most = sum(view.about(fact, point)[1] for point in single_points(around(chain.up, view.grid)))
    return sure, min(most, view.about("liberties", chain.low)[1] if chain.low else 0)


def alive(view: View, move: int, chain: Chains) -> Range:
    """Two vital regions hold a liberty each: a chain in atari is not alive."""
    return 0, int(chain.low != 0 and view.about("liberties", chain.low)[1] >= 2)


def doomed(view: View, move: int, chain: Chains) -> Range:
    return 0, int(chain.low != 0 and view.about("liberties", chain.low)[0] == 1)


def ladder(view: View, move: int, chain: Chains) -> Range:
    """An own chain is caught with two liberties at most, one of theirs with one at most."""
    if not chain.low or not may_move(view, move):
        return 0, 0
    low, high = view.ask(Term("liberties_after", move, ((True, chain.low),)))
    possible = int(not chain.is_one or low <= (LONGEST_CAUGHT if chain.is_own else 1))
    if not must_move(view, move):
        return 0, possible
    if not chain.is_own:
        return int(high == 0), possible
    no_ko = not move or view.about("captures", move)[1] == 0  # theirs is not kept from the last liberty
    return int(high == 1 and no_ko), possible


def liberties_after(view: View, move: int, chain: Chains) -> Range:
    if not chain.low or not may_move(view, move):
        return 0, 0
    low, high = _after(view, move, chain)
    return (low if must_move(view, move) else 0), high


def _after(view: View, move: int, chain: Chains) -> Range:
    """Return the bounds of the chain's liberties after a legal move."""
    low, high = view.about("liberties", chain.low)
    if not move:
        return low, high
    surely, maybe = around(chain.low, view.grid) & move, around(chain.up, view.grid) & move
    if not chain.is_own:  # loses at most the move's point; what else is captured was no neighbour
        return low - bool(maybe), high - bool(surely)
    if not chain.is_one:
        return 1, count(view.grid[1])
    if surely:
        low, high = view.about("own_liberties", move)
        return max(1, low), high
    sure, prey = prey_of(view, move)
    high += count(around(chain.up, view.grid) & prey)
    if maybe:
        return 1, max(high, liberties_there(view, move)[1])
    return low + count(around(chain.low, view.grid) & sure), high
