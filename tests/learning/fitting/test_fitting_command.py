"""Tests of `littlego dev fit`: output, accepted changes, and errors."""

from __future__ import annotations

import json
import re
from functools import partial
from types import SimpleNamespace

import pytest
from fitted_games import SIZE, YAML, drawn_game

from littlego.cache import Cache
from littlego.cli.main import main
from littlego.knowledge.compiler import compile_text
from littlego.learning.fitting import fitting, report
from littlego.records.packed_games import add_games

TRUE = {"anywhere": 0.0, "touch": 24.0, "link": 9.0, "room": 1.5, "not-so-low": -18.0, "never": 9.0}


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """Return a folder with a file of games, in which the tests also store the cache of fitted results."""
    folder = tmp_path_factory.mktemp("kept")
    add_games(folder / "games.xz", [drawn_game(seed, TRUE) for seed in range(12)])
    return folder


@pytest.fixture
def place(tmp_path, monkeypatch, kept):
    """Enter a folder with a small patterns.match.yaml, and return the folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(fitting, "Cache", partial(Cache, folder=kept / "cache"))
    (tmp_path / "patterns.match.yaml").write_text(YAML)
    return tmp_path


def run(kept, *words):
    return main(
        ["dev", "fit", "--games-from", str(kept / "games.xz"), "--prior", "30", "--around", "zero", "-j", "1", *words]
    )


def points(place):
    """Return {pattern id: points as text} of the folder's patterns.match.yaml."""
    text = (place / "patterns.match.yaml").read_text()
    _, problems, base = compile_text(text, "patterns.match.yaml")
    assert not problems
    return {pattern.id: pattern.points_text for pattern in base.patterns}


def test_the_report_says_what_changes_and_writes_nothing(place, kept, capsys):
    assert run(kept) == 1
    out = capsys.readouterr().out
    assert "patterns.match.yaml: 6 weights fitted to 240 moves of 12 games" in out
    assert "of class" in out and "1 unchanged, with no effect on choices that points decide: never" in out
    assert re.search(r"touch +12 +2\d +\d\.\d +171 +90\n", out)
    assert (place / "patterns.match.yaml").read_text() == YAML


def test_lists_of_patterns_are_as_short_as_that_of_changes():
    fit = SimpleNamespace(weightless=["one", "two", "three"], idle=["four"])
    assert [str(line) for line in report.listed(fit, 2) if str(line)] == [
        "3 with points too small to matter (remove or rework these patterns): one, two and 1 more: --most 0 shows all",
        "1 unchanged, with no effect on choices that points decide: four",
    ]
    assert str(list(report.listed(fit, 0))[1]).endswith(": one, two, three")


def test_accepting_writes_all_points_and_nothing_else(place, kept, capsys):
    assert run(kept, "--accept", "--json", "fit.json") == 0
    changes = {one["entry"]: one for one in json.loads((place / "fit.json").read_text())["changes"]}
    found = points(place)
    assert {name: found[name] for name in changes} == {name: one["new"] for name, one in changes.items()}
    text = (place / "patterns.match.yaml").read_text()
    assert "# kept\n" in text and f"points: {changes['touch']['new']}  # by hand\n" in text
    differing = [(old, new) for old, new in zip(_without_added(YAML), _without_added(text), strict=True) if old != new]
    assert all(old.lstrip().startswith("points:") and new.lstrip().startswith("points:") for old, new in differing)
    assert run(kept, "--json", "again.json") == 0  # no change remains, since the file now has the fitted points
    assert "changes to points" in capsys.readouterr().out


def _without_added(text):
    """Return the file's lines without the points of `anywhere`, which at first has no points."""
    before, _, after = text.partition("priority: 500\n")
    return [line for line in before.splitlines() if "points" not in line] + after.splitlines()


def test_some_are_accepted_by_their_ids(place, kept):
    assert run(kept, "--accept", "--id", "touch") == 0
    found = points(place)
    assert found["touch"] != "12" and found["link"] == "-6" and found["room"] == "4 * own_liberties(*)"


def test_each_is_asked_about(place, kept, monkeypatch, capsys):
    answers = iter(["n", "what?", "y", "q"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(answers))
    assert run(kept, "--accept", "-i", "--id", "link", "--id", "touch", "--id", "anywhere") == 1
    found = points(place)
    assert found["link"] != "-6" and found["touch"] == "12"
    assert found["anywhere"] == "0"
    out = capsys.readouterr().out
    assert "wrote 1 of 3 changes to points" in out and f"-6  becomes  {found['link']}\n" in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--interactive"], "needs --accept"),
        (["--id", "tuch"], "did you mean `touch`"),
        (["--size", "19"], f"no game has a requested board size; these files have {SIZE}x{SIZE}"),
        (["nowhere.yaml"], "cannot read nowhere.yaml"),
    ],
)
def test_what_cannot_be_done_is_said(place, kept, capsys, words, said):
    assert run(kept, *words) == 2
    assert said in capsys.readouterr().err
    assert (place / "patterns.match.yaml").read_text() == YAML


def test_patterns_of_another_game_are_refused(place, kept, capsys):
    (place / "small.yaml").write_text(
        YAML.replace("ruleset: match", "ruleset: little-go").partition("  - id")[0] + "[]"
    )
    assert run(kept, "small.yaml") == 2
    (place / "p.txt").write_text("littlego-patterns 1 match 0 0 0 19\nend\n")
    assert run(kept, "p.txt") == 2
    assert (place / "patterns.match.yaml").read_text() == YAML
