"""Tests that every registered fact is documented for authors, and has tests on drawn boards."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from boards import FACT

from littlego.engines.large.vocabulary import small_facts


def named_after_facts():
    """Return {fact: names of its tests}; the longest fact name that fits test_<fact>_... owns the test."""
    found = {name: [] for name in FACT}
    for path in Path(__file__).parent.glob("test_facts_*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                owners = [name for name in FACT if node.name.startswith(f"test_{name}_")]
                if owners:
                    found[max(owners, key=len)].append(node.name)
    return found


@pytest.mark.parametrize("fact", FACT)
def test_has_a_drawn_test_named_after_it(fact):
    assert named_after_facts()[fact], f"write test_{fact}_... with drawn boards"


def test_names_are_unique_and_declarations_whole():
    assert len(FACT) == len(small_facts())
    for name, fact in small_facts().items():
        assert fact.name == fact.function.__name__ == name
        place = f"@fact(...) of {name} in rules/facts.py"
        assert set(fact.kinds) <= {"chain", "point"}, f"{place}: its arguments are {fact.kinds}, not chain or point"
        takes = fact.function.__code__.co_argcount - 2
        assert takes == len(fact.kinds), f"{place}: {len(fact.kinds)} arguments declared, the function takes {takes}"
        assert isinstance(fact.cost, int) and fact.cost >= 0, f"{place}: cost={fact.cost!r}, not microseconds"
        assert fact.promise, f"{place}: no docstring; state in one line what the fact returns"
        is_sentence = fact.promise.endswith(".") and (fact.promise[0].isupper() or fact.promise[0] in "1`")
        assert is_sentence, f"{place}: the docstring is no sentence: {fact.promise!r}"
