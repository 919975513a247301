"""Tests of the studio's HTTP interface with the TestClient: questions, edits, and jobs."""

from __future__ import annotations

import asyncio
import gc
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import Request
from studio_apps import CENTRE

from littlego.cli.main import main
from littlego.editor.methods import METHODS, Refusal, find
from littlego.editor.session import Snapshot
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.problems import plural
from littlego.studio import desk
from littlego.studio.app import while_awaited
from littlego.studio.worker import Worker


def test_it_begins_with_the_text_of_the_file(client):
    state = client.get("/api/state")
    assert state["text"] == CENTRE and state["saved"] and not state["restored"]
    assert state["file"] == "patterns.yaml" and state["files"] == ["patterns.yaml"]
    assert state["ruleset"] == "little-go" and state["readonly"] == ""


def test_an_answer_belongs_to_the_revision_that_was_asked_about(client):
    assert client.replace("centre", "midpoint") == 2
    found = client.post("/api/ask/outline", revision=2)
    assert found["revision"] == 2 and ids_of(found["answer"]) == ["midpoint"]
    stale = client.post("/api/ask/outline", revision=1)
    assert stale["problem"]["code"] == "stale" and stale["problem"]["revision"] == 2


def test_several_questions_are_answered_together_each_with_its_own_problem(client):
    asks = [{"method": "outline", "parameters": {}}, {"method": "findings", "parameters": {"pattern": "none"}}, "?"]
    outline, findings, neither = client.post("/api/ask", revision=1, asks=asks)["answers"]
    assert outline == {"answer": client.post("/api/ask/outline", revision=1)["answer"]}
    assert findings == {"problem": client.post("/api/ask/findings", revision=1, pattern="none")["problem"]}
    assert neither["problem"]["code"] == "invalid"
    assert client.code("/api/ask", revision=1, asks=asks * 10) == "invalid"


RENAME = [{"from": CENTRE.index("centre"), "to": CENTRE.index("centre") + len("centre"), "insert": "midpoint"}]
OUTLINE, FINDINGS = {"method": "outline", "parameters": {}}, {"method": "findings", "parameters": {"pattern": "none"}}
FACTS = {"method": "facts", "parameters": {}}


def test_an_edit_carries_questions_about_the_text_that_it_makes(client):
    edited, first, second = client.edit_and_ask(1, RENAME, [OUTLINE, FINDINGS], [{**OUTLINE, "slot": -2}])
    assert edited == {"revision": 2, "saved": False}
    outline, findings = first["answers"]
    assert ids_of(outline["answer"]) == ["midpoint"] and findings["problem"]["code"] == "unknown"
    assert second == {"answers": [outline]} and "midpoint" in client.text


def test_an_edit_sends_the_changes_of_answers_that_the_page_holds(client):
    def outline(revision, changes, **held):
        (answer,) = client.edit_and_ask(revision, changes, [{**OUTLINE, **held}])[1]["answers"]
        return answer

    first, equal = outline(1, []), {"changes": {}}
    assert outline(2, [], held=2) == equal == outline(3, [], held=3)
    assert outline(4, [], held=3) == equal  # the page sent the edit before it had the last answer
    assert outline(5, [], held=2) == first == outline(6, [], held=[6])  # no longer stored; not a revision
    client.page = "other"
    assert outline(7, [], held=7) == first
    ((at, renamed),) = outline(8, RENAME, held=8)["changes"]["entries"]["items"].items()
    assert renamed == {**first["answer"]["entries"][int(at)], "id": "midpoint"}
    assert outline(9, [], held=9) == equal
    assert outline(10, [], held=8) == {"changes": {"entries": {"items": {at: renamed}}}}


@given(st.data())
def test_the_changes_lead_from_one_answer_to_the_other(data):
    values = st.one_of(st.integers(0, 2), st.lists(st.integers(0, 2), max_size=4), st.none())
    before, after = (data.draw(st.fixed_dictionaries({"a": values, "b": values})) for _ in range(2))
    patched = json.loads(json.dumps(before))
    for field, change in json.loads(json.dumps(desk.changes_of(before, after))).items():
        for at, item in change.get("items", {}).items():
            patched[field][int(at)] = item
        patched[field] = change.get("value", patched[field])
    assert patched == after


