"""Tests of the open document: atomic saves, merges with the file, drafts, and edits by two pages."""

from __future__ import annotations

import asyncio
import os
import random
import shlex
import shutil
import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from studio_apps import CENTRE, studio_client

from littlego.editor.changes import applied, changed_part, difference, read_changes
from littlego.editor.documents import MOST_KEPT, Document, digest_of
from littlego.editor.lineends import normal, restored
from littlego.editor.methods import Refusal
from littlego.files import LARGEST_INPUT
from littlego.studio.feed import MOST_WAITING, Feed
from littlego.studio.studio import Studio
from littlego.studio.unsaved import Draft, Drafts, born


@pytest.fixture
def path(tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "patterns.yaml").write_text(CENTRE)
    return folder / "patterns.yaml"


@pytest.fixture
def client(path):
    with studio_client(path) as client:
        yield client


def leave_draft(folder, draft):
    """Store a draft, as a session does before it ends."""
    drafts = Drafts(folder)
    drafts.keep(draft)
    drafts.close()


def save(client, **more):
    state = client.get("/api/state")
    return client.post("/api/save", **{"revision": state["revision"], "digest": state["digest"], **more})


def test_saving_writes_the_text_and_nothing_else(client, path):
    client.replace("the middle", "the very middle")
    assert not client.get("/api/state")["saved"] and path.read_text() == CENTRE
    assert save(client)["digest"] == digest_of(path.read_bytes()) == client.get("/api/state")["digest"]
    assert path.read_text() == client.text != CENTRE and client.get("/api/state")["saved"]
    assert os.listdir(path.parent) == ["patterns.yaml"]


def test_the_command_quotes_a_name_with_a_space(path):
    with studio_client(path.rename(path.with_name("my patterns.yaml"))) as client:
        command = client.get("/api/state")["command"]
    assert shlex.split(command)[:2] == ["littlego", "studio"] and command.endswith("my patterns.yaml'")


def test_the_way_back_to_the_saved_text_is_an_edit_like_others(client):
    client.replace("the middle", "the very middle")
    assert client.post("/api/unsaved", revision=1)["problem"]["code"] == "stale"
    answer = client.post("/api/unsaved", revision=2)
    assert applied(client.text, read_changes(answer["changes"], len(client.text))) == CENTRE
    client.post("/api/edit", revision=2, changes=answer["changes"])
    assert client.text == CENTRE and client.get("/api/state")["saved"]
    assert client.post("/api/unsaved", revision=3)["changes"] == []


@pytest.mark.parametrize(
    "text", ["a: 1\r\nb: 2\r\n", "a\rb\r\nc\nd", "\r\n\r\n", "no end", "", "\ufeffbom: 1\n", "é🀄\n"]
)
def test_what_is_not_edited_is_saved_byte_for_byte(path, text):
    path.write_bytes(text.encode())
    with studio_client(path) as client:
        save(client)
        client.post("/api/edit", revision=1, changes=[{"from": 0, "to": 0, "insert": ""}])
        assert "digest" in save(client)
    assert path.read_bytes() == text.encode()


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
def test_pages_count_each_line_end_once_and_the_file_keeps_its_own(path, end):
    raw = CENTRE.replace("\n", end)
    path.write_bytes(raw.encode())
    with studio_client(path) as client:
        assert client.text == CENTRE
        client.replace("the middle", "a\r\nb")
        save(client)
        assert path.read_bytes().decode() == raw.replace("the middle", f"a{end}b")
        path.write_bytes(raw.replace("950", "951").encode())
        wait_for(lambda: client.text == CENTRE.replace("950", "951"))


raws = st.lists(st.sampled_from(["a", "b", "\r", "\n", "\r\n"]), max_size=12).map("".join)


@given(raws, raws.map(normal))
def test_whatever_the_line_ends_the_file_holds_the_text(raw, text):
    assert normal(restored(text, raw)) == text


