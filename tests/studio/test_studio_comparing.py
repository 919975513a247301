"""Tests that the changed decisions after an edit, and their acceptance, equal `littlego diff`."""

from __future__ import annotations

import json
import shutil

import pytest
from corpora import use
from studio_apps import studio_client
from studio_jobs import command_json, outcome, session_of
from studio_server import SMALL

from littlego.cli.arguments import ArgumentError
from littlego.cli.main import main
from littlego.editor.answers.comparing import accept, change_here, change_reasons, diff
from littlego.editor.documents import Document, file_in
from littlego.editor.methods import Refusal
from littlego.editor.session import Session
from littlego.editor.versions import ENDINGS, version
from littlego.editor.versions import edited as edited_knowledge
from littlego.judging.diff import ORDER
from littlego.paths import DECISIONS

EVERY, FEW = 25, 400  # use every nth recorded decision; the larger step is for close comparisons


@pytest.fixture
def record(tmp_path, monkeypatch):
    """Write every 25th recorded decision to a separate file."""
    return write_record(tmp_path / "decisions.txt", EVERY, monkeypatch)


@pytest.fixture
def few(tmp_path, monkeypatch):
    """Write every 400th recorded decision to a separate file."""
    return write_record(tmp_path / "decisions.txt", FEW, monkeypatch)


def write_record(path, every, monkeypatch):
    lines = DECISIONS.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text(lines[0] + "".join(lines[1::every]), encoding="utf-8")
    use(monkeypatch, "little-go", record=path)
    return path


@pytest.fixture
def edited(tmp_path):
    """Return the path of a patterns file, and its text with the priority of `give-atari` raised to 600."""
    path = tmp_path / "patterns.yaml"
    shutil.copy(SMALL, path)
    text = path.read_text(encoding="utf-8")
    at = text.index("priority:", text.index("- id: give-atari"))
    end = text.index("\n", at)
    return path, text[:at] + "priority: 600" + text[end:]


def told(results):
    """Return (the changes, the reasons by number) in a job's results."""
    changes = [one for result in results for one in result.get("changes", [])]
    return changes, {one["number"]: one for result in results for one in result.get("reasons", [])}


def same_but_number(reasons):
    return [{key: value for key, value in reasons[at].items() if key != "number"} for at in sorted(reasons)]


def test_the_job_says_what_the_command_says_of_the_saved_file(edited, record, tmp_path):
    path, text = edited
    results, done = outcome(diff(session_of(path, text), against="disk"))
    new = tmp_path / "new.yaml"
    new.write_text(text, encoding="utf-8")
    expected = command_json(tmp_path, "diff", path, new, "--decisions", record)
    changes, reasons = told(results)
    assert changes and expected["changes"]
    assert same_but_number(reasons) == expected["changes"]
    assert json.loads(json.dumps(done["edits"])) == expected["edits"] and done["positions"] == expected["positions"]
    assert done["count"] == len(changes) == len(reasons) == sum(group["count"] for group in done["groups"])
    for one in changes:
        assert {one[key] or None for key in ("before", "after", "verdict")} == {
            reasons[one["number"]][key] for key in ("before", "after", "verdict")
        }


def test_all_changes_come_first_and_those_that_lose_a_win_at_their_top(edited, record):
    path, text = edited
    results, _ = outcome(diff(session_of(path, text)))
    assert "changes" in results[0] and all("reasons" in one for one in results[1:])
    ranks = [ORDER.index(one["verdict"]) for one in results[0]["changes"]]
    assert ranks == sorted(ranks) and len(set(ranks)) > 1


def test_the_change_on_a_board_equals_the_change_of_the_job(edited, record):
    path, text = edited
    session = session_of(path, text)
    changes, _ = told(outcome(diff(session, against="disk"))[0])
    keys = {*changes[0]} - {"number", "verdict"}
    for change in changes[:3]:
        here = change_here(session, position=change["position"])
        assert here == {**{key: change[key] for key in keys}, "moved": True}
    session = session_of(path, path.read_text(encoding="utf-8"))
    assert not change_here(session, position=changes[0]["position"])["moved"]


def test_after_saving_the_changes_are_found_against_the_file_as_opened(edited, record):
    path, text = edited
    document, session = Document(path), Session()
    document.edit(1, [{"from": 0, "to": len(document.text), "insert": text}])
    session.take(document.snapshot())
    before = outcome(diff(session, against="disk"))[1]["count"]
    assert outcome(diff(session, against="opened"))[1]["count"] == before > 0
    document.save(2, document.digest)
    session.take(document.snapshot())
    assert outcome(diff(session, against="disk"))[1]["count"] == 0
    assert outcome(diff(session, against="opened"))[1]["count"] == before


