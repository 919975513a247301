"""The state for facts on large boards: rules.facts.State with additional data about a match.

A position of any ruleset can have a LargeState. Positions on large boards keep their orientation: there is no canonical
image.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from littlego.engines.large.chaintable import ChainTable
from littlego.games.game import margin2
from littlego.games.match import MatchPosition
from littlego.rules.facts import State
from littlego.rules.position import BLACK, WHITE, Position

if TYPE_CHECKING:
    from littlego.rules.geometry import Grid, Mask, Point

ENDLESS = 1 << 20  # moves left in a game without a length, as in rules.engine


class LargeState(State):
    """The immutable argument of facts: a position from the mover's side.

    The class adds these fields to rules.facts.State. last, own_last: the one-point masks of the last moves of the
    opponent and of the mover, or 0 for a pass or an unknown move. prisoners: the numbers of prisoners held by the mover
    and by the opponent. pass_cost: 1 if a pass costs a stone, else 0. score2: the lead that the mover would have,
    including komi, in half points, if the game ended now. by_area: whether the rules count territory and prisoners, not
    only stones. kept: {function name: cached result} (see vocabulary.once_a_position).
    """

    __slots__ = (
        "last",
        "own_last",
        "prisoners",
        "pass_cost",
        "score2",
        "by_area",
        "kept",
        "_table",
        "_other",
        "_after",
    )

    def __init__(
        self,
        own: Mask,
        theirs: Mask,
        ko: Mask,
        left: int,
        number: int,
        colour: int,
        bonus2: int,
        passed: int,
        grid: Grid,
        last: Mask = 0,
        own_last: Mask = 0,
        prisoners: tuple[int, int] = (0, 0),
        pass_cost: int = 0,
        score2: int = 0,
        by_area: bool = False,
        table: ChainTable | None = None,
    ) -> None:
        super().__init__(own, theirs, ko, left, number, colour, bonus2, passed, grid)
        self.last = last
        self.own_last = own_last
        self.prisoners = prisoners
        self.pass_cost = pass_cost
        self.score2 = score2
        self.by_area = by_area
        self.kept: dict[str, Any] = {}
        self._table = table
        self._other: LargeState | None = None
        self._after: dict[Mask, LargeState] = {}

    @property
    def table(self) -> ChainTable:
        """The ChainTable of the chains and their liberties, built at the first access."""
        if self._table is None:
            self._table = ChainTable(self.own, self.theirs, self.grid)
        return self._table

    @property
    def other(self) -> LargeState:
        """The state from the opponent's side, without a ko point or last moves.

        `left`, `number` and `passed` keep their values.
        """
        if self._other is None:
            s, table = self, self.table.turned()
            self._other = LargeState(
                s.theirs,
                s.own,
                0,
                s.left,
                s.number,
                BLACK + WHITE - s.colour,
                -s.bonus2,
                s.passed,
                s.grid,
                0,
                0,
                s.prisoners[::-1],
                s.pass_cost,
                -s.score2,
                s.by_area,
                table,
            )
        return self._other

    def after(self, point: Mask) -> LargeState:
        """Return the state after a legal move of the mover: see rules.facts.after.

        point: a one-point mask, 0 for a pass. Only the board and the ko point change; colour, moves left, prisoners and
        score2 keep their values.
        """
        after = self._after.get(point)
        if after is None:
            s, table = self, self.table.played(point) if point else self.table
            ko = table.ko if point else 0
            after = self._after[point] = LargeState(
                table.own,
                table.theirs,
                ko,
                s.left,
                s.number,
                s.colour,
                s.bonus2,
                s.passed,
                s.grid,
                s.last,
                s.own_last,
                s.prisoners,
                s.pass_cost,
                s.score2,
                s.by_area,
                table,
            )
        return after


def make_state(position: Position) -> LargeState:
    """Return the state of a position from the mover's side, in the position's orientation."""
    ruleset, mover = position.ruleset, position.colour
    sign = 1 if mover == BLACK else -1
    last, own_last, prisoners, pass_cost = 0, 0, (0, 0), 0
    by_area = isinstance(position, MatchPosition)
    if isinstance(position, MatchPosition):
        black, white = position.prisoners
        prisoners = (black, white) if mover == BLACK else (white, black)
        pass_cost = int(position.ruleset.pass_stones)
        last, own_last = _mask_of(position.last), _mask_of(position.own_last)
    return LargeState(
        position.own,
        position.theirs,
        position.ko,
        position.left if ruleset.length else ENDLESS,
        position.number,
        mover,
        -sign * ruleset.komi2,
        position.passed,
        position.grid,
        last,
        own_last,
        prisoners,
        pass_cost,
        sign * margin2(position),
        by_area,
    )


def _mask_of(move: Point | None) -> Mask:
    return 0 if move is None or move < 0 else 1 << move
