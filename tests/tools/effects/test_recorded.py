"""Recorded decisions: written, read, accepted, gathered."""

from __future__ import annotations

import pytest
from boards import position
from knowledge_files import book

from rules.position import BLACK, PASS, WHITE
from rules.ruleset import LITTLE_GO
from tools.effects import recorded
from tools.effects.recorded import (
    DECISIONS,
    BadRecord,
    Recorded,
    accept,
    decided,
    extended,
    gather,
    position_text,
    read,
    read_position,
    write,
)

KO = """
. X O . .
X k X O .
. X O . .
. . . . .
. . . . .
"""
LINE = "......X...OX............. black 20 - - 1,1"


def test_what_is_written_is_read(tmp_path):
    told = [
        Recorded(position(KO, colour=WHITE, left=7, ruleset=LITTLE_GO), 24),
        Recorded(position("\n".join(["....."] * 5), colour=BLACK, left=3, passed=True, ruleset=LITTLE_GO), PASS),
    ]
    write(told, tmp_path / "d.txt")
    found = read(tmp_path / "d.txt")
    assert [(position_text(one.position), one.move) for one in found] == [
        (position_text(one.position), one.move) for one in told
    ]
    assert found[0].position.ko == 1 << 6 and found[0].position.colour == WHITE and found[1].position.passed


def test_the_file_is_as_writing_it_anew_would_make_it(tmp_path):
    write(read(), tmp_path / "d.txt")
    assert (tmp_path / "d.txt").read_bytes() == DECISIONS.read_bytes()


@pytest.mark.parametrize("text", [position_text(one.position) for one in read()[::600]])
def test_a_position_comes_back_from_its_text(text):
    assert position_text(read_position(text)) == text


@pytest.mark.parametrize(
    "line, said",
    [
        ("nonsense", "not enough values"),
        (LINE.replace("X", "Q"), "expected 25 of `X O .`"),
        (LINE[1:], "expected 25 of `X O .`"),
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
    with pytest.raises(BadRecord, match=f"{path}:4: not a recorded decision: ") as caught:
        read(path)
    assert said in str(caught.value)


def test_accepting_changes_just_the_moves_named(tmp_path):
    path = tmp_path / "d.txt"
    other, third = LINE.replace("20", "18"), LINE.replace("20", "16")
    path.write_text(f"# kept\n{LINE}\n\n{other}\n# kept too\n{third}")
    key = [line.rpartition(" ")[0] for line in (LINE, other, third)]
    assert accept({key[0]: PASS, key[1]: 6, "unknown": 3}, path) == 1  # the second is as it was
    assert path.read_text() == f"# kept\n{key[0]} PASS\n\n{other}\n# kept too\n{third}"
    assert accept({key[2]: 0}, path) == 1
    assert path.read_text().endswith(f"# kept too\n{key[2]} 0,0\n")
    before = path.stat().st_mtime_ns
    assert accept({}, path) == 0 and path.stat().st_mtime_ns == before


def test_a_line_with_other_spaces_is_accepted_too(tmp_path):
    path = tmp_path / "d.txt"
    path.write_text(f"{LINE.replace(' ', '  ')}\n{LINE.replace('20', '18')}\n")
    assert accept({LINE.rpartition(" ")[0]: PASS}, path) == 1
    assert [one.move for one in read(path)] == [PASS, 6]


def test_a_file_that_is_no_text_is_named(tmp_path):
    path = tmp_path / "d.txt"
    path.write_bytes(b"\xff\xfe\0")
    with pytest.raises(BadRecord, match=f"{path}: not a text file"):
        read(path)


def test_gathering_takes_real_positions_and_a_sample_of_others(monkeypatch):
    monkeypatch.setattr(recorded, "GAMES", 1)
    monkeypatch.setattr(recorded, "MOST", 10)
    monkeypatch.setattr(recorded, "NOISE", (0.3,))
    positions = gather(book())
    texts = [position_text(one) for one in positions]
    assert len(texts) == len(set(texts)) == 3223 + 10
    assert texts == [position_text(one) for one in gather(book())]
    assert texts[:3223] == [position_text(one.position) for one in read()[:3223]]


def test_decided_is_what_the_book_plays():
    sample = read()[::700]
    assert [one.move for one in decided([one.position for one in sample], book())] == [one.move for one in sample]


def test_what_is_on_record_stays_as_it_is_when_positions_are_added(monkeypatch):
    monkeypatch.setattr(recorded, "gather", lambda _: [one.position for one in read()[600:604]])
    known = [Recorded(one.position, PASS) for one in read()[601:603]]
    found = extended(known, book())
    assert found[:2] == known
    assert [position_text(one.position) for one in found[2:]] == [
        position_text(one.position) for one in (read()[600], read()[603])
    ]
    assert [one.move for one in found[2:]] == [read()[600].move, read()[603].move]
