"""The moves that patterns choose in a corpus. Several processes make the decisions, and slow decisions are cached."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from littlego.cache import Cache, digest
from littlego.engines.choosing import engine_of
from littlego.judging.corpus import Corpus
from littlego.knowledge.files import Knowledge, book_of_lines
from littlego.parallel import each, with_progress
from littlego.rules.geometry import Point

CACHE = "effects"
Numbered = tuple[int, Corpus]  # the index of a part, and the part itself


@dataclass(frozen=True)
class _Decider:
    """A picklable function that returns the moves that a file's patterns choose in a part of a corpus."""

    lines: tuple[str, ...]
    ruleset: str

    def __call__(self, part: Numbered) -> list[Point]:
        return part[1].decide(book_of_lines(self.lines, self.ruleset))


def deciding(knowledge: Knowledge, parts: Sequence[Corpus], jobs: int) -> Iterator[tuple[int, list[Point]]]:
    """Yield (index of a part, moves that the patterns choose in the part); cached parts come first."""
    cache, code, lines = Cache(CACHE), engine_of(knowledge.ruleset).signature(), "\n".join(knowledge.lines)
    keys = {number: digest("moves", code, lines, *part.key()) for number, part in enumerate(parts) if part.is_slow}
    missing: list[Numbered] = []
    for number, part in enumerate(parts):
        moves = cache.get(keys[number]) if number in keys else None
        if moves is None:
            missing.append((number, part))
        else:
            yield number, moves
    decider = _Decider(knowledge.lines, knowledge.ruleset)
    for (number, _), moves in each(decider, missing, max(1, min(jobs, len(missing)))):
        if number in keys:
            cache.put(keys[number], moves)
        yield number, moves


def decided(knowledge: Knowledge, corpus: Corpus, jobs: int) -> Corpus:
    """Return a corpus whose recorded moves are the moves that the patterns choose."""
    parts = corpus.parts()
    moves = dict(with_progress(deciding(knowledge, parts, jobs), len(parts), "part"))
    return corpus.with_moves([move for number in range(len(parts)) for move in moves[number]])
