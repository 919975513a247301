"""One turn: input.txt -> position -> decision -> output.txt, and the move count kept between turns.

Whatever goes wrong, a readable input ends with a legal output.txt: a broken side file is ignored, a broken
pattern file or an exception in the engine falls back to simpler play, and each such fault is one line on
standard error. Where the input cannot be understood, output.txt holds PASS and the exit status is 1.

What is imported here is what a legal move needs. Every other module may be missing or damaged: it is imported where
its failure is one fault among others. For the rest of `rules/` my_player3.py has a last resort.
"""

from __future__ import annotations

import sys

from .geometry import count, points_of
from .position import BLACK, PASS, WHITE, from_boards
from .ruleset import LITTLE_GO

try:  # os costs a tenth of a turn; this is the part of it that is needed
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
    from typing import Callable, Dict, Tuple

    from .geometry import Mask, Point
    from .overrides import Overrides
    from .patternfile import Book
    from .position import Board, Position
    from .ruleset import Ruleset
    from .uncounted import Uncounted

    Counts = Dict[int, Tuple[int, Board, bool]]  # by colour: moves made, the board left, if the number is known

INPUT, OUTPUT, COUNTS = "input.txt", "output.txt", "my_player3_count.txt"
OVERRIDES = "overrides.txt"
AT_LEAST = "+"  # after a number of moves that is only the least there can be
# A number is believed of the side file if at most so many moves left no trace on the boards, lost stones and passes of
# both sides. No position that the player meets as Black hides more, whatever White plays, as
# `littlego dev uncounted` shows.
MOST_HIDDEN = 8
LONGEST = 10000  # bytes read of a file that may be anything; what we look for is a tenth of that at most
LONGEST_PATTERNS = 8 << 20  # bytes, forty times today's: what is longer is none of ours, and takes seconds to read
KIND, PLAIN, FOLDER = 0o170000, 0o100000, 0o040000  # of a file's mode; importing the module stat would cost more


class InputError(Exception):
    """input.txt is not what the host writes; the text says where and what was expected, in one line."""


def parse_input(data: bytes, size: int) -> tuple[int, Board, Board]:
    """Return (colour, previous, current) from the bytes of input.txt; the boards as (black, white) masks.

    A byte order mark, CRLF and blanks at line ends are forgiven. Raise InputError for anything else.
    """
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
    lines = [line.strip(b" \t").decode("latin-1") for line in data.splitlines()]
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
    """Return the fewest moves, passes included, after which `colour` can be to move with so many stones.

    Of n moves Black made half, rounded up, and White half, rounded down; each side's stones are at most that.
    """
    made = max(2 * count(black) - 1, 2 * count(white), 0)
    return made if made % 2 == (0 if colour == BLACK else 1) else made + 1


