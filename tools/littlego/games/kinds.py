"""Base classes for games and for their rulesets and positions.

`game_of` in littlego.games.little_go returns the Game of a ruleset. This module runs on Python 3.7.
"""

from __future__ import annotations

from typing import NamedTuple, Tuple

from littlego.games.sizes import Sizes
from littlego.rules.geometry import Point
from littlego.rules.position import Position
from littlego.rules.ruleset import Ruleset

Both = Tuple[int, int]  # (Black's, White's)


class UnknownRulesetError(ValueError):
    """Raised for an unknown ruleset name."""


class BoardSizeError(UnknownRulesetError):
    """Raised for a board size that a game does not support."""


class GameRuleset(Ruleset):
    """A ruleset with its own position class."""

    __slots__ = ()

    def opening(self) -> GamePosition:
        """Return the position before the first move."""
        raise NotImplementedError


class Score(NamedTuple):
    """The parts of both players' scores: stones on the board, territory and prisoners, but not komi."""

    stones: Both
    territory: Both
    prisoners: Both

    def margin2(self, komi2: int) -> int:
        """Return Black's lead after komi in half points."""
        return 2 * sum(black - white for black, white in self) - komi2


class GamePosition(Position):
    """A position of a game in which stones, territory and prisoners count."""

    __slots__ = ()

    def allows(self, point: Point) -> bool:
        """Return whether the mover may play at a point, without computing all legal moves."""
        raise NotImplementedError

    def score(self) -> Score:
        """Return the Score that the players would have if the game ended now."""
        raise NotImplementedError

    def margin2(self) -> int:
        """Return Black's lead after komi, in half points, as if the game ended now."""
        return self.score().margin2(self.ruleset.komi2)


class DrawnExample(NamedTuple):
    """A pattern's example with X and O replaced by colours.

    Boards and prisoners are pairs (Black's, White's). before: the board before the last move, or None if the example
    does not show this board. prisoners: None if the only prisoners are the stones that the last move captured. last,
    own_last: the points of the last moves of the opponent and of the side to move, or None if unknown.
    """

    board: Both
    before: Both | None
    colour: int
    left: int
    prisoners: Both | None
    last: Point | None
    own_last: Point | None


class Game:
    """A game under one ruleset: its board sizes, options and texts, and methods that create positions.

    name: the ruleset's name in patterns files. pattern_sizes: the board sizes of patterns and their examples. unsolved:
    a sentence that says why exact play is unknown, or '' if exact play is known. cpu_limit: the limit on the CPU time
    for a move, in seconds. heading_end: the text between the title and the players in a heading. setup_property: the
    SGF property for the part of a set-up position that is not on the board, such as prisoners. katago: the KataGo rules
    that differ between games, as {rule: value}. katago_names: KataGo's names for rulesets with these rules.
    """

    __slots__ = ("ruleset",)
    name: str
    sizes: Sizes
    pattern_sizes: Sizes
    unsolved = "Exact values are known only in Little-Go on 5x5"
    cpu_limit: float
    heading_end: str
    setup_property: str
    katago: dict[str, object]
    katago_names: tuple[str, ...] = ()

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset

    @property
    def komi(self) -> str:
        """The komi in points, such as `6.5`."""
        return "%g" % (self.ruleset.komi2 / 2)

    @property
    def title(self) -> str:
        """The game's name for a heading, with its size and options."""
        raise NotImplementedError

    @property
    def rules_text(self) -> str:
        """The rules as a text of two or three lines."""
        raise NotImplementedError

    @property
    def terms(self) -> str:
        """A description of the rules in one line, for programs that do not know the ruleset's name."""
        raise NotImplementedError

    @property
    def options_text(self) -> str:
        """The command-line options that choose the ruleset, or '' for the default."""
        raise NotImplementedError

    @property
    def distinctions(self) -> dict[str, str]:
        """The options that differ from the board size's defaults, as {name in position files: value}."""
        return {}

    def resized(self, size: int) -> Ruleset:
        """Return this ruleset on another board size; raise ValueError for an unsupported size."""
        raise NotImplementedError

    def with_komi(self, komi: float) -> Ruleset:
        """Return this ruleset with the given komi in points.

        If the game does not allow this komi, return the unchanged ruleset.
        """
        raise NotImplementedError

    def with_options(self, size: int | None, komi: float | None, pass_stones: bool) -> Ruleset:
        """Return the ruleset that the command-line options choose.

        Raise ValueError for options that the game does not allow.
        """
        raise NotImplementedError

    def of_record(self, size: int, komi: str, pass_stones: bool) -> Ruleset:
        """Return the ruleset of an SGF game that does not name its ruleset.

        Raise ValueError for an invalid size or komi.

        komi: the value of the SGF property KM.
        """
        raise NotImplementedError

    def without_pass_stones(self) -> Ruleset:
        """Return the variant of this ruleset in which passes cost no stone."""
        return self.ruleset

    def adopt(self, position: Position) -> Position:
        """Return a position converted to this ruleset.

        This ruleset may differ from the position's ruleset only in options.
        """
        return position

    def set_up(self, board: Both, colour: int, now: Position) -> Position:
        """Return a position with the given stones and no history.

        now: the position before the set-up; in a match, the new position keeps the prisoners and move number of `now`.
        """
        raise NotImplementedError

    def example_position(self, example: DrawnExample) -> Position:
        """Return the position that a pattern's example shows."""
        raise NotImplementedError

    def setup_value(self, start: Position) -> str:
        """Return the value of setup_property for a set-up position, or '' for the default."""
        raise NotImplementedError

    def set_up_from(self, board: Both, colour: int, value: str) -> Position:
        """Return the position that a board and a value of setup_property describe. value: '' for the default.

        Raise ValueError for an invalid value.
        """
        raise NotImplementedError

    def sums(self, position: Position) -> tuple[int, int]:
        """Return Black's and White's points, without komi, as if the game ended now."""
        raise NotImplementedError

    def sums_text(self, position: Position) -> str:
        """Return Black's and White's points and the komi, such as `Black 190, White 171 + 6.5 = 177.5`."""
        komi2, (black, white) = self.ruleset.komi2, self.sums(position)
        sign = "-" if komi2 < 0 else "+"
        return f"Black {black}, White {white} {sign} {abs(komi2) / 2:g} = {white + komi2 / 2:g}"

    def fault_text(self, position: Position) -> str:
        """Return a description of the position in which a player's fault ended a game."""
        raise NotImplementedError

    def score_text(self, position: Position) -> str:
        """Return a description of the parts of the score, or '' if only stones count."""
        return ""

    def score_json(self, position: Position) -> dict[str, object]:
        """Return the parts of the score as JSON values, or {} if only stones count."""
        return {}
