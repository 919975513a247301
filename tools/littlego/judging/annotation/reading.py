"""The reader of games to annotate: SGF, JSON from `littlego play`, and move logs of a match server."""

from __future__ import annotations

import json
import sys

from littlego.cli.arguments import ArgumentError, trying_to
from littlego.files import STANDARD_OUTPUT, read_limited, read_open, short_name
from littlego.games.clock import Times
from littlego.match.matchlog import MatchLog, read_configuration
from littlego.match.referee import COLOURS, TIME_UP, GameRecord, Move, record_of
from littlego.records.charsets import decode_sgf, is_sgf
from littlego.records.inputs import LARGEST_FILE
from littlego.records.records import RecordError, game_record
from littlego.records.sgf import Node, Root, SgfError, SgfWarning, read_games
from littlego.records.sgf_writing import record_tree
from littlego.rules.position import BLACK, RESIGN, WHITE

UNKNOWN = "?"  # an unknown player's name
_WHYS = {"pass": "two passes", "mercy": "the lead that ends a game immediately", "": "not over yet"}


def shown_name(name: str) -> str:
    """Return the name of a file for messages: `standard input` for `-`."""
    return "standard input" if name == STANDARD_OUTPUT else short_name(name)


def read_game(name: str, encoding: str | None = None, only_sgf: bool = False) -> Node:
    """Return the tree of the only game in a file, or in standard input if the name is `-`.

    encoding: the encoding of an SGF, or None to detect the encoding from the bytes. only_sgf: whether to accept only
    SGF, because the caller will overwrite the file with SGF. Raise ArgumentError for unreadable input.
    """
    with trying_to(f"read {shown_name(name)}"):
        is_input = name == STANDARD_OUTPUT
        data = read_open(sys.stdin.buffer, LARGEST_FILE) if is_input else read_limited(name, LARGEST_FILE)
    if only_sgf and not is_sgf(data):
        raise ArgumentError(
            f"{shown_name(name)}: not an SGF file, and --in-place would write SGF to it; use -o FILE instead"
        )
    return read_tree(shown_name(name), data, encoding)


def read_tree(name: str, data: bytes, encoding: str | None = None, only_one: bool = True) -> Node:
    """Return the tree of a game in a file's bytes; raise ArgumentError for an unreadable game.

    name: the file's name, for messages. only_one: whether to reject an SGF of several games.
    """
    try:
        return _tree_of_sgf(data, encoding, only_one) if is_sgf(data) else _tree_of_json(data)
    except (RecordError, SgfError) as error:
        raise ArgumentError(f"{name}{error}") from None


def _tree_of_sgf(data: bytes, encoding: str | None, only_one: bool) -> Root:
    """Return the tree of an SGF's first game; the tree's warnings include any warning about the encoding.

    Raise SgfError for an invalid SGF or, if `only_one` is true, for several games.
    """
    text, warning = decode_sgf(data, encoding)
    games = read_games(text)
    if len(games) > 1 and only_one:
        raise SgfError(f": {len(games)} games; expected one game in a file")
    if warning:
        games[0].warnings.insert(0, SgfWarning(warning, 0, 0))
    return games[0]


def _tree_of_json(data: bytes) -> Node:
    """Return the tree of a game in JSON; raise RecordError for any other data."""
    try:
        value = json.loads(data)
        if "initialState" in value:
            return log_tree(read_configuration(value))
        if "games" in value:
            raise RecordError(": a series of games; expected a single game, as `littlego play --json FILE` writes it")
        return record_tree(game_record(value))
    except RecordError:
        raise
    except ArgumentError as error:  # an unreadable move log
        raise RecordError(f": {error}") from None
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError, OverflowError):
        raise RecordError(
            ": expected an SGF, a game as JSON from `littlego play --json`, or the move log of a match"
        ) from None


def log_tree(log: MatchLog) -> Node:
    """Return a server match as a tree; an unfinished match has no result."""
    root = record_tree(log_record(log), start=log.start)
    if log.ending is None:
        del root.properties["RE"]
    return root


def log_record(log: MatchLog) -> GameRecord:
    """Return the record of a server match."""
    positions, left, moves = log.positions(), [time / 1000 for time in log.times], []
    for number, (position, entry) in enumerate(zip(positions, log.moves, strict=False), 1):
        left[position.colour - 1] -= entry.milliseconds / 1000
        seconds = left[position.colour - 1]
        moves.append(Move(number, position.colour, entry.move, 0.0, "", "", "", seconds))
    ending = log.ending
    reason, winner = (ending.reason, ending.winner) if ending is not None else ("", 0)
    loser = BLACK + WHITE - winner if winner else 0
    fault = loser if reason == "timeout" else 0
    why = _WHYS.get(reason) or f"{COLOURS[loser]} " + (f"lost: {TIME_UP}" if fault else "resigned")
    if reason == "resign" and not (moves and moves[-1].move == RESIGN):
        moves.append(Move(len(moves) + 1, loser, RESIGN, 0.0, "", "", ""))
    names = log.names[0] or UNKNOWN, log.names[1] or UNKNOWN
    budgets = Times(log.times[0] / 1000, log.times[1] / 1000)
    return record_of(positions[-1], names, tuple(moves), winner, why, fault, budgets=budgets)
