"""Tests of examples in the studio: they run as in `littlego test` and are edited line by line."""

from __future__ import annotations

import difflib
import json
import re

import pytest
from knowledge_files import YAML
from small_knowledge import CUTTING

from littlego.cli.arguments import ArgumentError
from littlego.editor.answers import checking
from littlego.editor.changes import applied
from littlego.editor.edits import Editing
from littlego.editor.entries import Entries
from littlego.editor.example_edits import ExampleEdit
from littlego.editor.positions import read_position
from littlego.editor.session import Session, Snapshot
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.model import Example
from littlego.knowledge.testing import Runner

CUT = "...../..OX./.OXX./..O../..... white left=17"
PLAIN = CUTTING[: CUTTING.index("  - id: give-atari")]


def session_of(text):
    session = Session()
    session.take(Snapshot(1, text, "patterns.yaml"))
    return session


def edited(text, edit, name="cut-across"):
    """Return (the text after an edit of the examples, the removed and added lines)."""
    entries = Entries(text, "patterns.yaml")
    after = applied(text, edit(ExampleEdit(Editing(entries, entries.entry(name)))))
    lines = difflib.ndiff(text.splitlines(), after.splitlines())
    return after, [one for one in lines if one.startswith(("+", "-"))]


def kinds(text):
    _, _, base = compile_text(text, "patterns.yaml", with_examples=False)
    return [(one.kind, one.line) for one in base.patterns[0].examples]


def test_all_examples_of_ours_are_told_as_the_command_tells_them():
    text = YAML.read_text(encoding="utf-8")
    report = Runner().run(text, "patterns.yaml", ["c*"])
    session = session_of(text)
    wanted = {one["name"]: one for one in json.loads(json.dumps(report.as_json()))["examples"]}
    names = [name for name in session.entries.ids if name.startswith("c")]
    told = [one for name in names for one in checking.examples(session, pattern=name)["examples"]]
    assert len(told) == len(wanted) > 15
    for one in told:
        assert one.items() >= wanted[one["name"]].items()
        assert one["problem"] is None and one["name"].endswith(f"::{one['kind']}[{one['index']}]")
        assert read_position(one["position"]).ruleset.size == one["size"] == len(one["rows"])


def test_an_example_that_fails_says_why_and_can_be_put_aside():
    text = PLAIN.replace("          move: 2,1\n", "          move: 0,0\n")
    [first, _] = checking.examples(session_of(text), pattern="cut-across")["examples"]
    assert (first["status"], first["finding"]) == ("missing", True)
    assert first["problem"]["code"] == "P070" and "nearest there" in first["problem"]["text"]
    assert first["problem"]["fix"] is None  # the pattern needs an example under `matches`
    two, _ = edited(text, lambda one: one.duplicate("matches", 0))
    [first, *_] = checking.examples(session_of(two), pattern="cut-across")["examples"]
    assert first["problem"]["fix"]["title"] == "Move the example under `todo_match`"
    after = two
    for change in reversed(first["problem"]["fix"]["changes"]):
        after = after[: change["from"]] + change["insert"] + after[change["to"] :]
    assert [kind for kind, _ in kinds(after)] == ["matches", "no_match", "todo_match"]


@pytest.mark.parametrize(("kind", "number"), [("matches", 2), ("no_match", 2), ("todo_match", 1)])
def test_a_position_becomes_an_example_or_a_counterexample(kind, number):
    after, lines = edited(PLAIN, lambda one: one.add(Example.of_position(kind, read_position(CUT), 6)))
    assert all(line.startswith("+") for line in lines)
    assert [one for one, _ in kinds(after)].count(kind) == number
    assert "+           colour: white" in lines or "+         colour: white" in lines


def test_the_first_example_of_an_entry_brings_its_keys():
    bare = PLAIN[: PLAIN.index("    examples:")]
    after, lines = edited(bare, lambda one: one.add(Example.of_position("matches", read_position(CUT), 6)))
    assert lines[:3] == ["+     examples:", "+       matches:", "+         - board: |"]
    again, _ = edited(after, lambda one: one.add(Example.of_position("no_match", read_position(CUT), 6)))
    assert [kind for kind, _ in kinds(again)] == ["matches", "no_match"]


def test_an_example_is_doubled_below_itself_and_removed_again():
    after, lines = edited(PLAIN, lambda one: one.duplicate("matches", 0))
    assert len(lines) == 7 and [kind for kind, _ in kinds(after)] == ["matches", "matches", "no_match"]
    again, _ = edited(after, lambda one: one.remove("matches", 1))
    assert again == PLAIN


def test_two_examples_change_places():
    two, _ = edited(PLAIN, lambda one: one.add(Example.of_position("matches", read_position(CUT), 6)))
    after, _ = edited(two, lambda one: one.shift("matches", 1, -1))
    assert after != two and sorted(after.splitlines()) == sorted(two.splitlines())
    assert after.index("colour: white") < after.index("move: 2,1")
    again, _ = edited(after, lambda one: one.shift("matches", 0, 1))
    assert again == two


