"""One turn of the player: read input.txt, decide, write output.txt, update the side file.

The side file, my_player3_count.txt, stores the move count for the next turn.

If the input is valid and output.txt can be written, output.txt contains a legal move, whatever else fails. A broken
side file is ignored. If the pattern file is broken or the engine fails, the engine decides without patterns; if the
engine fails again, the player plays the move that `any_move` returns. Every fault other than a broken side file is
reported in one line on standard error. If the input is invalid, output.txt contains PASS and the exit status is 1.

To find a legal move, this module needs the modules imported at its top; if one of these imports fails, my_player3.py
runs rules/last_resort. Every other module is imported inside a function that handles a missing or damaged module.
"""

from __future__ import annotations

import sys

from .geometry import count, points_of
from .position import BLACK, PASS, WHITE, from_boards
from .ruleset import LITTLE_GO

try:  # importing os costs a tenth of a turn, and these functions suffice
    from posix import (
        O_CREAT,
        O_NOFOLLOW,
        O_NONBLOCK,
        O_WRONLY,
        close,
        fstat,
        ftruncate,
        lstat,
        read,
        readlink,
        replace,
        stat,
        unlink,
        write,
    )
    from posix import open as open_file
except ImportError:
    from os import O_CREAT, O_WRONLY, close, fstat, ftruncate, lstat, read, readlink, replace, stat, unlink, write
    from os import open as open_file

    O_NOFOLLOW = 0  # type: ignore[misc]
    O_NONBLOCK = getattr(sys.modules["os"], "O_BINARY", 0)  # type: ignore[misc] # LF would become CR LF

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import stat_result
    from typing import BinaryIO, Callable, Dict, Tuple

    from .geometry import Mask, Point
    from .overrides import Overrides
    from .patternfile import Book
    from .position import Board, Position
    from .ruleset import Ruleset
    from .uncounted import Uncounted

    Counts = Dict[int, Tuple[int, Board, bool]]  # colour -> (moves made, board after them, whether the number is exact)

INPUT, OUTPUT, COUNTS = "input.txt", "output.txt", "my_player3_count.txt"
OVERRIDES = "overrides.txt"
AT_LEAST = "+"  # suffix of a number of moves that is only a lower bound
# Largest accepted difference between the side file's number of moves and the fewest moves that the boards allow.
# Captured stones and passes of both sides leave no trace on the boards. `littlego dev uncounted` shows that in the
# positions that the player meets as Black, the difference is never larger, whatever White plays.
MOST_HIDDEN = 8
LONGEST = 10000  # bytes read of a file of unknown content; a valid file has at most a tenth of this size
LINE = 120  # bytes read of a file to see how its first line ends
LONGEST_PATTERNS = 8 << 20  # bytes, thirty times the present size; a longer file is wrong and takes seconds to read
KIND, PLAIN, FOLDER = 0o170000, 0o100000, 0o040000  # masks and values of st_mode; importing stat would cost more


class InputError(Exception):
    """Raised if input.txt is not in the host's format. The message says what was found and what was expected."""


def as_written(data: bytes) -> bytes:
    """Return a file's bytes without a byte order mark; if line 1 ends in CR LF, every CR LF becomes LF.

    Git, mail and archives may convert the line ends of patterns.txt and overrides.txt, whose checksums assume LF.
    """
    if data[:3] == b"\xef\xbb\xbf":
        data = data[3:]
    end = data.find(b"\n")
    return data.replace(b"\r\n", b"\n") if data[end - 1 : end] == b"\r" else data


def parse_input(data: bytes, size: int) -> tuple[int, Board, Board]:
    """Return (colour, previous, current) from the bytes of input.txt; boards are (black, white) masks.

    A byte order mark, CRLF, blanks around a line and empty lines at the end are accepted. Raise InputError for any
    other deviation.
    """
    lines = [line.strip(b" \t").decode("latin-1") for line in as_written(data).splitlines()]
    while lines and not lines[-1]:
        lines.pop()
    if len(lines) != 2 * size + 1:
        raise InputError("%s: %d lines, expected %d" % (INPUT, len(lines), 2 * size + 1))
    if lines[0] not in ("1", "2"):
        raise InputError("%s:1: found %r, expected 1 (Black) or 2 (White)" % (INPUT, lines[0][:20]))
    for number, line in enumerate(lines[1:], 2):
        if len(line) != size or line.strip("012"):
            raise InputError("%s:%d: found %r, expected %d digits 0, 1 or 2" % (INPUT, number, line[:40], size))
    return int(lines[0]), _masks(lines[1 : size + 1]), _masks(lines[size + 1 :])


