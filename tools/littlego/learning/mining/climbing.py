"""Rule search by hill climbing.

A climb starts with a rule for one move and changes one literal per step. Each step selects the rule with the largest
gain: the weight of the wins that the rule saves, with deductions (see Gain). Unlike `rules.Search`, a climb ignores the
precision of a rule: the rule may fire for losing moves, because only changed decisions count. If a climb finds a useful
rule, the rule is added to the player before the next climb. Therefore, no later rule gets credit for fixing the same
blunders. Rules that gain too little on the held-out positions are dropped.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import numpy as np

from littlego.learning.mining import kernels
from littlego.learning.mining.drawing import draw_rule
from littlego.learning.mining.limits import SEARCH, Limit
from littlego.learning.mining.rules import (
    CELL,
    COLOUR,
    EDGE,
    FACT,
    MOVE_FACTS,
    POINTS,
    SPEAKS,
    Features,
    Literal,
    MinedRule,
    Rule,
    Search,
    can_join,
    literals_of,
    size_of,
    specificity_of,
    widen,
)
from littlego.learning.mining.table import Table
from littlego.rules.matching import parse_shape, placements, point_bits
from littlego.rules.ruleset import LITTLE_GO
from littlego.truth.labels.labels import moves_left, own_and_theirs

FEWEST = 3  # minimum moves left in a phase; with fewer moves left, the player's choice is exact
MOST = LITTLE_GO.length
ERRORS = 1.2  # number of standard errors subtracted from a rule's effect, so that a chance effect gains little
SIZE_COST, PHASE_COST = (
    0.015,
    0.03,
)  # cost as a share of the gain, per unit of size_of and per phase condition
STEP = 1.01  # minimum factor of improvement in each step
HOLDS = 0.125  # minimum ratio of the gain on the held-out third of the boards to the gain on the other boards
MARGIN = "margin2"
OPEN = 99  # no limit on the value of a fact
PASS_SLOT = (1 << point_bits(LITTLE_GO.size)) - 1


@dataclass(frozen=True)
class Phase:
    """The phase of the game to which a rule applies: a range of moves left, and a colour or both colours.

    The phase lasts from `most` down to `least` moves left, bounds included. colour: a colour, or 0 for both colours.
    """

    least: int
    most: int
    colour: int

    @property
    def lefts(self) -> np.ndarray:
        """For each number of moves left, whether the phase includes it: bool [moves left]."""
        left = np.arange(MOST + 2)
        fits = (left >= self.least) & (left <= self.most)
        return np.asarray(fits if not self.colour else fits & (left % 2 == (self.colour == 2)))

    @property
    def literals(self) -> Rule:
        """The conditions of the phase."""
        ends = [(FACT, "moves_left", ">=", self.least)] * (self.least > FEWEST)
        ends += [(FACT, "moves_left", "<=", self.most)] * (self.most < MOST)
        return (*ends, *([(FACT, COLOUR, "==", self.colour)] if self.colour else []))


def _phases() -> list[Phase]:
    return [
        Phase(least, most, colour)
        for colour in (0, 1, 2)
        for least in range(FEWEST, MOST)
        for most in [*range(least + (1 if colour else 0), MOST - 1), MOST]
    ]


PHASES = _phases()
_LEFTS = np.array([phase.lefts for phase in PHASES], float)
_KEPT = np.array([1 - PHASE_COST * len(phase.literals) for phase in PHASES])


@dataclass(frozen=True)
class Gain:
    """The value of a rule, with its best points in its best phase.

    value: the weight of wins saved minus the weight of wins given away, with deductions for the standard error, the
    size of the rule and the conditions of the phase.
    """

    value: float
    points: int
    phase: Phase


class Ground:
    """A table of moves and their scores, for testing rules. Accepted rules change the scores."""

    def __init__(self, features: Features, weight: np.ndarray):
        table = features.table
        codes, scores = table.codes, table.scores
        self.facts = [*MOVE_FACTS]
        self.data = kernels.Ground(
            own_and_theirs(codes).astype(np.int64),
            moves_left(codes).astype(np.int64),
            features.facts[MARGIN][table.starts[:-1]].astype(np.int64),
            weight.astype(float),
            table.starts.astype(np.int64),
            table.chosen.astype(np.int64),
            table.move.astype(np.int64),
            table.wins.copy(),
            scores.priority.astype(np.int64),
            scores.points.astype(np.int64),
            scores.specificity.astype(np.int64),
            scores.free.copy(),
            scores.barred.copy(),
            scores.bare.copy(),
            table.losses.astype(np.int64),
            np.stack([features.facts[name] for name in self.facts]),
        )

    def _asked(self, rule: Rule) -> kernels.Asked:
        shape = parse_shape(draw_rule(rule)[0])
        placed = np.array(placements(shape, LITTLE_GO.size), np.int64).reshape(-1, 3)
        limits = {name: [-OPEN, OPEN] for kind, name, *_ in rule if kind == FACT}
        for _, name, operator, number in (literal for literal in rule if literal[0] == FACT):
            if operator in (">=", "=="):
                limits[name][0] = number
            if operator in ("<=", "=="):
                limits[name][1] = number
        margin = limits.pop(MARGIN, [-OPEN, OPEN])
        limits_of_facts = [(self.facts.index(name), *ends) for name, ends in limits.items() if name in MOVE_FACTS]
        columns = np.array(limits_of_facts, np.int64).reshape(-1, 3).T
        move = placed[:, 2] >> 3 + point_bits(LITTLE_GO.size) & PASS_SLOT
        return kernels.Asked(
            placed[:, 0].copy(),
            placed[:, 1].copy(),
            np.minimum(move, 25),
            *margin,
            *(column.copy() for column in columns),
        )

    def changes(
        self, rule: Rule, priority: int, worths: list[int], lefts: np.ndarray, keep: bool = False
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return a rule's effects and the sums of the squared weights, both float [worths, moves left].

        See kernels.weigh_pattern for the results and the parameters.
        """
        changed, squares = np.zeros((2, len(worths), MOST + 2))
        numbers = np.array(worths, np.int64), priority, specificity_of(rule)
        kernels.weigh_pattern(self.data, self._asked(rule), lefts, *numbers, changed, squares, keep)
        return changed, squares

    def gain(self, rule: Rule, priority: int) -> Gain:
        """Return the Gain of a rule with the best points in the best phase."""
        worths = [points if priority == SPEAKS else -points for points in POINTS]
        changed, squares = self.changes(rule, priority, worths, np.ones(MOST + 2, bool))
        values = (_LEFTS @ changed.T - ERRORS * np.sqrt(_LEFTS @ squares.T)) * _KEPT[:, None]
        phase, trial = np.unravel_index(int(values.argmax()), values.shape)
        return Gain(float(values[phase, trial]) * (1 - SIZE_COST * size_of(rule)), worths[trial], PHASES[phase])


