"""Suggested points and conditions for a drawing, computed from labelled positions.

The suggestions use positions from the working part of the labels. In each of these positions, the win is at stake (see
at_stake): some legal moves win and others do not. The points are fitted in the same way as the player's own points:
with a softmax over the moves that the safety check allows. Ten additional points multiply the odds of a move by e
(about 2.72). The points of all other patterns stay fixed. The 95% interval contains each value of the points whose
log-likelihood is at most 1.92 below the maximum. The interval is slightly too narrow, because positions of one game are
not independent. A table of points has a cell for each colour and phase. Each cell is fitted in the same way to the
positions of its colour and phase. The intervals of all cells together have 95% confidence. A cell keeps the points for
the whole game unless it has at least FEWEST positions and an interval that excludes these points. A near miss is a
non-winning move for which the drawing fires.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import sqrt
from pathlib import Path
from statistics import NormalDist

import numpy as np

from littlego.editor.authoring.entries import POINTS
from littlego.engines.compiled.engine import compile_book, fired_many
from littlego.engines.large.vocabulary import small_facts
from littlego.games.boards import move_text
from littlego.knowledge.firing import firings_for
from littlego.knowledge.model import SCALE, USUAL, KnownPattern
from littlego.knowledge.problems import plural
from littlego.knowledge.programs import infix
from littlego.knowledge.tables import ROWS, Phases, Points
from littlego.knowledge.tabulate import compact
from littlego.knowledge.textfile import book_for
from littlego.learning.mining.rules import GAME_FACTS, MOVE_FACTS, confidence_of_each
from littlego.learning.mining.table import Table, table_of
from littlego.learning.mining.tuning import cells_of
from littlego.rules.engine import canonical
from littlego.rules.facts import FLAG
from littlego.rules.geometry import Point
from littlego.rules.patternfile import Book
from littlego.rules.position import Position
from littlego.rules.programs import Reading, parse_program, run
from littlego.rules.ruleset import LITTLE_GO
from littlego.shares import CONFIDENCE
from littlego.truth.labels.labels import Labels, count_many
from littlego.truth.labels.positions import at_stake, load_positions

MOST_POINTS = 100  # the fit tries points from -MOST_POINTS to MOST_POINTS
FEWEST = 20  # minimum number of positions for a cell's own number
MOST_POSITIONS = 6000  # maximum number of positions for the fit
MOST_COMPARED = 1500  # maximum number of positions for the facts
SHOWN = 4  # maximum number of conditions to show
LEAST_DIFFERENCE = 0.1  # minimum difference between the share of winning moves and the share of near misses
CERTAIN = 2.0  # minimum gain of a condition, in standard errors
REACH = 2  # maximum distance of a condition's limit from the fact's value in the position


@dataclass(frozen=True)
class Fit:
    """The best points for a drawing, with a confidence interval.

    positions: the number of positions used for the fit. If `positions` is 0, the other numbers are meaningless.
    """

    points: int
    low: int
    high: int
    positions: int

    @property
    def advised(self) -> int:
        """The points to start with: the best points, but at least 0.

        If the best points are MOST_POINTS, the positions set no upper limit, and the lower limit is used instead. If
        the positions set no limit at all, POINTS is used.
        """
        if not self.positions or (self.low, self.high) == (-MOST_POINTS, MOST_POINTS):
            return POINTS
        return max(0, self.low if self.points == MOST_POINTS else self.points)

    @property
    def range(self) -> str:
        """The best points and the limits of the interval, such as `11 (4 to 19)`."""
        return f"{self.points} ({_limit(self.low)} to {_limit(self.high)})"

    def __str__(self) -> str:
        return f"{self.range[:-1]} with 95% confidence)"


NO_FIT = Fit(0, 0, 0, 0)


@dataclass(frozen=True)
class CellFits:
    """The fit of the points for the whole game, and the fits for each colour and phase.

    cells: Black's fits by phase, then White's fits by phase. phases: the phases of the patterns file; without phases,
    `cells` is empty.
    """

    whole: Fit
    cells: Sequence[Fit] = ()
    phases: Phases = field(default_factory=dict)

    @property
    def numbers(self) -> list[int]:
        """The points to start with in each cell."""
        return [self._number(cell) for cell in self.cells]

    def _number(self, cell: Fit) -> int:
        number = self.whole.advised
        return number if cell.positions < FEWEST or cell.low <= number <= cell.high else cell.advised

    @property
    def advised(self) -> Points:
        """The points to start with: a table if the numbers of the cells differ, else a single number."""
        if not self.cells:
            return Points(str(self.whole.advised))
        numbers, width = tuple(self.numbers), len(self.phases)
        return compact(Points("", (numbers[:width], numbers[width:]), tuple(self.phases.values())))

    def lines(self) -> Iterator[str]:
        """Yield a heading and a line for each cell, or nothing if there are no cells.

        A cell's line has the points to start with, the number of positions and, unless this number is 0, the best fit.
        """
        if not self.cells:
            return
        number = self.whole.advised
        yield (
            f"  by colour and phase: {number}, or the best fit (at least 0) if {FEWEST} or more positions give an "
            f"interval excluding {number}"
        )
        names = [f"{colour}, {phase}" for colour in ROWS for phase in self.phases]
        width = max(map(len, names))
        for name, cell, points in zip(names, self.cells, self.numbers, strict=True):
            fit = f"; best fit {cell.range}" if cell.positions else ""
            yield f"    {name:{width}}  {points:3}  {plural(cell.positions, 'position')}{fit}"


def _limit(points: int) -> str:
    return f"{points} or {'more' if points > 0 else 'less'}" if abs(points) == MOST_POINTS else str(points)


@dataclass(frozen=True)
class Difference:
    """A condition that may separate winning moves from near misses.

    winning, missing: the numbers of winning moves and near misses that satisfy the condition.
    """

    text: str
    winning: int
    missing: int

    def certainty(self, winning: int, missing: int) -> float:
        """Return the gain (see `gain`) divided by its standard error, or 0 for a gain below LEAST_DIFFERENCE."""
        kept, still = self.winning / winning, self.missing / missing
        if kept - still < LEAST_DIFFERENCE:
            return 0.0
        return (kept - still) / max(sqrt(kept * (1 - kept) / winning + still * (1 - still) / missing), 1e-9)

    def gain(self, winning: int, missing: int) -> float:
        """Return how much more frequently winning moves satisfy the condition than near misses do.

        The gain, from -1 to 1, is the difference between the shares of moves that satisfy the condition. winning,
        missing: the total numbers of winning moves and near misses.
        """
        return self.winning / winning - self.missing / missing


@dataclass(frozen=True)
class Suggestion:
    """Suggested points and conditions for a pattern, with the underlying counts.

    `stake` is the number of labelled positions in which the win is at stake (see at_stake); the drawing fires in
    `fires` of these positions. In the positions used to evaluate facts, `winning` is the number of winning moves for
    which the drawing fires, and `missing` is the number of near misses. `differences` has the conditions that best
    separate these winning moves from the near misses.
    """

    fits: CellFits
    stake: int
    fires: int
    winning: int
    missing: int
    differences: list[Difference]

    def lines(self, letters: Mapping[Point, str]) -> list[str]:
        """Return the suggestions as text lines. letters: {a point of each labelled chain: the chain's letter}."""
        return [*self._describe_points(self.fits.whole), *self.fits.lines(), *self._describe_facts(letters)]

    def _describe_points(self, fit: Fit) -> Iterator[str]:
        if not fit.positions:
            where = f"the pattern fires in {self.fires:,} of {self.stake:,} labelled positions"
            yield f"points: {where}, but its points decide none of these positions; {POINTS} is a guess"
            yield "  before you choose other points, play games and run `littlego diff` to see the changed decisions"
            return
        decided = f"fitted to {fit.positions:,} of {plural(self.fires, 'labelled position')} where the pattern fires"
        if fit.high < 0:
            yield f"points: {fit.advised}, because the pattern fires for moves that the other patterns overrate"
            yield f"  best fit {fit}, {decided}"
            warning = f"class avoid, priority -20, points {fit.points}"
            yield f"  narrow the pattern with a fact below, or make it a warning: {warning}"
        elif fit.low <= 0:
            yield f"points: {fit.advised} to start with; the pattern as drawn may add nothing to the other patterns"
            yield f"  best fit {fit}, {decided}"
            yield "  add a fact below under `when:`, or draw more of the board (--region), and run `new` again"
        else:
            yield f"points: {fit}, {decided}"
            if fit.points != fit.advised:
                yield f"  start with {fit.advised}: no position sets an upper limit"

    def _describe_facts(self, letters: Mapping[Point, str]) -> Iterator[str]:
        if not self.winning or not self.missing:
            if self.winning or self.missing:
                alike = "each wins" if self.winning else "none wins"
                fired = plural(self.winning + self.missing, "move")
                yield f"facts: nothing to separate, because the pattern fires for {fired}, and {alike}"
            return
        counts = f"{plural(self.winning, 'winning move')} and {_near_misses(self.missing)}"
        if not self.differences:
            yield f"facts: no fact that holds here distinguishes between {counts}"
            return
        yield f"facts that hold here, and their counts for {counts}:"
        width = max(len(difference.text) for difference in self.differences)
        for one in self.differences:
            kept = f"{one.winning} of {self.winning}, {one.missing} of {self.missing}"
            yield f"  {one.text:{width}}  {kept}"
        asked = "".join(difference.text for difference in self.differences)
        for point, letter in letters.items():
            if f"({letter})" in asked:
                yield f"  {letter}: label to add to the chain at {move_text(point, LITTLE_GO.size)}"


def _near_misses(number: int) -> str:
    return f"{number} near miss" + ("" if number == 1 else "es")


def suggest(
    pattern: KnownPattern, position: Position, move: Point, book: Book, labels: Path, phases: Phases
) -> Suggestion:
    """Return the Suggestion for a pattern made from a position and a move.

    book: the existing patterns. labels: the labels file. phases: the phases of the patterns file, or {} if the file has
    no phases. Raise ArgumentError for a file without labels.
    """
    known = load_positions(labels)
    stake = known.where(at_stake(known.codes, known.winning))
    fired = _fired(stake.codes, [pattern])[:, 0]
    places = np.flatnonzero(fired)
    some = _thin(places, MOST_POSITIONS)
    fits = _fit(stake.where(some), fired[some], book, phases)
    some = _thin(places, MOST_COMPARED)
    return Suggestion(
        fits, stake.codes.size, places.size, *_compare(pattern, position, move, stake.where(some), fired[some])
    )


def _thin(places: np.ndarray, most: int) -> np.ndarray:
    """Return at most `most` evenly spaced elements of `places`."""
    return places[:: -(-places.size // most)] if places.size else places


def _fired(codes: np.ndarray, patterns: list[KnownPattern]) -> np.ndarray:
    """Return the moves for which each pattern fires, as masks in an array [position, pattern]."""
    masks: np.ndarray = fired_many(codes, compile_book(book_for(patterns, LITTLE_GO)))
    return masks


# -- the points --------------------------------------------------------------------------------


def _fit(stake: Labels, fired: np.ndarray, book: Book, phases: Phases) -> CellFits:
    if not stake.codes.size:
        return CellFits(NO_FIT)
    table = table_of(stake.codes, stake.winning, book)
    return fit_cells(table, (fired[table.position] >> table.move & 1).astype(bool), phases)


def fit_cells(table: Table, fired: np.ndarray, phases: Phases) -> CellFits:
    """Return a pattern's fits (see fit_points) for the whole game and for each colour and phase."""
    whole = fit_points(table, fired)
    if not phases or not whole.positions:
        return CellFits(whole)
    cell, number = cells_of(table.codes, [*phases.values()]), 2 * len(phases)
    confidence = confidence_of_each(number)
    parts = ((table.where(cell == one), fired[(cell == one)[table.position]]) for one in range(number))
    return CellFits(whole, [fit_points(*part, confidence) for part in parts], phases)


def fit_points(table: Table, fired: np.ndarray, confidence: float = CONFIDENCE) -> Fit:
    """Return the Fit of a pattern's points.

    fired: a bool array that states, for each row of the table, whether the pattern fires. confidence: the confidence
    level of the interval, 0 to 1. The fit skips positions that the pattern's points cannot decide, because a candidate
    (a move that the safety check allows) has a priority above USUAL, all candidates have the same result, or the
    pattern fires for all or none of the candidates.
    """
    scores, size = table.scores, table.codes.size
    free = scores.free & ~(_leads(table) > USUAL)[table.position]
    points = np.where(scores.bare, 0, scores.points).astype(float)
    most = np.full(size, -np.inf)
    np.maximum.at(most, table.position[free], points[free])
    weight = np.where(free, np.exp((points - np.where(np.isfinite(most), most, 0)[table.position]) / SCALE), 0.0)
    sums = [
        np.bincount(table.position[rows], weight[rows], size)
        for rows in (free & table.wins & fired, free & table.wins & ~fired, free & fired, free & ~fired)
    ]
    won = sums[0] + sums[1]
    telling = (sums[2] > 0) & (sums[3] > 0) & (won > 0) & (won < sums[2] + sums[3])
    if not telling.any():
        return NO_FIT
    return _most_likely([one[telling] for one in sums], confidence)


def _leads(table: Table) -> np.ndarray:
    """Return, for each position, the highest priority among the moves that the safety check allows."""
    leads = np.full(table.codes.size, -(10**6))
    np.maximum.at(leads, table.position[table.scores.free], table.scores.priority[table.scores.free])
    return leads


def _most_likely(sums: Sequence[np.ndarray], confidence: float) -> Fit:
    """Return the Fit whose points have the highest likelihood. confidence: the interval's confidence level.

    sums: four arrays, each with a sum of move weights for each position. The sums cover the winning moves with a
    firing, the winning moves without a firing, all moves with a firing, and all moves without a firing.
    """
    won, won_without, fired, rest = sums
    tried = np.arange(-MOST_POINTS, MOST_POINTS + 1)
    factor = np.exp(tried / SCALE)[:, None]
    likely = (np.log(won * factor + won_without) - np.log(fired * factor + rest)).sum(axis=1)
    ruled_out = NormalDist().inv_cdf((1 + confidence) / 2) ** 2 / 2  # drop of the log-likelihood outside the interval
    allowed = tried[likely >= likely.max() - ruled_out]
    return Fit(int(tried[likely.argmax()]), int(allowed.min()), int(allowed.max()), won.size)


# -- the facts ---------------------------------------------------------------------------------


def _compare(
    pattern: KnownPattern, position: Position, move: Point, stake: Labels, fired: np.ndarray
) -> tuple[int, int, list[Difference]]:
    """Return (number of winning moves, number of near misses, conditions that best separate these moves)."""
    wins, misses = fired & stake.winning, fired & ~stake.winning
    winning, missing = _count(wins), _count(misses)
    if not winning or not missing:
        return winning, missing, []
    asked = list(_conditions_here(pattern, position, move))
    kept = _fired(stake.codes, [replace(pattern, id=f"c{k}", when=[program]) for k, (_, program) in enumerate(asked)])
    found: dict[bytes, tuple[str, Difference]] = {}  # key: the moves that satisfy a condition
    for masks, (call, program) in zip(np.ascontiguousarray(kept.T), asked, strict=True):
        difference = Difference(infix(program), _count(masks & wins), _count(masks & misses))
        if difference.certainty(winning, missing) > CERTAIN:
            found.setdefault(masks.tobytes(), (call, difference))
    ranked = sorted(found.values(), key=lambda one: one[1].gain(winning, missing))
    best = dict(ranked)  # only the best condition for each call
    return winning, missing, [one for call, one in reversed(ranked) if best[call] is one][:SHOWN]


def _count(masks: np.ndarray) -> int:
    return int(count_many(masks).sum())


def _conditions_here(pattern: KnownPattern, position: Position, move: Point) -> Iterator[tuple[str, str]]:
    """Yield (call, postfix program) for each condition that is true where the pattern fires for the move."""
    _, state = canonical(position)
    book = book_for([pattern], LITTLE_GO)
    reading = Reading(state, book.bits)
    cells = firings_for(pattern, position, book)[move].cells
    for call, name in _calls(pattern):
        value = run(parse_program(call, pattern.letters, book.bits), reading, cells)
        for test in _tests(value, small_facts()[name].answers == FLAG):
            yield call, f"{call} {test}".rstrip()


def _tests(value: int, is_flag: bool) -> Iterator[str]:
    """Yield tests in postfix notation, such as `3 >=`, that a fact with this value passes.

    A flag is tested for its truth value; any other fact is compared with numbers near its value.
    """
    if is_flag:
        yield "" if value else "not"
    elif value == 0:
        yield "0 =="
    else:
        for away in range(REACH + 1):
            if value > away or value < 0:
                yield f"{value - away} >="
            yield f"{value + away} <="


def _calls(pattern: KnownPattern) -> Iterator[tuple[str, str]]:
    """Yield (program, name of the fact) for calls of facts about the move, the game or a chain.

    The chains are the pattern's labelled chains. For the facts about the move and the game, see MOVE_FACTS and
    GAME_FACTS.
    """
    for name in MOVE_FACTS:
        yield f"@* {name}", name
    for name in (*GAME_FACTS, "ko_ban"):
        yield name, name
    for letter in pattern.letters:
        for name, fact in small_facts().items():
            if fact.kinds == ("chain",):
                yield f"~{letter} {name}", name