def test_comments_change_places_with_their_example():
    mark = "        - board: |\n"
    assert PLAIN.count(mark) == 2
    said = PLAIN.replace(mark, f"        # the first\n        # of them\n{mark}", 1)
    two, _ = edited(said, lambda one: one.add(Example.of_position("matches", read_position(CUT), 6)))
    two = two.replace("          colour: white\n", "          colour: white  # O is Black here\n")
    after, _ = edited(two, lambda one: one.shift("matches", 0, 1))
    assert sorted(after.splitlines()) == sorted(two.splitlines())
    lines = [line.strip() for line in after.splitlines()]
    assert lines[lines.index("# of them") + 1] == "- board: |"
    assert lines.index("colour: white  # O is Black here") < lines.index("# the first") < lines.index("move: 2,1")
    again, _ = edited(after, lambda one: one.shift("matches", 1, -1))
    assert again == two


def test_an_example_tells_the_form_what_it_says_beside_its_board():
    [first, *_] = checking.examples(session_of(PLAIN), pattern="cut-across")["examples"]
    assert first["fields"] == {
        "colour": "black",
        **dict.fromkeys(("left", "previous", "prisoners", "last", "own_last")),
    }
    passed = read_position(f"{CUT.replace('17', '15')} previous={CUT.split()[0]}")
    more, _ = edited(PLAIN, lambda one: one.add(Example.of_position("matches", passed, 6)))
    told = checking.examples(session_of(more), pattern="cut-across")["examples"][1]
    assert (told["fields"]["colour"], told["fields"]["left"]) == ("white", 15)
    assert told["fields"]["previous"] == told["rows"]  # O has passed


@pytest.mark.parametrize("said", ["", "          colour: black\n"])
def test_with_another_colour_the_moves_left_of_the_old_one_go(said):
    move = "          move: 2,1\n"
    told = PLAIN.replace(move, f"{move}          moves_left: 10  # so many\n{said}", 1)
    after, _ = edited(told, lambda one: one.set("matches", 0, "colour", "white"))
    assert "moves_left" not in after and after.count("colour: white") == 1
    assert kinds(after)[0][0] == "matches"
    back, _ = edited(after, lambda one: one.set("matches", 0, "colour", "black"))
    assert "colour: black" in back


def test_an_example_moves_to_another_kind_and_back():
    two, _ = edited(PLAIN, lambda one: one.duplicate("matches", 0))
    after, lines = edited(two, lambda one: one.move_to("matches", 1, "no_match"))
    assert [kind for kind, _ in kinds(after)] == ["matches", "no_match", "no_match"]
    back, _ = edited(after, lambda one: one.move_to("no_match", 1, "matches"))
    assert back == two
    todo, _ = edited(two, lambda one: one.move_to("matches", 0, "todo_match"))
    assert [kind for kind, _ in kinds(todo)] == ["matches", "no_match", "todo_match"]
    assert "    todo_match:\n      - board: |\n          . X . . .\n" in todo


def test_a_stone_is_put_and_taken_off_and_a_key_set():
    after, lines = edited(PLAIN, lambda one: one.cell("no_match", 0, "board", 4, 4, "X"))
    assert lines == ["-             . . . . .", "+             . . . . X"]
    after, lines = edited(PLAIN, lambda one: one.set("matches", 0, "colour", "white"))
    assert lines == ["+           colour: white"]
    again, lines = edited(after, lambda one: one.set("matches", 0, "colour", None))
    assert again == PLAIN
    after, lines = edited(PLAIN, lambda one: one.set("matches", 0, "move", "0,0"))
    assert lines == ["-           move: 2,1", "+           move: 0,0"]
    board = [".X...", ".OX..", "..O..", ".....", "....."]
    after, lines = edited(PLAIN, lambda one: one.set("matches", 0, "previous", board))
    assert lines[0] == "+           previous: |" and len(lines) == 6


def test_comments_stay_where_they_are():
    noted = PLAIN.replace("      no_match:\n", "          # the one that was lost\n      no_match:\n")
    after, _ = edited(noted, lambda one: one.add(Example.of_position("matches", read_position(CUT), 6)))
    assert re.search(r"# the one that was lost\n\s+- board", after)


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lambda one: one.remove("matches", 3), "no example matches[3]; the entry has 1"),
        (lambda one: one.cell("matches", 0, "board", 5, 0, "X"), "expected X, O or ."),
        (lambda one: one.cell("matches", 0, "move", 0, 0, "X"), "expected X, O or ."),
        (lambda one: one.set("matches", 0, "mov", "0,0"), "there is no key `mov` here"),
        (lambda one: one.set("matches", 0, "last", None), "there is no `last`"),
    ],
)
def test_what_cannot_be_is_refused(edit, said):
    with pytest.raises(ArgumentError) as refused:
        edited(PLAIN, edit)
    assert said in str(refused.value)


def test_every_example_of_ours_can_be_doubled_and_removed():
    text = YAML.read_text(encoding="utf-8")
    entries = Entries(text, "patterns.yaml")
    for entry in entries.all[::9]:
        edit = ExampleEdit(Editing(entries, entry))
        for kind, items in edit.nodes.items():
            after = applied(text, edit.duplicate(kind, len(items) - 1))
            other = Entries(after, "patterns.yaml", entries.kept)
            assert not other.compiled(other.all[entry.number]).problems
            again = ExampleEdit(Editing(other, other.all[entry.number]))
            assert len(again.nodes[kind]) == len(items) + 1
            assert applied(after, again.remove(kind, len(items))) == text
