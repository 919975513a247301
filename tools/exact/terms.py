"""A fact asked about points of the board: what bounds, views and programs speak of."""

from __future__ import annotations

from typing import NamedTuple

Range = tuple[int, int]
FAR = 1 << 40  # beyond any answer of a fact
LONGEST_CAUGHT = 2  # an own chain with more liberties than this is caught by no ladder when theirs moves next


class Term(NamedTuple):
    """A fact asked about points of the board. arguments: (is it a chain?, mask of points) each; move: mask or 0."""

    name: str
    move: int
    arguments: tuple[tuple[bool, int], ...]


class Chains(NamedTuple):
    """The chains that a label names: stones that are surely theirs, points that may be, and whose they are."""

    low: int
    up: int
    is_own: bool
    is_one: bool
