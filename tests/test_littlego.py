"""Tests of the public API of `import littlego`: its examples run, and its results equal the engine's."""

from __future__ import annotations

import doctest
import subprocess
import sys

import pytest
from knowledge_files import book

import littlego
from littlego import api
from littlego.engines.draw.decisions import short_text
from littlego.engines.reasons.contrast import contrast
from littlego.paths import HOME
from littlego.records.recorded_games import recorded_positions
from littlego.rules.engine import decide
from littlego.rules.position import PASS

BOARD = """
   0 1 2 3 4
 0 . . . . .
 1 . . O X .
 2 . O X X .
 3 . . O . .
 4 . . . . .
"""


def test_the_examples_of_the_docstrings():
    attempted = 0
    for module in (littlego, api):
        results = doctest.testmod(module)
        attempted += results.attempted
        assert not results.failed
    assert attempted >= 10


def test_decisions_are_the_engine_s():
    for position in recorded_positions()[::400]:
        ours = littlego.decide(littlego.Board(position))
        engine = decide(position, book(), True)
        assert ours.move == (None if engine.move == PASS else divmod(engine.move, 5)) or ours.engine.overruled
        assert len(ours.moves) == len(ours.board.legal_moves) + 1
        assert ours.moves[0].move == ours.move


def test_a_board_is_drawn_as_it_is_read():
    board = littlego.Board.from_text(BOARD)
    assert str(board) == BOARD.strip("\n")
    assert repr(board) == "<Board ...../..OX./.OXX./..O../....., black to move, 18 left>"
    assert board._repr_svg_().startswith("<svg") and board == littlego.Board.from_text(str(board))


def test_a_decision_draws_itself_and_says_why():
    decision = littlego.decide(littlego.Board.from_text(BOARD))
    assert decision.reason.startswith("1,1 rather than 3,3: any-atari-gains-time +27, ")
    assert repr(decision) == f"<Decision {decision.reason}>"
    assert str(decision) == short_text(contrast(decision.engine)) and decision._repr_svg_().startswith("<svg")
    best = decision.moves[0]
    assert best.reasons[0].pattern == "cut-across" and not best.vetoed and best.verdict == "safe"
    assert best.points == sum(reason.points for reason in best.reasons)


def test_equal_boards_are_the_same_board():
    board = littlego.Board.from_text(BOARD)
    assert {board, littlego.Board.from_text(BOARD)} == {board}
    assert board != littlego.Board.from_text(BOARD, left=16) and board != littlego.Board.from_text(BOARD, "white")


def test_white_a_number_of_moves_left_and_a_file(tmp_path):
    board = littlego.Board.from_text(BOARD, to_move="white", left=3)
    assert (board.to_move, board.left) == ("white", 3)
    (tmp_path / "board.txt").write_text(BOARD)
    assert littlego.Board.from_file(tmp_path / "board.txt") == littlego.Board.from_text(BOARD)


def test_moves_are_played_and_passed():
    board = littlego.Board.empty().play((1, 1)).play(None)
    assert (board.to_move, board.left, len(board.legal_moves)) == ("black", 22, 24)


def test_two_passes_end_the_game():
    board = littlego.Board.empty().play((2, 2)).play(None)
    assert not board.over and board.play(None).over
    for go_on in (lambda: board.play(None).play((1, 1)), lambda: littlego.decide(board.play(None))):
        with pytest.raises(ValueError, match="the game is over"):
            go_on()


@pytest.mark.parametrize("call", [lambda: littlego.Board.from_text(None), lambda: littlego.decide(None)])
def test_values_of_the_wrong_type_are_said(call):
    with pytest.raises(TypeError, match="expected a .*, found NoneType"):
        call()


def test_other_patterns_decide_otherwise(tmp_path):
    few = HOME / "docs" / "tutorial" / "first.yaml"
    decision = littlego.decide(littlego.Board.from_text(BOARD), few)
    assert {reason.pattern for move in decision.moves for reason in move.reasons} <= {
        line.split()[-1] for line in few.read_text().splitlines() if line.startswith("  - id: ")
    }


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: littlego.Board.from_text("X O"), "the board: 1 row of 2 points, expected 2 rows"),
        (lambda: littlego.Board.from_text(BOARD, to_move="red"), "expected 'black' or 'white'"),
        (lambda: littlego.Board.from_text(BOARD, left=17), "expected an even number"),
        (lambda: littlego.Board.from_text(BOARD).play((1, 2)), "is not a legal move for black"),
        (lambda: littlego.Board.from_file("nowhere.txt"), "cannot read nowhere.txt"),
        (lambda: littlego.decide(littlego.Board.empty(), "nowhere.yaml"), "cannot read nowhere.yaml"),
    ],
)
def test_what_cannot_be_done_is_said(call, said):
    with pytest.raises(ValueError, match=said):
        call()


def test_importing_it_is_quick():
    code = "import sys, littlego; print(*(name for name in sys.modules if name.split('.')[0] in ('rules', 'littlego')))"
    done = subprocess.run([sys.executable, "-c", code], cwd=HOME, capture_output=True, text=True)
    assert done.stdout == "littlego\n"
