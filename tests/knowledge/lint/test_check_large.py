"""Tests of `check` for the match, which reasons with bounds of facts and requirements of drawings."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from match_patterns import MATCHES, TOUCH, drawn, entry, example, file_of

from littlego.cli.main import main
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.lint.check import check_text
from littlego.knowledge.lint.large import NOT_ASKED, contains, images_of
from littlego.knowledge.lint.open_boards import open_board_lints
from littlego.knowledge.lint.proofs import lints_of
from littlego.paths import MATCH_YAML
from littlego.rules.matching import parse_shape, placements

A = "    labels: |\n      A .\n"


def found(text: str) -> list[tuple[str, str]]:
    checked = check_text(text.encode(), "patterns.match.yaml", lints_of)
    return [(one.code, one.message) for one in checked.problems if one.code.startswith("L")]


def codes(text: str) -> list[str]:
    return [code for code, _ in found(text)]


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ("liberties(A) >= 1", "L210"),
        ("liberties(A) == 0", "L211"),
        ("weak(A) <= 1", "L210"),
        ("weak(A) > 1", "L211"),
        ("own_around(*) > 49", "L211"),
        ("last_distance(*) <= 99", "L210"),
        ("line(*) >= 3", None),
        ("board_size >= 7", None),  # the board of a match may have 5 lines
        ("board_size >= 5", "L210"),
        ("prisoner_lead >= -400", None),
    ],
)
def test_a_condition_that_never_decides(condition, code):
    text = file_of(entry(body=TOUCH + A + f"    when: {condition}\n"))
    assert [one for one in codes(text) if one in ("L210", "L211")] == ([code] if code else [])


def test_conditions_that_exclude_each_other():
    said = found(file_of(entry(body=TOUCH + A + "    when:\n      - liberties(A) <= 2\n      - liberties(A) > 2\n")))
    assert [code for code, _ in said] == ["L201"] and "are never both true" in said[0][1]
    assert (
        codes(file_of(entry(body=TOUCH + A + "    when:\n      - liberties(A) <= 2\n      - liberties(A) > 1\n"))) == []
    )


NARROW = "    diagram: |\n      O *\n      . X\n"


def test_a_pattern_that_brings_nothing_where_another_leads():
    wide = entry("wide", "    priority: 510\n    points: 9\n" + TOUCH)
    assert codes(file_of(wide, entry("narrow", NARROW))) == ["L203"]
    assert codes(file_of(wide, entry("narrow", "    points: 4\n" + NARROW))) == []


def test_a_pattern_that_is_always_forbidden():
    veto = entry("veto", "    forbid: true\n" + TOUCH)
    assert codes(file_of(veto, entry("narrow", "    points: 4\n" + NARROW))) == ["L204"]


def test_a_pattern_drawn_twice():
    twice = "    points: 4\n    diagram: |\n      X .\n      * O\n"
    assert codes(file_of(entry("one", "    points: 4\n" + NARROW), entry("other", twice))) == ["L205"]
    apart = "    points: 4\n    diagram: |\n      X .\n      * O\n    when: line(*) >= 2\n"
    assert codes(file_of(entry("one", "    points: 4\n" + NARROW), entry("other", apart))) == []


def test_it_says_what_is_not_proven(tmp_path, capsys):
    path = tmp_path / "mine.yaml"
    path.write_text(file_of(entry(matches=example(drawn(9, O="2,2"), "move: 2,3"))), encoding="utf-8")
    assert main(["check", str(path)]) == 0
    shown = capsys.readouterr().out
    assert NOT_ASKED in " ".join(shown.split()) and "1 pattern, no fault" in shown
    assert MATCHES in path.read_text(encoding="utf-8")


def drawing(rows: list[str], edges: list[bool]) -> list[str]:
    left, top = edges
    rows = ["|" + row for row in rows] if left else rows
    corner = "+" if left else ""
    return [corner + "-" * 2, *rows] if top else rows


ROWS = st.lists(st.text("XO.xo?", min_size=2, max_size=2), min_size=2, max_size=2)


@settings(max_examples=60, deadline=None)
@given(ROWS, ROWS, st.integers(0, 3), st.lists(st.booleans(), min_size=4, max_size=4))
def test_what_contains_another_drawing_fires_only_where_that_does(one, other, star, edges):
    """Compare all placements on a board: wherever the narrow drawing fits, the wide drawing fits."""
    patterns = []
    for rows, move, drawn_edges in ((one, 0, edges[:2]), (other, star, edges[2:])):
        text = "".join(rows)
        text = text[:move] + "*" + text[move + 1 :]
        lines = drawing([text[:2], text[2:]], drawn_edges)
        body = "    diagram: |\n" + "".join(f"      {line}\n" for line in lines)
        patterns += compile_text(file_of(entry(body=body)), "x.yaml", with_examples=False)[2].patterns
    narrow, wide = patterns
    if any(contains(images_of(narrow)[0], image) for image in images_of(wide)):
        shift = 3 + 6  # the move's offset in the cells of a 7x7 board
        asked = [(care, value, cells >> shift & 63) for care, value, cells in placements(parse_shape(wide.rows), 7)]
        for care, value, cells in placements(parse_shape(narrow.rows), 7):
            move = cells >> shift & 63
            care |= value >> 49 | value << 49 & (1 << 98) - 1  # a stone of one colour excludes a stone of the other
            assert any(
                not other_care & ~care and value & other_care == other_value
                for other_care, other_value, other_move in asked
                if other_move == move
            )


BESIDE_O = "    diagram: |\n      O *\n    labels: |\n      A *\n    when:\n"


@pytest.mark.parametrize(
    ("conditions", "is_reported"),
    [
        ("their_enclosed(*)", True),
        ("their_enclosed(*) >= 5", True),
        ("their_enclosed(*) == 5", False),
        ("their_enclosed(*) <= 6", False),  # 0 where nothing is enclosed: no claim
        ("not strong(A)", False),
        ("dead_inside(A)", False),
        ("empty_near(*) == 3", False),
    ],
)
def test_a_claim_that_a_single_stone_fulfils(conditions, is_reported):
    text = file_of(entry(body=BESIDE_O + f"      - {conditions}\n"))
    assert ("L216" in codes(text)) == is_reported


def test_a_bound_in_another_condition_is_enough():
    bounded = "      - their_enclosed(*)\n      - their_enclosed(*) <= 6\n"
    assert "L216" not in codes(file_of(entry(body=BESIDE_O + bounded)))


def test_the_players_own_patterns_claim_nothing_on_an_empty_board():
    assert [
        one.message
        for one in open_board_lints(
            compile_text(MATCH_YAML.read_bytes(), "patterns.match.yaml", with_examples=False)[2]
        )
    ] == []
