"""The patterns that the walks ask for: in order by themselves, and none of them in the player's file yet."""

from __future__ import annotations

from knowledge_files import compiled

from tools.data import FOLDER
from tools.knowledge.compiler import compile_text

CLIMBED = FOLDER / "climbed.yaml"


def test_each_is_in_order_with_its_examples_and_new_to_the_player():
    data, problems, base = compile_text(CLIMBED.read_bytes(), CLIMBED.name)
    assert data and not problems
    assert len(base.patterns) == 53
    assert not {one.id for one in base.patterns} & {one.id for one in compiled().base.patterns}


def test_those_that_it_says_are_without_weight_are_the_players():
    head = CLIMBED.read_text(encoding="utf-8").partition("\nruleset:")[0]
    named = head.rpartition("#\n")[2].replace("#", "").replace(",", " ").split()
    assert len(named) == 10
    assert {*named} <= {one.id for one in compiled().base.patterns}
