"""Suggestions for a drawing from labelled positions: points, and facts that exclude near misses.

Points and facts come from the labels of the working part, and only from positions in which some moves win and others do
not. The points are fitted in the same way as the player's own points: with a softmax over the moves that the safety
check allows. Ten additional points make a move e times as likely. All other patterns keep their points. The 95%
interval contains the points whose log-likelihood is at most RULED_OUT below the maximum. The interval is slightly too
narrow, because positions of one game are not independent. A near miss is a move for which the drawing fires but which
does not win.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import sqrt
from pathlib import Path

import numpy as np

from littlego.editor.authoring.entries import POINTS
from littlego.engines.compiled.engine import compile_book, fired_many
from littlego.engines.large.vocabulary import small_facts
from littlego.games.boards import move_text
from littlego.knowledge.firing import firings_for
from littlego.knowledge.model import SCALE, USUAL, KnownPattern
from littlego.knowledge.problems import plural
from littlego.knowledge.programs import infix
from littlego.knowledge.textfile import book_for
from littlego.learning.mining.rules import GAME_FACTS, MOVE_FACTS
from littlego.learning.mining.table import Table, table_of
from littlego.rules.engine import canonical
from littlego.rules.facts import FLAG
from littlego.rules.geometry import Point
from littlego.rules.patternfile import Book
from littlego.rules.position import Position
from littlego.rules.programs import Reading, parse_program, run
from littlego.rules.ruleset import LITTLE_GO
from littlego.truth.labels.labels import Labels, count_many
from littlego.truth.labels.positions import at_stake, load_positions

MOST_POINTS = 100  # the fit tries points from -MOST_POINTS to MOST_POINTS
RULED_OUT = 1.92  # drop of the log-likelihood at the ends of a 95% interval
MOST_POSITIONS = 6000  # maximum number of positions for the fit
MOST_COMPARED = 1500  # maximum number of positions for the facts
SHOWN = 4  # maximum number of conditions to show
LEAST_DIFFERENCE = 0.1  # minimum difference between the share of winning moves and the share of near misses
CERTAIN = 2.0  # minimum gain of a condition, in standard errors
REACH = 2  # maximum distance of a condition's limit from the fact's value in the position


@dataclass(frozen=True)
class Fit:
    """The best points for a drawing, with a 95% confidence interval.

    positions: the number of positions in the fit. If this number is 0, the other numbers are meaningless.
    """

    points: int
    low: int
    high: int
    positions: int

    @property
    def advised(self) -> int:
        """The points to start with: the best points, but at least 0.

        If the best points are MOST_POINTS, the positions set no upper limit, and the lower limit is used. If the
        positions set no limit at all, POINTS is used.
        """
        if not self.positions or (self.low, self.high) == (-MOST_POINTS, MOST_POINTS):
            return POINTS
        return max(0, self.low if self.points == MOST_POINTS else self.points)

    def __str__(self) -> str:
        return f"{self.points} ({_limit(self.low)} to {_limit(self.high)} with 95% confidence)"


def _limit(points: int) -> str:
    return f"{points} or {'more' if points > 0 else 'less'}" if abs(points) == MOST_POINTS else str(points)


@dataclass(frozen=True)
class Difference:
    """A condition that holds in the position.

    winning, missing: the numbers of winning moves and near misses that satisfy the condition.
    """

    text: str
    winning: int
    missing: int

    def certainty(self, winning: int, missing: int) -> float:
        """Return the gain (see `gain`) in standard errors; 0 for a gain below LEAST_DIFFERENCE."""
        kept, still = self.winning / winning, self.missing / missing
        if kept - still < LEAST_DIFFERENCE:
            return 0.0
        return (kept - still) / max(sqrt(kept * (1 - kept) / winning + still * (1 - still) / missing), 1e-9)

    def gain(self, winning: int, missing: int) -> float:
        """Return the share of winning moves that satisfy the condition minus the same share of near misses.

        winning, missing: the total numbers of winning moves and near misses.
        """
        return self.winning / winning - self.missing / missing


@dataclass(frozen=True)
class Suggestion:
    """Suggested points and conditions for a pattern, with the underlying counts.

    `stake` is the number of positions in which some moves win and others do not. `fires` is the number of these
    positions in which the drawing fires. `winning` and `missing` are the numbers of winning moves and near misses in
    the positions in which facts were evaluated. `differences` has the conditions that best separate the winning moves
    from the near misses.
    """

    fit: Fit
    stake: int
    fires: int
    winning: int
    missing: int
    differences: list[Difference]

    def lines(self, letters: Mapping[Point, str]) -> list[str]:
        """Return the suggestions as text lines. letters: a point of each labelled chain -> the chain's letter."""
        return [*self._describe_points(), *self._describe_facts(letters)]

    def _describe_points(self) -> Iterator[str]:
        if not self.fit.positions:
            where = f"the pattern fires in {self.fires:,} of {self.stake:,} labelled positions"
            yield f"points: {where}, but its points decide none of them; {POINTS} is a guess"
            yield "  before you choose other points, play games and run `littlego diff` to see the changed decisions"
            return
        decided = (
            f"fitted to {self.fit.positions:,} of {plural(self.fires, 'labelled position')} where the pattern fires"
        )
        if self.fit.high < 0:
            yield f"points: {self.fit.advised}, because the pattern fires for moves that the other patterns overrate"
            yield f"  best fit {self.fit}, {decided}"
            warning = f"class avoid, priority -20, points {self.fit.points}"
            yield f"  narrow the pattern with a fact below, or make it a warning: {warning}"
        elif self.fit.low <= 0:
            yield f"points: {self.fit.advised} to start with; as drawn, the pattern may add nothing to other patterns"
            yield f"  best fit {self.fit}, {decided}"
            yield "  add a fact below under `when:`, or draw more of the board (--region), and run `new` again"
        else:
            yield f"points: {self.fit}, {decided}"
            if self.fit.points != self.fit.advised:
                yield f"  start with {self.fit.advised}: no position sets an upper limit"

    def _describe_facts(self, letters: Mapping[Point, str]) -> Iterator[str]:
        if not self.winning or not self.missing:
            if self.winning or self.missing:
                alike = "each wins" if self.winning else "none wins"
                fired = plural(self.winning + self.missing, "move")
                yield f"facts: nothing to separate, because the pattern fires for {fired}, and {alike}"
            return
        counts = f"{plural(self.winning, 'winning move')} and {_near_misses(self.missing)}"
        if not self.differences:
            yield f"facts: no fact that holds here distinguishes {counts}"
            return
        yield f"facts that hold here, and their counts for {counts}:"
        width = max(len(difference.text) for difference in self.differences)
        for one in self.differences:
            kept = f"{one.winning} of {self.winning}, {one.missing} of {self.missing}"
            yield f"  {one.text:{width}}  {kept}"
        asked = "".join(difference.text for difference in self.differences)
        for point, letter in letters.items():
            if f"({letter})" in asked:
                yield f"  {letter}: the chain at {move_text(point, LITTLE_GO.size)}, to be labelled"


