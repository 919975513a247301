"""Tests of sliders for priority and points: the flipped decisions equal those that an edit changes."""

from __future__ import annotations

import pytest
from corpora import use
from studio_jobs import outcome, session_of
from studio_server import SMALL

from littlego.editor.answers.comparing import diff
from littlego.editor.answers.editing import splice
from littlego.editor.answers.sliding import added_points, slide
from littlego.editor.methods import Refusal
from littlego.paths import DECISIONS

ALL = 10_000


@pytest.fixture(autouse=True)
def record(tmp_path, monkeypatch):
    lines = DECISIONS.read_text(encoding="utf-8").splitlines(keepends=True)
    path = tmp_path / "decisions.txt"
    path.write_text(lines[0] + "".join(lines[1::25]), encoding="utf-8")
    use(monkeypatch, "little-go", record=path)


@pytest.fixture
def session():
    return session_of(SMALL, SMALL.read_text(encoding="utf-8"))


def pattern_of(_):
    return "take-the-last-liberty"


def applied(text, changes):
    for one in sorted(changes, key=lambda one: -one["from"]):
        text = text[: one["from"]] + one["insert"] + text[one["to"] :]
    return text


@pytest.mark.parametrize("moved", [{"priority": 1}, {"more": -150}, {"more": 90}, {"priority": 7, "more": 3}])
def test_what_flips_is_what_the_edit_changes(session, moved):
    pattern = pattern_of(session)
    found = slide(session, pattern=pattern, most=ALL, **moved)
    text = session.text
    for key, value in found["set"].items():
        spliced = session_of(SMALL, text)
        text = applied(text, splice(spliced, pattern=pattern, op="set", key=key, value=value)["changes"])
    results, done = outcome(diff(session_of(SMALL, text)))
    assert found["set"] and done["edits"]
    assert found["changes"] == results[0]["changes"]
    assert found["count"] == done["count"] == sum(found["verdicts"].values())


def test_a_pattern_left_out_is_one_that_the_file_lacks(session):
    pattern = pattern_of(session)
    found = slide(session, pattern=pattern, without=True, most=ALL)
    cut = session.entries.cut
    entry = session.entries.entry(pattern)
    text = session.text.replace(cut.text_of(entry), "", 1)
    results, _ = outcome(diff(session_of(SMALL, text)))
    assert found["changes"] == results[0]["changes"] and found["count"]


def test_as_it_is_nothing_flips(session):
    found = slide(session, pattern=pattern_of(session))
    assert (found["count"], found["set"], found["here"]) == (0, {}, None)


def test_the_board_at_hand_is_told_with_its_reasons(session):
    board = ".X.../XO.../.X.../...../..... black left=18"
    found = slide(session, pattern=pattern_of(session), without=True, position=board)["here"]
    assert found["moved"] == (found["then"]["move"] != found["reasons"][0].split()[0])
    assert len(found["reasons"]) == 2 and "without" in found["said"].lower()


PHASES = "ruleset: little-go\nphases:\n  opening: 13\n  end: 1\n"


@pytest.fixture
def by_phase():
    """A session whose pattern has a table of points in two phases."""
    text = SMALL.read_text(encoding="utf-8").replace("ruleset: little-go\n", PHASES, 1)
    points = "{black: [60, 50], white: [40, 30]}"
    changes = splice(session_of(SMALL, text), pattern=pattern_of(None), op="set", key="points", value=points)["changes"]
    return session_of(SMALL, applied(text, changes))


@pytest.mark.parametrize(
    ("cell", "line"),
    [
        ({}, "{black: [65, 55], white: [45, 35]}"),
        ({"row": "black"}, "{black: [65, 55], white: [40, 30]}"),
        ({"row": "white", "phase": 1}, "{black: [60, 50], white: [40, 35]}"),
        ({"phase": 0}, "{black: [65, 50], white: [45, 30]}"),
    ],
)
def test_a_slider_moves_the_selected_numbers_of_a_table(by_phase, cell, line):
    found = slide(by_phase, pattern=pattern_of(by_phase), more=5, most=0, **cell)
    assert found["set"] == {"points": line} and found["table"]["heads"] == ["13+", "1-12"]
    text = applied(
        by_phase.text, splice(by_phase, pattern=pattern_of(by_phase), op="set", key="points", value=line)["changes"]
    )
    assert slide(session_of(SMALL, text), pattern=pattern_of(by_phase), most=0)["table"] == found["table"]
    assert f"      black: {found['table']['black']}\n" in text


@pytest.mark.parametrize("cell", [{"row": "red"}, {"phase": 2}, {"phase": -1}])
def test_an_unknown_cell_is_refused(by_phase, cell):
    with pytest.raises(Refusal, match="expected row black or white, phase 0 to 1"):
        slide(by_phase, pattern=pattern_of(by_phase), more=5, **cell)


def test_what_the_reader_refuses_is_refused(session):
    with pytest.raises(Refusal, match="cannot have"):
        slide(session, pattern=pattern_of(session), priority=10**9)


@pytest.mark.parametrize(
    ("points", "more", "expected"),
    [
        ("4", 3, "7"),
        ("-2", 1, "-1"),
        ("", 5, "5"),
        ("2 * size(A)", 3, "2 * size(A) + 3"),
        ("size(A)", -3, "size(A) - 3"),
    ],
)
def test_points_are_added_up_or_make_a_sum(points, more, expected):
    assert added_points(points, more) == expected
