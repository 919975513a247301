"""The command `dev harvest`, which finds shapes in games of strong players and fits their points.

The model is a softmax over all moves that are legal if the ko rule is ignored. The score of a move is the weight of the
largest known shape around the move plus the weight of the distance from the last move. AdaGrad updates the weights
after every move.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeAlias

import click
import numpy as np
from numpy.typing import NDArray

from littlego.cli.arguments import FINE, ArgumentError, trying_to
from littlego.cli.commandline import POSITIVE, command
from littlego.engines.large import shapes as cells_around
from littlego.engines.large.shapes import CELLS, MOST_POINTS, REACH, RINGS, SYMMETRIES, Shape, images, turned, width_of
from littlego.files import short_name, write_bytes
from littlego.knowledge.model import SCALE
from littlego.learning.fitting import harvest_kernels as kernels
from littlego.parallel import with_progress
from littlego.records.packed_games import PackedGame
from littlego.records.training_games import first_pass, read_training_games

Integers: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
LEAST, ROUNDS, RATE = 20, 4, 0.5
SEED = 1  # of the random numbers that the codes of shapes consist of
# The contents of a cell, by their numbers in harvest_kernels
CONTENTS = bytes([cells_around.EMPTY, cells_around.OWN, cells_around.THEIRS, cells_around.OUTSIDE])


class Cells(NamedTuple):
    """Arrays that describe the cells of shapes on boards of one width; see harvest_kernels."""

    width: int
    rows: Integers
    keys: Integers
    ends: Integers


class Fitted(NamedTuple):
    """The fitted model: weights, float [shapes + 1 + FAR + 1], and counts; see harvest_kernels.learn."""

    weights: Floats
    counts: Floats


@cache
def cells_of(size: int) -> Cells:
    """Return the Cells for boards of the given size."""
    width = width_of(size)
    rows = [[row * width + column for row, column in (turned(cell, s) for cell in CELLS)] for s in range(SYMMETRIES)]
    keys = np.random.default_rng(SEED).integers(1, 1 << 62, size=(len(CELLS), len(CONTENTS)), dtype=np.int64)
    return Cells(width, np.array(rows), keys, np.array(RINGS))


def empty_board(size: int) -> NDArray[np.int8]:
    """Return an empty board of the given size, surrounded by a margin of points outside the board."""
    board = np.full((width_of(size),) * 2, kernels.OUTSIDE, np.int8)
    board[REACH:-REACH, REACH:-REACH] = kernels.EMPTY
    return board.ravel()


def moves_of(game: PackedGame) -> Integers:
    """Return the moves of a game before the first pass or resignation.

    The moves are indices of the array from empty_board.
    """
    row, column = np.divmod(np.array(game.moves[: first_pass(game.moves)], np.int64), game.size)
    moves: Integers = (row + REACH) * width_of(game.size) + column + REACH
    return moves


def found_in(games: Sequence[PackedGame], least: int) -> dict[int, bytes]:
    """Return {code: drawing} of the shapes that are played at least `least` times.

    A shape and its rotations and reflections count as one shape, drawn in the orientation that sorts first. The codes
    are in ascending order.
    """
    codes, contents = zip(*with_progress(map(_played, games), len(games), "game"), strict=True)
    played, cells = np.concatenate(codes), np.concatenate(contents)
    shapes = {}
    for ring, end in enumerate(RINGS):
        found, first, count = np.unique(played[:, ring], return_index=True, return_counts=True)
        for code, place in zip(found[count >= least].tolist(), first[count >= least].tolist(), strict=True):
            shapes[code] = min(images(bytes(CONTENTS[number] for number in cells[place, :end])))
    return dict(sorted(shapes.items()))


def _played(game: PackedGame) -> tuple[Integers, NDArray[np.int8]]:
    cells, moves = cells_of(game.size), moves_of(game)
    codes, contents = np.zeros((moves.size, len(RINGS)), np.int64), np.zeros((moves.size, len(CELLS)), np.int8)
    kernels.played_shapes(empty_board(game.size), moves, *cells, codes, contents)
    return codes, contents


def new_model(shapes: int) -> Fitted:
    """Return a model whose weights are 0."""
    size = shapes + 1 + kernels.FAR + 1
    return Fitted(np.zeros(size), np.zeros((size, 2)))


def fit(model: Fitted, games: Sequence[PackedGame], codes: Sequence[int], rounds: int) -> Iterator[Floats]:
    """Fit a model in rounds; yield the agreement of each round and of a last round without learning.

    An agreement consists of the share of moves that the model ranks first, the share that it ranks among the first
    five, and the mean of -ln of a move's probability. The model evaluates each move before learning from it. The last
    round sets the model's counts. codes: the codes of the model's shapes, in ascending order.
    """
    known = np.array(codes, np.int64)
    totals = np.zeros(model.weights.size)
    for number in range(rounds + 1):
        model.counts[:] = 0
        yield _learned(games, known, model, totals, RATE / (1 + number) if number < rounds else 0.0)


def _learned(games: Sequence[PackedGame], known: Integers, model: Fitted, totals: Floats, rate: float) -> Floats:
    total = np.zeros(4)
    for game in with_progress(games, len(games), "game"):
        cells, board = cells_of(game.size), empty_board(game.size)
        total += kernels.learn(board, moves_of(game), *cells, known, model.weights, totals, rate, model.counts)
    agreement: Floats = total[1:] / max(total[0], 1)
    return agreement


def shapes_of(model: Fitted, drawings: Sequence[bytes]) -> list[Shape]:
    """Return the shapes with their points, highest points first.

    A shape is omitted if it is not the largest known shape around any legal move of the games. A shape with 0 points is
    as good as an average move.
    """
    weights, counts = model.weights[: len(drawings)], model.counts[: len(drawings)]
    mean = np.log((counts[:, 1] * np.exp(weights)).sum() / max(counts[:, 1].sum(), 1))
    points = np.round(SCALE * (weights - mean)).clip(-MOST_POINTS, MOST_POINTS).astype(int).tolist()
    played, seen = counts[:, 0].astype(int).tolist(), counts[:, 1].astype(int).tolist()
    shapes = [Shape(*values) for values in zip(drawings, points, played, seen, strict=True) if values[3]]
    return sorted(shapes, key=lambda shape: (-shape.points, shape.drawing))


def file_of(shapes: Sequence[Shape], about: Sequence[str]) -> bytes:
    """Return the content of a file of shapes. about: comment lines."""
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
@click.option("--rounds", type=POSITIVE, default=ROUNDS, show_default=True, metavar="N", help="Rounds of learning.")
@click.option(
    "-o",
    "output",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE",
    help="Write the shapes to FILE. The player reads tools/littlego/engines/large/shapes.txt.",
)
def harvest(games: tuple[Path, ...], least: int, rounds: int, output: Path) -> int:
    """Find the shapes that strong players play, and fit a score in points to each shape.

    GAMES are files of `littlego dev selfplay`, SGF files, folders of SGF files, or lists of games. A shape describes
    the surroundings of a move: stones, empty points and edges. The fact `shape(P)` is the score of the largest known
    shape around P. The command also fits and prints the score of each distance from the last move.
    """
    read = read_training_games(*games)
    used = [game for game in read.games if moves_of(game).size]
    if not used:
        raise ArgumentError("; ".join(["no game has a move to learn from", *read.reports]))
    print("".join(f"{line}\n" for line in read.reports), end="", flush=True)
    found = found_in(used, least)
    if not found:
        raise ArgumentError(f"no shape was played {least} times; use more games or a smaller --least")
    model = new_model(len(found))
    for agreement in fit(model, used, list(found), rounds):
        print(f"first {agreement[0]:.1%}, first 5 {agreement[1]:.1%}, surprise {agreement[2]:.3f}", flush=True)
    shapes = shapes_of(model, list(found.values()))
    about = [
        f"{len(shapes):,} shapes that `littlego dev harvest --least {least}` found in {len(used):,} games.",
        "A line has the cells from near to far (X the mover's stones, O the opponent's, # outside the board), points,",
        "and how many moves of the players and how many legal moves had the shape as their largest known shape.",
    ]
    with trying_to(f"write {short_name(output)}"):
        write_bytes(output, file_of(shapes, about))
    steps = SCALE * (model.weights[-kernels.FAR - 1 :] - model.weights[-1])
    print("points by steps from the last move:", *(f"{number}: {points:.0f}" for number, points in enumerate(steps)))
    print(f"{short_name(output)}: wrote {len(shapes):,} shapes")
    return FINE
