"""Tests that the studio's jobs for match patterns give the same results as the commands."""

from __future__ import annotations

import json
from collections import defaultdict

import pytest
from corpora import use
from fitted_games import YAML, drawn_game
from studio_jobs import command_json, outcome, session_of

from littlego.cli.main import main
from littlego.editor.answers import comparing, quality, sliding, surveying
from littlego.editor.answers.comparing import accept, diff
from littlego.editor.answers.editing import splice
from littlego.editor.answers.sliding import flips, slide
from littlego.editor.answers.surveying import boards, coverage
from littlego.editor.methods import Refusal
from littlego.judging import corpus
from littlego.judging.corpora import corpora_of
from littlego.judging.deciding import decided
from littlego.judging.diff import affected, find_moved, open_diff
from littlego.judging.recorded import write_record
from littlego.knowledge.edits import find_edits
from littlego.knowledge.files import read_knowledge
from littlego.records.packed_games import add_games

EDITED = YAML.replace("points: 12  # by hand", "points: 0", 1)
POSITIONS = 25


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder with match patterns, a few 7x7 games, and the recorded decisions in these games."""
    monkeypatch.chdir(tmp_path)
    games, record = tmp_path / "games.xz", tmp_path / "record.txt"
    add_games(games, [drawn_game(seed, defaultdict(float, touch=12.0)) for seed in range(4)])
    for name, text in (("old.yaml", YAML), ("patterns.match.yaml", YAML)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    for module in (comparing, sliding, surveying):
        monkeypatch.setattr(module, "jobs", lambda: 1)  # one process: a second does not pay off for a few positions
    use(monkeypatch, "match", games=games, record=record, makers=("old.yaml",), positions=POSITIONS)
    write_record(decided(read_knowledge("old.yaml"), corpora_of("match").sample(POSITIONS), 1), record)
    return tmp_path


@pytest.fixture
def session(folder):
    """Return a session of the match patterns with an unsaved edit."""
    return session_of(folder / "patterns.match.yaml", EDITED)


def told(results):
    """Return a job's changes and its reasons, each as a dict by position number."""
    changes = {one["number"]: one for result in results for one in result.get("changes", [])}
    reasons = {one.pop("number"): one for result in results for one in result.get("reasons", [])}
    return changes, reasons


def test_the_job_says_what_the_command_says_of_the_saved_file(session, folder):
    results, done = outcome(diff(session))
    (folder / "new.yaml").write_text(EDITED, encoding="utf-8")
    expected = command_json(folder, "diff", "patterns.match.yaml", "new.yaml", "-j", "1")
    changes, reasons = told(results)
    assert expected["changes"] and [reasons[number] for number in sorted(reasons)] == expected["changes"]
    assert changes.keys() == reasons.keys() and done["count"] == len(changes)
    assert json.loads(json.dumps(done["edits"])) == expected["edits"] and done["positions"] == POSITIONS
    assert done["stale"] == expected["stale"] == []
    for number, one in changes.items():
        assert (one["before"], one["after"]) == (reasons[number]["before"], reasons[number]["after"])


def test_only_positions_are_decided_in_which_an_edited_pattern_fires(session, folder):
    known, kept = read_knowledge("old.yaml"), corpora_of("match").sample(POSITIONS)
    (folder / "new.yaml").write_text(YAML.replace("class: shape", "class: eye", 1), encoding="utf-8")
    assert list(find_moved(open_diff(known, read_knowledge("new.yaml"), kept), 1)) == []
    edits = find_edits(known, session.knowledge())
    numbers = affected(known, session.knowledge(), edits, kept)
    assert [edit.id for edit in edits if edit.decisive] == ["touch"] and 0 < len(numbers) < POSITIONS


