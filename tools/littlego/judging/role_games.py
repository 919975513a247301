"""Positions from our player's games against roles (built-in opponents), for the recorded decisions."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

from littlego.engines.compiled.engine import codes_of, compile_book, decide_many
from littlego.judging.corpus import Corpus, SpelledCorpus, spelled
from littlego.match.protocol import Turn
from littlego.match.referee import Player, Reply
from littlego.match.series import Pairing, pairings, play_game
from littlego.players.erring import ErringPlayer
from littlego.players.roles.table import RolePlayer, corpus_roles
from littlego.records.recorded_games import different_positions, recorded_positions
from littlego.rules.patternfile import Book
from littlego.rules.position import Position
from littlego.rules.positionkey import unpack_move

if TYPE_CHECKING:
    import numpy as np

OPENING_PLIES = 2  # random moves before a game against a role, so that games differ
RECORD_GAMES, RECORD_SEED = 60, 7  # for the record: number of games against each role, and their seed
NOISE = (0.0, 0.1, 0.3)  # shares of random moves in the role's play, used in turn
MOST_RECORDED = 3000  # maximum number of recorded positions from games against roles


def positions_against(role: str, book: Book, games: int, seed: int, noise: float = 0.0) -> Iterator[Position]:
    """Yield the positions in which our player moves, from games against a role (a built-in opponent).

    Our player's colour alternates. The function plays the same pairings as `littlego match`. noise: the share of the
    role's moves, from 0 to 1, that random moves replace.
    """
    program = compile_book(book)
    for game in pairings(_Witness.name, role, games, seed, OPENING_PLIES):
        players: dict[str, Player] = {role: RolePlayer(role, game.seed)}
        if noise:  # a separate random generator, so that noise does not change the role's random numbers
            players[role] = ErringPlayer(players[role], noise, game.seed, lots=game.seed + 1)
        witness = players[_Witness.name] = _Witness(program)
        play_game(game, partial(_player_named, players))
        yield from witness.positions


def _player_named(players: Mapping[str, Player], name: str, _: Pairing) -> Player:
    return players[name]


class _Witness(Player):
    """A player that chooses moves with our engine and stores each position in which it chooses a move."""

    name = "ours"
    timed = False

    def __init__(self, program: np.ndarray) -> None:
        self.program = program
        self.positions: list[Position] = []

    def choose(self, turn: Turn) -> Reply:
        self.positions.append(turn.position)
        moves, _ = decide_many(codes_of([turn.position]), self.program)
        return Reply(unpack_move(moves[0]))


def gather_positions(book: Book) -> list[Position]:
    """Return positions to record: from the recorded real games, then from games against roles.

    The result has all distinct positions of the real games, and a random sample of other positions from our player's
    games against roles. The sample has at most MOST_RECORDED positions, sorted by moves left, most first.
    """
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


def extend_record(known: Corpus, book: Book) -> SpelledCorpus:
    """Return the recorded decisions, followed by our player's decisions in new positions.

    The new positions come from gather_positions. known: the recorded decisions. book: our player's patterns.
    """
    everything = spelled(different_positions([*known.positions(), *gather_positions(book)]))
    others = everything.only(range(len(known.names), len(everything.names)))
    return SpelledCorpus(everything.names, (*known.moves, *others.decide(book)))