class Climb(Search):
    """A search for rules by hill climbing.

    Each accepted rule is added to the player before the next climb.
    """

    def __init__(
        self,
        table: Table,
        held: Features,
        weights: tuple[np.ndarray, np.ndarray],
        seed: int = 0,
        wanted: np.ndarray | None = None,
    ):
        """held: the Features of the held-out positions.

        weights: (weights of the searched positions, weights of the held-out positions). seed, wanted: as in
        rules.Search.
        """
        super().__init__(table, seed, None, wanted)
        self.weights = weights
        self.ground = Ground(self.features, weights[0])
        self.held = Ground(held, weights[1])
        self.found: list[MinedRule] = []
        self._order(Random(seed))

    def _order(self, random: Random) -> None:
        """Shuffle the seeds by weighted draws without replacement; a seed has the weight of its position."""
        weight = self.weights[0][self.table.position[[row for _, row in self.seeds]]]
        keys = [random.random() ** (1 / one) for one in weight.tolist()]
        self.seeds = [self.seeds[place] for place in sorted(range(len(keys)), key=lambda place: -keys[place])]

    def run(self, limit: Limit) -> Iterator[int]:
        """Climb from each seed whose position still has a blunder; yield the rows of all seeds, in order.

        Stop when the share SEARCH of the remaining time is used.
        """
        for priority, row in limit.take(self.seeds, "seeds", SEARCH):
            if not self.ground.data.wins[self.ground.data.chosen[self.table.position[row]]]:
                self._climb_from(row, priority)
            yield row

    def best(self, most: int) -> list[MinedRule]:
        """Return at most `most` rules, in the order in which they were found."""
        return self.found[:most]

    def _climb_from(self, row: int, priority: int) -> None:
        """Climb from a row; add the resulting rule to the player if it gains enough on held-out positions.

        The constant HOLDS sets the required gain.
        """
        literals = literals_at(self.features, row)
        rule = first_rule(literals)
        gain = self.ground.gain(rule, priority)
        if gain.value <= 0:
            return
        rule, gain = self.climb(rule, gain, literals, priority)
        grown, held = (self._changed(ground, rule, gain, priority) for ground in (self.ground, self.held))
        if held >= HOLDS * grown > 0:
            self._keep(rule, gain, priority)

    def climb(self, rule: Rule, gain: Gain, literals: list[Literal], priority: int) -> tuple[Rule, Gain]:
        """Improve a rule step by step; return the improved rule and its gain.

        literals: the literals that a step may add.
        """
        while True:
            steps = [(neighbour, self.ground.gain(neighbour, priority)) for neighbour in neighbours(rule, literals)]
            best, other = max(steps, key=lambda step: step[1].value, default=(rule, gain))
            if other.value <= STEP * gain.value:
                return rule, gain
            rule, gain = best, other

    def _changed(self, ground: Ground, rule: Rule, gain: Gain, priority: int) -> float:
        return float(ground.changes(rule, priority, [gain.points], gain.phase.lefts)[0].sum())

    def _keep(self, rule: Rule, gain: Gain, priority: int) -> None:
        before = self.ground.data.wins[self.ground.data.chosen]
        for ground in (self.ground, self.held):
            ground.changes(rule, priority, [gain.points], gain.phase.lefts, keep=True)
        after = self.ground.data.wins[self.ground.data.chosen]
        fixed, spoilt = (frozenset(np.flatnonzero(one).tolist()) for one in (after & ~before, before & ~after))
        whole = tuple(sorted((*rule, *gain.phase.literals)))
        self.found.append(MinedRule(whole, priority, gain.points, fixed, spoilt))


