"""What labelled positions say of a drawing: how many points it is worth, and which facts tell it from its near misses.

Both look at the labels of the working part, never at the test part, and only where the game is at stake: where some
moves win and others do not. The points are fitted as the player's own were, by a softmax over the moves that the safety
check allows, in which all other patterns keep their points and ten points more make a move e times as likely; the
interval holds the points that the likelihood does not rule out. Positions of one game are not quite independent, so
the interval is rather too narrow. A near miss is a move for which the drawing fires and which does not win.
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

MOST_POINTS = 100  # of what is tried, either side of 0
RULED_OUT = 1.92  # how far below its highest the logarithm of the likelihood falls at the ends of a 95% interval
MOST_POSITIONS = 6000  # that the points are fitted to
MOST_COMPARED = 1500  # positions in which facts are asked
SHOWN = 4  # facts
LEAST_DIFFERENCE = 0.1  # between the shares of winning moves and of near misses that a condition keeps
CERTAIN = 2.0  # standard errors
REACH = 2  # how far from its value here a fact's limit may lie


@dataclass(frozen=True)
class Fit:
    """The points that suit a drawing best, and the least and the most that its positions allow.

    positions: how many those are; none, and the numbers mean nothing.
    """

    points: int
    low: int
    high: int
    positions: int

    @property
    def advised(self) -> int:
        """The points to begin with: none below 0, and what is certain where positions set no upper limit."""
        if not self.positions or (self.low, self.high) == (-MOST_POINTS, MOST_POINTS):
            return POINTS
        return max(0, self.low if self.points == MOST_POINTS else self.points)

    def __str__(self) -> str:
        return f"{self.points} ({_limit(self.low)} to {_limit(self.high)} with 95% confidence)"


def _limit(points: int) -> str:
    return f"{points} or {'more' if points > 0 else 'less'}" if abs(points) == MOST_POINTS else str(points)


@dataclass(frozen=True)
class Difference:
    """A condition that holds here, and how many winning moves and near misses it keeps."""

    text: str
    winning: int
    missing: int

    def certainty(self, winning: int, missing: int) -> float:
        """Return by how many standard errors the shares kept differ; 0 where the difference is too small to help."""
        kept, still = self.winning / winning, self.missing / missing
        if kept - still < LEAST_DIFFERENCE:
            return 0.0
        return (kept - still) / max(sqrt(kept * (1 - kept) / winning + still * (1 - still) / missing), 1e-9)

    def gain(self, winning: int, missing: int) -> float:
        """Return by how much the share of winning moves kept exceeds that of near misses."""
        return self.winning / winning - self.missing / missing


@dataclass(frozen=True)
class Suggestion:
    """What the labels say.

    stake: positions at stake; fires: those in which the drawing fires. winning, missing: moves for which it does, and
    which win or do not, where facts were asked; differences: the conditions that tell these apart best.
    """

    fit: Fit
    stake: int
    fires: int
    winning: int
    missing: int
    differences: list[Difference]

    def lines(self, letters: Mapping[Point, str]) -> list[str]:
        """Return it for people; letters: of the labelled chains, by one of their points."""
        return [*self._describe_points(), *self._describe_facts(letters)]

    def _describe_points(self) -> Iterator[str]:
        if not self.fit.positions:
            where = f"it fires in {self.fires:,} of {self.stake:,}, and its points decide none"
            yield f"points: no labelled position to fit on: {where}; {POINTS} is a guess"
            return
        decided = f"{self.fit.positions:,} of the {plural(self.fires, 'labelled position')}"
        yield f"points: {self.fit}, fitted to {decided} in which it fires"
        if self.fit.points != self.fit.advised:
            yield f"  that is no number to begin with: {self.fit.advised} is"
        if self.fit.low <= 0 <= self.fit.high:
            yield "  0 is within: as it is drawn it may add nothing to the other patterns"
        elif self.fit.high < 0:
            yield "  as it is drawn it fires for moves that the other patterns think too much of"

    def _describe_facts(self, letters: Mapping[Point, str]) -> Iterator[str]:
        if not self.winning or not self.missing:
            if self.winning or self.missing:
                alike = "wins" if self.winning else "does not win"
                yield f"facts: nothing to tell apart: each of {self.winning + self.missing} moves it fires for {alike}"
            return
        counts = f"{plural(self.winning, 'winning move')} and {_near_misses(self.missing)}"
        if not self.differences:
            yield f"facts: none that holds here tells {counts} apart"
            return
        yield f"facts that hold here, and what they keep of {counts}:"
        width = max(len(one.text) for one in self.differences)
        for one in self.differences:
            kept = f"{one.winning} of {self.winning}, {one.missing} of {self.missing}"
            yield f"  {one.text:{width}}  {kept}"
        asked = "".join(one.text for one in self.differences)
        for point, letter in letters.items():
            if f"({letter})" in asked:
                yield f"  {letter}: the chain at {move_text(point, LITTLE_GO.size)}, to be labelled"


def _near_misses(number: int) -> str:
    return f"{number} near miss" + ("" if number == 1 else "es")


def suggest(pattern: KnownPattern, position: Position, move: Point, book: Book, labels: Path) -> Suggestion:
    """Return what the labels of a file say of a pattern that a position and a move in it gave rise to.

    book: of the patterns beside which it will stand. Raise ArgumentError for a file without labels.
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
    """Return so many of the places at most, from all of them evenly."""
    return places[:: -(-places.size // most)] if places.size else places


def _fired(codes: np.ndarray, patterns: list[KnownPattern]) -> np.ndarray:
    """Return the masks of the moves that patterns fire for [position, pattern]."""
    masks: np.ndarray = fired_many(codes, compile_book(book_for(patterns, LITTLE_GO)))
    return masks


# -- the points --------------------------------------------------------------------------------


def _fit(stake: Labels, fired: np.ndarray, book: Book) -> Fit:
    if not stake.codes.size:
        return Fit(0, 0, 0, 0)
    table = table_of(stake.codes, stake.winning, book)
    return fit_points(table, (fired[table.position] >> table.move & 1).astype(bool))


def fit_points(table: Table, fired: np.ndarray) -> Fit:
    """Return the points that a pattern should bring to the rows that it fires for.

    Left out are positions that the points do not decide: where a higher priority leads, or where the rows that may be
    chosen are all alike, all fired for or none, all winning or none.
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
    """Return the highest priority of a row that may be chosen, for each position."""
    leads = np.full(table.codes.size, -(10**6))
    np.maximum.at(leads, table.position[table.scores.free], table.scores.priority[table.scores.free])
    return leads


def _most_likely(won: np.ndarray, won_without: np.ndarray, fired: np.ndarray, rest: np.ndarray) -> Fit:
    """Return the fit to the weights, of each position, of four kinds of moves: those that win and are fired for, that
    win and are not, that are fired for, that are not."""
    tried = np.arange(-MOST_POINTS, MOST_POINTS + 1)
    factor = np.exp(tried / SCALE)[:, None]
    likely = (np.log(won * factor + won_without) - np.log(fired * factor + rest)).sum(axis=1)
    allowed = tried[likely >= likely.max() - RULED_OUT]
    return Fit(int(tried[likely.argmax()]), int(allowed.min()), int(allowed.max()), won.size)


# -- the facts ---------------------------------------------------------------------------------


def _compare(
    pattern: KnownPattern, position: Position, move: Point, stake: Labels, fired: np.ndarray
) -> tuple[int, int, list[Difference]]:
    """Return how many moves win and do not of those fired for, and the conditions that tell these apart best."""
    wins, misses = fired & stake.winning, fired & ~stake.winning
    winning, missing = _count(wins), _count(misses)
    if not winning or not missing:
        return winning, missing, []
    asked = list(_conditions_here(pattern, position, move))
    kept = _fired(stake.codes, [replace(pattern, id=f"c{k}", when=[program]) for k, (_, program) in enumerate(asked)])
    found: dict[bytes, tuple[str, Difference]] = {}  # of conditions that keep the same moves, the first
    for masks, (call, program) in zip(np.ascontiguousarray(kept.T), asked, strict=True):
        difference = Difference(infix(program), _count(masks & wins), _count(masks & misses))
        if difference.certainty(winning, missing) > CERTAIN:
            found.setdefault(masks.tobytes(), (call, difference))
    ranked = sorted(found.values(), key=lambda one: one[1].gain(winning, missing))
    best = dict(ranked)  # the best limit of each call
    return winning, missing, [one for call, one in reversed(ranked) if best[call] is one][:SHOWN]


def _count(masks: np.ndarray) -> int:
    return int(count_many(masks).sum())


def _conditions_here(pattern: KnownPattern, position: Position, move: Point) -> Iterator[tuple[str, str]]:
    """Yield (call, program) of conditions that hold where the pattern fires for the move."""
    _, state = canonical(position)
    book = book_for([pattern], LITTLE_GO)
    reading = Reading(state, book.bits)
    cells = firings_for(pattern, position, book)[move].cells
    for call, name in _calls(pattern):
        value = run(parse_program(call, pattern.letters, book.bits), reading, cells)
        for test in _tests(value, small_facts()[name].answers == FLAG):
            yield call, f"{call} {test}".rstrip()


def _tests(value: int, is_flag: bool) -> Iterator[str]:
    """Yield the ends of programs that hold for a fact of this value: it, and limits near it."""
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
    """Yield (program, fact) of all that can be asked: of the move, of the game, and of each chain that is labelled."""
    for name in MOVE_FACTS:
        yield f"@* {name}", name
    for name in (*GAME_FACTS, "ko_ban"):
        yield name, name
    for letter in pattern.letters:
        for name, fact in small_facts().items():
            if fact.kinds == ("chain",):
                yield f"~{letter} {name}", name
