"""The solver's transposition table: 64-bit words that threads share without a lock.

A position's code is mixed by an invertible function. The lowest bits of the mixed word select a bucket of four entries.
The other bits are stored in the entry. An entry therefore identifies its position exactly, without hash collisions. An
entry is a single word, so no thread reads a half-written entry.

An entry contains, from the lowest bit: whether the mover wins (1 bit), whether the entry is used (1 bit), the best move
(5 bits), the number of moves left (5 bits), and the rest of the mixed code (at most 52 bits).
"""

from __future__ import annotations

import numpy as np
from numba import int64, uint64

from littlego.engines.compiled.board import count, jit, jit_inlined
from littlego.rules.positionkey import LEFT_AT as CODE_LEFT_AT

SMALLEST = 14  # minimum bits of a table's size: with fewer bits, the rest of a mixed code would not fit
WAYS = 4  # entries in a bucket: half a cache line
UNKNOWN = -1
MOVE_AT, LEFT_AT, REST_AT = 2, 7, 12
LEFT_MASK = 31
_FACTOR_1, _FACTOR_2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)


def make_table(bits: int) -> np.ndarray:
    """Return an empty table of 2**bits entries of eight bytes. Raise ValueError for fewer than 14 bits."""
    if bits < SMALLEST:
        raise ValueError(f"a table of 2**{bits} entries, expected 2**{SMALLEST} or more")
    return np.zeros(1 << bits, dtype=np.uint64)


@jit_inlined
def mixed(code):
    """Return the code mixed by an invertible function, as a 64-bit word."""
    word = uint64(code)
    word ^= word >> uint64(31)
    word *= _FACTOR_1
    word ^= word >> uint64(29)
    word *= _FACTOR_2
    return word ^ word >> uint64(32)


def unmixed(word: int) -> int:
    """Return the code of a mixed word by undoing the steps of `mixed` in reverse order."""
    word ^= word >> 32
    word = word * pow(int(_FACTOR_2), -1, 1 << 64) % (1 << 64)
    word ^= word >> 29 ^ word >> 58
    word = word * pow(int(_FACTOR_1), -1, 1 << 64) % (1 << 64)
    return word ^ word >> 31 ^ word >> 62


@jit_inlined
def bucket_of(word, table):
    """Return the index of the first entry in the bucket of a mixed code."""
    return int64(word & uint64(table.size // WAYS - 1)) * WAYS


@jit_inlined
def _rest_of(word, table):
    return word >> uint64(count(table.size // WAYS - 1))  # divides by the number of buckets, a power of two


@jit_inlined
def find(code, table):
    """Return (result, move): (1, a winning move), (0, 0) for a loss, or (UNKNOWN, 0) if there is no entry."""
    word = mixed(code)
    at = bucket_of(word, table)
    rest = _rest_of(word, table)
    for way in range(WAYS):
        entry = table[at + way]
        if entry >> uint64(REST_AT) == rest and entry & uint64(2):
            return int64(entry & uint64(1)), int64(entry >> uint64(MOVE_AT) & uint64(31))
    return int64(UNKNOWN), int64(0)


@jit_inlined
def put(word, facts, table):
    """Store an entry in the bucket of a mixed code. facts: the entry without the rest of the mixed code.

    The new entry replaces an unused entry or the entry of the same position. If the bucket has neither, the new entry
    replaces the entry with the fewest moves left, which is the cheapest to recompute.
    """
    at = bucket_of(word, table)
    rest = _rest_of(word, table)
    worst, fewest = at, uint64(99)
    for way in range(WAYS):
        entry = table[at + way]
        if not entry & uint64(2) or entry >> uint64(REST_AT) == rest:
            worst = at + way
            break
        left = entry >> uint64(LEFT_AT) & uint64(LEFT_MASK)
        if left < fewest:
            worst, fewest = at + way, left
    table[worst] = facts | rest << uint64(REST_AT)


@jit_inlined
def keep(code, wins, move, table):
    """Store the result for a code. wins: 1 or 0. move: the winning move, or 0 for a loss."""
    left = uint64(code >> CODE_LEFT_AT)
    put(mixed(code), uint64(wins) | uint64(2) | uint64(move) << uint64(MOVE_AT) | left << uint64(LEFT_AT), table)


@jit
def put_all(at, entries, size, table):
    """Store entries of another table in `table`.

    at: the entries' indices in the other table. size: the size of the other table.
    """
    shift = uint64(count(size // WAYS - 1))
    for index in range(at.size):
        word = entries[index] >> uint64(REST_AT) << shift | uint64(at[index]) // uint64(WAYS)
        put(word, entries[index] & uint64((1 << REST_AT) - 1), table)
