"""A pattern laid on the board: what its cells ask of the points, and its conditions about these points."""

from __future__ import annotations

from dataclasses import dataclass

from rules.geometry import image_of, symmetry_tables
from rules.matching import parse_shape, placements, point_bits
from rules.position import PASS
from tools.knowledge.model import KnownPattern
from tools.lint.exact.partial import Partial
from tools.lint.exact.programs import Program, bind


@dataclass(frozen=True)
class Placed:
    """One placement. own, theirs, empty: what must stand where; not_own, not_theirs: what must not, elsewhere.

    move: a point or PASS; cells: the placement as rules.matching packs it.
    """

    own: int
    theirs: int
    empty: int
    not_own: int
    not_theirs: int
    move: int
    cells: int
    when: tuple[Program, ...]
    points: Program
    letters: str
    bits: int
    size: int

    def bind(self, text: str) -> Program:
        """Return another postfix program about the labels of this placement."""
        return bind(text, self.letters, self.bits, self.size, self.cells)

    def on(self, board: Partial) -> Partial:
        """Return the board with the cells as they must be."""
        return board.limited(
            own=~(self.theirs | self.empty | self.not_own),
            theirs=~(self.own | self.empty | self.not_theirs),
            empty=~(self.own | self.theirs),
        )

    def matches(self, board: Partial) -> int | None:
        """Return 1 or 0 if the cells match on every completion of the board or on none, else None."""
        if (
            self.own & ~board.own
            or self.theirs & ~board.theirs
            or self.empty & ~board.empty
            or self.not_own & board.known_own
            or self.not_theirs & board.known_theirs
        ):
            return 0
        return None if self.undecided(board) else 1

    def undecided(self, board: Partial) -> int:
        """Return the points whose cells may match or not, as a mask."""
        return (
            self.own & ~board.known_own
            | self.theirs & ~board.known_theirs
            | self.empty & ~board.known_empty
            | self.not_own & board.own
            | self.not_theirs & board.theirs
        )

    def without(self, board: Partial, point: int) -> Partial:
        """Return the board with the one cell at the point other than it must be for a match."""
        return board.limited(
            own=~(point & (self.own | self.not_theirs)),
            theirs=~(point & (self.theirs | self.not_own)),
            empty=~(point & (self.empty | self.not_own | self.not_theirs)),
        )


def placed_everywhere(pattern: KnownPattern, size: int) -> list[Placed]:
    """Return every placement of a pattern."""
    letters = "".join(pattern.label_rows)
    letters = "".join(letter for letter in letters if letter.isalpha())
    bits = point_bits(size)
    return [
        _placed(pattern, care, value, cells, letters, bits, size)
        for care, value, cells in placements(parse_shape(pattern.rows, pattern.label_rows), size)
    ]


def _placed(
    pattern: KnownPattern, care: int, value: int, cells: int, letters: str, bits: int, size: int
) -> Placed:
    area, nowhere = size * size, (1 << bits) - 1
    full = (1 << area) - 1
    care_own, care_theirs, own, theirs = care & full, care >> area, value & full, value >> area
    move = cells >> 3 + bits & nowhere
    return Placed(
        own=own,
        theirs=theirs,
        empty=care_own & care_theirs & ~own & ~theirs,
        not_own=care_own & ~care_theirs & ~own,
        not_theirs=care_theirs & ~care_own & ~theirs,
        move=PASS if move >= area else move,
        cells=cells,
        when=tuple(bind(text, letters, bits, size, cells) for text in pattern.when),
        points=bind(pattern.points, letters, bits, size, cells),
        letters=letters,
        bits=bits,
        size=size,
    )


def up_to_symmetry(placed: list[Placed], size: int) -> list[Placed]:
    """Return one of those placements that turn into one another when the board is turned or mirrored.

    The rules, the facts and the set of all placements are the same on the turned board, so that what one of them
    can do on some position, the others can on the turned one.
    """
    tables, seen, kept = symmetry_tables(size), set(), []
    for one in placed:
        images = {_image(one, table) for table in tables}
        if not images & seen:
            kept.append(one)
        seen |= images
    return kept


def _image(one: Placed, table: tuple) -> tuple:
    """Return a placement's cells, move and labels, in the drawing's order, on the turned board."""
    nowhere, area = (1 << one.bits) - 1, one.size * one.size
    named = [one.cells >> 3 + one.bits * slot & nowhere for slot in range(1, 2 + len(one.letters))]
    points = tuple(table[point] if point < area else point for point in named)
    masks = one.own, one.theirs, one.empty, one.not_own, one.not_theirs
    return points + tuple(image_of(mask, table) for mask in masks)
