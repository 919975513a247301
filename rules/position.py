"""Positions on bitboards: chains, liberties, captures, ko, legality, and the state of a game.

The functions on boards take `own` and `theirs`, the masks of the mover's and the opponent's stones, and a grid
(geometry). The class Position adds the side to move and the history that the rules need.
"""

from __future__ import annotations

from .geometry import around, count, flood, make_grid
from .ruleset import SUPERKO

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Tuple

    from .geometry import Grid, Mask, Point
    from .ruleset import Ruleset

    Board = Tuple[Mask, Mask]
else:
    Board = tuple  # (black, white) masks

BLACK, WHITE = 1, 2
PASS, RESIGN = -1, -2


def liberties(stones: Mask, occupied: Mask, grid: Grid) -> Mask:
    """Return the empty points adjacent to the stones, as a mask."""
    return around(stones, grid) & ~occupied


def chains(stones: Mask, grid: Grid) -> list[Mask]:
    """Return the chains that the stones form, as a list of masks, ordered by each chain's first point."""
    separate = []
    while stones:
        chain = flood(stones & -stones, stones, grid)
        separate.append(chain)
        stones ^= chain
    return separate


def captured_by(move: Mask, own: Mask, theirs: Mask, grid: Grid) -> Mask:
    """Return the opposing stones that the mover captures by playing at `move`, a one-point mask."""
    empty = grid[1] & ~(own | theirs | move)
    touched = around(move, grid) & theirs
    taken = 0
    while touched:
        chain = flood(touched & -touched, theirs, grid)
        touched &= ~chain
        if not around(chain, grid) & empty:
            taken |= chain
    return taken


def legal_moves(own: Mask, theirs: Mask, ko: Mask, grid: Grid) -> Mask:
    """Return the points where the mover may play, as a mask: no suicide, and not the ko point.

    ko: the mask of the point that the ko rule forbids, or 0.
    """
    empty = grid[1] & ~(own | theirs)
    legal = around(empty, grid) & empty
    enclosed = empty & ~legal
    while enclosed:
        move = enclosed & -enclosed
        enclosed ^= move
        if captured_by(move, own, theirs, grid):
            legal |= move
        elif around(flood(move, own, grid), grid) & empty & ~move:
            legal |= move
    return legal & ~ko


def is_legal(move: Mask, own: Mask, theirs: Mask, ko: Mask, grid: Grid) -> bool:
    """Return whether the mover may play at `move`, a one-point mask."""
    if move & (own | theirs | ko) or not move & grid[1]:
        return False
    empty = grid[1] & ~(own | theirs | move)
    if around(flood(move, own, grid), grid) & empty:
        return True
    return captured_by(move, own, theirs, grid) != 0


def ko_after(move: Mask, taken: Mask, own: Mask, theirs: Mask, grid: Grid) -> Mask:
    """Return the mask of the point where the simple ko rule forbids the opponent to reply, or 0.

    own, theirs: the stones after the mover's move. taken: the stones that the move captured. Recapturing restores the
    earlier board only if one stone was captured and the recapture takes only the capturing stone.
    """
    if not taken or taken & (taken - 1):
        return 0
    return taken if captured_by(taken, theirs, own, grid) == move else 0


def played(move: Mask, own: Mask, theirs: Mask, grid: Grid) -> tuple[Mask, Mask, Mask, Mask]:
    """Return (own, theirs, taken, ko) after the mover plays a legal move. move: a one-point mask.

    taken: the captured stones. ko: the mask of the point where the simple ko rule forbids the opponent to reply, or 0.
    """
    taken = captured_by(move, own, theirs, grid)
    own, theirs = own | move, theirs & ~taken
    return own, theirs, taken, ko_after(move, taken, own, theirs, grid)


