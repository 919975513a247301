"""Capturing races between two adjacent chains that cannot escape, decided by counting liberties.

The model follows the literature (Müller 1999, "Race to capture", and Hunter 2003, "Counting liberties"). Each side may
have exclusive liberties and an eye, and both sides may have common liberties. A move removes one exclusive liberty of
the other side, or one common liberty, which both sides lose. The last liberty of an eye can be filled only if the eye's
chain has no other liberty. A side may pass. A side without liberties after the other side's move is captured. The model
has no approach moves, no escape, and no liberties gained by captures.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from littlego.rules.geometry import around, count, flood
from littlego.rules.life import is_eye
from littlego.rules.position import liberties

if TYPE_CHECKING:
    from littlego.rules.geometry import Grid, Mask

    Side = tuple[int, int]  # (exclusive liberties outside an eye, liberties of an eye)

# The number of moves to fill an eye, by its size in points. Stones captured on the way must be played again, so an
# eye of four points or more needs more moves than it has points.
EYE_LIBERTIES = (0, 1, 2, 3, 5, 8, 12, 17)
MOST = 20  # largest number of liberties of each kind; larger numbers count as this number


@cache
def first_captures(first: Side, second: Side, shared: int) -> bool:
    """Return whether the first side, if it moves next, captures the second side against any defence."""
    outside, eye = second
    if outside + eye + shared == 1:
        return True
    left = []
    if outside or eye > 1:
        left.append((first, (outside - 1, eye) if outside else (outside, eye - 1), shared))
    if shared and sum(first) + shared > 1:
        left.append((first, second, shared - 1))
    return any(_cannot_hold(*after) for after in left)


@cache
def _cannot_hold(first: Side, second: Side, shared: int) -> bool:
    """Return whether the first side captures the second side if the second side is to move."""
    outside, eye = first
    if outside + eye + shared == 1:
        return False
    if not first_captures(first, second, shared):  # the second side may pass
        return False
    if outside or eye > 1:
        less = (outside - 1, eye) if outside else (outside, eye - 1)
        if not first_captures(less, second, shared):
            return False
    may_share = shared and sum(second) + shared > 1
    return not may_share or first_captures(first, second, shared - 1)


def captures_first(own: Mask, theirs: Mask, all_own: Mask, all_theirs: Mask, grid: Grid) -> bool:
    """Return whether the chain `own` captures the chain `theirs` first if the owner of `own` is to move.

    The result is False if the chains do not touch. all_own, all_theirs: all stones of the two sides.
    """
    if not around(own, grid) & theirs:
        return False
    occupied = all_own | all_theirs
    mine, yours = liberties(own, occupied, grid), liberties(theirs, occupied, grid)
    shared = mine & yours
    return first_captures(
        _counted(mine & ~shared, own, all_own, all_theirs, grid),
        _counted(yours & ~shared, theirs, all_theirs, all_own, grid),
        min(count(shared), MOST),
    )


def _counted(free: Mask, chain: Mask, own: Mask, theirs: Mask, grid: Grid) -> Side:
    """Return (number of exclusive liberties outside the chain's largest eye, moves to fill this eye).

    free: the chain's exclusive liberties. An eye is an empty region of at most seven points with no adjacent stones
    except the chain's. A region of one point must also satisfy `is_eye`. The first number also counts the moves that
    fill each smaller eye, instead of the liberties in that eye. The first number is at most MOST.
    """
    empty, outside, eye = grid[1] & ~(own | theirs), 0, 0
    while free:
        region = flood(free & -free, empty, grid)
        within, free = free & region, free & ~region
        size = count(region)
        if size >= len(EYE_LIBERTIES) or around(region, grid) & (own | theirs) & ~chain:
            outside += count(within)
        elif size == 1 and not is_eye(region, own, theirs, grid):
            outside += 1
        else:
            outside, eye = outside + min(eye, EYE_LIBERTIES[size]), max(eye, EYE_LIBERTIES[size])
    return min(outside, MOST), eye
