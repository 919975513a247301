"""`littlego new` as people call it: the entry, where it is written, what labels say of it, and one-line mistakes."""

from __future__ import annotations

import re

import numpy as np
import pytest
from small_knowledge import CUTTING, enter_cutting

from littlego.cli.main import main
from littlego.editor.authoring.scaffold import matches
from littlego.editor.authoring.suggest import SHOWN
from littlego.engines import compiled
from littlego.knowledge.compiler import compile_text
from littlego.paths import LABELS
from littlego.rules.positionkey import unpack
from littlego.truth.labels.labels import save
from littlego.truth.labels.positions import at_stake, load_positions

SMALL = ["-f", "patterns.txt"]
KO = """\
. X O . .
X O . O .
. X O . .
. . . . .
. . . . .
"""
BEFORE_KO = KO.replace("X O . O", "X . X O")


@pytest.fixture
def board(tmp_path, monkeypatch):
    return enter_cutting(tmp_path, monkeypatch)


def run(capsys, *words: str) -> tuple[str, str]:
    """Run `new` without looking at labels; return what it prints and what it says."""
    assert main(["new", *words, "--no-fit"]) == 0
    return tuple(capsys.readouterr())


WRONG = [
    (["board.txt", "--move", "1,2"], "--move 1,2: there is a stone already; expected a legal move"),
    (["board.txt", "--move", "9,9"], "--move 9,9: expected row,column, each from 0 to 4"),
    (["board.txt", "--move", "pass"], "--move pass: a pass has no diagram"),
    (["board.txt", "--region", "0,0:0,9"], "--region 0,0:0,9: expected two corners"),
    (["board.txt", "--region", "1,1"], "--region 1,1: expected two corners"),
    (["board.txt", *SMALL, "--region", "3,3:4,4"], "--region 3,3:4,4: the move 1,1 is not in it"),
    (["board.txt", *SMALL, "--region", "1,1:1,1"], "--region 1,1:1,1: that would fire nearly every"),
    (["board.txt", "--id", "Peep!"], "--id Peep!: expected small letters and digits"),
    (["board.txt", *SMALL, "--id", "give-atari"], "--id give-atari: there is a pattern of that name"),
    (["board.txt", *SMALL, "--write"], "patterns.txt is made by `littlego compile`; expected the patterns.yaml that"),
    (["board.txt", "-f", "no.yaml", "--write"], "cannot read no.yaml: No such file or directory"),
    (["board.txt", "--labels", "no.npz"], "there is no no.npz: make it with `littlego dev label`"),
    (["small.txt"], "small.txt: the board's size is 3; expected 5"),
]


@pytest.mark.parametrize(("args", "message"), WRONG, ids=[" ".join(args) for args, _ in WRONG])
def test_a_wrong_argument_is_one_line_and_status_2(args, message, board, capsys, tmp_path):
    (tmp_path / "small.txt").write_text(". . .\n. X .\n. . .\n")
    assert main(["new", *args]) == 2
    shown = capsys.readouterr()
    assert message in shown.err and shown.out == ""
    assert shown.err.count("\n") == 1 and "Traceback" not in shown.err
    assert (tmp_path / "patterns.yaml").read_text() == CUTTING


def test_an_entry_is_printed_and_how_far_it_reaches(board, capsys):
    printed, said = run(capsys, board, *SMALL, "--id", "my-cut", "--class", "cut")
    assert printed.startswith("  - id: my-cut\n    class: cut\n") and "      * O X\n      O ? ?\n" in printed
    assert "\n    points: 10\n" in printed
    assert said == "littlego: my-cut fires here for 1,1 alone; edit it, paste it under `patterns:`\n"
    assert compile_text("ruleset: little-go\npatterns:\n" + printed, "new.yaml")[1] == []


def test_the_box_that_is_given_is_drawn(board, capsys):
    printed, _ = run(capsys, board, "--move", "3,3", "--region", "4,4:2,2", "--colour", "white")
    assert "    diagram: |\n      O O .\n      X * .\n      . . .\n    examples:" in printed
    assert printed.count("          colour: white\n") == 2


def test_a_pattern_is_named_as_no_other_is(board, capsys, tmp_path):
    (tmp_path / "few.yaml").write_text(CUTTING.replace("give-atari", "new-pattern"), encoding="utf-8")
    printed, _ = run(capsys, board, "--patterns", "few.yaml", "--move", "1,1")
    assert printed.startswith("  - id: new-pattern-2\n")