class Position:
    """An immutable position of a game.

    ruleset: the game's constants. black, white: masks of stones. colour: the mover, BLACK or WHITE. ko: the mask of the
    point where the simple ko rule forbids the mover to play, or 0. passed: whether a pass now ends the game. left: the
    number of moves left, including the next move; 0 or less in a game without a limit. history: (black, white) of all
    earlier boards under SUPERKO, else empty.
    """

    __slots__ = ("ruleset", "grid", "black", "white", "colour", "ko", "passed", "left", "history")

    def __init__(
        self,
        ruleset: Ruleset,
        black: Mask,
        white: Mask,
        colour: int,
        ko: Mask,
        passed: bool,
        left: int,
        history: tuple[Board, ...] = (),
        grid: Grid | None = None,
    ) -> None:
        self.ruleset = ruleset
        self.grid = grid or make_grid(ruleset.size)
        self.black = black
        self.white = white
        self.colour = colour
        self.ko = ko
        self.passed = passed
        self.left = left
        self.history = history

    @property
    def own(self) -> Mask:
        """The mover's stones, as a mask."""
        return self.black if self.colour == BLACK else self.white

    @property
    def theirs(self) -> Mask:
        """The opponent's stones, as a mask."""
        return self.white if self.colour == BLACK else self.black

    @property
    def number(self) -> int:
        """The number of the next move, counted from 1, or 0 in a game without a limit."""
        return self.ruleset.length - self.left + 1 if self.ruleset.length else 0

    def legal(self) -> Mask:
        """Return the points where the mover may play, as a mask; a pass is always legal."""
        legal = legal_moves(self.own, self.theirs, self.ko, self.grid)
        if self.ruleset.ko == SUPERKO:
            legal &= ~self._repeating(legal)
        return legal

    def _repeating(self, moves: Mask) -> Mask:
        repeating = 0
        while moves:
            move = moves & -moves
            moves ^= move
            if self._boards_after(move) in self.history:
                repeating |= move
        return repeating

    def _boards_after(self, move: Mask) -> Board:
        """Return (black, white) after the mover places a stone. move: a one-point mask."""
        own, theirs, _, _ = played(move, self.own, self.theirs, self.grid)
        return (own, theirs) if self.colour == BLACK else (theirs, own)

    def play(self, move: Point) -> Position:
        """Return the position after a move. move: PASS or a legal point (the method does not check legality)."""
        colour = BLACK + WHITE - self.colour
        history = self.history
        if move == PASS:
            return Position(self.ruleset, self.black, self.white, colour, 0, True, self.left - 1, history, self.grid)
        if self.ruleset.ko == SUPERKO:
            history = history + ((self.black, self.white),)
        own, theirs, _, ko = played(1 << move, self.own, self.theirs, self.grid)
        black, white = (own, theirs) if self.colour == BLACK else (theirs, own)
        return Position(self.ruleset, black, white, colour, ko, False, self.left - 1, history, self.grid)

    def ends_with(self, move: Point) -> bool:
        """Return whether a legal move ends the game."""
        return move == RESIGN or self.left == 1 or (move == PASS and self.passed)

    def lead(self) -> int:
        """Return the mover's lead in stones, without komi."""
        return count(self.own) - count(self.theirs)


def margin2(position: Position) -> int:
    """Return Black's lead after komi in half points: negative if White is ahead, 0 for a tie."""
    return 2 * (count(position.black) - count(position.white)) - position.ruleset.komi2


def winner_of(position: Position) -> int:
    """Return the winner if the game ends here: BLACK, WHITE, or 0 for a tie."""
    margin = margin2(position)
    return BLACK if margin > 0 else WHITE if margin < 0 else 0


def opening(ruleset: Ruleset) -> Position:
    """Return the position before the first move."""
    return Position(ruleset, 0, 0, BLACK, 0, ruleset.opening_pass_ends, ruleset.length)


def from_boards(ruleset: Ruleset, previous: Board | None, current: Board, colour: int, left: int) -> Position:
    """Return the Position that two boards describe.

    previous, current: (black, white) masks before and after the opponent's last move. If previous is None (unknown),
    the position has no ko point, and a pass can end the game only as the first move. colour: the mover. left: the
    number of moves left, including the next move. As in the course's host, the ko point is the point where the mover
    lost a single stone, if a recapture at this point would restore `previous`.
    """
    grid = make_grid(ruleset.size)
    black, white = current
    if previous is None:
        passed = left == ruleset.length and ruleset.opening_pass_ends
        return Position(ruleset, black, white, colour, 0, passed, left, (), grid)
    passed = tuple(previous) == tuple(current) and (ruleset.opening_pass_ends or left != ruleset.length)
    position = Position(ruleset, black, white, colour, 0, passed, left, (), grid)
    before = previous[0] if colour == BLACK else previous[1]
    lost = before & ~position.own
    if lost and not lost & (lost - 1) and not lost & (black | white):
        if position._boards_after(lost) == tuple(previous):
            position.ko = lost
    return position
