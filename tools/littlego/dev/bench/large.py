"""CPU time of a decision on 19x19 with the patterns for large boards.

The positions come from engines' games.
"""

from __future__ import annotations

import time
from typing import Any, NamedTuple

from littlego.engines.large.book import LargeBook, load_large
from littlego.engines.large.search import decide_large
from littlego.files import short_name
from littlego.parallel import with_progress
from littlego.paths import ENGINE_GAMES, MATCH_TXT, PATTERNS_TXT
from littlego.records.packed_games import read_packed
from littlego.records.recorded_games import GamesError
from littlego.rules.position import Position

SIZE = 19
PER_CENT = (50, 99, 100)
LIMITS = (0.1, 0.4, 1.0)  # limits in seconds, one for each percentage


class Decisions(NamedTuple):
    """CPU seconds per decision over many positions: the median, the 99th percentile and the maximum.

    `patterns` is the number of the player's patterns.
    """

    positions: int
    patterns: int
    seconds: tuple[float, ...]


def real_positions(number: int, size: int = SIZE) -> list[Position]:
    """Return at most `number` evenly spaced positions from the recorded engine games of one size.

    size: the size of the boards. Raise GamesError if no game was recorded on this size.
    """
    games = [game for game in read_packed() if game.size == size]
    places = [(game, ply) for game, one in enumerate(games) for ply in range(len(one.moves))]
    if not places:
        raise GamesError(
            f"{short_name(ENGINE_GAMES)} has no game on {size}x{size}; run `littlego dev selfplay` to record games"
        )
    picked = [places[index * len(places) // number] for index in range(number)] if number < len(places) else places
    played: dict[int, list[Position]] = {}
    return [played.setdefault(game, games[game].positions())[ply] for game, ply in picked]


def measure_decisions(positions: list[Position], book: LargeBook) -> Decisions:
    """Measure one decision in each position; return statistics of the CPU times. positions: at least one."""
    decide_large(positions[0], book)  # builds the templates, whose cost is not measured
    seconds = []
    for position in with_progress(positions, len(positions), "position"):
        started = time.process_time()
        decide_large(position, book)
        seconds.append(time.process_time() - started)
    seconds.sort()
    last = len(seconds) - 1
    at_most = tuple(seconds[-(-last * share // 100)] for share in PER_CENT)
    return Decisions(len(seconds), len(book.patterns), at_most)


def measure_large(number: int) -> Decisions:
    """Measure decisions in at most `number` positions on 19x19; return statistics of the CPU times.

    The patterns come from patterns.match.txt or, if this file is missing, from patterns.txt. Raise GamesError for
    missing or damaged games, and PatternFileError for a damaged patterns file.
    """
    path = MATCH_TXT if MATCH_TXT.is_file() else PATTERNS_TXT
    return measure_decisions(real_positions(number), load_large(path.read_bytes(), path.name))


def large_line(decisions: Decisions) -> str:
    """Return a line of text: the numbers of patterns and positions, and the three CPU times with limits."""
    names = ("median", "99% within", "slowest")
    figures = zip(names, decisions.seconds, LIMITS, strict=True)
    shown = ", ".join(f"{name} {value:.3f} s (limit {limit:.1f} s)" for name, value, limit in figures)
    return f"A decision on 19x19 with {decisions.patterns} patterns in {decisions.positions:,} positions: {shown}"


def large_json(decisions: Decisions) -> dict[str, Any]:
    """Return the numbers of positions and patterns and the CPU times in seconds, as plain JSON values."""
    median, most, slowest = decisions.seconds
    known = {"positions": decisions.positions, "patterns": decisions.patterns}
    return {**known, "median": median, "99%": most, "slowest": slowest}
