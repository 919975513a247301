"""Tests of edits to the match patterns: changes in stored games and in recorded decisions."""

from __future__ import annotations

import json
from collections import defaultdict

import pytest
from corpora import use
from fitted_games import YAML, drawn_game

from littlego.cli.arguments import ArgumentError
from littlego.cli.main import main
from littlego.engines.large.search import decide_large
from littlego.judging.changes import ALONE
from littlego.judging.corpora import RECORDED, corpora_of
from littlego.judging.deciding import decided
from littlego.judging.diff import diff_of
from littlego.judging.recorded import read_record, write_record
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.files import knowledge_of, read_knowledge
from littlego.records.packed_games import add_games

EDITED = YAML.replace("points: 12  # by hand", "points: 0", 1)


@pytest.fixture
def games(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "games.xz"
    add_games(path, [drawn_game(seed, defaultdict(float, touch=12.0)) for seed in range(4)])
    for name, text in (("old.yaml", YAML), ("new.yaml", EDITED)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    use(monkeypatch, "match", games=path, record=tmp_path / "record.txt", makers=("old.yaml",), positions=25)
    write_record(recorded(25), tmp_path / "record.txt")
    return path


def recorded(number: int):
    """Return the record that the old patterns produce in stored games."""
    return decided(knowledge(YAML), corpora_of("match").sample(number), 1)


def diff_large(old, new, snapshot):
    return diff_of(old, read_knowledge(new), RECORDED, snapshot, 1)


def knowledge(text: str):
    return knowledge_of(compile_text(text, "x.yaml", with_examples=False)[2], "x.yaml")


def test_an_edit_and_the_decisions_that_it_changes(games, tmp_path):
    diff = diff_large("old.yaml", "new.yaml", corpora_of("match").record)
    assert [edit.id for edit in diff.edits] == ["touch"] and diff.verdicts is None
    assert len(diff.positions) == len(diff.corpus.names) == 25
    assert diff.changes and {change.why for change in diff.changes} == {ALONE}
    for change in diff.changes:
        position = diff.positions[change.number]
        assert change.responsible == ("touch",)
        assert change.before == decide_large(position, knowledge(YAML).book).move
        assert change.after == decide_large(position, knowledge(EDITED).book).move


def test_the_record_is_what_was_played(games, tmp_path):
    path = tmp_path / "record.txt"
    write_record(recorded(10), path)
    assert len(read_record(path, games).names) == 10
    same = diff_large("recorded", "old.yaml", path)
    assert same.changes == [] and same.old is not None  # the command finds the patterns that made the record
    changed = diff_large("recorded", "new.yaml", path)
    moves = zip(changed.corpus.moves, decided(knowledge(EDITED), changed.corpus, 1).moves, strict=True)
    assert [one.number for one in changed.changes] == [number for number, (old, new) in enumerate(moves) if old != new]


def test_what_is_no_record(games, tmp_path):
    path = tmp_path / "record.txt"
    for text, said in (
        ("nonsense\n", "not a recorded decision"),
        ("0123456789ab:3 4,4\n", "is not a position of the games"),
    ):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(ArgumentError, match=said):
            diff_large("recorded", "old.yaml", path)
    path.write_text(f"{recorded(3).names[0]} 9,9\n", encoding="utf-8")
    with pytest.raises(ArgumentError, match="is not on the board"):
        diff_large("recorded", "old.yaml", path)


def test_the_command_accepts(games, tmp_path, monkeypatch, capsys):
    asked = ["diff", "recorded", "new.yaml", "--decisions", "record.txt", "-j", "1"]
    assert main([*asked, "--json", "-"]) == 1
    told = json.loads(capsys.readouterr().out)
    names = read_record(tmp_path / "record.txt", games).names
    assert told["changes"] and all(change["position"] in names for change in told["changes"])
    assert main([*asked, "--most", "1", "--accept"]) == 0
    shown = capsys.readouterr().out
    assert "changes accepted" in shown and "truth" not in shown
    assert main(asked) == 0
    assert "0 of 25 decisions change" in capsys.readouterr().out
