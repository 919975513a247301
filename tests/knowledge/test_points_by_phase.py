"""Tests of tables of points: reading, writing, and the conversion of conditions into a table."""

from __future__ import annotations

import pytest
from drawn_patterns import changed

from littlego.engines.draw.tables import drawn_table, when_text
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.splice import set_points
from littlego.knowledge.tablereader import block_of
from littlego.knowledge.tables import Points, number_in
from littlego.knowledge.tabulate import NotATable, tabulated
from littlego.rules.position import BLACK, WHITE
from littlego.rules.programs import Table

PHASES = {"opening": 13, "middle": 7, "late": 5, "end": 1}
BOUNDS = tuple(PHASES.values())
TABLE = "13 7 5 1/4 19 23 13/-2 13 17 7"
WITH_PHASES = changed("patterns:", "phases:\n  opening: 13\n  middle: 7\n  late: 5\n  end: 1\npatterns:")
IN_FILE = changed(
    "    points: 100 * size(A)\n",
    "    points:\n      each: 9 * size(A)\n      black: [4, 19, 23, 13]\n      white: 7\n",
    WITH_PHASES,
)


def test_a_table_gives_one_number_for_each_colour_and_phase():
    table = Table(TABLE)
    assert [table.number(BLACK, left) for left in (24, 13, 12, 7, 6, 5, 4, 1)] == [4, 4, 19, 19, 23, 23, 13, 13]
    assert [table.number(WHITE, left) for left in (23, 12, 6, 4, 0)] == [-2, 13, 17, 7, 7]
    assert number_in("", BLACK, 3) == 0


@pytest.mark.parametrize("text", ["13 1/4/2", "13 7/4 5/2 3", "", "13 1/4 5", "x 1/4 5/2 3"])
def test_a_damaged_table_is_refused(text):
    with pytest.raises(ValueError):
        Table(text)


def test_a_file_with_a_table_is_compiled_and_found_again():
    data, problems, base = compile_text(IN_FILE, "p.yaml")
    assert not problems and data is not None and dict(base.phases) == PHASES
    (pattern,) = base.patterns
    assert (pattern.points, pattern.table) == ("9 ~A size *", "13 7 5 1/4 19 23 13/7 7 7 7")
    assert pattern.points_text == "{each: 9 * size(A), black: [4, 19, 23, 13], white: 7}"
    points = Points.of(pattern.points_text, pattern.table)
    assert points == Points("9 * size(A)", ((4, 19, 23, 13), (7, 7, 7, 7)), BOUNDS)
    assert (points.line, points.table) == (pattern.points_text, pattern.table)
    assert set_points(WITH_PHASES, "p.yaml", {"take": pattern.points_text}) == IN_FILE
    assert set_points(IN_FILE, "p.yaml", {"take": "100 * size(A)"}) == WITH_PHASES


def test_an_expression_with_a_comma_survives_a_line():
    points = Points("3 * shared_liberties(A, B)", ((1, 1, 1, 2), (0, 0, 0, 0)), BOUNDS)
    assert Points.of(points.line, points.table) == points
    assert block_of(points.line) == ["each: 3 * shared_liberties(A, B)", "black: [1, 1, 1, 2]", "white: 0"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "9 * size(A) + 9 * size(B) + 4 - 6 * (colour == 2) + 15 * (moves_left <= 12) + 4 * (moves_left <= 6)"
            " - 10 * (moves_left <= 4)",
            "{each: 9 * size(A) + 9 * size(B), black: [4, 19, 23, 13], white: [-2, 13, 17, 7]}",
        ),
        ("-(3 - size(A)) - 2 * (colour == 1)", "{each: size(A), black: -5, white: -3}"),
        (
            "5 - 3 * size(A) + (colour == 2 and moves_left <= 6)",
            "{each: -(3 * size(A)), black: 5, white: [5, 5, 6, 6]}",
        ),
        ("0 + 0 * size(A) + 2 * (moves_left > 0)", "2"),
        ("size(A) + 0 * (colour == 2)", "size(A)"),
    ],
)
def test_conditions_become_a_table(text, line):
    assert tabulated(Points(text), PHASES, 24).line == line


def test_a_game_without_a_limit_has_one_number_for_each_colour():
    assert (
        tabulated(Points("3 + 10 * (colour == 2) + 5 * (moves_left <= 6)"), PHASES, 0).line == "{black: 3, white: 13}"
    )


@pytest.mark.parametrize(
    ("text", "phases", "why"),
    [
        ("5 * (moves_left <= 8)", PHASES, "a phase with each of these minimum numbers of moves left: 9"),
        ("5 * (colour == 2)", {}, "declare `phases:` above `patterns:`"),
        ("size(A) * (colour == 2)", PHASES, "combines `colour` or `moves_left` with other facts"),
    ],
)
def test_what_cannot_become_a_table_is_told(text, phases, why):
    with pytest.raises(NotATable, match=why):
        tabulated(Points(text), phases, 24)


@pytest.mark.parametrize(
    ("table", "colour", "left", "words"),
    [
        (TABLE, BLACK, 6, "as Black with 5 to 6 left"),
        (TABLE, WHITE, 20, "as White with 13 or more left"),
        ("13 7 5 1/1 1 3 3/1 1 5 5", BLACK, 2, "as Black with 6 or fewer left"),
        ("13 7 5 1/1 1 3 3/1 1 3 3", BLACK, 9, "with 7 or more left"),
        ("13 7 5 1/1 1 1 1/2 2 2 2", WHITE, 9, "as White"),
        ("13 7 6 1/1 2 3 4/1 2 3 4", WHITE, 6, "with 6 left"),
    ],
)
def test_a_number_is_told_with_its_condition(table, colour, left, words):
    assert when_text(Table(table), colour, left) == words


def test_a_table_is_drawn_with_the_number_that_counts():
    assert drawn_table(Table(TABLE), WHITE, 6) == [
        ["", "13+", "7-12", "5-6", "1-4"],
        ["Black", "+4", "+19", "+23", "+13"],
        ["White", "-2", "+13", "(+17)", "+7"],
    ]
