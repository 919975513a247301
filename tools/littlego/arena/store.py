"""The SQLite file of a tournament: the plan, the players, and every game with all moves and reasons.

The file is created atomically. Both games of a pair are added in one transaction, and only if the pair is missing.
Therefore, no stored game is lost or counted twice, even if a process crashes or several processes write to the file. A
method that adds games returns only after the games are on the disk. Methods that return games verify the games'
digests. docs/records.md describes the tables.
"""

from __future__ import annotations

import json
import os
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from littlego.arena.digests import (
    add_games,
    check_seal,
    drop_games,
    make_tables,
    refuse_changed,
    seal_of,
    seal_plan,
)
from littlego.arena.plan import Entrant, Plan
from littlego.arena.play import Played, PlayedPair
from littlego.arena.results import Result
from littlego.cli.arguments import ArgumentError
from littlego.files import is_guarded, open_plain, short_name, sync_folder
from littlego.match.referee import GameRecord, record_json
from littlego.match.series import Side
from littlego.printable import printable
from littlego.records.records import RecordError, game_record

KIND, VERSION = 0x4C474152, 4  # PRAGMA application_id ("LGAR") and user_version
MAGIC, KIND_AT, HEADER = b"SQLite format 3\0", 68, 100  # header of SQLite files: see SQLite's file format, section 1.3
PATIENCE = 60.0  # seconds to wait for another writer
SCHEMA = """
CREATE TABLE tournament (
  plan TEXT NOT NULL, decided_after INTEGER, accepted TEXT NOT NULL DEFAULT ''
);
CREATE TABLE players (
  place INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, spec TEXT NOT NULL, digest TEXT NOT NULL,
  patterns BLOB NOT NULL, overrides BLOB NOT NULL, checked TEXT
);
CREATE TABLE games (
  number INTEGER PRIMARY KEY, pair INTEGER NOT NULL, half INTEGER NOT NULL, first TEXT NOT NULL, second TEXT NOT NULL,
  seed INTEGER NOT NULL, opening INTEGER NOT NULL, winner INTEGER NOT NULL, fault INTEGER NOT NULL,
  lead2 INTEGER NOT NULL, plies INTEGER NOT NULL, why TEXT NOT NULL,
  black_chosen INTEGER NOT NULL, black_cpu REAL NOT NULL, black_slowest REAL NOT NULL,
  white_chosen INTEGER NOT NULL, white_cpu REAL NOT NULL, white_slowest REAL NOT NULL,
  moves TEXT NOT NULL, record TEXT NOT NULL
);
CREATE TABLE workers (pair INTEGER PRIMARY KEY, worker TEXT NOT NULL);
CREATE TABLE apart (pair INTEGER NOT NULL, worker TEXT NOT NULL, record TEXT NOT NULL);
"""
DAMAGE = """
SELECT CASE
  WHEN number != 2 * pair + half OR half NOT IN (0, 1) THEN 'its number does not match its pair'
  WHEN first NOT IN (SELECT name FROM players) OR second NOT IN (SELECT name FROM players)
    THEN first || ' and ' || second || ' are not both players of the tournament'
  ELSE 'the other game of its pair is missing'
END, number FROM games AS game
WHERE number != 2 * pair + half OR half NOT IN (0, 1)
  OR first NOT IN (SELECT name FROM players) OR second NOT IN (SELECT name FROM players)
  OR NOT EXISTS (SELECT 1 FROM games WHERE number = game.number + 1 - 2 * game.half)
LIMIT 1
"""
MOST = 1 << 60  # more than the number of pairs in any tournament


