"""Schema and compiler accept and refuse the same files, but for what a schema cannot say, which is listed here."""

from __future__ import annotations

import random
import re
from collections import Counter
from functools import lru_cache
from pathlib import Path

import pytest
from drawn_patterns import FILE, changed
from editor_yaml import complaints
from hypothesis import given, settings
from hypothesis import strategies as st
from knowledge_files import YAML

from tools.knowledge.compiler import compile_text

WRONG = sorted((Path(__file__).parents[2] / "data" / "wrong_patterns").glob("*.yaml"))

# What a schema cannot express: (code, what its message holds) -> why. All else that the compiler refuses, it refuses.
BEYOND = {
    ("P004", ""): "YAML itself: the editor's parser resolves anchors",
    ("P007", ""): "YAML itself: the editor's parser refuses equal keys, PyYAML keeps the last",
    ("P013", ""): "uniqueness over the whole file",
    ("P015", " is `"): "a whole number that is not spelled in plain decimals: 0x10, 5.0",
    ("P016", " is `"): "a truth value that is not spelled in small letters",
    ("P028", ""): "the style of a scalar",
    ("P030", ""): "two values compared: labels and diagram",
    ("P031", ""): "two values compared: labels and diagram",
    ("P032", ""): "two values compared: labels and diagram",
    ("P033", ""): "two values compared: labels and diagram",
    ("P035", ""): "two values compared: labels and diagram",
    ("P041", "`)`"): "brackets that balance",
    ("P042", ""): "brackets: a comparison chained across one",
    ("P043", ""): "arithmetic",
    ("P044", ""): "depth of nesting",
    ("P049", ""): "two values compared: a label and the drawn ones",
    ("P050", ""): "two values compared: a label and the diagram",
    ("P051", ""): "two values compared: a label and the diagram",
    ("P053", ""): "arithmetic: a condition whose facts are all in another part of it",
    ("P062", ""): "the rules of the game",
    ("P064", ""): "two values compared: the move and the board",
    ("P065", ""): "the rules of the game",
    ("P068", ""): "the rules of the game",
}
UNSEEN = {  # the files of wrong_patterns that an editor accepts
    "anchor",
    "chain-fact-on-an-empty-point",
    "chain-without-liberties",
    "duplicate-key-of-the-file",
    "duplicate-key",
    "folded-diagram",
    "label-on-the-edge",
    "label-on-unlike-points",
    "labels-of-too-few-rows",
    "move-on-a-stone",
    "moves-left-too-many",
    "number-too-large",
    "parenthesis-too-many",
    "pattern-without-its-dash",
    "plain-diagram",
    "plain-labels",
    "point-fact-on-several",
    "previous-board-with-a-new-own-stone",
    "priority-octal",
    "ragged-labels",
    "same-id-twice",
    "stone-as-a-label",
    "too-many-stones",
    "unclosed-parenthesis",
    "unknown-label",
    "unreachable-previous-board",
}

FURTHER = (  # what it takes besides, one change to a good file for each of the kinds that no such file shows
    ("points: 100 * size(A)", "sacrifice: True"),
    ("      A *\n", "      x *\n"),
    ("100 * size(A)", "1 < (size(A)) < 3"),
    ("100 * size(A)", "1" + " + 1" * 60),
    ("liberties(A) == 1", "liberties(A) == 1 and 1 == 1"),
)


def compiler_says(text: str) -> list[str]:
    return [str(problem) for problem in compile_text(text, "p.yaml", with_examples=False)[1]]


def kind_beyond(said: str) -> tuple[str, str] | None:
    """Return of which kind that a schema cannot express a problem is, as printed, or None."""
    code, _, message = said.partition(" ")[2].partition(" ")
    return next((kind for kind in BEYOND if code == kind[0] and kind[1] in message), None)


def check(text: str) -> tuple[bool, bool]:
    """Compare the two on one file; return (the compiler accepts it, the schema does)."""
    refused, underlined = compiler_says(text), complaints(text)
    assert refused or not underlined, f"the schema alone refuses this: {underlined}\n{text}"
    repeated = any(" P007 " in said for said in refused)  # an editor's parser stops there; PyYAML compares another file
    if refused and not underlined and not repeated:
        assert all(map(kind_beyond, refused)), f"the schema could have refused this: {refused}\n{text}"
    return not refused, not underlined


@pytest.mark.parametrize("path", WRONG, ids=lambda path: path.stem)
def test_each_wrong_file_is_refused_or_wrong_in_a_way_that_no_schema_knows(path):
    compiles, accepted = check(path.read_text(encoding="utf-8"))
    assert not compiles
    assert accepted == (path.stem in UNSEEN)


def test_each_kind_that_no_schema_knows_is_shown_by_a_file():
    texts = [path.read_text(encoding="utf-8") for path in WRONG if path.stem in UNSEEN]
    texts += [changed(old, new) for old, new in FURTHER]
    assert len(texts) == len(UNSEEN) + len(FURTHER)
    assert not any(map(complaints, texts))
    assert {kind_beyond(said) for text in texts for said in compiler_says(text)} == set(BEYOND)


@lru_cache(maxsize=1)
def single_patterns() -> list[str]:
    """Return files of one shipped pattern each."""
    _, *items = re.split(r"(?m)^(?=  - id: )", YAML.read_text(encoding="utf-8"))
    return ["ruleset: little-go\npatterns:\n" + re.sub(r"(?m)^  #.*\n", "", item) for item in items]


