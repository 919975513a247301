"""The board as the championship player's search sees it: the moves of a position, in the order to try them.

Masks are those of rules/geometry. Written a second time, for speed: 120,000 positions a second in plain Python,
most of it because the chains of one side's stones are found once and then looked up. A test holds it against
rules/position. Runs on Python 3.7.
"""

from __future__ import annotations

from rules.geometry import make_grid

SIZE = 5
GRID = make_grid(SIZE)
_, FULL, NOT_FIRST, NOT_LAST = GRID
PASSED = 1 << SIZE * SIZE  # a pass, among moves that are masks of one point
EDGE = FULL & ~(0b01110 << 5 | 0b01110 << 10 | 0b01110 << 15)
MOST_KEPT = 200_000  # sets of stones whose chains are kept: about 60 MB


def around(mask: int) -> int:
    """Return the points next to a point of the mask."""
    return (mask << 5 | mask >> 5 | (mask & NOT_LAST) << 1 | (mask & NOT_FIRST) >> 1) & FULL


class Chains(dict):
    """The chains of a set of stones, found when first asked for: ((chain, points next to it, stones in it), ...)."""

    def __missing__(self, stones: int) -> tuple:
        found, rest = [], stones
        while rest:
            chain = rest & -rest
            while True:
                wider = (chain | around(chain)) & stones
                if wider == chain:
                    break
                chain = wider
            rest ^= chain
            found.append((chain, around(chain) & ~chain, bin(chain).count("1")))
        if len(self) >= MOST_KEPT:
            self.clear()
        self[stones] = tuple(found)
        return self[stones]


CHAINS = Chains()


def key_of(own: int, theirs: int, ko: int, passed: bool) -> int:
    """Return what tells a position from all others with as many moves left."""
    key = own << 25 | theirs
    if ko:
        return key | ko << 50
    return key | 1 << 75 if passed else key


def ko_after(move: int, taken: int, own: int, theirs: int) -> int:
    """Return the point that the ko rule denies to the reply, or 0; own, theirs: the boards after the move."""
    if taken & (taken - 1):
        return 0
    empty = FULL & ~(own | theirs)
    retaken = 0
    for chain, near, _ in CHAINS[own]:
        if near & empty == taken:
            retaken |= chain
    return taken if retaken == move else 0


def children(own: int, theirs: int, ko: int, liked: dict, first: int = 0) -> list:
    """Return the placements as (own, theirs, ko, stones won, move), each board as the opponent then sees it.

    In the order to try them: `first`, captures, rescues, ataris, the rest, own eyes; among equals by `liked`, which
    counts by point what has been good elsewhere. One function in spite of its length: every call costs.
    """
    empty = FULL & ~(own | theirs)
    takes, chased = {}, 0
    for chain, near, _ in CHAINS[theirs]:
        free = near & empty
        more = free & (free - 1)
        if not more:
            takes[free] = takes.get(free, 0) | chain
        elif not more & (more - 1):
            chased |= free
    legal, saving = around(empty), 0
    eyes = ~around(FULL & ~own)
    for _, near, _ in CHAINS[own]:
        free = near & empty
        if free & (free - 1):
            legal |= free
        else:
            saving |= free
    legal &= empty & ~ko
    found = []
    if takes:
        for move in sorted(takes, key=lambda move: -bin(takes[move]).count("1")) if len(takes) > 1 else takes:
            if move != ko:
                taken = takes[move]
                after, left = own | move, theirs & ~taken
                found.append((left, after, ko_after(move, taken, after, left), 1 + bin(taken).count("1"), move))
                legal &= ~move
    quiet = legal & ~(saving | chased)
    for moves in (legal & saving, legal & chased & ~saving, quiet & ~eyes, quiet & eyes):
        some = []
        while moves:
            move = moves & -moves
            moves ^= move
            some.append(move)
        if len(some) > 1:
            some.sort(key=liked.__getitem__, reverse=True)
        for move in some:
            found.append((theirs, own | move, 0, 1, move))
    if first:
        found.sort(key=lambda child: child[4] != first)
    return found
