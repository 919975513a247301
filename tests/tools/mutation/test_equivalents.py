"""The shipped list of equivalent mutants: it reads, and its reasons hold."""

from __future__ import annotations

from itertools import product

from knowledge_files import compiled

from rules.position import BLACK, WHITE
from rules.ruleset import LITTLE_GO
from tools.knowledge.diagrams import MOVE
from tools.mutation.equivalents import SHIPPED, read_equivalents
from tools.mutation.mutants import mutants_of

PATTERNS = {pattern.id: pattern for pattern in compiled().base.patterns}
LISTED = read_equivalents(SHIPPED)


def test_each_names_a_mutant_that_there_is():
    priorities = {pattern.priority for pattern in PATTERNS.values()}
    for name, mutant in LISTED:
        assert mutant in [one.name for one in mutants_of(PATTERNS[name], priorities)], f"{name}: {mutant}"


def test_a_lower_priority_is_excused_only_where_every_point_has_the_old_one():
    everywhere = [one.priority for one in PATTERNS.values() if one.rows == [MOVE] and not one.when]
    for name, mutant in LISTED:
        if mutant.startswith("priority "):
            old, _, new = mutant.removeprefix("priority ").partition("->")
            assert int(new) < int(old) == max(everywhere) and not PATTERNS[name].passes, f"{name}: {mutant}"


def test_the_margin_is_always_odd():
    leads = range(-LITTLE_GO.size**2, LITTLE_GO.size**2 + 1)
    bonuses = {BLACK: -LITTLE_GO.komi2, WHITE: LITTLE_GO.komi2}
    assert all((2 * lead + bonus) % 2 for lead, bonus in product(leads, bonuses.values()))