ODD_VALUES = (
    "5",
    "-3",
    "0x10",
    "007",
    "1.5",
    "5.0",
    "1_000",
    "90000",
    "true",
    "True",
    "no",
    "null",
    "~",
    "",
    "[]",
    "{}",
    "[a]",
    "'x'",
    "'5'",
    '"true"',
    "|",
    "pass",
    "2,2",
    " 2 , 3 ",
    "white",
    "capture",
    "X",
    "100 * size(A)",
    "0 - 5",
    "passed()",
    "not passed",
    "lead > 0 and passed",
    "(lead)",
    "size((A))",
    "1 == 1",
    "line(*)",
    "3000000",
    "A",
    "*",
    "lead > 0 > 1",
)
OTHER_KEYS = (
    "move",
    "when",
    "points",
    "sacrifice",
    "forbid",
    "previous",
    "colour",
    "to_play",
    "moves_left",
    "rare",
    "doubt",
    "tags",
    "todo_match",
    "priority",
    "id",
    "labels",
    "Class",
)
CHARACTERS = "XO.*xo?|-+ABZz#0 ()<>=!&,_91an:'\"\n\t\u00a0"


def one_change(text: str, rng: random.Random) -> str:
    """Return the file with one line or one character removed, doubled, moved or replaced."""
    lines, number = text.split("\n"), rng.randrange(1, text.count("\n"))
    kind = rng.randrange(7)
    if kind == 0:
        del lines[number]
    elif kind == 1:
        lines.insert(number, rng.choice(lines))
    elif kind == 2:
        lines[number] = re.sub(r"(: |- )[^:]*$", lambda found: found[1] + rng.choice(ODD_VALUES), lines[number])
    elif kind == 3:
        lines[number] = re.sub(r"\w+(?=:)", lambda found: rng.choice([*OTHER_KEYS, found[0] + "s"]), lines[number])
    else:
        at, length = rng.randrange(len(text)), rng.randrange(2)
        return text[:at] + rng.choice(CHARACTERS) * rng.randrange(1 - length, 2) + text[at + length :]
    return "\n".join(lines)


@pytest.mark.untraced
def test_they_agree_on_files_with_a_few_changes():
    rng, seen = random.Random(3), Counter()
    for _ in range(400):
        text = rng.choice([FILE, rng.choice(single_patterns())])
        for _ in range(rng.choice([1, 1, 1, 2, 3])):
            text = one_change(text, rng)
        seen[check(text)] += 1
    assert seen[True, True] >= 50 and seen[False, False] >= 180 and seen[False, True] >= 3, seen


OPERANDS = ("size(A)", "liberties( A )", "line(*)", "line((A))", "lead", "passed()", "7", "0", "001", "1000000")
WRONG_OPERANDS = ("sise(A)", "line(X)", "size(*)", "line", "lead(A)", "1000001", "1.5", "A", "*", "size(A, A)")
OPERATORS = (" and ", " or ", "<", "<= ", "==", " != ", ">", "+", " - ", "*")
WRONG_OPERATORS = (" ", "=", "**", "&&", "/", "<>", " not ")
OPENERS, CLOSERS = ("", "", "", "-", "not ", "(", "(not ", "-("), ("", "", "", ")", "))")


@st.composite
def expressions(draw) -> str:
    """Draw operands and operators in turn, with brackets and signs, now and then a wrong one."""
    wrong = st.integers(0, 9).map(lambda number: number == 0)

    def one(right, false):
        return draw(st.sampled_from(false if draw(wrong) else right))

    pieces = []
    for place in range(draw(st.integers(1, 5))):
        pieces += [one(OPERATORS, WRONG_OPERATORS)] if place else []
        pieces += [draw(st.sampled_from(OPENERS)), one(OPERANDS, WRONG_OPERANDS), draw(st.sampled_from(CLOSERS))]
    return "".join(pieces)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(["100 * size(A)", "liberties(A) == 1"]), expressions())
def test_they_agree_on_expressions(old, new):
    check(changed(old, f"'{new}'"))


@st.composite
def diagrams(draw) -> str:
    """Draw a shape with or without edges, and change up to two of its cells."""
    top, bottom, left, right = (draw(st.booleans()) for _ in range(4))
    height, width = draw(st.integers(1, 5)), draw(st.integers(1, 6))
    flat = "+" * left + "-" * width + "+" * right
    rows = ["|" * left + "".join(draw(st.sampled_from("XO.xo?")) for _ in range(width)) + "|" * right]
    rows = [flat] * top + rows * height + [flat] * bottom
    cells = [list(row) for row in rows]
    cells[top][left] = "*"
    for _ in range(draw(st.integers(0, 2))):
        row = draw(st.sampled_from(cells))
        if row:
            other = st.sampled_from(["*", "?", "X", "|", "-", "+", "#", "", "..."])
            row[draw(st.integers(0, len(row) - 1))] = draw(other)
    return "".join(f"      {' '.join(row)}\n" for row in cells)


@settings(max_examples=150, deadline=None)
@given(diagrams())
def test_they_agree_on_diagrams(drawn):
    plain = re.sub(r"    labels: .*?(?=    examples)", "", FILE, flags=re.DOTALL).replace("100 * size(A)", "1")
    check(changed("      O *\n", drawn, plain))
