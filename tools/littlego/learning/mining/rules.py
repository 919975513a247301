"""Rules about a move, and a beam search for rules that fix blunders.

A rule is a sorted tuple of literals, which are conditions on points near the move ("cells"), on edges of the board, or
on facts. Each literal is a tuple that begins with its kind:

    ("cell", row, column, symbol)                               row and column from the move; symbol: X O . x o
    ("chain", row, column, symbol, fact, operator, number)      the same, with a condition on the chain at that point
    ("edge", axis, line)                                        the move lies on that row (axis 0) or column (axis 1)
    ("fact", fact, operator, number)                            a fact about the move or about the game

A rule grows from a single blunder: the initial rule has no literals, and each step adds a literal. A beam search keeps
the best few rules after each step. Each blunder yields several seeds: rules that support a move grow from the best
winning moves, and rules that warn against a move grow from the move played. The value of a rule is the number of
blunders that it fixes minus the number of wins that it spoils, with deductions for chance and for the size of the rule.
The final rules are selected greedily: each step selects the rule with the largest value on the blunders that no
selected rule fixes (separate and conquer).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

import numpy as np
from scipy.stats import binomtest

from littlego.engines.compiled.states import TABLES, UNDO
from littlego.engines.large.vocabulary import small_facts
from littlego.learning.mining.kernels import chain_values, classify_matches, fact_values, weigh_planes
from littlego.learning.mining.limits import SEARCH, Limit
from littlego.learning.mining.table import Table, count_changes, effects, sure_gain, warnings, worths
from littlego.rules.positionkey import PASS_POINT
from littlego.shares import CONFIDENCE
from littlego.truth.labels.labels import own_and_theirs

CELL, CHAIN, EDGE, FACT = "cell", "chain", "edge", "fact"
EMPTY, OWN, THEIRS, OUTSIDE = range(4)
# For each symbol: whether the symbol fits an empty point, an own stone, an opposing stone, and a point off the board.
SYMBOLS = {
    symbol: np.array(fits, bool)
    for symbol, fits in {
        "X": (0, 1, 0, 0),
        "O": (0, 0, 1, 0),
        ".": (1, 0, 0, 0),
        "x": (1, 1, 0, 0),
        "o": (1, 0, 1, 0),
    }.items()
}
LETTERS = "ABCD"  # labels of chains in conditions
CHAIN_FACTS = ("liberties", "size")
# Facts that are useless in conditions: constant for a move, almost equal to another fact, or about the board only.
_LEFT_OUT = {"legal", "colour", "passed", "ko_ban", "move_number", "lead", "eye", "their_legal"}
GAME_FACTS = ("moves_left", "margin2")
COLOUR = "colour"  # a game fact that only rules found by hill climbing use
FACTS = small_facts()
MOVE_FACTS = tuple(name for name, fact in FACTS.items() if fact.kinds == ("point",) and name not in _LEFT_OUT)
_NUMBERS = {name: number for number, name in enumerate(FACTS)}
COMPARED = {"<=": np.less_equal, ">=": np.greater_equal, "==": np.equal}

Literal = tuple[Any, ...]
Rule = tuple[Literal, ...]


class Features:
    """The truth values of literals for a table's rows, as bit planes.

    The planes are computed on demand. The shape of a plane is [8 symmetries, words], or [1, words] for a fact.
    """

    def __init__(self, table: Table):
        self.table = table
        self.rows = table.move.size
        words = own_and_theirs(table.codes)[:, None] >> np.arange(50) & 1
        self.cells = np.full((table.codes.size, 26), OUTSIDE, np.int8)
        self.cells[:, :25] = OWN * words[:, :25] + THEIRS * words[:, 25:]
        names = (*MOVE_FACTS, *GAME_FACTS, COLOUR)
        numbers = np.array([_NUMBERS[name] for name in names])
        about_moves = np.array([name in MOVE_FACTS for name in names])
        values = fact_values(table.codes, table.position, table.move.astype(np.int64), numbers, about_moves)
        self.facts = dict(zip(names, values, strict=True))
        self.chains = dict(zip(CHAIN_FACTS, chain_values(table.codes), strict=True))
        self._planes: dict[Literal, np.ndarray] = {}
        self.everywhere = self._pack(np.repeat((table.move != PASS_POINT)[None], 8, axis=0))

    def plane(self, literal: Literal) -> np.ndarray:
        """Return whether a literal holds for each row: bits [8 symmetries, words], or [1, words] for a fact."""
        if literal not in self._planes:
            self._planes[literal] = self._make_plane(literal)
        return self._planes[literal]

    def _make_plane(self, literal: Literal) -> np.ndarray:
        kind = literal[0]
        if kind == FACT:
            _, name, operator, number = literal
            return self._pack(COMPARED[operator](self.facts[name], number)[None])
        if kind == EDGE:
            _, axis, line = literal
            lines = np.array([[divmod(point, 5)[axis] for point in table] + [-1] for table in TABLES])
            return self._pack(lines[:, self.table.move] == line)
        points = _points(*literal[1:3])[:, self.table.move]
        holds = SYMBOLS[literal[3]][self.cells[self.table.position, points]]
        if kind == CHAIN:
            name, operator, number = literal[4:]
            holds &= COMPARED[operator](self.chains[name][self.table.position, points], number)
        return self._pack(holds)

    def _pack(self, holds: np.ndarray) -> np.ndarray:
        wide = np.zeros((holds.shape[0], (self.rows + 63) // 64 * 64), bool)
        wide[:, : self.rows] = holds
        return np.packbits(wide, axis=1, bitorder="little").view(np.uint64)

    def fits(self, rule: Rule) -> np.ndarray:
        """Return whether a rule fits each row in each symmetry: bits [8, words]."""
        fits = self.everywhere
        for literal in rule:
            fits = fits & self.plane(literal)
        return fits

    def fired(self, rule: Rule) -> np.ndarray:
        """Return, for each row, whether a rule fires (fits in at least one symmetry): bool [rows]."""
        return self.unpack(np.bitwise_or.reduce(self.fits(rule), axis=0))

    def unpack(self, bits: np.ndarray) -> np.ndarray:
        """Return packed bits as bool [rows]. bits: uint64 [words], for one symmetry."""
        return np.unpackbits(bits.view(np.uint8), count=self.rows, bitorder="little").view(bool)


@cache
def _points(row: int, column: int) -> np.ndarray:
    """Return the point at the offset (row, column) from each move: int [symmetries, moves].

    The point is 25 if the offset leaves the board, or if the move is a pass.
    """
    points = np.full((8, 26), 25)
    for symmetry, (table, undo) in enumerate(zip(TABLES, UNDO, strict=True)):
        for move in range(25):
            r, c = divmod(table[move], 5)
            if 0 <= r + row < 5 and 0 <= c + column < 5:
                points[symmetry, move] = undo[5 * (r + row) + c + column]
    return points


def canonical_rule(rule: Rule) -> Rule:
    """Return the canonical form of a rule: the same form for all rotations and reflections of the rule."""
    return min(tuple(sorted(_turn_literal(literal, symmetry) for literal in rule)) for symmetry in range(8))


def _turn_literal(literal: Literal, symmetry: int) -> Literal:
    kind = literal[0]
    if kind == FACT:
        return literal
    if kind == EDGE:
        axis, line = literal[1:]
        axis ^= symmetry >> 2 & 1
        return kind, axis, 4 - line if symmetry & (1 if axis else 2) else line
    row, column = literal[1:3]
    if symmetry & 4:
        row, column = column, row
    return kind, -row if symmetry & 2 else row, -column if symmetry & 1 else column, *literal[3:]


def size_of(rule: Rule) -> float:
    """Return the weighted size of a rule; conditions, and cells far from the move, have large weights."""
    return sum(_SIZES[literal[0]](literal) for literal in rule)


_SIZES: dict[str, Callable[[Literal], float]] = {
    CELL: lambda cell: (0.6 if cell[3] in "xo" else 1.0) + 0.2 * max(abs(cell[1]), abs(cell[2])),
    CHAIN: lambda cell: 3.0 + 0.2 * max(abs(cell[1]), abs(cell[2])),
    EDGE: lambda edge: 1.0 + (0.5 if edge[2] == 2 else 0.0),
    FACT: lambda asked: 2.5,
}


def conditions_of(rule: Rule) -> int:
    """Return the number of conditions in the pattern for a rule."""
    return sum(literal[0] in (FACT, CHAIN) for literal in rule)


def condition_texts(rule: Rule) -> list[str]:
    """Return the conditions of a rule's pattern; chains get letters in the order of their literals."""
    texts = []
    letters = iter(LETTERS)
    for literal in rule:
        if literal[0] == CHAIN:
            texts.append(f"{literal[4]}({next(letters)}) {literal[5]} {literal[6]}")
        elif literal[0] == FACT:
            argument = "" if literal[1] in (*GAME_FACTS, COLOUR) else "(*)"
            texts.append(f"{literal[1]}{argument} {literal[2]} {literal[3]}")
    return texts


