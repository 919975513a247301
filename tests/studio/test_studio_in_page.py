"""Tests, without a browser, of the studio within a page: requests, the second worker, jobs, files."""

from __future__ import annotations

import asyncio
import json

import pytest
from studio_apps import CENTRE, ENTRY

from littlego.editor.links import link_to
from littlego.editor.session import Session
from littlego.paths import PATTERNS_YAML
from littlego.studio.site import first, in_page, later
from littlego.studio.site.in_page import Page, SecondWorker, first_revision

FIRST = first_revision(CENTRE)


class Browser:
    """A fake JavaScript side, which collects the second worker's tasks until the test runs a task."""

    def __init__(self):
        self.sent, self.tasks, self.ended, self.kept = [], [], 0, []
        self.loaded, self.is_online = [], True

    def send(self, text):
        self.sent.append(json.loads(text))

    def post(self, text):
        self.tasks.append(text)

    def end(self):
        self.ended += 1

    def keep(self, text):
        self.kept.append(json.loads(text))

    async def load(self, address):
        self.loaded.append(address)
        return self.is_online

    def of(self, number):
        """Return the messages for a request."""
        return [message for message in self.sent if message["id"] == number]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "patterns.yaml").write_text(CENTRE)
    return tmp_path


def play(folder, script):
    """Run script(page, browser, ask) in an event loop.

    ask(number, path, **body) sends a request and waits briefly.
    """

    async def main():
        browser = Browser()
        page = Page(browser, str(folder), "patterns.yaml")

        async def ask(number, path, method="POST", **body):
            page.receive(json.dumps({"id": number, "page": "one", "method": method, "path": path, "body": body}))
            await asyncio.sleep(0.01)
            for _ in range(20):  # further turns of the loop, if an answer blocked it for this long
                await asyncio.sleep(0)
            return browser.of(number)

        await script(page, browser, ask)

    asyncio.run(main())


async def second(page, browser):
    """Let a second worker run the oldest waiting task and report its results to the page."""
    await SecondWorker(page.hear, browser.load).do(browser.tasks.pop(0))


def test_requests_are_answered_with_their_numbers_or_a_problem(folder):
    async def script(page, browser, ask):
        (state,) = await ask(1, "/api/state", "GET")
        assert state["answer"]["text"] == CENTRE
        (outline,) = await ask(2, "/api/ask/outline", revision=FIRST)
        assert outline["answer"]["revision"] == FIRST
        (stale,) = await ask(3, "/api/ask/outline", revision=7)
        assert stale["problem"]["code"] == "stale"
        (unknown,) = await ask(4, "/api/nothing")
        assert unknown["problem"]["code"] == "unknown"
        edit, answers, over = await ask(
            5,
            "/api/edit",
            revision=FIRST,
            changes=[{"from": 0, "to": 0, "insert": "# x\n"}],
            asks=[[{"method": "classes", "parameters": {}}]],
        )
        assert edit["event"]["revision"] == FIRST + 1 and "answer" in answers["event"]["answers"][0] and over["over"]

    play(folder, script)


def test_a_question_that_a_newer_one_overtakes_is_refused(folder):
    async def script(page, browser, ask):
        for number in (1, 2):
            body = {"revision": FIRST}
            page.receive(
                json.dumps({"id": number, "page": "one", "method": "POST", "path": "/api/ask/outline", "body": body})
            )
        await asyncio.sleep(0.01)
        assert browser.of(1)[0]["problem"]["code"] == "stale" and "answer" in browser.of(2)[0]

    play(folder, script)


def test_slow_questions_wait_for_the_second_worker_and_replace_each_other(folder):
    async def script(page, browser, ask):
        assert await ask(1, "/api/ask/check", revision=FIRST) == [] and len(browser.tasks) == 1
        assert await ask(2, "/api/ask/check", revision=FIRST) == []
        assert browser.of(1)[0]["problem"]["code"] == "stale" and len(browser.tasks) == 1
        worker = SecondWorker(page.hear, browser.load)
        await worker.do(browser.tasks.pop(0))  # the worker finishes the older question, and learns from it
        await worker.do(browser.tasks.pop(0))
        await asyncio.sleep(0.01)
        assert "answer" in browser.of(2)[0] and len(browser.of(1)) == 1 and browser.ended == 0

    play(folder, script)


