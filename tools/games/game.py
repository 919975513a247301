"""Little-Go, and what any game of Go here can be asked: how it begins, who leads, who wins. Runs on Python 3.7.

The course's game is that of rules/: stones alone count. A game with other rules brings positions of its own, which
answer for themselves.
"""

from __future__ import annotations

import re
from functools import lru_cache, singledispatch

from rules import position as stones
from rules.geometry import Grid, Mask, Point, count
from rules.position import BLACK, PASS, RESIGN, WHITE, Position, from_boards
from rules.ruleset import LITTLE_GO, SUPERKO, Ruleset, little_go
from rules.turn import least_moves_made
from tools.arguments import ArgumentError
from tools.games.kinds import Both, DrawnExample, Game, GamePosition, GameRuleset
from tools.games.sizes import LITTLE_GO_SIZES, Sizes

_LITTLE_GO = re.compile(r"little-go(?:-(\d\d?))?", re.ASCII)


class UnknownRulesetError(ValueError):
    """Raised for a name that no ruleset has."""


class BoardSizeError(UnknownRulesetError):
    """Raised for a game on a board of a size that it is not played on."""


def opening(ruleset: Ruleset) -> Position:
    """Return the position before the first move."""
    return ruleset.opening() if isinstance(ruleset, GameRuleset) else stones.opening(ruleset)


def margin2(position: Position) -> int:
    """Return Black's lead after komi in half points: above 0 Black is ahead, below 0 White, 0 is a tie."""
    return position.margin2() if isinstance(position, GamePosition) else stones.margin2(position)


def winner_of(position: Position) -> int:
    """Return who wins if the game ends here: BLACK, WHITE, or 0 for a tie."""
    margin = margin2(position)
    return BLACK if margin > 0 else WHITE if margin < 0 else 0


def last_move_of(position: Position) -> int | None:
    """Return the opponent's last move, a point or PASS; None where it is not known, as in the course's game."""
    last: int | None = getattr(position, "last", None)
    return last


def is_open(position: Position, point: Point) -> bool:
    """Return whether the mover may play at a point of the board."""
    if isinstance(position, GamePosition):
        return position.allows(point)
    return position.legal() >> point & 1 != 0


def why_illegal(position: Position, move: int) -> str:
    """Return why the mover may not play at a point, or '' if it may; PASS and RESIGN are always legal."""
    size = position.ruleset.size
    if move in (PASS, RESIGN):
        return ""
    if not 0 <= move < size * size:
        return "off the board"
    if is_open(position, move):
        return ""
    bit = 1 << move
    if (position.own | position.theirs) & bit:
        return "there is a stone already"
    if position.ko & bit:
        return "it retakes a ko at once"
    if stones.is_legal(bit, position.own, position.theirs, 0, position.grid):
        return "it repeats an earlier board"
    return "it is suicide"


def ruleset_named(name: str) -> Ruleset:
    """Return the rules that a name means, the same object each time; raise UnknownRulesetError.

    `little-go` and `match` are the two games on their own boards, 5x5 and 19x19; `little-go-9` and `match-9` are
    those on 9x9. The name of a match may go on: see match.match_named.
    """
    size = _LITTLE_GO.fullmatch(name)
    if size is None:
        from tools.games.match import match_named  # what the course's game does without

        return match_named(name)
    return little_go_of(int(size[1])) if size[1] else LITTLE_GO


@lru_cache(maxsize=32)
def little_go_of(size: int) -> Ruleset:
    """Return the course's rules for a board of that size, the same object each time; raise BoardSizeError."""
    if not LITTLE_GO_SIZES.allow(size):
        raise BoardSizeError(f"Little-Go on a board of {size}: expected {LITTLE_GO_SIZES.text}")
    return LITTLE_GO if size == LITTLE_GO.size else little_go(size)


def game_named(name: str) -> Game:
    """Return the game by the ruleset of a name; raise UnknownRulesetError."""
    return game_of(ruleset_named(name))


def name_for_board(size: int) -> str:
    """Return the name of the game that a record of a board's size is of, where it does not name a game."""
    return "little-go" if size <= LITTLE_GO.size else "match"


