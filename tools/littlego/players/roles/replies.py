"""The format of a text file that lists replies to positions.

All rotations and reflections of a position share one line. This module runs on Python 3.7.

Each line describes one position, as in `22 - .....|.....|..XO.|.....|..... 11=3 7=1`. The fields are the number of
moves left, the ko field, the board, and the replies with their weights. The ko field is the point that the ko rule
forbids, `pass` if a pass would end the game, or `-`. The board is written row by row, with X for the mover's stones and
O for the opponent's. Points are numbered row by row from 0 to 24, and 25 is a pass. Lines that begin with # describe
the file.
"""

from __future__ import annotations

import os
from functools import lru_cache

from littlego.rules.engine import canonical
from littlego.rules.geometry import Table, image_of, inverse, symmetry_tables
from littlego.rules.position import PASS, Position
from littlego.rules.positionkey import pack_move, unpack_move

_SIGNS = {(0, 0): ".", (1, 0): "X", (0, 1): "O"}
_TABLES = symmetry_tables(5)


def key_of(position: Position) -> tuple[str, Table]:
    """Return (the position's key, the table of the symmetry that maps the position to the key's board).

    Symmetric positions have the same key.
    """
    table, state = canonical(position)
    own, theirs = state.own, state.theirs
    signs = [_SIGNS[own >> point & 1, theirs >> point & 1] for point in range(25)]
    board = "|".join("".join(signs[row : row + 5]) for row in range(0, 25, 5))
    ko = image_of(position.ko, table)
    bound = str(ko.bit_length() - 1) if ko else "pass" if position.passed else "-"
    return f"{position.left} {bound} {board}", table


def turn_move(move: int, table: Table) -> int:
    """Return the image of a move (a point or PASS) under a symmetry; the image of PASS is PASS."""
    return PASS if move == PASS else table[move]


def fixing_symmetries(position: Position) -> list[Table]:
    """Return the tables of the symmetries that leave a position unchanged."""
    masks = position.black, position.white, position.ko
    return [table for table in _TABLES if all(image_of(mask, table) == mask for mask in masks)]


def find_replies(path: str, position: Position) -> dict[int, int]:
    """Return {move: weight} for the replies to a position.

    The result is {} if the file does not exist or does not list the position. A file is read once; later calls use a
    cache.
    """
    key, table = key_of(position)
    undo = inverse(table)
    return {turn_move(move, undo): weight for move, weight in _load_once(path).get(key, {}).items()}


@lru_cache(maxsize=None)
def _load_once(path: str) -> dict[str, dict[int, int]]:
    return load_replies(path) if os.path.exists(path) else {}


def load_replies(path: str) -> dict[str, dict[int, int]]:
    """Return {key: {move: weight}} from a file; raise OSError or ValueError for an unusable file."""
    replies = {}
    with open(path, encoding="ascii") as file:
        for line in file:
            fields = line.split()
            if fields and not line.startswith("#"):
                moves = (word.partition("=") for word in fields[3:])
                replies[" ".join(fields[:3])] = {unpack_move(int(point)): int(weight) for point, _, weight in moves}
    return replies


def format_replies(replies: dict[str, dict[int, int]], about: str) -> str:
    """Return the text of a file of replies. about: the lines that describe the file and its origin."""
    lines = ["# " + line for line in about.splitlines()]
    for key in sorted(replies, key=lambda key: (-int(key.split()[0]), key)):
        moves = sorted(replies[key].items(), key=lambda item: (-item[1], item[0]))
        words = [f"{pack_move(move)}={weight}" for move, weight in moves]
        lines.append(" ".join([key, *words]))
    return "\n".join(lines) + "\n"
