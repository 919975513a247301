"""Packed games, which `littlego dev selfplay` writes and `littlego dev fit` reads.

A file of packed games is compressed with xz. The first line of the decompressed file is JSON with all data of the games
(see _KEYS) except the moves. The moves of all games follow, in the order of the games. A move has two bytes: the row
and the column, counted from 0 at the top left; PASSED twice for a pass; or RESIGNED twice for a resignation.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from littlego.cache import digest
from littlego.cli.arguments import trying_to
from littlego.files import LARGEST_INPUT, LARGEST_SERIES, read_limited, short_name, write_bytes
from littlego.games.game import opening, ruleset_named
from littlego.match.referee import GameRecord
from littlego.paths import ENGINE_GAMES
from littlego.printable import is_line, printable
from littlego.records.recorded_games import GamesError
from littlego.records.records import Played, Record, RecordError
from littlego.rules.position import BLACK, PASS, RESIGN, WHITE, Position
from littlego.rules.ruleset import Ruleset

FORMAT, VERSION = "littlego-games", 1
PASSED, RESIGNED = 255, 254  # stored in place of row and column
MOST_MOVES = 10_000  # maximum number of moves in a game
_KEYS = {"ruleset", "black", "white", "programs", "seed", "opening", "winner", "why", "lead", "moves"}


class PackedGame(NamedTuple):
    """A game in a file of packed games.

    players: the names of Black and White as in `littlego play`, including an engine's level. programs: the programs of
    both players, with their versions. seed: the seed of all random choices. opening: the number of moves fixed before
    the game. winner: BLACK, WHITE or 0. why: how the game ended. lead2: Black's lead after komi on the final board, in
    half points. moves: points, PASS or RESIGN, Black's first. In games that training_games reads from lists and SGF
    files, `players` are the ranks, `why` is the result, and programs, seed, opening and lead2 are empty or 0.
    """

    ruleset: Ruleset
    players: tuple[str, str]
    programs: tuple[str, str]
    seed: int
    opening: int
    winner: int
    why: str
    lead2: int
    moves: tuple[int, ...]

    @property
    def size(self) -> int:
        """The board size."""
        return self.ruleset.size

    @property
    def plan(self) -> tuple[str, tuple[str, str], int, int]:
        """The ruleset's name, the players, the seed and the number of opening moves.

        If the same programs play two games with equal plans, the moves should be equal.
        """
        return self.ruleset.name, self.players, self.seed, self.opening

    def positions(self) -> list[Position]:
        """Return the position before each move; raise GamesError for an illegal move."""
        try:
            return Record(opening(self.ruleset), [Played(move) for move in self.moves]).positions()[: len(self.moves)]
        except RecordError as error:
            who = printable(" against ".join(self.players))
            raise GamesError(f"the game {who}, {self.ruleset.name}, seed {self.seed}{error}") from None


class Moves(Protocol):
    """An object with the ruleset and the moves of a game."""

    @property
    def ruleset(self) -> Ruleset:
        """The rules."""

    @property
    def moves(self) -> Sequence[int]:
        """The moves, Black's first."""


def game_digest(game: Moves) -> str:
    """Return a digest of a game's rules and moves, independent of the players."""
    return digest(game.ruleset.name, *map(str, game.moves))


def packed_of(record: GameRecord, programs: tuple[str, str]) -> PackedGame:
    """Return a finished game as a PackedGame."""
    return PackedGame(
        record.ruleset,
        record.players,
        programs,
        record.seed,
        record.opening,
        record.winner,
        record.why,
        record.lead2,
        record.key,
    )


def read_packed(path: Path = ENGINE_GAMES) -> list[PackedGame]:
    """Return the games of a file, in order.

    Raise ArgumentError if the file cannot be read, and GamesError if the file is invalid.
    """
    name = short_name(path)
    with trying_to(f"read {name}"):
        data = read_limited(path)
    try:
        return parse_packed(data)
    except ValueError as error:
        raise GamesError(
            f"{name}: {printable(str(error))}; expected a file written by `littlego dev selfplay`"
        ) from None


def parse_packed(data: bytes) -> list[PackedGame]:
    """Return the games in the bytes of a file, compressed or not; raise ValueError for invalid bytes."""
    head, _, moves = unpack(data).partition(b"\n")
    try:
        header = json.loads(head)
    except RecursionError:
        raise ValueError("its first line is nested too deeply") from None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise ValueError(f"its first line does not name the format {FORMAT}")
    if header.get("version") != VERSION:
        raise ValueError(f"format version {header.get('version')!r}, expected {VERSION}")
    games, at = [], 0
    entries = header.get("games")
    for number, entry in enumerate(entries if isinstance(entries, list) else [], 1):
        try:
            game, at = _read_game(entry, moves, at)
        except ValueError as error:
            raise ValueError(f"game {number}: {error}") from None
        games.append(game)
    if at != len(moves):
        raise ValueError(f"found {len(moves) - at:,} bytes after the last move")
    return games


