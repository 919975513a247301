"""Tests of the shipped list of equivalent mutants."""

from __future__ import annotations

import pytest
from knowledge_files import compiled

from littlego.cli.arguments import ArgumentError
from littlego.judging.mutation.mutants import mutants_of
from littlego.judging.mutation.scores import SHIPPED, read_equivalents


def test_each_names_a_mutant_that_there_is():
    patterns = {pattern.id: pattern for pattern in compiled().base.patterns}
    priorities = {pattern.priority for pattern in patterns.values()}
    for name, mutant in read_equivalents(SHIPPED):
        assert mutant in [one.name for one in mutants_of(patterns[name], priorities)], f"{name}: {mutant}"


def test_a_list_says_why_for_each(tmp_path):
    path = tmp_path / "equivalent.yaml"
    path.write_text("- mutant: cell 0,0 O->o\n  patterns: [take, wait]\n  reason: No chain there.\n")
    found = read_equivalents(path)
    assert list(found) == [("take", "cell 0,0 O->o"), ("wait", "cell 0,0 O->o")]
    assert set(found.values()) == {"No chain there."}


@pytest.mark.parametrize("text", ["[" * 5000, "a: [", "- 5\n", "- " + "1" * 5000])
def test_a_file_that_is_no_list_is_named(tmp_path, text):
    path = tmp_path / "equivalent.yaml"
    path.write_text(text)
    with pytest.raises(ArgumentError, match=str(path)):
        read_equivalents(path)
