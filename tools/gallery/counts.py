"""What each pattern does in the recorded decisions, counted on all cores and kept: what was counted stays counted."""

from __future__ import annotations

from functools import lru_cache, partial

from rules.patternfile import Book, Pattern, book_of
from rules.position import Position
from rules.ruleset import LITTLE_GO
from tools.arguments import jobs
from tools.cache import Cache, code_digest, digest
from tools.effects.corpora import decisions_in
from tools.effects.coverage import Survey, from_json, survey, total
from tools.effects.recorded import DECISIONS, read
from tools.parallel import each, with_progress

PORTION = 500  # positions; what an interrupted run loses at most, a process


def counts_of(lines: tuple[str, ...]) -> Survey:
    """Return the survey of the recorded decisions under the patterns in these lines of a patterns.txt.

    Raise OSError or BadRecord where the records cannot be read.
    """
    cache = Cache("gallery")
    code = code_digest("rules", "tools/effects")
    key = digest(code, str(PORTION), DECISIONS.read_text(encoding="utf-8"), *lines)
    starts = range(0, len(recorded()), PORTION)
    found = {start: cache.get(f"{key} {start}") for start in starts}  # start -> the portion's survey as JSON
    missing = [start for start in starts if found[start] is None]
    results = each(partial(_survey_of, lines), missing, min(jobs(), len(missing)) or 1)
    for start, counted in with_progress(results, len(missing), "portion"):
        found[start] = counted
        cache.put(f"{key} {start}", counted)
    return total(from_json(found[start]) for start in starts)


@lru_cache(maxsize=1)
def recorded() -> list[Position]:
    """Return the positions on record."""
    return [one.position for one in read()]


@lru_cache(maxsize=1)
def _book(lines: tuple[str, ...]) -> Book:
    return book_of(LITTLE_GO.name, LITTLE_GO.size, [Pattern(line) for line in lines])


def _survey_of(lines: tuple[str, ...], start: int) -> dict:
    book = _book(lines)
    return survey(decisions_in(recorded()[start : start + PORTION], book), book).as_json()
