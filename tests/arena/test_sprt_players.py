"""Tests of the arena's verdicts on a player against itself, and against itself with random moves."""

from __future__ import annotations

import json

import pytest

from littlego.cli.main import main

PLAYED_BY_OURS = [
    ("ours", "ours", "H0"),  # no difference
    ("ours", "erring:0.1:ours", "H1"),
    ("erring:0.1:ours", "ours", "H0"),
]


def verdict(tmp_path, capsys, new: str, old: str, elo1: int = 10) -> dict:
    file = str(tmp_path / "test.sqlite")
    status = main(["arena", "sprt", new, old, "--elo1", str(elo1), "--pairs", "1000", "--keep", file, "--json"])
    said = json.loads(capsys.readouterr().out)["test"]
    assert status == (0 if said["accepted"] == "H1" else 1)
    return said


@pytest.mark.slow
@pytest.mark.parametrize("new, old, accepted", PLAYED_BY_OURS)
def test_ours_against_itself_and_with_one_random_move_in_ten(tmp_path, capsys, new, old, accepted):
    assert verdict(tmp_path, capsys, new, old)["accepted"] == accepted


def test_a_role_with_half_its_moves_random_is_found_weaker(tmp_path, capsys):
    assert verdict(tmp_path, capsys, "erring:0.5:alphabeta", "alphabeta", 100)["accepted"] == "H0"
