"""Tests of edits by form and drawing: only the intended lines change, and to the intended values."""

from __future__ import annotations

import difflib

import pytest
from knowledge_files import YAML
from small_knowledge import CUTTING

from littlego.cli.arguments import ArgumentError
from littlego.editor.changes import applied
from littlego.editor.drawings import DrawingEdit
from littlego.editor.edits import Editing, scalar
from littlego.editor.entries import Entries

TEXT = YAML.read_text(encoding="utf-8")
NOTED = CUTTING.replace("    priority: 500\n", "    # above all others\n    priority: 500  # for now\n", 1)


def edited(text, name, edit):
    """Return (the edited text, the edited pattern or None if it is invalid, the removed and added lines)."""
    entries = Entries(text, "patterns.yaml")
    after = applied(text, edit(Editing(entries, entries.entry(name))))
    lines = [one for one in difflib.ndiff(text.splitlines(), after.splitlines()) if one.startswith(("+", "-"))]
    again = Entries(after, "patterns.yaml")
    compiled = again.compiled(again.entry(name))
    return after, (compiled.patterns or [None])[0], lines


def test_a_value_is_replaced_and_the_comments_stay():
    _, pattern, lines = edited(NOTED, "cut-across", lambda one: one.set("priority", 940))
    assert pattern.priority == 940
    assert lines == ["-     priority: 500  # for now", "+     priority: 940  # for now"]


@pytest.mark.parametrize(
    ("key", "value", "line"),
    [
        ("summary", 'Cut: "now"', '+     summary: "Cut: \\"now\\""'),
        ("points", "10 * atari(*)", "+     points: 10 * atari(*)"),
        ("class", "attack", "+     class: attack"),
        ("sacrifice", True, "+     sacrifice: true"),
        ("doubt", "None yet.", '+     doubt: "None yet."'),
        ("tags", ["joseki", "corner"], "+     tags: [joseki, corner]"),
        ("rare", "true", '+     rare: "true"'),
    ],
)
def test_a_key_is_set_or_written_at_its_place(key, value, line):
    after, pattern, lines = edited(CUTTING, "cut-across", lambda one: one.set(key, value))
    assert pattern is not None
    assert lines[-1] == line and len(lines) <= 2
    kept = [one for one in after.splitlines() if one != line[2:]]
    assert set(kept) <= set(CUTTING.splitlines())


def test_a_key_is_removed_with_its_lines():
    _, pattern, lines = edited(NOTED, "give-atari", lambda one: one.remove("labels"))
    assert pattern is None  # invalid: the condition still refers to the removed label
    assert lines == ["-     labels: |", "-       A ."]
    _, pattern, lines = edited(NOTED, "cut-across", lambda one: one.remove("when"))
    assert pattern.when == [] and len(lines) == 3


def test_conditions_are_changed_added_and_removed_one_by_one():
    _, pattern, lines = edited(CUTTING, "cut-across", lambda one: one.set_item("when", 0, "cuts(*) >= 3"))
    assert lines == ["-       - cuts(*) >= 2", "+       - cuts(*) >= 3"]
    _, pattern, lines = edited(CUTTING, "cut-across", lambda one: one.set_item("when", 2, "not passed"))
    assert lines == ["+       - not passed"] and pattern.when_text[2] == "not passed"
    _, pattern, lines = edited(CUTTING, "cut-across", lambda one: one.set_item("when", 0, None))
    assert lines == ["-       - cuts(*) >= 2"]
    _, pattern, lines = edited(CUTTING, "give-atari", lambda one: one.set_item("when", 0, None))
    assert lines == ["-     when:", "-       - liberties_after(A) == 1"]
    _, pattern, lines = edited(CUTTING, "cut-across", lambda one: one.set("when", ["passed", "own_liberties(*) > 1"]))
    assert pattern.when_text == ["passed", "own_liberties(*) > 1"] and len(lines) == 4


def test_a_cell_is_one_character():
    def draw(one):
        return DrawingEdit(one).cell(1, 0, "x")

    _, pattern, lines = edited(CUTTING, "cut-across", draw)
    assert pattern.rows == ["O*", "xO"] and lines == ["-       X O", "+       x O"]


def test_the_move_is_at_one_place_only():
    _, pattern, lines = edited(CUTTING, "cut-across", lambda one: DrawingEdit(one).cell(0, 0, "*"))
    assert pattern.rows == ["*.", "XO"] and len(lines) == 2


def test_labels_that_repeat_a_symbol_follow_it():
    text = (
        CUTTING.replace("      A .\n", "      A *\n")
        .replace("      O *\n    labels", "      O * X\n    labels")
        .replace("      A *\n", "      A * X\n")
    )
    _, pattern, _ = edited(text, "give-atari", lambda one: DrawingEdit(one).cell(0, 2, "O"))
    assert pattern.rows == ["O*O"] and pattern.label_rows == ["A.."]


def test_a_label_is_written_and_taken_away():
    after, pattern, lines = edited(CUTTING, "cut-across", lambda one: DrawingEdit(one).label(1, 1, "B"))
    assert pattern.label_rows == ["..", ".B"] and lines[0] == "+     labels: |"
    again, pattern, _ = edited(after, "cut-across", lambda one: DrawingEdit(one).label(1, 1, ""))
    assert again == CUTTING and pattern.label_rows == []


