"""The digests in a tournament's file: of each game, of the plan and players, and of all games.

The digests detect damage and careless edits, but not edits by a person who also recomputes the digests.

The digest of all games is the sum of the games' digests. Therefore, several processes may add games in any order. Each
transaction that adds or removes games updates the sum.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any

BITS = 256  # bits of a digest, and of the sum of all digests
TABLES = (
    "CREATE TABLE digests (number INTEGER PRIMARY KEY, digest TEXT NOT NULL)",
    "CREATE TABLE seal (plan TEXT NOT NULL, games TEXT NOT NULL)",
)
UNMATCHED = """
SELECT number FROM games WHERE number NOT IN (SELECT number FROM digests)
UNION ALL SELECT number FROM digests WHERE number NOT IN (SELECT number FROM games) LIMIT 1
"""


class DigestError(ValueError):
    """Raised if a tournament's file does not match its digests; the message names the mismatch."""


def make_tables(base: sqlite3.Connection) -> None:
    """Create the digest tables and fill them with the digests of the games and of the plan."""
    for table in TABLES:
        base.execute(table)
    base.execute("INSERT INTO seal VALUES ('', ?)", (_hex(0),))
    seal_plan(base)
    add_games(base, [row[0] for row in base.execute("SELECT number FROM games")])


def add_games(base: sqlite3.Connection, numbers: Iterable[int]) -> None:
    """Add the digests of the games with these numbers, and update the sum."""
    total = int(base.execute("SELECT games FROM seal").fetchone()[0], 16)
    for number in numbers:
        made = digest_of(base.execute("SELECT * FROM games WHERE number = ?", (number,)).fetchone())
        base.execute("INSERT INTO digests VALUES (?, ?)", (number, made))
        total += int(made, 16)
    base.execute("UPDATE seal SET games = ?", (_hex(total),))


def drop_games(base: sqlite3.Connection) -> None:
    """Remove the digests of games that are no longer in the file, and update the sum."""
    base.execute("DELETE FROM digests WHERE number NOT IN (SELECT number FROM games)")
    base.execute("UPDATE seal SET games = ?", (_add_up(base),))


def seal_plan(base: sqlite3.Connection) -> None:
    """Store one digest of the current plan, the test's decision and the players."""
    base.execute("UPDATE seal SET plan = ?", (_digest_plan(base),))


def check_seal(base: sqlite3.Connection) -> None:
    """Raise DigestError if the plan, the players or the list of games does not match the stored digests."""
    seals = base.execute("SELECT plan, games FROM seal").fetchall()
    if len(seals) != 1:
        raise DigestError(f"its table `seal` has {len(seals)} rows; expected 1 row")
    if seals[0][0] != _digest_plan(base):
        raise DigestError("the plan or the players do not match the stored digest")
    for (number,) in base.execute(UNMATCHED):
        raise DigestError(f"game {number}: the game or its digest is missing")
    if seals[0][1] != _add_up(base):
        raise DigestError("the digests of its games do not add up to the total: games were removed or changed")


def seal_of(base: sqlite3.Connection) -> str:
    """Return a digest of the whole tournament. Files with the same digest contain the same tournament."""
    return digest_of(base.execute("SELECT plan, games FROM seal").fetchone())[: BITS // 8]


def refuse_changed(row: Sequence[Any], digest: str) -> None:
    """Raise DigestError unless `digest` is the digest of `row`, a row of the table `games`."""
    if digest_of(row) != digest:
        raise DigestError(f"game {row[0]} does not match its digest")


def digest_of(values: Sequence[Any]) -> str:
    """Return the SHA-256, in hex, of `values` as a JSON array in which a digest replaces each bytes value."""
    return sha256(json.dumps(values, default=lambda data: sha256(data).hexdigest()).encode("ascii")).hexdigest()


def _digest_plan(base: sqlite3.Connection) -> str:
    rows = base.execute("SELECT * FROM tournament").fetchall()
    return digest_of(rows + base.execute("SELECT * FROM players ORDER BY place").fetchall())


def _add_up(base: sqlite3.Connection) -> str:
    return _hex(sum(int(row[0], 16) for row in base.execute("SELECT digest FROM digests")))


def _hex(number: int) -> str:
    return f"{number % (1 << BITS):0{BITS // 4}x}"
