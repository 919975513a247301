"""What an edit of patterns for the match changes in kept games, and the decisions there that are on record."""

from __future__ import annotations

import json
from collections import defaultdict

import pytest
from fitted_games import YAML, drawn_game

from tools.__main__ import main
from tools.arguments import ArgumentError
from tools.effects import large_diff
from tools.effects.changes import ALONE
from tools.effects.large_diff import decided, diff_large, places_named, read_moves, record_moves, write_moves
from tools.knowledge.compiler import compile_text
from tools.knowledge.files import knowledge_of
from tools.large.engine import decide_large
from tools.match.packed_games import add_games

EDITED = YAML.replace("points: 12  # by hand", "points: 0", 1)


@pytest.fixture
def games(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "games.xz"
    add_games(path, [drawn_game(seed, defaultdict(float, touch=12.0)) for seed in range(4)])
    for name, text in (("old.yaml", YAML), ("new.yaml", EDITED)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(large_diff, "RECORDED_POSITIONS", 25)
    monkeypatch.setattr(large_diff, "MAKERS", ("old.yaml",))
    return path


def knowledge(text: str):
    return knowledge_of(compile_text(text, "x.yaml", with_examples=False)[2], "x.yaml")


def test_an_edit_and_the_decisions_that_it_changes(games, tmp_path):
    diff = diff_large("old.yaml", "new.yaml", tmp_path / "none.txt", 1, games)
    assert [edit.id for edit in diff.edits] == ["touch"] and len(diff.positions) == len(diff.names) == 25
    assert diff.changes and {change.why for change in diff.changes} == {ALONE}
    for change in diff.changes:
        position = diff.positions[change.number]
        assert change.responsible == ("touch",)
        assert change.before == decide_large(position, knowledge(YAML).book).move
        assert change.after == decide_large(position, knowledge(EDITED).book).move


def test_the_record_is_what_was_played(games, tmp_path):
    path = tmp_path / "record.txt"
    write_moves(record_moves(knowledge(YAML), 10, 1, games), path)
    assert len(read_moves(path)) == 10
    same = diff_large("snapshot", "old.yaml", path, 1, games)
    assert same.changes == [] and same.old is not None  # the makers are found
    changed = diff_large("snapshot", "new.yaml", path, 1, games)
    places = places_named(changed.names, games)
    assert {changed.names[one.number] for one in changed.changes} == {
        name
        for name, move in decided(knowledge(EDITED), places, 1).items()
        if move != decided(knowledge(YAML), places, 1)[name]
    }


def test_what_is_no_record(games, tmp_path):
    path = tmp_path / "record.txt"
    for text, said in (
        ("nonsense\n", "not a decision on record"),
        ("0123456789ab:3 4,4\n", "no position of the games"),
    ):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(ArgumentError, match=said):
            diff_large("snapshot", "old.yaml", path, 1, games)
    [name, *_] = record_moves(knowledge(YAML), 3, 1, games)
    path.write_text(f"{name} 9,9\n", encoding="utf-8")
    with pytest.raises(ArgumentError, match="is not on the 7x7 board"):
        diff_large("snapshot", "old.yaml", path, 1, games)


def test_the_command_accepts(games, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(large_diff.places_named, "__defaults__", (games,))
    monkeypatch.setattr(large_diff.record_moves, "__defaults__", (games,))
    monkeypatch.setattr(large_diff.diff_large, "__defaults__", (games,))
    asked = ["diff", "snapshot", "new.yaml", "--decisions", "record.txt", "-j", "1"]
    write_moves(record_moves(knowledge(YAML), 25, 1, games), tmp_path / "record.txt")
    assert main([*asked, "--json", "-"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["changes"] and all(
        change["position"] in read_moves(tmp_path / "record.txt") for change in told["changes"]
    )
    assert main([*asked, "--most", "1", "--accept"]) == 0
    shown = capsys.readouterr().out
    assert "changes accepted" in shown and "truth" not in shown
    assert main(asked) == 0
    assert "0 of 25 decisions change" in capsys.readouterr().out
