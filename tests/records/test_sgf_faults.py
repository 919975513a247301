"""Tests of SGF files with typical errors of other programs.

Each file is read as intended or rejected with a one-line message.
"""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from littlego.records.charsets import decode_sgf, is_sgf
from littlego.records.inputs import position_at
from littlego.records.main_line import game_sgf
from littlego.records.records import RecordError
from littlego.records.sgf import MOST_NODES, SgfError, read_games, sgf_text
from littlego.rules.position import PASS, Position

OGS = "(;FF[4]\nSZ[9]\nRU[Japanese]\n\n;B[ed]C[test \\[\\] test 2 \\\\\\[\\\\]\n]\n\n;W[gd]\n)\n"
TEXTS = {  # properties of the second node
    "OGS escapes the backslash and not the bracket": (OGS, "test [] test 2 \\[\\]\n"),
    "Lizzie escapes no bracket": ("(;SZ[9];B[cc]C[move [1] of 2] is good];W[gg])", "move [1] of 2] is good"),
    "a bracket at the end": ("(;SZ[9];B[cc]C[by anna [3d]];W[gg])", "by anna [3d]"),
    "a smile": ("(;SZ[9];B[cc]C[well played ;)];W[gg])", "well played ;)"),
    "brackets side by side": ("(;SZ[9];B[cc]C[a [1] [2] b];W[gg])", "a [1] [2] b"),
    "an escaped line end": ("(;SZ[9];B[cc]C[one \\\nline];W[gg])", "one line"),
    "spaces all around": ("( ; SZ [9] \n ; B [cc]\tC [x] ; W [gg] )", "x"),
}


@pytest.mark.parametrize(("text", "said"), TEXTS.values(), ids=TEXTS)
def test_a_comment_that_is_escaped_wrongly(text, said):
    root = read_games(text)[0]
    nodes = list(root.main_line())
    assert [len(node.children) for node in nodes] == [1, 1, 0]
    assert nodes[1].text("C") == said
    again = read_games(sgf_text(root))[0]  # the rewritten file has no fault
    assert [node.properties for node in again.main_line()] == [node.properties for node in nodes]


PLAYER = "(;SZ[9]PB[anna [3d]]PW[bert];B[cc])"


def test_a_rank_in_brackets_within_a_name():
    root = read_games(PLAYER)[0]
    assert (root.text("PB"), root.text("PW")) == ("anna [3d]", "bert")


@pytest.mark.parametrize("spelled", ["", "tt", "``", "pass", "PASS", " "])
def test_passes_as_programs_spell_them(spelled):
    assert [one.move for one in game_sgf(f"(;SZ[9];B[{spelled}];W[cc])").moves] == [PASS, 20]


def test_a_point_beyond_the_board_is_no_pass():
    with pytest.raises(RecordError, match=":2:1: move 2 is 'zz', not a point of a board of size 9"):
        game_sgf("(;SZ[9];B[cc]\n;W[zz])").check_whole()


def test_words_before_the_game():
    assert len(game_sgf("From: a mail (of today)\n\nSee:\n(;SZ[9];B[cc])").moves) == 1


def test_an_empty_node_and_an_empty_property():
    assert len(game_sgf("(;SZ[9]KM[];;B[cc];)").moves) == 1


def test_properties_with_small_letters_and_old_names():
    assert game_sgf("(;GaMe[1]SiZe[9]SZ[9];Black[cc];White[dd])").start.ruleset.size == 9


def test_points_in_rectangles():
    start = game_sgf("(;SZ[9]AB[aa:cb][ii]AW[ee:ee];W[dd])").start
    assert start.black == 0b111 | 0b111 << 9 | 1 << 80 and start.white == 1 << 40


def test_points_taken_away_again():
    assert game_sgf("(;SZ[9]AB[aa:cc];AE[bb];W[dd])").start.black.bit_count() == 8


def test_a_square_board_with_two_numbers():
    assert game_sgf("(;SZ[9:9];B[cc])").start.ruleset.size == 9


def test_of_more_games_the_first():
    text = "(;SZ[9];B[cc])\n(;SZ[13];B[dd])"
    assert len(read_games(text)) == 2 and game_sgf(text).start.ruleset.size == 9


