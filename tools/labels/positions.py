"""Solved positions to learn from: labels of the working part, and others whose winning moves are known.

A third of the boards is held out, to judge by what is learned from the others; and nothing of the test part is here.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from rules.geometry import points_of
from rules.positionkey import PASS_POINT
from tools.arguments import ArgumentError
from tools.compiled.states import TABLES, canonical
from tools.files import short_name
from tools.knowledge.overrides import EXACT
from tools.labels.labels import (
    TEST_ONE_IN,
    WORKING,
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

HELD_OUT_ONE_IN = 3  # classes of boards of the working part


def load_positions(labels: Path, extra: Sequence[Path] = ()) -> Labels:
    """Return the labels of the working part with the positions of more files; those of the test part are left out.

    Raise ArgumentError, in one line, for a file that is missing or damaged.
    """
    positions = load(WORKING, 0, labels)
    for path in extra:
        more = _canonical_labels(*_load_columns(path))
        positions = join_labels(positions, more.where(~in_test(more.codes)))
    if not positions.codes.size:
        raise ArgumentError("no position of the working part is labelled: run `littlego label`")
    return positions


def load_weights(codes: np.ndarray, extra: Sequence[Path]) -> np.ndarray:
    """Return how much each position counts, float: 1, or as a file has it whose positions stand for others too.

    The weights of a file are 1 on average, so that it counts as much as it has positions. codes: of canonical images,
    ascending. Raise ArgumentError, in one line, for a file that is damaged.
    """
    weights = np.ones(codes.size)
    for path in extra:
        known = _load_weight(path)
        if known is None:
            continue
        images, weight = known
        at = np.searchsorted(codes, images)
        there = (at < codes.size) & (codes[np.minimum(at, codes.size - 1)] == images)
        weights[at[there]] = (weight / weight.mean())[there]
    return weights


def _load_weight(path: Path) -> tuple[np.ndarray, np.ndarray] | None:
    """Return (codes of canonical images, weights) of an .npz that has weights; None for any other file."""
    if path.suffix != ".npz":
        return None
    try:
        with np.load(path, allow_pickle=False) as file:
            if "weight" not in file:
                return None
            images, weight = canonical_many(file["codes"]), file["weight"].astype(np.float64)
    except (OSError, ValueError, KeyError, TypeError, BadZipFile, EOFError) as error:
        raise ArgumentError(f"cannot read the weights in {short_name(path)}: {error}") from None
    if weight.shape != images.shape or not (np.isfinite(weight) & (weight > 0)).all():
        raise ArgumentError(f"{short_name(path)}: expected a weight above 0 for each of its {images.size} positions")
    return images, weight


def _load_columns(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Return (codes, masks of winning moves) of an .npz, labels among them, or of the JSON of a proof."""
    try:
        if path.suffix == ".npz":
            with np.load(path, allow_pickle=False) as file:
                columns = (
                    file["codes"],
                    file["winning"] if "winning" in file else legal_many(file["codes"]) & ~file["losing"],
                )
        else:
            value = json.loads(path.read_text(encoding="utf-8"))
            failed = value["failed"] if isinstance(value, dict) else value
            columns = [one["code"] for one in failed], [one["winning"] for one in failed]
        codes, winning = (np.array(column, dtype=np.int64) for column in columns)
    except FileNotFoundError:
        raise ArgumentError(f"there is no {short_name(path)}") from None
    except (OSError, ValueError, KeyError, TypeError, OverflowError, BadZipFile, EOFError) as error:
        wanted = "labels, an .npz with codes and winning, or what `prove --json` writes"
        raise ArgumentError(f"cannot read {short_name(path)}: {error}; expected {wanted}") from None
    if codes.shape != winning.shape or codes.ndim != 1:
        raise ArgumentError(
            f"{short_name(path)}: {codes.size} codes and {winning.size} masks, expected as many of each"
        )
    return codes, winning


def _canonical_labels(codes: np.ndarray, winning: np.ndarray) -> Labels:
    """Return positions turned any way as labels, which come from no source of labels."""
    turned = {}
    for code, mask in zip(codes.tolist(), winning.tolist(), strict=True):
        image, symmetry = canonical(code)
        turned[image] = sum(1 << (TABLES[symmetry][move] if move < PASS_POINT else move) for move in points_of(mask))
    ordered = dict(sorted(turned.items()))
    columns = np.array([*ordered], np.int64), np.array([*ordered.values()], np.int32)
    return Labels(*columns, np.zeros(len(ordered), np.uint8))


def at_stake(codes: np.ndarray, winning: np.ndarray) -> np.ndarray:
    """Return which positions are won, can be given away, and are not decided by reading to the end."""
    return np.asarray((winning != 0) & (winning != legal_many(codes)) & (moves_left(codes) > EXACT), dtype=bool)


def held_out(codes: np.ndarray) -> np.ndarray:
    """Return which positions are kept out of the search, to judge what it finds: by the class of the board."""
    return np.asarray(_class_of(codes) % np.uint64(HELD_OUT_ONE_IN) == 0, dtype=bool)


def folds(codes: np.ndarray, number: int) -> np.ndarray:
    """Return in which of so many folds each position is, from 0: by the class of the board, and not by held_out."""
    return np.asarray(_class_of(codes) // np.uint64(HELD_OUT_ONE_IN) % np.uint64(number)).astype(np.int64)


def _class_of(codes: np.ndarray) -> np.ndarray:
    """Return a number that looks random, the same for all positions of a board, and does not depend on in_test."""
    return np.asarray(scatter(own_and_theirs(codes)) // np.uint64(TEST_ONE_IN))
