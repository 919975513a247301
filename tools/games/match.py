"""The match: Go on boards of 5 to 19 with area, prisoners and komi, a pass that hands over a stone, and superko.

The rules are those of a course's match of 19x19 (see docs/match.md). A *state* is a board and who is to move. No
placement may bring back a state; a pass may, and the states that passes make count as well.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from rpds import HashTrieSet

from rules.geometry import Grid, Mask, Point, around, count, flood, make_grid, points_of
from rules.position import BLACK, PASS, RESIGN, WHITE, captured_by, chains, is_legal, legal_moves, liberties, played
from rules.ruleset import SUPERKO
from tools.games.kinds import GamePosition, GameRuleset, Score

if TYPE_CHECKING:
    from collections.abc import Callable

    from rules.position import Board

    State = tuple[Mask, Mask, int]

NAME = "match"
SMALLEST, LARGEST = 5, 19  # points to a side
KOMI2 = 13  # half points
LARGEST_KOMI = 1000  # points either way that are asked for; a name holds some more
NO_PASS_STONES = "no-pass-stones"
_NAMED = re.compile(rf"{NAME}(?:-(\d\d?))?(-{NO_PASS_STONES})?(?:-komi(-?\d{{1,4}}(?:\.[05])?))?", re.ASCII)


class MatchRuleset(GameRuleset):
    """The match on a board of one size. pass_stones: whether a pass hands a stone over to the opponent."""

    __slots__ = ("pass_stones",)

    def __init__(self, size: int, komi2: int = KOMI2, pass_stones: bool = True) -> None:
        name = NAME if size == LARGEST else f"{NAME}-{size}"
        name += "" if pass_stones else f"-{NO_PASS_STONES}"
        name += "" if komi2 == KOMI2 else f"-komi{komi2 / 2:g}"
        super().__init__(name, size, komi2, length=0, ko=SUPERKO, opening_pass_ends=False)
        self.pass_stones = pass_stones

    def __reduce__(self) -> tuple[Callable[..., MatchRuleset], tuple[int, int, bool]]:
        """Be the same object again in the process that unpickles it."""
        return match_rules, (self.size, self.komi2, self.pass_stones)

    def opening(self) -> MatchPosition:
        """Return the empty board."""
        return self.start((0, 0), BLACK, (0, 0))

    def start(
        self, board: Board, colour: int, prisoners: tuple[int, int] = (0, 0), last: Point | None = None
    ) -> MatchPosition:
        """Return a position to begin from.

        board: (black, white). prisoners: those that Black and White hold. last: the opponent's last move, if known.
        """
        seen: HashTrieSet[State] = HashTrieSet([(*board, colour)])
        return MatchPosition(self, board, colour, 0, last == PASS, prisoners, seen, 0, make_grid(self.size), last)


def last_move(before: Board, after: Board, mover: int) -> Point | None:
    """Return the move that leads from one board to another, a point or PASS; None where no single one can.

    before, after: (black, white). mover: the colour that makes it. What it captures is not looked at.
    """
    played = after[mover - 1] & ~before[mover - 1]
    if not played:
        return PASS if after == before else None
    return None if played & (played - 1) else played.bit_length() - 1


def match_rules(size: int = LARGEST, komi2: int = KOMI2, pass_stones: bool = True) -> MatchRuleset:
    """Return the match's rules; the same object each time. komi2: in half points. ValueError for another size."""
    if not SMALLEST <= size <= LARGEST:
        raise ValueError(f"a match on a board of {size}: expected {SMALLEST} to {LARGEST}")
    return _match_rules(size, komi2, pass_stones)


@cache  # by position: a cache tells `size=9` from `9`
def _match_rules(size: int, komi2: int, pass_stones: bool) -> MatchRuleset:
    return MatchRuleset(size, komi2, pass_stones)


def komi2_of(komi: float) -> int | None:
    """Return a komi in half points, None for one that no match is played with: it is whole or half, and no larger."""
    return round(2 * komi) if abs(komi) <= LARGEST_KOMI and 2 * komi % 1 == 0 else None


def match_named(name: str) -> MatchRuleset | None:
    """Return the rules of a match whose ruleset has this name, None where no match is called so."""
    named = _NAMED.fullmatch(name)
    size = int(named[1] or LARGEST) if named else 0
    if named is None or not SMALLEST <= size <= LARGEST:
        return None
    return match_rules(size, round(2 * float(named[3])) if named[3] else KOMI2, not named[2])


