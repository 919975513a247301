"""Move logs of matches in the JSON format that a match server saves and sends to the players.

A log is a configuration of protocol v1 (docs/server.md): the rules, and the keys `initialState`, `moveLog` and
`idleDeltaTime`. Times are in milliseconds. Rows and columns are numbered from 0 at the top left. The reader accepts
files written by `littlego` and by the original server. A handwritten configuration may contain a size instead of an
empty board, and times in the format `MM:SS.mmm`.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from littlego.cli.arguments import ArgumentError
from littlego.files import read_plain, short_name
from littlego.games.game import why_illegal
from littlego.games.match import KOMI2, LARGEST_KOMI, MatchPosition, komi2_of, match_rules
from littlego.games.sizes import MATCH_SIZES
from littlego.printable import printable
from littlego.rules.geometry import Point, count
from littlego.rules.position import BLACK, PASS, RESIGN, WHITE

LETTERS = {BLACK: "B", WHITE: "W", 0: "."}  # the protocol's colours; 0: empty, or no player
COLOURS = {letter: colour for colour, letter in LETTERS.items()}
REASONS = ("resign", "pass", "timeout", "mercy")  # reasons for the end of a game
PLACE, PASSES, RESIGNS = "place", "pass", "resign"  # types of moves
LONGEST_TIME = 10**10  # milliseconds: over a hundred days
MOST_PRISONERS = 10**6
MOST_MOVES = 100_000
LONGEST_NAME = 40  # maximum characters stored of a player's name
MERCY_START = 50  # the original server's default
REPEATS = ("it retakes a ko at once", "it repeats an earlier board")  # texts of why_illegal for a violation of superko
_TIME = re.compile(r"(-)?(?:(\d{1,7}):)?(\d{1,9})(?:\.(\d{1,9}))?")


class MatchLogError(ArgumentError):
    """Raised for an invalid move log or protocol move; the message describes the error."""


class LoggedMove(NamedTuple):
    """A move (a point, PASS or RESIGN) and the player's time for the move in milliseconds."""

    move: Point
    milliseconds: int


class Ending(NamedTuple):
    """The end of a game: the reason, the winner, the scores and the time since the last move."""

    reason: str  # one of REASONS
    winner: int  # BLACK, WHITE or 0
    scores: tuple[float, float]  # Black's and White's points, komi included
    milliseconds: int = 0  # time that the player to move has used since the last move


class MatchLog(NamedTuple):
    """The log of a finished or unfinished match."""

    start: MatchPosition  # position before the first move, with the ruleset of the match
    times: tuple[int, int]  # initial milliseconds of Black and White
    moves: tuple[LoggedMove, ...] = ()
    ending: Ending | None = None  # None while the game is in progress
    idle: int = 0  # milliseconds that the player to move has already used
    mercy: float = 0  # lead in points that ends the game once mercy_start moves are played; 0 turns this rule off
    mercy_start: int = MERCY_START
    names: tuple[str, str] = ("", "")  # both players' names, '' if the file has none
    # Descriptions of unsupported rules in the file. These rules are ignored, except that a move may repeat an earlier
    # board if the file has no superko.
    other_rules: tuple[str, ...] = ()

    def positions(self) -> list[MatchPosition]:
        """Return the initial position and the position after each move. A resignation does not change the position."""
        positions = [self.start]
        for entry in self.moves:
            positions.append(positions[-1] if entry.move == RESIGN else positions[-1].play(entry.move))
        return positions

    def remaining(self) -> tuple[int, int]:
        """Return the remaining milliseconds of Black and White.

        The times of all moves are subtracted from the initial times; the player to move also loses the idle time and
        the time between the last move and the end of the game.
        """
        left, colour = list(self.times), self.start.colour
        for entry in self.moves:
            left[colour - 1] -= entry.milliseconds
            colour = BLACK + WHITE - colour if entry.move != RESIGN else colour
        left[colour - 1] -= self.idle + (self.ending.milliseconds if self.ending else 0)
        return left[0], left[1]


def protocol_move(move: Point, size: int) -> dict[str, Any]:
    """Return a move as a JSON value of the protocol."""
    if move in (PASS, RESIGN):
        return {"type": PASSES if move == PASS else RESIGNS}
    row, column = divmod(move, size)
    return {"type": PLACE, "point": {"row": row, "column": column}}