def test_the_file_as_opened_is_not_what_another_program_writes_later(edited):
    path, text = edited
    document, session = Document(path), Session()
    opened = document.text
    path.write_text(text, encoding="utf-8")
    session.take(document.snapshot())
    assert version(session, "opened").book == edited_knowledge(session).book != version(session, "disk").book
    document.take_from_disk(1)
    session.take(document.snapshot())
    assert session.snapshot.opened == opened and session.text == text
    assert version(session, "opened").book != edited_knowledge(session).book == version(session, "disk").book


def test_against_the_record_it_says_what_the_command_says(edited, few, tmp_path):
    path, text = edited
    path.write_text(text, encoding="utf-8")
    results, done = outcome(diff(session_of(path, text), against="record"))
    expected = command_json(tmp_path, "diff", "recorded", path, "--decisions", few)
    assert same_but_number(told(results)[1]) == expected["changes"] and expected["changes"]
    assert done["command"] == f"littlego diff recorded {path} --most 0"


def test_what_no_longer_holds_is_what_the_command_says(edited, few, tmp_path):
    path, text = edited
    old = tmp_path / "old.yaml"
    old.write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    for name, data in (
        ("tools/littlego/knowledge/patterns.schema.json", "{}"),
        ("tools/littlego/records/decisions.txt", few.read_text()),
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(data, encoding="utf-8")
    path.write_text(text, encoding="utf-8")
    done = outcome(diff(session_of(path, text), against=old.name))[1]
    expected = command_json(tmp_path, "diff", old, path, "--decisions", few, "-j", "1", "--brief")
    assert done["stale"] == expected["stale"]
    assert {one["what"] for one in done["stale"]} == {"schema", "decisions"}
    done = outcome(diff(session_of(path, text), against="record"))[1]  # the job reports the number of other changes
    assert {one["what"] for one in done["stale"]} == {"schema"}


def test_without_an_edit_nothing_changes(edited, record):
    path, _ = edited
    results, done = outcome(diff(session_of(path, path.read_text(encoding="utf-8"))))
    assert results == [{"changes": []}] and done["count"] == 0


def test_a_text_with_a_mistake_is_refused_as_the_command_refuses_it(edited, record):
    path, text = edited
    with pytest.raises(ArgumentError, match=r"priority"):
        outcome(diff(session_of(path, text.replace("priority: 600\n", "priority: high\n"))))


@pytest.mark.parametrize("name", ["../other.yaml", "/etc/passwd", "other.txt", "a\0b.yaml"])
def test_only_files_of_the_same_folder_are_compared_with(edited, name):
    with pytest.raises(Refusal, match="expected"):
        file_in(edited[0].parent, name, ENDINGS)


def test_another_file_of_the_folder_is_compared_with(edited, record):
    path, text = edited
    (path.parent / "other.yaml").write_text(text, encoding="utf-8")
    results, done = outcome(diff(session_of(path, text), against="other.yaml"))
    assert results[0] == {"changes": []} and done["old"] == "other.yaml"


def test_the_reasons_of_a_change_are_those_that_the_command_draws(edited, record, tmp_path, capsys):
    path, text = edited
    session = session_of(path, text)
    change = outcome(diff(session))[0][0]["changes"][0]
    why = change_reasons(session, position=change["position"], before=change["before"], after=change["after"])
    new = tmp_path / "new.yaml"
    new.write_text(text, encoding="utf-8")
    main(["diff", str(path), str(new), "--decisions", str(record), "--most", "0"])
    drawn = " ".join(capsys.readouterr().out.split())
    for words in why.values():
        assert words.split()[0] in (change["before"], change["after"])
        assert words.split(":")[0] in drawn


def test_accepting_puts_on_record_what_the_command_does(edited, few, tmp_path):
    path, text = edited
    with pytest.raises(Refusal, match="save the page"):
        outcome(accept(session_of(path, text)))
    path.write_text(text, encoding="utf-8")
    session, before = session_of(path, text), few.read_text(encoding="utf-8")
    changes, _ = told(outcome(diff(session, against="record"))[0])
    _, done = outcome(accept(session, positions=[changes[0]["position"]]))
    after = few.read_text(encoding="utf-8")
    assert done["accepted"] == 1 and done["changes"] == len(changes)
    assert sum(one != other for one, other in zip(before.splitlines(), after.splitlines(), strict=True)) == 1
    _, done = outcome(accept(session))
    other = tmp_path / "other.txt"
    other.write_text(before, encoding="utf-8")
    assert main(["diff", "recorded", str(path), "--decisions", str(other), "--accept", "--brief"]) == 0
    assert few.read_text(encoding="utf-8") == other.read_text(encoding="utf-8") and done["accepted"]


@pytest.mark.slow
def test_a_page_hears_of_it_while_it_is_worked_on(edited):
    path, text = edited
    with studio_client(path) as client:
        state = client.get("/api/state")
        change = {"from": 0, "to": len(state["text"]), "insert": text}
        client.post("/api/edit", revision=state["revision"], changes=[change])
        for _ in range(2):  # the second comparison reuses the process of the first
            *results, last = client.work("diff")
            assert last["done"]["positions"] == 6248 and "changes" in results[0]["result"]