def test_against_the_record_and_accepted_as_the_command_does(session, folder):
    path, record = folder / "patterns.match.yaml", folder / "record.txt"
    with pytest.raises(Refusal, match="save the page"):
        outcome(accept(session))
    path.write_text(EDITED, encoding="utf-8")
    before = record.read_text(encoding="utf-8")
    results, done = outcome(diff(session, against="record"))
    expected = command_json(folder, "diff", "recorded", path, "--decisions", record, "-j", "1")
    changes, reasons = told(results)
    assert [reasons[number] for number in sorted(reasons)] == expected["changes"] and done["old"] == expected["old"]
    one = next(iter(changes.values()))
    _, done = outcome(accept(session, positions=[one["position"]]))
    after = record.read_text(encoding="utf-8")
    assert (done["accepted"], done["changes"]) == (1, len(changes))
    assert sum(line != other for line, other in zip(before.splitlines(), after.splitlines(), strict=True)) == 1
    _, done = outcome(accept(session))
    assert done["command"] == f"littlego diff recorded {path} --accept"
    (folder / "other.txt").write_text(before, encoding="utf-8")
    assert main(["diff", "recorded", str(path), "--decisions", "other.txt", "-j", "1", "--accept", "--brief"]) == 0
    assert record.read_text(encoding="utf-8") == (folder / "other.txt").read_text(encoding="utf-8") != before
    assert outcome(diff(session, against="record"))[1]["count"] == 0


@pytest.mark.parametrize("moved", [{"more": -12}, {"without": True}])
def test_what_flips_is_what_the_edit_changes(folder, moved):
    session = session_of(folder / "patterns.match.yaml", YAML)
    told_here = slide(session, pattern="touch", **moved)
    found, done = outcome(flips(session, pattern="touch", most=3, **moved))
    text = session.text
    for key, value in told_here["set"].items():
        for one in splice(session_of(folder / "x.yaml", text), pattern="touch", op="set", key=key, value=value)[
            "changes"
        ]:
            text = text[: one["from"]] + one["insert"] + text[one["to"] :]
    if moved.get("without"):
        cut = session.entries.cut
        text = text.replace(cut.text_of(session.entries.entry("touch")), "", 1)
    results, expected = outcome(diff(session_of(folder / "patterns.match.yaml", text)))
    changes = told(results)[0]
    assert told_here["count"] is None and done["count"] == expected["count"] == len(found) > 0
    assert all(changes[one["number"]] == one for one in found[:3]) and found[3:] == [None] * len(found[3:])


def test_coverage_is_what_the_command_counts_told_as_it_grows_and_kept(folder, monkeypatch):
    session = session_of(folder / "patterns.match.yaml", YAML)
    monkeypatch.setattr(surveying, "PAUSE", 0.0)
    results, done = outcome(coverage(session, positions=POSITIONS))
    asked = ["coverage", "-f", "patterns.match.yaml", "--games-from", "games.xz", "--positions", POSITIONS, "-j", "1"]
    expected = command_json(folder, *asked)
    last = {name: survey for one in results for name, survey in one["surveys"].items()}
    assert last == expected["sources"] and done["remarks"] == expected["remarks"]
    assert [one["positions"] for one in results] == sorted(one["positions"] for one in results)
    assert len({one["positions"] for one in results}) > 2 and done["positions"] == POSITIONS
    first = next(one for one in results if 0 < one["positions"] < POSITIONS)
    assert sum(row["decides"] + row["supports"] for row in first["rows"]) > 0
    monkeypatch.setattr(corpus, "survey_decisions", None)  # any repeated decision fails
    assert outcome(coverage(session, positions=POSITIONS))[1] == done


def test_there_is_no_truth_about_a_match_and_that_is_said(folder):
    session = session_of(folder / "patterns.match.yaml", YAML)
    with pytest.raises(Refusal, match="exact results exist only for 5x5"):
        outcome(quality.truth(session, pattern="touch"))


def test_boards_of_a_pattern_are_told_as_they_are_found(folder):
    session = session_of(folder / "patterns.match.yaml", YAML)
    found, done = outcome(boards(session, pattern="touch", most=2))
    assert found and all(one["role"] in done["counts"] for one in found)
