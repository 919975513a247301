"""Tests of the form's edits: applied if the entry stays valid, otherwise refused with a reason."""

from __future__ import annotations

import pytest
from small_knowledge import CUTTING

from littlego.cli.arguments import ArgumentError
from littlego.editor.answers.forms import fill_in
from littlego.editor.changes import Change, applied
from littlego.editor.session import Session, Snapshot


def filled(text, **operation):
    """Return the text after the form's edit of `give-atari`."""
    session = Session(Snapshot(1, text, "patterns.yaml", "patterns.yaml"))
    found = fill_in(session, pattern="give-atari", **operation)["changes"]
    return applied(text, [Change(one["from"], one["to"], one["insert"]) for one in found])


def test_a_good_value_is_written():
    assert filled(CUTTING, op="set", key="priority", value=510) == filled(
        CUTTING, op="set", key="priority", value="510"
    )
    assert "priority: 510" in filled(CUTTING, op="set", key="priority", value=510)


@pytest.mark.parametrize(
    ("operation", "why"),
    [
        ({"op": "set", "key": "priority", "value": 10_000}, "9999"),
        ({"op": "set", "key": "points", "value": "10 * libertys(A)"}, "libertys"),
        ({"op": "set", "key": "class", "value": "atack"}, "atack"),
        ({"op": "set", "key": "id", "value": "cut-across"}, "already used"),
        ({"op": "set_item", "key": "when", "index": 0, "value": "liberties(Q) > 1"}, "Q"),
        ({"op": "remove", "key": "labels"}, "A"),
    ],
)
def test_a_mistake_is_refused_with_its_words(operation, why):
    with pytest.raises(ArgumentError, match=why):
        filled(CUTTING, **operation)


def test_a_mistake_that_is_there_hinders_no_other_edit():
    wrong = CUTTING.replace("class: attack", "class: atack")
    assert wrong != CUTTING
    assert "priority: 510" in filled(wrong, op="set", key="priority", value=510)