def parse_protocol_move(value: Any, size: int) -> Point:
    """Return the move for a JSON value without checking whether the move is legal.

    Raise MatchLogError with a message that the protocol defines: `Invalid type`, `Invalid point` or `Out of Bound`.
    """
    kind = value.get("type") if isinstance(value, dict) else None
    if kind in (PASSES, RESIGNS):
        return PASS if kind == PASSES else RESIGN
    if kind != PLACE:
        raise MatchLogError("Invalid type")
    point = value.get("point")
    row, column = (point.get("row"), point.get("column")) if isinstance(point, dict) else (None, None)
    if type(row) is not int or type(column) is not int:  # bool is a subclass of int
        raise MatchLogError("Invalid point")
    if not (0 <= row < size and 0 <= column < size):
        raise MatchLogError("Out of Bound")
    return size * row + column


def log_json(log: MatchLog) -> dict[str, Any]:
    """Return a log as a JSON value: a `configuration` of the protocol and, if known, the players' names."""
    size = log.start.ruleset.size
    names = {"names": {"B": log.names[0], "W": log.names[1]}} if any(log.names) else {}
    return {
        "initialState": {
            "board": _board_json(log.start),
            "players": {
                LETTERS[colour]: {
                    "remainingTime": log.times[colour - 1],
                    "prisoners": log.start.prisoners[colour - 1],
                }
                for colour in (BLACK, WHITE)
            },
            "turn": LETTERS[log.start.colour],
        },
        "moveLog": [*(_entry_json(entry, size) for entry in log.moves), *_ending_json(log.ending)],
        "komi": _plain(log.start.ruleset.komi2 / 2),
        "ko": False,
        "superko": True,
        "mercy": _plain(log.mercy),
        "mercyStart": log.mercy_start,
        "scoringMethod": "area",
        "prisonerScore": 1,
        "passAddsToPrisoners": log.start.ruleset.pass_stones,
        "idleDeltaTime": log.idle,
        **names,
    }


def _board_json(position: MatchPosition) -> list[list[str]]:
    size = position.ruleset.size
    stones = [LETTERS[(position.black >> p & 1) * BLACK + (position.white >> p & 1) * WHITE] for p in range(size**2)]
    return [stones[start : start + size] for start in range(0, size**2, size)]


def _entry_json(entry: LoggedMove, size: int) -> dict[str, Any]:
    return {"move": protocol_move(entry.move, size), "deltaTime": entry.milliseconds}


def _ending_json(ending: Ending | None) -> Iterable[dict[str, Any]]:
    if ending is not None:
        scores = {"B": _plain(ending.scores[0]), "W": _plain(ending.scores[1])}
        end = {"reason": ending.reason, "scores": scores, "winner": LETTERS[ending.winner]}
        yield {"end": end, "deltaTime": ending.milliseconds}


def log_text(log: MatchLog) -> str:
    """Return the text of a log file, with one move per line.

    `parse_log` restores the log, except `other_rules`, from this text.
    """
    values = log_json(log)
    parts = {key: json.dumps(value) for key, value in values.items()}
    entries = ",\n  ".join(json.dumps(entry) for entry in values["moveLog"])
    parts["moveLog"] = f"[\n  {entries}\n ]" if entries else "[]"
    return "{\n" + ",\n".join(f' "{key}": {part}' for key, part in parts.items()) + "\n}\n"


def read_log(path: str | os.PathLike[str]) -> MatchLog:
    """Return the log in a file. Raise OSError if reading fails, and MatchLogError for an invalid log."""
    try:
        return parse_log(read_plain(path))
    except MatchLogError as error:
        raise MatchLogError(f"{short_name(path)}: {error}") from None


def parse_log(data: bytes | str) -> MatchLog:
    """Return the log in a JSON text; raise MatchLogError for an invalid log."""
    try:
        return read_configuration(json.loads(data))
    except MatchLogError:
        raise
    except (ValueError, RecursionError):
        shown = data[:40].decode("utf-8", "replace") if isinstance(data, bytes) else data[:40]
        raise MatchLogError(f"expected a move log as JSON, found {_shown(shown)}") from None