@given(raws, st.integers(0, 12))
@example("\ra\na\r\n\n\r", 3)  # the edit leaves a lone CR before an empty line that ends in LF
def test_an_edit_changes_the_end_of_no_other_line(raw, at):
    assert restored(normal(raw), raw) == raw
    text = normal(raw)
    edited = text[:at] + "x" + text[at:]
    assert normal(restored(edited, raw)) == edited
    kept = [line for line in raw.splitlines(keepends=True) if line.rstrip("\r\n") and "x" not in line]
    assert len(set(kept) - set(restored(edited, raw).splitlines(keepends=True))) <= 1


def test_a_file_that_another_program_changed_is_not_written_over(client, path):
    client.replace("the middle", "my middle")
    client.studio.feed.close()
    path.write_text("theirs")
    problem = save(client)["problem"]
    assert problem["code"] == "changed" and problem["digest"] == digest_of(b"theirs")
    assert path.read_text() == "theirs"
    assert save(client, digest=problem["digest"])["digest"] == digest_of(path.read_bytes())  # they were asked
    assert "my middle" in path.read_text()


def test_a_file_that_is_gone_is_made_again_only_when_that_is_said(client, path):
    path.unlink()
    problem = save(client)["problem"]
    assert problem["code"] == "changed" and "was deleted" in problem["text"] and problem["digest"] == ""
    assert client.code("/api/merge", revision=1) == client.code("/api/reload", revision=1) == "changed"
    assert "digest" in save(client, digest="")
    assert path.read_text() == CENTRE


def test_a_failure_in_saving_leaves_the_file_and_the_text(client, path, monkeypatch):
    client.replace("the middle", "my middle")

    def fail(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    assert "cannot write" in save(client)["problem"]["text"]
    monkeypatch.undo()
    assert path.read_text() == CENTRE and "my middle" in client.text
    assert os.listdir(path.parent) == ["patterns.yaml"]


def test_a_merge_keeps_both_and_tells_where_they_collide(client, path):
    client.replace("priority: 950", "priority: 951")
    revision = client.replace("the middle", "my middle")
    client.studio._disk = "seen"  # pretend that the watcher saw the file; the watcher is tested below
    path.write_text(CENTRE.replace("the middle", "their middle").replace("move: 2,3", "move: 2,4"))
    found = client.post("/api/merge", revision=revision)
    merged = CENTRE.replace("priority: 950", "priority: 951").replace("move: 2,3", "move: 2,4")
    assert client.text == merged.replace("the middle", "my middle")
    (conflict,) = found["conflicts"]
    assert client.text[conflict["from"] : conflict["to"]] == conflict["mine"]
    assert "my middle" in conflict["mine"] and "their middle" in conflict["theirs"]
    assert found["revision"] == revision + 1 and not found["saved"]
    assert "digest" in save(client)  # the page now knows the other version


def test_reloading_gives_up_the_text(client, path):
    revision = client.replace("the middle", "my middle")
    found = client.post("/api/reload", revision=revision)
    assert client.text == CENTRE and found["saved"] and found["changes"]


def wait_for(condition):
    """Wait until a condition holds; fail after 60 seconds."""
    until = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.02)


def test_where_nothing_is_unsaved_the_file_is_taken_over_as_it_changes(client, path):
    for n in range(3):
        path.write_text(CENTRE.replace("950", f"{n}"))
        wait_for(lambda n=n: f"priority: {n}\n" in client.text)
    assert client.get("/api/state")["saved"]


def test_where_something_is_unsaved_the_text_stays_and_the_pages_are_told(client, path):
    told = []
    client.studio.feed.tell = told.append
    client.replace("the middle", "my middle")
    path.write_text("theirs")
    wait_for(lambda: {"disk": digest_of(b"theirs"), "taken": False, "page": ""} in told)
    path.unlink()
    wait_for(lambda: {"disk": "", "taken": False, "page": ""} in told)
    assert "my middle" in client.text


def test_a_file_that_is_no_text_is_told_and_not_taken(client, path):
    told = []
    client.studio.feed.tell = told.append
    path.write_bytes(b"\xff\xfe")
    wait_for(lambda: told)
    assert "expected UTF-8" in told[0]["text"] and client.text == CENTRE


