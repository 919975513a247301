"""Ladders on large boards: as rules.life reads them, but with a cap on the work, and with the points that mattered.

A ladder across 19x19 has some forty rounds; a chain is not flooded again for each of them, and attackers are looked at
for an atari only where they can be in one. What was read holds for as long as nothing changes on its *zone*, so that
one reading serves all moves elsewhere.
"""

from __future__ import annotations

from typing import NamedTuple

from littlego.rules.geometry import Grid, Mask, around, flood
from littlego.rules.life import LADDER_ROUNDS
from littlego.rules.position import is_legal, ko_after

MOST_STEPS = 500  # moves of either side in one reading, after which a chain counts as not caught


class Ladder(NamedTuple):
    """What reading a ladder came to. caught: whether the chain is captured. seen: what was played or looked at.

    saving: for a chain in atari whose owner is to move, the moves that save it, as a mask; else 0. first: for a chain
    that is caught, the move that begins it. capped: whether the cap ended the reading, and `caught` is False for that.
    """

    caught: bool
    seen: Mask
    saving: Mask = 0
    first: Mask = 0
    capped: bool = False

    def zone(self, grid: Grid) -> Mask:
        """Return the points that it depends on: all that was seen, its liberties, and those of chains next to it."""
        near = self.seen | around(self.seen, grid)
        near |= around(near, grid)
        return near | around(near, grid)


def read_capture(target: Mask, own: Mask, theirs: Mask, ko: Mask, grid: Grid) -> Ladder:
    """Return whether own to move captures their chain `target`, at once or by atari after atari.

    The same as rules.life.catches wherever the cap allows it.
    """
    return _LadderReader(grid).capture(target, own, theirs, ko)


def read_rescue(target: Mask, own: Mask, theirs: Mask, ko: Mask, grid: Grid) -> Ladder:
    """Return whether own to move cannot save its chain `target`, which is in atari, and the moves that do.

    The moves are those of rules.life.rescues wherever the cap allows it.
    """
    reader = _LadderReader(grid)
    last = around(target, grid) & ~(own | theirs)
    saving, tries = 0, reader.tries(target, last, own, theirs, ko)
    while tries:
        move = tries & -tries
        tries ^= move
        stones, rest, next_ko = reader.play(move, own, theirs)
        grown = flood(target | move if move == last else target, stones, grid)
        reader.seen |= grown
        if not reader.capture(grown, rest, stones, next_ko).caught:
            saving |= move
    return Ladder(not saving, reader.seen, saving, capped=reader.capped)


class Reader:
    """One reading. seen: points that were played or belong to chains that were looked at."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.seen = 0

    def play(self, move: Mask, own: Mask, theirs: Mask) -> tuple[Mask, Mask, Mask]:
        """Return (own, theirs, ko) after a legal move."""
        grid, taken = self.grid, 0
        own |= move
        empty = grid[1] & ~(own | theirs)
        touched = around(move, grid) & theirs
        while touched:
            chain = touched & -touched
            if not around(chain, grid) & empty:
                chain = flood(chain, theirs, grid)
                if not around(chain, grid) & empty:
                    taken |= chain
            touched &= ~chain
        self.seen |= move | taken
        if not taken:
            return own, theirs, 0
        theirs &= ~taken
        return own, theirs, ko_after(move, taken, own, theirs, grid)


class _LadderReader(Reader):
    """The reading of a ladder."""

    def __init__(self, grid: Grid) -> None:
        super().__init__(grid)
        self.steps = 0
        self.capped = False
        self._first = 0  # the move that was last found to catch; that of the outermost board is found last
        self._proved: set[tuple[Mask, Mask, Mask]] = set()
        self._visited: set[tuple[Mask, Mask, Mask]] = set()

    def capture(self, target: Mask, own: Mask, theirs: Mask, ko: Mask) -> Ladder:
        """Return what reading the capture of their chain comes to.

        A line that comes back to an earlier board is an escape; as it may be cut too early elsewhere, the search is
        repeated until it proves nothing new.
        """
        self._proved.clear()
        self.steps = 0
        while True:
            before = len(self._proved)
            self._visited.clear()
            if self._catches(target, own, theirs, ko, 0):
                return Ladder(True, self.seen, first=self._first)
            if len(self._proved) == before or self.steps > MOST_STEPS:
                return Ladder(False, self.seen, capped=self.capped)

    def _catches(self, target: Mask, own: Mask, theirs: Mask, ko: Mask, depth: int) -> bool:
        self.seen |= target
        grid = self.grid
        free = around(target, grid) & ~(own | theirs)
        first = free & -free
        second = free ^ first
        if second & (second - 1):
            return False
        if not second:  # taking all of them is legal, unless it is a ko
            self._first = first
            return not first & ko
        board = own, theirs, ko
        if board in self._proved:
            return True
        if board in self._visited or depth == LADDER_ROUNDS:
            return False
        self._visited.add(board)
        for move in (first, second):
            if not move & ko and self._keeps_atari(move, target, own, theirs, depth):
                self._proved.add(board)
                self._first = move
                return True
        return False

    def _keeps_atari(self, move: Mask, target: Mask, own: Mask, theirs: Mask, depth: int) -> bool:
        """Return whether own may give atari at `move`, and that leaves the target no escape."""
        grid = self.grid
        if not around(move, grid) & ~(own | theirs) and not is_legal(move, own, theirs, 0, grid):
            return False
        self.steps += 1
        if self.steps > MOST_STEPS:
            self.capped = True
            return False
        stones, rest, ko = self.play(move, own, theirs)
        last = around(target, grid) & ~(stones | rest)
        if last & (last - 1):
            return False
        tries = self.tries(target, last, rest, stones, ko)
        while tries:
            answer = tries & -tries
            tries ^= answer
            defence, attack, next_ko = self.play(answer, rest, stones)
            grown = flood(target | answer if answer == last else target, defence, grid)
            if not self._catches(grown, attack, defence, next_ko, depth + 1):
                return False
        return True

    def tries(self, target: Mask, last: Mask, own: Mask, theirs: Mask, ko: Mask) -> Mask:
        """Return the legal ones among the target's last liberty and captures of attackers in atari next to it."""
        grid = self.grid
        captures = self._captures(target, own, theirs)
        is_open = not last & ko and (last & captures or around(last, grid) & ~(own | theirs))
        legal = last if is_open or last and is_legal(last, own, theirs, ko, grid) else 0
        return legal | captures & ~ko

    def _captures(self, target: Mask, own: Mask, theirs: Mask) -> Mask:
        """Return the last liberties of attackers in atari next to the target, as a mask."""
        size, full, not_first, not_last = grid = self.grid
        empty = full & ~(own | theirs)
        up, down, left, right = empty << size, empty >> size, (empty & not_last) << 1, (empty & not_first) >> 1
        open_stones = theirs & ((up & down) | (left & right) | ((up | down) & (left | right)))
        suspects = around(target, grid) & theirs & ~(open_stones | around(open_stones, grid))
        takes = 0
        while suspects:
            chain = flood(suspects & -suspects, theirs, grid)
            suspects &= ~chain
            self.seen |= chain
            free = around(chain, grid) & empty
            if not free & (free - 1):
                takes |= free
        return takes
