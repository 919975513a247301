"""Tests of the demo's guided walk.

The demo's eight patterns lose the demo's game. With the walk's own pattern, they win the game.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest
from click.testing import CliRunner
from studio_server import ROOT

from littlego.cli.arguments import ArgumentError
from littlego.editor.answers.walking import LOST, MOVE, NUMBER, PLAY, first_ids, walk_game, walk_lost
from littlego.editor.methods import Refusal
from littlego.editor.session import Session, Snapshot
from littlego.studio.cli import studio as command
from littlego.studio.demo import write_demo
from littlego.studio.studio import Studio
from littlego.studio.unsaved import Drafts

IDEA = """
  - id: stand-between
    class: cut
    summary: "Cut two opposing chains at the point between them: apart, both are weaker."
    priority: 500
    points: 60
    diagram: |
      O * O
    when:
      - cuts(*) >= 2
      - own_liberties(*) >= 2
    examples:
      matches:
        - board: |
            . . O . .
            . . . O .
            X X X . .
            . . . O .
            . . . . .
          move: 2,3
      no_match:
        - board: |
            . . O . .
            . . . . .
            X X X . .
            . . . O .
            . . . . .
          move: 2,3
"""


@pytest.fixture
def demo(tmp_path):
    """The demo's patterns file in a separate folder."""
    return write_demo(tmp_path)


def session_of(path, more=""):
    session = Session()
    session.take(Snapshot(1, path.read_text(encoding="utf-8") + more, path.name, str(path)))
    return session


def test_the_game_is_lost_and_the_reasons_are_those_of_explain(demo):
    lost = walk_lost(session_of(demo))
    assert (lost["won"], len(lost["moves"]), len(lost["positions"])) == (False, 24, 25)
    assert lost["end"] == "24 moves: White wins by 6.5."
    line = [sys.executable, "-m", "littlego", *lost["command"].replace(LOST, f"{demo.parent / LOST}").split()[1:]]
    line = [word.replace("patterns.txt", f"{demo.parent / 'patterns.txt'}") for word in line]
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=True)
    assert f"Why not {MOVE}: {lost['played']} rather than {MOVE}" in done.stdout
    assert "It is number {at} of {of} moves: priority 500, points 70".format(**lost["rank"]) in done.stdout
    assert (lost["played"], lost["points"], "3,0" in lost["equals"]) == ("1,0", 70, True)
    assert [one["pattern"] for one in lost["missing"]] == ["never-fill-an-eye", "give-atari"]
    assert all(one["why"] in done.stdout for one in lost["missing"])
    assert f"to play move {NUMBER} (18 left" in done.stdout


def test_the_game_played_again_is_that_of_the_command(demo):
    again = walk_game(session_of(demo))
    assert (again["won"], again["patterns"]) == (False, 8)
    assert again["positions"] == walk_lost(session_of(demo))["positions"]
    line = [sys.executable, "-m", "littlego", *again["command"].split()[1:]]
    done = subprocess.run(line, cwd=demo.parent, capture_output=True, text=True, check=True, env=path_of_tools())
    told = re.findall(r"^ *\d+\. (?:Black|White) \(.*?\): (\S+)", done.stdout, re.MULTILINE)
    assert [move.lower() for move in told] == [move["move"] for move in again["moves"]]
    assert again["command"] == PLAY


def path_of_tools():
    return {**os.environ, "PYTHONPATH": str(ROOT)}


def test_the_idea_of_the_tutorial_wins_it(demo):
    won = walk_game(session_of(demo, IDEA))
    assert (won["won"], won["end"], won["patterns"]) == (True, "24 moves: Black wins by 3.5.", 9)


def test_a_mistake_is_told_and_nothing_is_played(demo):
    with pytest.raises(Refusal, match="1 mistake in the patterns: .*P045.*cutts"):
        walk_game(session_of(demo, IDEA.replace("cuts(", "cutts(")))


def test_the_ids_of_the_demo_are_those_of_its_file(demo):
    assert first_ids() == [pattern.id for pattern in session_of(demo).base().patterns]


def test_a_lost_game_that_is_gone_or_damaged_is_told(demo):
    (demo.parent / LOST).write_text("(;GM[1]SZ[5];B[zz])", encoding="utf-8")
    with pytest.raises(ArgumentError, match=LOST):
        walk_lost(session_of(demo))
    (demo.parent / LOST).unlink()
    with pytest.raises(ArgumentError, match="No such file"):
        walk_lost(session_of(demo))


def test_only_a_demo_has_the_walk(demo, tmp_path):
    drafts = Drafts(tmp_path / "drafts")
    assert Studio(demo, drafts, is_demo=True).state()["demo"] is True
    assert Studio(demo, drafts).state()["demo"] is False


def test_a_demo_takes_no_file():
    done = CliRunner().invoke(command, ["--demo", "patterns.yaml"])
    assert "omit --demo or the file" in str(done.exception) + done.output
