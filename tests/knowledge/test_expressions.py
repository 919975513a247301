"""Tests of the expression language: precedence, errors, and programs that compute the right value."""

from __future__ import annotations

import operator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlego.games.boards import parse_board
from littlego.knowledge.expressions import LONGEST, Call, ExpressionError, Node, Number, Operation, parse
from littlego.knowledge.programs import conjuncts, cost, fold, mistakes, postfix, usage
from littlego.rules.engine import canonical
from littlego.rules.geometry import make_grid
from littlego.rules.matching import parse_shape, placements, point_bits
from littlego.rules.position import BLACK, Position
from littlego.rules.programs import Reading, parse_program, run
from littlego.rules.ruleset import LITTLE_GO

LABELS = {"A": ["X"], "B": ["O"], "C": ["."]}
ROWS, LABEL_ROWS = ["X*", "O."], ["A.", "BC"]
BOARD = """
    . . . . .
    . X . O .
    . O . X .
    . . . . .
    . . . . .
"""


def program(text: str) -> str:
    tree = parse(text)
    assert list(mistakes(tree, LABELS)) == []
    return postfix(fold(tree))


@pytest.mark.parametrize(
    "text, expected",
    [
        ("7", "7"),
        ("-3", "-3"),
        ("size(A)", "~A size"),
        ("line(C)", "@C line"),
        ("captures(*)", "@* captures"),
        ("moves_left", "moves_left"),
        ("moves_left()", "moves_left"),
        ("shared_liberties(A, B)", "~A ~B shared_liberties"),
        ("100 * size(A) + 5", "100 ~A size * 5 +"),
        ("100 * (size(A) + 5)", "100 ~A size 5 + *"),
        ("lead - 2 - 1", "lead 2 - 1 -"),
        ("-lead", "lead neg"),
        ("--lead", "lead neg neg"),
        ("2*captures(*)*3", "2 @* captures * 3 *"),
        ("not in_atari(A) == 1", "~A in_atari 1 == not"),
        ("lead > 1 or passed and ko_ban", "lead 1 > passed ko_ban and or"),
        ("(lead > 1 or passed) and ko_ban", "lead 1 > passed or ko_ban and"),
        ("lead >= -2 * 3", "lead -6 >="),
        ("lead < 1 + 2 * 3 - (4)", "lead 3 <"),
        ("1 + (2 > 1)", "2"),
        ("not 0 and lead", "1 lead and"),
        ("3 > 2", "1"),
    ],
)
def test_binding_and_folding(text, expected):
    assert program(text) == expected


@pytest.mark.parametrize(
    "text, at, fragment",
    [
        ("1 < lead < 3", 9, "do not chain"),
        ("(1 < lead < 3)", 10, "do not chain"),
        ("lead == 1 != 0", 10, "do not chain"),
        ("1 +", 3, "unexpected the end"),
        ("", 0, "unexpected the end"),
        ("size(A", 6, "unexpected the end"),
        ("size(A,)", 7, "unexpected `)`"),
        ("size(A B)", 7, "unexpected `B`"),
        ("lead lead", 5, "unexpected `lead`"),
        ("lead)", 4, "`)` without its `(`"),
        ("lead && passed", 5, "unexpected `&&`"),
        ("lead = 2", 5, "unexpected `=`"),
        ("lead ** 2", 5, "unexpected `**`"),
        ("lead ≤ 2", 5, "unexpected `≤`"),
        ("3x", 0, "the number `3x`"),
        ("9" * 5000, 0, "the number"),
        ("and lead", 0, "unexpected `and`"),
        ("(" * 500 + "1", 50, "too long"),
        ("not " * 500 + "1", 200, "too long"),
    ],
)
def test_what_cannot_be_parsed(text, at, fragment):
    with pytest.raises(ExpressionError) as caught:
        parse(text)
    assert caught.value.at == at and fragment in caught.value.message


@pytest.mark.parametrize(
    "text, at, fragment",
    [
        ("2 * A", 4, "the label `A` is not a number"),
        ("2 * *", 4, "`*`, the move, is not a number"),
        ("captures(* * 2)", 11, "a number as argument"),
        ("size(D)", 5, "unknown label `D`"),
        ("size(X)", 5, "`X` as a label"),
        ("size(C)", 5, "empty point"),
        ("size(*)", 5, "`*` as argument of `size`"),
        ("sizes(A)", 0, "unknown fact `sizes`"),
        ("own-liberties(*)", 0, "unknown fact `own`"),
        ("size(A, B)", 0, "`size` with 2 arguments"),
        ("size", 0, "`size` with 0 arguments"),
        ("size(size(A))", 5, "a number as argument"),
    ],
)
def test_what_means_nothing(text, at, fragment):
    found = list(mistakes(parse(text), LABELS))
    assert (found[0].at, fragment in found[0].message) == (at, True)


