"""What the patterns for large boards do in positions of matches: of examples, and of games that were kept.

The engine of large boards decides each position, which takes some hundredths of a second; several processes share them,
and what they find is kept for the next survey with the same patterns.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from rules.engine import Decision
from rules.patternfile import Book, Pattern
from rules.position import RESIGN, Position
from tools.cache import Cache, digest
from tools.effects.coverage import CACHE, EXAMPLES, NO_PATTERN, PLAYED, VETOED, Survey, image_numbers
from tools.games.game import opening
from tools.knowledge.files import Knowledge, book_of_lines
from tools.knowledge.model import MATCHES, Example
from tools.large.engine import decide_large
from tools.match.packed_games import PackedGame, game_digest, read_packed
from tools.match.recorded_games import read_games
from tools.meaning import meaning_of
from tools.parallel import each, with_progress
from tools.reasons.contrast import DECIDES, SUPPORTS, contrast, roles_of

ENGINES = "games of engines, "  # followed by the size of their boards
BATCH = 10  # positions of one game that a process gets at once


@dataclass(frozen=True)
class Places:
    """Positions of a kept game: those before some of its moves, counted from 0, in order."""

    game: PackedGame
    plies: tuple[int, ...]

    @property
    def names(self) -> list[str]:
        """What each of the positions is called, whoever played the game: rules and moves decide."""
        digest = game_digest(self.game)
        return [f"{digest[:12]}:{ply + 1}" for ply in self.plies]

    def positions(self) -> Iterator[Position]:
        """Yield the positions."""
        position: Position = opening(self.game.ruleset)
        wanted = set(self.plies)
        for ply in range(max(wanted, default=-1) + 1):
            if ply in wanted:
                yield position
            position = position.play(self.game.moves[ply])


@dataclass(frozen=True)
class Drawn:
    """Positions of examples."""

    examples: tuple[Example, ...]

    @property
    def names(self) -> list[str]:
        """All that each of them says, and so what is decided there."""
        return [repr(one.asked) for one in self.examples]

    def positions(self) -> Iterator[Position]:
        """Yield the positions."""
        return (one.position() for one in self.examples)


def sampled_places(games: Iterable[PackedGame], most: int) -> dict[int, list[Places]]:
    """Return, by board size, places in kept games: so many positions of each size, or all where there are fewer.

    Which ones they are depends on the games alone: those with the smallest digests.
    """
    sized: dict[int, list[tuple[bytes, int, int]]] = defaultdict(list)
    different = list({game_digest(game): game for game in games}.items())
    for number, (name, game) in enumerate(different):
        lots = (sha256(f"{name} {ply}".encode()).digest() for ply in range(len(game.moves)))
        moves = zip(lots, game.moves, strict=True)
        sized[game.ruleset.size] += [(lot, number, ply) for ply, (lot, move) in enumerate(moves) if move != RESIGN]
    found: dict[int, list[Places]] = {}
    for size, lots_of_size in sorted(sized.items()):
        plies: dict[int, list[int]] = defaultdict(list)
        for _, number, ply in sorted(lots_of_size)[:most]:
            plies[number].append(ply)
        found[size] = [Places(different[number][1], tuple(sorted(some))) for number, some in sorted(plies.items())]
    return found


def in_batches(places: Iterable[Places]) -> list[Places]:
    """Return the same positions in the same order, BATCH or fewer of one game at a time, for processes to share."""
    return [Places(one.game, one.plies[at : at + BATCH]) for one in places for at in range(0, len(one.plies), BATCH)]


class SoFar(NamedTuple):
    """How far a survey is. name: of a corpus; survey: of those of its positions that were looked at.

    done, of: batches of positions in all corpora, those of played games apart: looked at, and how many there are.
    """

    name: str
    survey: Survey
    done: int
    of: int


def survey_match(knowledge: Knowledge, kept: Path, played: Iterable[Path], most: int, jobs: int) -> dict[str, Survey]:
    """Return what the patterns do in their examples, in positions of kept games, and in games that were played.

    kept: a file of packed games, of which `most` positions of each size are looked at. played: files that
    `littlego match --json` wrote. Raise OSError, GamesError or RecordError.
    """
    return {one.name: one.survey for one in surveys_of_match(knowledge, kept, played, most, jobs)}


def surveys_of_match(knowledge: Knowledge, kept: Path, played: Iterable[Path], most: int, jobs: int) -> Iterator[SoFar]:
    """Yield how far that is, again and again: the survey of a corpus is the same object, which grows.

    All corpora are named at first, in their order; then play is looked at before the examples, which tell less.
    """
    corpora: dict[str, Sequence[Drawn | Places]] = {}
    if knowledge.known:
        corpora[EXAMPLES] = _drawn(knowledge)
    for size, places in sampled_places(read_packed(kept), most).items():
        corpora[f"{ENGINES}{size}x{size}"] = in_batches(places)
    done, of = 0, sum(map(len, corpora.values()))
    surveys = {name: Survey() for name in corpora}
    yield from (SoFar(name, survey, done, of) for name, survey in surveys.items())
    for name in sorted(corpora, key=lambda name: name == EXAMPLES):
        for one in _surveyed(knowledge, corpora[name], jobs):
            surveys[name].add(one)
            done += 1
            yield SoFar(name, surveys[name], done, of)
    for path in played:
        positions = (one for game in read_games(path, by_any_rules=True) for one in game.positions)
        yield SoFar(f"{PLAYED}{path.name}", survey_large(positions, knowledge.book), done, of)


def _drawn(knowledge: Knowledge) -> list[Drawn]:
    """Return the positions in which patterns must fire, pattern by pattern."""
    drawn = (tuple(one for one in known.examples if one.kind == MATCHES) for known in knowledge.known.values())
    return [Drawn(examples) for examples in drawn if examples]


def _surveyed(knowledge: Knowledge, batches: Sequence[Drawn | Places], jobs: int) -> Iterator[Survey]:
    """Yield what the patterns do in each batch, in any order; what an earlier run has kept comes first."""
    cache, code = Cache(CACHE), meaning_of(__name__)
    lines = "\n".join(knowledge.lines)
    missing: list[tuple[str, Drawn | Places]] = []
    for batch in batches:
        key = digest("match", code, lines, *batch.names)
        known = cache.get(key)
        if known is None:
            missing.append((key, batch))
        else:
            yield Survey.from_json(known)
    results = each(_Surveyor(knowledge.lines, knowledge.ruleset), missing, max(1, min(jobs, len(missing))))
    for (key, _), survey in with_progress(results, len(missing), "batch"):
        cache.put(key, survey.as_json())
        yield survey


@dataclass(frozen=True)
class _Surveyor:
    """Surveys positions by the patterns of a file, in this process or another one that it is sent to."""

    lines: tuple[str, ...]
    ruleset: str

    def __call__(self, keyed: tuple[str, Drawn | Places]) -> Survey:
        return survey_large(keyed[1].positions(), book_of_lines(self.lines, self.ruleset))


def survey_large(positions: Iterable[Position], book: Book) -> Survey:
    """Return what the patterns of a book do in positions that the engine of large boards decides.

    Places are not told: boards are of many sizes.
    """
    survey, patterns = Survey(), {pattern.id: pattern for pattern in book.patterns}
    for position in positions:
        _count(decide_large(position, book), patterns, survey)
    return survey


def _count(decision: Decision, patterns: Mapping[str, Pattern], survey: Survey) -> None:
    """Count a decision."""
    survey.positions += 1
    survey.kinds[contrast(decision).by] += 1
    roles = roles_of(decision)
    for name, role in roles.items():
        survey.counts.setdefault(name, Counter())[role] += 1
    for name in _vetoed_by(decision):
        survey.counts.setdefault(name, Counter())[VETOED] += 1
    kinds = {patterns[name].kind for name, role in roles.items() if role in (DECIDES, SUPPORTS)}
    survey.classes.update(kinds or {NO_PATTERN})
    for firing in (firing for candidate in decision.candidates for firing in candidate.firings):
        if firing.pattern.rows:
            survey.images.setdefault(firing.pattern.id, set()).add(_images(firing.pattern)[firing.cells & 7])


_images = lru_cache(maxsize=4096)(image_numbers)  # by the pattern


def _vetoed_by(decision: Decision) -> set[str]:
    """Return the patterns that forbid a move, or lead one that was vetoed."""
    found: set[str] = set()
    for candidate in decision.candidates:
        found.update(firing.pattern.id for firing in candidate.firings if firing.pattern.forbid)
        if candidate.veto and candidate.firings:
            found.add(candidate.firings[0].pattern.id)
    return found
