"""Mutations of a valid file: one to six typical corruptions."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

LONGEST = 20_000  # maximum size of a mutated file in bytes, unless the original is larger
NUMBERS = b"0 1 2 -1 3 24 25 99 255 65536 2147483648 9223372036854775808 99999999999999999999 1e400 0x10 1_0 -0".split()
BYTES = b"\x00\x01\t\n\x0b\r\x1b \"#'(),-./0129:;<=>?@AZ[\\]`az{|}~\x7f\x80\x9b\xa0\xbf\xc3\xe2\xef\xfe\xff"
WORDS = (
    *NUMBERS,
    "\ufeff".encode(),
    "\u202e".encode(),
    "\u00a0".encode(),
    "\U0001f600".encode(),
    b"\xed\xa0\x80",
    b"\x1b[31m",
    b"\r\n",
    b"\0\0\0\0",
    b"null",
    b"true",
    b"PASS",
    b"../../etc/passwd",
)
VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    -1,
    2.5,
    1e9,
    float("nan"),
    10**400,
    "",
    "x",
    "\udcff",
    [],
    {},
    [[]],
)
# The lines that git leaves around the versions of a merge conflict.
CONFLICT = b"<" * 7 + b" HEAD\n", b"=" * 7 + b"\n", b">" * 7 + b" theirs\n"
_NUMBER = re.compile(rb"\d+")

Mutation = Callable[[bytearray, Random, Sequence[bytes], bytes], None]  # (data, rng, words, another valid file)


def with_travelled(files: Sequence[bytes]) -> list[bytes]:
    """Return the files, followed by three Windows variants of each of the first five files.

    The variants have CR LF line ends, a byte order mark, or both.
    """
    mark = "\ufeff".encode()
    crlf = [data.replace(b"\n", b"\r\n") for data in files[:5]]
    return [*files, *crlf, *(mark + data for data in [*files[:5], *crlf])]


def mutate(data: bytes, rng: Random, words: Sequence[bytes] = (), other: bytes = b"") -> bytes:
    """Return the bytes of a file after one to six mutations.

    `words` contains typical fragments of the format. Some mutations copy a line or the end of `other`, a valid file.
    """
    changed = bytearray(data)
    most = max(LONGEST, len(data))
    for _ in range(min(rng.randint(1, 6), rng.randint(1, 6))):
        rng.choice(MUTATIONS)(changed, rng, words or WORDS, other)
        del changed[most:]
    return bytes(changed)


def _flip_bit(data: bytearray, rng: Random, words: Sequence[bytes], other: bytes) -> None:
    if data:
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def _set_byte(data: bytearray, rng: Random, words: Sequence[bytes], other: bytes) -> None:
    if data:
        data[rng.randrange(len(data))] = rng.choice(BYTES)


def _cut(data: bytearray, rng: Random, words: Sequence[bytes], other: bytes) -> None:
    del data[rng.randint(0, len(data)) :]


def _remove(data: bytearray, rng: Random, words: Sequence[bytes], other: bytes) -> None:
    start = rng.randint(0, len(data))
    del data[start : start + _length(rng)]


def _insert(data: bytearray, rng: Random, words: Sequence[bytes], other: bytes) -> None:
    start = rng.randint(0, len(data))
    data[start:start] = bytes(rng.choices(BYTES, k=_length(rng)))


def _insert_word(data: bytearray, rng: Random, words: Sequence[bytes], other: bytes) -> None:
    start = rng.randint(0, len(data))
    data[start:start] = rng.choice(words if rng.random() < 0.7 else WORDS)


def _repeat(data: bytearray, rng: Random, words: Sequence[bytes], other: bytes) -> None:
    start = rng.randint(0, len(data))
    part = data[start : start + _length(rng)]
    data[start:start] = part * rng.choice((1, 2, 10, 500))


def _change_number(data: bytearray, rng: Random, words: Sequence[bytes], other: bytes) -> None:
    if numbers := list(_NUMBER.finditer(data)):
        place = rng.choice(numbers).span()
        data[slice(*place)] = rng.choice(NUMBERS)


def _lines(data: bytearray, rng: Random, words: Sequence[bytes], other: bytes) -> None:
    """Delete, duplicate, empty, indent or replace a line of `data`.

    The replacement is a line of `data` or of `other`.
    """
    lines = bytes(data).split(b"\n")
    here, there = rng.randrange(len(lines)), rng.randrange(len(lines))
    foreign = rng.choice(other.split(b"\n"))
    changes: list[list[bytes]] = [[], [lines[here]] * 2, [lines[there]], [b""], [foreign], [b" " + lines[here]]]
    lines[here : here + 1] = rng.choice(changes)
    data[:] = b"\n".join(lines)


def _change_value(data: bytearray, rng: Random, words: Sequence[bytes], other: bytes) -> None:
    """Replace a value in a line of JSON, or delete or duplicate a list item.

    The new value often has a different type from the old value. If the chosen line is not JSON, `data` stays unchanged.
    """
    lines = bytes(data).split(b"\n")
    number = rng.randrange(len(lines))
    try:
        root = [json.loads(lines[number])]
    except (ValueError, RecursionError):
        return
    holder: Any = root
    key: Any = 0
    while holder[key] and isinstance(holder[key], (list, dict)) and rng.random() < 0.7:
        holder = holder[key]
        key = rng.choice(range(len(holder)) if isinstance(holder, list) else list(holder))
    if isinstance(holder, list) and holder is not root and rng.random() < 0.3:
        holder[key : key + 1] = rng.choice(([], [holder[key]] * 2))
    else:
        holder[key] = rng.choice((*VALUES, [holder[key]], {"a": holder[key]}))
    lines[number] = json.dumps(root[0]).encode()
    data[:] = b"\n".join(lines)


def _splice(data: bytearray, rng: Random, words: Sequence[bytes], other: bytes) -> None:
    data[rng.randint(0, len(data)) :] = other[rng.randint(0, len(other)) :]


def _recode(data: bytearray, rng: Random, words: Sequence[bytes], other: bytes) -> None:
    """Convert the text to the line ends or the encoding of another system."""
    if rng.random() < 0.7:
        data[:] = bytes(data).replace(b"\n", rng.choice((b"\r\n", b"\r", b"\n\n", b"\x0b", "\u2028".encode())))
    else:
        data[:] = bytes(data).decode("latin-1").encode(rng.choice(("utf-16", "utf-8-sig", "utf-32", "utf-7")))


def _length(rng: Random) -> int:
    return rng.choice((1, 1, 2, 3, 8, 30, 200))


MUTATIONS: tuple[Mutation, ...] = (
    _flip_bit,
    _set_byte,
    _cut,
    _remove,
    _remove,
    _insert,
    _insert_word,
    _insert_word,
    _repeat,
    _change_number,
    _change_number,
    _change_value,
    _lines,
    _lines,
    _splice,
    _recode,
)