def test_an_expression_is_read_up_to_a_length():
    text = "1 +" + " " * (LONGEST - 4) + "1"
    assert parse(text)
    with pytest.raises(ExpressionError) as error:
        parse(text + " ")
    assert (error.value.at, error.value.code) == (LONGEST, "P044")
    assert (error.value.message, error.value.expected) == ("an expression of 10,001 characters", "at most 10,000")


def test_all_mistakes_of_one_expression_are_found():
    found = list(mistakes(parse("sise(A) + size(D) * lead(A)"), LABELS))
    assert [error.at for error in found] == [0, 15, 20]


def test_labels_that_could_not_be_read_raise_no_second_complaint():
    assert list(mistakes(parse("size(D)"), None)) == []


def test_a_pass_has_no_point():
    assert [error.at for error in mistakes(parse("line(*)"), {}, passes=True)] == [5]


def test_folding_keeps_within_bounds():
    with pytest.raises(ExpressionError, match="digits"):
        fold(parse("1000000 * 1000000"))


def test_top_level_ands_are_split():
    parts = [postfix(part) for part in conjuncts(parse("lead > 1 and (passed or ko_ban and lead) and ko_ban"))]
    assert parts == ["lead 1 >", "passed ko_ban lead and or", "ko_ban"]


def test_the_cost_is_the_sum_of_the_facts():
    assert cost(parse("alive(A) and not size(A) + 3 > eyes(A)")) == 46


def test_usage_names_the_kinds():
    assert [usage(name) for name in ("shared_liberties", "line", "lead")] == [
        "shared_liberties(A, B)",
        "line(P)",
        "lead",
    ]


OPERATORS = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    ">": operator.gt,
    "and": lambda a, b: bool(a) and bool(b),
    "or": lambda a, b: bool(a) or bool(b),
}
FACTS = ["size(A)", "liberties(B)", "line(C)", "captures(*)", "lead", "moves_left", "in_atari(A)", "margin2"]
ints = st.integers(-20, 20)


def written(tree: Node) -> str:
    """Return a tree as an author would write it, with every operand in parentheses."""
    if isinstance(tree, Number):
        return str(tree.value)
    if isinstance(tree, Call):
        return tree.name
    operands = [written(operand) for operand in tree.operands]
    if len(operands) == 1:
        return f"{'-' if tree.operator == 'neg' else 'not '}({operands[0]})"
    return f"({operands[0]}) {tree.operator} ({operands[1]})"


def value(tree: Node, facts: dict[str, int]) -> int:
    """Return the value of a tree by direct evaluation."""
    if isinstance(tree, Number):
        return tree.value
    if isinstance(tree, Call):
        return facts[tree.name]
    operands = [value(operand, facts) for operand in tree.operands]
    if len(operands) == 1:
        return -operands[0] if tree.operator == "neg" else int(not operands[0])
    return int(OPERATORS[tree.operator](*operands))


leaves = st.builds(Number, st.just(0), ints) | st.builds(Call, st.just(0), st.sampled_from(FACTS), st.just(()))
trees = st.recursive(
    leaves,
    lambda inner: (
        st.builds(Operation, st.just(0), st.sampled_from(["neg", "not"]), st.tuples(inner))
        | st.builds(Operation, st.just(0), st.sampled_from(sorted(OPERATORS)), st.tuples(inner, inner))
    ),
    max_leaves=8,
)


def board_state():
    _, own, theirs = parse_board(BOARD)
    return Position(LITTLE_GO, own, theirs, BLACK, 0, False, 20, (), make_grid(5))


def evaluated(text: str) -> int:
    """Return the value of a program, computed as in the player at the shape's first matching placement."""
    table, state = canonical(board_state())
    word = state.own | state.theirs << 25
    letters = [letter for _, _, letter in parse_shape(ROWS, LABEL_ROWS).labels]
    cells = next(cells for care, wanted, cells in placements(parse_shape(ROWS, LABEL_ROWS), 5) if word & care == wanted)
    bits = point_bits(5)
    return run(parse_program(text, letters, bits), Reading(state, bits), cells)


@given(trees)
def test_a_program_computes_what_the_expression_says(tree):
    facts = {name: evaluated(program(name)) for name in FACTS}
    try:
        compiled = program(written(tree))
    except ExpressionError as error:
        assert "digits" in error.message or "too long" in error.message
        return
    assert evaluated(compiled) == value(tree, facts)


@given(st.text(alphabet="AB*()+-<>=!,. 019 andortlineadsize_'\"", max_size=40) | st.text(max_size=20))
def test_any_text_is_parsed_or_refused_at_a_place_inside_it(text):
    try:
        tree = parse(text)
        found = list(mistakes(tree, LABELS))
    except ExpressionError as error:
        found = [error]
    assert all(0 <= error.at <= len(text) for error in found)
