"""Labelling: gathering positions from several sources, sampling the positions and solving the sample.

The sources are new games of our player, the recorded real games and the recorded decisions. In each new game, our
player's opponent is a built-in player (a role), a copy of our player, or a random player. In some of these games, the
opponent or both sides make random errors.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, NamedTuple

import numpy as np

from littlego.cache import Cache, digest
from littlego.cli.arguments import ArgumentError
from littlego.engines.compiled.engine import codes_of, compile_book, decide_many
from littlego.judging.recorded import read_decisions
from littlego.knowledge.files import Knowledge, book_of_lines
from littlego.match.series import SEEDS, random_opening
from littlego.meaning import meaning_of
from littlego.parallel import cached_results, each, with_progress
from littlego.paths import DECISIONS
from littlego.players.roles.table import ROLES, corpus_roles
from littlego.records.recorded_games import recorded_positions
from littlego.rules.geometry import points_of
from littlego.rules.position import BLACK, PASS, WHITE, Position, opening
from littlego.rules.positionkey import unpack_move
from littlego.rules.ruleset import LITTLE_GO
from littlego.truth.labels import ASTRAY, CENTRE, ERRS_0, ERRS_10, ERRS_30, MET, PARTS, REAL, RECORDED, TEST, TREE
from littlego.truth.labels.labels import (
    Labels,
    canonical_many,
    empty_labels,
    in_test,
    join_labels,
    load_known,
    moves_left,
    save,
    scatter,
)
from littlego.truth.labels.positions import load_codes
from littlego.truth.solver.solver import Solver

CACHE = "truth"
PART = 50  # games of one task
ANY = "any"  # an opponent that plays any legal move, passes included, with equal chances
OURS = "ours"  # our own engine as the opponent; games between two copies of our engine stay undecided longest
OURS_SHARE = 3  # games against OURS or ANY per game against a role
OPENINGS = (0, 2, 4, 6)  # numbers of random plies at the start of a game
ERRORS = {0.0: ERRS_0, 0.1: ERRS_10, 0.3: ERRS_30}  # share of the opponent's moves that are random -> tag
OUR_ERRORS = 0.15  # share of each side's moves that are random, in games in which our side also makes errors


class Task(NamedTuple):
    """A batch of games with the same settings, in which our side plays by the patterns in `lines`.

    opponent: a role, OURS or ANY. errors, our_errors: the shares of random moves among the opponent's moves and among
    our moves. plies: the length of the random opening. black: whether our side plays Black. first: the seed of the
    first game; the seeds are consecutive. number: the number of games.
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
        """Return the cache key of the task's results. code: a digest of the code that computes the results."""
        return digest("positions", code, "\n".join(self.lines), *map(str, self[1:]))

    @property
    def tag(self) -> int:
        """The tag of the task's positions, which records the kind of game."""
        if self.opponent == ANY:
            return TREE
        if self.our_errors:
            return ASTRAY
        return ERRORS[self.errors] | (CENTRE if self.black and not self.plies else 0)


def tasks_for(knowledge: Knowledge, games: int, seed: int) -> list[Task]:
    """Return the tasks for all kinds of games, with our side as Black and as White.

    There are `games` games for each kind and each colour of our side, and OURS_SHARE times as many games if the
    opponent is OURS or ANY. The kinds differ in the opponent, the shares of errors and the random opening's length.
    """
    kinds = [
        (opponent, errors, our_errors, plies, games * OURS_SHARE if opponent == OURS else games)
        for opponent in (*(role.name for role in corpus_roles()), OURS)
        for errors, our_errors in [*((share, 0.0) for share in ERRORS), (OUR_ERRORS, OUR_ERRORS)]
        for plies in OPENINGS
    ]
    kinds += [(ANY, 0.0, 0.0, plies, games * OURS_SHARE) for plies in OPENINGS]
    return [
        Task(
            knowledge.lines, opponent, errors, our_errors, plies, black, SEEDS * seed + first, min(PART, number - first)
        )
        for opponent, errors, our_errors, plies, number in kinds
        for black in (True, False)
        for first in range(0, number, PART)
    ]


class _Game(NamedTuple):
    position: Position
    rng: random.Random


Choose = Callable[[list[_Game]], list[int]]  # a function that returns one side's move in each game; equal moves left


def codes_met(task: Task) -> list[int]:
    """Play a task's games; return the codes of the distinct positions with our side to move.

    The codes are canonical and in ascending order.
    """
    us = BLACK if task.black else WHITE
    ours = _with_errors(_choose_by_engine(task.lines), task.our_errors)
    theirs = _with_errors(_choose_as_opponent(task), task.errors)
    games, met = [_begin_game(task, seed) for seed in range(task.first, task.first + task.number)], set()
    while games:
        our_turn = games[0].position.colour == us
        if our_turn:
            met.update(canonical_many(codes_of(game.position for game in games)).tolist())
        moves = (ours if our_turn else theirs)(games)
        games = [
            game._replace(position=game.position.play(move))
            for game, move in zip(games, moves, strict=True)
            if not game.position.ends_with(move)
        ]
    return sorted(met)


