"""Tests of the last resort, which plays a turn without the rest of rules/.

Slow, simple rules check its moves.
"""

from __future__ import annotations

import random
import sys

import pytest
from turn_folder import FIRST, GOOD, KO, SIZE, Board, check_played, collect, read_board

from littlego.rules import last_resort, turn
from littlego.rules.position import PASS


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def play(folder, capsys, data: bytes):
    (folder / turn.INPUT).write_bytes(data)
    status = last_resort.play_on(ValueError("damaged"))
    return collect(folder, status, capsys.readouterr().err)


@pytest.mark.parametrize("board", GOOD)
def test_it_moves_legally(folder, capsys, board):
    found = play(folder, capsys, GOOD[board].text())
    check_played(GOOD[board], found, may_pass=board == "late")
    assert found.errors == "my_player3: ValueError: damaged; playing without rules\n"


@pytest.mark.parametrize("seed", range(40))
def test_it_moves_legally_on_any_board(seed):
    rng = random.Random(seed)
    for _ in range(20):
        masks = []
        for _ in range(2):
            cells = rng.choices((0, 1, 2), rng.choice([(1, 1, 1), (1, 5, 5), (5, 1, 1)]), k=25)
            masks.append(tuple(sum(1 << n for n, cell in enumerate(cells) if cell == stone) for stone in (1, 2)))
        given = Board(rng.choice((1, 2)), *masks)
        answer = last_resort.first_move(given.text()).decode()
        if answer == "PASS\n":
            empty = ~(given.current[0] | given.current[1]) & (1 << 25) - 1
            assert not empty & empty >> 5 and not empty & empty >> 1 & ~sum(1 << n for n in range(4, 25, 5))
        else:
            row, column = map(int, answer.split(","))
            assert SIZE * row + column in given.legal()


@pytest.mark.parametrize("data", [b"", b"1", b"nonsense", FIRST.text()[:-1], b"3" + FIRST.text()[1:], b"\xff" * 99])
def test_what_cannot_be_read_is_passed(folder, capsys, data):
    assert read_board(data) is None
    found = play(folder, capsys, data)
    assert (found.status, found.output, found.files) == (1, b"PASS\n", set())
    assert found.errors.startswith("my_player3: ValueError: damaged; playing without rules; input.txt: expected")


def test_no_input_is_passed(folder, capsys):
    assert last_resort.play_on(ValueError()) == 1
    assert (folder / turn.OUTPUT).read_bytes() == b"PASS\n"


def test_an_output_that_cannot_be_replaced_is_reported(folder, capsys):
    (folder / turn.OUTPUT).mkdir()
    found = play(folder, capsys, FIRST.text())
    assert (found.status, found.files) == (1, set()) and "output.txt: [Errno 21]" in found.errors


@pytest.mark.parametrize("old", [b"0,0\n", None])
def test_no_room_leaves_what_was_there(folder, capsys, monkeypatch, old):
    if old:
        (folder / turn.OUTPUT).write_bytes(old)
    monkeypatch.setattr(last_resort, "write", lambda file, data: 1)
    found = play(folder, capsys, FIRST.text())
    assert (found.status, found.output, found.files) == (1, old, set())
    assert "only a part could be written" in found.errors


def test_nobody_listens(folder, capsys, monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    assert play(folder, capsys, FIRST.text()).output == b"0,0\n"


# -- turn.py without the modules that a legal move does not need ------------------------------------------------


@pytest.mark.parametrize("missing", ["engine", "patternfile", "life", "overrides"])
def test_a_missing_module_is_one_fault(folder, capsys, monkeypatch, missing):
    monkeypatch.setitem(sys.modules, f"littlego.rules.{missing}", None)
    (folder / turn.INPUT).write_bytes(KO.text())
    (folder / "overrides.txt").write_bytes(b"")
    status = turn.play_turn("nowhere.txt", "overrides.txt")
    (folder / "overrides.txt").unlink()
    found = collect(folder, status, capsys.readouterr().err)
    check_played(KO, found)
    assert f"rules.{missing}" in found.errors or missing == "life"


def test_without_the_engine_own_eyes_are_not_filled(monkeypatch):
    position = GOOD["late"].position()
    assert turn.any_move(position) == PASS
    monkeypatch.setitem(sys.modules, "littlego.rules.life", None)
    assert position.legal() >> turn.any_move(position) & 1


def test_what_is_said_can_be_shown(folder, capsys):
    turn.complain("two\nlines, \x1b[31mred\x07 \u202e")
    assert capsys.readouterr().err == "my_player3: two lines, \\x1b[31mred\\x07 \\u202e\n"