def _masks(rows: list[str]) -> Board:
    cells = "".join(rows)
    masks = [sum(1 << point for point, cell in enumerate(cells) if cell == stone) for stone in "12"]
    return masks[0], masks[1]


def least_moves_made(black: Mask, white: Mask, colour: int) -> int:
    """Return the smallest number of moves, passes included, that can lead to the given stones and mover.

    The players alternate, beginning with Black, and a side has at most one stone for each of its moves.
    """
    made = max(2 * count(black) - 1, 2 * count(white), 0)
    return made if made % 2 == (0 if colour == BLACK else 1) else made + 1


def moves_made(colour: int, previous: Board, current: Board, counts: Counts, length: int) -> list[int]:
    """Return the possible numbers of moves made before this turn, in ascending order.

    In the player's first turn, the boards determine the number. In a later turn, `counts` may store a number for the
    board `previous`. If this number fits the boards, the result is the stored number plus 1 or, if the stored number is
    only a lower bound, every possible number above the bound. Otherwise, the result is every number that the boards
    allow.
    """
    if colour == BLACK and not any(current):
        return [0]
    if colour == WHITE and not any(previous) and count(current[0]) <= 1 and not current[1]:
        return [1]
    least = max(
        least_moves_made(current[0], current[1], colour),
        least_moves_made(previous[0], previous[1], BLACK + WHITE - colour) + 1,
    )
    made, board, known = counts.get(colour, (0, None, False))
    hidden = made + 1 - least
    if board == previous and 0 <= hidden <= MOST_HIDDEN and made + 1 < length and hidden % 2 == 0:
        if known:
            return [made + 1]
        least = made + 1
    last = length - 1 if (length - 1) % 2 == least % 2 else length - 2
    return list(range(min(least, last), length, 2))


def positions_seen(
    ruleset: Ruleset, colour: int, previous: Board | None, current: Board, counts: Counts
) -> list[Position]:
    """Return a position for each possible number of moves left, the largest number first: see moves_made.

    previous: the board before the opponent's last move, or None if unknown: see from_boards.
    """
    numbers = moves_made(colour, previous or (0, 0), current, counts, ruleset.length)
    return [from_boards(ruleset, previous, current, colour, ruleset.length - made) for made in numbers]


def _at_once(path: str, flags: int) -> int:
    """Open a file without blocking, even if it is a pipe without a writer; return the descriptor."""
    return open_file(path, flags | O_NONBLOCK)


def _content(path: str) -> bytes:
    """Return at most LONGEST bytes of a file, or b"" for an empty pipe. Raise OSError if the file is unreadable."""
    number = _at_once(path, 0)
    try:
        return read(number, LONGEST)
    except BlockingIOError:
        return b""
    finally:
        close(number)


def read_counts(path: str) -> Counts:
    """Return the Counts in the side file, or {} if the file is missing or broken."""
    try:
        fields = [line.split() for line in _content(path).decode("ascii").splitlines()]
        counts = {
            int(colour): (int(made.rstrip(AT_LEAST)), (int(black), int(white)), made[-1:] != AT_LEAST)
            for colour, made, black, white in fields
        }
    except (OSError, ValueError):
        return {}
    return counts if counts.keys() <= {BLACK, WHITE} else {}


def write_counts(path: str, counts: Counts) -> None:
    """Write the side file; a failure is only reported, since the next turn works without the file."""
    lines = [
        "%d %d%s %d %d\n" % (colour, made, "" if known else AT_LEAST, *board)
        for colour, (made, board, known) in sorted(counts.items())
    ]
    try:
        write_whole(path, "".join(lines))
    except OSError as error:
        complain("cannot keep the move count in %s: %s" % (path, error.strerror))


def write_whole(path: str, text: str) -> None:
    """Write a small file atomically by renaming a temporary file; on failure, overwrite the file in place.

    A link or a pipe at `path` is replaced, never written to. Raise OSError if both methods fail.
    """
    data = text.encode("ascii")
    temporary = path + ".tmp"
    _discard(temporary)  # may be a partial file, a link or a pipe
    try:
        _write_new(temporary, data)
        replace(temporary, path)
        return
    except OSError:
        _discard(temporary)
    except BaseException:  # an interrupt
        _discard(temporary)
        raise
    if _leads_elsewhere(path):
        unlink(path)
    try:
        number = _open_itself(path, O_WRONLY)
    except FileNotFoundError:
        _write_new(path, data)
        return
    try:  # overwrite first, then truncate, so that the file is never empty
        _write_all(number, data)
        ftruncate(number, len(data))
    finally:
        close(number)


