"""Tests that every reader reads every move of SGF files by other programs, in any encoding."""

from __future__ import annotations

import pytest
from sgf_collection import DECLARED, WRITERS, encoded, samples

from littlego.cli.arguments import ArgumentError
from littlego.editor.opening import open_game
from littlego.judging.annotation.annotate import split_moves, steps_of
from littlego.judging.annotation.reading import read_tree
from littlego.records.charsets import decode_sgf
from littlego.records.inputs import position_at, record_at
from littlego.records.main_line import game_sgf, main_line_of

EACH = 26  # files for each program, 312 in all


def moves_of(record):
    record.check_whole()
    return [(played.colour, played.move) for played in record.moves]


def check(sample):
    """Check that the reader finds a file's moves, and that all moves are legal."""
    text, _ = decode_sgf(sample.data)
    record = game_sgf(text)
    assert moves_of(record) == sample.moves, sample.data
    record.positions()


@pytest.mark.parametrize("program", [writer.__name__ for writer in WRITERS])
def test_files_in_the_manner_of_a_program(program):
    found = [sample for sample in samples(EACH) if sample.program == program]
    assert len(found) == EACH
    for sample in found:
        check(sample)


@pytest.mark.parametrize("sample", list(samples(3)), ids=lambda sample: sample.name)
def test_every_reader_gives_the_same_answer(sample, tmp_path, capsys):
    file = tmp_path / sample.name
    file.write_bytes(sample.data)
    record = record_at(f"{file}", "match")
    last = position_at(str(file))
    assert moves_of(record) == sample.moves
    root = read_tree(sample.name, sample.data)
    annotated = main_line_of(root)
    split_moves(root)
    steps = steps_of(root, annotated)
    assert [(step.position.colour, step.played.move) for step in steps] == sample.moves
    opened = open_game(sample.name, sample.data).record.positions()[-1]
    assert (opened.black, opened.white, opened.colour) == (last.black, last.white, last.colour)


def all_encoded(each):
    return [
        (encoding, declared, number) for encoding in DECLARED for declared in (False, True) for number in range(each)
    ]


@pytest.mark.parametrize(("encoding", "declared", "number"), all_encoded(8))
def test_no_move_is_lost_in_any_encoding(encoding, declared, number):
    check(encoded(encoding, declared, number))


@pytest.mark.slow
@pytest.mark.parametrize("encoding", DECLARED)
def test_no_move_is_lost_in_two_thousand_files(encoding):
    for declared in (False, True):
        for number in range(200):
            check(encoded(encoding, declared, number))


@pytest.mark.parametrize("encoding", [name for name in DECLARED if name != "utf-16"])
@pytest.mark.parametrize("wrong", ["ISO-8859-1", "UTF-8", "Big5", "Shift_JIS", "KOI8-R", "x-nobody"])
def test_no_move_is_lost_under_a_wrong_declaration(encoding, wrong):
    for number in range(4):
        sample = encoded(encoding, False, number)
        data = sample.data.replace(b"FF[4]", b"FF[4]CA[" + wrong.encode() + b"]", 1)
        assert moves_of(game_sgf(decode_sgf(data).text)) == sample.moves


def test_a_named_encoding_overrules_the_guess_and_damage_is_told():
    text, warning = decode_sgf("(;SZ[9]PB[表];B[cc])".encode("cp932"), "cp932")
    assert "PB[表]" in text and not warning
    mixed = b"(;SZ[9]PB[" + "表示".encode("cp932") + "囲碁".encode() + b"];B[cc]C[\xff\xff\x80];W[dd])"
    text, warning = decode_sgf(mixed)
    assert len(game_sgf(text).moves) == 2 and "a guess" in warning


def test_a_position_before_a_fault_does_not_depend_on_it(tmp_path, capsys):
    file = tmp_path / "game.sgf"
    file.write_text("(;SZ[9];B[cc];W[gg];B[cg]\n;W[cc];B[gc])")
    assert position_at(f"{file}:4").number == 4
    assert not capsys.readouterr().err
    with pytest.raises(ArgumentError, match=r":2:1: move 4, 2,2: there is a stone already; .*game.sgf:4 is the last"):
        position_at(str(file))