def moves_made(colour: int, previous: Board, current: Board, counts: Counts, length: int) -> list[int]:
    """Return the numbers of moves that may have been made before this turn, in ascending order: one if it is known.

    A first turn shows on the boards. Else `counts` knows, if the board it saw last is `previous` and the boards can
    be so late in a game; what it knows may itself be the least number only. Else any number may be that the stones
    allow, those among them that the last move took.
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
    """Return the position of two boards with each number of moves left that may be, the most first: see moves_made.

    previous: None where it is not known, as from_boards has it.
    """
    numbers = moves_made(colour, previous or (0, 0), current, counts, ruleset.length)
    return [from_boards(ruleset, previous, current, colour, ruleset.length - made) for made in numbers]


def _at_once(path: str, flags: int) -> int:
    """Open a file without waiting: it may be a pipe that nobody writes to."""
    return open_file(path, flags | O_NONBLOCK)


def _content(path: str) -> bytes:
    """Return the bytes of a small file; b"" for a pipe in which there is nothing yet. Raise OSError."""
    number = _at_once(path, 0)
    try:
        return read(number, LONGEST)
    except BlockingIOError:
        return b""
    finally:
        close(number)


def read_counts(path: str) -> Counts:
    """Return the Counts in the side file; {} where it is missing or broken."""
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
    """Write the side file; the next turn can do without it, so no failure matters."""
    lines = [
        "%d %d%s %d %d\n" % (colour, made, "" if known else AT_LEAST, *board)
        for colour, (made, board, known) in sorted(counts.items())
    ]
    try:
        write_whole(path, "".join(lines))
    except OSError as error:
        complain("cannot keep the move count in %s: %s" % (path, error.strerror))


def write_whole(path: str, text: str) -> None:
    """Write a small file all or nothing: to a temporary name, then renamed; in place where that is denied.

    A link or a pipe of that name is replaced, never written to. Raise OSError where neither works; the file is then
    what it was.
    """
    data = text.encode("ascii")
    temporary = path + ".tmp"
    _discard(temporary)  # half a file, or a link, or a pipe
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
    try:  # first overwritten, then cut to its new length: at no time is it empty
        _write_all(number, data)
        ftruncate(number, len(data))
    finally:
        close(number)


def _write_new(path: str, data: bytes) -> None:
    """Write a file that does not matter yet; leave none where that fails."""
    number = _open_itself(path, O_WRONLY | O_CREAT)
    try:
        _write_all(number, data)
    except BaseException:
        _discard(path)
        raise
    finally:
        close(number)


def _write_all(number: int, data: bytes) -> None:
    while data:  # what there is room for, and then an error that says what is the matter
        data = data[write(number, data) :]


def _open_itself(path: str, flags: int) -> int:
    """Open a file to write to, but nothing that would put the bytes elsewhere or make us wait. Raise OSError."""
    number = open_file(path, flags | O_NOFOLLOW | O_NONBLOCK, 0o666)
    if not _is_of_one_name(fstat(number)):
        close(number)
        raise OSError(0, "it is no plain file of its own")
    return number


def _is_of_one_name(found: stat_result) -> bool:
    """Return whether this is a plain file which no other name leads to: none that matters is behind it."""
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
    """Say on standard error, in one line that a terminal can show, what is wrong; never fail for it."""
    try:
        line = " ".join(text.split())
        if not line.isprintable():  # a damaged file is quoted
            line = "".join(character if character.isprintable() else ascii(character)[1:-1] for character in line)
        sys.stderr.write("my_player3: %s\n" % line)
        sys.stderr.flush()
    except Exception:  # a closed or full standard error must not cost the game
        sys.stderr = None  # Python 3.7 would try again at its end, and exit with status 120


def choose(positions: list[Position], patterns_path: str, overrides_path: str | None = None) -> Point:
    """Return the move, a point or PASS: by patterns and overrides, or by ever simpler means if they fail.

    positions: one, or with each number of moves left that may be, the most first.
    """
    position = positions[0]
    try:
        from .engine import decide
        from .patternfile import empty_book

        without_patterns = empty_book(position.ruleset)
    except Exception as error:  # a missing or damaged module, or no memory for it
        _complain_of("the engine cannot be loaded", error)
        return any_move(position)
    decide_uncounted = _uncounted() if len(positions) > 1 else None  # before the overrides: few files may be open
    left = position.left if len(positions) == 1 and position.ruleset.length else None
    book = _book(patterns_path, position.ruleset, left) or without_patterns
    overrides = overrides_at(overrides_path) if overrides_path and position.ruleset is LITTLE_GO else None
    try:
        for book in (book, without_patterns):
            try:
                if decide_uncounted:
                    return decide_uncounted(positions, book, overrides=overrides).move
                return decide(position, book, overrides=overrides).move
            except Exception as error:  # any fault in a pattern or a fact: a legal move matters more
                _complain_of("the engine failed", error)
        return any_move(position)
    finally:
        if overrides:
            overrides.file.close()  # where few files may be open at once, output.txt needs its place


def _uncounted() -> Callable[..., Uncounted] | None:
    """Return what decides where the count is not known, or None; a turn that knows it does not pay for this import."""
    try:
        from .uncounted import decide_uncounted
    except Exception as error:
        _complain_of("what does without the count of moves cannot be loaded", error)
        return None
    return decide_uncounted


def _complain_of(what: str, error: Exception) -> None:
    complain("%s (%s: %s)" % (what, type(error).__name__, error))


def _book(path: str, ruleset: Ruleset, left: int | None) -> Book | None:
    """Return the Book in patterns.txt, or None where it is of no use. left: see patternfile.load."""
    from .patternfile import PatternFileError, load

    try:
        reason = _unfit(path)
        if reason:
            raise PatternFileError("%s: %s" % (path, reason))
        return load(path, ruleset, left)
    except PatternFileError as error:
        complain("%s; playing without patterns" % error)
    except Exception as error:  # damage of a kind that load does not foresee
        complain("%s: %s: %s; playing without patterns" % (path, type(error).__name__, error))
    return None


def _unfit(path: str) -> str:
    """Return why a patterns.txt must not even be opened, as a pipe would hold the turn for ever; else ''."""
    try:
        found = stat(path)
    except OSError:  # opening it will say the same
        return ""
    if found.st_mode & KIND not in (PLAIN, FOLDER):
        return "found a pipe or a device, expected a file"
    if found.st_size > LONGEST_PATTERNS:
        return "%d bytes, expected at most %d" % (found.st_size, LONGEST_PATTERNS)
    return ""


def overrides_at(path: str) -> Overrides | None:
    """Return the Overrides in a file, or None where there is no such file or it is of no use."""
    try:
        stat(path)
    except FileNotFoundError:
        return None
    except OSError:
        pass  # opening it will say the same
    try:
        from .overrides import Overrides  # a turn pays for this import only where there is such a file

        return Overrides(open(path, "rb", 0, opener=_at_once), path, complain)
    except Exception as error:  # the file cannot be opened, or the module is missing or damaged
        reason = error.strerror if isinstance(error, OSError) else "%s: %s" % (type(error).__name__, error)
        complain("cannot read %s: %s; playing without it" % (path, reason))
    return None


def any_move(position: Position) -> Point:
    """Return the first legal point that is no own eye, or PASS: what is left if the engine cannot run."""
    points = points_of(position.legal())
    try:
        from .life import is_eye
    except Exception:  # the engine has failed for the same reason, and that has been said
        return points[0] if points else PASS
    for point in points:
        if not is_eye(1 << point, position.own, position.theirs, position.grid):
            return point
    return PASS


def play_beside(program: str) -> int:
    """Play one turn with the patterns and overrides that lie beside a program; return the exit status."""
    home = home_of(program)
    return play_turn(home + "patterns.txt", home + OVERRIDES)


def home_of(path: str) -> str:
    """Return the folder of a file, links to it followed; os.path would cost more than the rest of the start."""
    while True:
        cut = max(path.rfind("/"), path.rfind("\\") if sys.platform == "win32" else -1)
        folder = path[: cut + 1]
        try:
            target = readlink(path)
        except OSError:  # no link
            return folder
        path = target if target[:1] == "/" else folder + target


def play_turn(patterns_path: str, overrides_path: str | None = None, ruleset: Ruleset = LITTLE_GO) -> int:
    """Play one turn in the current directory; return the exit status.

    It is 0, or 1 if input.txt cannot be understood or output.txt cannot be written. overrides_path: where
    overrides.txt may be; None to play without.
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
    write_counts(COUNTS, {} if position.ends_with(move) else counts)  # the next turn is one of another game
    return 0


def _answer(text: str) -> bool:
    """Write output.txt; return whether that was possible."""
    try:
        write_whole(OUTPUT, text)
    except OSError as error:
        complain("%s: %s" % (OUTPUT, error.strerror))
        return False
    return True