def test_a_slow_question_that_is_given_up_and_does_not_end_ends_the_worker(folder, monkeypatch):
    monkeypatch.setattr(in_page, "FINISHING", 0.05)

    async def script(page, browser, ask):
        await ask(1, "/api/ask/check", revision=FIRST)
        page.receive(json.dumps({"id": 1, "abort": True}))
        await asyncio.sleep(0)
        assert browser.ended == 0
        await asyncio.sleep(0.1)
        assert browser.ended == 1 and browser.of(1) == []
        page.receive(json.dumps({"id": 9, "abort": True}))  # an answer was on its way already

    play(folder, script)


def test_a_job_tells_its_events_and_can_be_cancelled(folder, monkeypatch):
    monkeypatch.setattr(in_page, "STOPPING", 0.05)

    async def script(page, browser, ask):
        (started,) = await ask(1, "/api/jobs/compile")
        number = started["answer"]["job"]
        await second(page, browser)
        events = await ask(2, f"/api/jobs/{number}/events", "GET")
        assert "done" in events[-2]["event"] and events[-1]["over"]
        (again,) = await ask(3, "/api/jobs/compile")
        (waiting,) = await ask(4, "/api/jobs/gallery_page")
        assert len(browser.tasks) == 1  # one task at a time
        assert await ask(5, f"/api/jobs/{waiting['answer']['job']}", "DELETE") == [{"id": 5, "answer": {}}]
        assert browser.ended == 0  # it did not run yet
        (newer,) = await ask(6, "/api/jobs/compile")
        assert browser.ended == 0 and newer["answer"]["job"] > again["answer"]["job"]
        assert json.loads(browser.tasks[-1]) == {"id": json.loads(browser.tasks[0])["id"], "stop": True}
        await asyncio.sleep(0.1)
        assert browser.ended == 1  # it did not stop
        for bad in ("0", "x", "99999999999"):
            (problem,) = await ask(7, f"/api/jobs/{bad}/events", "GET")
            assert problem["problem"]["code"] == "unknown"
            browser.sent.clear()

    play(folder, script)


def test_a_question_is_answered_between_two_events_of_a_job(folder):
    async def script(page, browser, ask):
        (started,) = await ask(1, "/api/jobs/gallery_page")
        assert await ask(2, "/api/ask/check", revision=FIRST) == [] and len(browser.tasks) == 2
        worker, heard = SecondWorker(page.hear, browser.load), []
        job, question = browser.tasks
        hear = page.second.hear
        page.second.hear = lambda text: (heard.append(json.loads(text)), hear(text))
        working = asyncio.create_task(worker.do(job))
        await asyncio.sleep(0)
        await worker.do(question)
        await working
        endings = [event["id"] for event in heard if in_page.is_ending(event)]
        assert endings == [2, 1] and "done" in heard[-1] and heard[0]["id"] == heard[-1]["id"] == 1
        await asyncio.sleep(0.01)
        assert "answer" in browser.of(2)[0] and in_page.SESSION.text == CENTRE
        events = await ask(3, f"/api/jobs/{started['answer']['job']}/events", "GET")
        assert "done" in events[-2]["event"]

    play(folder, script)