def unpack(data: bytes) -> bytes:
    """Return the bytes, decompressed with xz unless they begin with `{`.

    Raise ValueError if the bytes cannot be decompressed or the result is too large.
    """
    if data.startswith(b"{"):  # the site ships uncompressed games, because lzma is missing in the browser
        return data
    import lzma

    reader = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=LARGEST_SERIES)
    try:
        unpacked = reader.decompress(data, LARGEST_SERIES)
    except lzma.LZMAError as error:
        raise ValueError(f"cannot be decompressed: {error}") from None
    if not reader.eof:
        raise ValueError(f"truncated, or more than {LARGEST_SERIES:,} bytes when decompressed")
    return unpacked


def _read_game(entry: Any, data: bytes, at: int) -> tuple[PackedGame, int]:
    """Return (the game of a header entry, the end offset of the game's moves in `data`).

    Raise ValueError if the entry is invalid.

    at: the start offset of the moves.
    """
    if not isinstance(entry, dict) or entry.keys() != _KEYS:
        raise ValueError(f"expected the keys {', '.join(sorted(_KEYS))}")
    rules = ruleset_named(str(entry["ruleset"]))
    texts = [entry["black"], entry["white"], entry["why"], *_pair(entry["programs"])]
    if not all(isinstance(text, str) and is_line(text) for text in texts):
        raise ValueError("expected one line of text for each player, each program and `why`")
    seed, given, winner, count = (_whole(entry[key], key) for key in ("seed", "opening", "winner", "moves"))
    lead2 = _whole(2 * entry["lead"] if isinstance(entry["lead"], int | float) else None, "lead in half points")
    if winner not in (0, BLACK, WHITE) or not 0 <= given <= count <= MOST_MOVES:
        raise ValueError(f"not a valid game: winner {winner}, {given} opening moves, {count} moves in total")
    end = at + 2 * count
    if end > len(data):
        raise ValueError(f"expected {count} moves, but the file has only {(len(data) - at) // 2} more moves")
    pairs = zip(data[at:end:2], data[at + 1 : end : 2], strict=True)
    moves = tuple(_move(row, column, rules.size) for row, column in pairs)
    black, white, why, first, second = texts
    return PackedGame(rules, (black, white), (first, second), seed, given, winner, why, lead2, moves), end


def _pair(value: Any) -> tuple[Any, Any]:
    if not isinstance(value, list) or len(value) != 2:
        raise ValueError("expected two programs")
    return value[0], value[1]


def _whole(value: Any, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value // 1:
        raise ValueError(f"expected a whole number for {what}")
    return int(value)


def _move(row: int, column: int, size: int) -> int:
    if row == column and row in (PASSED, RESIGNED):
        return PASS if row == PASSED else RESIGN
    if max(row, column) >= size:
        raise ValueError(f"the move {row},{column} is not on the {size}x{size} board")
    return row * size + column


def pack(games: Iterable[PackedGame]) -> bytes:
    """Return the bytes of a file with these games; equal games give equal bytes."""
    games = list(games)
    import lzma

    header = {"format": FORMAT, "version": VERSION, "games": [entry_of(game) for game in games]}
    moves = b"".join(_move_bytes(move, game.ruleset.size) for game in games for move in game.moves)
    return lzma.compress(json.dumps(header).encode() + b"\n" + moves, lzma.FORMAT_XZ, preset=6)


def entry_of(game: PackedGame) -> dict[str, Any]:
    """Return the header entry of a game as a JSON object."""
    return {
        "ruleset": game.ruleset.name,
        "black": game.players[0],
        "white": game.players[1],
        "programs": list(game.programs),
        "seed": game.seed,
        "opening": game.opening,
        "winner": game.winner,
        "why": game.why,
        "lead": game.lead2 / 2,
        "moves": len(game.moves),
    }


def _move_bytes(move: int, size: int) -> bytes:
    if move in (PASS, RESIGN):
        return bytes([PASSED if move == PASS else RESIGNED] * 2)
    return bytes(divmod(move, size))


def add_games(path: Path, games: Sequence[PackedGame]) -> int:
    """Append the games that a file does not contain yet; return the number of games added.

    If several games have the same plan and the same moves, the file keeps only the first. A missing file is created,
    and an existing file is replaced atomically. Raise ArgumentError if the file cannot be read or written. If the file
    does not contain packed games, raise GamesError and leave the file unchanged.
    """
    known = read_packed(path) if os.path.exists(path) else []
    different: dict[object, PackedGame] = {}
    for game in [*known, *games]:
        different.setdefault((game.plan, game.moves), game)
    kept = list(different.values())
    data = pack(kept)
    with trying_to(f"write {short_name(path)}"):
        if len(data) > LARGEST_INPUT:
            raise OSError(f"these games would need {len(data):,} bytes; the limit is {LARGEST_INPUT:,} bytes")
        write_bytes(path, data)
    return len(kept) - len(known)
