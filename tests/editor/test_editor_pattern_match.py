"""Tests of the pattern view on patterns.match.yaml: large boards, sequences, and shared patterns."""

from __future__ import annotations

import difflib
import random
from pathlib import Path

import pytest
from test_editor_badges import count_hits, left_out

from littlego.editor.answers import checking, editing, firing, helping
from littlego.editor.badges import badges
from littlego.editor.changes import applied
from littlego.editor.drawings import DrawingEdit
from littlego.editor.edits import Editing
from littlego.editor.methods import Refusal
from littlego.editor.placements import Placements
from littlego.editor.positions import position_text, read_position
from littlego.editor.session import Session, Snapshot

TEXT = Path("patterns.match.yaml").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def session():
    session = Session()
    session.take(Snapshot(1, TEXT, "patterns.match.yaml"))
    return session


def drawn_entries(session, number, seed=2):
    """Return random entries with a diagram, each with its patterns."""
    entries = [one for one in session.entries.all if "    diagram: |" in session.entries.cut.text_of(one)]
    return [(one, *session.entries.compiled(one).patterns) for one in random.Random(seed).sample(entries, number)]


def sequence_of(session):
    """Return (the first entry that is a sequence, the entry's patterns)."""
    entry = next(one for one in session.entries.all if "    sequence: |" in session.entries.cut.text_of(one))
    return entry, session.entries.compiled(entry).patterns


def test_the_outline_has_sequences_and_shared_patterns(session):
    found = editing.outline_of(session)
    assert (found["ruleset"], found["size"], found["outside"]) == ("match", 19, [])
    shared = [one for one in found["entries"] if one["shared"]]
    assert shared and all(one["line"] is None for one in shared)
    assert any(one["sequence"] for one in found["entries"])
    first = found["entries"][0]
    assert TEXT.splitlines()[first["line"] - 1].endswith(f"- id: {first['id']}") and first["summary"]


def test_badges_on_large_boards_are_what_the_engine_lets_fire(session):
    for _, pattern in drawn_entries(session, 8):
        position = min((one.position() for one in pattern.examples), key=lambda one: one.ruleset.size)
        found = badges(Placements(pattern, position))
        assert found["hits"] == count_hits(pattern, position)
        for clause in random.Random(1).sample(found["clauses"], min(3, len(found["clauses"]))):
            other = left_out(pattern, clause)
            assert clause["without"] == (None if other is None else count_hits(other, position)), (pattern.id, clause)


def test_each_move_of_a_sequence_fires_by_itself_and_all_together(session):
    entry, patterns = sequence_of(session)
    name = session.entries.ids[entry.number]
    example = next(one for one in patterns[0].examples if one.must_fire)
    board = position_text(example.position())
    found = firing.fires(session, pattern=name, position=board)
    assert [one["pattern"] for one in found["patterns"]] == [one.id for one in patterns]
    assert found["count"] > 0
    alone = firing.fires(session, pattern=patterns[0].id, position=board)
    assert alone["patterns"] == found["patterns"][:1]
    told = checking.examples(session, pattern=name)
    assert told["compiles"] and not any(one["finding"] for one in told["examples"])


def test_a_sequence_is_a_form_and_its_cells_are_edited(session):
    entry, patterns = sequence_of(session)
    told = editing.entry(session, pattern=session.entries.ids[entry.number])
    assert told["readable"] and told["drawing"]["key"] == "sequence"
    rows = told["drawing"]["rows"]
    row, column = next((y, line.index("?")) for y, line in enumerate(rows) if "?" in line)
    after = applied(TEXT, DrawingEdit(Editing(session.entries, entry)).cell(row, column, "."))
    changed = [one for one in difflib.ndiff(TEXT.splitlines()[: entry.last], after.splitlines()[: entry.last])]
    assert sum(one[0] in "+-" for one in changed) == 2
    keys = {one["key"]: one for one in told["keys"]}
    assert keys["replies"]["kind"] == "numbers" and keys["summary"]["value"] == patterns[0].summary


def test_a_shared_pattern_fires_and_cannot_be_edited(session):
    shared = session.entries.shared[0]
    board = "/".join(["." * 9] * 9)
    assert firing.fires(session, pattern=shared.id, position=board)["compiles"]
    with pytest.raises(Refusal, match="no pattern"):
        editing.entry(session, pattern=shared.id)


def test_facts_for_large_boards_are_offered_and_answer(session):
    _, pattern = drawn_entries(session, 1)[0]
    begin = TEXT.index("- board_size >= 13") + len("- board_si")
    board = position_text(read_position("/".join(["." * 13] * 13), "match"))
    found = helping.complete(session, offset=begin, position=board)
    assert [one["label"] for one in found["options"]] == ["board_size"]
    assert found["options"][0]["values"] == [{"text": "board_size", "value": 13}]
    assert helping.hover(session, offset=begin, position=board)["values"] == [{"text": "board_size", "value": 13}]


def test_findings_of_an_entry_are_told_without_reading_the_others(session):
    entry, pattern = drawn_entries(session, 1, 7)[0]
    known = len(session.entries.kept.compiled)
    found = checking.findings(session, pattern=pattern.id)
    assert (found["problems"], found["outside"]) == ([], [])
    assert len(session.entries.kept.compiled) == known