def test_only_the_last_answers_are_kept_for_comparison(client, monkeypatch):
    monkeypatch.setattr(desk, "MOST_HELD", 1)
    both = [[OUTLINE, FACTS]]
    client.edit_and_ask(1, [], *both)
    held = [[{**OUTLINE, "held": 2}, {**FACTS, "held": 2}]]
    outline, facts = client.edit_and_ask(2, [], *held)[1]["answers"]
    assert "answer" in outline and "answer" in facts


def test_an_edit_of_an_earlier_revision_answers_nothing_and_changes_nothing(client):
    client.edit_and_ask(1, RENAME, [OUTLINE])
    late = client.post("/api/edit", revision=1, changes=RENAME, asks=[[OUTLINE]])
    assert late["problem"]["code"] == "stale" and late["problem"]["revision"] == 2
    assert late["problem"]["since"] == [RENAME]


@pytest.mark.parametrize("asks", [OUTLINE, [OUTLINE], "outline", [[OUTLINE] * 15, [OUTLINE] * 6]])
def test_an_edit_with_questions_that_cannot_be_is_not_made(client, asks):
    assert client.code("/api/edit", revision=1, changes=RENAME, asks=asks) == "invalid"
    assert client.text == CENTRE


def test_the_questions_of_an_edit_are_stale_once_another_edit_came(client):
    """If the next edit arrives before the answers, the questions of the first edit are refused as stale."""
    worker = client.studio.lanes.workers["quick"]
    answered = worker.ask

    async def ask(*request):
        if client.studio.document.revision == 2:
            client.studio.edit("other", 2, [])
        return await answered(*request)

    worker.ask = ask
    edited, first = client.edit_and_ask(1, RENAME, [OUTLINE])
    assert edited["revision"] == 2
    assert first["answers"][0]["problem"]["code"] == "stale" and first["answers"][0]["problem"]["revision"] == 3


def test_of_a_slot_the_question_of_the_newest_edit_counts():
    """A newer question replaces a waiting question of the same slot. The newest question is always answered."""
    answers, worker = [], Worker("quick", lambda: Snapshot(1, CENTRE))

    async def test():
        asked = [asyncio.create_task(worker.ask("one -1", 1, find(METHODS, "outline"), {})) for _ in range(3)]
        answers.extend(await asyncio.gather(*asked, return_exceptions=True))

    try:
        asyncio.run(test())
    finally:
        worker.close()
    codes = [one.code if isinstance(one, Refusal) else "" for one in answers]
    assert codes[-1] == "" and "stale" in codes[:-1]


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("is_left", [False, True])
def test_what_the_page_no_longer_waits_for_is_given_up(is_left, several):
    said = []

    async def test():
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: said.append(context))
        gone, given_up = asyncio.Event(), asyncio.Event()

        async def receive():
            await gone.wait()
            return {"type": "http.disconnect"}

        async def answer():
            try:
                await asyncio.sleep(60 if is_left else 0)
            except asyncio.CancelledError:
                given_up.set()
                raise
            return "the answer"

        if is_left:
            asyncio.get_running_loop().call_later(0.05, gone.set)
        try:
            asked = asyncio.gather(answer()) if several else answer()
            return await while_awaited(Request({"type": "http"}, receive), asked)
        finally:
            await asyncio.sleep(0.01)
            assert given_up.is_set() == is_left

    if is_left:
        with pytest.raises(Refusal, match="no longer waits"):
            asyncio.run(test())
    else:
        assert asyncio.run(test()) == (["the answer"] if several else "the answer")
    gc.collect()  # collect garbage, so that Python reports unretrieved exceptions now
    assert not said


def ids_of(outline):
    return [entry["id"] for entry in outline["entries"]]


def test_compiling_says_what_the_command_says_and_writes_the_same(client, capsys):
    path = client.studio.document.path
    (done,) = client.work("compile")
    assert done["done"]["written"] and done["done"]["patterns"] == 1 and done["done"]["problems"] == 0
    written = path.with_name("patterns.txt").read_bytes()
    path.with_name("patterns.txt").unlink()
    assert main(["compile", str(path)]) == 0
    assert path.with_name("patterns.txt").read_bytes() == written
    said = f"patterns.txt: {plural(done['done']['patterns'], 'pattern')}, {done['done']['bytes']:,} bytes\n"
    assert capsys.readouterr().out.endswith(said)