def read_configuration(value: Any) -> MatchLog:
    """Return the log that a START message's configuration contains.

    Raise MatchLogError for an invalid log. `initialState` must contain `players` with the `remainingTime` of both
    players. The other keys of the configuration, of `initialState` and of each player are optional; unknown keys are
    ignored.
    """
    state = _object(value, "a move log").get("initialState")
    komi = _number(value.get("komi", KOMI2 / 2), "komi", LARGEST_KOMI)
    komi2 = komi2_of(komi)
    if komi2 is None:
        raise MatchLogError(f"komi {komi:g}: expected a whole or a half number, such as 6.5")
    start, times = _read_start(_object(state, "initialState"), komi2, _flag(value, "passAddsToPrisoners"))
    other_rules = tuple(_other_rules(value))
    moves, ending = _read_moves(value.get("moveLog", []), start, any("superko" in rule for rule in other_rules))
    return MatchLog(
        start,
        times,
        moves,
        ending,
        _time(value.get("idleDeltaTime", 0), "idleDeltaTime"),
        _plain(_number(value.get("mercy", 0), "mercy", 10**6)),
        int(_number(value.get("mercyStart", MERCY_START), "mercyStart", MOST_MOVES)),
        _names(value.get("names")),
        other_rules,
    )


def _other_rules(value: dict[str, Any]) -> Iterable[str]:
    """Yield a description of each unsupported rule in a configuration."""
    if not _flag(value, "superko"):
        yield "no superko" if value.get("ko") is False else "simple ko instead of superko"
    if value.get("scoringMethod", "area") != "area":
        yield "territory instead of area"
    score = _number(value.get("prisonerScore", 1), "prisonerScore", MOST_PRISONERS)
    if score != 1:
        yield f"{score:g} points per prisoner instead of 1"


def _read_start(state: dict[str, Any], komi2: int, pass_stones: bool) -> tuple[MatchPosition, tuple[int, int]]:
    """Return (the position before the first move, the initial milliseconds of Black and White)."""
    size, black, white = _read_board(state.get("board", MATCH_SIZES.usual))
    turn = state.get("turn", "B")
    if turn not in ("B", "W"):
        raise MatchLogError(f"turn: expected B or W, found {_shown(turn)}")
    players = _object(state.get("players"), "players")
    sides = [_object(players.get(letter), f"player {letter}") for letter in "BW"]
    left = [_time(side.get("remainingTime"), "remainingTime") for side in sides]
    held = [int(_number(side.get("prisoners", 0), "prisoners", MOST_PRISONERS)) for side in sides]
    rules = match_rules(size, komi2, pass_stones)
    return rules.start((black, white), COLOURS[turn], (held[0], held[1])), (left[0], left[1])


def _read_board(board: Any) -> tuple[int, int, int]:
    """Return (size, Black's mask, White's mask) of a board.

    board: a list of rows of letters, or the size of an empty board.
    """
    size = board if type(board) is int else len(board) if isinstance(board, list) else 0
    if not MATCH_SIZES.allow(size):
        raise MatchLogError(f"board: expected a size or number of rows from {MATCH_SIZES.text}, found {_shown(board)}")
    masks = {BLACK: 0, WHITE: 0}
    for row, cells in enumerate(board if isinstance(board, list) else ()):
        if not isinstance(cells, list | str) or len(cells) != size:
            raise MatchLogError(f"board: row {row} should have {size} points, found {_shown(cells)}")
        for column, letter in enumerate(cells):
            if letter not in ("B", "W", "."):
                raise MatchLogError(f"board: expected B, W or . at {row},{column}, found {_shown(letter)}")
            if letter != ".":
                masks[COLOURS[letter]] |= 1 << size * row + column
    if count(masks[BLACK] | masks[WHITE]) == size * size:
        raise MatchLogError("board: no empty point")
    return size, masks[BLACK], masks[WHITE]


def _read_moves(
    entries: Any, position: MatchPosition, may_repeat: bool
) -> tuple[tuple[LoggedMove, ...], Ending | None]:
    """Return (moves, ending); raise MatchLogError for an invalid list. may_repeat: whether moves may break superko."""
    if not isinstance(entries, list) or len(entries) > MOST_MOVES:
        raise MatchLogError(f"moveLog: expected a list of at most {MOST_MOVES} moves, found {_shown(entries)}")
    moves: list[LoggedMove] = []
    over = False
    for number, entry in enumerate(entries, 1):
        spent = _time(_object(entry, f"move {number}").get("deltaTime", 0), f"deltaTime of move {number}")
        if "end" in entry:
            if number < len(entries):
                raise MatchLogError(f"move {number}: expected no move after the end of the game")
            return tuple(moves), _read_ending(entry["end"], spent)
        if over:
            raise MatchLogError(f"move {number}: the game ended with move {number - 1}")
        move = _read_move(entry.get("move"), number, position, may_repeat)
        moves.append(LoggedMove(move, spent))
        over = position.ends_with(move)
        position = position if move == RESIGN else position.play(move)
    return tuple(moves), None


