"""Tests that the solver agrees with an independent solver's values, and of the file with these values."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from littlego.cli import main as command_line
from littlego.cli.arguments import ArgumentError
from littlego.truth.solver.vectors import check, read_vectors

FILE = Path(__file__).parents[2] / "data" / "solver_vectors.txt"
SHALLOW = 12  # maximum number of moves left for a quick test


def disagreeing(vectors):
    return [outcome.vector.line for outcome in check(vectors) if not outcome.agrees]


def test_near_the_end():
    vectors = [vector for vector in read_vectors(str(FILE)) if vector.left <= SHALLOW]
    assert len(vectors) == 315
    assert disagreeing(vectors) == []


@pytest.mark.slow
def test_far_from_the_end():
    vectors = [vector for vector in read_vectors(str(FILE)) if vector.left > SHALLOW]
    assert len(vectors) == 136
    assert disagreeing(vectors) == []


def test_the_command_finds_what_disagrees(tmp_path, capsys):
    lines = FILE.read_text().splitlines()
    lines[6] = lines[6].replace("4,14,18,20,24,25", "4,14,18,20,24")
    given = tmp_path / "given.txt"
    given.write_text("\n".join(lines))
    assert command_line.main(["solve", "--vectors", str(given), "--up-to", "2"]) == 1
    shown = capsys.readouterr().out
    assert "line 7: different value" in shown
    assert shown.splitlines()[1].split()[:3] == ["1", "10", "9"]
    assert command_line.main(["solve", "--vectors", str(FILE), "--up-to", "2", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["disagreeing_lines"] == []
    assert [(row["left"], row["positions"], row["agree"]) for row in figures["by_left"]] == [(1, 10, 10), (2, 15, 15)]


@pytest.mark.parametrize(
    "line",
    [
        "2 000",
        "x " + "0" * 25 + " " + "0" * 25 + " 1 -",
        "2 " + "0" * 24 + " " + "0" * 25 + " 1 -",
        "2 " + "3" * 25 + " " + "0" * 25 + " 1 -",
        "99 " + "0" * 25 + " " + "0" * 25 + " 1 -",
        "2 " + "0" * 25 + " " + "0" * 25 + " 3 -",
        "2 " + "0" * 25 + " " + "0" * 25 + " 1 26",
    ],
)
def test_a_line_that_cannot_be_read_is_named(tmp_path, line):
    given = tmp_path / "given.txt"
    given.write_text(f"# a comment\n{line}\n")
    with pytest.raises(ArgumentError, match="given.txt:2: expected LEFT BOARD PREVIOUS WINNER MOVES"):
        read_vectors(str(given))
