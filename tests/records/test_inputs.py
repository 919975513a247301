"""Tests of positions from files.

Common formats are read as intended. Other formats are refused with a one-line message.
"""

import io
import json
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from littlego.cli.arguments import ArgumentError
from littlego.games.boards import board_rows, board_text, parse_board
from littlego.match.protocol import Turn, input_text
from littlego.records.inputs import LARGEST_FILE, position_at, positions_at
from littlego.rules.position import BLACK, WHITE, opening
from littlego.rules.ruleset import LITTLE_GO, little_go

DRAWN = """\
. . . . .
. X . . .
X O . . .
. X . . .
. . . . .
"""
STONES = parse_board(DRAWN)[1:]
KO = """\
. . . . .
. X O . .
X . X O .
. X O . .
. . . . .
"""


@pytest.fixture
def file(tmp_path, monkeypatch):
    """Return a function that writes a file into the current folder and returns its name."""
    monkeypatch.chdir(tmp_path)

    def write(content, name="given.txt"):
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    return write


def board_of(position):
    return position.black, position.white


WAYS = {
    "as drawn": DRAWN,
    "without spaces": DRAWN.replace(" ", ""),
    "with blank lines around": f"\n\n{DRAWN}\n\n",
    "with CRLF and a byte order mark": "\ufeff" + DRAWN.replace("\n", "\r\n"),
    "with coordinates": board_text(5, *STONES),
    "with coordinates and the move in parentheses": board_text(5, *STONES, 12),
    "with the move in parentheses alone": DRAWN.replace("O .", "O(.)"),
}


@pytest.mark.parametrize("drawn", WAYS.values(), ids=WAYS)
def test_a_board_reads_however_it_is_drawn(drawn, file):
    position = position_at(file(drawn))
    assert board_of(position) == STONES
    assert (position.colour, position.left) == (BLACK, 18)


@given(st.integers(2, 19), st.data())
def test_what_we_draw_ourselves_reads_back(size, data):
    cells = data.draw(st.text("XO.", min_size=size * size, max_size=size * size))
    masks = [sum(1 << point for point, cell in enumerate(cells) if cell == symbol) for symbol in "XO"]
    move = data.draw(st.none() | st.integers(0, size * size - 1))
    assert parse_board(board_text(size, *masks, move)) == (size, *masks)


def lefts(*args):
    return [position.left for position in positions_at(*args)]


def test_the_numbers_of_moves_that_may_be_left(file):
    """A record, an explicit number or a first turn determines the number; otherwise several are possible."""
    assert lefts(file(DRAWN)) == [*range(18, 0, -2)] and lefts("given.txt", "white") == [*range(19, 0, -2)]
    assert lefts("given.txt", None, 6) == [6]
    empty = ("0" * 5 + "\n") * 10
    assert lefts(file("1\n" + empty)) == [24] and lefts(file("2\n" + empty)) == [23]
    assert lefts(file(". . .\n" * 3)) == [little_go(3).length]
    start = opening(LITTLE_GO).play(12)
    assert lefts(file(game_with([12, 7]), "game.sgf")) == [start.left - 1]


def game_with(points):
    return "(;SZ[5]" + "".join(f";{'BW'[n % 2]}[{'abcde'[p % 5]}{'abcde'[p // 5]}]" for n, p in enumerate(points)) + ")"


def test_stones_that_the_last_move_took_are_moves_that_were_made(file):
    """Three of Black's five stones were captured, so White's last move was move 10 or later."""
    before = file("X X X . .\nO O O . .\n. . . . .\n. . X X .\n. . . . .", "before.txt")
    after = file(". . . O .\nO O O . .\n. . . . .\n. . X X .\n. . . . .")
    assert lefts(after, None, None, before) == [*range(14, 0, -2)]
    assert lefts(after) == [*range(16, 0, -2)]
    assert position_at(after, None, None, before).left == 14


def test_who_moves_and_how_many_moves_are_left_can_be_said(file):
    position = position_at(file(DRAWN), "white", 5)
    assert (position.colour, position.left) == (WHITE, 5)