def _read_move(value: Any, number: int, position: MatchPosition, may_repeat: bool) -> Point:
    try:
        move = parse_protocol_move(value, position.ruleset.size)
    except MatchLogError as error:
        raise MatchLogError(f"move {number}: {error}, found {_shown(value)}") from None
    why = why_illegal(position, move)
    if why and not (may_repeat and why in REPEATS):
        row, column = divmod(move, position.ruleset.size)
        raise MatchLogError(f"move {number}, row {row} and column {column}, is illegal: {why}")
    return move


def _read_ending(value: Any, spent: int) -> Ending:
    end = _object(value, "end")
    reason, winner, scores = end.get("reason"), end.get("winner"), _object(end.get("scores"), "scores")
    if reason not in REASONS:
        raise MatchLogError(f"end: expected one of the reasons {', '.join(REASONS)}, found {_shown(reason)}")
    if not isinstance(winner, str) or winner not in COLOURS:
        raise MatchLogError(f"end: expected the winner B, W or ., found {_shown(winner)}")
    black, white = (_number(scores.get(letter), f"score {letter}", MOST_PRISONERS) for letter in "BW")
    return Ending(reason, COLOURS[winner], (_plain(black), _plain(white)), spent)


def _names(value: Any) -> tuple[str, str]:
    """Return both players' names as one-line texts; '' for an invalid name."""
    names = [value.get(letter) if isinstance(value, dict) else "" for letter in "BW"]
    black, white = (printable(name)[:LONGEST_NAME] if isinstance(name, str) else "" for name in names)
    return black, white


def parse_time(value: Any) -> int:
    """Return the milliseconds for a number or a text `MM:SS.mmm`; raise MatchLogError for other values."""
    return _time(value, "a time")


def _time(value: Any, what: str) -> int:
    """Return the milliseconds for a number or a text `MM:SS.mmm`. Raise MatchLogError for an invalid value.

    what: the value's name in messages.
    """
    if isinstance(value, str) and (match := _TIME.fullmatch(value.strip())):
        sign, minutes, seconds, rest = match.groups()
        value = 60_000 * int(minutes or 0) + 1000 * int(seconds) + round(1000 * float(f"0.{rest or 0}"))
        value = -value if sign else value
    if isinstance(value, str):
        raise MatchLogError(f"{what}: expected milliseconds or MM:SS.mmm, found {_shown(value)}")
    return round(_number(value, what, LONGEST_TIME))


def _number(value: Any, what: str, most: float) -> float:
    """Return the value unchanged if it is a number from -most to most.

    Raise MatchLogError for a bool or any other value. what: the value's name in messages.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= most:
        raise MatchLogError(f"{what}: expected a number from {-most:g} to {most:g}, found {_shown(value)}")
    return value


def _plain(number: float) -> float:
    """Return a number in its shortest JSON form: 361, not 361.0."""
    return int(number) if math.isfinite(number) and number == int(number) else number


def _flag(value: dict[str, Any], key: str) -> bool:
    """Return the boolean value of a key, or False if the key is missing, as in logs of the first servers."""
    flag = value.get(key, False)
    if not isinstance(flag, bool):
        raise MatchLogError(f"{key}: expected true or false, found {_shown(flag)}")
    return flag


def _object(value: Any, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise MatchLogError(f"{what}: expected an object, found {_shown(value)}")
    return value


def _shown(value: Any) -> str:
    """Return a short one-line description of a value for a message."""
    text = "nothing" if value is None else f"{value!r:.60}" if isinstance(value, str | int | float) else _kind(value)
    return printable(text[:60])


def _kind(value: Any) -> str:
    if isinstance(value, list):
        return f"a list of length {len(value)}"
    return f"an object with {', '.join(map(repr, list(value)[:3])) or 'no keys'}"