ENCODINGS = {
    "Latin-1 that nobody names": ("Jürgen".encode("latin-1"), "", "Jürgen"),
    "UTF-8 that nobody names": ("囲碁".encode(), "", "囲碁"),
    "UTF-8 with a mark": (b"\xef\xbb\xbf(;SZ[9]PB[\xc3\xa9];B[cc])", None, "é"),
    "a Chinese name whose bytes end like a bracket": ("許".encode("big5"), "Big5", "許"),
    "a name of Shift JIS": ("表".encode("shift_jis"), "Shift_JIS", "表"),
    "more than GB2312 has": ("镕".encode("gbk"), "GB2312", "镕"),
    "an encoding that is not true": ("囲碁".encode(), "ASCII", "囲碁"),
    "an encoding that nobody knows": (b"abc", "x-nobody", "abc"),
    "no encoding of texts": (b"abc", "hex", "abc"),
}


@pytest.mark.parametrize(("name", "said", "expected"), ENCODINGS.values(), ids=ENCODINGS)
def test_encodings_of_before(name, said, expected):
    named = f"CA[{said}]".encode() if said else b""
    data = name if said is None else b"(;SZ[9]" + named + b"PB[" + name + b"];B[cc])"
    assert is_sgf(data) and read_games(decode_sgf(data).text)[0].text("PB") == expected


def test_an_encoding_that_the_person_names():
    data = b"(;SZ[9]PB[" + "表".encode("shift_jis") + b"];B[cc])"
    assert read_games(decode_sgf(data, "shift_jis").text)[0].text("PB") == "表"


@pytest.mark.parametrize("name", ["junk.sgf", "tt.sgf"])
def test_the_commands_that_read_a_game_take_them(name, tmp_path, capsys):
    (tmp_path / name).write_bytes(b"wrote this: (\n(;SZ[9]KM[2,5]PB[J\xfcrgen [3d]];B[tt]C[a ;) b];W[cc])")
    position = position_at(str(tmp_path / name))
    assert isinstance(position, Position) and position.white == 1 << 20
    capsys.readouterr()
    (tmp_path / name).write_text("(;SZ[9]KM[a lot];B[cc])")
    position_at(str(tmp_path / name))
    assert "KM[a lot] is not a valid komi for this board" in capsys.readouterr().err


LETTERS = "abcdefghijklmnopqrs"
HUGE = {
    "nodes": "(" + ";" * 900_000 + ")",
    "variations": "(;" * 450_000,
    "brackets that end nothing": "(;C[" + "] " * 450_000 + "])",
    "letters": "(;C[x]" + "A" * 900_000,
    "values": "(;AB" + "[aa]" * 220_000 + ")",
    "rectangles": "(;AB" + "".join(f"[{a}{b}:{c}s]" for a in LETTERS for b in LETTERS for c in LETTERS) + ")",
    "spaces": "(;C[x]" + " " * 900_000,
    "backslashes": "(;C[" + "\\" * 900_000,
    "openings without an end": "( " * 450_000,
}


@pytest.mark.parametrize("text", HUGE.values(), ids=HUGE)
def test_the_largest_files_take_seconds_at_most(text):
    began = time.process_time()
    try:
        game_sgf(text)
    except RecordError as error:
        assert "\n" not in str(error) and len(str(error)) < 200
    assert time.process_time() - began < 20  # reading normally takes less than one second


def test_more_nodes_than_a_review_has_are_refused():
    with pytest.raises(SgfError, match="more than 50,000 nodes"):
        read_games("(" + ";" * (MOST_NODES + 1) + ")")


PIECES = ["(", ")", ";", "[", "]", "\\", "B[aa]", "W[]", "W[tt]", "C[", "AB[aa:bb]", "PL[W]", "KM[2,5]", "\n", "x"]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=30))
@example(["\n", "x", "]", ")"])  # the size continues on the next line
@example(["PL[\n", "x]", ")"])
def test_any_text_is_read_or_refused_in_a_line(pieces):
    text = "(;SZ[5]" + "".join(pieces)
    try:
        games = read_games(text)
        game_sgf(text).positions()
    except (SgfError, RecordError) as error:
        assert "\n" not in str(error) and len(str(error)) < 200
        return
    written = sgf_text(games[0])
    assert sgf_text(read_games(written)[0]) == written


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=40))
def test_any_text_of_a_property_comes_back(said):
    root = read_games("(;SZ[5];B[cc])")[0]
    root.set_text("C", said)
    back = read_games(sgf_text(root))[0].text("C")
    assert back in (said, said.replace("[", "(").replace("]", ")"))
