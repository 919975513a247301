"""Lookup of proven moves in overrides.txt; a proven move replaces the patterns' choice.

overrides.txt lists positions and their proven moves. Line 1 is `littlego-overrides VERSION RULESET COUNT CRC32`. CRC32
covers every byte after line 1. COUNT records of 14 bytes follow, in ascending order. The fields of a record are:

KEY    the canonical position's key (see positionkey) in 11 characters, which sort in the order of the keys
MOVE   `a` to `y` for the points of the canonical image, `z` for a pass
CHECK  a character that detects one wrong letter, or two swapped letters of KEY
LF     the end of the line

A turn finds the record of its position by bisection and verifies the CHECK of every record that it reads.

A program in tools/littlego/ generates the file. The file stays valid if patterns.txt changes, because a proof that a
move wins does not depend on patterns.
"""

from __future__ import annotations

from .position import BLACK, PASS, is_legal
from .positionkey import pack_state
from .ruleset import LITTLE_GO

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO, Callable

    from .facts import State
    from .geometry import Point

MAGIC, VERSION = "littlego-overrides", "1"
LETTERS = b"-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"  # 64 characters in ASCII order
KEY, RECORD = 11, 14  # bytes
LONGEST_HEADER = 80
FIRST_POINT, A_PASS = ord("a"), ord("z")


class OverridesError(Exception):
    """Raised if overrides.txt is damaged or was made for another game or version. The message is one line."""


class Overrides:
    """An open overrides.txt for lookups of single positions.

    file: binary and seekable. name: the file's name in messages. complain: a function called with a one-line message if
    a lookup fails or finds damage.
    """

    __slots__ = ("file", "name", "complain")

    def __init__(self, file: BinaryIO, name: str, complain: Callable[[str], None]) -> None:
        self.file = file
        self.name = name
        self.complain = complain

    def move_for(self, state: State) -> Point | None:
        """Return the recorded move for a canonical state of Little-Go: a legal point or PASS.

        Return None if there is no record, or if the lookup fails or finds damage.
        """
        if (state.colour == BLACK) != (state.left % 2 == 0):  # an impossible position, which has no valid key
            return None
        try:
            move = find(self.file, letters_of(pack_state(state)))
            if (
                move is not None
                and move != PASS
                and not is_legal(1 << move, state.own, state.theirs, state.ko, state.grid)
            ):
                raise OverridesError("the recorded move is illegal")
        except Exception as error:  # whatever the error, the patterns must still decide
            self.complain("%s: %s; playing without it" % (self.name, error))
            return None
        return move


def letters_of(key: int) -> bytes:
    """Return a position key as the 11 ASCII characters of a record, six bits per character."""
    return bytes([LETTERS[key >> shift & 63] for shift in range(6 * KEY - 6, -1, -6)])


def check_of(entry: bytes) -> int:
    """Return the ASCII code of the check character for an entry (the bytes of a key and a move).

    The code is 33 plus a remainder modulo a prime that exceeds the difference between any two letters' codes, so that
    one wrong letter changes the code.
    """
    return 33 + int.from_bytes(entry, "big") % 89


def find(file: BinaryIO, key: bytes) -> Point | None:
    """Return the recorded move for a key, or None; raise OverridesError if the search finds damage."""
    start, count, _ = read_header(file)
    size = file.seek(0, 2)
    if size != start + RECORD * count:
        raise OverridesError(
            "%d bytes, expected %d: the file is truncated or was edited by hand" % (size, start + RECORD * count)
        )
    low, high = 0, count
    lowest, highest = b"", b"~"
    while low < high:
        middle = (low + high) // 2
        file.seek(start + RECORD * middle)
        here, move = read_record(file.read(RECORD), middle)
        if not lowest < here < highest:
            raise OverridesError("record %d is out of order" % (middle + 1))
        if here == key:
            return move
        if here < key:
            low, lowest = middle + 1, here
        else:
            high, highest = middle, here
    return None


def read_header(file: BinaryIO) -> tuple[int, int, str]:
    """Return (length of line 1 in bytes, number of records, CRC32 of the records in hex).

    Raise OverridesError if line 1 is not a header of this version and game.
    """
    file.seek(0)
    line, newline, _ = file.read(LONGEST_HEADER).partition(b"\n")
    fields = line.decode("ascii", "replace").split(" ")
    if fields[0] != MAGIC or len(fields) != 5 or not newline or not fields[3].isdigit():
        raise OverridesError("line 1 is not a header `%s ...`" % MAGIC)
    if fields[1:3] != [VERSION, LITTLE_GO.name]:
        raise OverridesError(
            "version %s for %s, expected version %s for %s" % (fields[1], fields[2], VERSION, LITTLE_GO.name)
        )
    return len(line) + 1, int(fields[3]), fields[4]


def read_record(record: bytes, index: int) -> tuple[bytes, Point]:
    """Return (key, move) of the record at a zero-based index; raise OverridesError for a damaged record."""
    move = record[KEY] if len(record) == RECORD else 0
    if not FIRST_POINT <= move <= A_PASS or record[KEY + 1 :] != bytes([check_of(record[: KEY + 1]), 10]):
        raise OverridesError("record %d is damaged" % (index + 1))
    return record[:KEY], PASS if move == A_PASS else move - FIRST_POINT
