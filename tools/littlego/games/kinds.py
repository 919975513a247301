"""The interface of a game: what tools ask of a ruleset, and positions with rules of their own. Runs on Python 3.7.

Ask `game_of` in littlego.games.game for the game of a ruleset: it is an instance of a subclass of Game.
"""

from __future__ import annotations

from typing import NamedTuple, Tuple

from littlego.games.sizes import Sizes
from littlego.rules.geometry import Point
from littlego.rules.position import Position
from littlego.rules.ruleset import Ruleset

Both = Tuple[int, int]  # Black's and White's


class UnknownRulesetError(ValueError):
    """Raised for a name that no ruleset has."""


class BoardSizeError(UnknownRulesetError):
    """Raised for a game on a board of a size that it is not played on."""


class GameRuleset(Ruleset):
    """A ruleset with positions of its own."""

    __slots__ = ()

    def opening(self) -> GamePosition:
        """Return the position before the first move."""
        raise NotImplementedError


class Score(NamedTuple):
    """What both players have: stones on the board, points of territory, prisoners; komi is not in it."""

    stones: Both
    territory: Both
    prisoners: Both

    def margin2(self, komi2: int) -> int:
        """Return Black's lead after komi in half points."""
        return 2 * sum(black - white for black, white in self) - komi2


class GamePosition(Position):
    """A position of a game that does not count stones alone."""

    __slots__ = ()

    def allows(self, point: Point) -> bool:
        """Return whether the mover may play at a point of the board, without a look at all others."""
        raise NotImplementedError

    def score(self) -> Score:
        """Return what both players have, were the game to end here."""
        raise NotImplementedError

    def margin2(self) -> int:
        """Return Black's lead after komi in half points, were the game to end here."""
        return self.score().margin2(self.ruleset.komi2)


class DrawnExample(NamedTuple):
    """An example of a pattern by colour: boards and prisoners are Black's and White's.

    before: the board before the last move, None if it does not matter. prisoners: None for those of the last move
    alone. last: the point of the last move, None if unknown.
    """

    board: Both
    before: Both | None
    colour: int
    left: int
    prisoners: Both | None
    last: Point | None


class Game:
    """A game by one ruleset: its sizes, options and words, and positions made from boards.

    name: of the ruleset in patterns files. sizes: the boards that it is played on. pattern_sizes: the boards that
    patterns and their examples are written for. unsolved: why exact play is not known, as a sentence; '' where it is.
    cpu_limit: seconds of CPU time for a move. heading_end: the text between the title and the players.
    setup_property: the SGF property for what a board does not show. katago: the KataGo rules that differ between
    games. katago_names: the names that KataGo has for the rules.
    """

    __slots__ = ("ruleset",)
    name: str
    sizes: Sizes
    pattern_sizes: Sizes
    unsolved = "Exact values are known in Little-Go on 5x5 alone"
    cpu_limit: float
    heading_end: str
    setup_property: str
    katago: dict[str, object]
    katago_names: tuple[str, ...] = ()

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset

    @property
    def komi(self) -> str:
        """The komi in points, as `6.5`."""
        return "%g" % (self.ruleset.komi2 / 2)

    @property
    def title(self) -> str:
        """The game in a heading, with its size and options."""
        raise NotImplementedError

    @property
    def rules_text(self) -> str:
        """The rules in two or three lines."""
        raise NotImplementedError

    @property
    def terms(self) -> str:
        """The rules in one line for programs that do not know the ruleset's name."""
        raise NotImplementedError

    @property
    def options_text(self) -> str:
        """The command-line options that choose the ruleset, '' for the default."""
        raise NotImplementedError

    @property
    def distinctions(self) -> dict[str, str]:
        """The options that differ from the usual game on a board of the size, by their names in positions."""
        return {}

    def resized(self, size: int) -> Ruleset:
        """Return the ruleset on a board of another size, its options kept; raise ValueError for an unknown size."""
        raise NotImplementedError

    def with_komi(self, komi: float) -> Ruleset:
        """Return the ruleset with a komi in points, or the ruleset itself where it cannot have that komi."""
        raise NotImplementedError

    def with_options(self, size: int | None, komi: float | None, pass_stones: bool) -> Ruleset:
        """Return the ruleset with the options of the command line; raise ValueError for options that do not fit."""
        raise NotImplementedError

    def of_record(self, size: int, komi: str, pass_stones: bool) -> Ruleset:
        """Return the ruleset of an SGF game that names none; komi: its KM. Raise ValueError."""
        raise NotImplementedError

    def without_pass_stones(self) -> Ruleset:
        """Return the ruleset in which a pass hands over no stone."""
        return self.ruleset

    def adopt(self, position: Position) -> Position:
        """Return a position of the same game with other options as a position by this ruleset."""
        return position

    def set_up(self, board: Both, colour: int, now: Position) -> Position:
        """Return stones without a past; the prisoners of `now`, where the game has any, stay."""
        raise NotImplementedError

    def example_position(self, example: DrawnExample) -> Position:
        """Return the position of an example."""
        raise NotImplementedError

    def setup_value(self, start: Position) -> str:
        """Return the value of setup_property for a position that is set up, '' where the default holds."""
        raise NotImplementedError

    def set_up_from(self, board: Both, colour: int, value: str) -> Position:
        """Return the position of a board and the value of setup_property, '' for the default; raise ValueError."""
        raise NotImplementedError

    def sums(self, position: Position) -> tuple[int, int]:
        """Return Black's and White's points without komi, were the game to end here."""
        raise NotImplementedError

    def sums_text(self, position: Position) -> str:
        """Return both sums and the komi, as `Black 190, White 171 + 6.5 = 177.5`."""
        komi2, (black, white) = self.ruleset.komi2, self.sums(position)
        sign = "-" if komi2 < 0 else "+"
        return f"Black {black}, White {white} {sign} {abs(komi2) / 2:g} = {white + komi2 / 2:g}"

    def fault_text(self, position: Position) -> str:
        """Return how the game stood when a fault ended it."""
        raise NotImplementedError

    def score_text(self, position: Position) -> str:
        """Return the parts of the score in words, '' where stones alone count."""
        return ""

    def score_json(self, position: Position) -> dict[str, object]:
        """Return the parts of the score as plain values, {} where stones alone count."""
        return {}
