"""Tests that one added line in the table of sizes enables a larger board everywhere in a match."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from littlego.games.sizes import LARGE_SIZES, LITTLE_GO_SIZES, MATCH_SIZES, offered_sizes, star_lines

ROOT = Path(__file__).resolve().parents[2]
LARGER = """
import sys
from littlego.rules import geometry
geometry.LARGEST = 21  # the line
from littlego.cli.main import main
try:
    sys.exit(main(sys.argv[1:]))
except SystemExit as end:
    sys.exit(end.code)
"""
BOARD = "\n".join([". " * 20 + "."] * 10 + [". " * 9 + "X O" + " ." * 10] + [". " * 20 + "."] * 10) + "\n"


def littlego(*arguments: str, given: str = "") -> str:
    """Return the output of a command that allows boards of up to 21 lines. given: its standard input."""
    done = subprocess.run(
        [sys.executable, "-c", LARGER, *arguments], cwd=ROOT, input=given, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_sizes():
    assert (LITTLE_GO_SIZES.text, MATCH_SIZES.text, LARGE_SIZES.text) == ("2 to 19", "5 to 19", "7 to 19")
    assert offered_sizes() == [9, 13, 19]
    assert [star_lines(size) for size in (5, 7, 8, 9, 13, 19)] == [[], [], [], [2, 4, 6], [3, 6, 9], [3, 9, 15]]


def test_a_larger_match_is_played():
    options = ["--ruleset", "match", "--size", "21", "--plies", "4", "--brief"]
    told = littlego("play", "--black", "random", "--white", "random", *options)
    assert "A match on 21x21" in told


def test_a_larger_board_is_explained():
    told = littlego("explain", "-", "--ruleset", "match", "--colour", "white", given=BOARD)
    assert "Chosen: " in told


def test_an_example_on_a_larger_board_is_checked(tmp_path):
    rows = "\n".join("            " + row.strip() for row in BOARD.splitlines())
    example = "        - board: |\n" + rows + "\n"
    text = (
        "ruleset: match\npatterns:\n  - id: larger\n    class: shape\n    summary: Play beside the stone of theirs.\n"
        "    priority: 500\n    points: 1\n    diagram: |\n      X O *\n    examples:\n      matches:\n"
        f"{example}          move: 10,11\n      no_match:\n{example}          move: 0,0\n"
    )
    path = tmp_path / "patterns.match.yaml"
    path.write_text(text)
    littlego("check", str(path))


def test_gtp_knows_a_larger_board():
    asked = "boardsize 21\nplay b V21\nshowboard\nplay w A1\nquit\n"
    told = littlego("gtp", "--ruleset", "match", "--player", "random", given=asked)
    assert told.count("=") >= 5 and "?" not in told and "T U V" in told


def test_the_page_gets_the_larger_board():
    code = LARGER.partition("from littlego.cli")[0] + (
        "from littlego.dev.regenerate.page_tables import page_sizes_text; print(page_sizes_text());"
        "from littlego.editor.positions import read_position;"
        "print(read_position('/'.join(['.' * 21] * 21), 'match').ruleset.name)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert '"match-21": "21x21"' in done.stdout and '"21": [3, 10, 17]' in done.stdout
    assert done.stdout.split()[-1] == "match-21"


@pytest.mark.parametrize("size", [20, 21])
def test_a_size_beyond_the_table_is_refused_in_words(size):
    from littlego.games.game import ruleset_named
    from littlego.games.kinds import BoardSizeError

    with pytest.raises(BoardSizeError, match=f"a match on a board of size {size}: expected 5 to 19"):
        ruleset_named(f"match-{size}")
