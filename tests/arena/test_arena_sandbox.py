"""Tests of sandboxed tournaments.

Games record the kind of the sandbox. Workers without a sandbox are refused.
"""

import json
from contextlib import closing

import pytest

from littlego.arena.plan import ROUND_ROBIN, Plan
from littlego.arena.play import play_pair_far
from littlego.arena.players import entrants
from littlego.arena.store import Store
from littlego.cli.arguments import ArgumentError
from littlego.cli.main import main
from littlego.sandbox import sandbox

PASSES = "open('output.txt', 'w').write('PASS')\n"


@pytest.fixture
def theirs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "my_player3.py").write_text(PASSES)
    return "folder:theirs"


def test_what_held_them_is_kept_and_shown(theirs, capsys):
    command = ["arena", "gauntlet", theirs, "random", "--pairs", "1", "--keep", "t.sqlite", "--jobs", "1"]
    assert main([*command, "--sandbox", "none"]) == 0
    said = capsys.readouterr()
    assert said.err.startswith("littlego: no sandbox: --sandbox none; third-party programs run with your permissions\n")
    assert main(["arena", "table", "t.sqlite", "--json"]) == 0
    [held] = json.loads(capsys.readouterr().out)["held"]
    assert held["player"] == theirs and held["games"] == 2 and held["by"].startswith("no sandbox, ")
    assert main(["arena", "report", "t.sqlite", "--output", "page", "--exact", "0"]) == 0
    with open("page/index.html") as file:
        assert f"sandbox of {theirs}" in file.read()


def test_games_kept_before_programs_were_held_are_still_read(theirs, tmp_path):
    assert main(["arena", "gauntlet", "random", "greedy", "--pairs", "1", "--keep", "t.sqlite", "--jobs", "1"]) == 0
    with closing(Store("t.sqlite")) as store:
        assert store.held() == [] and store.record(0).held == ("", "")


def test_a_worker_without_the_sandbox_that_was_asked_for_refuses(theirs, monkeypatch):
    pair = Plan(ROUND_ROBIN, entrants([theirs, "random"]), 1).pair(0)
    monkeypatch.setenv(sandbox.VARIABLE, "auto")  # put back afterwards
    monkeypatch.setattr(sandbox, "why_not", lambda: sandbox.MISSING)
    with pytest.raises(ArgumentError, match="^on .*: --sandbox bwrap: bubblewrap is not installed"):
        play_pair_far(pair, "bwrap")
    assert play_pair_far(pair, "auto").games[0].record.held[0].startswith("no sandbox, ")
