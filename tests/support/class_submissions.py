"""A class of thirty made-up submissions of every kind that a teacher may receive."""

from __future__ import annotations

import zipfile
from pathlib import Path

from student_programs import BROKEN, CPP, CPP11, FIRST_FREE, JAVA, LOOSE, PASSES, RUBBISH, UNTIDY

LOOP = "while True: pass\n"
SLEEPS = "import time\ntime.sleep(0.2)\n" + FIRST_FREE
SLOW = "import time\nwhile time.process_time() < 0.3: pass\n" + FIRST_FREE
SYNTAX = "def move(:\n    return 1\n"
PRINTS = "print('thinking ' * 1000)\n" + FIRST_FREE
LONGER = '''
"""Plays where most neighbours are its own or free."""
import random

def read_board(lines):
    """Return the rows of the present board."""
    return [[int(cell) for cell in line.strip()] for line in lines[6:11]]

def neighbours(row, column):
    for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        if 0 <= row + down < 5 and 0 <= column + right < 5:
            yield row + down, column + right

def worth(board, colour, row, column):
    # own stones count half
    total = 0
    for near, beside in neighbours(row, column):
        if board[near][beside] == 0:
            total += 2
        elif board[near][beside] == colour:
            total += 1
    return total

def choose(board, colour):
    best, chosen = 0, None
    for row in range(5):
        for column in range(5):
            if board[row][column] == 0 and worth(board, colour, row, column) > best:
                best, chosen = worth(board, colour, row, column), (row, column)
    return chosen

with open("input.txt") as file:
    lines = file.readlines()
move = choose(read_board(lines), int(lines[0]))
with open("output.txt", "w") as file:
    file.write("PASS" if move is None else "%d,%d" % move)
'''
NAMES = {"read_board": "get_b", "neighbours": "adj", "worth": "h", "choose": "pick", "board": "g", "colour": "me"}
RANDOM = LONGER.replace("return chosen", "return random.choice([None, chosen])")


def copied(text: str) -> str:
    """Return a copy of a program with other names, comments and layout."""
    for name, other in NAMES.items():
        text = text.replace(name, other)
    return "# my own work\n\n" + text.replace("    # own stones count half\n", "").replace("\n\n", "\n\n\n")


PYTHON = {
    "adams": LONGER,
    "baker": copied(LONGER),
    "clark": FIRST_FREE,
    "davis": PASSES,
    "evans": BROKEN,
    "frank": SYNTAX,
    "ghosh": LOOP,
    "hills": SLOW,
    "irwin": RUBBISH,
    "jones": LOOSE,
    "klein": UNTIDY,
    "lopez": PRINTS,
    "mason": "",
    "north": SLEEPS,
}


def write_class(folder: Path) -> None:
    """Write thirty submissions to a new folder."""
    for name, text in PYTHON.items():
        _write(folder / name / "my_player3.py", text)
    _write(folder / "ochoa" / "my_player.cpp", CPP)
    _write(folder / "patel" / "my_player11.cpp", CPP11)
    _write(folder / "quinn" / "my_player.cpp", CPP.replace("return 0;", "return nothing;"))
    _write(folder / "reyes" / "my_player.java", JAVA)
    _write(folder / "silva" / "my_player_final.py", LONGER)
    _write(folder / "tanak" / "My_Player3.PY", LONGER)
    (folder / "usman").mkdir()
    _write(folder / "vance" / "homework 2" / "my_player3.py", LONGER)
    _write(folder / "walsh" / "report.pdf", "%PDF")
    for name in ("my_player3.py", "my_player.cpp"):
        _write(folder / "young" / name, LONGER)
    _pack(folder / "zhang.zip", {"my_player3.py": FIRST_FREE, "notes.txt": "hello"})
    _pack(folder / "abbas.zip", {"hw/my_player3.py": PASSES, "__MACOSX/hw/._my_player3.py": "junk"})
    _pack(folder / "bravo.zip", {"../../my_player3.py": PASSES})
    (folder / "cohen.zip").write_bytes(b"PK\x03\x04 and then nothing")
    _write(folder / "duval.py", LONGER)
    (folder / "ellis.tar.gz").write_bytes(b"\x1f\x8b")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def _pack(path: Path, files: dict[str, str]) -> None:
    with zipfile.ZipFile(path, "w") as made:
        for name, text in files.items():
            made.writestr(name, text)
