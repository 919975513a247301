"""The corpora that patterns are judged by: examples, real games, decisions on record, games of ours against the roles.

They are surveyed for `coverage`. What the present player meets is gathered for the record, which
`littlego dev regenerate decisions --extend` writes.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path

import numpy as np

from rules.patternfile import Book
from rules.position import Position
from rules.positionkey import unpack_move
from tools.cache import Cache, digest
from tools.compiled.engine import codes_of, compile_book, decide_many
from tools.effects.coverage import AGAINST, CACHE, EXAMPLES, PLAYED, REAL, RECORDED, Survey, survey_positions
from tools.effects.recorded import Recorded, decide_all, position_text, read_decisions
from tools.knowledge.files import Knowledge
from tools.knowledge.model import MATCHES
from tools.match.protocol import Turn
from tools.match.recorded_games import different_positions, recorded_positions
from tools.match.referee import Player, Reply
from tools.match.series import Pairing, pairings, play_game
from tools.meaning import meaning_of
from tools.opponents.erring import ErringPlayer
from tools.opponents.roles.table import RolePlayer, corpus_roles
from tools.parallel import with_progress

OPENING_PLIES = 2  # random moves before a game against a role, so that games differ
RECORD_GAMES, RECORD_SEED = 60, 7  # for the record: games against each role, and their seed
NOISE = (0.0, 0.1, 0.3)  # share of the role's moves that are random, in turn
MOST_RECORDED = 3000  # positions kept of these games


def positions_against(role: str, book: Book, games: int, seed: int, noise: float = 0.0) -> Iterator[Position]:
    """Yield our positions in games against a role, colours alternating, as `littlego match` numbers its games.

    noise: the share of the role's moves, 0 to 1, that are random instead.
    """
    program = compile_book(book)
    for game in pairings(_Witness.name, role, games, seed, OPENING_PLIES):
        players: dict[str, Player] = {role: RolePlayer(role, game.seed)}
        if noise:  # not with the numbers that the role itself draws
            players[role] = ErringPlayer(players[role], noise, game.seed, lots=game.seed + 1)
        witness = players[_Witness.name] = _Witness(program)
        play_game(game, partial(_player_named, players))
        yield from witness.positions


def _player_named(players: Mapping[str, Player], name: str, _: Pairing) -> Player:
    return players[name]


class _Witness(Player):
    """Our engine as a player that keeps the positions it was asked about."""

    name = "ours"
    timed = False

    def __init__(self, program: np.ndarray) -> None:
        self.program = program
        self.positions: list[Position] = []

    def choose(self, turn: Turn) -> Reply:
        self.positions.append(turn.position)
        moves, _ = decide_many(codes_of([turn.position]), self.program)
        return Reply(unpack_move(moves[0]))


def sources_of(
    knowledge: Knowledge, real: Path, snapshot: Path, played: Iterable[Path], games: int, seed: int
) -> dict[str, Iterable[Position]]:
    """Return the positions of each corpus, by the names that tools.effects.coverage has for them; see survey_all."""
    from_real = recorded_positions(real)
    known = {position_text(position) for position in from_real}
    others = [one.position for one in read_decisions(snapshot) if position_text(one.position) not in known]
    sources: dict[str, Iterable[Position]] = {EXAMPLES: _example_positions(knowledge)} if knowledge.known else {}
    sources |= {REAL: from_real, RECORDED: others}
    sources |= {f"{PLAYED}{path.name}": recorded_positions(path) for path in played}
    if games:
        for role in corpus_roles():
            sources[f"{AGAINST}{role.name}"] = positions_against(role.name, knowledge.book, games, seed + role.seed)
    return sources


def survey_all(
    knowledge: Knowledge, real: Path, snapshot: Path, played: Iterable[Path], games: int, seed: int
) -> dict[str, Survey]:
    """Return what the patterns do in each corpus.

    The examples are there only if the knowledge is a patterns.yaml; the recorded positions are those that are not of
    the real games too. games: against each role; seed: to which each role's own is added. Raise OSError, GamesError or
    RecordError.
    """
    sources = sources_of(knowledge, real, snapshot, played, games, seed)
    return dict(with_progress(surveys_of(knowledge, sources, games, seed), len(sources), "corpus"))


def surveys_of(
    knowledge: Knowledge, sources: Mapping[str, Iterable[Position]], games: int, seed: int
) -> Iterator[tuple[str, Survey]]:
    """Yield the same one by one. sources: of sources_of; games against roles that an earlier run has kept are not
    played again."""
    cache, code, lines = Cache(CACHE), meaning_of(__name__), "\n".join(knowledge.lines)
    for name, positions in sources.items():
        if not name.startswith(AGAINST):  # moments, and what they depend on lies in files
            yield name, survey_positions(positions, knowledge.book)
            continue
        key = digest("little-go", code, lines, name, f"{games} {seed}")
        known = cache.get(key)
        survey = survey_positions(positions, knowledge.book) if known is None else Survey.from_json(known)
        if known is None:
            cache.put(key, survey.as_json())
        yield name, survey


def _example_positions(knowledge: Knowledge) -> list[Position]:
    patterns = knowledge.known.values()
    return [example.position() for pattern in patterns for example in pattern.examples if example.kind == MATCHES]


def gather_positions(book: Book) -> list[Position]:
    """Return the positions to record: all of the real games, then a sample of our games against erring roles."""
    real = recorded_positions()
    met = [
        position
        for role in corpus_roles()
        for place, noise in enumerate(NOISE)
        for position in positions_against(
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
