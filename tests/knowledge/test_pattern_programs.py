"""Tests of programs converted to text: the text compiles to the same program again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlego.knowledge.expressions import parse
from littlego.knowledge.programs import calls, infix, postfix, worked_out

facts = st.sampled_from(["size(A)", "shared_liberties(A, B)", "line(*)", "lead", "7", "0", "legal(B)"])
expressions = st.recursive(
    facts,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "<", "==", ">=", "and", "or"]), inner).map(
            lambda found: f"({found[0]}) {found[1]} ({found[2]})"
        ),
        inner.map(lambda text: f"not ({text})"),
        inner.map(lambda text: f"-({text})"),
    ),
    max_leaves=8,
)


@given(expressions)
def test_the_text_compiles_to_the_program_it_came_from(text):
    program = postfix(parse(text))
    assert postfix(parse(infix(program))) == program


@pytest.mark.parametrize(
    "text",
    [
        "liberties(A) + liberties(B) >= 4",
        "not (passed or lead < 0)",
        "2 * (3 - size(A))",
        "1 - (2 - lead)",
        "-lead * 2",
        "(lead > 1) == passed",
        "passed and not ko(*) or lead > 1",
        "8 * captures(*)",
        "not not passed",
    ],
)
def test_authors_recognize_their_own_text(text):
    assert infix(postfix(parse(text))) == text


@given(expressions, st.integers(-9, 9))
def test_what_is_known_is_worked_out_as_in_a_text_that_says_so(text, lead):
    program = postfix(parse(text.replace("lead", f"({lead})")))  # which folds integers
    found = worked_out(postfix(parse(text)), {"lead": lead})
    assert found == worked_out(program, {}) and "lead" not in found
    if program.lstrip("-").isdigit():
        assert found == program
    elif found != program:
        assert len(found.split()) < len(program.split())


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("15 + 4 * (moves_left <= 12) - 12 * (moves_left <= 6)", "15"),
        ("30 * (colour == 1) + 11 * (moves_left <= 17)", "11"),
        ("4 * size(A) + 3 * (moves_left <= 17)", "4 * size(A) + 3"),
        ("4 * size(A) + 3 * (moves_left <= 6)", "4 * size(A)"),
        ("(colour == 2) * size(A)", "size(A)"),
        ("lead - 5 * (colour == 2)", "lead - 5"),
    ],
)
def test_points_are_what_they_come_to_in_the_position(text, shown):
    assert infix(worked_out(postfix(parse(text)), {"colour": 2, "moves_left": 17})) == shown


def test_each_call_is_listed_once_with_its_program():
    program = postfix(parse("size(A) + line(*) > shared_liberties(A, B) - size(A) and lead > 1"))
    assert calls(program) == [
        ("size(A)", "~A size"),
        ("line(*)", "@* line"),
        ("shared_liberties(A, B)", "~A ~B shared_liberties"),
        ("lead", "lead"),
    ]