def test_other_sizes_have_their_own_rules(file):
    position = position_at(file("\n".join(board_rows(9, 1 << 40, 0))), "white")
    assert (position.ruleset.size, position.left, position.ruleset.komi2) == (9, 79, 9)


def test_an_input_file_says_who_moves_and_where_the_ko_is(file):
    before = parse_board(KO)[1:]
    after = (before[0] & ~(1 << 12), before[1] | 1 << 11)
    digits = ["2"]
    for black, white in ((before[0], before[1]), after):
        cells = "".join("1" if black >> point & 1 else "2" if white >> point & 1 else "0" for point in range(25))
        digits += [cells[start : start + 5] for start in range(0, 25, 5)]
    position = position_at(file("\n".join(["1", *digits[1:]])))
    assert (position.colour, position.ko) == (BLACK, 1 << 12)
    assert position_at(file("\n".join(["1", *digits[1:]])), left=4).left == 4


def test_an_input_file_of_another_size(file):
    turn = Turn(opening(LITTLE_GO), (0, 0))
    assert position_at(file(input_text(turn))).number == 1
    assert position_at(file("1\n" + "000\n" * 6)).ruleset.size == 3


def test_whether_a_pass_would_end_the_game(file):
    empty = "00000\n" * 10
    assert position_at(file("1\n" + empty)).passed and not position_at(file("1\n" + empty), left=22).passed
    assert position_at(file("2\n" + empty)).passed and position_at(file("2\n" + empty), left=5).passed
    assert not position_at(file(DRAWN)).passed


def test_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(DRAWN.encode())))
    assert board_of(position_at("-")) == STONES


def test_a_file_whose_name_ends_as_a_move_number(file):
    assert board_of(position_at(file(DRAWN, "board:3"))) == STONES


ALPHABETS = st.sampled_from(
    ["XO. \n", "XO.()\n 01234", "012\n", "(;)[]BWAPLSZ:abcte5\\\n", '{"moves":[]}2,PAS', "\0\ufeff\r\t é"]
)


@settings(max_examples=300)
@given(
    st.binary(max_size=80) | ALPHABETS.flatmap(lambda letters: st.text(letters, max_size=120)).map(str.encode),
    st.sampled_from([b"", b"(;SZ[5]", b'{"moves": [{"move": ', b"1\n00000\n", b". . .\n. X .\n"]),
)
def test_whatever_a_file_holds_it_is_a_position_or_one_line(rest, head):
    usual, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(head + rest))
    try:
        position = position_at("-")
        assert position.left >= 1 or not position.ruleset.length  # a match has no limit
    except ArgumentError as error:
        assert "\n" not in str(error) and len(str(error)) < 300
    finally:
        sys.stdin = usual


