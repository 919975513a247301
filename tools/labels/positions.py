"""Where positions that matter come from: our games against roles that err, our own errors, the tree of our decisions,
the real games and the decisions on record."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from rules.geometry import points_of
from rules.position import BLACK, PASS, WHITE, Position, opening
from rules.positionkey import pack, unpack_move
from rules.ruleset import LITTLE_GO
from tools.cache import Cache, digest
from tools.compiled.engine import compile_book, decide_many
from tools.data import DECISIONS
from tools.effects.books import Knowledge, book_of_lines
from tools.effects.recorded import read_decisions
from tools.labels.arrays import canonical_many
from tools.labels.sources import ASTRAY, CENTRE, ERRS_0, ERRS_10, ERRS_30, REAL, RECORDED, TREE
from tools.match.recorded_games import recorded_positions
from tools.match.series import SEEDS, random_opening
from tools.meaning import meaning_of
from tools.opponents.roles import ROLES, corpus_roles
from tools.parallel import cached_results

CACHE = "truth"
PART = 50  # games that one process plays at a time
ANY = "any"  # the opponent of the tree: any legal move, each as likely, the pass included
OURS = "ours"  # our own engine as the opponent: the one that keeps the game open longest
OURS_SHARE = 3  # as many games against it, and in the tree, as against each role
OPENINGS = (0, 2, 4)  # random plies before a game
ERRORS = {0.0: ERRS_0, 0.1: ERRS_10, 0.3: ERRS_30}  # share of a role's moves that are random -> tag
OUR_ERRORS = 0.15  # share of our own moves that are random in the games that go astray


class Task(NamedTuple):
    """Games of one kind, as pattern lines play them; first: the seed of the first one, the next has the next.

    opponent: a role, OURS or ANY. errors, our_errors: the share of moves of each side that are random. plies: of the
    random opening. black: whether we are Black.
    """

    lines: tuple[str, ...]
    opponent: str
    errors: float
    our_errors: float
    plies: int
    black: bool
    first: int
    number: int

    def key(self, code: str) -> str:
        """Return what stands for the task and the code that does it."""
        return digest("positions", code, "\n".join(self.lines), *map(str, self[1:]))

    @property
    def tag(self) -> int:
        """Where its positions were met, as bits of a label's tag."""
        if self.opponent == ANY:
            return TREE
        if self.our_errors:
            return ASTRAY
        return ERRORS[self.errors] | (CENTRE if self.black and not self.plies else 0)


def tasks_for(knowledge: Knowledge, games: int, seed: int) -> list[Task]:
    """Return the games to play, for each colour: so many of each kind, and OURS_SHARE times as many of some.

    The kinds are the opponents by the share of their errors and by the length of the random opening.
    """
    kinds = [
        (opponent, *errors, plies, games * OURS_SHARE if opponent == OURS else games)
        for opponent in (*(role.name for role in corpus_roles()), OURS)
        for errors in [*((share, 0.0) for share in ERRORS), (OUR_ERRORS, OUR_ERRORS)]
        for plies in OPENINGS
    ]
    kinds += [(ANY, 0.0, 0.0, plies, games * OURS_SHARE) for plies in OPENINGS]
    return [
        Task(knowledge.lines, *kind, black, SEEDS * seed + first, min(PART, number - first))
        for *kind, number in kinds
        for black in (True, False)
        for first in range(0, number, PART)
    ]


class _Game(NamedTuple):
    position: Position
    rng: random.Random


Choose = Callable[[list[_Game]], list[int]]  # a side's moves in games that are equally long


def codes_met(task: Task) -> list[int]:
    """Return the codes of the different positions in which we were to move, modulo symmetry."""
    us = BLACK if task.black else WHITE
    ours = _erring(_by_engine(task.lines), task.our_errors)
    theirs = _erring(_opponent(task), task.errors)
    games, met = [_begun(task, seed) for seed in range(task.first, task.first + task.number)], set()
    while games:
        our_turn = games[0].position.colour == us
        if our_turn:
            met.update(canonical_many(_codes(game.position for game in games)).tolist())
        moves = (ours if our_turn else theirs)(games)
        games = [
            game._replace(position=game.position.play(move))
            for game, move in zip(games, moves, strict=True)
            if not game.position.ends_with(move)
        ]
    return sorted(met)


def _begun(task: Task, seed: int) -> _Game:
    """Return a game after its random opening."""
    position = opening(LITTLE_GO)
    for move in random_opening(LITTLE_GO, task.plies, seed):
        position = position.play(move)
    return _Game(position, random.Random(":".join(map(str, (*task[1:6], seed)))))


def _codes(positions: Iterable[Position]) -> np.ndarray:
    return np.array([pack(position) for position in positions], dtype=np.int64)


def _by_engine(lines: tuple[str, ...]) -> Choose:
    def chosen(games: list[_Game]) -> list[int]:
        moves, _ = decide_many(_codes(game.position for game in games), _program(lines))
        return list(map(unpack_move, moves))

    return chosen


@lru_cache(maxsize=1)
def _program(lines: tuple[str, ...]) -> tuple:
    return compile_book(book_of_lines(lines))


def _opponent(task: Task) -> Choose:
    if task.opponent == OURS:
        return _by_engine(task.lines)
    choose = any_move if task.opponent == ANY else ROLES[task.opponent].choose
    return lambda games: [choose(game.position, game.rng) for game in games]


def any_move(position: Position, rng: random.Random) -> int:
    """Return any legal move, each as likely, the pass among them."""
    return rng.choice([*points_of(position.legal()), PASS])


def _erring(choose: Choose, share: float) -> Choose:
    """Return a chooser that takes a random legal point, if there is one, in place of this share of its moves."""

    def chosen(games: list[_Game]) -> list[int]:
        moves = choose(games)
        for index, game in enumerate(games):
            legal = points_of(game.position.legal())
            if legal and game.rng.random() < share:
                moves[index] = game.rng.choice(legal)
        return moves

    return chosen


class Met(NamedTuple):
    """Positions, as codes of canonical images in ascending order, and their tags."""

    codes: np.ndarray
    tags: np.ndarray


def gathered(knowledge: Knowledge, games: int, seed: int, jobs: int) -> Met:
    """Return the positions of all sources; see tasks_for. Raise OSError where a file cannot be read."""
    found = cached_results(codes_met, tasks_for(knowledge, games, seed), meaning_of(__name__), jobs, Cache(CACHE))
    parts = [(codes, task.tag) for task, codes in found.items()]
    for positions, tag in (
        (recorded_positions(), REAL),
        ([one.position for one in read_decisions(DECISIONS)], RECORDED),
    ):
        parts.append((canonical_many(_codes(positions)), tag))
    return together(parts)


def together(parts: Sequence[tuple[Sequence[int], int]]) -> Met:
    """Return lists of codes, each with a tag, as one; a position in several has all their tags."""
    lists = [(np.asarray(codes, dtype=np.int64), tag) for codes, tag in parts]
    everything = np.unique(np.concatenate([codes for codes, _ in lists]))
    tags = np.zeros(everything.size, dtype=np.uint8)
    for codes, tag in lists:
        tags[np.searchsorted(everything, codes)] |= tag
    return Met(everything, tags)
