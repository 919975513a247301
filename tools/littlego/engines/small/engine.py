"""The engine for the course's game on boards up to 7x7.

It consists of `rules/` and of a compiled form of `rules/`, used for many positions at once. This module runs on Python
3.7, except `decide_many`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from littlego.engines.reasons.judge import EngineJudge
from littlego.engines.timed import decide_timed, sized
from littlego.engines.view import View
from littlego.rules.engine import Firing, canonical, decide, located
from littlego.rules.geometry import image_of, inverse, symmetry_tables
from littlego.rules.matching import point_bits
from littlego.rules.patternfile import book_of, load_bytes
from littlego.rules.position import PASS
from littlego.rules.programs import Reading, game_conditions_hold, points_of_placement
from littlego.rules.ruleset import LITTLE_GO, SIMPLE_KO
from littlego.rules.uncounted import decide_uncounted

if TYPE_CHECKING:
    from littlego.engines.engine import Placement
    from littlego.engines.large.deadline import Deadline
    from littlego.engines.reasons.judge import Judge
    from littlego.rules.engine import Decision
    from littlego.rules.geometry import Mask, Point, Table
    from littlego.rules.overrides import Overrides
    from littlego.rules.patternfile import Book, Pattern
    from littlego.rules.position import Position
    from littlego.rules.ruleset import Ruleset
    from littlego.rules.uncounted import Uncounted

LARGEST = 7  # largest board size whose masks fit in a signed 64-bit int


class SmallEngine:
    """The engine of `rules/`; littlego.engines.engine.Engine documents its methods."""

    modules = ("rules.engine", "rules.patternfile", "rules.overrides")

    def signature(self) -> str:
        from littlego.meaning import meaning_of  # imported here because games do not use it

        return meaning_of(*self.modules)

    def decides(self, ruleset: Ruleset) -> bool:
        return ruleset.ko == SIMPLE_KO and ruleset.size <= LARGEST

    def reads(self, book: Book) -> bool:
        return book.ruleset_name.startswith(LITTLE_GO.name)

    def book(self, patterns: Sequence[Pattern], ruleset: Ruleset) -> Book:
        return book_of(ruleset.name, ruleset.size, list(patterns))

    def load(self, data: bytes, name: str) -> Book:
        return load_bytes(data, name, LITTLE_GO)

    def prepare(self, book: Book, size: int) -> None:
        sized(book, size)

    def decide(
        self,
        position: Position,
        book: Book,
        complete: bool = False,
        overrides: Overrides | None = None,
        deadline: Deadline | None = None,
    ) -> Decision:
        if deadline is not None and not complete:
            return decide_timed(deadline, position, book)
        return decide(position, sized(book, position.ruleset.size), complete, overrides)

    def decide_uncounted(
        self, positions: list[Position], book: Book, complete: bool = False, overrides: Overrides | None = None
    ) -> Uncounted:
        return decide_uncounted(positions, sized(book, positions[0].ruleset.size), complete, overrides)

    def decide_many(self, positions: Sequence[Position], book: Book) -> list[Point]:
        if any(position.ruleset is not LITTLE_GO for position in positions):
            return [self.decide(position, book).move for position in positions]
        from littlego.engines.compiled.engine import codes_of, compile_book, decide_many  # numba takes a second to load
        from littlego.rules.positionkey import unpack_move

        moves, _ = decide_many(codes_of(positions), compile_book(book))
        return [unpack_move(int(move)) for move in moves]

    def firings(self, position: Position, book: Book, locate: bool = False) -> dict[Point, list[Firing]]:
        placed, view = sized(book, position.ruleset.size), self.view(position)
        undo = inverse(view.turn)
        fired: dict[Point, list[Firing]] = {}
        for index, image, points, cells in hits(placed, view.reading, image_of(position.legal(), view.turn)):
            pattern, firings = placed.patterns[index], fired.setdefault(image if image == PASS else undo[image], [])
            if not firings or firings[-1].pattern is not pattern:
                firings.append(Firing(pattern, points, cells))
            elif points > firings[-1].points:
                firings[-1] = Firing(pattern, points, cells)
        if locate:
            _locate(fired, undo, placed)
        return fired

    def view(self, position: Position) -> View:
        return _view(position)

    def placements(self, position: Position, book: Book, move: Point) -> list[Placement]:
        placed, view = sized(book, position.ruleset.size), self.view(position)
        shift, nowhere, point = view.reading.move_shift, view.reading.nowhere, view.point(move)
        return [
            (placed.cares[k], placed.values[k], cells)
            for k, cells in enumerate(placed.cells)
            if cells >> shift & nowhere == point
        ]

    def form(self, pattern: Pattern) -> tuple[object, ...]:
        book = _book_of_one(pattern)
        programs = " ".join([pattern.points, *pattern.when]).split()
        letters = [letter for row in pattern.label_rows for letter in row if letter != "."]
        used = [number for number, letter in enumerate(letters, 1) if {"@" + letter, "~" + letter} & set(programs)]
        ones, placed = (1 << book.bits) - 1, set()
        for k, cells in enumerate(book.cells):
            points = cells >> 3 + book.bits
            labelled = sorted((letters[number - 1], points >> book.bits * number & ones) for number in used)
            placed.add((book.cares[k], book.values[k], points & ones, tuple(labelled)))
        return frozenset(placed), pattern.points, pattern.table, tuple(pattern.when)

    def judge(self, decision: Decision) -> Judge:
        return EngineJudge(decision.position)

    def why_resign(self, decision: Decision) -> str:
        return ""  # players never resign the course's game


ENGINE = SmallEngine()


def hits(book: Book, reading: Reading, legal: Mask) -> Iterator[tuple[int, int, int, int]]:
    """Yield (pattern index, move, points, cells) for each placement that fires; a move may be PASS.

    cells: see rules.engine.Firing. reading: the `reading` of a position's View. legal: the points of the view where the
    mover may play, as a mask.
    """
    word = reading.state.own | reading.state.theirs << book.size * book.size
    starts = book.starts
    for index in range(len(book.patterns)):
        conditions = None
        for k in range(starts[index], starts[index + 1]):
            if word & book.cares[k] != book.values[k]:
                continue
            if conditions is None:
                conditions = book.conditions(index)
                if not game_conditions_hold(conditions, reading):
                    break
            cells = book.cells[k]
            move = cells >> reading.move_shift & reading.nowhere
            if move != reading.nowhere and not legal >> move & 1:
                continue
            points = points_of_placement(conditions, reading, cells)
            if points is not None:
                yield index, PASS if move == reading.nowhere else move, points, cells


def _locate(found: dict[Point, list[Firing]], undo: Table, book: Book) -> None:
    tables = symmetry_tables(book.size)
    for firings in found.values():
        for firing in firings:
            firing.symmetry, firing.place = located(firing, undo, tables, book)


@lru_cache(maxsize=256)
def _view(position: Position) -> View:
    table, state = canonical(position)
    return View(Reading(state, point_bits(position.ruleset.size)), table)


@lru_cache(maxsize=4)
def _book_of_one(pattern: Pattern) -> Book:
    return book_of(LITTLE_GO.name, LITTLE_GO.size, [pattern])
