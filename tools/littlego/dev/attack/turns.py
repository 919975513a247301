"""Fuzzing targets for the files that play_turn reads. The function `judge` verifies play_turn's answer."""

from __future__ import annotations

import io
import os
import re
from binascii import crc32
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, suppress
from functools import cache
from pathlib import Path
from random import Random

from littlego.dev.attack.mutator import CONFLICT, with_travelled
from littlego.dev.attack.targets import Target, Violation
from littlego.games.game import why_illegal
from littlego.knowledge import overrides
from littlego.paths import OVERRIDES, PATTERNS_TXT
from littlego.rules.overrides import KEY, RECORD, check_of
from littlego.rules.position import PASS, from_boards
from littlego.rules.ruleset import LITTLE_GO
from littlego.rules.turn import COUNTS, INPUT, OUTPUT, InputError, parse_input, play_turn
from littlego.submission.turns import Given, override_turns, real_turns

PATTERNS = "patterns.txt"
NOWHERE = "nowhere.txt"
FEW = 6  # number of patterns in a small patterns.txt
_ANSWER = re.compile(rb"PASS\n|([0-4]),([0-4])\n")
_INPUT_WORDS = (b"00000\n", b"12120\n", b"22222\n", b"1\n", b"2\n", b"\n", b"0", b"1", b"2", b"\xef\xbb\xbf", b" ")


@cache
def _given() -> list[Given]:
    """Return turns from recorded games, and turns for which overrides.txt has a move."""
    return real_turns()[::31] + override_turns(OVERRIDES, 60)


def inputs() -> list[bytes]:
    """Return input.txt files of real turns and of random boards."""
    rng = Random(0)
    boards = []
    for _ in range(60):
        cells = "".join(rng.choices("012", rng.choice([(1, 5, 5), (0, 1, 1), (1, 9, 1), (8, 1, 1), (1, 1, 1)]), k=50))
        boards.append("\n".join([rng.choice("12"), *(cells[at : at + 5] for at in range(0, 50, 5))]).encode())
    return with_travelled([given.input_text().encode() for given in _given()] + boards)


def readable(data: bytes) -> bytes:
    """Return an input.txt in the correct format, built from the digits in the data."""
    digits = re.sub(rb"[^012]", b"", data).ljust(51, b"0")
    rows = [digits[at : at + 5] for at in range(1, 51, 5)]
    return b"\n".join([b"2" if digits[:1] == b"2" else b"1", *rows])


def side_files() -> list[bytes]:
    """Return my_player3_count.txt files in the format that earlier turns write."""
    return [
        b"%d %d %d %d\n" % (given.colour, LITTLE_GO.length - given.left - 1, *given.previous) for given in _given()
    ] + [b"1 8 3 4\n2 9 3 12\n"]


def small_books() -> list[bytes]:
    """Return the bytes of patterns.txt files, each with a few of the shipped patterns."""
    head, _, body = PATTERNS_TXT.read_bytes().partition(b"\n")
    lines, fields = body.split(b"\n"), head.split(b" ")
    number = int(fields[5])
    books = []
    for start in range(0, number - FEW, FEW):
        chosen = lines[start : start + FEW] + lines[number + start : number + start + FEW]
        fields[5] = b"%d" % FEW
        books.append(sign_book(b" ".join(fields) + b"\n" + b"\n".join([*chosen, b"end", b""])))
    return with_travelled(books)


def sign_book(data: bytes) -> bytes:
    """Return a patterns.txt with a corrected checksum, or the same bytes if the header is invalid."""
    head, newline, body = data.partition(b"\n")
    fields = head.split(b" ")
    if len(fields) == 7:
        fields[3] = b"%08x" % crc32(body)
    return b" ".join(fields) + newline + body