WRONG = {
    "no file": (None, "given.txt: No such file or directory"),
    "empty": ("", "given.txt: empty; expected a drawn board"),
    "blank": (" \n\t\n", "given.txt: empty; expected a drawn board"),
    "binary": (b"\x00\x01\x02\xff" * 40, "given.txt: not a text file"),
    "Latin-1": (b"caf\xe9\n", "given.txt: not a text file"),
    "prose": ("Dear sir,\nI write to you\n", "given.txt, row 0, column 0: unknown symbol 'D'"),
    "ragged": (". . .\n. .\n. . .\n", "given.txt, row 1: row 1 has 2 points, expected 3"),
    "one row": ("X . . . .\n", "given.txt: 1 row of 5 points, expected 5 rows: a board is square"),
    "two rows": ("X . . . .\n. . . . .\n", "given.txt: 2 rows of 5 points, expected 5 rows"),
    "unknown symbol": (". . .\n. . #\n. . .\n", "given.txt, row 1, column 2: unknown symbol '#'"),
    "too many rows": (". " * 20 + "\n" * 1 + ".\n" * 19, "a board has 2 to 19 rows, found 20"),
    "short input": ("1\n00000\n", "given.txt: 2 lines, expected 11"),
    "wrong colour": ("3\n" + "00000\n" * 10, "given.txt:1: found '3', expected 1 (Black) or 2 (White)"),
    "wrong digit": ("1\n" + "00000\n" * 9 + "00300\n", "given.txt:11: found '00300'"),
    "no liberty": ("XO.\nO..\n...\n", "the chain of X at 0,0 has no liberty"),
    "too many stones": ("X X X X X\n" * 2 + "X X X . X\n" + ". X X . .\n" * 2, "more stones than 23 moves can place"),
    "not JSON": ('{"moves": [', "given.txt:1:12: not JSON"),
    "deep JSON": ('{"a":' + "[" * 100_000, "given.txt: not the JSON of a game: nested too deeply"),
    "other JSON": ('{"a": 1}', "given.txt: no list `moves`"),
    "series": ('{"games": []}', "given.txt: a series of games"),
    "JSON move": ('{"moves": [{"move": "2,2"}, {"move": "5,0"}]}', "given.txt: move 2 is '5,0'; expected row,column"),
    "JSON ruleset": ('{"ruleset": "chess", "moves": []}', "given.txt: unknown ruleset 'chess'"),
    "occupied": ('{"moves": [{"move": "2,2"}, {"move": "2,2"}]}', "given.txt: move 2, 2,2: there is a stone already"),
}


@pytest.mark.parametrize(("content", "message"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_read_is_one_line(content, message, file):
    name = "given.txt" if content is None else file(content)
    with pytest.raises(ArgumentError) as error:
        position_at(name)
    assert message in str(error.value) and "\n" not in str(error.value)


def test_a_huge_file_is_refused(file):
    name = file(b". " * (LARGEST_FILE // 2 + 1))
    with pytest.raises(ArgumentError, match="exceeds the limit of 1,000,000 bytes.*; expected a drawn"):
        position_at(name)


def test_a_folder_is_no_position(file, tmp_path):
    with pytest.raises(ArgumentError, match="Is a directory"):
        position_at(str(tmp_path))


@pytest.mark.parametrize("left", [0, -2, 3, 19, 20, 24])
def test_moves_left_that_stones_and_colour_do_not_allow(left, file):
    with pytest.raises(
        ArgumentError, match=f"--left {left}: expected an even number from 1 to 18, because Black is to move"
    ):
        position_at(file(DRAWN), None, left)


@pytest.mark.parametrize("content", ["1\n" + "00000\n" * 10, json.dumps({"moves": []})])
def test_a_file_that_says_who_moves_takes_no_colour(content, file):
    with pytest.raises(ArgumentError, match="--colour white"):
        position_at(file(content), "white")


def test_a_move_number_needs_a_record(file):
    name = file(DRAWN)
    with pytest.raises(ArgumentError, match=f"{name}:3: a move number needs a game record"):
        position_at(f"{name}:3")


def test_the_board_before_shows_the_ko(file):
    before = KO.replace("X . X O .", "X O . O .")
    drawn = position_at(file(KO), "white", 11, file(before, "before.txt"))
    assert drawn.ko == 1 << 11
    assert position_at("given.txt", "white", 11).ko == 0


def test_the_same_board_before_is_a_pass(file):
    assert position_at(file(DRAWN), None, 4, "given.txt").passed


@pytest.mark.parametrize("content", ["(;GM[1]SZ[5];B[cc])", "1\n" + ".....\n" * 10, '{"moves": []}'])
def test_what_tells_the_board_before_itself_takes_no_other(file, content):
    file(DRAWN, "before.txt")
    with pytest.raises(
        ArgumentError, match="--previous before.txt: given.txt already contains the board before the last move"
    ):
        position_at(file(content), previous="before.txt")


def test_both_boards_are_of_one_size(file):
    file("...\n...\n...\n", "small.txt")
    with pytest.raises(ArgumentError, match="--previous small.txt: the board's size is 3, but given.txt has size 5"):
        position_at(file(DRAWN), previous="small.txt")