def _begin_game(task: Task, seed: int) -> _Game:
    """Return a game after its random opening."""
    position = opening(LITTLE_GO)
    for move in random_opening(LITTLE_GO, task.plies, seed):
        position = position.play(move)
    return _Game(position, random.Random(":".join(map(str, (*task[1:6], seed)))))


def _choose_by_engine(lines: tuple[str, ...]) -> Choose:
    def chosen(games: list[_Game]) -> list[int]:
        moves, _ = decide_many(codes_of(game.position for game in games), _program(lines))
        return list(map(unpack_move, moves))

    return chosen


@lru_cache(maxsize=1)
def _program(lines: tuple[str, ...]) -> np.ndarray:
    return compile_book(book_of_lines(lines))


def _choose_as_opponent(task: Task) -> Choose:
    if task.opponent == OURS:
        return _choose_by_engine(task.lines)
    choose = any_move if task.opponent == ANY else ROLES[task.opponent].choose
    return lambda games: [choose(game.position, game.rng) for game in games]


def any_move(position: Position, rng: random.Random) -> int:
    """Return a random legal move; all legal moves, including the pass, are equally likely."""
    return rng.choice([*points_of(position.legal()), PASS])


def _with_errors(choose: Choose, share: float) -> Choose:
    """Return a function that chooses as `choose` does, but replaces some moves with random legal points.

    share: the probability that a move is replaced. If there is no legal point, the move stays.
    """

    def chosen(games: list[_Game]) -> list[int]:
        moves = choose(games)
        for index, game in enumerate(games):
            legal = points_of(game.position.legal())
            if legal and game.rng.random() < share:
                moves[index] = game.rng.choice(legal)
        return moves

    return chosen


class Met(NamedTuple):
    """Positions, as canonical codes in ascending order, and their tags."""

    codes: np.ndarray
    tags: np.ndarray

    def without(self, codes: Sequence[int] | np.ndarray) -> Met:
        """Return the positions that are not among the given codes."""
        new = ~np.isin(self.codes, codes)
        return Met(self.codes[new], self.tags[new])


def gather_positions(knowledge: Knowledge, games: int, seed: int, jobs: int) -> Met:
    """Return the positions of all sources; see tasks_for. Raise OSError if a file cannot be read."""
    result = cached_results(codes_met, tasks_for(knowledge, games, seed), meaning_of(__name__), jobs, Cache(CACHE))
    parts = [(codes, task.tag) for task, codes in result.items()]
    recorded = [decision.position for decision in read_decisions(DECISIONS)]
    parts += [
        (canonical_many(codes_of(ones)), tag) for ones, tag in ((recorded_positions(), REAL), (recorded, RECORDED))
    ]
    return join_met(parts)


def join_met(parts: Sequence[tuple[Sequence[int], int]]) -> Met:
    """Return the union of lists of codes, with tags.

    parts: (codes, tag) of each list. A position gets the tags of all lists that contain it.
    """
    lists = [(np.asarray(codes, dtype=np.int64), tag) for codes, tag in parts]
    everything = np.unique(np.concatenate([codes for codes, _ in lists]))
    tags = np.zeros(everything.size, dtype=np.uint8)
    for codes, tag in lists:
        tags[np.searchsorted(everything, codes)] |= tag
    return Met(everything, tags)


# The samples and their sizes, as multiples of the requested number of positions.
SAMPLES = ((MET, 1.0), (CENTRE, 1.0), (ASTRAY, 0.25), (TREE, 0.25), (REAL, 0.25), (RECORDED, 0.25))
SAVED_EVERY = 20.0  # seconds
AT_ONCE = ((8, 500), (10, 50), (11, 10))  # (moves left, positions per task up to that many moves left)
Solve = Callable[[np.ndarray], np.ndarray]


def sample_positions(met: Met, numbers: Mapping[int, int], parts: Sequence[str] = PARTS) -> Met:
    """Return the positions to label, each tagged with the samples that contain it.

    numbers: {moves left: number of positions from each of `parts`}. The size of each sample is this number times the
    sample's factor in SAMPLES. Each sample takes the first positions in a fixed pseudo-random order, so a larger number
    only adds positions.
    """
    left, test, tags = moves_left(met.codes), in_test(met.codes), np.zeros_like(met.tags)
    order = np.argsort(scatter(met.codes))
    for moves, number in numbers.items():
        for part in parts:
            here = order[(left[order] == moves) & (test[order] == (part == TEST))]
            for bits, weight in SAMPLES:
                taken = here[met.tags[here] & bits != 0][: round(weight * number)]
                tags[taken] |= met.tags[taken] & bits
    return Met(met.codes[tags != 0], tags[tags != 0])


