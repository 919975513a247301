"""A bounded search for captures of chains with up to three liberties: ladders, nets and short fights.

The attacker plays at liberties of the chain, and at points next to these liberties to enclose the chain. The owner
extends, captures attackers in atari, gives atari to attackers, or plays next to the chain's liberties. A chain escapes
if it gets four liberties, or three liberties after the attacker has used up the quiet moves (moves without atari). This
is the usual tactical reading of Go programs (GNU Go's manual, "Tactical reading"), with few quiet moves and a cap on
the number of tried moves.

A result stays valid as long as nothing changes in its zone: see littlego.engines.large.ladders.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from littlego.engines.large.ladders import Reader
from littlego.engines.large.vocabulary import once_a_position
from littlego.rules.geometry import around, count, flood

if TYPE_CHECKING:
    from littlego.engines.large.chaintable import ChainTable
    from littlego.engines.large.state import LargeState
    from littlego.rules.geometry import Grid, Mask

    Board = tuple[Mask, Mask, Mask, int]  # (attacker's stones, owner's stones, ko point, quiet moves left)

MOST_LIBERTIES = 3  # most liberties of a chain that is read
QUIET = 2  # most moves without atari in a sequence
PLIES = 40  # most plies of a sequence
MOST_MOVES = 2000  # most moves of both sides in one reading; if a reading needs more, the chain counts as not captured


class Fight(NamedTuple):
    """A chain that the attacker captures by moving first. All fields are masks.

    stones: the chain. attack: the tried moves that capture the chain. defence: the tried moves that save the chain if
    the owner moves first, or 0 if the chain is lost. zone: the points that the attack depends on.
    """

    stones: Mask
    attack: Mask
    defence: Mask
    zone: Mask


@once_a_position
def own_fights(state: LargeState) -> list[Fight]:
    """Return the fights over the mover's chains."""
    return fights_on(state.own, state.theirs, state.ko, 0, state.table, state.grid)


@once_a_position
def their_fights(state: LargeState) -> list[Fight]:
    """Return the fights over the opponent's chains."""
    return fights_on(state.theirs, state.own, 0, state.ko, state.table, state.grid)


def fights_on(own: Mask, theirs: Mask, own_ko: Mask, their_ko: Mask, table: ChainTable, grid: Grid) -> list[Fight]:
    """Return the fights over the mover's chains on a board.

    own_ko, their_ko: the one-point masks of the points that ko forbids to the mover and to the opponent, or 0.
    """
    fights = []
    for chain in table.chains_of(own):
        if count(table.free[chain]) > MOST_LIBERTIES:
            continue
        search = Search(grid)
        if not search.attack(chain, theirs, own, their_ko, QUIET, 0):
            continue
        zone = search.zone()
        attack = search.attacks_that_capture(chain, theirs, own, their_ko)
        defence = Search(grid).defences_that_save(chain, own, theirs, own_ko)
        fights.append(Fight(chain, attack, defence, zone))
    return fights


def attack_on(target: Mask, own: Mask, theirs: Mask, ko: Mask, grid: Grid) -> Mask:
    """Return a move by which the mover captures the chain `target`, or 0 if the search finds no such move.

    ko: the one-point mask of the point that ko forbids, or 0.
    """
    return Search(grid).attack(target, own, theirs, ko, QUIET, 0)