def test_a_ko_has_its_previous_board_and_forbids_to_retake(board, capsys, tmp_path):
    (tmp_path / "ko.txt").write_text(KO)
    (tmp_path / "before.txt").write_text(BEFORE_KO)
    printed, _ = run(capsys, "ko.txt", "--previous", "before.txt", "--move", "3,2")
    drawn = BEFORE_KO.replace("\n", "\n            ").rstrip()
    assert f"          previous: |\n            {drawn}\n" in printed
    assert main(["new", "ko.txt", "--previous", "before.txt", "--move", "1,2", "--no-fit"]) == 2
    assert "--move 1,2: " in capsys.readouterr().err
    assert "previous" not in run(capsys, "ko.txt", "--move", "1,2")[0]


# --- into the file


def test_write_puts_it_behind_the_last_of_its_class(board, capsys, tmp_path):
    entry, _ = run(capsys, board, "--id", "my-cut", "--class", "cut")
    printed, said = run(capsys, board, "--id", "my-cut", "--class", "cut", "--write")
    written = (tmp_path / "patterns.yaml").read_text()
    assert written.replace(f"\n{entry}", "", 1) == CUTTING and written != CUTTING
    base = compile_text(written, "p.yaml")[2]
    assert [pattern.id for pattern in base.patterns][:3] == ["cut-across", "my-cut", "give-atari"]
    assert printed == f"patterns.yaml:{base.patterns[1].line}: my-cut\n"
    assert said == "littlego: my-cut fires here for 1,1 alone; edit it there, then `littlego test my-cut`\n"


def test_a_second_one_of_that_name_is_not_written(board, capsys, tmp_path):
    run(capsys, board, "--id", "my-cut", "--write")
    before = (tmp_path / "patterns.yaml").read_bytes()
    assert main(["new", board, "--id", "my-cut", "--write", "--no-fit"]) == 2
    assert "there is a pattern of that name" in capsys.readouterr().err
    assert (tmp_path / "patterns.yaml").read_bytes() == before


# --- what the labels say


@pytest.fixture(scope="module")
def at_stake_here():
    """Return the labelled positions at stake in two parts: where the drawing of CUT fires, and where it does not."""
    known = load_positions(LABELS)
    stake = known.where(at_stake(known.codes, known.winning))
    fits = [bool(matches(["*OX", "O??"], *unpack_stones(code), 5)) for code in stake.codes[::10].tolist()]
    tenth = stake.where(np.arange(0, stake.codes.size, 10))
    return tenth.where(np.array(fits)), tenth.where(~np.array(fits))


def unpack_stones(code: int) -> tuple[int, int]:
    position = unpack(code)
    return position.own, position.theirs


def test_points_and_facts_come_from_the_labels(board, capsys, tmp_path, at_stake_here):
    save(at_stake_here[0], tmp_path / "labels.npz")
    assert main(["new", board, *SMALL, "--class", "cut", "--id", "my-cut", "--labels", "labels.npz"]) == 0
    shown = capsys.readouterr()
    said = re.search(r"\npoints: (-?\d+) \((-?\d+) to (-?\d+) with 95% .*, fitted to (\d+) of the", shown.err)
    points, low, high, positions = map(int, said.groups())
    assert low <= points <= high and f"\n    points: {max(points, 0)}\n" in shown.out
    assert 10 < positions <= at_stake_here[0].codes.size
    lines = shown.err.splitlines()
    heads = [
        re.fullmatch(r"facts that hold here, and what they keep of (\d+) .* and (\d+) near misses:", one)
        for one in lines
    ]
    [(winning, missing)] = [one.groups() for one in heads if one]
    told = [re.fullmatch(rf"  (\S.*\S) +(\d+) of {winning}, (\d+) of {missing}", line) for line in lines]
    assert 1 <= sum(map(bool, told)) <= SHOWN
    for one in filter(None, told):
        assert int(one[2]) / int(winning) > int(one[3]) / int(missing)


def test_that_the_engine_must_be_compiled_first_is_told(board, capsys, tmp_path, monkeypatch, at_stake_here):
    save(at_stake_here[1].where(slice(20)), tmp_path / "labels.npz")
    for kept in (True, False):
        monkeypatch.setattr(compiled, "is_kept", lambda module, kept=kept: kept)
        assert main(["new", board, *SMALL, "--labels", "labels.npz"]) == 0
        told = "littlego: compiling the engine, once, in half a minute; --no-fit goes without\n"
        assert capsys.readouterr().err.startswith(told) is not kept


def test_where_it_fires_in_no_labelled_position_that_is_told(board, capsys, tmp_path, at_stake_here):
    save(at_stake_here[1].where(slice(20)), tmp_path / "labels.npz")
    assert main(["new", board, *SMALL, "--labels", "labels.npz"]) == 0
    shown = capsys.readouterr()
    assert "\n    points: 10\n" in shown.out
    assert shown.err.endswith(
        "\npoints: no labelled position to fit on: it fires in 0 of 20, and its points decide none; 10 is a guess\n"
    )
