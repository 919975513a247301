"""The options of a position (the moves that points rank), and their text form for the cache.

An option is a move that no pattern forbids, and for which a pattern with at least the usual priority fires. The engine
plays another move only if there is no option or the safety check vetoes all options. Points that are a plain number are
stored as 0, so that cached options stay valid when an author changes the number.
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

KIND, POINTS, SUMMARY = 1, 7, 10  # fields of a line of patterns.txt
PASS_PLACE = 1 << 20  # sorts after all points, as in rules.engine.rank


class Option(NamedTuple):
    """An option: a move (a point or PASS), its priority, and its firings.

    firings: pairs (index of the pattern, points), of which the first decides the priority. The points are 0 if the
    pattern has constant points; see without_numbers.
    """

    move: int
    priority: int
    firings: tuple[tuple[int, int], ...]


Options = list[Option]  # the options of one position, in the order in which the engine ranks moves with equal points


def without_numbers(line: str) -> str:
    """Return a line of patterns.txt without values that do not affect options.

    The class and the summary are replaced with empty texts, and constant points are replaced with 0.
    """
    fields = line.split("\t")
    fields[KIND] = fields[SUMMARY] = ""
    if is_number(fields[POINTS]):
        fields[POINTS] = "0"
    return "\t".join(fields)


def options_in(lines: tuple[str, ...], sample: Sample) -> str:
    """Return the options of a sample's positions as packed text. lines: the patterns, as texts from without_numbers."""
    book = book_of(lines, sample.game.ruleset.size)
    positions = sample.game.positions()
    return pack_options([options_of(positions[ply], book) for ply in sample.plies])


@lru_cache(maxsize=4)
def book_of(lines: tuple[str, ...], size: int) -> LargeBook:
    """Return a LargeBook of the patterns for a board size. lines: the patterns, as texts from without_numbers."""
    return LargeBook(NAME, size, [Pattern(line) for line in lines])


def options_of(position: Position, book: LargeBook) -> Options:
    """Return the options of a position, highest priority first."""
    search = LargeSearch(make_state(position), position.legal(), book)
    numbers = {id(pattern): index for index, pattern in enumerate(book.patterns)}
    candidates = map(search.candidate, [*points_of(search.legal), PASS])
    wanted = [one for one in candidates if one.priority >= USUAL and not one.barred]
    return [
        Option(one.move, one.priority, tuple((numbers[id(firing.pattern)], firing.points) for firing in one.firings))
        for one in sorted(wanted, key=_order)
    ]


def _order(candidate: Candidate) -> tuple[int, int, int]:
    """Return a key that sorts options as rules.engine.rank sorts moves with equal points."""
    place = PASS_PLACE if candidate.move == PASS else candidate.move
    return -candidate.priority, -candidate.specificity, place


def pack_options(positions: Sequence[Options]) -> str:
    """Return the options of several positions as one ASCII text."""
    data = json.dumps(positions, separators=(",", ":")).encode()
    return base64.b85encode(zlib.compress(data)).decode()


def unpack_options(text: str) -> list[Options]:
    """Return the options of each position in `text`, a result of pack_options."""
    positions: list[Any] = json.loads(zlib.decompress(base64.b85decode(text)))
    return [
        [
            Option(move, priority, tuple((index, points) for index, points in firings))
            for move, priority, firings in position
        ]
        for position in positions
    ]
