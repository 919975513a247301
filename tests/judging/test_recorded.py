"""Tests of writing, reading and accepting recorded decisions."""

from __future__ import annotations

import pytest
from boards import position
from knowledge_files import book

from littlego.judging.corpus import spelled
from littlego.judging.recorded import (
    RecordError,
    accept_moves,
    read_decisions,
    read_record,
    write_record,
)
from littlego.paths import DECISIONS, MATCH_DECISIONS
from littlego.records.positions import position_text, read_position
from littlego.rules.position import BLACK, PASS, WHITE
from littlego.rules.ruleset import LITTLE_GO

KO = """
. X O . .
X k X O .
. X O . .
. . . . .
. . . . .
"""
LINE = "......X...OX............. black 20 - - 1,1"


def test_what_is_written_is_read(tmp_path):
    positions = [
        position(KO, colour=WHITE, left=7, ruleset=LITTLE_GO),
        position("\n".join(["....."] * 5), colour=BLACK, left=3, passed=True, ruleset=LITTLE_GO),
    ]
    record = spelled(positions, (24, PASS))
    write_record(record, tmp_path / "d.txt")
    assert read_record(tmp_path / "d.txt") == record
    found = read_decisions(tmp_path / "d.txt")
    assert found[0].position.ko == 1 << 6 and found[0].position.colour == WHITE and found[1].position.passed


@pytest.mark.parametrize("path", [DECISIONS, MATCH_DECISIONS])
def test_the_file_is_as_writing_it_anew_would_make_it(tmp_path, path):
    write_record(read_record(path), tmp_path / "d.txt")
    assert (tmp_path / "d.txt").read_bytes() == path.read_bytes()


@pytest.mark.parametrize("text", [position_text(one.position) for one in read_decisions()[::600]])
def test_a_position_comes_back_from_its_text(text):
    assert position_text(read_position(text)) == text


@pytest.mark.parametrize(
    "line, said",
    [
        ("nonsense", "not enough values"),
        (LINE.replace("X", "Q"), "expected 25 characters, each X, O or ."),
        (LINE[1:], "expected 25 characters, each X, O or ."),
        (LINE.replace("black", "blue"), "expected `black` or `white`, found 'blue'"),
        (LINE.replace("20", "25"), "expected 1 to 24 moves left, found 25"),
        (LINE.replace("20", "0"), "expected 1 to 24 moves left, found 0"),
        (LINE.replace("20", "x"), "invalid literal"),
        (LINE.replace("- -", "- maybe"), "expected `passed` or `-`, found 'maybe'"),
        (LINE.replace("- -", "5,1 -"), "the point 5,1 is not on the board"),
        (LINE.replace("1,1", "1,-1"), "the point 1,-1 is not on the board"),
        (LINE + " 1,1", "too many values"),
    ],
)
def test_a_bad_line_is_named(tmp_path, line, said):
    path = tmp_path / "d.txt"
    path.write_text(f"# comment\n\n{LINE}\n{line}\n")
    with pytest.raises(RecordError, match=f"{path}:4: not a recorded decision: ") as caught:
        read_decisions(path)
    assert said in str(caught.value)


def test_accepting_changes_just_the_moves_named(tmp_path):
    path = tmp_path / "d.txt"
    other, third = LINE.replace("20", "18"), LINE.replace("20", "16")
    path.write_text(f"# kept\n{LINE}\n\n{other}\n# kept too\n{third}")
    key = [line.rpartition(" ")[0] for line in (LINE, other, third)]
    assert accept_moves({key[0]: PASS, key[1]: 6, "unknown": 3}, path) == 1  # the second is unchanged
    assert path.read_text() == f"# kept\n{key[0]} PASS\n\n{other}\n# kept too\n{third}"
    assert accept_moves({key[2]: 0}, path) == 1
    assert path.read_text().endswith(f"# kept too\n{key[2]} 0,0\n")
    before = path.stat().st_mtime_ns
    assert accept_moves({}, path) == 0 and path.stat().st_mtime_ns == before


def test_a_line_with_other_spaces_is_accepted_too(tmp_path):
    path = tmp_path / "d.txt"
    path.write_text(f"{LINE.replace(' ', '  ')}\n{LINE.replace('20', '18')}\n")
    assert accept_moves({LINE.rpartition(" ")[0]: PASS}, path) == 1
    assert [one.move for one in read_decisions(path)] == [PASS, 6]


def test_a_file_that_is_no_text_is_named(tmp_path):
    path = tmp_path / "d.txt"
    path.write_bytes(b"\xff\xfe\0")
    with pytest.raises(RecordError, match=f"{path}: not a text file"):
        read_decisions(path)


def test_decided_is_what_the_book_plays():
    record = read_record(DECISIONS)
    sample = record.only(range(0, len(record.names), 700))
    assert sample.decide(book()) == list(sample.moves)
