"""The reader and writer of overrides.txt; both check every override.

An override has a code and a move. The code represents a canonical position (see rules.positionkey). The move is a point
of the canonical position, or 25 for a pass.
"""

from __future__ import annotations

import os
from binascii import crc32
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

from littlego.cli.arguments import ArgumentError, trying_to
from littlego.files import LARGEST_SERIES, describe_conflict, read_limited, short_name
from littlego.rules.geometry import make_grid
from littlego.rules.overrides import (
    A_PASS,
    FIRST_POINT,
    LETTERS,
    MAGIC,
    RECORD,
    VERSION,
    OverridesError,
    check_of,
    letters_of,
    read_header,
    read_record,
)
from littlego.rules.position import is_legal
from littlego.rules.positionkey import PASS_POINT, POINTS, pack_move, unpack_fields
from littlego.rules.ruleset import LITTLE_GO
from littlego.rules.turn import as_written

NAME = "overrides.txt"
EXACT = 2  # with at most this many moves left the engine decides exactly and needs no override
GRID, MOST_LEFT = make_grid(LITTLE_GO.size), LITTLE_GO.length
_VALUES = {letter: value for value, letter in enumerate(LETTERS)}


def to_bytes(moves: Mapping[int, int]) -> bytes:
    """Return the bytes of an overrides.txt. moves: {code: move}. Raise ValueError for an invalid override."""
    records = []
    for code, move in sorted(moves.items()):
        if fault := fault_of(code, move):
            raise ValueError(f"the override {code}: {fault}")
        entry = letters_of(code) + bytes([A_PASS if move == PASS_POINT else FIRST_POINT + move])
        records.append(entry + bytes([check_of(entry), 10]))
    body = b"".join(records)
    return f"{MAGIC} {VERSION} {LITTLE_GO.name} {len(records)} {crc32(body):08x}\n".encode() + body


def read(path: str | os.PathLike[str]) -> dict[int, int]:
    """Return {code: move} for the overrides in a file, in ascending order of the codes.

    Raise OSError if the file cannot be read, and OverridesError if the file is damaged.
    """
    if os.path.exists(path) and not os.path.isfile(path):  # reading a pipe would wait for its writer
        raise OverridesError("not a regular file")
    data = as_written(read_limited(path, LARGEST_SERIES))
    if conflict := describe_conflict(data):
        raise OverridesError(conflict)
    start, count, checksum = read_header(BytesIO(data))
    if f"{crc32(data[start:]):08x}" != checksum:
        raise OverridesError("the checksum does not match: the file is truncated, or was edited by hand")
    if len(data) != start + RECORD * count:
        raise OverridesError(f"the file has {len(data)} bytes, expected {start + RECORD * count}")
    moves: dict[int, int] = {}
    last = -1
    for index in range(count):
        key, move = read_record(data[start + RECORD * index : start + RECORD * (index + 1)], index)
        code = _code_of(key)
        if fault := "out of order" if code <= last else fault_of(code, pack_move(move)):
            raise OverridesError(f"record {index + 1}: {fault}")
        moves[code] = pack_move(move)
        last = code
    return moves


def load_overrides(path: Path | None) -> dict[int, int]:
    """Return {code: move} for the overrides in a file, or {} if the path is None.

    Raise ArgumentError if the file cannot be read or is damaged.
    """
    if path is None:
        return {}
    try:
        with trying_to(f"read {short_name(path)}"):
            return read(path)
    except OverridesError as error:
        raise ArgumentError(f"{short_name(path)}: {error}") from None


def _code_of(key: bytes) -> int:
    """Return the code that the letters of a record encode, or -1 for invalid letters."""
    code = 0
    for letter in key:
        if letter not in _VALUES:
            return -1
        code = code << 6 | _VALUES[letter]
    return code


def fault_of(code: int, move: int) -> str:
    """Return why an override is invalid, or '' if it is valid.

    The code must represent a Little-Go position with more than two moves left. The move must be legal in this position.
    """
    black, white, ko, _, left = unpack_fields(code)
    own, theirs = (white, black) if left % 2 else (black, white)
    if code < 0 or not EXACT < left <= MOST_LEFT or black & white or ko >> POINTS:
        return "no position with more than two moves left has this key"
    if move == PASS_POINT:
        return ""
    if 0 <= move < PASS_POINT and is_legal(1 << move, own, theirs, ko, GRID):
        return ""
    return "its move is illegal"