def small_overrides() -> list[bytes]:
    """Return overrides.txt files with 1 to about 60 records, most of which apply to turns of `_given`.

    If the player has no overrides, the files contain no records.
    """
    moves = overrides.read(OVERRIDES) if OVERRIDES.is_file() else {}
    codes = sorted(moves)[:: max(1, len(moves) // 60)]  # the same number as in override_turns
    sizes = (1, 3, 20, len(codes))
    files = [overrides.to_bytes({code: moves[code] for code in codes[:size]}) for size in sizes] if codes else [b""]
    return with_travelled(files)


def sign_overrides(data: bytes) -> bytes:
    """Return an overrides.txt with corrected check characters, record count and checksum."""
    head, newline, body = data.partition(b"\n")
    records = [body[at : at + RECORD] for at in range(0, len(body), RECORD)]
    body = b"".join(
        record[: KEY + 1] + bytes([check_of(record[: KEY + 1])]) + b"\n" if len(record) == RECORD else record
        for record in records
    )
    fields = head.split(b" ")
    if len(fields) == 5:
        fields[3:] = b"%d" % (len(body) // RECORD), b"%08x" % crc32(body)
    return b" ".join(fields) + newline + body


def play_with(name: str) -> Callable[[bytes], str]:
    """Return a function that plays a turn with given bytes in the file `name`.

    The other files are valid or missing.
    """

    def play(data: bytes) -> str:
        given = _given()
        files = {INPUT: given[crc32(data) % len(given)].input_text().encode(), name: data}
        try:
            for file, content in files.items():
                Path(file).write_bytes(content)
            patterns = str(PATTERNS_TXT) if name != PATTERNS else PATTERNS
            result = str(OVERRIDES) if name == INPUT else name if name == OVERRIDES.name else NOWHERE
            return _checked_turn(files, patterns, result)
        finally:
            for left in os.listdir():
                os.unlink(left)

    return play


def _checked_turn(files: dict[str, bytes], patterns: str, found: str) -> str:
    """Play a turn in the current folder; return the player's messages.

    Raise Violation for a wrong answer, file or message.
    """
    said = io.StringIO()
    with redirect_stderr(said):
        status = play_turn(patterns, found)
    answer = b""
    with suppress(FileNotFoundError):
        answer = Path(OUTPUT).read_bytes()
    if strangers := set(os.listdir()) - {*files, OUTPUT, COUNTS}:
        raise Violation(f"left behind: {', '.join(sorted(strangers))}")
    if any(Path(file).read_bytes() != data for file, data in files.items() if file != COUNTS):
        raise Violation("an input file was changed")
    if any(not line.startswith("my_player3: ") for line in said.getvalue().splitlines()):
        raise Violation(f"printed a line that is not one of the player's messages: {said.getvalue()[:200]!r}")
    judge(files[INPUT], status, answer)
    return said.getvalue()


def judge(data: bytes, status: int, answer: bytes) -> None:
    """Raise Violation unless the exit status and output.txt are correct for the bytes of input.txt."""
    try:
        colour, previous, current = parse_input(data[:10000], LITTLE_GO.size)
    except InputError:
        if (status, answer) != (1, b"PASS\n"):
            raise Violation(f"exit status {status}, output.txt {answer!r} for an unreadable input.txt") from None
        return
    match = _ANSWER.fullmatch(answer)
    if status or not match:
        raise Violation(f"exit status {status}, output.txt {answer!r} for a readable input.txt")
    move = LITTLE_GO.size * int(match[1]) + int(match[2]) if match[1] else PASS
    position = from_boards(LITTLE_GO, previous, current, colour, 2)
    if why := why_illegal(position, move):
        raise Violation(f"an illegal move, {answer.decode().strip()}: {why}")


TURNS: Sequence[Target] = (
    Target("input", "input.txt", inputs, play_with(INPUT), _INPUT_WORDS, readable),
    Target("count", "my_player3_count.txt, kept between turns", side_files, play_with(COUNTS), (b"1 ", b"2 ", b"\n")),
    Target(
        "patterns",
        "patterns.txt",
        small_books,
        play_with(PATTERNS),
        (b"\t", b"end\n", b" ", b"/", b";", *CONFLICT),
        sign_book,
    ),
    Target(
        "overrides",
        "overrides.txt",
        small_overrides,
        play_with(OVERRIDES.name),
        (b"a", b"z", b"\n", b" 1 ", b"littlego-overrides 1 little-go 0 00000000\n", *CONFLICT),
        sign_overrides,
    ),
)
