"""The file protocol: input.txt and output.txt as the course's host writes and reads them.

This module runs on Python 3.7.
"""

from __future__ import annotations

import errno
import io
import os
import stat
from typing import NamedTuple

from littlego.games.clock import Times
from littlego.rules.position import PASS, Position
from littlego.rules.turn import INPUT, OUTPUT

LONGEST_OUTPUT = 65536  # maximum bytes read: only the first line matters, and a player may write gigabytes
SHOWN = 40  # maximum characters of a wrong answer in a message


class OutputError(ValueError):
    """Raised for a missing or invalid output.txt, which forfeits the game. The message describes the fault."""


class Turn(NamedTuple):
    """A player's input for one turn."""

    position: Position
    previous: tuple[int, int]  # the (black, white) masks before the last move
    times: Times | None = None  # both clocks, None in a game without clocks
    moves: tuple[int, ...] | None = None  # all moves since the opening, None if unknown


class Answer(NamedTuple):
    """The answer in output.txt.

    move: a point, PASS, or None for a point off the board. text: the move's text. warning: a warning about the file's
    format, or ''.
    """

    move: int | None
    text: str
    warning: str


def input_text(turn: Turn) -> str:
    """Return the 2 * size + 1 lines of input.txt (11 on 5x5), separated by LF, without a final LF.

    The course's host writes the same bytes.
    """
    position = turn.position
    size = position.ruleset.size
    lines = [str(position.colour)]
    for black, white in (turn.previous, (position.black, position.white)):
        digits = "".join(str((black >> point & 1) + 2 * (white >> point & 1)) for point in range(size * size))
        lines += [digits[start : start + size] for start in range(0, size * size, size)]
    return "\n".join(lines)


def write_input(folder: str | int, turn: Turn) -> None:
    """Write input.txt into a folder.

    folder: a path, or the descriptor of an open folder. Raise FileExistsError if `folder` is a descriptor and input.txt
    exists.
    """
    flags = os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if isinstance(folder, str) else os.O_EXCL)
    with os.fdopen(_open(folder, INPUT, flags), "w", encoding="ascii", newline="\n") as file:
        file.write(input_text(turn))


def _open(folder: str | int, name: str, flags: int) -> int:
    """Open a file in a folder, and return its descriptor.

    folder: a path, or the descriptor of an open folder. On a system with O_NOFOLLOW and O_NONBLOCK, the call fails if
    the file is a link, and does not block if the file is a pipe.
    """
    flags |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    if isinstance(folder, str):
        return os.open(os.path.join(folder, name), flags, 0o644)
    return os.open(name, flags, 0o644, dir_fd=folder)


def read_output(folder: str | int, size: int) -> Answer:
    """Return the answer in output.txt; parse the file as the course's reader does.

    Raise OutputError if the file forfeits the game. `folder` is a path, or the descriptor of an open folder. The
    course's reader strips the first line and splits it at commas. If the first field is PASS, the move is a pass.
    Otherwise int() parses the first two fields as zero-based row and column.
    """
    data = _plain_bytes(folder)
    try:
        line = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8").readline()
    except UnicodeDecodeError:
        raise OutputError(f"{OUTPUT} is not text: it begins with {data[:SHOWN]!r}") from None
    return _read_line(line, data, size)


def _plain_bytes(folder: str | int) -> bytes:
    """Return at most LONGEST_OUTPUT bytes of output.txt.

    Raise OutputError for a missing or unreadable file, a link or a special file. Links and special files are not read,
    because a link may lead to another user's file and a pipe may block.
    """
    try:
        descriptor = _open(folder, OUTPUT, os.O_RDONLY)
    except FileNotFoundError:
        gone = isinstance(folder, str) and not os.path.isdir(folder)
        raise OutputError("has removed its work folder" if gone else f"no {OUTPUT} was written") from None
    except OSError as error:
        what = "is not a plain file" if error.errno in (errno.ELOOP, errno.ENXIO, errno.EMLINK) else ""
        raise OutputError(f"{OUTPUT} {what or f'cannot be read: {error.strerror}'}") from None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OutputError(f"{OUTPUT} is not a plain file")
        return _read_all(descriptor)
    except OSError as error:
        raise OutputError(f"{OUTPUT} cannot be read: {error.strerror}") from None
    finally:
        os.close(descriptor)


def _read_all(descriptor: int) -> bytes:
    """Return an open file's remaining bytes, at most LONGEST_OUTPUT."""
    data, chunk = b"", b"more"
    while chunk and len(data) < LONGEST_OUTPUT:
        chunk = os.read(descriptor, LONGEST_OUTPUT - len(data))
        data += chunk
    return data


def _read_line(line: str, data: bytes, size: int) -> Answer:
    shown = line.rstrip("\r\n")[:SHOWN]
    places = line.strip().split(",")
    if places[0] == "PASS":
        return Answer(PASS, shown, _describe_departure(data, b"PASS"))
    try:
        row, column = int(places[0]), int(places[1])
    except (ValueError, IndexError):
        problem = f"{OUTPUT} is empty" if not data else f"{OUTPUT} begins with {shown!r}"
        raise OutputError(f"{problem}; expected row,column or PASS") from None
    move = size * row + column if 0 <= row < size and 0 <= column < size else None
    return Answer(move, f"{row},{column}", _describe_departure(data, b"%d,%d" % (row, column)))


def _describe_departure(data: bytes, exact: bytes) -> str:
    """Return a warning if the file differs from the handout's format, else ''. A final LF is allowed."""
    if data in (exact, exact + b"\n"):
        return ""
    return "{} contains {!r} where the handout requires {!r}; the course's reader accepts it".format(
        OUTPUT,
        data[:SHOWN].decode("utf-8", "replace"),
        exact.decode("ascii"),
    )
