"""Tactical analysis for the facts and the safety check: ladders, eyes and unconditional life."""

from __future__ import annotations

from .geometry import around, count, flood
from .position import chains, is_legal, played

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Tuple

    from .geometry import Grid, Mask

    Board = Tuple[Mask, Mask, Mask]  # (own, theirs, ko point)

LADDER_ROUNDS = 120  # a round is an atari and its answer; ladders across 19x19 have about 40
ANY_NUMBER = LADDER_ROUNDS + 1  # default of `moves`: more than any ladder needs


def rescues(target: Mask, own: Mask, theirs: Mask, ko: Mask, grid: Grid, moves: int = ANY_NUMBER) -> Mask:
    """Return a mask of the mover's moves that save the mover's chain `target` from capture in a ladder.

    The function tries the target's last liberty and captures of adjacent attackers in atari. If the target has two or
    more liberties, the mask contains every empty point. moves: the number of moves that the opponent has left,
    including the capture.
    """
    empty = grid[1] & ~(own | theirs)
    last = around(target, grid) & empty
    if last & (last - 1):
        return empty
    tries = rescue_tries(target, last, own, theirs, ko, grid)
    saving = 0
    while tries:
        move = tries & -tries
        tries ^= move
        stones, rest, _, next_ko = played(move, own, theirs, grid)
        if not catches(flood(target, stones, grid), rest, stones, next_ko, grid, moves):
            saving |= move
    return saving


def catches(target: Mask, own: Mask, theirs: Mask, ko: Mask, grid: Grid, moves: int = ANY_NUMBER) -> bool:
    """Return whether the mover, moving now, can capture the opponent's chain `target`.

    The capture is immediate or the end of a ladder. moves: the number of moves that the mover has left, at least 1,
    including the capture.

    A board that the search reaches a second time counts as an escape, unless a capture is already proved for it. In a
    ko, this rule can be wrong, so a failed search runs again if it proved captures on new boards. A ladder of more than
    LADDER_ROUNDS rounds counts as an escape.
    """
    proved: set[Board] = set()
    while True:
        before = len(proved)
        if search_ladder(target, own, theirs, ko, grid, proved, set(), ANY_NUMBER - min(moves, ANY_NUMBER)):
            return True
        if len(proved) == before:
            return False


def search_ladder(
    target: Mask, own: Mask, theirs: Mask, ko: Mask, grid: Grid, proved: set[Board], visited: set[Board], depth: int
) -> bool:
    """Return whether one search finds the capture that `catches` describes.

    proved: the boards with a proved capture. visited: the boards that the search has reached. The function adds boards
    to both sets. depth: the number of rounds played so far; a limit on the attacker's moves raises the initial value,
    so that the search stops earlier.
    """
    free = around(target, grid) & ~(own | theirs)
    first = free & -free
    second = free ^ first
    if second & (second - 1):
        return False
    if not second:
        return is_legal(first, own, theirs, ko, grid)
    board = own, theirs, ko
    if board in proved:
        return True
    if board in visited or depth == LADDER_ROUNDS:
        return False
    visited.add(board)
    for move in (first, second):
        if is_legal(move, own, theirs, ko, grid) and _keeps_atari(
            move, target, own, theirs, grid, proved, visited, depth
        ):
            proved.add(board)
            return True
    return False


def _keeps_atari(
    move: Mask, target: Mask, own: Mask, theirs: Mask, grid: Grid, proved: set[Board], visited: set[Board], depth: int
) -> bool:
    """Return whether the mover's atari at `move` leaves the target no escape."""
    stones, rest, _, ko = played(move, own, theirs, grid)
    last = around(target, grid) & ~(stones | rest)
    if last & (last - 1):
        return False
    tries = rescue_tries(target, last, rest, stones, ko, grid)
    while tries:
        answer = tries & -tries
        tries ^= answer
        defence, attack, _, next_ko = played(answer, rest, stones, grid)
        grown = flood(target, defence, grid)
        if not search_ladder(grown, attack, defence, next_ko, grid, proved, visited, depth + 1):
            return False
    return True


def rescue_tries(target: Mask, last: Mask, own: Mask, theirs: Mask, ko: Mask, grid: Grid) -> Mask:
    """Return a mask of the legal moves that might save a chain in atari.

    These moves fill the target's last liberty or capture adjacent attackers in atari. target: the chain. last: the mask
    of the target's last liberty.
    """
    empty = grid[1] & ~(own | theirs)
    tries = last
    attackers = around(target, grid) & theirs
    while attackers:
        chain = flood(attackers & -attackers, theirs, grid)
        attackers &= ~chain
        free = around(chain, grid) & empty
        if not free & (free - 1):
            tries |= free
    legal = 0
    while tries:
        move = tries & -tries
        tries ^= move
        if is_legal(move, own, theirs, ko, grid):
            legal |= move
    return legal


def captured_in_ladder(own: Mask, theirs: Mask, ko: Mask, grid: Grid, moves: int) -> Mask:
    """Return a mask of the mover's stones in atari that no move saves from capture in a ladder.

    moves: see `rescues`.
    """
    captured = 0
    for chain in atari_chains(own, theirs, grid):
        if not rescues(chain, own, theirs, ko, grid, moves):
            captured |= chain
    return captured


def atari_chains(own: Mask, theirs: Mask, grid: Grid) -> list[Mask]:
    """Return the chains of `own` with exactly one liberty, as a list of masks."""
    empty = grid[1] & ~(own | theirs)
    in_atari = []
    for chain in chains(own, grid):
        free = around(chain, grid) & empty
        if not free & (free - 1):
            in_atari.append(chain)
    return in_atari


def corners_of(point: Mask, grid: Grid) -> Mask:
    """Return a mask of the one to four points diagonal to a point. point: a one-point mask."""
    size, full, not_first, not_last = grid
    level = (point & not_last) << 1 | (point & not_first) >> 1
    return (level << size | level >> size) & full


def is_eye(point: Mask, own: Mask, theirs: Mask, grid: Grid) -> bool:
    """Return whether a point is a real eye of the stones `own`: see the fact `eye`. point: a one-point mask."""
    sides = around(point, grid)
    if point & (own | theirs) or sides & ~own:
        return False
    if not sides & ~flood(sides & -sides, own, grid):
        return True
    diagonals = corners_of(point, grid)
    lost = diagonals & theirs
    return not lost or (count(diagonals) == 4 and not lost & (lost - 1))


def alive_stones(own: Mask, theirs: Mask, grid: Grid) -> Mask:
    """Return a mask of the stones of `own` that stay alive even if their side always passes (Benson 1976).

    A chain lives if living chains enclose at least two regions whose empty points are all liberties of the chain.
    """
    outside = grid[1] & ~own
    region = flood(outside & -outside, outside, grid) if outside else 0
    if region == outside:  # a single region cannot give two eyes
        return 0
    regions = [region] + chains(outside ^ region, grid)
    living = [(chain, around(chain, grid)) for chain in chains(own, grid)]
    while living:
        alive = 0
        for chain, _ in living:
            alive |= chain
        regions = [region for region in regions if not around(region, grid) & own & ~alive]
        kept = []
        for chain, near in living:
            vital = 0
            for region in regions:
                if near & region and not region & ~theirs & ~near:
                    vital += 1
            if vital >= 2:
                kept.append((chain, near))
        if len(kept) == len(living):
            return alive
        living = kept
    return 0
