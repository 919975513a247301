"""The overrides that a command is about; and those that a proof finds, in positions turned any way, written."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from rules.geometry import image_of
from rules.overrides import OverridesError
from rules.positionkey import PASS_POINT, unpack
from tools.arguments import ArgumentError, trying_to
from tools.compiled.states import TABLES, canonical
from tools.data import OVERRIDES
from tools.draw.boards import board_text, move_text
from tools.files import short_name, write_bytes
from tools.knowledge import overrides


def asked_for(path: Path | None) -> dict[int, int]:
    """Return the overrides of a file: by default of overrides.txt, if there is one. Raise ArgumentError."""
    if path is None and not OVERRIDES.exists():
        return {}
    path = path or OVERRIDES
    try:
        with trying_to(f"read {short_name(path)}"):
            return overrides.read(path)
    except OverridesError as error:
        raise ArgumentError(f"{short_name(path)}: {error}") from None


class Contradiction(ValueError):
    """One position with two moves that no symmetry makes the same; the text draws it."""


def write(path: str | os.PathLike, moves: Mapping[int, int] | Iterable[tuple[int, int]]) -> int:
    """Write the overrides.txt of positions (codes, turned any way) and their moves (25 passes), whole or not at all.

    Return how many there are, modulo symmetry. Raise Contradiction, ValueError for an illegal move, a code that is none
    or one with two moves left or fewer, or OSError.
    """
    kept = on_canonical_images(moves)
    write_bytes(path, overrides.to_bytes(kept))
    return len(kept)


def on_canonical_images(moves: Mapping[int, int] | Iterable[tuple[int, int]]) -> dict[int, int]:
    """Return {code of the canonical image: the move there}; of moves that are images of each other the smallest."""
    found: dict[int, int] = {}
    for code, move in moves.items() if isinstance(moves, Mapping) else moves:
        canonical_code, symmetry = canonical(code)
        image = _turned(move, TABLES[symmetry])
        known = found.setdefault(canonical_code, image)
        if image != known:
            found[canonical_code] = _the_smaller(canonical_code, image, known)
    return found


def _turned(move: int, table: tuple[int, ...]) -> int:
    return table[move] if 0 <= move < PASS_POINT else move


def _the_smaller(code: int, move: int, known: int) -> int:
    """Return the smaller of two moves that a symmetry of the position makes the same; raise Contradiction if none."""
    position = unpack(code)
    masks = position.black, position.white, position.ko
    same = [table for table in TABLES if all(image_of(mask, table) == mask for mask in masks)]
    if known not in [_turned(move, table) for table in same]:
        names = " and ".join("PASS" if one == PASS_POINT else move_text(one, 5) for one in sorted((move, known)))
        drawn = board_text(5, position.black, position.white)
        raise Contradiction(f"two moves, {names}, for one position with {position.left} moves left:\n{drawn}")
    return min(move, known)
