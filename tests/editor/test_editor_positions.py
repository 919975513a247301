"""Tests of positions as one line of text: round trips, and rejected text."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from knowledge_files import compiled

from littlego.cli.arguments import ArgumentError
from littlego.editor.positions import explain_command, position_text, read_position
from littlego.games.match import MatchPosition, match_rules
from littlego.rules.position import BLACK, PASS, WHITE

EMPTY = "/".join(["." * 9] * 9)

CUT = "...../..OX./.OXX./..O../....."


def test_the_examples_of_the_patterns_come_back_as_they_were():
    positions = [example.position() for pattern in compiled().base.patterns for example in pattern.examples]
    assert len(positions) > 400
    for position in positions:
        again = read_position(position_text(position))
        assert (again.black, again.white, again.colour, again.left) == (
            position.black,
            position.white,
            position.colour,
            position.left,
        )
        assert (again.ko, again.passed) == (position.ko, position.passed)


def test_what_is_left_out_is_the_most_that_may_be():
    position = read_position(CUT)
    assert (position.colour, position.left) == (BLACK, 18)
    assert read_position(CUT + " white left=15").left == 15


def test_a_match_says_prisoners_and_the_last_move():
    rows = "/".join(["......."] * 6 + ["..X...."])
    position = read_position(f"{rows} white prisoners=3,1 last=6,2", "match")
    assert isinstance(position, MatchPosition)
    assert (position.prisoners, position.last, position.colour) == ((3, 1), 44, WHITE)
    assert position_text(position) == f"{rows} white ruleset=match prisoners=3,1 last=6,2"
    assert read_position(position_text(position)).last == 44


def test_a_match_says_the_last_move_of_the_side_to_move():
    start = match_rules(7).opening()
    for position in (start.play(10).play(44), start.play(10).play(PASS)):  # after a pass, with the board before
        assert position_text(position).endswith(" own_last=1,3")
        again = read_position(position_text(position))
        assert isinstance(again, MatchPosition) and (again.last, again.own_last) == (position.last, 10)
    assert position_text(start.play(PASS).play(10)).endswith(" last=1,3 own_last=pass")


def test_the_board_before_tells_of_a_ko_and_of_what_it_took():
    before = "." * 7, "..XO...", ".X.XO..", "..XO...", *["." * 7] * 3
    now = "." * 7, "..XO...", ".XO.O..", "..XO...", *["." * 7] * 3
    position = read_position(f"{'/'.join(now)} black ruleset=match previous={'/'.join(before)}")
    assert isinstance(position, MatchPosition) and position.prisoners == (0, 1) and position.ko == 1 << 17
    assert read_position(position_text(position)).ko == position.ko
    with pytest.raises(ArgumentError, match="fewer prisoners than the last move captured; expected at least 0,1"):
        read_position(f"{'/'.join(now)} black ruleset=match prisoners=0,0 previous={'/'.join(before)}")


def test_a_pass_is_told():
    assert read_position(f"{CUT} previous={CUT}").passed
    assert read_position(f"{'/'.join(['.' * 9] * 9)} ruleset=match last=pass").last == PASS


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is not a board"),
        ("X.O/...", "is not a board; expected 2 to 19 rows"),
        ("..x/.../...", "is not a board"),
        (CUT + " red", "`red` is not a field of a position"),
        (CUT + " left=9x", "left=9x; expected the number"),
        (CUT + " left=17", "expected an even number from 1 to 18"),
        (CUT + " ruleset=chess", "ruleset=chess; expected little-go or match"),
        ("..../" * 3 + ".... ruleset=match", "a match on a board of size 4; expected size 5 to 19"),
        (CUT + " prisoners=1,0", "only a match has this field"),
        (CUT + " previous=XX/..", "2 rows; expected 5"),
        (f"{'/'.join(['.' * 9] * 9)} ruleset=match left=3", "a match has no move limit"),
        (f"{'/'.join(['.' * 9] * 9)} ruleset=match last=0,0", "the last mover has no stone there"),
        (f"O......../{'/'.join(['.' * 9] * 8)} ruleset=match own_last=0,0", "played no stone there"),
        (f"{EMPTY} ruleset=match own_last=0,0 previous={EMPTY}", "played no stone there"),
        (f"{'/'.join(['.' * 9] * 9)} ruleset=match prisoners=1", "as 2,0"),
        ("XO.../OX.../...../...../..... ", "the chain of X at 0,0 has no liberty"),
        ("." * 3000, "is not a board"),
    ],
)
def test_what_is_no_position_is_refused(text: str, said: str):
    with pytest.raises(ArgumentError) as refused:
        read_position(text)
    assert said in str(refused.value)


def test_the_command_asks_about_the_same_position():
    text = f"{CUT} white left=17 previous={CUT}"
    command = explain_command(read_position(text), "patterns.yaml", "--json -")
    assert command.startswith(
        "printf '%s\\n' ..... ..OX. .OXX. ..O.. ..... | littlego explain - --colour white --left 17"
    )
    program = f"{sys.executable} -m littlego"
    shell = subprocess.run(
        ["bash", "-c", command.replace("littlego", program, 1)],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    assert '"passed": true' in shell.stdout and '"moves_left": 17' in shell.stdout


def test_no_command_can_say_the_movers_last_move_to_a_drawing():
    position = match_rules(9).opening().play(40).play(PASS)
    assert explain_command(position, "patterns.match.yaml") == ""
    assert explain_command(match_rules(9).opening().play(PASS).play(PASS), "patterns.match.yaml") != ""


def test_no_command_can_say_prisoners_to_a_drawing():
    rows = "/".join(["." * 9] * 9)
    assert explain_command(read_position(f"{rows} ruleset=match prisoners=1,0"), "patterns.match.yaml") == ""
    assert "--ruleset match" in explain_command(read_position(f"{rows} ruleset=match"), "patterns.match.yaml")
