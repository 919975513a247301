"""Tests of the smallest changes that make a pattern fire. The engine confirms their effects."""

from __future__ import annotations

import random

import pytest
from knowledge_files import YAML
from small_knowledge import CUTTING
from test_editor_badges import count_hits

from littlego.editor.changes import Change, applied
from littlego.editor.drafts import drawn
from littlego.editor.edits import Editing
from littlego.editor.entries import Entries
from littlego.editor.positions import read_position
from littlego.editor.repairs import repairs
from littlego.knowledge.firing import firings_for

CUT = "...../..OX./.OXX./..O../....."


def repaired(text, name, position, move):
    """Yield (repair, repaired pattern) for each repair."""
    entries = Entries(text, "patterns.yaml")
    entry = entries.entry(name)
    [pattern] = entries.compiled(entry).patterns
    for told in repairs(Editing(entries, entry), pattern, position, move):
        changes = [Change(one["from"], one["to"], one["insert"]) for one in told["changes"]]
        after = Entries(applied(text, changes), "patterns.yaml", entries.kept)
        yield told, drawn(after, after.all[entry.number])[0]


@pytest.mark.parametrize(
    ("old", "new", "titles"),
    [
        ("cuts(*) >= 2", "cuts(*) >= 3", {"replace `cuts(*) >= 3` with `cuts(*) >= 2`", "remove `cuts(*) >= 3`"}),
        (
            "own_liberties(*) >= 2",
            "own_liberties(*) < 2",
            {"replace `own_liberties(*) < 2` with `own_liberties(*) < 3`", "remove `own_liberties(*) < 2`"},
        ),
        ("own_liberties(*) >= 2", "passed", {"remove `passed`"}),
    ],
)
def test_a_condition_is_loosened_or_left_out(old, new, titles):
    text, position = CUTTING.replace(old, new, 1), read_position(CUT)
    found = list(repaired(text, "cut-across", position, 6))
    assert {told["title"] for told, _ in found} == titles
    for told, pattern in found:
        assert 6 in firings_for(pattern, position) and told["count"] == count_hits(pattern, position)


def test_a_cell_is_drawn_so_that_it_allows_what_is_there():
    text, position = CUTTING.replace("      O *\n      X O", "      X *\n      X O", 1), read_position(CUT)
    for told, pattern in repaired(text, "cut-across", position, 6):
        assert 6 in firings_for(pattern, position) and "draw" in told["title"]


def test_it_fires_already_or_is_too_far_off():
    position = read_position(CUT)
    assert not list(repaired(CUTTING, "cut-across", position, 6))
    assert not list(repaired(CUTTING, "cut-across", position, 7))  # the point is occupied


def test_what_is_said_of_our_patterns_comes_true():
    text, rng, tried = YAML.read_text(encoding="utf-8"), random.Random(6), 0
    entries = Entries(text, "patterns.yaml")
    position = read_position(CUT)
    for name in rng.sample(entries.ids, 12):
        for move in (6, 0, 11):
            for told, pattern in repaired(text, name, position, move):
                tried += 1
                assert move in firings_for(pattern, position), (name, told["title"])
                assert told["count"] == count_hits(pattern, position), (name, told["title"])
    assert tried > 10
