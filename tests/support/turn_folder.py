"""One turn in a folder: its input.txt, its outcome, and an independent check of the answer."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import NamedTuple

import pytest
import slow_go
from boards import stones

from littlego.rules import turn
from littlego.rules.engine import canonical
from littlego.rules.geometry import image_of, points_of
from littlego.rules.life import is_eye
from littlego.rules.position import Position, from_boards
from littlego.rules.ruleset import LITTLE_GO
from littlego.rules.safety import Check

ROOT = Path(__file__).parents[2]
PATTERNS = ROOT / "patterns.txt"
SIZE = LITTLE_GO.size
READABLE = re.compile(rb"(\xef\xbb\xbf)?[ \t]*([12])((?:[ \t]*(?:\r\n|\n|\r)[ \t]*[012]{5}){10})\s*")


class Board(NamedTuple):
    """The contents of input.txt: the side to move, and the (black, white) masks of both boards."""

    colour: int
    previous: tuple
    current: tuple

    def text(self) -> bytes:
        """Return input.txt as the course's host writes it: no newline at the end."""
        rows = [str(self.colour)]
        for black, white in (self.previous, self.current):
            digits = [str((black >> point & 1) + 2 * (white >> point & 1)) for point in range(SIZE * SIZE)]
            rows += ["".join(digits[start : start + SIZE]) for start in range(0, SIZE * SIZE, SIZE)]
        return "\n".join(rows).encode()

    def legal(self) -> set:
        """Return the legal points by the slow rules, the simple ko rule included."""
        current = slow_go.board_of(SIZE, *self.current)
        lost = self.previous[self.colour - 1] & ~self.current[self.colour - 1]
        forbidden = slow_go.board_of(SIZE, *self.previous) if lost else None
        return {SIZE * row + column for row, column in slow_go.legal(current, ".XO"[self.colour], forbidden)}

    def position(self) -> Position:
        """Return the position with the maximum number of moves left that its stones allow."""
        made = turn.moves_made(self.colour, self.previous, self.current, {}, LITTLE_GO.length)[0]
        return from_boards(LITTLE_GO, self.previous, self.current, self.colour, LITTLE_GO.length - made)

    def has_safe_placement(self) -> bool:
        """Return whether some legal point is safe and not an eye of the mover; False in the last two moves."""
        position = self.position()
        if position.left <= 2:
            return False
        table, state = canonical(position)
        check = Check(state)
        return any(
            check.vet(point).loss <= 0 and not is_eye(1 << point, state.own, state.theirs, state.grid)
            for point in points_of(image_of(position.legal(), table))
        )


def board(colour: int, previous: str, current: str) -> Board:
    """Return the Board of two drawings, X for Black."""
    return Board(colour, stones(previous), stones(current))


def read_board(data: bytes) -> Board | None:
    """Return the Board in input.txt, read by an independent regular expression; None for invalid data."""
    match = READABLE.fullmatch(data)
    if not match:
        return None
    digits = b"".join(match[3].split()).decode()
    masks = [sum(1 << n for n, digit in enumerate(digits[:25]) if digit == stone) for stone in "12"]
    later = [sum(1 << n for n, digit in enumerate(digits[25:]) if digit == stone) for stone in "12"]
    return Board(int(match[2]), tuple(masks), tuple(later))


def make_work(below: Path, text: bytes) -> Path:
    """Create a work folder with this input.txt, and return it."""
    folder = below / "work"
    folder.mkdir()
    (folder / turn.INPUT).write_bytes(text)
    return folder


class Outcome(NamedTuple):
    """The outcome of a turn: exit status, output.txt or None, standard error, other files' names."""

    status: int
    output: bytes | None
    errors: str
    files: set


def collect(folder: Path, status: int, errors: str) -> Outcome:
    """Return the outcome of a turn played in the folder."""
    path = folder / turn.OUTPUT
    output = path.read_bytes() if path.is_file() else None
    return Outcome(status, output, errors, set(os.listdir(folder)) - {turn.INPUT, turn.OUTPUT, turn.COUNTS})


def check_played(given: Board, found: Outcome, may_pass: bool = False) -> None:
    """Assert a legal answer in the exact format; a pass only if `may_pass` is set or no placement is safe."""
    assert (found.status, found.files) == (0, set()), found
    if found.output == b"PASS\n":
        assert may_pass or not given.has_safe_placement()
        return
    match = re.fullmatch(rb"([0-4]),([0-4])\n", found.output or b"")
    assert match, found
    assert SIZE * int(match[1]) + int(match[2]) in given.legal()


def check_refused(found: Outcome) -> None:
    """Assert the answer to an invalid input: PASS, one line of error message, exit status 1."""
    assert (found.status, found.output, found.files) == (1, b"PASS\n", set()), found
    assert re.fullmatch(r"my_player3: input\.txt.*\n", found.errors), found.errors


FIRST = Board(1, (0, 0), (0, 0))
SECOND = board(
    2,
    """
    . . . . .
    . . . . .
    . . . . .
    . . . . .
    . . . . .
    """,
    """
    . . . . .
    . . . . .
    . . X . .
    . . . . .
    . . . . .
    """,
)
MIDDLE = board(
    1,
    """
    . . . . .
    . O X . .
    . O X . .
    . . X O .
    . . . . .
    """,
    """
    . . . . .
    . O X . .
    . O X O .
    . . X O .
    . . . . .
    """,
)
THREE_LEFT = board(  # or one move left
    2,
    """
    . X X X .
    X X X O X
    X . O O O
    X . . X O
    . . O . O
    """,
    """
    X X X X .
    X X X O X
    X . O O O
    X . . X O
    . . O . O
    """,
)
KO = board(  # White has just taken one stone; Black must not retake at 2,1
    1,
    """
    . . . . .
    . O X X .
    O X . X .
    . O X X .
    . . . . .
    """,
    """
    . . . . .
    . O X X .
    O . O X .
    . O X X .
    . . . . .
    """,
)
LATE = board(
    2,
    """
    . X X O .
    X X O O O
    X X X O O
    X . X O .
    . X X O O
    """,
    """
    . X X O .
    X X O O O
    X X X O O
    X X X O .
    . X X O O
    """,
)
AFTER_A_PASS = Board(2, MIDDLE.current, MIDDLE.current)
GOOD = {
    "first": FIRST,
    "second": SECOND,
    "middle": MIDDLE,
    "ko": KO,
    "late": LATE,
    "after-a-pass": AFTER_A_PASS,
}


@pytest.fixture(name="play")
def play_in_folder(tmp_path, monkeypatch, capsys):
    """Return a function that plays a turn in a new folder: (input.txt or None, patterns.txt) -> Outcome."""
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)

    def play(data: bytes | None, patterns=PATTERNS):
        if data is not None:
            (folder / turn.INPUT).write_bytes(data)
        status = turn.play_turn(str(patterns))
        if data is not None:
            assert (folder / turn.INPUT).read_bytes() == data
        return collect(folder, status, capsys.readouterr().err)

    play.folder = folder
    return play
