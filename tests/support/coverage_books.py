"""A small book for coverage tests, in which every pattern has one effect in the first moves of a game."""

from __future__ import annotations

from littlego.rules.engine import decide
from littlego.rules.patternfile import Pattern, book_of
from littlego.rules.position import Position, opening
from littlego.rules.ruleset import LITTLE_GO


def line(name, kind, priority, rows, points="0", when="", flags="-") -> Pattern:
    """Return a pattern; `/` separates the rows, and `points` and `when` are postfix programs."""
    return Pattern("\t".join([name, kind, str(priority), "1", flags, rows, "", points, "", when, "About " + name]))


CENTRE = "+-----+/|.....|/|.....|/|..*..|/|.....|/|.....|/+-----+"
SMALL_BOOK = book_of(
    "little-go",
    5,
    [
        line("centre", "opening", 500, CENTRE),
        line("centre-again", "opening", 400, CENTRE),
        line("beside", "attack", 300, "O*"),
        line("anywhere", "shape", 100, "*", points="@* line"),
        line("not-beside", "avoid", -10, "O*", when="moves_left 22 ==", flags="f"),
        line("never", "ko", 900, "OXO/X*X/OXO"),
    ],
)


def first_moves(count=4) -> list[Position]:
    """Return the first positions of the small book's game against itself."""
    position, found = opening(LITTLE_GO), []
    for _ in range(count):
        found.append(position)
        position = position.play(decide(position, SMALL_BOOK).move)
    return found
