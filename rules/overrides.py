"""overrides.txt, asked: single positions that a program proved to need another move than the patterns give.

Line 1: `littlego-exceptions VERSION RULESET COUNT CRC32`; then COUNT records in ascending order, 14 bytes each: KEY,
the code of the canonical position (see code_of) in 11 characters that sort as it does; MOVE, `a` to `y` for the points
of the canonical image, `z` for a pass; CHECK, which gives away one letter that is wrong and two that changed places;
LF. CRC32 is over every byte after line 1. A turn finds its record by bisection, and checks the few that it reads.

The file is made by a program in tools/. It names no patterns.txt: that a move keeps a win depends on no pattern.
"""

from rules.position import BLACK, PASS, is_legal
from rules.ruleset import LITTLE_GO

MAGIC, VERSION = "littlego-exceptions", "1"
LETTERS = b"-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"  # 64, in ASCII's order
KEY, RECORD = 11, 14  # bytes
LONGEST_HEADER = 80
FIRST_POINT, A_PASS = ord("a"), ord("z")


class OverridesError(Exception):
    """overrides.txt is damaged, or of another game or version; the text says how, in one line."""


class Overrides:
    """An overrides.txt, asked position by position.

    file: binary and seekable. name: what it is called in complaints. complain: called with one line where the file,
    or a record on the way to the one that is looked for, is of no use.
    """

    __slots__ = ("file", "name", "complain")

    def __init__(self, file, name, complain):
        self.file = file
        self.name = name
        self.complain = complain

    def move_for(self, state):
        """Return the move on record, a legal point or PASS, for a canonical state of Little-Go (see facts), or None."""
        own, theirs, ko, left, _, colour, _, _, grid = state
        if (colour == BLACK) != (left % 2 == 0):  # no turn of a game, and its code would be another's
            return None
        try:
            move = find(self.file, key_of(code_of(state)))
            if move is not None and move != PASS and not is_legal(1 << move, own, theirs, ko, grid):
                raise OverridesError("the move on record is illegal")
        except Exception as error:  # whatever it is: the decision by patterns matters more
            self.complain("%s: %s; playing without it" % (self.name, error))
            return None
        return move


def code_of(state):
    """Return a position of Little-Go in one number.

    From the lowest bit: black stones (25 bits), white stones (25), the point that the ko rule denies plus one, or 0
    (5), whether a pass ends the game (1), moves left (5). Whose move it is follows: Black's where these are even.
    """
    own, theirs, ko, left, _, colour, _, passed, _ = state
    black, white = (own, theirs) if colour == BLACK else (theirs, own)
    return black | white << 25 | ko.bit_length() << 50 | passed << 55 | left << 56


def key_of(code):
    """Return the key of a code, as records have it: six bits a character."""
    return bytes([LETTERS[code >> shift & 63] for shift in range(6 * KEY - 6, -1, -6)])


def check_of(entry):
    """Return the check character for the bytes of key and move: the remainder by a prime larger than letters differ."""
    return 33 + int.from_bytes(entry, "big") % 89


def find(file, key):
    """Return the move on record for a key, or None; raise OverridesError where the file is damaged on the way to it."""
    start, count, _ = read_header(file)
    size = file.seek(0, 2)
    if size != start + RECORD * count:
        raise OverridesError("%d bytes, expected %d: truncated, or edited by hand" % (size, start + RECORD * count))
    low, high = 0, count
    lowest, highest = b"", b"~"
    while low < high:
        middle = (low + high) // 2
        file.seek(start + RECORD * middle)
        found, move = read_record(file.read(RECORD), middle)
        if not lowest < found < highest:
            raise OverridesError("record %d is out of order" % (middle + 1))
        if found == key:
            return move
        if found < key:
            low, lowest = middle + 1, found
        else:
            high, highest = middle, found
    return None


def read_header(file):
    """Return (bytes of line 1, number of records, their CRC32 in hex); raise OverridesError."""
    file.seek(0)
    line, newline, _ = file.read(LONGEST_HEADER).partition(b"\n")
    fields = line.decode("ascii", "replace").split(" ")
    if fields[0] != MAGIC or len(fields) != 5 or not newline or not fields[3].isdigit():
        raise OverridesError("line 1 is not a header `%s ...`" % MAGIC)
    if fields[1:3] != [VERSION, LITTLE_GO.name]:
        found = fields[1], fields[2], VERSION, LITTLE_GO.name
        raise OverridesError("version %s for %s, expected version %s for %s" % found)
    return len(line) + 1, int(fields[3]), fields[4]


def read_record(record, index):
    """Return (key, move) of the bytes of a record, the index-th from 0; raise OverridesError."""
    move = record[KEY] if len(record) == RECORD else 0
    if not FIRST_POINT <= move <= A_PASS or record[KEY + 1 :] != bytes([check_of(record[: KEY + 1]), 10]):
        raise OverridesError("record %d is damaged" % (index + 1))
    return record[:KEY], PASS if move == A_PASS else move - FIRST_POINT
