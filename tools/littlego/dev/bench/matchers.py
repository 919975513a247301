"""Comparison of two ways to match patterns: with bit planes, and with tables of placements."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from littlego.engines.large.book import LargeBook, load_large
from littlego.games.match import match_rules
from littlego.parallel import with_progress
from littlego.paths import PATTERNS_TXT
from littlego.rules.geometry import points_of
from littlego.rules.patternfile import Book, book_of
from littlego.rules.position import PASS, Position

if TYPE_CHECKING:
    from littlego.engines.large.planes import Found

SIZES = (5, 9, 19)


class Matching(NamedTuple):
    """Median CPU times in ms of both methods for finding all matching placements on boards of one size."""

    size: int
    positions: int
    tables: float
    planes: float

    @property
    def ratio(self) -> float:
        """The time with tables divided by the time with planes."""
        return self.tables / self.planes


def random_positions(size: int, number: int) -> list[Position]:
    """Return `number` evenly spaced positions of a pseudo-random match of size * size // 2 moves.

    The match is the same in every run.
    """
    rng = random.Random("matchers")
    positions: list[Position] = [match_rules(size).opening()]
    while len(positions) <= size * size // 2:
        points = points_of(positions[-1].legal())
        positions.append(positions[-1].play(rng.choice(points) if points else PASS))
    return [positions[index * (len(positions) - 1) // number] for index in range(1, number + 1)]


def by_tables(book: Book, position: Position) -> list[int]:
    """Return the `cells` of the placements that match; every placement is tested."""
    word = position.own | position.theirs << book.size * book.size
    hits = zip(book.cells, book.cares, book.values, strict=True)
    return [cells for cells, care, value in hits if word & care == value]


def by_planes(book: LargeBook, position: Position) -> Found:
    """Return the matching templates, each with a mask of the anchors at which the template matches."""
    return book.planes.found(position.own, position.theirs, position.grid[1])


def measure_matchers(rounds: int, sizes: tuple[int, ...] = SIZES) -> list[Matching]:
    """Return the median times of both methods for each board size, measured on `rounds` positions each.

    Both methods match the patterns of Little-Go.
    """
    patterns = load_large(PATTERNS_TXT.read_bytes(), PATTERNS_TXT.name)
    measured = []
    for size in sizes:
        positions = random_positions(size, rounds)
        small, large = book_of("match", size, patterns.patterns), patterns.for_size(size)
        by_planes(large, positions[0])  # builds the templates, whose cost is not measured
        times: list[tuple[float, float]] = []
        for position in with_progress(positions, len(positions), "position"):
            tables = _seconds(lambda: by_tables(small, position))  # noqa: B023 called at once
            times.append((tables, _seconds(lambda: by_planes(large, position))))  # noqa: B023
        tables, planes = (1000 * statistics.median(column) for column in zip(*times, strict=True))
        measured.append(Matching(size, len(positions), tables, planes))
    return measured


def _seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def matchers_lines(measured: list[Matching]) -> list[str]:
    """Return one line per board size, with both methods' times and the ratio of these times."""
    return [
        f"Matching on {one.size}x{one.size}, medians of {one.positions} positions: planes {one.ratio:.1f}x as fast as "
        f"tables ({one.planes:.2f} against {one.tables:.2f} ms)"
        for one in measured
    ]


def matchers_json(measured: list[Matching]) -> list[dict[str, Any]]:
    """Return the measurements as JSON values; times are in ms."""
    return [{**one._asdict(), "ratio": one.ratio} for one in measured]
