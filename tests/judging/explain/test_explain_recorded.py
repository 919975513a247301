"""Tests of explanations of overrides: the line, played to the end, that refutes the patterns' move."""

from __future__ import annotations

import json
import re

import pytest

from littlego.cache import ROOT
from littlego.cli.main import main
from littlego.games.boards import board_text
from littlego.judging.explain.recorded import READ_UP_TO, refutation_json, refutation_text, refute
from littlego.knowledge.overrides import read, to_bytes
from littlego.rules.engine import decide
from littlego.rules.overrides import Overrides
from littlego.rules.patternfile import load
from littlego.rules.position import BLACK, WHITE, margin2
from littlego.rules.positionkey import LEFT_AT, unpack
from littlego.rules.ruleset import LITTLE_GO

BOOK = load(str(ROOT / "patterns.txt"), LITTLE_GO)
KEPT = read(ROOT / "overrides.txt")


def complain(line):
    raise AssertionError(line)


def decided(code, overrides):
    (path := overrides / "overrides.txt").write_bytes(to_bytes({code: KEPT[code]}))
    with path.open("rb") as file:
        return decide(unpack(code), BOOK, complete=True, overrides=Overrides(file, "overrides.txt", complain))


@pytest.fixture
def recorded(tmp_path):
    """Return a function that maps a number of moves left to a decision that an override makes."""

    def found(left):
        codes = (code for code in sorted(KEPT) if code >> LEFT_AT == left)
        return next(made for code in codes if (made := decided(code, tmp_path)).overruled)

    return found


@pytest.mark.parametrize("left", [4, 7, 8, 9, 11])
def test_the_line_is_a_game_that_the_other_side_wins(recorded, left):
    decision = recorded(left)
    found = refute(decision)
    position = decision.position
    assert found.line[0] == decision.overruled.move != decision.move
    for number, move in enumerate(found.line, 1):
        assert position.ends_with(move) == (number == len(found.line))
        position = position.play(move)
    assert found.winner == (WHITE if decision.position.colour == BLACK else BLACK)
    assert (margin2(position) > 0) == (found.winner == BLACK)


def test_it_is_told_in_words_and_as_values(recorded):
    decision = recorded(4)
    found = refute(decision)
    words = " ".join(refutation_text(found, decision).split())
    told = refutation_json(found)
    assert words.startswith("Override because ") and words.endswith(": White wins.")
    moves = re.findall(r"[XO] (\d,\d|PASS)", words)
    assert moves == told["line"] and told["winner"] == "White"


def test_far_from_the_end_it_says_what_to_run(recorded):
    decision = recorded(READ_UP_TO + 2)
    assert refute(decision) is None and refutation_json(None) is None
    assert "the refutation is not computed" in " ".join(refutation_text(None, decision).split())


def test_nothing_is_said_where_the_patterns_decide(recorded):
    decision = decide(recorded(4).position, BOOK, complete=True)
    assert refute(decision) is None and refutation_text(None, decision) == ""


def test_a_record_that_is_not_needed_says_so(recorded):
    decision = recorded(4)
    turned = decide(decision.position, BOOK, complete=True)
    turned.overruled = decision.chosen  # an override that agrees: as if the patterns had chosen the winning move
    assert "wins too" in refutation_text(refute(turned), turned)


def test_explain_tells_it(recorded, tmp_path, capsys):
    position = recorded(4).position
    board = tmp_path / "board.txt"
    board.write_text(board_text(5, position.black, position.white))
    assert main(["explain", str(board), "--left", "4", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["refutation"]["line"][0] == told["overruled"] and told["refutation"]["winner"] == "White"
    assert main(["explain", str(board), "--left", "4"]) == 0
    assert f"Override because {told['overruled']} loses: X {told['overruled']} O " in " ".join(
        capsys.readouterr().out.split()
    )
    assert main(["explain", str(board), "--left", "4", "--no-overrides", "--json"]) == 0
    assert "refutation" not in json.loads(capsys.readouterr().out)
