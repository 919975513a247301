"""Digests in a tournament's file: of each game, of plan and players, and of all games together.

They tell damage and careless edits. They are no defence against who can write the file, and so make them anew.

Games come in any order, from several processes at once, and a test that is decided drops some: so what stands for all
of them is the sum of their digests, which depends on no order. In each transaction it changes with the games.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any

BITS = 256  # of a digest, and of the sum of all
TABLES = (
    "CREATE TABLE digests (number INTEGER PRIMARY KEY, digest TEXT NOT NULL)",
    "CREATE TABLE seal (plan TEXT NOT NULL, games TEXT NOT NULL)",
)
UNMATCHED = """
SELECT number FROM games WHERE number NOT IN (SELECT number FROM digests)
UNION ALL SELECT number FROM digests WHERE number NOT IN (SELECT number FROM games) LIMIT 1
"""


class DigestError(ValueError):
    """What is in the file is not what was put there; the message says where."""


def make_tables(base: sqlite3.Connection) -> None:
    """Make the tables of the digests, for all that is in the file now."""
    for table in TABLES:
        base.execute(table)
    base.execute("INSERT INTO seal VALUES ('', ?)", (_hex(0),))
    seal_plan(base)
    add_games(base, [row[0] for row in base.execute("SELECT number FROM games")])


def add_games(base: sqlite3.Connection, numbers: Iterable[int]) -> None:
    """Add the digests of games that are in the file."""
    total = int(base.execute("SELECT games FROM seal").fetchone()[0], 16)
    for number in numbers:
        made = digest_of(base.execute("SELECT * FROM games WHERE number = ?", (number,)).fetchone())
        base.execute("INSERT INTO digests VALUES (?, ?)", (number, made))
        total += int(made, 16)
    base.execute("UPDATE seal SET games = ?", (_hex(total),))


def drop_games(base: sqlite3.Connection) -> None:
    """Drop the digests of games that are no longer in the file."""
    base.execute("DELETE FROM digests WHERE number NOT IN (SELECT number FROM games)")
    base.execute("UPDATE seal SET games = ?", (_add_up(base),))


def seal_plan(base: sqlite3.Connection) -> None:
    """Keep the digest of the plan, of a test's decision and of the players, as they are now."""
    base.execute("UPDATE seal SET plan = ?", (_digest_plan(base),))


def check_seal(base: sqlite3.Connection) -> None:
    """Raise DigestError where plan, players or the digests of the games are not those that were put into the file."""
    seals = base.execute("SELECT plan, games FROM seal").fetchall()
    if len(seals) != 1:
        raise DigestError(f"its table seal has {len(seals)} rows, expected 1")
    if seals[0][0] != _digest_plan(base):
        raise DigestError("its plan or its players are not what their digest says")
    for (number,) in base.execute(UNMATCHED):
        raise DigestError(f"game {number}: the game or its digest is missing")
    if seals[0][1] != _add_up(base):
        raise DigestError("the digests of its games do not add up to that of all: games were removed or changed")


def seal_of(base: sqlite3.Connection) -> str:
    """Return one digest of the whole tournament: two files with the same one hold the same games."""
    return digest_of(base.execute("SELECT plan, games FROM seal").fetchone())[: BITS // 8]


def refuse_changed(row: Sequence[Any], digest: str) -> None:
    """Raise DigestError where a row of the table games is not what its digest says."""
    if digest_of(row) != digest:
        raise DigestError(f"game {row[0]} is not what its digest says")


def digest_of(values: Sequence[Any]) -> str:
    """Return the SHA-256 of some values as a JSON array, in hexadecimal digits; for bytes their own stands there."""
    return sha256(json.dumps(values, default=lambda data: sha256(data).hexdigest()).encode("ascii")).hexdigest()


def _digest_plan(base: sqlite3.Connection) -> str:
    rows = base.execute("SELECT * FROM tournament").fetchall()
    return digest_of(rows + base.execute("SELECT * FROM players ORDER BY place").fetchall())


def _add_up(base: sqlite3.Connection) -> str:
    return _hex(sum(int(row[0], 16) for row in base.execute("SELECT digest FROM digests")))


def _hex(number: int) -> str:
    return f"{number % (1 << BITS):0{BITS // 4}x}"