@pytest.mark.parametrize(
    ("edit", "rows"),
    [
        (lambda one: one.edge("top"), ["--", "O*", "XO"]),
        (lambda one: one.edge("left"), ["|O*", "|XO"]),
        (lambda one: one.grow("bottom"), ["O*", "XO", "??"]),
        (lambda one: one.grow("right"), ["O*?", "XO?"]),
        (lambda one: one.shrink("left"), ["*", "O"]),
        (lambda one: one.shrink("bottom"), ["O*"]),
    ],
)
def test_edges_and_lines_come_and_go(edit, rows):
    after, pattern, _ = edited(CUTTING, "cut-across", lambda one: edit(DrawingEdit(one)))
    assert pattern.rows == rows
    assert after.splitlines()[:8] == CUTTING.splitlines()[:8]


def test_growing_back_and_forth_leaves_labels_where_they_were():
    after, pattern, _ = edited(CUTTING, "give-atari", lambda one: DrawingEdit(one).grow("top"))
    assert (pattern.rows, pattern.label_rows) == (["??", "O*"], ["..", "A."])
    again, _, _ = edited(after, "give-atari", lambda one: DrawingEdit(one).shrink("top"))
    assert again == CUTTING


def test_within_its_edge_a_drawing_grows():
    after, pattern, _ = edited(CUTTING, "cut-across", lambda one: DrawingEdit(one).edge("top"))
    _, pattern, _ = edited(after, "cut-across", lambda one: DrawingEdit(one).grow("top"))
    assert pattern.rows == ["--", "??", "O*", "XO"]


def test_no_symbol_is_drawn_on_an_edge():
    after, _, _ = edited(CUTTING, "cut-across", lambda one: DrawingEdit(one).edge("top"))
    with pytest.raises(ArgumentError, match="cannot draw on the edge `-` at 0,0; expected a point of the board"):
        edited(after, "cut-across", lambda one: DrawingEdit(one).cell(0, 0, "X"))


def test_no_symbol_of_a_sequence_is_drawn_on_an_edge():
    text = CUTTING.replace("    diagram: |\n", "    sequence: |\n", 1)
    name = Entries(text, "patterns.yaml").ids[0]
    after = applied(text, DrawingEdit(Editing(*asked(text, name))).edge("top"))
    with pytest.raises(ArgumentError, match="cannot draw on the edge `-` at 0,0"):
        DrawingEdit(Editing(*asked(after, name))).cell(0, 0, "X")


def asked(text, name):
    entries = Entries(text, "patterns.yaml")
    return entries, entries.entry(name)


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lambda one: one.set("prioriti", 3), "no key `prioriti`"),
        (lambda one: one.set("summary", "  "), "is empty"),
        (lambda one: one.set("summary", "a\nb"), "has several lines"),
        (lambda one: one.set_item("when", 5, "passed"), "there is no item 5"),
        (lambda one: one.remove("doubt"), "there is no `doubt`"),
        (lambda one: DrawingEdit(one).cell(0, 0, "Z"), "`Z` is not a symbol of a diagram"),
        (lambda one: DrawingEdit(one).cell(4, 0, "X"), "no cell 4,0"),
        (lambda one: DrawingEdit(one).label(0, 0, "X"), "expected a capital letter"),
        (lambda one: DrawingEdit(one).shrink("right"), "include a move"),
        (lambda one: DrawingEdit(one).edge("middle"), "unknown side `middle`"),
    ],
)
def test_what_cannot_be_is_refused(edit, said):
    with pytest.raises(ArgumentError) as refused:
        edited(CUTTING, "cut-across", edit)
    assert said in str(refused.value)


def test_every_pattern_of_ours_takes_an_edit_of_every_key_and_stays_itself_else():
    entries = Entries(TEXT, "patterns.yaml")
    for entry in entries.all[::20]:
        editing = Editing(entries, entry)
        for key, value in (("priority", 7), ("summary", "Said anew."), ("doubt", "Who knows?"), ("points", "-7")):
            after = applied(TEXT, editing.set(key, value))
            lines = [one for one in difflib.unified_diff(TEXT.splitlines(), after.splitlines(), n=0)][2:]
            assert 2 <= len(lines) <= (6 if key == "points" else 3), (entry, key, lines)  # a table has up to four lines
            again = Entries(after, "patterns.yaml", entries.kept)
            [pattern, *_] = again.compiled(again.all[entry.number]).patterns
            names = {"points": "points_text"}
            assert str(getattr(pattern, names.get(key, key))) == str(value)


@pytest.mark.parametrize(
    "text", ["- 5", "a: b", "a #b", "* 2", "'quoted'", "[a]", "true", "&a", "!x", "- x", "%", "@a"]
)
def test_text_that_yaml_would_read_otherwise_is_quoted(text):
    assert scalar(text, is_prose=True)[0] == '"'
    if text != "true":
        assert scalar(text)[0] == '"'
