"""The ladder search of rules.life for large boards, with a cap on moves and a zone for each result.

A ladder across 19x19 has about forty rounds. For speed, chains are not recomputed in each round, and only attackers
that may be in atari are checked. A result stays valid as long as nothing changes in its *zone*, so it is reused for all
moves outside the zone.
"""

from __future__ import annotations

from typing import NamedTuple

from littlego.rules.geometry import Grid, Mask, around, flood
from littlego.rules.life import LADDER_ROUNDS
from littlego.rules.position import is_legal, ko_after

MOST_STEPS = 500  # most attacking moves in one reading; if a reading needs more, the chain counts as not caught


class Ladder(NamedTuple):
    """The result of reading a ladder.

    caught: whether the chain is captured. seen: the points of the moves played and of the chains examined. saving: a
    mask of the moves that save the chain, if the chain is in atari and its owner is to move; else 0. first: the first
    move of the capture if `read_capture` finds a capture, else 0. capped: True if the cap on tried moves ended the
    reading; `caught` is then False.
    """

    caught: bool
    seen: Mask
    saving: Mask = 0
    first: Mask = 0
    capped: bool = False

    def zone(self, grid: Grid) -> Mask:
        """Return the points that the result depends on: all points within three steps of the seen points."""
        near = self.seen | around(self.seen, grid)
        near |= around(near, grid)
        return near | around(near, grid)


def read_capture(target: Mask, own: Mask, theirs: Mask, ko: Mask, grid: Grid) -> Ladder:
    """Search for a ladder in which the mover captures the opponent's chain `target`; return the result.

    `caught` equals the result of rules.life.catches unless the cap on tried moves ends the reading.
    """
    return _LadderReader(grid).capture(target, own, theirs, ko)


def read_rescue(target: Mask, own: Mask, theirs: Mask, ko: Mask, grid: Grid) -> Ladder:
    """Return a Ladder with the moves that save the mover's chain `target`, which is in atari.

    rules.life.rescues returns the same moves unless the cap on tried moves ends the reading.
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
    """A search for a capture of one chain. seen: the points of the moves played and of the chains examined."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.seen = 0

    def play(self, move: Mask, own: Mask, theirs: Mask) -> tuple[Mask, Mask, Mask]:
        """Return (mover's stones, opponent's stones, ko point) after a legal move, each as a mask."""
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
    """A search for ladders with a cap on the number of attacking moves."""

    def __init__(self, grid: Grid) -> None:
        super().__init__(grid)
        self.steps = 0
        self.capped = False
        self._first = 0  # the first move of the ladder; the outermost board sets this field last
        self._proved: set[tuple[Mask, Mask, Mask]] = set()
        self._visited: set[tuple[Mask, Mask, Mask]] = set()

    def capture(self, target: Mask, own: Mask, theirs: Mask, ko: Mask) -> Ladder:
        """Search for a ladder in which the mover captures an opposing chain; return the result.

        A sequence that returns to an earlier board counts as an escape, which can hide a capture. The search is
        therefore repeated until it captures the chain, proves nothing new or exceeds the cap on tried moves.
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
        if not second:  # capturing on the last liberty is legal unless the ko rule forbids it
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
        """Return whether a move is legal, gives atari and provably leaves the target no escape.

        The caller checks that the ko rule allows the move. The result is False if the cap on tried moves ends the
        reading.
        """
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
        """Return the moves that may save the target: the last liberty, and captures of adjacent attackers."""
        grid = self.grid
        captures = self._captures(target, own, theirs)
        is_open = not last & ko and (last & captures or around(last, grid) & ~(own | theirs))
        legal = last if is_open or last and is_legal(last, own, theirs, ko, grid) else 0
        return legal | captures & ~ko

    def _captures(self, target: Mask, own: Mask, theirs: Mask) -> Mask:
        """Return a mask of the last liberties of attackers that are in atari and adjacent to the target."""
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