# -- the search --------------------------------------------------------------------------------

SPEAKS, WARNS = 500, -20  # priorities of mined patterns
POINTS = 10, 20, 40, 80, 160
SCALE = 30  # points: see worths
BEAM, TRIED, DEEPEST, WINNERS = 6, 8, 7, 3
NONE = -99.0  # the score of a rejected rule
PRECISION = {SPEAKS: 0.75, WARNS: 0.5}  # minimum lower bound of a rule's precision
CONDITIONS = 2
SERVED = 2  # blunders fixed by a rule with at least this score are no longer used as seeds
SIZE_COST = 0.1  # in blunders fixed, for each unit of size_of
REACH = 2  # maximum distance between the move and the point of a chain in a condition


@dataclass(frozen=True)
class MinedRule:
    """A rule with its priority and best points.

    fixed: the indices of the positions where the rule fixes a blunder. spoilt: the indices of the positions where the
    rule causes a blunder.
    """

    rule: Rule
    priority: int
    points: int
    fixed: frozenset[int]
    spoilt: frozenset[int]

    @property
    def score(self) -> float:
        """The rule's value on the searched table, with deductions for chance and for the rule's size."""
        return self.beside(frozenset())

    def beside(self, done: frozenset[int]) -> float:
        """Return the rule's value if other rules have already fixed the blunders `done`."""
        return sure_gain(len(self.fixed - done), len(self.spoilt)) - SIZE_COST * size_of(self.rule)


