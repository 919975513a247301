"""The messages of protocol v1: one JSON object in each text frame (docs/server.md).

The server sends NAME, START, MOVE, VALID, INVALID and END; a client sends NAME and MOVE.
"""

from __future__ import annotations

import json
from typing import Any

from littlego.match.matchlog import LETTERS, protocol_move
from littlego.printable import printable
from littlego.rules.geometry import Point
from littlego.rules.position import BLACK, WHITE

PROTOCOL = "v1"
LARGEST_MESSAGE = 64 * 1024  # bytes that the server accepts from a client
LARGEST_START = 16 * 1024 * 1024  # bytes that a client accepts: a START with the log of a long game
LONGEST_SHOWN = 120  # characters of another program's text in a printed line
PAUSE = "pause"  # reason of an END after which the game can resume; other servers also send "error"
SEAT = "seat"  # field not in protocol v1: in START, the seat's secret; in NAME, the secret of the former seat, or ''

Message = dict[str, Any]


class BadMessage(ValueError):
    """Raised for a frame without a valid message.

    The error's text says in one line what was found and what was expected.
    """


def shorten(text: str, most: int = LONGEST_SHOWN) -> str:
    """Return another program's text, cut after `most` characters (then `...`) and made printable."""
    return printable(text[:most]) + ("..." if len(text) > most else "")


def encode(message: Message) -> str:
    """Return a message as JSON text."""
    return json.dumps(message, separators=(",", ":"))


def decode(frame: str | bytes) -> Message:
    """Return the message in a frame: an object with a `type`. Raise BadMessage for any other content."""
    if isinstance(frame, bytes):
        raise BadMessage(f"a binary frame of {len(frame)} bytes; expected text")
    try:
        message = json.loads(frame)
    except (ValueError, RecursionError):
        raise BadMessage(f"{shorten(frame)}; expected JSON") from None
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise BadMessage(f"{shorten(frame)}; expected a JSON object with a string `type`")
    return message


def remaining_time(milliseconds: tuple[int, int]) -> dict[str, int]:
    """Return both players' remaining times, in milliseconds, as the protocol's JSON value."""
    return {LETTERS[BLACK]: milliseconds[0], LETTERS[WHITE]: milliseconds[1]}


def start_message(configuration: Message, colour: int, secret: str = "") -> Message:
    """Return the START message for the player of a colour. secret: the seat's secret, or ''."""
    message: Message = {"type": "START", "configuration": configuration, "color": LETTERS[colour]}
    return {**message, SEAT: secret} if secret else message


def move_message(move: Point, size: int, milliseconds: tuple[int, int] | None = None) -> Message:
    """Return a MOVE message. The server's MOVE contains the remaining times; a client's MOVE does not."""
    message: Message = {"type": "MOVE", "move": protocol_move(move, size)}
    return message if milliseconds is None else {**message, "remainingTime": remaining_time(milliseconds)}


def valid_message(milliseconds: tuple[int, int]) -> Message:
    """Return the VALID message that answers a legal move."""
    return {"type": "VALID", "remainingTime": remaining_time(milliseconds)}


def invalid_message(why: str, milliseconds: tuple[int, int]) -> Message:
    """Return the INVALID message that answers an illegal move."""
    return {"type": "INVALID", "message": why, "remainingTime": remaining_time(milliseconds)}


def end_message(reason: str, winner: int, scores: tuple[float, float], milliseconds: tuple[int, int]) -> Message:
    """Return the END message for both players."""
    players = {
        LETTERS[colour]: {"score": scores[colour - 1], "remainingTime": milliseconds[colour - 1]}
        for colour in (BLACK, WHITE)
    }
    return {"type": "END", "reason": reason, "winner": LETTERS[winner], "players": players}


def name_message(name: str | None = None, secret: str = "") -> Message:
    """Return a NAME message. A client's NAME contains the client's name and secret; the server's NAME has neither."""
    return {"type": "NAME"} if name is None else {"type": "NAME", "name": name, "protocol": PROTOCOL, SEAT: secret}
