"""Recorded games in JSON: real games of the course's players, and games that `littlego` played.

A file contains one game per line, or one JSON value as written by `littlego match --json` or `littlego play --json`. A
game is an object with `moves`, a list of objects whose `move` is [row, column], "row,column" or "PASS". The real games
also contain the name (`ta`) and the colour (`ta_colour`) of the course's player; see the README beside this module.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from littlego.cli.arguments import ArgumentError
from littlego.files import LARGEST_SERIES, read_limited
from littlego.games.game import opening, ruleset_named
from littlego.paths import REAL_GAMES
from littlego.records.records import Played, Record, parse_move
from littlego.rules.position import Position
from littlego.rules.ruleset import LITTLE_GO, Ruleset


class GamesError(ArgumentError):
    """Raised for missing or invalid games; the message gives the error and, if known, the place."""


class RecordedGame(NamedTuple):
    """A recorded game.

    positions: the position before each move. moves: points or PASS; the last element is None if the game's last
    recorded entry is not a move, for example a resignation. player, colour: the name and the colour of the course's
    player in the game; "" and 0 if not recorded.
    """

    positions: list[Position]
    moves: list[int | None]
    player: str
    colour: int


def read_games(path: Path, by_any_rules: bool = False) -> list[RecordedGame]:
    """Return the games in a file, in order.

    Raise OSError if the file cannot be read, and GamesError if a line or a game is invalid.

    by_any_rules: whether to replay each game under its own `ruleset` instead of the course's rules.
    """
    text = read_limited(path, LARGEST_SERIES).decode("utf-8", "replace")
    games = []
    for number, game in enumerate(_json_games(text, path), 1):
        try:
            rules = _ruleset_of(game) if by_any_rules else LITTLE_GO
            positions, moves = _replay(game["moves"], rules)
            games.append(RecordedGame(positions, moves, str(game.get("ta", "")), int(game.get("ta_colour", 0))))
        except (KeyError, TypeError, ValueError, OverflowError, AttributeError) as error:
            reason = f"it has no {error}" if isinstance(error, KeyError) else str(error).lstrip(": ")
            raise GamesError(f"{path}: game {number}: {reason}") from None
    return games


def _json_games(text: str, path: Path) -> list[Any]:
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        return [_json_line(line, path, number) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    games = whole.get("games") if isinstance(whole, dict) else None
    return games if isinstance(games, list) else [whole]


def _json_line(line: str, path: Path, number: int) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise GamesError(f"{path}:{number}: expected a game as JSON, found {line[:40]!r}") from None


def _ruleset_of(game: Mapping[str, object]) -> Ruleset:
    """Return the ruleset that a game names, by default LITTLE_GO; raise ValueError for an unknown name."""
    name = game.get("ruleset", LITTLE_GO.name)
    return ruleset_named(str(name))


def _replay(entries: list[dict[str, Any]], rules: Ruleset) -> tuple[list[Position], list[int | None]]:
    """Return (the position before each move, the moves).

    Raise ValueError, KeyError or TypeError for an invalid entry.

    The last move is None if its entry is not a move on the board, for example a resignation. The function does not
    check whether the last move is legal.
    """
    moves = [parse_move(entry["move"], rules.size) for entry in entries[:-1]]
    if None in moves:
        number = moves.index(None)
        raise ValueError(f"move {number + 1}, {entries[number]['move']!r}, is not on the board")
    positions = Record(opening(rules), [Played(move) for move in moves if move is not None]).positions()
    moves += [parse_move(entry.get("move"), rules.size) for entry in entries[-1:]]
    if len(positions) < len(moves):
        raise ValueError(f"the game ended with move {len(positions)}")
    return positions[: len(moves)], moves


def recorded_positions(path: Path = REAL_GAMES) -> list[Position]:
    """Return the distinct positions of the games in a file, in order; for errors see read_games."""
    return different_positions(position for game in read_games(path) for position in game.positions)


def different_positions(positions: Iterable[Position]) -> list[Position]:
    """Return the distinct positions, in the order of their first occurrence."""
    different: dict[tuple[int, int, int, bool, int, int], Position] = {}
    for position in positions:
        key = position.black, position.white, position.ko, position.passed, position.colour, position.left
        different.setdefault(key, position)
    return list(different.values())