def _near_misses(number: int) -> str:
    return f"{number} near miss" + ("" if number == 1 else "es")


def suggest(pattern: KnownPattern, position: Position, move: Point, book: Book, labels: Path) -> Suggestion:
    """Return the suggestions for a pattern that is made from a position and a move.

    book: the existing patterns. labels: the file of the labels. Raise ArgumentError for a file without labels.
    """
    known = load_positions(labels)
    stake = known.where(at_stake(known.codes, known.winning))
    fired = _fired(stake.codes, [pattern])[:, 0]
    places = np.flatnonzero(fired)
    fit = _fit(stake.where(_thin(places, MOST_POSITIONS)), fired[_thin(places, MOST_POSITIONS)], book)
    some = _thin(places, MOST_COMPARED)
    return Suggestion(
        fit, stake.codes.size, places.size, *_compare(pattern, position, move, stake.where(some), fired[some])
    )


def _thin(places: np.ndarray, most: int) -> np.ndarray:
    """Return at most `most` evenly spaced elements of `places`."""
    return places[:: -(-places.size // most)] if places.size else places


def _fired(codes: np.ndarray, patterns: list[KnownPattern]) -> np.ndarray:
    """Return the moves for which each pattern fires, as masks in an array [position, pattern]."""
    masks: np.ndarray = fired_many(codes, compile_book(book_for(patterns, LITTLE_GO)))
    return masks


# -- the points --------------------------------------------------------------------------------


def _fit(stake: Labels, fired: np.ndarray, book: Book) -> Fit:
    if not stake.codes.size:
        return Fit(0, 0, 0, 0)
    table = table_of(stake.codes, stake.winning, book)
    return fit_points(table, (fired[table.position] >> table.move & 1).astype(bool))


def fit_points(table: Table, fired: np.ndarray) -> Fit:
    """Return the fitted points of a pattern. fired: whether the pattern fires, for each row of the table.

    The fit skips positions that the pattern's points cannot decide: a move of higher priority leads, or the candidates
    do not differ in their result or in whether the pattern fires.
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
        return Fit(0, 0, 0, 0)
    return _most_likely(*(one[telling] for one in sums))


def _leads(table: Table) -> np.ndarray:
    """Return, for each position, the highest priority among the moves that the safety check allows."""
    leads = np.full(table.codes.size, -(10**6))
    np.maximum.at(leads, table.position[table.scores.free], table.scores.priority[table.scores.free])
    return leads


def _most_likely(won: np.ndarray, won_without: np.ndarray, fired: np.ndarray, rest: np.ndarray) -> Fit:
    """Return the maximum-likelihood fit. Each array has one sum of weights for each position.

    won, won_without: the sums over winning moves with and without a firing. fired, rest: the sums over all moves with
    and without a firing.
    """
    tried = np.arange(-MOST_POINTS, MOST_POINTS + 1)
    factor = np.exp(tried / SCALE)[:, None]
    likely = (np.log(won * factor + won_without) - np.log(fired * factor + rest)).sum(axis=1)
    allowed = tried[likely >= likely.max() - RULED_OUT]
    return Fit(int(tried[likely.argmax()]), int(allowed.min()), int(allowed.max()), won.size)


# -- the facts ---------------------------------------------------------------------------------


def _compare(
    pattern: KnownPattern, position: Position, move: Point, stake: Labels, fired: np.ndarray
) -> tuple[int, int, list[Difference]]:
    """Return (number of winning moves, number of near misses, the conditions that best separate the two)."""
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
    """Yield (call, program) for each condition that holds where the pattern fires for the move."""
    _, state = canonical(position)
    book = book_for([pattern], LITTLE_GO)
    reading = Reading(state, book.bits)
    cells = firings_for(pattern, position, book)[move].cells
    for call, name in _calls(pattern):
        value = run(parse_program(call, pattern.letters, book.bits), reading, cells)
        for test in _tests(value, small_facts()[name].answers == FLAG):
            yield call, f"{call} {test}".rstrip()


def _tests(value: int, is_flag: bool) -> Iterator[str]:
    """Yield postfix tests that a fact with this value passes.

    A flag is tested for its truth value; any other fact is compared with limits.
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
    """Yield (program, fact) for each call of a fact about the move, the game or a labelled chain."""
    for name in MOVE_FACTS:
        yield f"@* {name}", name
    for name in (*GAME_FACTS, "ko_ban"):
        yield name, name
    for letter in pattern.letters:
        for name, fact in small_facts().items():
            if fact.kinds == ("chain",):
                yield f"~{letter} {name}", name