def test_a_cancelled_job_stops_at_its_next_event(folder, monkeypatch):
    monkeypatch.setattr(in_page, "STOPPING", 0.05)

    async def script(page, browser, ask):
        (started,) = await ask(1, "/api/jobs/gallery_page")
        worker = SecondWorker(page.hear, browser.load)
        working = asyncio.create_task(worker.do(browser.tasks.pop(0)))
        await asyncio.sleep(0)
        page.studio.lanes.jobs.find(started["answer"]["job"]).cancel()
        await worker.do(browser.tasks.pop(0))
        await working
        await ask(3, "/api/ask/check", revision=FIRST)
        await worker.do(browser.tasks.pop(0))
        await asyncio.sleep(0.1)
        assert "answer" in browser.of(3)[0] and browser.ended == 0 and browser.tasks == []
        events = await ask(4, f"/api/jobs/{started['answer']['job']}/events", "GET")
        assert "done" not in str(events) and events[-2]["event"]["problem"]["code"] == "stale"

    play(folder, script)


def test_a_question_during_a_job_survives_the_end_of_the_worker(folder, monkeypatch):
    monkeypatch.setattr(in_page, "STOPPING", 0.0)

    async def script(page, browser, ask):
        (started,) = await ask(1, "/api/jobs/compile")
        assert await ask(2, "/api/ask/check", revision=FIRST) == []
        await ask(3, "/api/ask/check", revision=FIRST)  # waits for the older question, which it replaces
        assert len(browser.tasks) == 2 and browser.ended == 0
        await ask(4, f"/api/jobs/{started['answer']['job']}", "DELETE")
        browser.tasks = [task for task in browser.tasks if "stop" not in json.loads(task)]
        assert browser.ended == 1 and len(browser.tasks) == 3
        browser.tasks = browser.tasks[2:]
        await second(page, browser)
        await asyncio.sleep(0.01)
        assert "answer" in browser.of(3)[0] and browser.tasks == []

    play(folder, script)


def test_a_job_does_not_send_back_a_file_that_a_question_brought(folder):
    async def script(page, browser, ask):
        await ask(1, "/api/jobs/gallery_page")
        await ask(2, "/api/ask/check", revision=FIRST)
        job, question = map(json.loads, browser.tasks)
        other = folder / "second"
        for task in (job, question):
            task["snapshot"]["path"] = str(other / "patterns.yaml")
        question["files"] = {"patterns.yaml": "new", "gone.yaml": None}
        heard = []
        worker = SecondWorker(lambda text: heard.append(json.loads(text)), browser.load)
        working = asyncio.create_task(worker.do(json.dumps(job)))
        await asyncio.sleep(0)
        await worker.do(json.dumps(question))
        await working
        endings = {event["id"]: event["files"] for event in heard if in_page.is_ending(event)}
        assert endings == {2: {}, 1: {}} and (other / "patterns.yaml").read_text() == "new"

    play(folder, script)


def test_a_package_that_a_page_lacks_is_named(folder, monkeypatch):
    def fail(*_):
        raise ModuleNotFoundError("No module named 'numpy'", name="numpy")

    monkeypatch.setattr(in_page, "call", fail)

    async def script(page, browser, ask):
        (told,) = await ask(1, "/api/ask/classes", revision=FIRST)
        assert told["problem"]["code"] == "lacking"

    play(folder, script)