def read_positions(path: Path, parts: Sequence[str] = PARTS) -> Met:
    """Return the positions of `parts` that a file contains, without tags. Raise ArgumentError as load_codes does."""
    codes = load_codes(path)
    chosen = codes[np.isin(in_test(codes), [part == TEST for part in parts])]
    return Met(chosen, np.zeros(chosen.size, np.uint8))


def label_positions(wanted: Met, path: Path, solve: Solve, jobs: int, scheduler: str | None = None) -> Labels:
    """Label positions, add the labels to a file, and return all labels of the file.

    Positions that already have labels keep them and get the additional tags. The function saves the file every
    SAVED_EVERY seconds, at the end, and after an interrupt.

    solve: a function from codes to masks of winning moves, called on `jobs` threads, or on the workers of a cluster
    (see littlego.cluster); a cluster requires a picklable function.
    """
    labels = load_known(path)
    old, at = np.isin(wanted.codes, labels.codes), np.searchsorted(labels.codes, wanted.codes)
    labels.tags[at[old]] |= wanted.tags[old]
    todo = Met(wanted.codes[~old], wanted.tags[~old])
    done = []
    try:
        saved = time.monotonic()
        for chosen, winning in _solve_all(todo.codes, solve, jobs, scheduler):
            done.append(Labels(todo.codes[chosen], winning, todo.tags[chosen]))
            if time.monotonic() - saved > SAVED_EVERY:
                labels, done = _add_and_save(labels, done, path), []
                saved = time.monotonic()
    finally:
        labels = _add_and_save(labels, done, path)
    return labels


def _add_and_save(labels: Labels, more: Sequence[Labels], path: Path) -> Labels:
    """Save and return the union of `labels`, `more` and the labels that other runs have saved meanwhile."""
    new = Labels(*(np.concatenate(columns) for columns in zip(empty_labels(), *more, strict=True)))
    labels = join_labels(labels, new.where(np.argsort(new.codes)))
    with suppress(ArgumentError):  # the file was damaged after it was read; `labels` has its earlier content
        labels = join_labels(load_known(path), labels)
    save(labels, path)
    return labels


def _solve_all(
    codes: np.ndarray, solve: Solve, jobs: int, scheduler: str | None
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Solve positions in batches; yield (indices, masks of winning moves) of each batch.

    Positions with the fewest moves left are solved first. The function shows a progress bar for each number of moves
    left. Positions with the same number of moves left are solved in the order of sample_positions. Therefore, after an
    interrupt, the positions solved with the current number of moves left resemble a smaller sample.
    """
    left, order = moves_left(codes), np.argsort(scatter(codes))
    for moves in sorted(set(left.tolist())):
        here = order[left[order] == moves]
        size = next((number for most, number in AT_ONCE if moves <= most), 1)
        pieces = [here[start : start + size] for start in range(0, here.size, size)]
        unit = f"{f'part of {here.size} positions' if size > 1 else 'position'} with {moves} moves left"
        result = (
            _solve_remotely(codes, pieces, solve, scheduler)
            if scheduler
            else _solve_locally(codes, pieces, solve, jobs)
        )
        yield from with_progress(result, len(pieces), f" {unit}")


def _solve_remotely(
    codes: np.ndarray, pieces: Sequence[np.ndarray], solve: Solve, scheduler: str
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Solve the pieces on a cluster; yield (piece, masks) as soon as each piece is solved."""
    items = ((piece, codes[piece]) for piece in pieces)
    for (piece, _), masks in each(partial(_solve_item, solve), items, 1, scheduler):
        yield piece, masks


def _solve_item(solve: Solve, item: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    return solve(item[1])


def solve_here(bits: int, codes: np.ndarray) -> np.ndarray:
    """Return the masks of winning moves from this process's solver, whose table has 8 * 2**bits bytes."""
    return _solver_with(bits).winning_many(codes)


_solver_with = lru_cache(maxsize=1)(Solver)  # keyed by the bits of the solver's table


def _solve_locally(
    codes: np.ndarray, pieces: Sequence[np.ndarray], solve: Solve, jobs: int
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Solve the pieces in daemon threads; yield (piece, masks) for each piece.

    Daemon threads do not delay the exit. jobs: the number of threads. An exception in a thread is raised again here.
    """
    waiting = iter(pieces)  # an iterator over a list, from which any thread may take the next piece
    done: SimpleQueue[tuple[np.ndarray | None, Any]] = SimpleQueue()

    def work() -> None:
        try:
            for piece in waiting:
                done.put((piece, solve(codes[piece])))
        except Exception as error:  # raised again by the consumer of the results
            done.put((None, error))

    for _ in range(jobs):
        Thread(target=work, daemon=True).start()
    for _ in pieces:
        solved, masks = done.get()
        if solved is None:
            raise masks
        yield solved, masks