def _write_new(path: str, data: bytes) -> None:
    """Write a file, creating it if it is missing; remove it on failure."""
    number = _open_itself(path, O_WRONLY | O_CREAT)
    try:
        _write_all(number, data)
    except BaseException:
        _discard(path)
        raise
    finally:
        close(number)


def _write_all(number: int, data: bytes) -> None:
    while data:  # write() may write only a part; on a full disk the next call raises
        data = data[write(number, data) :]


def _open_itself(path: str, flags: int) -> int:
    """Open a regular file for writing and return its descriptor.

    Raise OSError for a link, a pipe or a file with several hard links.
    """
    number = open_file(path, flags | O_NOFOLLOW | O_NONBLOCK, 0o666)
    if not _is_of_one_name(fstat(number)):
        close(number)
        raise OSError(0, "not a plain file with a single name")
    return number


def _is_of_one_name(found: stat_result) -> bool:
    """Return whether a file is regular and has one hard link, so that writing changes no other file."""
    return found.st_mode & KIND == PLAIN and found.st_nlink == 1


def _leads_elsewhere(path: str) -> bool:
    try:
        found = lstat(path)
    except OSError:
        return False
    return not _is_of_one_name(found) and found.st_mode & KIND != FOLDER


def _discard(path: str) -> None:
    try:
        unlink(path)
    except OSError:
        pass


def complain(text: str) -> None:
    """Print a message on standard error as one printable line; never raise an exception."""
    try:
        line = " ".join(text.split())
        if not line.isprintable():  # text quoted from a damaged file
            line = "".join(character if character.isprintable() else ascii(character)[1:-1] for character in line)
        sys.stderr.write("my_player3: %s\n" % line)
        sys.stderr.flush()
    except Exception:  # a closed or full standard error must not cost the game
        sys.stderr = None  # else Python 3.7 flushes again at exit and exits with status 120


def choose(positions: list[Position], patterns_path: str, overrides_path: str | None = None) -> Point:
    """Return the move (a point or PASS); faults in the patterns, overrides or engine never prevent a move.

    positions: a position for each possible number of moves left, the largest number first.
    """
    position = positions[0]
    try:
        from .engine import decide
        from .patternfile import empty_book

        without_patterns = empty_book(position.ruleset)
    except Exception as error:  # a missing or damaged module, or out of memory
        _complain_of("the engine cannot be loaded", error)
        return any_move(position)
    # imported before overrides use a file descriptor
    decide_uncounted = _uncounted() if len(positions) > 1 else None
    _load_playout()
    left = position.left if len(positions) == 1 and position.ruleset.length else None
    book = _book(patterns_path, position.ruleset, left) or without_patterns
    overrides = overrides_at(overrides_path) if overrides_path and position.ruleset is LITTLE_GO else None
    try:
        for book in (book, without_patterns):
            try:
                if decide_uncounted:
                    return decide_uncounted(positions, book, overrides=overrides).move
                return decide(position, book, overrides=overrides).move
            except Exception as error:  # any fault in a pattern or a fact must still lead to a legal move
                _complain_of("the engine failed", error)
        return any_move(position)
    finally:
        if overrides:
            overrides.file.close()  # output.txt may need the file descriptor


def _load_playout() -> None:
    """Import rules.playout before overrides.txt is opened, since the import needs a file descriptor.

    If the import fails, a decision that needs playouts reports the fault.
    """
    try:
        from . import playout  # noqa: F401
    except Exception:
        pass


def _uncounted() -> Callable[..., Uncounted] | None:
    """Return the function decide_uncounted, or None if the module rules.uncounted cannot be loaded.

    A turn with a known move count does not need this import.
    """
    try:
        from .uncounted import decide_uncounted
    except Exception as error:
        _complain_of("rules.uncounted cannot be loaded", error)
        return None
    return decide_uncounted


def _complain_of(what: str, error: Exception) -> None:
    complain("%s (%s: %s)" % (what, type(error).__name__, error))


