"""What patterns play in the parts of a corpus: shared by processes and kept between runs where decisions are slow."""

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
Numbered = tuple[int, Corpus]  # a part of a corpus, by its place among the parts


@dataclass(frozen=True)
class _Decider:
    """Decides the positions of a part by the patterns of a file, in this process or another one that it is sent to."""

    lines: tuple[str, ...]
    ruleset: str

    def __call__(self, part: Numbered) -> list[Point]:
        return part[1].decide(book_of_lines(self.lines, self.ruleset))


def deciding(knowledge: Knowledge, parts: Sequence[Corpus], jobs: int) -> Iterator[tuple[int, list[Point]]]:
    """Yield the place of each part with the moves of patterns there, in any order; first those of earlier runs."""
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
    """Return a corpus with the moves of patterns in each position, as a record has them."""
    parts = corpus.parts()
    moves = dict(with_progress(deciding(knowledge, parts, jobs), len(parts), "part"))
    return corpus.with_moves([move for number in range(len(parts)) for move in moves[number]])
