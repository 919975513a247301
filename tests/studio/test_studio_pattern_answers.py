"""Tests of answers about a pattern over HTTP: parameters are checked, and texts equal the commands'."""

from __future__ import annotations

import json

import pytest
from knowledge_files import YAML
from small_knowledge import CUTTING
from studio_apps import studio_client

from littlego.cli.main import main
from littlego.editor.methods import METHODS, Refusal, answer, load_answers
from littlego.editor.session import Session, Snapshot

CUT = "...../..OX./.OXX./..O../....."
FAULTY = CUTTING.replace("cuts(*)", "cut(*)").replace("move: 1,1", "move: 4,4")


def session_of(text, name="patterns.yaml"):
    session = Session()
    session.take(Snapshot(1, text, name))
    return session


ASKED = [
    ("fires", {"pattern": "cut-across", "position": CUT}, {"compiles": True, "count": 2}),
    ("badges", {"pattern": "cut-across", "position": CUT}, {"compiles": True}),
    ("why_not_here", {"pattern": "cut-across", "position": CUT, "move": "0,0"}, {"fires": False}),
    ("repairs", {"pattern": "cut-across", "position": CUT, "move": "0,0"}, {"compiles": True}),
    ("outline", {}, {"ruleset": "little-go", "size": 5}),
    ("entry", {"pattern": "give-atari"}, {"id": "give-atari", "number": 1, "readable": True}),
    ("entry_at", {"offset": 60}, {"pattern": "cut-across", "number": 0}),
    ("splice", {"pattern": "#0", "op": "set", "key": "priority", "value": 7}, {}),
    ("findings", {"pattern": "cut-across"}, {"problems": [], "outside": []}),
    ("page", {"code": "p045"}, {"code": "P045", "command": "littlego check --explain P045"}),
    ("examples", {"pattern": "cut-across"}, {"compiles": True, "command": "littlego test -f patterns.yaml cut-across"}),
    ("add_example", {"pattern": "cut-across", "kind": "no_match", "position": CUT, "move": "0,0"}, {}),
    ("edit_example", {"pattern": "cut-across", "kind": "matches", "index": 0, "op": "duplicate"}, {}),
    ("new_pattern", {"position": CUT, "move": "1,1"}, {"pattern": "new-pattern"}),
    ("remove_pattern", {"pattern": "give-atari"}, {}),
    ("complete", {"offset": 10, "position": CUT}, {}),
    ("hover", {"offset": 3, "position": CUT, "symmetry": 0, "place": "0,0"}, {"title": "ruleset (choice, required)"}),
]


@pytest.mark.parametrize(("method", "parameters", "wanted"), ASKED, ids=[one[0] for one in ASKED])
def test_each_method_answers_with_json(method, parameters, wanted):
    found = answer(session_of(CUTTING), method, parameters)
    assert {key: found[key] for key in wanted} == wanted
    assert json.loads(json.dumps(found)) == found
    if method in ("splice", "add_example", "edit_example", "new_pattern", "remove_pattern"):
        assert found["changes"] and all(set(one) == {"from", "to", "insert"} for one in found["changes"])


@pytest.mark.parametrize(
    ("method", "parameters", "code", "said"),
    [
        ("fires", {"pattern": "cut-acros", "position": CUT}, "unknown", "did you mean `cut-across`"),
        ("fires", {"pattern": "cut-across", "position": "X"}, "invalid", "is not a board"),
        ("fires", {"pattern": "cut-across", "position": "/".join(["." * 7] * 7)}, "invalid", "expected size 5"),
        (
            "fires",
            {"pattern": "cut-across", "position": f"{'/'.join(['.' * 7] * 7)} ruleset=match"},
            "invalid",
            "the position is for match-7",
        ),
        ("why_not_here", {"pattern": "cut-across", "position": CUT, "move": "9,9"}, "invalid", "row,column"),
        ("splice", {"pattern": "cut-across", "op": "set", "key": "priority"}, "invalid", "`value` is missing"),
        ("splice", {"pattern": "cut-across", "op": "paint"}, "invalid", "op"),
        ("page", {"code": "X999"}, "unknown", "no code"),
        ("new_pattern", {"position": CUT, "move": "1,2"}, "invalid", "expected a legal move"),
        ("new_pattern", {"position": CUT, "move": "1,1", "summary": " "}, "invalid", "the summary is empty"),
        ("new_pattern", {"position": CUT, "move": "1,1", "summary": "a\nb"}, "invalid", "several lines; expected one"),
        ("new_pattern", {"position": CUT, "move": "1,1", "summary": "a\x7fb"}, "invalid", "U+007F; expected printable"),
        ("new_pattern", {"position": CUT, "move": "1,1", "summary": "a\u202eb"}, "invalid", "U+202E in `summary`; exp"),
        (
            "new_pattern",
            {"position": CUT, "move": "1,1", "summary": "a\udc80b"},
            "invalid",
            "U+DC80; expected printable",
        ),
        ("hover", {"offset": 3, "position": CUT, "symmetry": 9, "place": "0,0"}, "invalid", "0 to 7"),
    ],
)
def test_what_cannot_be_answered_says_what_was_expected(method, parameters, code, said):
    with pytest.raises(Refusal) as refused:
        answer(session_of(CUTTING), method, parameters)
    assert refused.value.code == code and said in refused.value.text


