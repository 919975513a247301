"""What two pattern files say differently."""

from __future__ import annotations

import pytest
from effects_files import PATTERNS, RENAMED, STRONGER, WITHOUT

from tools.effects.books import read_knowledge
from tools.effects.diff_report import edits_summary
from tools.effects.edits import ADDED, CHANGED, REMOVED, find_edits
from tools.knowledge.compiler import compile_text


@pytest.fixture
def read(tmp_path):
    def read(text, compiled=False):
        path = tmp_path / f"{abs(hash(text))}"
        path.write_bytes(compile_text(text, "p.yaml", False)[0] if compiled else text.encode())
        return read_knowledge(path)

    return read


def test_nothing_where_nothing_differs(read):
    assert find_edits(read(PATTERNS), read(PATTERNS)) == []
    assert find_edits(read(PATTERNS), read(PATTERNS, compiled=True)) == []


def test_added_and_removed_patterns(read):
    [gone] = find_edits(read(PATTERNS), read(WITHOUT))
    assert (gone.id, gone.kind, gone.decisive) == ("above-own", REMOVED, True)
    assert gone.keys["points"] == ("5 * line(*)", "")
    [new] = find_edits(read(WITHOUT), read(PATTERNS))
    assert (new.kind, new.keys["diagram"]) == (ADDED, ("", "X *"))
    assert edits_summary([gone, new]) == "Patterns: 1 added, 1 removed"


@pytest.mark.parametrize(
    "old, new, key, decisive",
    [
        ("priority: 900", "priority: 901", "priority", True),
        ("O *\n", "O O *\n", "diagram", True),
        ("points: 20", "points: 21", "points", True),
        ("points: 20", "points: 20\n    forbid: true", "forbid", True),
        ("points: 20", "points: 20\n    when:\n      - moves_left > 3", "when", True),
        ("Begin in the centre.", "Begin there.", "summary", False),
        ("class: attack", "class: cut", "class", False),
        ("points: 20", "points: 20\n    doubt: Is it?", "doubt", False),
        ("points: 20", "points: 20\n    rare: It is.", "rare", False),
        ("points: 20", "points: 20\n    tags: [a, b]", "tags", False),
        ("moves_left: 24", "moves_left: 22", "examples", False),
    ],
)
def test_a_changed_pattern_names_its_keys(read, old, new, key, decisive):
    assert old in PATTERNS
    [edit] = find_edits(read(PATTERNS), read(PATTERNS.replace(old, new, 1)))
    assert edit.kind == CHANGED and key in edit.keys and edit.decisive == decisive
    assert set(edit.keys) == {key}


def test_two_compiled_files_are_compared_as_compiled(read):
    [edit] = find_edits(read(PATTERNS, compiled=True), read(STRONGER))
    assert edit.keys == {"points": ("5 * line(*)", "90 * line(*)")}
    [edit] = find_edits(read(PATTERNS), read(RENAMED, compiled=True))
    assert list(edit.keys) == ["summary"] and not edit.decisive