def _book(path: str, ruleset: Ruleset, left: int | None) -> Book | None:
    """Return the Book in a patterns.txt, or None if the file is unusable. left: see patternfile.load_bytes."""
    from .patternfile import PatternFileError, load_bytes, read_bytes

    try:
        reason = _unfit(path)
        if reason:
            raise PatternFileError("%s: %s" % (path, reason))
        return load_bytes(as_written(read_bytes(path)), path, ruleset, left)
    except PatternFileError as error:
        complain("%s; playing without patterns" % error)
    except Exception as error:  # damage that load does not detect
        complain("%s: %s: %s; playing without patterns" % (path, type(error).__name__, error))
    return None


def _unfit(path: str) -> str:
    """Return the reason why a patterns.txt must not be opened, or '' if opening is safe.

    Opening a pipe, for example, would block the turn.
    """
    try:
        found = stat(path)
    except OSError:  # opening the file reports the same error
        return ""
    if found.st_mode & KIND not in (PLAIN, FOLDER):
        return "found a pipe or a device, expected a file"
    if found.st_size > LONGEST_PATTERNS:
        return "%d bytes, expected at most %d" % (found.st_size, LONGEST_PATTERNS)
    return ""


def overrides_at(path: str) -> Overrides | None:
    """Return the Overrides in a file, or None if the file is missing or unusable."""
    try:
        stat(path)
    except FileNotFoundError:
        return None
    except OSError:
        pass  # opening the file reports the same error
    try:
        from .overrides import Overrides  # a turn pays for this import only if the file exists

        file: BinaryIO = open(path, "rb", 0, opener=_at_once)
        head = file.read(LINE) or b""
        if as_written(head) != head:
            from io import BytesIO

            data = head + file.read(LONGEST_PATTERNS)
            file.close()
            file = BytesIO(as_written(data))
        return Overrides(file, path, complain)
    except Exception as error:  # unreadable file, or a missing or damaged module
        reason = error.strerror if isinstance(error, OSError) else "%s: %s" % (type(error).__name__, error)
        complain("cannot read %s: %s; playing without it" % (path, reason))
    return None


def any_move(position: Position) -> Point:
    """Return the first legal point that fills no eye of the mover, or PASS; used if the engine cannot run.

    If rules.life cannot be imported, return the first legal point, or PASS.
    """
    points = points_of(position.legal())
    try:
        from .life import is_eye
    except Exception:  # the engine failed for the same reason, which is already reported
        return points[0] if points else PASS
    for point in points:
        if not is_eye(1 << point, position.own, position.theirs, position.grid):
            return point
    return PASS


def play_beside(program: str) -> int:
    """Play one turn with the patterns and overrides in the folder of `program`; return the exit status."""
    home = home_of(program)
    return play_turn(home + "patterns.txt", home + OVERRIDES)


def home_of(path: str) -> str:
    """Return the folder of the file at a path, with a trailing slash, or '' for the current directory.

    If the file is a link, the folder is that of the link's target.
    """
    while True:
        cut = max(path.rfind("/"), path.rfind("\\") if sys.platform == "win32" else -1)
        folder = path[: cut + 1]
        try:
            target = readlink(path)
        except OSError:  # not a link
            return folder
        path = target if target[:1] == "/" else folder + target


def play_turn(patterns_path: str, overrides_path: str | None = None, ruleset: Ruleset = LITTLE_GO) -> int:
    """Play one turn in the current directory; return the exit status.

    The status is 1 if input.txt is unreadable or invalid, or if output.txt cannot be written, else 0. overrides_path:
    the path of an overrides.txt that may be missing, or None to play without overrides.
    """
    try:
        colour, previous, current = parse_input(_content(INPUT), ruleset.size)
    except (OSError, InputError) as error:
        complain(str(error) if isinstance(error, InputError) else "%s: %s" % (INPUT, error.strerror))
        _answer("PASS\n")
        return 1
    counts = read_counts(COUNTS)
    positions = positions_seen(ruleset, colour, previous, current, counts)
    position = positions[0]
    move = choose(positions, patterns_path, overrides_path)
    if not _answer("PASS\n" if move == PASS else "%d,%d\n" % divmod(move, ruleset.size)):
        return 1
    after = position.play(move)
    counts[colour] = position.number, (after.black, after.white), len(positions) == 1
    write_counts(COUNTS, {} if position.ends_with(move) else counts)  # the game is over
    return 0


def _answer(text: str) -> bool:
    """Write output.txt; return whether this succeeded."""
    try:
        write_whole(OUTPUT, text)
    except OSError as error:
        complain("%s: %s" % (OUTPUT, error.strerror))
        return False
    return True