class Search(Reader):
    """A search for a capture of one chain. tried: the number of moves tried in the current reading."""

    def __init__(self, grid: Grid) -> None:
        super().__init__(grid)
        self.tried = 0
        self._known: dict[Board, Mask] = {}  # the capturing move on a board, or 0
        self._line: set[Board] = set()
        self._doubts = 0  # number of escapes assumed without reading to the end

    def zone(self) -> Mask:
        """Return the points that the result depends on: all points within two steps of the seen points."""
        near = self.seen | around(self.seen, self.grid)
        return near | around(near, self.grid)

    def attacks_that_capture(self, target: Mask, own: Mask, theirs: Mask, ko: Mask) -> Mask:
        """Return a mask of the tried moves that capture the opposing chain `target`."""
        free = around(target, self.grid) & ~(own | theirs)
        if not free & (free - 1):
            return free & ~ko
        capturing = 0
        for move in self.attacks(target, own, theirs, free, QUIET):
            self.tried = 0
            if not move & ko and self.captures_by(move, target, own, theirs, QUIET, 0):
                capturing |= move
        return capturing

    def defences_that_save(self, target: Mask, own: Mask, theirs: Mask, ko: Mask) -> Mask:
        """Return a mask of the tried moves that save the mover's chain `target`."""
        saving = 0
        for move in self.defences(target, own, theirs, around(target, self.grid) & ~(own | theirs)):
            self.tried = 0
            if not move & ko and self.escapes_by(move, target, own, theirs, QUIET, 0):
                saving |= move
        return saving

    def attack(self, target: Mask, own: Mask, theirs: Mask, ko: Mask, quiet: int, ply: int) -> Mask:
        """Return a move by which the mover captures the chain `target`, or 0 if the search finds no such move."""
        free = around(target, self.grid) & ~(own | theirs)
        self.seen |= target | free
        if not free & (free - 1):
            return free & ~ko
        liberties = count(free)
        if liberties > MOST_LIBERTIES or liberties > 2 + quiet:
            return 0
        if ply >= PLIES:
            self._doubts += 1
            return 0
        board = own, theirs, ko, quiet
        known = self._known.get(board)
        if known is not None:
            return known
        if board in self._line:
            self._doubts += 1
            return 0  # a sequence that returns to an earlier board is an escape
        doubts, capture = self._doubts, 0
        self._line.add(board)
        for move in self.attacks(target, own, theirs, free, quiet):
            if not move & ko and self.captures_by(move, target, own, theirs, quiet, ply):
                capture = move
                break
        self._line.remove(board)
        if capture or doubts == self._doubts:  # else the result may depend on the sequence that led to this board
            self._known[board] = capture
        return capture

    def captures_by(self, move: Mask, target: Mask, own: Mask, theirs: Mask, quiet: int, ply: int) -> bool:
        """Return whether a move captures the chain; False if the cap ends the reading. move: a one-point mask."""
        if not self._try():
            return False
        stones, rest, ko = self.play(move, own, theirs)
        if self.is_suicide(move, stones, rest):
            return False
        left = around(target, self.grid) & ~(stones | rest)
        if left & (left - 1):
            quiet -= 1
        return quiet >= 0 and not self.escapes(target, rest, stones, ko, quiet, ply + 1)

    def attacks(self, target: Mask, own: Mask, theirs: Mask, free: Mask, quiet: int) -> list[Mask]:
        """Return the attacker's moves to try: liberties (the owner's best extensions first), then net moves."""
        empty = self.grid[1] & ~(own | theirs)
        moves = []
        for move in one_point_masks(free):
            room = around(move, self.grid)
            gain = count(room & empty & ~free) + (2 * count(room & theirs & ~target))
            moves.append((-gain, move))
        moves.sort()
        tried = [move for _, move in moves]
        if len(tried) == 2 and quiet:
            ring = around(free, self.grid) & empty & ~free
            tried += one_point_masks(ring)
        return tried

    def escapes(self, target: Mask, own: Mask, theirs: Mask, ko: Mask, quiet: int, ply: int) -> bool:
        """Return whether the mover, who plays first, saves the chain `target`."""
        free = around(target, self.grid) & ~(own | theirs)
        self.seen |= free
        liberties = count(free)
        if liberties > MOST_LIBERTIES or liberties > 2 + quiet or ply >= PLIES:
            return True
        for move in self.defences(target, own, theirs, free):
            if not move & ko and self.escapes_by(move, target, own, theirs, quiet, ply):
                return True
        # The owner may also play elsewhere, which helps if every local move is harmful, as in an eye.
        return liberties > 1 and not self.attack(target, theirs, own, 0, quiet, ply + 1)

    def escapes_by(self, move: Mask, target: Mask, own: Mask, theirs: Mask, quiet: int, ply: int) -> bool:
        """Return whether a move saves the chain; True if the cap ends the reading. move: a one-point mask."""
        if not self._try():
            return True
        stones, rest, ko = self.play(move, own, theirs)
        if self.is_suicide(move, stones, rest):
            return False
        grown = flood(target, stones, self.grid)
        return not self.attack(grown, rest, stones, ko, quiet, ply + 1)

    def defences(self, target: Mask, own: Mask, theirs: Mask, free: Mask) -> list[Mask]:
        """Return the moves that may save the mover's chain, in the order of trial.

        Captures of attackers come first.
        """
        grid = self.grid
        empty = grid[1] & ~(own | theirs)
        takes = threats = 0
        short = 1 if not free & (free - 1) else 2
        beside = around(target, grid) & theirs
        while beside:
            chain = flood(beside & -beside, theirs, grid)
            beside &= ~chain
            self.seen |= chain
            around_it = around(chain, grid) & empty
            number = count(around_it)
            if number == 1:
                takes |= around_it
            elif number <= short:
                threats |= around_it
        tried = one_point_masks(takes) + one_point_masks(free & ~takes)
        if short == 2:
            threats |= around(free, grid) & empty
        return tried + one_point_masks(threats & ~(takes | free))

    def is_suicide(self, move: Mask, own: Mask, theirs: Mask) -> bool:
        """Return whether a move's chain has no liberties. move: a one-point mask that `own` already includes."""
        empty = self.grid[1] & ~(own | theirs)
        return not (around(move, self.grid) & empty or around(flood(move, own, self.grid), self.grid) & empty)

    def _try(self) -> bool:
        """Count one more tried move; return whether the number is still within the cap."""
        self.tried += 1
        if self.tried > MOST_MOVES:
            self._doubts += 1
        return self.tried <= MOST_MOVES


def one_point_masks(mask: Mask) -> list[Mask]:
    """Return the points of a mask as one-point masks, in ascending order."""
    bits = []
    while mask:
        low = mask & -mask
        bits.append(low)
        mask ^= low
    return bits
