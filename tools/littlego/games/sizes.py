"""The table of board sizes: every module, and the studio's page, reads sizes from here. Runs on Python 3.7.

`rules.geometry` holds the largest board that a mask is made for, and the games here are played up to it: a larger
limit there is a larger board in every game.
"""

from __future__ import annotations

from typing import NamedTuple

from littlego.rules.geometry import LARGEST, SMALLEST


class Sizes(NamedTuple):
    """The board sizes of a game, in points to a side, and the usual size: that of a game that names none."""

    smallest: int
    largest: int
    usual: int

    def allow(self, size: int) -> bool:
        """Return whether a size is in the range."""
        return self.smallest <= size <= self.largest

    @property
    def are_one(self) -> bool:
        """Whether the range has one size alone."""
        return self.smallest == self.largest

    @property
    def text(self) -> str:
        """The range in words, as `5 to 19`."""
        return str(self.smallest) if self.are_one else f"{self.smallest} to {self.largest}"


LITTLE_GO_SIZES = Sizes(SMALLEST, LARGEST, 5)
MATCH_SIZES = Sizes(5, LARGEST, 19)
LARGE_SIZES = Sizes(7, MATCH_SIZES.largest, 9)  # of matches that patterns are written for; usual: in an example
SGF_SIZE = 19  # of an SGF game that names none
STARS_FROM, CORNERS_FROM = 9, 12  # sizes from which a board has star points, and has them on the fourth lines


def corner_line(size: int) -> int:
    """Return the index of the row on which the star points and handicap stones of a corner stand."""
    return 3 if size >= CORNERS_FROM else 2


def star_lines(size: int) -> list[int]:
    """Return the indices of the rows, and columns, whose crossings are star points."""
    low = corner_line(size)
    return [low, size // 2, size - 1 - low] if size >= STARS_FROM and size % 2 else []


def offered_sizes() -> list[int]:
    """Return the sizes that the studio offers for an empty board of a match."""
    return sorted({9, 13, MATCH_SIZES.usual, MATCH_SIZES.largest})
