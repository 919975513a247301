"""What a decision on 19x19 costs: positions of games that engines played, and the patterns for large boards."""

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
LIMITS = (0.1, 0.4, 1.0)  # seconds, for each of these


class Decisions(NamedTuple):
    """Seconds of CPU time of a decision over so many positions: the median, what 99% take at most, and the slowest.

    patterns: how many the player had.
    """

    positions: int
    patterns: int
    seconds: tuple[float, ...]


def real_positions(number: int, size: int = SIZE) -> list[Position]:
    """Return so many positions of the engines' games on boards of a size, evenly spaced; all if there are not more.

    Raise GamesError where there are no such games.
    """
    games = [game for game in read_packed() if game.size == size]
    places = [(game, ply) for game, one in enumerate(games) for ply in range(len(one.moves))]
    if not places:
        raise GamesError(
            f"{short_name(ENGINE_GAMES)} holds no game on {size}x{size}: `littlego dev selfplay` makes some"
        )
    picked = [places[index * len(places) // number] for index in range(number)] if number < len(places) else places
    played: dict[int, list[Position]] = {}
    return [played.setdefault(game, games[game].positions())[ply] for game, ply in picked]


def measure_decisions(positions: list[Position], book: LargeBook) -> Decisions:
    """Time a decision on each of the positions, which are not empty; nothing is left of one for the next."""
    decide_large(positions[0], book)  # makes the templates
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
    """Time decisions on so many positions, with the patterns for large boards, or Little-Go's where there are none.

    Raise GamesError or PatternFileError where something cannot be read.
    """
    path = MATCH_TXT if MATCH_TXT.is_file() else PATTERNS_TXT
    return measure_decisions(real_positions(number), load_large(path.read_bytes(), path.name))


def large_line(decisions: Decisions) -> str:
    """Return the figures in a line, with their limits."""
    names = ("median", "99% within", "slowest")
    figures = zip(names, decisions.seconds, LIMITS, strict=True)
    shown = ", ".join(f"{name} {value:.3f} s (limit {limit:.1f} s)" for name, value, limit in figures)
    return f"A decision on 19x19 with {decisions.patterns} patterns, {decisions.positions:,} positions: {shown}"


def large_json(decisions: Decisions) -> dict[str, Any]:
    """Return the figures as plain values, in seconds."""
    median, most, slowest = decisions.seconds
    known = {"positions": decisions.positions, "patterns": decisions.patterns}
    return {**known, "median": median, "99%": most, "slowest": slowest}