class Store(AbstractContextManager["Store"]):
    """The open file of a tournament. The constructor opens an existing file, and `make` creates a file.

    If the file is not a tournament's file, the constructor raises ArgumentError and leaves the file unchanged.
    """

    def __init__(self, path: str | os.PathLike[str]):
        self.path = Path(path)
        self.name = short_name(path)
        _check_kind(self.path, self.name)
        with self._trying():
            self._base = sqlite3.connect(
                f"{self.path.absolute().as_uri()}?{_open_mode(self.path, self.name)}",
                uri=True,
                timeout=PATIENCE,
                isolation_level=None,
            )
        try:
            self._check()
        except BaseException:
            self.close()
            raise

    @classmethod
    def make(cls, path: str | os.PathLike[str], plan: Plan) -> Store:
        """Create a tournament's file and return its store.

        Raise FileExistsError if the file exists, or ArgumentError if the file cannot be created.
        """
        path = Path(path)
        if os.path.lexists(path):
            raise FileExistsError(path)
        try:
            _write_new(path, plan)
        except FileExistsError:
            raise
        except (OSError, sqlite3.Error) as error:
            raise ArgumentError(f"cannot create {short_name(path)}: {getattr(error, 'strerror', error)}") from None
        return cls(path)

    def close(self) -> None:
        """Close the file."""
        self._base.close()

    def __exit__(self, *_: object) -> None:
        self.close()

    def plan(self) -> Plan:
        """Return the tournament's plan."""
        text, players = self._all("SELECT plan FROM tournament")[0][0], self.players()
        with self._trying():
            plan = json.loads(text)
            if plan["players"] != [player.name for player in players]:
                raise ValueError("its players differ from the players in its plan")
            return Plan.from_json(plan, players)

    def players(self) -> tuple[Entrant, ...]:
        """Return the players, in the plan's order."""
        rows = self._all("SELECT name, spec, digest, patterns, overrides FROM players ORDER BY place")
        return tuple(Entrant(*row) for row in rows)

    def results(self, start: int = 0, stop: int = MOST) -> list[Result]:
        """Return the stored games of the pairs `start` to `stop` - 1, the lowest game number first."""
        return [_result_of(row) for row in self._games("number >= ? AND number < ?", 2 * start, 2 * stop)]

    def record(self, number: int) -> GameRecord:
        """Return a whole game with all reasons; raise KeyError if no game has this number.

        The method replays the moves, and raises ArgumentError if the result differs from the stored columns.
        """
        rows = self._games("number = ?", number)
        if not rows:
            raise KeyError(number)
        return self._replay(rows[0])

    def records(self) -> Iterator[GameRecord]:
        """Yield the record of each game, the lowest game number first."""
        return map(self._replay, self._games("1"))

    def _replay(self, row: tuple[Any, ...]) -> GameRecord:
        result, text = _result_of(row), row[-1]
        with self._trying():
            try:
                record = game_record(json.loads(text))
            except RecordError as error:
                raise ValueError(f"game {result.number}{error}") from None
            except (KeyError, TypeError) as error:
                raise ValueError(f"game {result.number}: its record cannot be read: {error}") from None
            ended = (record.winner, record.fault, record.lead2, len(record.moves), record.why)
            if ended != (result.winner, result.fault, result.lead2, result.plies, result.why):
                raise ValueError(f"game {result.number} has different results in its columns and in its record")
            return record

    def _games(self, where: str, *values: object) -> list[tuple[Any, ...]]:
        """Return the rows of the games that match an SQL condition, the lowest game number first.

        Raise ArgumentError for a wrong digest.
        """
        rows = self._all(f"SELECT * FROM games JOIN digests USING (number) WHERE {where} ORDER BY number", *values)
        with self._trying():
            for row in rows:
                refuse_changed(row[:-1], row[-1])
        return [row[:-1] for row in rows]

    def held(self) -> list[tuple[str, str, int]]:
        """Return a sorted list of (program, sandbox description, number of games).

        The number counts the program's games with this description. Games without a sandbox description are omitted.
        """
        return self._all(
            """
            SELECT name, held, count(*) FROM (
              SELECT iif(half, second, first) AS name, json_extract(record, '$.held[0]') AS held FROM games
              UNION ALL SELECT iif(half, first, second), json_extract(record, '$.held[1]') FROM games
            ) WHERE held != '' GROUP BY name, held ORDER BY name, held
            """
        )

    def done(self) -> set[int]:
        """Return the numbers of the stored pairs."""
        return {row[0] for row in self._all("SELECT pair FROM games WHERE half = 0")}

    def distinct(self) -> int:
        """Return the number of distinct games: games with the same moves count once."""
        return int(self._all("SELECT count(DISTINCT moves) FROM games")[0][0])

    def distinct_by_pairing(self) -> dict[tuple[str, str], int]:
        """Return {(first player's name, second player's name): number of distinct games of this pairing}."""
        who = [(first.name, second.name) for first, second in self.plan().pairings]
        counts = self._all("SELECT pair % ?, count(DISTINCT moves) FROM games GROUP BY 1", len(who))
        return {who[pairing]: number for pairing, number in counts}

    def has(self, pair: int) -> bool:
        """Return whether a pair is stored."""
        return bool(self._all("SELECT 1 FROM games WHERE number = ?", 2 * pair))

    def add(self, played: PlayedPair) -> bool:
        """Add a pair's games and return True, or leave the file unchanged and return False.

        The file stays unchanged if the pair is already stored, or if the test was decided before this pair.
        """
        rows = [_game_row(game) for game in played.games]
        with self._transaction():
            after = self._base.execute("SELECT decided_after FROM tournament").fetchone()[0]
            if self.has(played.number) or after is not None and played.number >= after:
                return False
            self._base.executemany(f"INSERT INTO games VALUES ({', '.join('?' * len(rows[0]))})", rows)
            add_games(self._base, [game.result.number for game in played.games])
            if played.worker:
                self._base.execute("INSERT OR REPLACE INTO workers VALUES (?, ?)", (played.number, played.worker))
            return True

    def set_apart(self, worker: str) -> int:
        """Exclude all pairs of a cluster's worker; return the number of these pairs.

        Excluded pairs are treated as not played. The method also deletes a test's decision, because the decision might
        depend on these pairs.
        """
        theirs = "FROM games JOIN workers USING (pair) WHERE worker = ?"
        with self._transaction():
            self._base.execute(f"INSERT INTO apart SELECT pair, worker, record {theirs}", (worker,))
            gone = self._base.execute(f"DELETE FROM games WHERE number IN (SELECT number {theirs})", (worker,))
            self._base.execute("DELETE FROM workers WHERE worker = ?", (worker,))
            self._base.execute("UPDATE tournament SET decided_after = NULL, accepted = ''")
            drop_games(self._base)
            seal_plan(self._base)
            return gone.rowcount // 2

    def apart(self) -> list[tuple[str, int]]:
        """Return (worker, number of excluded pairs) for each worker with excluded pairs, sorted by worker."""
        return self._all("SELECT worker, count(*) / 2 FROM apart GROUP BY worker ORDER BY worker")

    def decision(self) -> tuple[int, str] | None:
        """Return (number of pairs after which the test was decided, accepted hypothesis); None if undecided."""
        after, accepted = self._all("SELECT decided_after, accepted FROM tournament")[0]
        return None if after is None else (after, accepted)

    def decide(self, after: int, accepted: str) -> None:
        """Store a test's decision, which depends only on the first `after` pairs, and delete all other pairs."""
        with self._transaction():
            self._base.execute("UPDATE tournament SET decided_after = ?, accepted = ?", (after, accepted))
            self._base.execute("DELETE FROM games WHERE pair >= ?", (after,))
            drop_games(self._base)
            seal_plan(self._base)

    def extend(self, pairs: int) -> None:
        """Extend the plan to `pairs` pairs for each pairing; do nothing if the plan already has as many."""
        with self._transaction():
            plan = self.plan()
            if pairs > plan.pairs:
                text = json.dumps(plan._replace(pairs=pairs).as_json())
                self._base.execute("UPDATE tournament SET plan = ?", (text,))
                seal_plan(self._base)

    def checked(self) -> dict[str, list[list[str]]]:
        """Return {player's name: findings of the latest compliance check} for each checked player."""
        rows = self._all("SELECT name, checked FROM players WHERE checked IS NOT NULL")
        return {name: json.loads(text) for name, text in rows}

    def keep_check(self, name: str, findings: Sequence[Sequence[str]]) -> None:
        """Store the findings of a player's compliance check."""
        with self._transaction():
            self._base.execute("UPDATE players SET checked = ? WHERE name = ?", (json.dumps(findings), name))
            seal_plan(self._base)

    def seal(self) -> str:
        """Return a digest of the plan, the players and the games; see seal_of."""
        with self._trying():
            return seal_of(self._base)

    def _check(self) -> None:
        """Raise ArgumentError if the file has an unsupported version or inconsistent tables."""
        self._all("PRAGMA synchronous=FULL")  # an added pair survives a power cut
        self._check_version()
        with self._trying():
            self._base.execute("BEGIN")  # read one consistent state even if another process writes
            try:
                self._check_tables()
            finally:
                self._base.execute("ROLLBACK")

    def _check_version(self) -> None:
        """Raise ArgumentError if the file has an unsupported version."""
        version = self._all("PRAGMA user_version")[0][0]
        if version != VERSION:
            raise ArgumentError(
                f"{self.name} has version {version} of the tournament format; expected version {VERSION}: "
                "play the tournament again in a new file, or use the version of littlego that wrote this file"
            )

    def _check_tables(self) -> None:
        if not self._all("SELECT 1 FROM tournament"):
            raise ArgumentError(f"{self.name} is damaged: it contains no plan")
        self.plan()
        for what, number in self._all(DAMAGE):
            raise ArgumentError(f"{self.name} is damaged: game {number}: {printable(what)}")
        check_seal(self._base)

    def _all(self, command: str, *values: object) -> list[tuple[Any, ...]]:
        with self._trying():
            return self._base.execute(command, values).fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Run the `with` block as one transaction."""
        with self._trying():
            self._base.execute("BEGIN IMMEDIATE")
            with self._base:  # commits, or rolls back
                yield

    @contextmanager
    def _trying(self) -> Iterator[None]:
        """Convert database errors and invalid stored values to an ArgumentError with a one-line message."""
        try:
            yield
        except ArgumentError:  # already has a message
            raise
        except sqlite3.OperationalError as error:
            raise ArgumentError(f"cannot use {self.name}: {printable(str(error))}") from None
        except (sqlite3.Error, ValueError, KeyError, TypeError) as error:
            raise ArgumentError(f"{self.name} is damaged: {printable(str(error))}") from None


def _open_mode(path: Path, name: str) -> str:
    """Return SQLite's URI parameters for opening a file.

    The parameters give write access if the file's folder is writable. Raise ArgumentError if the folder is read-only
    and the file's write-ahead log needs recovery. name: the file's name in the message.
    """
    if os.access(path.parent, os.W_OK | os.X_OK):
        return "mode=rw"
    log, index = (path.with_name(path.name + ending) for ending in ("-wal", "-shm"))
    if log.exists() and not index.exists():  # the writer was killed; a reader must rebuild the index
        raise ArgumentError(
            f"{name}: its last games are still in {log.name}, and its folder is read-only: copy both files to a "
            "writable folder"
        )
    return "mode=ro" if log.exists() else "mode=ro&immutable=1"


def _check_kind(path: Path, name: str) -> None:
    """Raise ArgumentError if a file is not a tournament file.

    Call this function before SQLite opens the file, because SQLite could modify an unrelated database.
    """
    try:
        with open_plain(path, follow=not is_guarded(path)) as file:  # SQLite cannot read a pipe
            header = file.read(HEADER)
    except OSError as error:
        raise ArgumentError(f"cannot read {name}: {error.strerror}; expected a tournament file") from None
    if header[: len(MAGIC)] != MAGIC or header[KIND_AT : KIND_AT + 4] != KIND.to_bytes(4, "big"):
        what = "is empty" if not header else "is not a tournament file"
        raise ArgumentError(
            f"{name} {what}; expected a tournament file (or, for a new tournament, a name that is not in use)"
        )


def _write_new(path: Path, plan: Plan) -> None:
    """Write a complete new file; raise FileExistsError if another process created a file at `path` first."""
    handle, temporary = tempfile.mkstemp(prefix=f"{path.name}.", suffix=".new", dir=path.parent)
    os.close(handle)
    try:
        base = sqlite3.connect(temporary, isolation_level=None)
        base.executescript(f"{SCHEMA} PRAGMA application_id = {KIND}; PRAGMA user_version = {VERSION};")
        base.execute("INSERT INTO tournament (plan) VALUES (?)", (json.dumps(plan.as_json()),))
        base.executemany(
            "INSERT INTO players (place, name, spec, digest, patterns, overrides) VALUES (?, ?, ?, ?, ?, ?)",
            [(place, *player) for place, player in enumerate(plan.players)],
        )
        make_tables(base)
        base.execute("PRAGMA journal_mode=WAL")  # readers and the writer do not block each other
        base.close()
        os.chmod(temporary, 0o644)
        os.link(temporary, path)
    finally:
        os.unlink(temporary)
    sync_folder(path.parent)


def _result_of(row: Sequence[Any]) -> Result:
    return Result._make([*row[:12], (Side(*row[12:15]), Side(*row[15:18]))])


def _game_row(game: Played) -> tuple[object, ...]:
    result = game.result
    black, white = result.sides
    record = record_json(game.record)
    moves = " ".join(move["move"] for move in record["moves"])
    return (*result[:12], *black, *white, moves, json.dumps(record, separators=(",", ":")))
