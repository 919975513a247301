"""Solved positions for training: labels of the working part and positions from other files.

A third of the boards of the working part are held out (see held_out) to evaluate results that were learned from the
other boards. load_positions and load_weighted also return the positions on held-out boards, but no positions of the
test part.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from operator import index
from pathlib import Path
from typing import NamedTuple

import numpy as np

from littlego.arrays import DAMAGES
from littlego.cli.arguments import ArgumentError
from littlego.engines.compiled.states import TABLES, canonical
from littlego.files import short_name
from littlego.knowledge.overrides import EXACT
from littlego.rules.geometry import points_of
from littlego.rules.positionkey import KO_AT, PASS_POINT, POINTS, WHITE_AT
from littlego.rules.ruleset import LITTLE_GO
from littlego.truth.labels import TEST_ONE_IN, WORKING
from littlego.truth.labels.labels import (
    Labels,
    canonical_many,
    in_test,
    join_labels,
    legal_many,
    load,
    moves_left,
    own_and_theirs,
    scatter,
)

HELD_OUT_ONE_IN = 3  # one class of boards in this many is held out of the working part


class Columns(NamedTuple):
    """Positions in a file, in any orientation: codes, masks of winning moves, and weights with mean 1."""

    codes: np.ndarray
    winning: np.ndarray
    weight: np.ndarray


def load_positions(labels: Path, extra: Sequence[Path] = ()) -> Labels:
    """Return the labels of the working part and of the `extra` files, except positions of the test part.

    Raise ArgumentError, with a one-line message, for a missing or damaged file.
    """
    return load_weighted(labels, extra)[0]


def load_weighted(labels: Path, extra: Sequence[Path] = ()) -> tuple[Labels, np.ndarray]:
    """Return (the positions from load_positions, their weights). A weight is 1 unless a file specifies another weight.

    A file specifies weights if it contains a sample, each of whose positions represents several positions. The weights
    in each file are scaled to a mean of 1. If a position is in several files, the last file sets its weight.
    """
    positions, weighed = load(WORKING, 0, labels), []
    for path in extra:
        columns = _load_columns(path)
        more = _canonical_labels(columns.codes, columns.winning)
        positions = join_labels(positions, more.where(~in_test(more.codes)))
        weighed.append((canonical_many(columns.codes), columns.weight))
    if not positions.codes.size:
        raise ArgumentError("no position of the working part is labelled: run `littlego dev label`")
    return positions, _weights(positions.codes, weighed)


def _weights(codes: np.ndarray, weighed: Sequence[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """Return the weight of each position.

    codes: the positions' codes, ascending. weighed: (canonical codes, weights) for each file.
    """
    weights = np.ones(codes.size)
    for images, weight in weighed:
        at = np.searchsorted(codes, images)
        there = (at < codes.size) & (codes[np.minimum(at, codes.size - 1)] == images)
        weights[at[there]] = weight[there]
    return weights


def _load_columns(path: Path) -> Columns:
    """Return the positions in a file.

    path: an .npz file such as labels.npz, or the JSON output of `prove`, of which only the failures are read.
    """
    try:
        if path.suffix == ".npz":
            with np.load(path, allow_pickle=False) as file:
                codes = file["codes"]
                winning = file["winning"] if "winning" in file else legal_many(codes) & ~file["losing"]
                weight = file["weight"] if "weight" in file else np.ones(codes.shape)
        else:
            value = json.loads(path.read_text(encoding="utf-8"))
            failed = value["failed"] if isinstance(value, dict) else value
            codes, winning = [one["code"] for one in failed], [one["winning"] for one in failed]
            weight = np.ones(len(failed))
        columns = Columns(np.array(codes, np.int64), np.array(winning, np.int64), np.array(weight, np.float64))
    except FileNotFoundError:
        raise ArgumentError(f"there is no {short_name(path)}") from None
    except DAMAGES as error:
        wanted = "labels, an .npz with codes and winning, or the output of `prove --json`"
        raise ArgumentError(f"cannot read {short_name(path)}: {error}; expected {wanted}") from None
    _check(columns, short_name(path))
    return columns._replace(weight=columns.weight / columns.weight.mean()) if columns.weight.size else columns


def load_codes(path: Path) -> np.ndarray:
    """Return the distinct canonical codes of the positions in a file, ascending.

    The file is an .npz file with an array `codes`, or a text file with a JSON object with the key `code` on each line.
    Raise ArgumentError for any other file.
    """
    try:
        if path.suffix == ".npz":
            with np.load(path, allow_pickle=False) as file:
                codes = file["codes"].astype(np.int64, casting="safe")
        else:
            lines = path.read_text(encoding="utf-8").splitlines()
            codes = np.array([index(json.loads(line)["code"]) for line in lines], np.int64)
    except DAMAGES as error:
        wanted = "an .npz file with `codes`, or the JSON lines of `zero doubts -o`"
        raise ArgumentError(f"cannot read {short_name(path)}: {error}; expected {wanted}") from None
    if codes.ndim != 1 or not _are_positions(codes).all():
        raise ArgumentError(f"{short_name(path)}: found codes that are not keys of Little-Go positions")
    return np.unique(canonical_many(codes))


def _are_positions(codes: np.ndarray) -> np.ndarray:
    """Return, for each code, whether its fields are valid. Chains without liberties are not rejected."""
    left, ko, both = moves_left(codes), codes >> KO_AT & 31, codes & codes >> WHITE_AT & (1 << POINTS) - 1
    return np.asarray((left >= 1) & (left <= LITTLE_GO.length) & (ko <= POINTS) & (both == 0), dtype=bool)


def _check(columns: Columns, name: str) -> None:
    """Raise ArgumentError if the columns of a file are inconsistent."""
    codes, winning, weight = columns
    if codes.shape != winning.shape or codes.ndim != 1:
        shapes = f"codes of the shape {codes.shape} and masks of the shape {winning.shape}"
        raise ArgumentError(f"{name}: {shapes}; expected two lists of equal length")
    if weight.shape != codes.shape or not (np.isfinite(weight) & (weight > 0)).all():
        raise ArgumentError(f"{name}: expected a weight above 0 for each of its {codes.size} positions")


def _canonical_labels(codes: np.ndarray, winning: np.ndarray) -> Labels:
    """Return labels without tags for the canonical images of positions, which may have any orientation."""
    turned = {}
    for code, mask in zip(codes.tolist(), winning.tolist(), strict=True):
        image, symmetry = canonical(code)
        turned[image] = sum(1 << (TABLES[symmetry][move] if move < PASS_POINT else move) for move in points_of(mask))
    ordered = dict(sorted(turned.items()))
    columns = np.array([*ordered], np.int64), np.array([*ordered.values()], np.int32)
    return Labels(*columns, np.zeros(len(ordered), np.uint8))


def at_stake(codes: np.ndarray, winning: np.ndarray) -> np.ndarray:
    """Return, for each position, whether the win is at stake.

    The win is at stake if the position has winning moves, losing moves and more than EXACT moves left.
    """
    return np.asarray((winning != 0) & (winning != legal_many(codes)) & (moves_left(codes) > EXACT), dtype=bool)


def held_out(codes: np.ndarray) -> np.ndarray:
    """Return, for each position, whether its board is held out for evaluation."""
    return np.asarray(_class_of(codes) % np.uint64(HELD_OUT_ONE_IN) == 0, dtype=bool)


def folds(codes: np.ndarray, number: int) -> np.ndarray:
    """Return each position's fold, 0 to number - 1.

    The fold depends only on the position's board, and is statistically independent of `held_out`.
    """
    return np.asarray(_class_of(codes) // np.uint64(HELD_OUT_ONE_IN) % np.uint64(number)).astype(np.int64)


def _class_of(codes: np.ndarray) -> np.ndarray:
    """Return a pseudo-random number for each position.

    The number depends only on the board, and is statistically independent of `in_test`.
    """
    return np.asarray(scatter(own_and_theirs(codes)) // np.uint64(TEST_ONE_IN))
