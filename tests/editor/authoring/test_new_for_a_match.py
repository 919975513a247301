"""Tests of `littlego new` for the match: drawings of the area near the move, and examples."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_knowledge import CUTTING

from littlego.cli.main import main
from littlego.editor.authoring.scaffold import NEAR, count_others, fired_moves, matches, smallest_drawing
from littlego.games.match import MatchPosition, match_rules
from littlego.knowledge.compiler import compile_text
from littlego.rules.matching import parse_shape
from littlego.rules.position import BLACK

HEAD = "ruleset: match\npatterns:\n"
TOUCH = """\
  - id: touch
    class: shape
    summary: "Play next to their stone."
    priority: 500
    points: 10
    diagram: |
      O *
    examples:
      matches:
        - board: |
{touched}
          move: 2,3
      no_match:
        - board: |
{empty}
"""
EMPTY = "\n".join([" " * 12 + ". . . . . . ."] * 7)
ONE_STONE = EMPTY.split("\n")
ONE_STONE[2] = " " * 12 + ". . O . . . ."
KNOWN = HEAD + TOUCH.format(touched="\n".join(ONE_STONE), empty=EMPTY)
BOARD = """\
. . . . . . . . .
. . . . . . . . .
. . X . . . X . .
. . . . O . . . .
. . . . O X X . .
. . . . . O . . .
. . O . . . O . .
. . . . . . . . .
. . . . . . . . .
"""
MATCH = ["board.txt", "--ruleset", "match"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "board.txt").write_text(BOARD)
    (tmp_path / "patterns.match.yaml").write_text(KNOWN)
    (tmp_path / "patterns.yaml").write_text(CUTTING, encoding="utf-8")
    return tmp_path


def test_the_entry_is_one_of_a_match_and_compiles(folder, capsys):
    assert main(["new", *MATCH, "--move", "3,5", "--id", "my-block"]) == 0
    printed, said = capsys.readouterr()
    said = said.removeprefix("littlego: using patterns.match.yaml in this folder\n")
    assert "    points: 10\n    diagram: |\n      O *\n      O X\n" in printed
    assert said == "littlego: my-block fires here for 3,5 alone; edit the entry, and paste it under `patterns:`\n"
    assert compile_text(HEAD + printed, "new.yaml")[1] == []


def test_it_is_written_into_the_file_of_the_match(folder, capsys):
    assert main(["new", *MATCH, "--move", "3,5", "--id", "my-block", "--write"]) == 0
    assert capsys.readouterr().out.startswith("patterns.match.yaml:")
    assert "id: my-block" in (folder / "patterns.match.yaml").read_text()
    assert (folder / "patterns.yaml").read_text() == CUTTING
    assert main(["test", "my-block", "-f", "patterns.match.yaml"]) == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["board.txt"], "board.txt: the board's size is 9; expected 5 (for match patterns, add --ruleset match)"),
        (
            [*MATCH, "-f", "patterns.yaml"],
            "is for little-go, but the position is for match-9; expected a file with `ruleset:",
        ),
        (
            ["small.txt", "--ruleset", "match"],
            "the board's size is 5; expected 7 to 19 (for little-go patterns, add --ruleset little-go)",
        ),
        ([*MATCH, "--move", "9,9"], "--move 9,9: expected row,column, each from 0 to 8"),
        (
            [*MATCH, "--move", "3,5", "--region", "0,0:0,9"],
            "expected two corners, such as 1,1:3,3, each from 0,0 to 8,8",
        ),
    ],
)
def test_what_does_not_fit_is_told_in_a_line(words, message, folder, capsys):
    (folder / "small.txt").write_text(". . . . .\n" * 5)
    assert main(["new", *words]) == 2
    said = capsys.readouterr().err.removeprefix("littlego: using patterns.match.yaml in this folder\n")
    assert message in said and said.count("\n") == 1


STONES = st.integers(0, (1 << 81) - 1)


def sparse(black: int, white: int, thin: int) -> MatchPosition:
    """Return a 9x9 position. black, white: masks of stones. thin: a mask of the points that keep their stones."""
    return match_rules(9).start((black & thin, white & ~black & thin), BLACK)


@settings(max_examples=15, deadline=None)
@given(STONES, STONES, STONES, st.integers(0, 80))
def test_the_drawing_fires_for_the_move_where_a_list_of_placements_says_so(black, white, thin, start):
    position = sparse(black, white, thin)
    legal = position.legal()
    move = next((point % 81 for point in range(start, start + 81) if legal >> point % 81 & 1), None)
    if move is None:
        return
    drawing = smallest_drawing(position, move)
    listed = sum({1 << place for place, _ in matches(drawing.rows(), position.own, position.theirs, 9)}) & legal
    assert fired_moves(drawing, position) == listed and listed >> move & 1
    rows = drawing.region.top, drawing.region.bottom
    assert move // 9 - NEAR <= rows[0] <= move // 9 <= rows[1] <= move // 9 + NEAR


def test_where_nothing_near_singles_it_out_all_that_is_near_remains():
    position = match_rules(19).start((0, 0), BLACK)
    drawing = smallest_drawing(position, 9 * 19 + 8)  # the point to the left of the centre of an empty board
    shape = parse_shape(drawing.rows())
    assert count_others(drawing, position, 9 * 19 + 8) > 0
    assert shape.height <= 2 * NEAR + 1 and shape.width <= 2 * NEAR + 1
