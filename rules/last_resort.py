"""A fallback turn for my_player3.py, used if rules.turn cannot be imported or raises an exception.

The usual cause is a missing or damaged module of rules/, or exhausted memory. On POSIX systems, the module imports only
built-in modules and __future__, so that the turn also succeeds with little memory or few file descriptors. The fallback
uses a single rule: an empty point next to another empty point is legal, because a stone on it has a liberty and the ko
rule forbids only points with stones on all sides.
"""

from __future__ import annotations

import sys

try:
    from posix import O_CREAT, O_EXCL, O_NONBLOCK, O_WRONLY, close, read, replace, unlink, write
    from posix import open as open_file
except ImportError:
    from os import O_CREAT, O_EXCL, O_WRONLY, close, read, replace, unlink, write
    from os import open as open_file

    O_NONBLOCK = getattr(sys.modules["os"], "O_BINARY", 0)  # type: ignore[misc] # else LF would become CR LF

SIZE = 5
INPUT, OUTPUT = "input.txt", "output.txt"  # copied from turn, which may be the missing module
LONGEST = 10000


def play_on(error: Exception) -> int:
    """Write output.txt and report the error on standard error; return the exit status.

    The status is 0, or 1 if input.txt is unreadable or invalid, or if output.txt cannot be written.
    """
    faults = "%s: %s; playing without rules" % (type(error).__name__, error)
    status, move = 0, b"PASS\n"
    try:
        move = first_move(_content(INPUT))
    except (OSError, ValueError) as fault:
        status, faults = 1, "%s; %s: %s" % (faults, INPUT, fault)
    try:
        _put(OUTPUT, move)
    except OSError as fault:
        status, faults = 1, "%s; %s: %s" % (faults, OUTPUT, fault)
    try:
        sys.stderr.write("my_player3: %s\n" % " ".join(faults.split()).encode("ascii", "replace").decode())
        sys.stderr.flush()
    except Exception:  # a closed or full standard error must not cost the game
        sys.stderr = None
    return status


def first_move(data: bytes) -> bytes:
    """Return the text of output.txt for the bytes of input.txt.

    The text is the first point that is surely legal, or PASS. Raise ValueError if the bytes are not a valid input.txt.
    """
    rows = data.replace(b"\xef\xbb\xbf", b"").split()
    cells = b"".join(rows[1 + SIZE :]).decode("latin-1")
    if len(rows) != 1 + 2 * SIZE or rows[0] not in (b"1", b"2") or len(cells) != SIZE * SIZE or cells.strip("012"):
        raise ValueError("expected 1 or 2 and two boards")
    for point in range(SIZE * SIZE):
        right = cells[point + 1 : point + 2] if (point + 1) % SIZE else ""
        if cells[point] == "0" and "0" in right + cells[point + SIZE : point + SIZE + 1]:
            return b"%d,%d\n" % divmod(point, SIZE)
    return b"PASS\n"


def _content(name: str) -> bytes:
    """Return at most the first LONGEST bytes of a file, without blocking on a pipe."""
    file = open_file(name, O_NONBLOCK)
    try:
        return read(file, LONGEST)
    finally:
        close(file)


def _put(name: str, data: bytes) -> None:
    """Replace a small file atomically; if it is a link, replace the link, not its target."""
    new = name + ".tmp"
    try:
        unlink(new)
    except OSError:  # no such file
        pass
    file = open_file(new, O_WRONLY | O_CREAT | O_EXCL | O_NONBLOCK, 0o666)
    try:
        try:
            if write(file, data) != len(data):
                raise OSError("only a part could be written")
        finally:
            close(file)
        replace(new, name)
    except BaseException:  # including an interrupt
        unlink(new)
        raise
