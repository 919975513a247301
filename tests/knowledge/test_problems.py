"""Tests of problems as text: the excerpt, and the caret below the problem's position."""

from __future__ import annotations

import pytest

from littlego.knowledge.problems import Problem, point_out, quoted


@pytest.mark.parametrize(
    "line, column, shown, caret",
    [
        ("    - size(A)", 7, "- size(A)", "  ^"),
        ("\tid: take", 1, " id: take", "^"),  # the caret marks the tab, which is the mistake
        # the caret follows the line, since something is missing at its end
        ("    diagram:", 13, "diagram:", "        ^"),
        ("a: 黒石 x", 7, "a: 黒石 x", "        ^"),  # such characters are two columns wide
        ("e\u0301: x", 5, "e\u0301: x", "   ^"),  # a combining accent has no width
        ("a\x07b", 2, "a b", " ^"),
    ],
)
def test_the_caret_is_below_the_spot(line, column, shown, caret):
    assert point_out(line, column, 40) == [shown, caret]


def test_a_long_line_is_cut_around_the_spot():
    line = "  " + "0123456789" * 20
    shown, caret = point_out(line, 150, 30)
    assert len(shown) == 30 and shown[caret.index("^")] == line[149]


def test_a_problem_quotes_as_text_of_one_line():
    problem = Problem("a\x1b.yaml", 1, 1, "P012", "the id `\x1b[2J`", "b\nc", "\u202ed", "X .\n. X")
    assert str(problem) == "a\\x1b.yaml:1:1 P012 the id `\\x1b[2J`; expected b\\nc; \\u202ed\n    X .\n    . X"
    assert quoted("\x1b\n\u202e é") == "`\\x1b \\u202e é` (it contains U+202E RIGHT-TO-LEFT OVERRIDE)"


def test_what_a_problem_prints():
    problem = Problem("p.yaml", 3, 5, "P045", "unknown fact `a`", "a fact", "did you mean `b`?", " 0 1\n 0 .", "    a")
    assert str(problem).splitlines() == [
        "p.yaml:3:5 P045 unknown fact `a`; expected a fact; did you mean `b`?",
        "    a",
        "    ^",
        "     0 1",
        "     0 .",
    ]
    assert problem.severity == "error"