class MatchPosition(GamePosition):
    """A match between two moves; never changed after it is made.

    prisoners: those that Black and White hold, stones handed over by passes included. seen: the states so far, this
    one included. plies: moves made since the start. There is no limit of moves: `left` is 0. ko: the point that
    superko denies because the stone there has just taken one, as in a simple ko; legal() knows all others. last: the
    opponent's last move, a point or PASS; None at the start, and where it is not known.
    """

    __slots__ = ("prisoners", "seen", "plies", "last", "_legal")
    ruleset: MatchRuleset

    def __init__(
        self,
        ruleset: MatchRuleset,
        board: Board,
        colour: int,
        ko: Mask,
        passed: bool,
        prisoners: tuple[int, int],
        seen: HashTrieSet[State],
        plies: int,
        grid: Grid,
        last: Point | None = None,
    ) -> None:
        super().__init__(ruleset, *board, colour, ko, passed, left=0, grid=grid)
        self.prisoners = prisoners
        self.seen = seen
        self.plies = plies
        self.last = last
        self._legal: Mask | None = None  # once somebody has asked

    @property
    def number(self) -> int:
        """The number of the next move, from 1."""
        return self.plies + 1

    def legal(self) -> Mask:
        """Return the points where the mover may play: no suicide, no state again. A pass is always legal."""
        if self._legal is None:
            alive = legal_moves(self.own, self.theirs, 0, self.grid)
            self._legal = alive & ~self._repeating_of(alive)
        return self._legal

    def allows(self, point: Point) -> bool:
        """Return whether the mover may play at a point of the board, without a look at all others."""
        bit = 1 << point
        if self._legal is not None:
            return self._legal & bit != 0
        return is_legal(bit, self.own, self.theirs, 0, self.grid) and not self._repeating_of(bit)

    def _repeating_of(self, moves: Mask) -> Mask:
        """Return those of the moves that bring a state back.

        Each placement adds a stone: before the first capture none can, and then one look into a set tells.
        """
        if not self._has_captured():
            return 0
        takes = self._taking_points()
        repeating = 0
        for point in points_of(moves):
            bit = 1 << point
            own, theirs = self.own | bit, self.theirs
            if bit & takes:
                theirs &= ~captured_by(bit, self.own, self.theirs, self.grid)
            if self._state(own, theirs) in self.seen:
                repeating |= bit
        return repeating

    def _has_captured(self) -> bool:
        return any(self.prisoners)

    def _taking_points(self) -> Mask:
        """Return the points where the mover would capture: the last liberties of their chains."""
        occupied, takes = self.own | self.theirs, 0
        for chain in chains(self.theirs, self.grid):
            free = liberties(chain, occupied, self.grid)
            if not free & (free - 1):
                takes |= free
        return takes

    def _state(self, own: Mask, theirs: Mask) -> State:
        """Return the state after a move of the mover, the board being given by whose stones they are."""
        colour = BLACK + WHITE - self.colour
        return (own, theirs, colour) if self.colour == BLACK else (theirs, own, colour)

    def play(self, move: Point) -> MatchPosition:
        """Return the position after a move: a point where it is legal (not checked here), or PASS."""
        if move == PASS:
            ko, state, gained = 0, self._state(self.own, self.theirs), 0
            given = 1 if self.ruleset.pass_stones else 0
        else:
            own, theirs, taken, ko = played(1 << move, self.own, self.theirs, self.grid)
            state, gained, given = self._state(own, theirs), count(taken), 0
        mine, yours = self.colour - 1, 2 - self.colour
        prisoners = list(self.prisoners)
        prisoners[mine] += gained
        prisoners[yours] += given
        return MatchPosition(
            self.ruleset,
            state[:2],
            state[2],
            ko,
            move == PASS,
            (prisoners[0], prisoners[1]),
            self.seen.insert(state),
            self.plies + 1,
            self.grid,
            move,
        )

    def ends_with(self, move: Point) -> bool:
        """Return whether the game is over once this legal move is made."""
        return move == RESIGN or (move == PASS and self.passed)

    def score(self) -> Score:
        """Return what both have, were the game to end here; no stone is taken for dead."""
        return score_of(self.black, self.white, self.prisoners, self.grid)


def score_of(black: Mask, white: Mask, prisoners: tuple[int, int], grid: Grid) -> Score:
    """Return what both have on a board with these prisoners; no stone is taken for dead."""
    ours, theirs = territory(black, white, grid)
    return Score((count(black), count(white)), (count(ours), count(theirs)), prisoners)


def territory(black: Mask, white: Mask, grid: Grid) -> tuple[Mask, Mask]:
    """Return Black's and White's territory: the empty regions that touch stones of one colour only."""
    empty = grid[1] & ~(black | white)
    ours = theirs = 0
    while empty:
        region = flood(empty & -empty, empty, grid)
        empty ^= region
        beside = around(region, grid)
        if beside & black and not beside & white:
            ours |= region
        elif beside & white and not beside & black:
            theirs |= region
    return ours, theirs
