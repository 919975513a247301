"""Little-Go on boards of any size, and `game_of`, which returns the Game of a ruleset.

This module runs on Python 3.7.
"""

from __future__ import annotations

import re
from functools import lru_cache, singledispatch

from littlego.games.kinds import BoardSizeError, Both, DrawnExample, Game
from littlego.games.sizes import LITTLE_GO_SIZES, Sizes
from littlego.rules.geometry import count
from littlego.rules.position import Position, from_boards
from littlego.rules.ruleset import LITTLE_GO, SUPERKO, Ruleset, little_go
from littlego.rules.turn import least_moves_made


@lru_cache(maxsize=32)
def little_go_of(size: int) -> Ruleset:
    """Return the cached Little-Go ruleset for a board size.

    Raise BoardSizeError for an unsupported size.
    """
    if not LITTLE_GO_SIZES.allow(size):
        raise BoardSizeError(f"Little-Go on a board of size {size}: expected {LITTLE_GO_SIZES.text}")
    return LITTLE_GO if size == LITTLE_GO.size else little_go(size)


class LittleGoGame(Game):
    """The course's rules on a board of any size: only stones count, and the number of moves is limited."""

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
            f"Little-Go on {size}x{size}: at most {self.ruleset.length} moves, including passes; only stones\n"
            f"on the board and a komi of {self.komi} count. Simple ko; suicide is refused; dead stones stay.\n"
            "Two passes end the game, and so does a pass as the first move."
        )

    @property
    def terms(self) -> str:
        ruleset = self.ruleset
        passing = "a pass as the first move ends the game" if ruleset.opening_pass_ends else "a pass costs nothing"
        ko = "superko" if ruleset.ko == SUPERKO else "simple ko"
        return (
            f"only stones count, and White gets {self.komi}; the game ends after {ruleset.length} moves, passes "
            f"included, or with two passes; {passing}; {ko}"
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
            raise ValueError(
                f"{option} requires --ruleset match; {self.name} has a komi of half the board's size, and passes "
                "cost no stone"
            )
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
            raise ValueError(f"more stones are set up than {self.ruleset.length - 1} moves can place")
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
    """Little-Go on 5x5, the course's game, in which every position can be solved."""

    __slots__ = ()
    title = "Little-Go"
    options_text = ""
    unsolved = ""


@singledispatch
def game_of(ruleset: Ruleset) -> Game:
    """Return the Game of a ruleset. Modules of other games register Game classes for their own rulesets."""
    return _LITTLE_GO_BY_SIZE.get(ruleset.size, LittleGoGame)(ruleset)


_LITTLE_GO_BY_SIZE = {LITTLE_GO.size: CourseGame}