def test_what_cannot_be_compiled_is_told_line_by_line_and_writes_nothing(client):
    client.replace("move: 2,2", "move: 2,1")
    state = client.get("/api/state")
    assert client.work("compile")[0]["problem"]["code"] == "changed"  # the player reads the saved file
    client.post("/api/save", revision=state["revision"], digest=state["digest"])
    *results, done = client.work("compile")
    _, problems, _ = compile_text(client.text, client.studio.document.name)
    assert problems and [one["result"] for one in results] == [one.lines()[0] for one in problems]
    assert done["done"]["problems"] == len(problems) and not done["done"]["written"]
    assert not client.studio.document.path.with_name("patterns.txt").exists()


@pytest.mark.parametrize(
    ("path", "body", "code", "said"),
    [
        ("/api/ask/outlin", {"revision": 1}, "unknown", "Did you mean outline"),
        ("/api/ask/outline", {}, "invalid", "revision: found 'None'; expected int"),
        ("/api/ask/outline", {"revision": True}, "invalid", "revision: found 'True'; expected int"),
        ("/api/ask/outline", {"revision": 1, "\ud800": 2}, "invalid", "no parameter"),
        ("/api/ask/outline", {"revision": 1, "more": 2}, "invalid", "no parameter 'more'"),
        ("/api/jobs/nothing", {}, "unknown", "unknown method or job 'nothing'"),
        ("/api/edit", {"revision": 1, "changes": "all"}, "invalid", "changes: found 'all'"),
        ("/api/edit", {"revision": 1, "changes": [{"from": 0, "to": 9}]}, "invalid", "expected an object with"),
        ("/api/edit", {"revision": 1, "changes": [{"from": 5, "to": 4, "insert": ""}]}, "invalid", "overlaps another"),
        (
            "/api/edit",
            {"revision": 1, "changes": [{"from": 0, "to": 10**9, "insert": ""}]},
            "invalid",
            "goes beyond the text",
        ),
        (
            "/api/edit",
            {"revision": 1, "changes": [{"from": 0.5, "to": 1, "insert": ""}]},
            "invalid",
            "expected whole numbers",
        ),
        ("/api/edit", {"revision": 1, "changes": [{"from": 0, "to": 0, "insert": "\ud800"}]}, "invalid", "surrogate"),
        ("/api/save", {"revision": 1}, "invalid", "digest: found 'None'; expected str"),
        ("/api/open", {"file": 1}, "invalid", "file: found '1'; expected str"),
        ("/api/open", {"file": "a" * 5000 + ".yaml"}, "forbidden", "that ends in .yaml"),
        ("/api/open", {"file": "\ud800.yaml"}, "forbidden", "that ends in .yaml"),
        ("/api/ask/open_game", {"revision": 1, "text": "(;C[\ud800])"}, "invalid", "half a surrogate pair"),
        ("/api/ask/open_game", {"revision": 1, "file": "a" * 5000}, "forbidden", "expected a file in"),
    ],
)
def test_what_cannot_be_is_a_problem_with_a_code_and_what_to_do(client, path, body, code, said):
    problem = client.post(path, **body)["problem"]
    assert problem["code"] == code and said in problem["text"]
    assert client.text == CENTRE


def test_overlapping_changes_change_nothing(client):
    changes = [{"from": 0, "to": 5, "insert": "a"}, {"from": 4, "to": 6, "insert": "b"}]
    assert client.code("/api/edit", revision=1, changes=changes) == "invalid"
    assert client.text == CENTRE


def test_changes_count_characters_not_units(client):
    client.replace("the middle", "🀄é the middle")
    client.replace("of the board", "of it")
    assert "summary: 🀄é the middle of it\n" in client.text


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", str(10**400), "true"])
def test_a_number_that_is_not_finite_is_refused(client, number):
    body = f'{{"revision": 1, "game": "little-go;", "move": "2,2", "left": {number}}}'
    answer = client.http.post("/api/ask/move", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400 and answer.json()["problem"]["code"] == "invalid"


@pytest.mark.parametrize("body", [b"{", b"[1]", b'"text"', b"\xff", b"[" * 100_000])
def test_a_body_that_is_no_json_object_is_refused(client, body):
    answer = client.http.post("/api/edit", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400 and answer.json()["problem"]["code"] == "invalid"
