"""The corpora that patterns are judged by: examples, real games, decisions on record, games of ours against the roles.

They are surveyed for `coverage` in parts, on several cores, and the surveys are kept between runs. What the present
player meets is gathered for the record, which `littlego regenerate decisions --extend` writes.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from rules.engine import Decision, decide
from rules.patternfile import Book
from rules.position import Position
from tools.cache import Cache, digest
from tools.effects.books import Knowledge, book_of_lines
from tools.effects.coverage import AGAINST, EXAMPLES, PLAYED, REAL, RECORDED, Survey, survey_decisions, total_survey
from tools.effects.recorded import (
    Recorded,
    decide_all,
    position_text,
    read_decisions,
    read_position,
)
from tools.knowledge.model import MATCHES
from tools.match.protocol import Turn
from tools.match.recorded_games import different_positions, recorded_positions
from tools.match.referee import Player, Reply
from tools.match.series import Pairing, pairings, play_game
from tools.meaning import meaning_of
from tools.opponents.erring import ErringPlayer
from tools.opponents.roles.table import RolePlayer, corpus_roles
from tools.parallel import cached_results

CACHE = "coverage"
PART = 200  # positions that one process takes at a time
OPENING_PLIES = 2  # random moves before a game against a role, so that games differ
RECORD_GAMES, RECORD_SEED = 60, 7  # for the record: games against each role, and their seed
NOISE = (0.0, 0.1, 0.3)  # share of the role's moves that are random, in turn
MOST_RECORDED = 3000  # positions kept of these games


def decisions_against(role: str, book: Book, games: int, seed: int, noise: float = 0.0) -> Iterator[Decision]:
    """Yield our decisions in games against a role, colours alternating, as `littlego match` numbers its games.

    noise: the share of the role's moves, 0 to 1, that are random instead.
    """
    for game in pairings(_Witness.name, role, games, seed, OPENING_PLIES):
        players: dict[str, Player] = {role: RolePlayer(role, game.seed)}
        if noise:  # not with the numbers that the role itself draws
            players[role] = ErringPlayer(players[role], noise, game.seed, lots=game.seed + 1)
        witness = players[_Witness.name] = _Witness(book)
        play_game(game, partial(_player_named, players))
        yield from witness.decisions


def _player_named(players: Mapping[str, Player], name: str, _: Pairing) -> Player:
    return players[name]


class _Witness(Player):
    """Our engine as a player that keeps its decisions."""

    name = "ours"
    timed = False

    def __init__(self, book: Book) -> None:
        self.book = book
        self.decisions: list[Decision] = []

    def choose(self, turn: Turn) -> Reply:
        self.decisions.append(decide(turn.position, self.book))
        return Reply(self.decisions[-1].move)


class SurveyTask(NamedTuple):
    """A part of a source: positions as texts, or else games against a role; complete: vet every candidate."""

    lines: tuple[str, ...]
    source: str
    positions: tuple[str, ...] = ()
    complete: bool = False
    role: str = ""
    games: int = 0
    seed: int = 0

    def key(self, code: str) -> str:
        """Return the cache key; code: a digest of the code that does the task."""
        settings = (str(value) for value in (self.complete, self.role, self.games, self.seed))
        return digest("survey", code, "\n".join(self.lines), *settings, *self.positions)


def survey_task(task: SurveyTask) -> dict[str, Any]:
    """Return the survey of a task as plain values."""
    book = book_of_lines(task.lines)
    decisions = (
        decisions_against(task.role, book, task.games, task.seed)
        if task.role
        else (decide(read_position(text), book, task.complete) for text in task.positions)
    )
    return survey_decisions(decisions, book).as_json()


def survey_all(tasks: Sequence[SurveyTask], jobs: int, cache: Cache) -> dict[str, Survey]:
    """Return what the patterns do in each source, in the order of the tasks."""
    results = cached_results(survey_task, tasks, meaning_of(__name__), jobs, cache)
    sources: dict[str, list[Survey]] = {}
    for task in tasks:
        sources.setdefault(task.source, []).append(Survey.from_json(results[task]))
    return {name: total_survey(parts) for name, parts in sources.items()}


def tasks_for(
    knowledge: Knowledge, real: Path, snapshot: Path, played: Iterable[Path], games: int, seed: int
) -> list[SurveyTask]:
    """Return the work for all corpora.

    The examples are there only if the knowledge is a patterns.yaml; the recorded positions are those that are not
    of the real games too. games: against each role; seed: to which each role's own is added.
    Raise OSError, GamesError or RecordError.
    """
    from_real = recorded_positions(real)
    known = {position_text(position) for position in from_real}
    others = [one.position for one in read_decisions(snapshot) if position_text(one.position) not in known]
    sources = {REAL: from_real, RECORDED: others}
    sources |= {f"{PLAYED}{path.name}": recorded_positions(path) for path in played}
    tasks = tasks_in(_example_positions(knowledge), knowledge, EXAMPLES, complete=True)
    for name, positions in sources.items():
        tasks += tasks_in(positions, knowledge, name)
    against = [
        SurveyTask(knowledge.lines, f"{AGAINST}{role.name}", role=role.name, games=games, seed=seed + role.seed)
        for role in corpus_roles()
    ]
    return tasks + (against if games else [])


def tasks_in(
    positions: Sequence[Position], knowledge: Knowledge, source: str, complete: bool = False
) -> list[SurveyTask]:
    """Return the work for these positions, which are of that source. complete: vet every candidate."""
    texts = [position_text(position) for position in positions]
    parts = (tuple(texts[start : start + PART]) for start in range(0, len(texts), PART))
    return [SurveyTask(knowledge.lines, source, part, complete) for part in parts]


def _example_positions(knowledge: Knowledge) -> list[Position]:
    patterns = knowledge.known.values()
    return [example.position() for pattern in patterns for example in pattern.examples if example.kind == MATCHES]


def gather_positions(book: Book) -> list[Position]:
    """Return the positions to record: all of the real games, then a sample of our games against erring roles."""
    real = recorded_positions()
    met = [
        decision.position
        for role in corpus_roles()
        for place, noise in enumerate(NOISE)
        for decision in decisions_against(
            role.name, book, RECORD_GAMES, RECORD_SEED + len(NOISE) * role.seed + place, noise
        )
    ]
    everything = different_positions([*real, *met])
    others = everything[len(real) :]
    sample = random.Random(RECORD_SEED).sample(others, min(MOST_RECORDED, len(others)))
    return real + sorted(sample, key=lambda position: -position.left)


def extend_record(known: list[Recorded], book: Book) -> list[Recorded]:
    """Return the decisions on record, and after them those in the positions gathered now that are not."""
    everything = different_positions([*(one.position for one in known), *gather_positions(book)])
    return known + list(decide_all(everything[len(known) :], book))