def test_a_draft_comes_back_after_a_studio_that_did_not_end(path, tmp_path):
    drafts = tmp_path / "drafts"
    with studio_client(path, drafts) as client:
        client.replace("the middle", "my middle")
        wait_for(lambda: client.studio.drafts.find(path) is not None)  # from now on, a killed studio loses nothing
        kept = client.studio.drafts.find(path)
        client.replace("my middle", "the middle")
    leave_draft(drafts, kept)
    with studio_client(path, drafts) as client:
        state = client.get("/api/state")
        assert "my middle" in state["text"] and state["restored"] and not state["saved"]
        assert path.read_text() == CENTRE
        save(client)
        assert not client.get("/api/state")["restored"]
    assert not list(drafts.iterdir())
    with studio_client(path, drafts) as client:
        assert client.get("/api/state")["saved"] and not client.get("/api/state")["restored"]


def test_a_draft_of_an_earlier_file_is_merged_with_the_one_of_now(path, tmp_path):
    drafts = tmp_path / "drafts"
    leave_draft(drafts, Draft(str(path), CENTRE, CENTRE.replace("the middle", "my middle")))
    path.write_text(CENTRE.replace("950", "7"))
    with studio_client(path, drafts) as client:
        assert client.text == CENTRE.replace("950", "7").replace("the middle", "my middle")


def test_a_draft_is_of_no_folder_that_was_made_anew_under_the_same_name(path, tmp_path):
    drafts = Drafts(tmp_path / "drafts")
    draft = Draft(str(path), CENTRE, CENTRE.replace("the middle", "my middle"))
    drafts.keep(draft)
    (path.parent / "new.yaml").write_text(CENTRE)
    os.replace(path.parent / "new.yaml", path)  # as editors save
    assert drafts.find(path) == draft
    if not born(path.parent):
        pytest.skip("NOT RUN: this file system does not tell when a folder was made")
    shutil.rmtree(path.parent)
    path.parent.mkdir()
    path.write_text(CENTRE)
    assert drafts.find(path) is None
    with studio_client(path, tmp_path / "drafts") as client:
        assert client.text == CENTRE and not client.get("/api/state")["restored"]


def test_who_listens_after_the_end_is_not_kept_waiting():
    async def test():
        feed = Feed()
        feed.close()
        assert [event async for event in feed.listen({"state": 1})] == [{"state": 1}]

    asyncio.run(asyncio.wait_for(test(), 60))


@pytest.mark.parametrize(
    "damage", [b"", b"{", b"[]", b'{"path": 1}', b'{"path": "x", "base": "", "text": ""}', b"\xff"]
)
def test_a_damaged_draft_is_no_draft(path, tmp_path, damage):
    drafts = Drafts(tmp_path / "drafts")
    drafts.keep(Draft(str(path), CENTRE, "mine"))
    (file,) = (tmp_path / "drafts").iterdir()
    file.write_bytes(damage)
    assert drafts.find(path) is None


def test_another_file_of_the_folder_is_opened_and_this_one_s_draft_stays(client, path):
    (path.parent / "other.yaml").write_text("other: 1\n")
    revision = client.replace("the middle", "my middle")
    state = client.post("/api/open", file="other.yaml")
    assert state["text"] == "other: 1\n" and state["revision"] > revision and state["file"] == "other.yaml"
    state = client.post("/api/open", file="patterns.yaml")
    assert "my middle" in state["text"] and state["restored"]
    assert client.code("/api/open", file="nothing.yaml") == "unknown"


def test_a_file_is_watched_from_the_moment_that_it_is_opened(client, path):
    (path.parent / "other.yaml").write_text("other: 1\n")
    client.post("/api/open", file="other.yaml")
    (path.parent / "other.yaml").write_text("other: 2\n")
    wait_for(lambda: client.text == "other: 2\n")


