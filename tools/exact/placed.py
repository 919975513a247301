"""A pattern laid on the board: what its cells ask of the points, and its conditions about these points."""

from __future__ import annotations

from dataclasses import dataclass

from rules.geometry import image_of, symmetry_tables
from rules.matching import parse_shape, placements, point_bits
from rules.position import PASS
from tools.exact.partial import Partial
from tools.exact.programs import Program, bind
from tools.knowledge.model import KnownPattern


@dataclass(frozen=True)
class Placed:
    """One placement. own, theirs, empty: what must stand where; not_own, not_theirs: what must not, elsewhere.

    move: a point or PASS; labelled: the points of the labels in the drawing's reading order.
    """

    own: int
    theirs: int
    empty: int
    not_own: int
    not_theirs: int
    move: int
    labelled: tuple[int, ...]
    when: tuple[Program, ...]

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
    letters = "".join(letter for row in pattern.label_rows for letter in row if letter.isalpha())
    shape = parse_shape(pattern.rows, pattern.label_rows)
    return [_placed(pattern, care, value, cells, letters, size) for care, value, cells in placements(shape, size)]


def _placed(pattern: KnownPattern, care: int, value: int, cells: int, letters: str, size: int) -> Placed:
    """Return what a placement as rules.matching packs it says."""
    area, bits = size * size, point_bits(size)
    full, nowhere = (1 << area) - 1, (1 << bits) - 1
    care_own, care_theirs, own, theirs = care & full, care >> area, value & full, value >> area
    move, *labelled = (cells >> 3 + bits * slot & nowhere for slot in range(1, len(letters) + 2))
    return Placed(
        own=own,
        theirs=theirs,
        empty=care_own & care_theirs & ~own & ~theirs,
        not_own=care_own & ~care_theirs & ~own,
        not_theirs=care_theirs & ~care_own & ~theirs,
        move=PASS if move == nowhere else move,
        labelled=tuple(labelled),
        when=tuple(bind(text, letters, bits, size, cells) for text in pattern.when),
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
    """Return a placement's move, labels and cells on the turned board."""
    move = one.move if one.move == PASS else table[one.move]
    masks = one.own, one.theirs, one.empty, one.not_own, one.not_theirs
    return move, *(table[point] for point in one.labelled), *(image_of(mask, table) for mask in masks)
