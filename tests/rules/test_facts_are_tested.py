"""Every registered fact is declared as a pattern author needs it, and has drawn tests of its own."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from boards import FACT

from rules.facts import FACTS


def named_after_facts():
    """Return {fact: names of its tests}: test_<fact>_..., the longest fact name that fits."""
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
    assert len(FACT) == len(FACTS)
    for name, fact in FACTS.items():
        assert fact.name == fact.function.__name__ == name
        assert set(fact.kinds) <= {"chain", "point"} and fact.function.__code__.co_argcount == 2 + len(fact.kinds)
        assert isinstance(fact.cost, int) and fact.cost >= 0
        assert fact.promise, f"{name} has no docstring: say in one line what its answer promises"
        assert fact.promise.endswith(".") and (fact.promise[0].isupper() or fact.promise[0] in "1`")