class Search:
    """A beam search for rules that uses the positions of one table only.

    precision: the minimum for the lower bound of a rule's precision on this table; the default is PRECISION. wanted:
    bool [positions], the positions whose blunders are seeds; the default is all.
    """

    def __init__(self, table: Table, seed: int = 0, precision: float | None = None, wanted: np.ndarray | None = None):
        self.table, self.features = table, Features(table)
        self.worth = {SPEAKS: worths(table, SCALE), WARNS: warnings(table)}
        self.precision = {SPEAKS: precision or PRECISION[SPEAKS], WARNS: precision or PRECISION[WARNS]}
        self.pool: dict[tuple[int, Rule], MinedRule | None] = {}  # None: judged and rejected
        self.seeds = self._all_seeds(table.blunders if wanted is None else table.blunders & wanted, Random(seed))

    def _all_seeds(self, wanted: np.ndarray, random: Random) -> list[tuple[int, int]]:
        """Return the seeds (priority, row) of the wanted blunders; the order of the blunders is random."""
        blunders = np.flatnonzero(wanted).tolist()
        random.shuffle(blunders)
        return [seed for position in blunders for seed in self._seeds(position)]

    def _seeds(self, position: int) -> list[tuple[int, int]]:
        worth = self.worth[SPEAKS]
        rows = range(self.table.starts[position], self.table.starts[position + 1])
        winners = sorted((row for row in rows if worth[row] > 0), key=lambda row: (-worth[row], row))
        return [(SPEAKS, row) for row in winners[:WINNERS]] + [(WARNS, int(self.table.chosen[position]))]

    def run(self, limit: Limit) -> Iterator[int]:
        """Grow rules from the seeds of blunders that are not yet fixed; after each seed, yield the seed's row.

        Stop when the share SEARCH of the remaining time is used.
        """
        for priority, row in limit.take(self.seeds, "seeds", SEARCH):
            if not self._is_served(int(self.table.position[row]), priority):
                self.grow(priority, row)
            yield row

    def _is_served(self, position: int, priority: int) -> bool:
        served = (one for one in self.pool.values() if one and one.priority == priority)
        return any(one.score >= SERVED and position in one.fixed for one in served)

    def grow(self, priority: int, row: int) -> None:
        """Grow rules that fire for a row; store each judged rule in the pool, or None if the rule is rejected."""
        literals, everywhere = literals_of(self.features, row), self.features.everywhere
        planes = np.stack([np.broadcast_to(self.features.plane(literal), everywhere.shape) for literal in literals])
        worth = self.worth[priority]
        base = np.log(worth[worth > 0].sum() / np.abs(worth).sum())
        beam: list[tuple[float, Rule, np.ndarray]] = [(0.0, (), everywhere)]
        for _ in range(DEEPEST):
            grown: dict[Rule, tuple[float, Rule, np.ndarray]] = {}
            for _, rule, fits in beam:
                values = _lift_of(weigh_planes(planes, fits, worth), base)
                values -= SIZE_COST * np.array([size_of((literal,)) for literal in literals])
                for k in [k for k in np.argsort(-values, kind="stable") if can_join(rule, literals[k])][:TRIED]:
                    longer = tuple(sorted((*rule, literals[k])))
                    if longer not in grown:
                        grown[longer] = values[k] - SIZE_COST * size_of(rule), longer, fits & planes[k]
            pure = sorted(grown.values(), key=lambda state: (-state[0], state[1]))[: 2 * BEAM]
            scores = [self._pool_rule(priority, rule, fits) for _, rule, fits in pure]
            useful = sorted(range(len(pure)), key=lambda k: -scores[k])[: BEAM // 2]
            beam = [pure[k] for k in sorted({*range(BEAM // 2), *useful}) if k < len(pure)]

    def _pool_rule(self, priority: int, rule: Rule, fits: np.ndarray) -> float:
        """Return a rule's score, or NONE for a rejected rule.

        The method judges the rule unless the pool contains the result. fits: a result of Features.fits.
        """
        key = priority, canonical_rule(rule)
        if key not in self.pool:
            fired = self.features.unpack(np.bitwise_or.reduce(fits, axis=0))
            self.pool[key] = self.judge(canonical_rule(rule), priority, fired)
        pooled = self.pool[key]
        return pooled.score if pooled else NONE

    def judge(self, rule: Rule, priority: int, fired: np.ndarray) -> MinedRule | None:
        """Return the MinedRule of a rule, with the best points, or None for a rejected rule.

        If several numbers of points are equally good, the method chooses the first.
        """
        right, positions = precision_of(self.table, fired, priority)
        if right < self.precision[priority] * positions or lower_bound(right, positions) < self.precision[priority]:
            return None
        signs = [points if priority == SPEAKS else -points for points in POINTS]
        trials = zip(signs, effects(self.table, fired, priority, signs, specificity_of(rule)), strict=True)
        signed, changed = max(trials, key=lambda trial: sure_gain(*count_changes(trial[1])))
        if sure_gain(*count_changes(changed)) <= 0:
            return None
        fixed, spoilt = (frozenset(np.flatnonzero(changed == sign).tolist()) for sign in (1, -1))
        return MinedRule(rule, priority, signed, fixed, spoilt)

    def best(self, most: int) -> list[MinedRule]:
        """Return at most `most` rules, each chosen for its value on the blunders that no earlier rule fixes."""
        rest = sorted(filter(None, self.pool.values()), key=lambda one: one.rule)
        done: frozenset[int] = frozenset()
        chosen: list[MinedRule] = []
        while len(chosen) < most:
            rest = [one for one in rest if one.beside(done) > 0]
            if not rest:
                break
            best = self.simplify(max(rest, key=lambda one: one.beside(done)), done)
            chosen.append(best)
            done |= best.fixed
        return chosen

    def simplify(self, mined: MinedRule, done: frozenset[int]) -> MinedRule:
        """Remove or widen a rule's literals as long as the rule's value increases; return the resulting rule.

        done: see MinedRule.beside.
        """
        for literal in mined.rule:
            rest = tuple(one for one in mined.rule if one != literal)
            for wider in [rest, *(tuple(sorted((*rest, one))) for one in widen(literal))]:
                other = self.judge(canonical_rule(wider), mined.priority, self.features.fired(wider))
                if other and other.beside(done) > mined.beside(done):
                    return self.simplify(other, done)
        return mined


def precision_of(table: Table, fired: np.ndarray, priority: int) -> tuple[int, int]:
    """Return (number of positions where a rule is right, number of positions where the rule fires).

    A supporting rule is right in a position if it fires only for winning moves, and a warning if it fires only for
    losing moves.
    """
    counts = np.bincount(classify_matches(table.starts, table.wins, fired), minlength=4).tolist()
    return counts[1 if priority == SPEAKS else 2], sum(counts[1:])


def specificity_of(rule: Rule) -> int:
    """Return the specificity of a rule's pattern: the number of cells (the move included) and conditions."""
    return 1 + sum(literal[0] in (CELL, CHAIN) for literal in rule) + conditions_of(rule)


def literals_of(features: Features, row: int) -> list[Literal]:
    """Return the literals that hold for a row."""
    table = features.table
    position, (r, c) = table.position[row], divmod(int(table.move[row]), 5)
    literals: list[Literal] = [(EDGE, 0, r), (EDGE, 1, c)]
    for point in range(25):
        at = point // 5 - r, point % 5 - c
        if at == (0, 0):
            continue
        value = features.cells[position, point]
        literals += [(CELL, *at, symbol) for symbol in (".xo" if value == EMPTY else "Xx" if value == OWN else "Oo")]
        if value != EMPTY and max(map(abs, at)) <= REACH:
            symbol = "X" if value == OWN else "O"
            for name, most in (("liberties", 4), ("size", 3)):
                number = int(features.chains[name][position, point])
                literals += [(CHAIN, *at, symbol, name, *test) for test in _list_tests(number, 1, most)]
    for name in MOVE_FACTS + GAME_FACTS:
        number = int(features.facts[name][row])
        literals += [(FACT, name, *test) for test in _list_tests(number, -99 if name == "margin2" else 0, 99)]
    return literals


def _list_tests(number: int, least: int, most: int) -> list[tuple[str, int]]:
    """Return comparisons that hold for a fact's value but not for every value from `least` to `most`.

    number: the fact's value.
    """
    return [("==", number)] if number == least else [(">=", number)] + [("<=", number)] * (number < most)


def can_join(rule: Rule, literal: Literal) -> bool:
    """Return whether a literal may be added to a rule.

    A rule has at most one literal for each cell, axis and fact, and at most CONDITIONS conditions.
    """
    if literal[0] in (FACT, CHAIN) and conditions_of(rule) >= CONDITIONS:
        return False
    if literal[0] in (CELL, CHAIN):
        return all(one[0] not in (CELL, CHAIN) or one[1:3] != literal[1:3] for one in rule)
    return all(one[:2] != literal[:2] for one in rule)


def widen(literal: Literal) -> list[Literal]:
    """Return weaker literals, each of which holds wherever the given literal holds."""
    if literal[0] == CHAIN:
        return [(CELL, *literal[1:4])]
    if literal[0] == CELL and literal[3] in "XO.":
        return [(*literal[:3], symbol) for symbol in {"X": "x", "O": "o", ".": "xo"}[literal[3]]]
    return []


def _lift_of(weights: tuple[np.ndarray, np.ndarray], base: float) -> np.ndarray:
    """Return the information gain of each literal: good * (log(good / (good + bad)) - base).

    weights: (good, bad), the result of weigh_planes. base: log(good / (good + bad)) over all rows.
    """
    good, bad = weights
    return np.asarray(good * (np.log(np.maximum(good, 1e-9) / np.maximum(good + bad, 1e-9)) - base))


def lower_bound(right: int, of: int, confidence: float = CONFIDENCE) -> float:
    """Return the one-sided Clopper-Pearson lower bound of a share, after `right` successes in `of` trials."""
    if not right:
        return 0.0
    return float(binomtest(right, of, alternative="greater").proportion_ci(confidence, method="exact").low)


def confidence_of_each(tests: int, confidence: float = CONFIDENCE) -> float:
    """Return the confidence that each of `tests` bounds needs so that all bounds hold with `confidence`.

    This is Bonferroni's correction.
    """
    return 1 - (1 - confidence) / max(tests, 1)
