"""Decisions to judge patterns by: in the positions of recorded games, and in games of ours against the roles."""

from __future__ import annotations

from collections.abc import Iterator

from rules.engine import Decision, decide
from rules.patternfile import Book
from rules.position import Position
from rules.ruleset import LITTLE_GO
from tools.match.protocol import Turn
from tools.match.referee import Game, Player, Reply
from tools.match.series import SEEDS, random_opening
from tools.opponents import random_player
from tools.opponents.roles import RolePlayer, rng_for

OPENING_PLIES = 2  # random moves before a game against a role, so that games differ


def decisions_in(positions: list[Position], book: Book, complete: bool = False) -> Iterator[Decision]:
    """Yield what the book decides in each position."""
    return (decide(position, book, complete) for position in positions)


def decisions_against(role: str, book: Book, games: int, seed: int, noise: float = 0.0) -> Iterator[Decision]:
    """Yield our decisions in games against a role, colours alternating, as `littlego match` numbers its games.

    noise: the share of the role's moves, 0 to 1, that are random instead.
    """
    for index in range(games):
        game_seed = SEEDS * seed + index // 2
        us, them = _Witness(book), _Erring(role, game_seed, noise) if noise else RolePlayer(role, game_seed)
        both = (us, them) if index % 2 == 0 else (them, us)
        Game(both, LITTLE_GO, random_opening(LITTLE_GO, OPENING_PLIES, game_seed), game_seed).play()
        yield from us.decisions


class _Erring(RolePlayer):
    """A role that plays a random legal move now and then."""

    def __init__(self, role: str, seed: int, noise: float):
        super().__init__(role, seed)
        self.noise = noise

    def choose(self, turn: Turn) -> Reply:
        rng = rng_for(self.seed + 1, turn.position)  # not the numbers that the role itself draws
        if rng.random() < self.noise:
            return Reply(random_player.choose(turn.position, rng))
        return super().choose(turn)


class _Witness(Player):
    """Our engine as a player that keeps its decisions."""

    name = "ours"
    timed = False

    def __init__(self, book: Book):
        self.book = book
        self.decisions: list[Decision] = []

    def choose(self, turn: Turn) -> Reply:
        self.decisions.append(decide(turn.position, self.book))
        return Reply(self.decisions[-1].move)
