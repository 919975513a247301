"""Tests of `littlego solve`: its output, its files, and its refusals."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import brute_force
import pytest

from littlego.cli import main as command_line
from littlego.match.protocol import Turn, input_text
from littlego.rules.position import PASS
from littlego.rules.positionkey import pack
from littlego.truth.solver import cli
from littlego.truth.solver.solver import GOAL, Solver

BOARD = """\
O O O O O
. . X O X
O X . X X
X X X . O
. X X X O
"""
DEEP_BOARD = """\
. . O X .
. . O X .
. O X X .
. . O . .
. . . . .
"""


@pytest.fixture
def solve(tmp_path, monkeypatch, capsys):
    """Return a function that runs the command in a separate folder: (exit status, output, standard error)."""
    monkeypatch.chdir(tmp_path)
    Path("board.txt").write_text(BOARD)
    Path("deep.txt").write_text(DEEP_BOARD)

    def run(*args):
        try:
            status = command_line.main(["solve", *args])
        except SystemExit as end:
            status = end.code
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


def test_the_board_with_its_winning_moves(solve):
    status, shown, _ = solve("board.txt", "--left", "2", "--lead")
    assert status == 0
    assert (
        shown.rpartition("\n\n")[0]
        == """\
Black (X) to play move 23 (2 left, including this move): Black wins.
   0 1 2 3 4
 0 O O O O O
 1 * * X O X
 2 O X . X X
 3 X X X * O
 4 . X X X O