def all_have_liberties(black: Mask, white: Mask, grid: Grid) -> bool:
    """Return whether every chain on a board has a liberty, as in every position of Go."""
    return all(
        stones.liberties(chain, black | white, grid) for side in (black, white) for chain in stones.chains(side, grid)
    )


class LittleGoGame(Game):
    """The course's rules on a board of any size: stones alone count, and the number of moves is limited."""

    __slots__ = ()
    name = LITTLE_GO.name
    sizes = LITTLE_GO_SIZES
    pattern_sizes = Sizes(LITTLE_GO.size, LITTLE_GO.size, LITTLE_GO.size)
    cpu_limit = 10.0  # from the handout
    heading_end = ": "
    setup_property = "LGML"  # moves left
    katago = {"ko": "SIMPLE", "tax": "ALL"}
    katago_names = ("stone-scoring",)

    @property
    def title(self) -> str:
        size = self.ruleset.size
        return f"Little-Go on {size}x{size}"

    @property
    def rules_text(self) -> str:
        size = self.ruleset.size
        return (
            f"Little-Go on {size}x{size}: {self.ruleset.length} moves at most, passes included; only stones\n"
            f"on the board count, and a komi of {self.komi}. Simple ko; suicide is refused; nothing is dead.\n"
            "Two passes end the game, and so does a pass as its first move."
        )

    @property
    def terms(self) -> str:
        ruleset = self.ruleset
        passing = "a pass as the first move ends it" if ruleset.opening_pass_ends else "a pass costs nothing"
        ko = "superko" if ruleset.ko == SUPERKO else "simple ko"
        return (
            f"stones alone count, and White gets {self.komi}; it ends after {ruleset.length} moves, passes included, "
            f"or with two passes; {passing}; {ko}"
        )

    @property
    def options_text(self) -> str:
        return f"--size {self.ruleset.size}"

    def resized(self, size: int) -> Ruleset:
        return little_go_of(size)

    def with_komi(self, komi: float) -> Ruleset:
        return self.ruleset

    def with_options(self, size: int | None, komi: float | None, pass_stones: bool) -> Ruleset:
        if komi is not None or not pass_stones:
            option = "--komi" if komi is not None else "--no-pass-stones"
            raise ArgumentError(f"{option} belongs to --ruleset match; {self.name} has a komi of half the board's size")
        return little_go_of(size or self.sizes.usual)

    def of_record(self, size: int, komi: str, pass_stones: bool) -> Ruleset:
        return little_go_of(size)

    def set_up(self, board: Both, colour: int, now: Position) -> Position:
        left = self.ruleset.length - least_moves_made(*board, colour)
        return from_boards(self.ruleset, None, board, colour, max(left, 0))

    def example_position(self, example: DrawnExample) -> Position:
        return from_boards(self.ruleset, example.before, example.board, example.colour, example.left)

    def setup_value(self, start: Position) -> str:
        return str(start.left)

    def set_up_from(self, board: Both, colour: int, value: str) -> Position:
        most = self.ruleset.length - least_moves_made(*board, colour)
        if most < 1:
            raise ValueError(f"more stones set up than {self.ruleset.length - 1} moves can set")
        left = int(value) if re.fullmatch(r"\d{1,4}", value) else most if not value else 0
        if not 1 <= left <= most or (most - left) % 2:
            kind = "odd" if most % 2 else "even"
            wanted = f"an {kind} number from 1 to {most}"
            raise ValueError(f"{self.setup_property}[{value[:20]}] moves left; expected {wanted}")
        return from_boards(self.ruleset, None, board, colour, left)

    def sums(self, position: Position) -> Both:
        return count(position.black), count(position.white)

    def fault_text(self, position: Position) -> str:
        black, white = self.sums(position)
        return f"stones: Black {black}, White {white}"


class CourseGame(LittleGoGame):
    """Little-Go on 5x5, as the course plays it: all its positions can be solved."""

    __slots__ = ()
    title = "Little-Go"
    options_text = ""
    unsolved = ""


@singledispatch
def game_of(ruleset: Ruleset) -> Game:
    """Return the game by a ruleset; a class of rulesets of its own registers its game."""
    return _LITTLE_GO_BY_SIZE.get(ruleset.size, LittleGoGame)(ruleset)


_LITTLE_GO_BY_SIZE = {LITTLE_GO.size: CourseGame}
