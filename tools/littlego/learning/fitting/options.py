"""What the patterns say of the moves of a position: the options among which points decide, as plain values to keep.

An option is a move that a pattern at the usual priority or above proposes and none forbids; the engine plays no other
as long as there is one that the safety check lets pass. The points of patterns whose points are a number may change
without a new look at the positions: they are left out here.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from littlego.engines.large.book import LargeBook
from littlego.engines.large.search import LargeSearch
from littlego.engines.large.state import make_state
from littlego.games.match import NAME
from littlego.knowledge.model import USUAL
from littlego.knowledge.programs import is_number
from littlego.learning.fitting.samples import Sample
from littlego.rules.engine import Candidate
from littlego.rules.geometry import points_of
from littlego.rules.patternfile import Pattern
from littlego.rules.position import PASS, Position

KIND, POINTS, SUMMARY = 1, 7, 9  # fields of a line of patterns.txt
PASS_PLACE = 1 << 20  # after all points, as rules.engine.rank has it


class Option(NamedTuple):
    """A move, a point or PASS; its priority; its firings as (pattern's index, points), the leading one first.

    The points of a pattern whose points are a number are 0: see without_numbers.
    """

    move: int
    priority: int
    firings: tuple[tuple[int, int], ...]


Options = list[Option]  # of one position, in the order in which the engine takes them where points are equal


def without_numbers(line: str) -> str:
    """Return a pattern's line of patterns.txt without what no option depends on: points that are a number, words."""
    fields = line.split("\t")
    fields[KIND] = fields[SUMMARY] = ""
    if is_number(fields[POINTS]):
        fields[POINTS] = "0"
    return "\t".join(fields)


def options_in(lines: tuple[str, ...], sample: Sample) -> str:
    """Return the options of the positions of a sample, packed as text. lines: patterns, by without_numbers."""
    book = book_of(lines, sample.game.ruleset.size)
    positions = sample.game.positions()
    return pack_options([options_of(positions[ply], book) for ply in sample.plies])


@lru_cache(maxsize=4)
def book_of(lines: tuple[str, ...], size: int) -> LargeBook:
    """Return the book of patterns for a board size."""
    return LargeBook(NAME, size, [Pattern(line) for line in lines])


def options_of(position: Position, book: LargeBook) -> Options:
    """Return the options of a position, those with a higher priority first."""
    search = LargeSearch(make_state(position), position.legal(), book)
    numbers = {id(pattern): index for index, pattern in enumerate(book.patterns)}
    candidates = map(search.candidate, [*points_of(search.legal), PASS])
    wanted = [one for one in candidates if one.priority >= USUAL and not one.barred]
    return [
        Option(one.move, one.priority, tuple((numbers[id(firing.pattern)], firing.points) for firing in one.firings))
        for one in sorted(wanted, key=_order)
    ]


def _order(candidate: Candidate) -> tuple[int, int, int]:
    """Return a key that sorts options as rules.engine.rank does where points are equal."""
    place = PASS_PLACE if candidate.move == PASS else candidate.move
    return -candidate.priority, -candidate.specificity, place


def pack_options(positions: Sequence[Options]) -> str:
    """Return the options of several positions as one text of ASCII."""
    data = json.dumps(positions, separators=(",", ":")).encode()
    return base64.b85encode(zlib.compress(data)).decode()


def unpack_options(text: str) -> list[Options]:
    """Return what pack_options has packed."""
    positions: list[Any] = json.loads(zlib.decompress(base64.b85decode(text)))
    return [
        [Option(move, priority, tuple((index, points) for index, points in firings)) for move, priority, firings in one]
        for one in positions
    ]
