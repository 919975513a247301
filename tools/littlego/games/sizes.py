"""The board sizes of each game. This module runs on Python 3.7.

No game allows larger boards than `rules.geometry` supports.
"""

from __future__ import annotations

from typing import NamedTuple

from littlego.rules.geometry import LARGEST, SMALLEST


class Sizes(NamedTuple):
    """The board sizes of a game: the smallest, the largest, and the usual size, which is the default."""

    smallest: int
    largest: int
    usual: int

    def allow(self, size: int) -> bool:
        """Return whether a size is in the range."""
        return self.smallest <= size <= self.largest

    @property
    def are_one(self) -> bool:
        """Whether the range contains only one size."""
        return self.smallest == self.largest

    @property
    def text(self) -> str:
        """The range in words, such as `5 to 19`."""
        return str(self.smallest) if self.are_one else f"{self.smallest} to {self.largest}"


LITTLE_GO_SIZES = Sizes(SMALLEST, LARGEST, 5)
MATCH_SIZES = Sizes(5, LARGEST, 19)
LARGE_SIZES = Sizes(7, MATCH_SIZES.largest, 9)  # match sizes with patterns; usual: the size in examples
SGF_SIZE = 19  # default size of an SGF game
# The smallest size with star points, and the smallest size with star points on the fourth line
STARS_FROM, CORNERS_FROM = 9, 12


def corner_line(size: int) -> int:
    """Return the zero-based line of the star point or handicap stone in a corner."""
    return 3 if size >= CORNERS_FROM else 2


def star_lines(size: int) -> list[int]:
    """Return the zero-based indices of the rows and columns whose crossings are star points in the studio.

    Return [] for an even size, and for a size below STARS_FROM.
    """
    low = corner_line(size)
    return [low, size // 2, size - 1 - low] if size >= STARS_FROM and size % 2 else []


def offered_sizes() -> list[int]:
    """Return the board sizes that the studio offers for a new match."""
    return sorted({9, 13, MATCH_SIZES.usual, MATCH_SIZES.largest})
