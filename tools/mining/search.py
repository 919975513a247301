"""Growing rules from single blunders: from the bare move, one literal at a time, a few of the best kept (a beam).

Each blunder gives seeds: its best winning moves, for rules that speak for them, and the move played, for rules that
warn. What a rule is worth is what the player would then do on the rows of the table, and nothing else; which rules are
kept in the end is decided greedily, each for what it adds to those before it (separate and conquer).
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import numpy as np

from tools.compiled.board import compiled, first_point
from tools.mining.bounds import lower_bound
from tools.mining.rules import (
    CELL,
    CHAIN,
    EDGE,
    EMPTY,
    FACT,
    GAME_FACTS,
    MOVE_FACTS,
    OWN,
    Features,
    Literal,
    Rule,
    conditions_of,
    plain,
    size_of,
)
from tools.mining.table import Table, effects, matched, sure_gain, warnings, worths

SPEAKS, WARNS = 500, -20  # priorities of what is mined
POINTS = 10, 20, 40, 80, 160
SCALE = 30  # points: see worths
BEAM, TRIED, DEEPEST, WINNERS = 6, 8, 7, 3
NONE = -99.0  # the score of a rule that is wrong or of no use
PRECISION = {SPEAKS: 0.75, WARNS: 0.5}  # the least lower bound of the share of positions in which a rule is right
CONDITIONS = 2
SERVED = 2  # a blunder that a rule of this score fixes is no seed any more
SIZE_COST = 0.1  # of a blunder fixed, for each unit of size_of
REACH = 2  # how far from the move a chain may be that a condition asks about


@dataclass(frozen=True)
class Found:
    """A rule with the priority and points at which it does most.

    fixed, spoilt: the positions in which it then mends a blunder, and in which it makes one.
    """

    rule: Rule
    priority: int
    points: int
    fixed: frozenset[int]
    spoilt: frozenset[int]

    @property
    def score(self) -> float:
        """What it is worth on the table that it was grown on, small rules first."""
        return self.beside(frozenset())

    def beside(self, done: frozenset[int]) -> float:
        """Return what it is worth where these blunders are fixed already."""
        return sure_gain(len(self.fixed - done), len(self.spoilt)) - SIZE_COST * size_of(self.rule)


class Search:
    """A search on one table, which is all that it ever sees.

    precision: the least lower bound, on this table, of the share of positions in which a rule is right; usually
    PRECISION. wanted: the positions whose blunders it starts from, if not all.
    """

    def __init__(self, table: Table, seed: int = 0, precision: float | None = None, wanted: np.ndarray | None = None):
        self.table, self.features = table, Features(table)
        self.worth = {SPEAKS: worths(table, SCALE), WARNS: warnings(table)}
        self.precision = {SPEAKS: precision or PRECISION[SPEAKS], WARNS: precision or PRECISION[WARNS]}
        self.pool: dict[tuple[int, Rule], Found] = {}
        self.seeds = self._all_seeds(table.blunders if wanted is None else table.blunders & wanted, Random(seed))

    def _all_seeds(self, wanted: np.ndarray, random: Random) -> list[tuple[int, int]]:
        """Return (priority, row) to grow from: those of a blunder together, the blunders in random order."""
        blunders = np.flatnonzero(wanted).tolist()
        random.shuffle(blunders)
        return [seed for position in blunders for seed in self._seeds(position)]

    def _seeds(self, position: int) -> list[tuple[int, int]]:
        worth = self.worth[SPEAKS]
        rows = range(self.table.starts[position], self.table.starts[position + 1])
        winners = sorted((row for row in rows if worth[row] > 0), key=lambda row: (-worth[row], row))
        return [(SPEAKS, row) for row in winners[:WINNERS]] + [(WARNS, int(self.table.chosen[position]))]

    def run(self, limit: float) -> Iterator[int]:
        """Grow rules from every seed, or until so many seconds are gone (0: no limit); yield after each seed."""
        end = time.monotonic() + limit if limit else float("inf")
        for priority, row in self.seeds:
            if time.monotonic() < end and not self._is_served(int(self.table.position[row]), priority):
                self.grow(priority, row)
            yield row

    def _is_served(self, position: int, priority: int) -> bool:
        served = (one for one in self.pool.values() if one and one.priority == priority)
        return any(one.score >= SERVED and position in one.fixed for one in served)

    def grow(self, priority: int, row: int) -> None:
        """Put the rules that cover a row, are right, and do good, into the pool."""
        literals = literals_of(self.features, row)
        planes = np.stack([np.broadcast_to(self.features.plane(one), (8, self._words)) for one in literals])
        worth = self.worth[priority]
        base = np.log(worth[worth > 0].sum() / np.abs(worth).sum())
        beam: list[tuple[float, Rule, np.ndarray]] = [(0.0, (), self.features.everywhere)]
        for _ in range(DEEPEST):
            grown: dict[Rule, tuple[float, Rule, np.ndarray]] = {}
            for _, rule, fits in beam:
                values = _lifts(*_weighed(planes, fits, worth), base)
                values -= SIZE_COST * np.array([size_of((one,)) for one in literals])
                order = np.argsort(-values, kind="stable")
                for k in [k for k in order if _joins(rule, literals[k])][:TRIED]:
                    longer = tuple(sorted((*rule, literals[k])))
                    if longer not in grown:
                        grown[longer] = values[k] - SIZE_COST * size_of(rule), longer, fits & planes[k]
            pure = sorted(grown.values(), key=lambda state: (-state[0], state[1]))[: 2 * BEAM]
            scores = [self._pooled(priority, rule, fits) for _, rule, fits in pure]
            useful = sorted(range(len(pure)), key=lambda k: -scores[k])[: BEAM // 2]
            beam = [pure[k] for k in sorted({*range(BEAM // 2), *useful}) if k < len(pure)]

    @property
    def _words(self) -> int:
        return self.features.everywhere.shape[1]

    def _pooled(self, priority: int, rule: Rule, fits: np.ndarray) -> float:
        """Put a rule into the pool, judged, and return its score, NONE if it is not kept."""
        key = priority, plain(rule)
        if key not in self.pool:
            fired = self.features.unpacked(np.bitwise_or.reduce(fits, axis=0))
            self.pool[key] = self.judged(plain(rule), priority, fired)
        found = self.pool[key]
        return found.score if found else NONE

    def judged(self, rule: Rule, priority: int, fired: np.ndarray) -> Found | None:
        """Return a rule with the points that suit it best, of equals the fewest; None if it is wrong or of no use."""
        right, positions = precision_of(self.table, fired, priority)
        if right < self.precision[priority] * positions or lower_bound(right, positions) < self.precision[priority]:
            return None
        best, most = None, 0.0
        signs = [points if priority == SPEAKS else -points for points in POINTS]
        tried = effects(self.table, fired, priority, signs, specificity_of(rule))
        for signed, changed in zip(signs, tried, strict=True):
            gain = sure_gain(int((changed == 1).sum()), int((changed == -1).sum()))
            if gain > most:
                best, most = (signed, changed), gain
        if best is None:
            return None
        fixed, spoilt = (frozenset(np.flatnonzero(best[1] == sign).tolist()) for sign in (1, -1))
        return Found(rule, priority, best[0], fixed, spoilt)

    def best(self, most: int) -> list[Found]:
        """Return rules, each for the blunders that it adds to those fixed by the ones before."""
        rest = sorted(filter(None, self.pool.values()), key=lambda one: one.rule)
        done: frozenset[int] = frozenset()
        found: list[Found] = []
        while len(found) < most:
            rest = [one for one in rest if one.beside(done) > 0]
            if not rest:
                break
            best = self.simplified(max(rest, key=lambda one: one.beside(done)), done)
            found.append(best)
            done |= best.fixed
        return found

    def simplified(self, found: Found, done: frozenset[int]) -> Found:
        """Return a rule without the literals that it can do without, or that a wider one can stand for."""
        for literal in found.rule:
            rest = tuple(one for one in found.rule if one != literal)
            for wider in [rest, *(tuple(sorted((*rest, one))) for one in _wider(literal))]:
                other = self.judged(plain(wider), found.priority, self.features.fired(wider))
                if other and other.beside(done) > found.beside(done):
                    return self.simplified(other, done)
        return found


def precision_of(table: Table, fired: np.ndarray, priority: int) -> tuple[int, int]:
    """Return (positions in which a rule is right, positions in which it fires).

    A rule that speaks is right where every move that it fires for wins; one that warns, where all of them lose.
    """
    counts = np.bincount(matched(table.starts, table.wins, fired), minlength=4).tolist()
    return counts[1 if priority == SPEAKS else 2], sum(counts[1:])


def specificity_of(rule: Rule) -> int:
    """Return the specificity of the pattern for a rule: its cells, the move too, and its conditions."""
    return 1 + sum(literal[0] in (CELL, CHAIN) for literal in rule) + conditions_of(rule)


def literals_of(features: Features, row: int) -> list[Literal]:
    """Return the literals that hold for a row as the board stands."""
    table = features.table
    position, (r, c) = table.position[row], divmod(int(table.move[row]), 5)
    found: list[Literal] = [(EDGE, 0, r), (EDGE, 1, c)]
    for point in range(25):
        at = point // 5 - r, point % 5 - c
        if at == (0, 0):
            continue
        value = features.cells[position, point]
        found += [(CELL, *at, symbol) for symbol in (".xo" if value == EMPTY else "Xx" if value == OWN else "Oo")]
        if value != EMPTY and max(map(abs, at)) <= REACH:
            symbol = "X" if value == OWN else "O"
            for name, most in (("liberties", 4), ("size", 3)):
                number = int(features.chains[name][position, point])
                found += [(CHAIN, *at, symbol, name, *test) for test in _tests(number, 1, most)]
    for name in MOVE_FACTS + GAME_FACTS:
        number = int(features.facts[name][row])
        found += [(FACT, name, *test) for test in _tests(number, -99 if name == "margin2" else 0, 99)]
    return found


def _tests(number: int, least: int, most: int) -> list[tuple[str, int]]:
    """Return the comparisons with a number that say something of a fact that is never below `least`."""
    if number == least:
        return [("==", number)]
    return [(">=", number)] + [("<=", number)] * (number < most)


def _joins(rule: Rule, literal: Literal) -> bool:
    """Return whether a literal can be added: no second one about its cell, no third condition."""
    if literal[0] in (FACT, CHAIN) and conditions_of(rule) >= CONDITIONS:
        return False
    if literal[0] in (CELL, CHAIN):
        return all(one[0] not in (CELL, CHAIN) or one[1:3] != literal[1:3] for one in rule)
    return all(one[:2] != literal[:2] for one in rule)


def _wider(literal: Literal) -> list[Literal]:
    """Return literals that ask for less."""
    if literal[0] == CHAIN:
        return [(CELL, *literal[1:4])]
    if literal[0] == CELL and literal[3] in "XO.":
        return [(*literal[:3], symbol) for symbol in {"X": "x", "O": "o", ".": "xo"}[literal[3]]]
    return []


def _lifts(good: np.ndarray, bad: np.ndarray, base: float) -> np.ndarray:
    """Return by how much a rule lifts the share of good rows over the base, for all the good ones that it covers."""
    return good * (np.log(np.maximum(good, 1e-9) / np.maximum(good + bad, 1e-9)) - base)


@compiled
def _weighed(planes, fits, worth):
    """Return for each plane the worth, good and bad, of the rows that fit once it is asked for as well."""
    good, bad = np.zeros(planes.shape[0]), np.zeros(planes.shape[0])
    fitting = np.array([word for word in range(fits.shape[1]) if fits[:, word].any()])
    for k in range(planes.shape[0]):
        for word in fitting:
            some = np.uint64(0)
            for symmetry in range(8):
                some |= fits[symmetry, word] & planes[k, symmetry, word]
            bits = np.int64(some)
            while bits != 0:
                row = word * 64 + first_point(bits)
                bits &= bits - 1
                if worth[row] > 0:
                    good[k] += worth[row]
                else:
                    bad[k] -= worth[row]
    return good, bad
