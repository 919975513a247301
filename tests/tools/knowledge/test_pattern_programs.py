"""Programs back to text: what is printed compiles to the same program again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.knowledge.expressions import parse
from tools.knowledge.programs import calls, infix, postfix

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


def test_each_call_is_listed_once_with_its_program():
    program = postfix(parse("size(A) + line(*) > shared_liberties(A, B) - size(A) and lead > 1"))
    assert calls(program) == [
        ("size(A)", "~A size"),
        ("line(*)", "@* line"),
        ("shared_liberties(A, B)", "~A ~B shared_liberties"),
        ("lead", "lead"),
    ]