3 of 6 moves win: 1,0 1,1 3,3
Best play ends with a lead of +4 for Black (Black has 4 more stones): Black wins by 1.5.
Best line: X 1,0  O PASS"""
    )


@pytest.mark.parametrize("seed", range(6))
def test_the_line_is_best_play(solve, seed):
    position = next(one for one in brute_force.playout(seed, 0) if one.left == 5 - seed % 2)
    status, shown, _ = solve(str(pack(position)), "--lead", "--json")
    assert status == 0
    found = json.loads(shown)["positions"][0]
    known: dict = {}
    lead = brute_force.lead(position, known)
    assert found["lead"] == lead
    assert found["winner"] == ("Black" if lead >= GOAL else "White")
    for word in found["line"]:
        move = PASS if word == "PASS" else 5 * int(word[0]) + int(word[2])
        if position.ends_with(move):
            assert word is found["line"][-1]
            assert brute_force.lead_after(position, move, known) >= GOAL if lead >= GOAL else True
            break
        position = position.play(move)
        assert (brute_force.lead(position, known) >= GOAL) == (lead >= GOAL)


def test_all_forms_of_a_position_are_one(solve):
    position = next(one for one in brute_force.playout(3, 0) if one.left == 4)
    Path("input.txt").write_text(input_text(Turn(position, (position.black, position.white))))
    given = [str(pack(position.play(PASS)) & ~(31 << 56) | 4 << 56)]
    codes = [
        json.loads(solve(*args, "--json")[1])["positions"][0]["code"] for args in (["input.txt", "--left", "4"], given)
    ]
    assert codes[0] == codes[1]


def test_several_positions_at_once(solve):
    values = json.loads(solve("board.txt", "deep.txt", "--left", "2", "--json")[1])
    assert [one["left"] for one in values["positions"]] == [2, 2]


def test_deep_positions_are_proved_with_checkpoints(solve, monkeypatch):
    monkeypatch.setattr(cli, "DEEP", 14)
    args = ("deep.txt", "--left", "14", "--checkpoint", "proof.npz", "--jobs", "1")
    status, shown, said = solve(*args)
    assert status == 0 and "(14 left, including this move): White wins." in shown and "moves win" not in shown
    assert "proof.npz: " in said and "results saved" in said
    first = int(shown.splitlines()[-1].split()[0].replace(",", ""))
    status, shown, said = solve(*args)
    assert status == 0 and "(14 left, including this move): White wins." in shown and "results loaded" in said
    assert int(shown.splitlines()[-1].split()[0].replace(",", "")) < first / 10
    assert "None of 18 moves wins." in solve(*args, "--moves")[1]


def test_ctrl_c_keeps_what_was_proved(solve, monkeypatch):
    monkeypatch.setattr("littlego.truth.solver.solver.SLICE", 2000)
    slices = []

    def interrupted(progress, horizon):
        slices.append(progress.text(horizon))
        if len(slices) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr("littlego.truth.solver.cli.Progress.__call__", interrupted)
    status, _, said = solve("--opening", "2,2", "--checkpoint", "proof.npz", "--memory", "0.01", "--jobs", "1")
    assert status == 130
    assert slices[0].startswith("solving: 19 moves left, ")
    assert "results saved" in said
    assert Solver(20).resume(Path("proof.npz")) >= 0


def test_progress_is_told_and_kept_now_and_then(solve, monkeypatch):
    monkeypatch.setattr("littlego.truth.solver.solver.SLICE", 2000)
    monkeypatch.setattr("littlego.truth.solver.cli.QUIET", -1)
    monkeypatch.setattr("littlego.truth.solver.cli.LINE_EVERY", -1)
    monkeypatch.setattr("littlego.truth.solver.cli.SAVE_EVERY", -1)
    saved = []
    monkeypatch.setattr(Solver, "save", lambda solver, path: saved.append(path) or 0)
    status, _, said = solve("deep.txt", "--left", "14", "--checkpoint", "proof.npz")
    assert status == 0 and len(saved) > 2
    assert "moves left, " in said and "M nodes per second, 0:00:" in said


@pytest.mark.parametrize(
    "args, wrong",
    [
        ([], "no position: name a board"),
        (["nowhere.txt"], "cannot read nowhere.txt: No such file"),
        (["123456789"], "123456789: no position has this key"),
        (["9223372036854775807"], "9223372036854775807: no position has this key"),
        (["144115188075855872", "--left", "2"], "a key includes the side to move"),
        (["board.txt", "--left", "3"], "--left 3: expected an even number"),
        (["small.txt"], "small.txt: the board's size is 3; expected 5"),
        (["board.txt", "--opening", "2,2"], "--opening determines the position"),
        (["--opening", "2,2 2,2"], "--opening 2,2 2,2: move 2, 2,2: there is a stone already"),
        (["--opening", "pass"], "--opening pass: move 1, PASS: it ends the game"),
        (["--opening", "5,5"], "--opening 5,5: expected row,column"),
        (["--vectors", "nowhere.txt"], "cannot read nowhere.txt"),
        (["--vectors", "board.txt"], "board.txt:1: expected LEFT BOARD PREVIOUS WINNER MOVES"),
        (["--vectors", "empty.txt"], "no position with 24 moves left or fewer"),
        (["board.txt", "--vectors", "empty.txt"], "omit POSITION and --opening"),
        (
            ["board.txt", "--left", "2", "--checkpoint", "board.txt"],
            "board.txt: not a checkpoint, or a damaged checkpoint",
        ),
        (["board.txt", "--left", "2", "--checkpoint", "no/where.npz"], "cannot write no/where.npz"),
        (["board.txt", "--memory", "0.0004"], "expected GiB from 0.0005 to 512; found 0.0004"),
        (["board.txt", "--memory", "much"], "'much' is not a valid float"),
        (["board.txt", "--jobs", "0"], "0 is not in the range x>=1"),
    ],
)
def test_what_cannot_be_solved_says_why_in_one_line(solve, args, wrong):
    Path("small.txt").write_text("...\n...\n...\n")
    Path("empty.txt").write_text("# nothing\n")
    status, _, said = solve(*args)
    assert status == 2
    assert wrong in said.splitlines()[-1]
    assert Path("board.txt").read_text() == BOARD


def test_without_numba_it_is_said_how_to_install():
    program = (
        "import sys; sys.modules['numba'] = None; from littlego.cli.main import main; "
        "sys.exit(main(['solve', '--opening', '2,2']))"
    )
    root = Path(__file__).resolve().parents[3]
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, cwd=root)
    assert done.returncode == 2
    assert done.stderr == f"littlego: needs the Python module numba; to install it: {command_line.INSTALL}\n"


def test_help_imports_neither_numba_nor_numpy():
    program = (
        "import sys; from littlego.cli.main import main; main(['solve', '--help']); "
        "sys.exit(any(name in sys.modules for name in ('numba', 'numpy')))"
    )
    root = Path(__file__).resolve().parents[3]
    assert subprocess.run([sys.executable, "-c", program], timeout=60, cwd=root, stdout=-3).returncode == 0