def test_an_entry_that_cannot_be_read_still_answers():
    session = session_of(CUTTING.replace('summary: "Cut', 'summary: "Cut: "', 1))
    assert answer(session, "entry", {"pattern": "cut-across"})["readable"] is False
    assert answer(session, "fires", {"pattern": "cut-across", "position": CUT}) == {
        "compiles": False,
        "count": 0,
        "patterns": [],
    }
    assert answer(session, "findings", {"pattern": "cut-across"})["problems"][0]["code"] == "P003"
    with pytest.raises(Refusal, match="cannot be read as YAML"):
        answer(session, "splice", {"pattern": "cut-across", "op": "remove", "key": "when"})


def told_by(capsys, *arguments):
    main(list(arguments))
    return json.loads(capsys.readouterr().out)


def test_findings_and_examples_are_those_of_the_commands(tmp_path, capsys):
    path = tmp_path / "faulty.yaml"
    path.write_text(FAULTY)
    session = session_of(FAULTY, str(path))
    wanted = told_by(capsys, "check", str(path), "--format", "json", "--no-exact")
    found = answer(session, "check", {"exact": False})
    assert len(wanted["problems"]) == len(found["problems"]) > 1
    for one, other in zip(found["problems"], wanted["problems"], strict=True):
        assert one.items() >= (other | {"file": one["file"]}).items()
    command = told_by(capsys, "test", "-f", str(path), "--json", "-")["examples"]
    names = session.entries.ids
    examples = [one for name in names for one in answer(session, "examples", {"pattern": name})["examples"]]
    by_name = {one["name"]: one for one in examples}
    assert command and all(by_name[one["name"]].items() >= one.items() for one in command)


@pytest.mark.slow
def test_every_example_of_ours_is_told_as_the_command_tells_it(capsys):
    session = session_of(YAML.read_text(encoding="utf-8"), str(YAML))
    wanted = told_by(capsys, "test", "-f", str(YAML), "--json", "-")["examples"]
    names = session.entries.ids
    found = [one for name in names for one in answer(session, "examples", {"pattern": name})["examples"]]
    assert [{key: one[key] for key in wanted[0]} for one in found] == wanted


def test_over_http(tmp_path):
    path = tmp_path / "patterns.yaml"
    path.write_text(CUTTING)
    load_answers()
    assert {name for name, _, _ in ASKED} | {"check"} <= METHODS.keys()
    with studio_client(path) as client:
        revision = client.get("/api/state")["revision"]
        asked = {"pattern": "cut-across", "position": CUT}
        found = client.post("/api/ask/fires", revision=revision, **asked)
        assert found["answer"] == answer(session_of(CUTTING), "fires", asked)
        edit = {"pattern": "cut-across", "op": "cell", "row": 1, "column": 0, "symbol": "O"}
        changes = client.post("/api/ask/splice", revision=revision, **edit)["answer"]["changes"]
        client.post("/api/edit", revision=revision, changes=changes)
        assert "      O *\n      O O\n" in client.get("/api/state")["text"]


def test_an_entry_is_known_by_the_id_that_it_had_until_the_page_knows_the_new_one():
    session, text = session_of(CUTTING), CUTTING
    whole = answer(session, "fires", {"pattern": "cut-across", "position": CUT})
    for revision, name in enumerate(("cut-acros", "cut-acro", "", "split"), 2):
        text = CUTTING.replace("id: cut-across", f"id: {name}")
        session.take(Snapshot(revision, text, "patterns.yaml"))
        found = answer(session, "fires", {"pattern": "cut-across", "position": CUT})
        assert found["count"] == whole["count"] and found["compiles"]
    assert found["patterns"][0]["pattern"] == "split"
    session.take(Snapshot(9, text.replace("id: give-atari", "id: cut-across"), "patterns.yaml"))
    (found,) = answer(session, "badges", {"pattern": "cut-across", "position": CUT})["patterns"]
    assert found["pattern"] == "cut-across"  # the answer is about the entry that now has this id


def test_no_entry_is_known_by_an_id_of_before_where_several_were_edited_or_the_file_is_another():
    for changed, path in ((CUTTING.replace("id: ", "id: a-"), ""), (CUTTING.replace("cut-across", "split"), "other")):
        session = session_of(CUTTING)
        answer(session, "outline", {})
        session.take(Snapshot(2, changed, "patterns.yaml", path))
        with pytest.raises(Refusal, match="no pattern `cut-across`"):
            answer(session, "findings", {"pattern": "cut-across"})
