"""Tests that we read input.txt as the course's host writes it, and output.txt as this host reads it."""

import os

import pytest

from littlego.games.boards import parse_board
from littlego.match.protocol import OutputError, Turn, input_text, read_output, write_input
from littlego.rules.position import BLACK, PASS, WHITE, from_boards, opening
from littlego.rules.ruleset import LITTLE_GO, little_go
from littlego.rules.turn import parse_input

FIGURE_2 = """
. . X X .
. . O X .
. . O . .
. O . . .
. . . . .
"""


def turn(drawn, colour=BLACK, previous=(0, 0)):
    _, black, white = parse_board(drawn)
    return Turn(from_boards(LITTLE_GO, previous, (black, white), colour, 10), previous)


def test_input_has_the_colour_the_previous_board_and_the_current_one():
    assert input_text(turn(FIGURE_2, WHITE)).split("\n") == ["2"] + ["00000"] * 5 + [
        "00110",
        "00210",
        "00200",
        "02000",
        "00000",
    ]


def test_input_is_written_with_lf_only(tmp_path):
    write_input(str(tmp_path), turn(FIGURE_2))
    data = (tmp_path / "input.txt").read_bytes()
    assert data.startswith(b"1\n00000\n") and b"\r" not in data and data.count(b"\n") == 10


def test_our_reader_reads_what_the_host_writes():
    shown = turn(FIGURE_2, WHITE, previous=(0b101, 0b10))
    colour, previous, current = parse_input(input_text(shown).encode(), 5)
    assert (colour, previous) == (WHITE, shown.previous)
    assert current == (shown.position.black, shown.position.white)


def test_input_has_2n_plus_1_lines_on_any_board():
    ruleset = little_go(7)
    lines = input_text(Turn(opening(ruleset), (0, 0))).split("\n")
    assert len(lines) == 15 and set(map(len, lines[1:])) == {7}


ACCEPTED = [
    (b"2,3", 13, False),
    (b"2,3\n", 13, False),
    (b"PASS", PASS, False),
    (b"PASS\n", PASS, False),
    (b"2,3\r\n", 13, True),
    (b"2,3,4", 13, True),
    (b" 2 , 3 ", 13, True),
    (b"PASS,1", PASS, True),
    (b"  PASS\n", PASS, True),
    (b"PASS\r\n", PASS, True),
    (b"+2,03", 13, True),
    (b"2,3\nPASS\n", 13, True),
    (b"2,3\r4,4", 13, True),  # a lone CR also ends a line
]


@pytest.mark.parametrize(("data", "move", "warned"), ACCEPTED)
def test_what_the_courses_reader_accepts(tmp_path, data, move, warned):
    (tmp_path / "output.txt").write_bytes(data)
    answer = read_output(str(tmp_path), 5)
    assert answer.move == move
    assert bool(answer.warning) == warned


REFUSED = [b"", b"\n", b"\n2,3", b"pass", b"Pass", b"2 3", b"2", b"2,", b",3", b"2,x", b"2.0,3", b"(2,3)", b"PASS ,1"]
REFUSED += [b"\xef\xbb\xbf2,3", b"\xff\xfe2\x00,\x003\x00", b"2;3", b"None", b"2\n3"]


@pytest.mark.parametrize("data", REFUSED)
def test_what_loses(tmp_path, data):
    (tmp_path / "output.txt").write_bytes(data)
    with pytest.raises(OutputError):
        read_output(str(tmp_path), 5)


@pytest.mark.parametrize("text", ["5,0", "0,5", "-1,0", "0,-1", "99999999999999999999,0"])
def test_a_point_off_the_board_is_no_move(tmp_path, text):
    (tmp_path / "output.txt").write_text(text)
    answer = read_output(str(tmp_path), 5)
    assert answer.move is None and answer.text == text


def test_the_message_quotes_what_was_found(tmp_path):
    (tmp_path / "output.txt").write_text("row 2, column 3" + "!" * 1000)
    with pytest.raises(OutputError, match="'row 2, column 3!+'; expected row,column or PASS") as error:
        read_output(str(tmp_path), 5)
    assert len(str(error.value)) < 120


def test_a_missing_file_loses(tmp_path):
    with pytest.raises(OutputError, match="no output.txt was written"):
        read_output(str(tmp_path), 5)


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo, lambda path: os.symlink("/dev/zero", path)])
def test_what_is_no_plain_file_cannot_block_the_host(tmp_path, make):
    make(str(tmp_path / "output.txt"))
    with pytest.raises(OutputError, match="not a plain file"):
        read_output(str(tmp_path), 5)
