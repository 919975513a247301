"""Tests of hill climbing for rules: a rule's effects equal its pattern's, and a planted rule is found."""

from __future__ import annotations

import numpy as np
import pytest
from mined_games import PATTERNS, PLANTED, knowledge, planted

from littlego.cli.main import main
from littlego.engines.compiled.engine import compile_book, decide_many
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.files import book_of_lines
from littlego.knowledge.textfile import pattern_line
from littlego.learning.mining.climbing import (
    FEWEST,
    MOST,
    PHASES,
    Climb,
    Gain,
    Ground,
    Phase,
    first_rule,
    literals_at,
    neighbours,
)
from littlego.learning.mining.limits import Limit
from littlego.learning.mining.proposals import HEADER, Mine
from littlego.learning.mining.rules import CELL, EDGE, FACT, SPEAKS, WARNS, Features, MinedRule
from littlego.truth.labels.labels import moves_left, save

RULES = [
    (("cell", -1, 0, "X"), ("cell", 0, -1, "o"), ("edge", 1, 4)),
    (("cell", 0, 1, "O"), ("fact", "own_liberties", ">=", 2)),
    (("cell", 1, 0, "x"), ("fact", "atari", "==", 0), ("fact", "margin2", "<=", 1)),
    (("edge", 0, 0),),
    (("fact", "captures", ">=", 1),),
]


@pytest.fixture(scope="module")
def mine():
    """Return a Mine of the planted labels, in which odd codes have three times the weight."""
    labels = planted()
    return Mine(labels, knowledge(), 0, None, (), np.where(labels.codes % 2 == 0, 1.0, 3.0))


def lines_with(mined: MinedRule, mine: Mine) -> str:
    """Return the pattern line that would be proposed for a rule."""
    text = mine._propose(mined, 1, 0.95).text
    _, problems, base = compile_text(HEADER + text + "\n", "mined.yaml", with_examples=False)
    assert not problems
    return pattern_line(base.patterns[0])


def test_phases_are_what_their_conditions_say():
    left = np.arange(MOST + 2)
    compared = {">=": np.greater_equal, "<=": np.less_equal, "==": np.equal}
    for phase in PHASES:
        holds = (left >= FEWEST) & (left <= MOST)
        for _, name, operator, number in phase.literals:
            holds &= compared[operator](left if name == "moves_left" else 2 - (left % 2 == 0), number)
        assert (holds == phase.lefts).all() and holds.any()
    assert len({phase.lefts.tobytes() for phase in PHASES}) > 300


@pytest.mark.parametrize("priority", [SPEAKS, WARNS])
def test_changes_are_those_of_the_player_with_the_patterns_one_after_the_other(mine, priority):
    table, ground = mine.search.table, Ground(mine.search.features, mine.search.weights[0])
    lines, weight, changed = [*knowledge().lines], mine.search.weights[0], 0
    before = table.wins[table.chosen]
    points = 40 if priority == SPEAKS else -40
    for number, rule in enumerate(RULES):
        phase = Phase(FEWEST, 7 + number, number % 3)
        found, squares = ground.changes(rule, priority, [points], phase.lefts, keep=True)
        mined = MinedRule((*rule, *phase.literals), priority, points, frozenset(), frozenset())
        lines.append(lines_with(mined, mine).replace("mined-1", f"mined-{number}"))
        moves, _ = decide_many(table.codes, compile_book(book_of_lines(tuple(lines))))
        after = (table.winning >> moves & 1).astype(bool)
        change = after.astype(int) - before
        for left in range(MOST + 2):
            here = moves_left(table.codes) == left
            assert found[0, left] == pytest.approx((change * weight)[here].sum())
            assert squares[0, left] == pytest.approx((change**2 * weight**2)[here].sum())
        assert (ground.data.wins[ground.data.chosen] == after).all()
        changed, before = changed + np.count_nonzero(change), after
    assert changed > 5


def test_a_step_is_one_literal_and_holds_for_the_row_that_it_began_from(mine):
    features = mine.search.features
    for row in range(0, features.rows, 97):
        if features.table.move[row] == 25:
            continue
        literals = literals_at(features, row)
        rule = first_rule(literals)
        assert {one[0] for one in rule} <= {CELL, EDGE} and features.fired(rule)[row]
        assert {one[0] for one in literals} == {CELL, EDGE, FACT}
        for step in neighbours(rule, literals):
            assert len({*step} ^ {*rule}) <= 2 and features.fired(step)[row]


def test_it_ends_where_no_step_is_better(mine):
    climb = mine.search
    priority, row = next(seed for seed in climb.seeds if seed[0] == SPEAKS)
    literals = literals_at(climb.features, row)
    rule = first_rule(literals)
    gain = climb.ground.gain(rule, priority)
    end, best = climb.climb(rule, gain, literals, priority)
    assert best.value >= gain.value
    assert all(climb.ground.gain(one, priority).value <= 1.01 * best.value for one in neighbours(end, literals))
    assert isinstance(best, Gain) and best.points > 0


def test_the_planted_rule_is_climbed_to_and_mends_what_it_says():
    labels = planted()
    mine = Mine(labels, knowledge(), 0, None, (), np.ones(labels.codes.size))
    before = int(mine.search.table.blunders.sum())
    assert len([*mine.search.run(Limit())]) == len(mine.search.seeds)
    assert isinstance(mine.search, Climb) and 0 < len(mine.search.found) < 12
    data = mine.search.ground.data
    left = int((~data.wins[data.chosen]).sum())
    assert left == before - sum(len(one.fixed) - len(one.spoilt) for one in mine.search.found)
    assert before - left > 20
    wins = Features(mine.search.table).fired(PLANTED)
    for one in mine.search.found:
        share = wins[mine.search.features.fired(one.rule)].mean()
        assert (share > wins.mean()) == (one.priority == SPEAKS)


def test_the_command_proposes_what_climbs(tmp_path, capsys):
    labels = tmp_path / "labels.npz"
    save(planted(), labels)
    asked = [
        "dev",
        "mine",
        "-f",
        PATTERNS,
        "--labels",
        str(labels),
        "--time-limit",
        "0",
        "--most",
        "2",
        "--no-changes",
        "--climb",
    ]
    assert main(asked) == 1
    shown = capsys.readouterr().out
    assert "id: mined-1" in shown and "diagram: |" in shown
    assert main([*asked, "--precision", "0.6"]) == 2
    assert "omit --precision or --climb" in capsys.readouterr().err
