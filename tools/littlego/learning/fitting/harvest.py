"""The command `dev harvest`, which finds shapes in strong players' games and fits the shapes' points.

The model is a softmax over all moves that are legal if the ko rule is ignored. The score of a move is the sum of three
scores: the score of the largest known shape around the move, the score of the largest known answer (a shape that marks
the opponent's last move), and the score of the move's distances from the last two moves. The score of a shape is the
sum of its own weight and the weights of the smaller known shapes that it contains. The weights have independent normal
prior distributions with the mean 0, so a rarely played shape scores much like the next smaller shape. A shape that
scores almost like the next smaller shape is omitted.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple, TypeAlias

import click
import numpy as np
from numpy.typing import NDArray

from littlego.cli.arguments import FINE, ArgumentError, trying_to
from littlego.cli.commandline import POSITIVE, command, jobs_option
from littlego.engines.large.shapes import (
    CELLS,
    CONTENTS,
    ENDS,
    LAST,
    MOST_POINTS,
    NOWHERE,
    REACH,
    SYMMETRIES,
    Shape,
    drawing_of,
    images,
    turned,
    width_of,
)
from littlego.files import short_name, write_bytes
from littlego.knowledge.model import SCALE
from littlego.knowledge.problems import plural
from littlego.learning.fitting import harvest_kernels as kernels
from littlego.learning.fitting.samples import Sample, sampled, weight_of
from littlego.learning.fitting.table import FIVE
from littlego.parallel import each, with_progress
from littlego.records.packed_games import PackedGame
from littlego.records.training_games import first_pass, read_training_games

Integers: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
LEAST, MOVES = 6, 120
SEED = 1  # of the random numbers that the codes of shapes consist of
DEVIATION = 1.0  # of the prior distribution of a weight
CLOSE_SCORE = 0.1  # a shape is omitted if the next smaller shape's score differs by less
MOST_STEPS, CLOSE = 80, 1e-7  # of L-BFGS; it stops when a step changes the objective by less than this share
PARTS = 16  # of the choices, so that the sums do not depend on the number of threads
HEADER = [
    "A line stands for a drawing and its rotations and reflections. A drawing shows the cells around a move,",
    "nearest first; the distance is rows + columns + the larger of both. X is a stone of the mover, O of the",
    "opponent, o the opponent's last move (in answers), . an empty point, ? any content, and # a cell off the",
    "board. The points and two counts follow: the players' moves, and all legal moves, whose largest known shape",
    "or answer this is. The points of a move's shape and answer are added; 0 is the mean.",
]


class Cells(NamedTuple):
    """Arrays that describe the cells of shapes on boards of one width; see harvest_kernels."""

    width: int
    rows: Integers
    keys: Integers
    marks: Integers
    ends: Integers


@cache
def cells_of(size: int) -> Cells:
    """Return the Cells for boards of the given size."""
    width = width_of(size)
    rows = [[row * width + column for row, column in (turned(cell, s) for cell in CELLS)] for s in range(SYMMETRIES)]
    keys = np.random.default_rng(SEED).integers(1, 1 << 62, size=(len(CELLS), len(CONTENTS) + 1), dtype=np.int64)
    return Cells(width, np.array(rows), keys[:, :-1].copy(), keys[:, -1].copy(), np.array(ENDS))


def empty_board(size: int) -> NDArray[np.int8]:
    """Return an empty board of the given size, surrounded by a margin of points outside the board."""
    board = np.full((width_of(size),) * 2, kernels.OUTSIDE, np.int8)
    board[REACH:-REACH, REACH:-REACH] = kernels.EMPTY
    return board.ravel()


def before_pass(game: PackedGame) -> PackedGame:
    """Return a game, truncated before its first pass or resignation."""
    return game._replace(moves=game.moves[: first_pass(game.moves)])


def moves_of(game: PackedGame) -> Integers:
    """Return the moves of a game from before_pass, as indices of the array from empty_board."""
    row, column = np.divmod(np.array(game.moves, np.int64), game.size)
    moves: Integers = (row + REACH) * width_of(game.size) + column + REACH
    return moves


@dataclass(frozen=True)
class KnownShapes:
    """The shapes that are played often, in ascending order of their codes.

    codes: int64 [shapes]. drawings: the drawings. level: int64 [shapes], the number of rings. parent: int64 [shapes],
    the index of the shape without the outermost ring; 0 for shapes without rings, whose level is 0.
    """

    codes: Integers
    drawings: list[bytes]
    level: Integers
    parent: Integers

    def sums(self, weights: Floats) -> Floats:
        """Return the score of each shape: its own weight plus the score of its parent."""
        scores = weights.copy()
        for level in range(1, len(ENDS)):
            at = np.flatnonzero(self.level == level)
            scores[at] += scores[self.parent[at]]
        return scores

    def totals(self, slope: Floats) -> Floats:
        """Return, for each shape, the sum of `slope` over the shape and all shapes that contain it."""
        totals = slope.copy()
        for level in reversed(range(1, len(ENDS))):
            at = np.flatnonzero(self.level == level)
            np.add.at(totals, self.parent[at], totals[at])
        return totals

    def nearest(self, scores: Floats) -> Integers:
        """Return, for each shape, the index of the largest remaining shape in it (perhaps itself), or -1.

        A shape remains if its score differs by at least CLOSE_SCORE from the score of the largest remaining smaller
        shape, or from 0 if no smaller shape remains.
        """
        nearest = np.full(scores.size, -1)
        padded = np.append(scores, 0.0)
        for level in range(len(ENDS)):
            at = np.flatnonzero(self.level == level)
            smaller = nearest[self.parent[at]] if level else np.full(at.size, -1)
            nearest[at] = np.where(np.abs(scores[at] - padded[smaller]) >= CLOSE_SCORE, at, smaller)
        return nearest


def shapes_in(games: Sequence[PackedGame], least: int) -> KnownShapes:
    """Return the shapes and answers that are played at least `least` times.

    A shape and its rotations and reflections count as one shape, drawn in the orientation that sorts first.
    """
    codes, contents = zip(*with_progress(map(_played, games), len(games), "game"), strict=True)
    played, cells = np.concatenate(codes), np.concatenate(contents)
    rows = []
    for kind in range(2):
        for ring, end in enumerate(ENDS):
            code, first, count = np.unique(played[:, kind, ring], return_index=True, return_counts=True)
            for number in np.flatnonzero((count >= least) & (code >= 0)).tolist():
                place = first[number]
                parent = played[place, kind, ring - 1] if ring else 0
                rows.append((int(code[number]), ring, int(parent), _drawing(cells[place], kind, end)))
    rows.sort()
    known = np.array([row[0] for row in rows], np.int64)
    parents = np.searchsorted(known, np.array([row[2] for row in rows], np.int64))
    return KnownShapes(known, [row[3] for row in rows], np.array([row[1] for row in rows]), parents)


def _played(game: PackedGame) -> tuple[Integers, NDArray[np.int8]]:
    cells, moves = cells_of(game.size), moves_of(game)
    codes = np.zeros((moves.size, 2, len(ENDS)), np.int64)
    contents = np.zeros((moves.size, len(CELLS) + 1), np.int8)
    kernels.played_shapes(empty_board(game.size), moves, *cells, codes, contents)
    return codes, contents


def _drawing(cells: NDArray[np.int8], kind: int, end: int) -> bytes:
    place = int(cells[-1]) if kind else NOWHERE
    return drawing_of(*min(images(place, bytes(CONTENTS[number] for number in cells[:end]))))


class Choices(NamedTuple):
    """Moves of games and their alternatives; see harvest_kernels.slopes."""

    features: NDArray[np.int32]
    starts: Integers
    right: Integers
    weight: Floats


def choices_in(samples: Sequence[Sample], codes: Integers, jobs: int) -> Choices:
    """Return the choices of the selected moves. codes: the codes of the known shapes, in ascending order."""
    done = dict(with_progress(each(partial(_choices, codes), samples, jobs), len(samples), "game"))
    parts = [done[sample] for sample in samples]
    rows = np.cumsum([0, *(len(part.features) for part in parts)])
    return Choices(
        np.concatenate([part.features for part in parts]),
        np.concatenate([[0], *(part.starts[1:] + row for part, row in zip(parts, rows, strict=False))]),
        np.concatenate([part.right + row for part, row in zip(parts, rows, strict=False)]),
        np.concatenate([part.weight for part in parts]),
    )


def _choices(codes: Integers, sample: Sample) -> Choices:
    game, plies = sample
    cells, moves = cells_of(game.size), moves_of(game)
    chosen = np.isin(np.arange(moves.size), plies)
    count = int(chosen.sum())
    features = np.zeros((count * game.size**2, 3), np.int32)
    starts, right = np.zeros(count + 1, np.int64), np.zeros(count, np.int64)
    rows = kernels.options(empty_board(game.size), moves, chosen, *cells, codes, features, starts, right)
    if (right < 0).any():
        game.positions()  # raises GamesError, which names the illegal move
    weight = np.array([weight_of(game, ply, 1.0) for ply in np.flatnonzero(chosen).tolist()])
    return Choices(features[:rows].copy(), starts, right, weight)


class Model:
    """The model of this module for some choices. known: the known shapes.

    The weights are an array, float [shapes + DISTANCES]. The score of an unknown shape is 0.
    """

    def __init__(self, known: KnownShapes, choices: Choices, jobs: int) -> None:
        self.known = known
        self.choices = choices
        self.jobs = jobs
        self.shapes = len(known.drawings)
        ends = [part * choices.right.size // PARTS for part in range(PARTS + 1)]
        self.parts = [slice(*pair) for pair in zip(ends, ends[1:], strict=False)]

    def slopes(self, weights: Floats) -> tuple[float, Floats, Integers]:
        """Return (the surprise, its slope with respect to each weight, the rank of each chosen move).

        The surprise is the weighted sum of -ln(probability).
        """
        scores = np.append(self.known.sums(weights[: self.shapes]), 0.0)
        ranks = np.zeros(self.choices.right.size, np.int64)
        with ThreadPoolExecutor(self.jobs) as threads:
            parts = list(threads.map(partial(self._part, scores, weights[self.shapes :], ranks), self.parts))
        surprises, slopes, distance_slopes = zip(*parts, strict=True)
        totals = self.known.totals(np.sum(slopes, axis=0)[: self.shapes])
        return sum(surprises), np.concatenate([totals, np.sum(distance_slopes, axis=0)]), ranks

    def _part(self, scores: Floats, distances: Floats, ranks: Integers, part: slice) -> tuple[float, Floats, Floats]:
        slope, distance_slope = np.zeros(scores.size), np.zeros(distances.size)
        features, starts, right, weight = self.choices
        starts = starts[part.start : part.stop + 1]
        surprise = kernels.slopes(
            features, starts, right[part], weight[part], scores, distances, slope, distance_slope, ranks[part]
        )
        return surprise, slope, distance_slope

    def fit(self) -> tuple[Floats, int]:
        """Return (the weights with the highest posterior density, the number of steps).

        The fit stops after MOST_STEPS steps, even if it has not converged.
        """
        from scipy.optimize import minimize

        scale = 1 / np.sqrt(self._played() + DEVIATION**-2)

        def objective(scaled: Floats) -> tuple[float, Floats]:
            weights = scaled * scale
            surprise, slope, _ = self.slopes(weights)
            away = weights / DEVIATION
            return surprise + float(np.square(away).sum()) / 2, (slope + away / DEVIATION) * scale

        options = {"maxiter": MOST_STEPS, "ftol": CLOSE}
        result = minimize(objective, np.zeros(scale.size), jac=True, method="L-BFGS-B", options=options)
        return result.x * scale, int(result.nit)

    def _played(self) -> Floats:
        """Return, for each weight, the weighted number of chosen moves whose score includes the weight."""
        chosen, weight = self.choices.features[self.choices.right], self.choices.weight
        shapes = np.bincount(chosen[:, :2].ravel(), np.repeat(weight, 2), self.shapes + 1).astype(np.float64)
        distances = np.bincount(chosen[:, 2], weight, kernels.DISTANCES)
        return np.concatenate([self.known.totals(shapes[: self.shapes]), distances])

    def agreement(self, weights: Floats) -> str:
        """Return a line: how often chosen moves rank first and among the first FIVE, and the mean surprise."""
        surprise, _, ranks = self.slopes(weights)
        mean = surprise / self.choices.weight.sum()
        return f"first {(ranks == 0).mean():.1%}, first {FIVE} {(ranks < FIVE).mean():.1%}, surprise {mean:.3f}"

    def scored_shapes(self, weights: Floats) -> list[Shape]:
        """Return the shapes with their points, highest points first.

        A shape is omitted if its score is close to the score of the largest remaining shape that it contains, or if it
        is not the largest remaining shape around any move.
        """
        scores = self.known.sums(weights[: self.shapes])
        nearest = np.append(self.known.nearest(scores), -1)
        played = self._counts(nearest, self.choices.features[self.choices.right])
        seen = self._counts(nearest, self.choices.features)
        answers = np.array([LAST in drawing for drawing in self.known.drawings])
        result = []
        for kind in (answers, ~answers):
            used = np.flatnonzero(kind & (seen > 0))
            mean = np.log(np.average(np.exp(scores[used]), weights=seen[used])) if used.size else 0.0
            for at in used.tolist():
                points = round(float(np.clip(SCALE * (scores[at] - mean), -MOST_POINTS, MOST_POINTS)))
                result.append(Shape(self.known.drawings[at], points, int(played[at]), int(seen[at])))
        return sorted(result, key=lambda shape: (-shape.points, shape.drawing))

    def _counts(self, nearest: Integers, features: NDArray[np.int32]) -> Integers:
        """Return how often each shape is the largest remaining shape or answer in `features`: int [shapes].

        nearest: the result of KnownShapes.nearest, with a final -1. features: see harvest_kernels.options.
        """
        rows = np.bincount(features[:, 0], minlength=self.shapes + 1)
        rows += np.bincount(features[:, 1], minlength=self.shapes + 1)
        counts = np.zeros(self.shapes, np.int64)
        np.add.at(counts, nearest[nearest >= 0], rows[nearest >= 0])
        return counts


def file_of(shapes: Sequence[Shape], learned: str) -> bytes:
    """Return the content of a file of shapes. learned: a description of the training data."""
    answers = sum(LAST in shape.drawing for shape in shapes)
    about = [f"{len(shapes):,} shapes, {answers:,} of them answers, from {learned}.", *HEADER]
    lines = [f"# {line}" for line in about]
    lines += [f"{shape.drawing.decode()} {shape.points} {shape.played} {shape.seen}" for shape in shapes]
    return "\n".join([*lines, ""]).encode()


@command(
    "harvest",
    example="littlego dev harvest games.txt.xz -o shapes.txt\nlittlego dev harvest folder --least 50 -o shapes.txt",
)
@click.argument("games", metavar="GAMES...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--least",
    type=POSITIVE,
    default=LEAST,
    show_default=True,
    metavar="N",
    help="Include only shapes that were played at least N times.",
)
@click.option(
    "--moves",
    type=POSITIVE,
    default=MOVES,
    show_default=True,
    metavar="N",
    help="Fit the points to at most N moves of each game.",
)
@click.option(
    "-o",
    "output",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE",
    help="Write the shapes to FILE. The player reads tools/littlego/engines/large/shapes.txt.",
)
@jobs_option
def harvest(games: tuple[Path, ...], least: int, moves: int, output: Path, jobs: int) -> int:
    """Find the shapes that strong players play, and fit a score in points to each shape.

    GAMES are files of `littlego dev selfplay`, SGF files, folders of SGF files, or lists of games. A shape describes
    the surroundings of a move: stones, empty points and edges. An answer is a shape that also marks the opponent's last
    move. The facts `shape(P)` and `answer(P)` are the scores of the largest known shape and answer around P. The
    command also scores the distances from the last moves, and ranks the legal moves in the same games by all these
    scores. The command prints how often the move that was played ranks first, and how often among the first five.
    """
    if output.is_dir() or not output.parent.is_dir():
        raise ArgumentError(f"cannot write {short_name(output)}: expected a file in an existing folder")
    if output.resolve() in [path.resolve() for path in games]:
        raise ArgumentError(f"cannot write {short_name(output)}: it is an input file; choose another file")
    read = read_training_games(*games)
    samples = sampled([before_pass(game) for game in read.games], moves, loser=1.0)
    if not samples:
        raise ArgumentError("; ".join(["no game has a move to learn from", *read.reports]))
    print("".join(f"{line}\n" for line in read.reports), end="", flush=True)
    known = shapes_in([sample.game for sample in samples], least)
    if len(known.drawings) < 2:
        raise ArgumentError(f"no shape was played {least} times; use more games or a smaller --least")
    model = Model(known, choices_in(samples, known.codes, jobs), jobs)
    weights, steps = model.fit()
    print(f"{model.agreement(weights)}, after {steps} steps")
    shapes = model.scored_shapes(weights)
    learned = f"{plural(len(samples), 'game')}: `littlego dev harvest --least {least} --moves {moves}`"
    with trying_to(f"write {short_name(output)}"):
        write_bytes(output, file_of(shapes, learned))
    print(f"{short_name(output)}: wrote {len(shapes):,} shapes")
    return FINE