def literals_at(features: Features, row: int) -> list[Literal]:
    """Return the literals that hold for a row and that a climb from the row may use.

    These literals are about edges, cells, facts about the move, or the margin.
    """
    return [
        one
        for one in literals_of(features, row)
        if one[0] in (EDGE, CELL) or (one[0] == FACT and (one[1] in MOVE_FACTS or one[1] == MARGIN))
    ]


def first_rule(literals: list[Literal]) -> Rule:
    """Return a climb's first rule: the contents of the points next to the move, and the edges at the move."""
    near = [
        literal
        for literal in literals
        if literal[0] == CELL and abs(literal[1]) + abs(literal[2]) == 1 and literal[3] in "XO."
    ]
    return tuple(sorted([*near, *(literal for literal in literals if literal[0] == EDGE and literal[2] in (0, 4))]))


def neighbours(rule: Rule, literals: list[Literal]) -> Iterator[Rule]:
    """Yield each nonempty rule that results from removing, widening or adding one literal.

    literals: the literals that may be added.
    """
    for literal in rule:
        rest = tuple(one for one in rule if one != literal)
        if rest:
            yield rest
        yield from (tuple(sorted((*rest, one))) for one in widen(literal))
    yield from (tuple(sorted((*rule, one))) for one in literals if can_join(rule, one))