@pytest.fixture
def addresses(tmp_path, monkeypatch):
    """Write the addresses of two archives to the file from which the site's page reads them."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / later.ADDRESSES).write_text(json.dumps({"labels": "L", "match": "M"}))
    monkeypatch.setattr(later, "HOME", tmp_path / "site")


def test_the_match_is_loaded_for_its_files_and_positions_alone(folder, addresses):
    async def script(page, browser, ask):
        (state,) = await ask(1, "/api/state", "GET")
        assert "patterns.match.yaml" in state["answer"]["files"] and not (folder / "patterns.match.yaml").exists()
        empty = "/".join(["....."] * 5)
        await ask(2, "/api/ask/fires", revision=FIRST, pattern="matches", position=empty)
        await ask(3, "/api/edit", revision=FIRST, changes=[{"from": 0, "to": 0, "insert": "# patterns.match.yaml\n"}])
        assert browser.loaded == []
        browser.is_online = False
        (refused,) = await ask(4, "/api/open", file="patterns.match.yaml")
        assert refused["problem"]["code"] == "lacking" and "connect to the network" in refused["problem"]["text"]
        browser.is_online = True
        (opened,) = await ask(5, "/api/open", file="patterns.match.yaml")
        assert opened["answer"]["ruleset"] == "match" and browser.loaded == ["M", "M"]
        await ask(6, "/api/open", file="patterns.match.yaml")
        assert browser.loaded == ["M", "M"]  # once it is there

    play(folder, script)


@pytest.mark.parametrize(
    ("task", "parameters", "ruleset", "needed"),
    [
        ("truth", {"pattern": "match-me"}, "little-go", ["labels"]),
        ("check", {}, "little-go", []),
        ("check", {}, "match", ["match"]),
        ("diff", {"against": "patterns.match.yaml"}, "little-go", ["labels", "match"]),
        ("reply", {"game": "match-9; 4,4 2,2"}, "little-go", ["match"]),
        ("decide", {"position": "........./... black ruleset=match"}, "little-go", ["match"]),
        ("add_example", {"kind": "matches", "note": "no match"}, "little-go", []),
    ],
)
def test_tasks_need_archives(task, parameters, ruleset, needed):
    assert later.needed_by(task, parameters, ruleset) == needed


def test_a_second_worker_that_does_not_start_is_a_problem_of_its_task(folder):
    async def script(page, browser, ask):
        assert await ask(1, "/api/ask/check", revision=FIRST) == []
        page.hear(json.dumps({"id": 1, "problem": {"code": "died", "text": "Python did not start"}}))
        await asyncio.sleep(0.01)
        assert browser.of(1)[0]["problem"]["code"] == "died"

    play(folder, script)


def test_files_that_the_second_worker_writes_are_the_page_s(folder):
    async def script(page, browser, ask):
        await ask(1, "/api/jobs/compile")
        task = json.loads(browser.tasks.pop())
        assert task["files"]["patterns.yaml"] == CENTRE
        (folder / "old.yaml").write_text("old")
        page.hear(json.dumps({"id": 1, "done": {}, "files": {"patterns.txt": "new", "old.yaml": "newer"}}))
        assert (folder / "patterns.txt").read_text() == "new" and (folder / "old.yaml").read_text() == "newer"

    play(folder, script)


def test_files_are_kept_after_an_edit_and_after_a_save(folder, monkeypatch):
    monkeypatch.setattr(in_page, "KEEP_EVERY", 0.01)

    async def script(page, browser, ask):
        await asyncio.sleep(0.05)
        assert browser.kept == []  # nothing has changed
        (state,) = await ask(1, "/api/state", "GET")
        await ask(2, "/api/edit", revision=FIRST, changes=[{"from": 0, "to": 0, "insert": "# x\n"}])
        await asyncio.sleep(0.05)
        (name,) = browser.kept.pop()
        assert name.startswith(".drafts/") and "# x" in (folder / name).read_text()
        assert len(list((folder / ".drafts").iterdir())) == 1
        await ask(3, "/api/save", revision=FIRST + 1, digest=state["answer"]["digest"])
        await asyncio.sleep(0.05)
        assert browser.kept.pop() == [name, "patterns.yaml"] and browser.kept == []
        assert not (folder / name).exists() and (folder / "patterns.yaml").read_text() == "# x\n" + CENTRE

    play(folder, script)


def test_a_link_is_opened_as_an_unsaved_text_that_only_saving_stores(folder):
    link = link_to(ENTRY, "....." * 5, "little-go").text()

    async def script(page, browser, ask):
        (opened,) = await ask(1, "/api/link", link=link)
        state = opened["answer"]
        name, revision = state["file"], state["revision"]
        assert not state["saved"] and not state["restored"] and state["digest"] == "" and name not in state["files"]
        assert state["link"] == {"pattern": "mine", "board": "....." * 5, "own": True}
        assert "id: mine" in state["text"] and name not in [path.name for path in folder.iterdir()]
        (fires,) = await ask(2, "/api/ask/fires", revision=revision, pattern="mine", position="/".join(["....."] * 5))
        assert fires["answer"]["answer"]["count"] > 0
        (again,) = await ask(3, "/api/ask/link", revision=revision, pattern="mine", position="....." * 5)
        assert again["answer"]["answer"] == {"link": link, "id": "mine"}
        (saved,) = await ask(4, "/api/save", revision=revision, digest="")
        assert (folder / name).read_text() == state["text"]
        await ask(5, "/api/open", file="patterns.yaml")
        (other,) = await ask(6, "/api/link", link=link)  # the saved text is opened, and not replaced
        assert other["answer"]["saved"] and name in other["answer"]["files"]
        assert saved["answer"]["digest"] == other["answer"]["digest"]

    play(folder, script)


def test_an_edit_of_a_link_s_text_is_restored_with_the_link(folder):
    link = link_to(ENTRY, "", "little-go").text()

    async def edit(page, browser, ask):
        (opened,) = await ask(1, "/api/link", link=link)
        revision = opened["answer"]["revision"]
        await ask(2, "/api/edit", revision=revision, changes=[{"from": 0, "to": 0, "insert": "# x\n"}])
        page.studio.keep_draft()
        page.studio.drafts.close()

    async def look(page, browser, ask):
        (opened,) = await ask(1, "/api/link", link=link)
        assert opened["answer"]["restored"] and opened["answer"]["text"].startswith("# x\n")
        assert not opened["answer"]["link"]["own"] and "id: mine" in opened["answer"]["text"]

    play(folder, edit)
    play(folder, look)
    assert sorted(path.name for path in folder.glob("*.yaml")) == ["patterns.yaml"]


def test_a_task_gets_only_the_files_that_changed_since_the_last_one(folder, monkeypatch):
    monkeypatch.setattr(in_page, "FINISHING", 0.0)

    async def script(page, browser, ask):
        await ask(2, "/api/ask/check", revision=FIRST)
        first = json.loads(browser.tasks[0])["files"]
        assert {"patterns.yaml"} <= set(first)
        await second(page, browser)
        (folder / "games.sgf").write_text("(;)")
        await ask(3, "/api/ask/check", revision=FIRST)
        assert json.loads(browser.tasks.pop())["files"] == {"games.sgf": "(;)"}
        await ask(4, "/api/ask/check", revision=FIRST)  # this ends the worker, so a new one needs all files
        assert set(json.loads(browser.tasks.pop())["files"]) == {*first, "games.sgf"}

    play(folder, script)


def test_a_task_gets_only_the_part_of_the_text_that_changed(folder, monkeypatch):
    monkeypatch.setattr(in_page, "FINISHING", 0.0)

    async def script(page, browser, ask):
        worker = SecondWorker(page.hear, browser.load)
        await ask(2, "/api/ask/check", revision=FIRST)
        await worker.do(browser.tasks.pop(0))
        await ask(3, "/api/edit", revision=FIRST, changes=[{"from": 3, "to": 5, "insert": "# x\n"}])
        await ask(4, "/api/ask/check", revision=FIRST + 1)
        task = json.loads(browser.tasks[0])
        assert task["change"] == {"start": 3, "end": 5, "insert": "# x\n"} and "text" not in task["snapshot"]
        await worker.do(browser.tasks.pop(0))
        assert in_page.SESSION.text == CENTRE[:3] + "# x\n" + CENTRE[5:] == page.studio.document.text
        await ask(5, "/api/ask/check", revision=FIRST + 1)
        page.receive(json.dumps({"id": 5, "abort": True}))  # this ends the worker, so a new one needs the whole text
        await asyncio.sleep(0.01)
        await ask(6, "/api/ask/check", revision=FIRST + 1)
        assert json.loads(browser.tasks[-1])["change"] == {"start": 0, "end": 0, "insert": page.studio.document.text}

    play(folder, script)


def test_a_task_gets_the_text_as_opened_only_if_the_worker_lacks_it(folder, monkeypatch):
    monkeypatch.setattr(in_page, "FINISHING", 0.0)
    (folder / "other.yaml").write_text("# other\n" + CENTRE)

    async def script(page, browser, ask):
        worker = SecondWorker(page.hear, browser.load)
        for number, opened in ((1, True), (2, False)):
            await ask(number, "/api/ask/check", revision=FIRST)
            assert ("opened" in json.loads(browser.tasks[0])["snapshot"]) == opened
            await worker.do(browser.tasks.pop(0))
            assert in_page.SESSION.snapshot.opened == CENTRE
        (state,) = await ask(3, "/api/open", file="other.yaml")
        revision = state["answer"]["revision"]
        await ask(4, "/api/ask/check", revision=revision)
        await worker.do(browser.tasks.pop(0))
        assert in_page.SESSION.snapshot.opened == "# other\n" + CENTRE
        await ask(5, "/api/ask/check", revision=revision)
        await ask(6, "/api/ask/check", revision=revision)  # this ends the worker, so a new one needs the text
        assert "opened" in json.loads(browser.tasks[-1])["snapshot"]

    play(folder, script)


def test_the_comparison_on_a_board_is_left_to_the_second_worker(folder):
    async def script(page, browser, ask):
        position = "/".join(["....."] * 5)
        assert await ask(1, "/api/ask/change_here", revision=FIRST, position=position) == []
        assert len(browser.tasks) == 1

    play(folder, script)


def test_a_task_whose_files_cannot_be_written_is_a_problem_and_the_next_one_is_answered(folder, monkeypatch):
    def fail(*_):
        raise OSError(28, "No space left on device", "patterns.yaml")

    async def script(page, browser, ask):
        worker = SecondWorker(page.hear, browser.load)
        assert await ask(1, "/api/ask/check", revision=FIRST) == []
        with monkeypatch.context() as patch:
            patch.setattr(worker, "_take_files", fail)
            await worker.do(browser.tasks.pop(0))
        await asyncio.sleep(0.01)
        assert browser.of(1)[0]["problem"]["code"] == "disk"
        assert await ask(2, "/api/ask/check", revision=FIRST) == []
        await worker.do(browser.tasks.pop(0))
        await asyncio.sleep(0.01)
        assert "answer" in browser.of(2)[0]

    play(folder, script)


def test_changes_name_removed_files_once(tmp_path):
    changes = in_page.Changes(tmp_path)
    (tmp_path / "one").write_text("1")
    assert changes.take() == ["one"] and changes.take() == []
    (tmp_path / "one").unlink()
    (tmp_path / "two").write_text("2")
    (tmp_path / "three").write_text("3")
    changes.skip("two")
    assert changes.take() == ["one", "three"] and changes.take() == []
    for name in ("one", "two"):
        (tmp_path / name).write_text("new")
    changes.skip()
    assert changes.take() == []


def test_a_rehearsal_leaves_no_files(tmp_path, monkeypatch):
    monkeypatch.setattr(first, "SESSION", Session())
    first.rehearse(str(tmp_path))
    assert first.SESSION.snapshot.filename == "patterns.yaml" and list(tmp_path.iterdir()) == []


def test_the_site_s_answers_are_about_the_shipped_text_alone(tmp_path):
    async def revision_in(folder):
        page = Page(Browser(), str(folder), "patterns.yaml")
        return (await page.desk.answer("", "GET", "/api/state", {}))["revision"]

    for name in ("site", "new", "stored"):
        (tmp_path / name).mkdir()
    (tmp_path / "stored" / "patterns.yaml").write_text("# mine\n" + PATTERNS_YAML.read_text())
    shipped = first.first_view(tmp_path / "site")["state"]["revision"]
    assert asyncio.run(revision_in(tmp_path / "new")) == shipped
    assert asyncio.run(revision_in(tmp_path / "stored")) != shipped
