"""What the patterns for large boards do in positions of matches: of examples, and of games that were kept.

The engine of large boards decides each position, which takes some hundredths of a second; several processes share them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from rules.engine import Decision
from rules.geometry import Point
from rules.patternfile import Book, Pattern
from rules.position import RESIGN, Position
from tools.effects.books import Knowledge
from tools.effects.coverage import EXAMPLES, NO_PATTERN, PLAYED, VETOED, Survey, image_numbers
from tools.games.game import opening
from tools.knowledge.model import MATCHES
from tools.large.engine import decide_large
from tools.match.packed_games import PackedGame, game_digest, read_packed
from tools.match.recorded_games import recorded_positions
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


def sampled_places(games: Iterable[PackedGame], most: int) -> dict[int, list[Places]]:
    """Return, by board size, places in kept games: so many positions of each size, or all where there are fewer.

    Which ones they are depends on the games alone: those with the smallest digests.
    """
    sized: dict[int, list[tuple[bytes, int, int]]] = defaultdict(list)
    different = list({game_digest(game): game for game in games}.items())
    for number, (digest, game) in enumerate(different):
        lots = (sha256(f"{digest} {ply}".encode()).digest() for ply in range(len(game.moves)))
        moves = zip(lots, game.moves, strict=True)
        sized[game.ruleset.size] += [(lot, number, ply) for ply, (lot, move) in enumerate(moves) if move != RESIGN]
    found: dict[int, list[Places]] = {}
    for size, lots_of_size in sorted(sized.items()):
        plies: dict[int, list[int]] = defaultdict(list)
        for _, number, ply in sorted(lots_of_size)[:most]:
            plies[number].append(ply)
        found[size] = [Places(different[number][1], tuple(sorted(some))) for number, some in sorted(plies.items())]
    return found


def survey_match(knowledge: Knowledge, kept: Path, played: Iterable[Path], most: int, jobs: int) -> dict[str, Survey]:
    """Return what the patterns do in their examples, in positions of kept games, and in games that were played.

    kept: a file of packed games, of which `most` positions of each size are looked at. played: files that
    `littlego match --json` wrote. Raise OSError, GamesError or RecordError.
    """
    surveys = {}
    if knowledge.known:
        patterns = knowledge.known.values()
        drawn = [one.position() for pattern in patterns for one in pattern.examples if one.kind == MATCHES]
        surveys[EXAMPLES] = survey_large(drawn, knowledge.book)
    for size, places in sampled_places(read_packed(kept), most).items():
        surveys[f"{ENGINES}{size}x{size}"] = _survey_places(places, knowledge, jobs)
    for path in played:
        surveys[f"{PLAYED}{path.name}"] = survey_large(recorded_positions(path), knowledge.book)
    return surveys


def _survey_places(places: Sequence[Places], knowledge: Knowledge, jobs: int) -> Survey:
    batches = [Places(one.game, one.plies[at : at + BATCH]) for one in places for at in range(0, len(one.plies), BATCH)]
    whole = Survey()
    results = each(_Surveyor(knowledge), batches, min(jobs, max(len(batches), 1)))
    for _, survey in with_progress(results, len(batches), "batch"):
        whole.add(survey)
    return whole


@dataclass(frozen=True)
class _Surveyor:
    """Surveys positions by the patterns of a file, in this process or another one that it is sent to."""

    knowledge: Knowledge

    def __call__(self, places: Places) -> Survey:
        return survey_large(places.positions(), self.knowledge.book)


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


def decided_moves(places: Sequence[Places], book: Book) -> Iterator[tuple[str, Point]]:
    """Yield what each position is called, and what a book plays there."""
    for one in places:
        for name, position in zip(one.names, one.positions(), strict=True):
            yield name, decide_large(position, book).move
