"""A turn without the rest of rules/: what my_player3.py plays where a module is missing or damaged.

It imports nothing but what is built in, so that it runs without memory and open files to spare, and knows no rule but
this: an empty point beside another empty one is legal, for a stone there has a liberty, and a stone that may be
retaken in a ko lay between stones alone.
"""

from __future__ import annotations

import sys

try:
    from posix import O_CREAT, O_EXCL, O_NONBLOCK, O_WRONLY, close, read, replace, unlink, write
    from posix import open as open_file
except ImportError:
    from os import O_CREAT, O_EXCL, O_WRONLY, close, read, replace, unlink, write
    from os import open as open_file

    O_NONBLOCK = getattr(sys.modules["os"], "O_BINARY", 0)  # type: ignore[misc] # LF would become CR LF

SIZE = 5
INPUT, OUTPUT = "input.txt", "output.txt"  # as in turn, which may be what is missing
LONGEST = 10000


def play_on(error: Exception) -> int:
    """Write output.txt, say on standard error what was wrong, and return the exit status, as turn.play_turn does."""
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
    """Return output.txt for the bytes of input.txt: a point that is surely legal, else PASS. Raise ValueError."""
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
    """Return the bytes of a small file, without waiting for a pipe."""
    file = open_file(name, O_NONBLOCK)
    try:
        return read(file, LONGEST)
    finally:
        close(file)


def _put(name: str, data: bytes) -> None:
    """Replace a small file, whole or not at all, and never through a link."""
    new = name + ".tmp"
    try:
        unlink(new)
    except OSError:  # there is none
        pass
    file = open_file(new, O_WRONLY | O_CREAT | O_EXCL | O_NONBLOCK, 0o666)
    try:
        try:
            if write(file, data) != len(data):
                raise OSError("no room for it")
        finally:
            close(file)
        replace(new, name)
    except BaseException:  # an interrupt too
        unlink(new)
        raise
