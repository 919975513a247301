"""The positions that patterns are mined from: labels of the working part, and failures of a proof."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from rules.positionkey import PASS_POINT
from tools.arguments import ArgumentError
from tools.compiled.states import TABLES, canonical
from tools.files import short_name
from tools.labels.arrays import in_test, legal_many
from tools.labels.labels import Labels, joined, load
from tools.labels.sources import WORKING


def positions(labels: Path, extra: Sequence[Path] = ()) -> Labels:
    """Return the labels of the working part with the positions of more files; those of the test part are left out.

    Raise ArgumentError, in one line, for a file that is missing or damaged.
    """
    found = load(WORKING, 0, labels)
    for path in extra:
        more = _canonical(*_read(path))
        found = joined(found, more.where(~in_test(more.codes)))
    if not found.codes.size:
        raise ArgumentError("no position of the working part is labelled: run `littlego label`")
    return found


def _read(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Return (codes, masks of winning moves) of an .npz, or of the JSON of a proof."""
    try:
        if path.suffix == ".npz":
            with np.load(path, allow_pickle=False) as file:
                columns = file["codes"], file["winning"] if "winning" in file else _winning(file)
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


def _winning(labels) -> np.ndarray:
    """Return the masks of winning moves of a file of labels, which holds those of losing moves."""
    return legal_many(labels["codes"]) & ~labels["losing"]


def _canonical(codes: np.ndarray, winning: np.ndarray) -> Labels:
    """Return positions turned any way as labels, which come from no source of labels."""
    turned = {}
    for code, mask in zip(codes.tolist(), winning.tolist(), strict=True):
        image, symmetry = canonical(code)
        turned[image] = sum(1 << (TABLES[symmetry][move] if move < PASS_POINT else move) for move in _bits(mask))
    ordered = sorted(turned)
    masks = np.array([turned[code] for code in ordered], np.int32)
    return Labels(np.array(ordered, np.int64), masks, np.zeros(len(ordered), np.uint8))


def _bits(mask: int) -> list[int]:
    return [move for move in range(PASS_POINT + 1) if mask >> move & 1]