def test_a_page_that_is_behind_is_given_what_came_since(client):
    other = client.another("two")
    client.replace("the middle", "my middle")
    client.replace("950", "951")
    problem = other.post("/api/edit", revision=1, changes=[{"from": 0, "to": 0, "insert": "# hello\n"}])["problem"]
    assert problem["code"] == "stale" and problem["revision"] == 3
    text = CENTRE
    for changes in problem["since"]:
        text = applied(text, read_changes(changes, len(text)))
    assert text == client.text
    assert "revision" in other.post("/api/edit", revision=3, changes=[{"from": 0, "to": 0, "insert": "# hello\n"}])
    assert client.text.startswith("# hello\n") and "my middle" in client.text


@pytest.mark.parametrize("revision", [0, -5, 99])
def test_a_revision_that_never_was_is_stale_and_has_no_since(client, revision):
    problem = client.post("/api/edit", revision=revision, changes=[])["problem"]
    assert problem["code"] == "stale" and problem["since"] is None


def test_all_pages_are_told_of_edits_saving_and_opening(tmp_path):
    async def test(folder):
        (folder / "a.yaml").write_text(CENTRE)
        (folder / "b.yaml").write_text(CENTRE)
        studio = Studio(folder / "a.yaml", Drafts(folder / "drafts"))
        events = studio.listen()
        change = {"from": 0, "to": 0, "insert": "#\n"}
        studio.edit("one", 1, [change])
        digest = studio.save("two", 2, studio.document.digest)
        studio.open("one", "b.yaml")
        heard = [await anext(events) for _ in range(4)]
        assert "text" not in heard[0]["state"]
        assert heard[1:] == [
            {"edit": [change], "revision": 2, "saved": False, "page": "one"},
            {"saved": digest, "revision": 2, "page": "two"},
            {"opened": "b.yaml", "revision": 3, "page": "one"},
        ]

    asyncio.run(test(tmp_path))


def test_a_page_that_does_not_read_is_cut_off_and_keeps_no_memory():
    async def test():
        feed = Feed()
        events = feed.listen({"first": 1})
        for n in range(MOST_WAITING + 10):
            feed.tell({"n": n})
        assert not feed._listeners
        assert len([event async for event in events]) < MOST_WAITING

    asyncio.run(test())


def test_what_is_kept_of_edits_is_bounded(path, monkeypatch):
    document = Document(path)
    for n in range(MOST_KEPT + 50):
        document.edit(n + 1, [{"from": 0, "to": 0, "insert": "#"}])
    assert len(document._edits) == MOST_KEPT and document.since(1) is None and len(document.since(100)) == 951
    monkeypatch.setattr("littlego.editor.documents.LARGEST_INPUT", 1700)
    for _ in range(20):
        document.edit(document.revision, [{"from": 0, "to": 300, "insert": "#" * 300}])
    assert len(document._edits) == 1700 // 300


def test_a_text_that_grows_too_large_is_refused(path):
    document = Document(path)
    with pytest.raises(Refusal, match="at most 10,000,000 are allowed"):
        document.edit(1, [{"from": 0, "to": 0, "insert": "#" * (LARGEST_INPUT + 1)}])
    assert document.text == CENTRE and document.revision == 1


lines = st.lists(st.sampled_from(["a\n", "b\n", "é🀄\n", "\n", "end"]), max_size=8).map("".join)


@given(lines, lines)
def test_a_difference_leads_from_one_text_to_the_other(before, after):
    assert applied(before, difference(before, after)) == after


@given(lines, lines, st.integers(1, 4))
def test_a_changed_part_is_what_lies_between_the_common_ends(before, after, block):
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("littlego.editor.merging.BLOCK", block)
        change = changed_part(before, after)
    assert applied(before, [change]) == after
    removed = before[change.start : change.end]
    assert not removed or not change.insert or (removed[0] != change.insert[0] and removed[-1] != change.insert[-1])


def test_thousands_of_edits_at_random_places_make_the_text_that_python_makes(path):
    rng, document = random.Random(5), Document(path)
    text = document.text
    for _ in range(2000):
        start = rng.randrange(len(text) + 1)
        end = min(len(text), start + rng.randrange(5))
        insert = rng.choice(["", "x", "\n", "🀄", "  - id"])
        document.edit(document.revision, [{"from": start, "to": end, "insert": insert}])
        text = text[:start] + insert + text[end:]
    assert document.text == text
