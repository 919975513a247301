"""Grades on labelled positions: counts of the wins that the player and each pattern keep or give away.

Blunder rates have confidence intervals. A report of `grade-patterns` covers one part of the labels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from littlego.cli.arguments import ArgumentError
from littlego.engines.compiled.engine import ALLOWED, compile_book, decide_many, fired_many, scores_many
from littlego.engines.compiled.reasons import reasons_many
from littlego.engines.compiled.roles import DECIDES, ROLE, SUPPORTS, speakers_of
from littlego.knowledge.model import NO_PATTERN
from littlego.knowledge.overrides import EXACT
from littlego.knowledge.parts import part_of
from littlego.rules.patternfile import Book
from littlego.shares import CONFIDENCE, wilson
from littlego.truth.grades.decisions import BLUNDERED, FREE, KEPT, LOST, decision_json, names_text, outcome_of
from littlego.truth.labels import MET, SOURCES
from littlego.truth.labels.decider import BY_OVERRIDE, Decider
from littlego.truth.labels.labels import Labels, count_many, legal_many, load, moves_left

AN_OVERRIDE = "(override)"  # replaces a pattern's id if an override decided
COLOURS = ("black", "white")
PHASES = (
    ("opening", 18, 24),
    ("middle", 11, 17),
    ("end", 3, 10),
    ("last two", 1, 2),
)  # (name, least, most) moves left
MEASURES = FIRED, MOVES, JUDGED, RIGHT, DECIDING, SUPPORTING, SAID_LOST, SAID_FREE, SAID_KEPT, SAID_BLUNDERED, ONLY = (
    *("fired", "moves", "judged", "right", "decides", "supports"),
    *("lost", "free", "kept", "blundered", "only"),
)
MEAN_TO = 14  # maximum moves left of positions in the mean rate; with more moves left, too few positions are solved
BLOCK = 4096  # positions per block; the firings in one block are in memory at a time


class Rate(NamedTuple):
    """A share from 0 to 1, with the limits of its confidence interval."""

    share: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{100 * self.share:.2f}% ({100 * self.low:.2f} to {100 * self.high:.2f})"


def rate(count: int, of: int, confidence: float = CONFIDENCE) -> Rate:
    """Return the rate `count / of` with Wilson's two-sided interval. If `of` is 0, return 0 with limits 0 and 1."""
    return Rate(count / of, *wilson(count / of, of, confidence)) if of else Rate(0.0, 0.0, 1.0)


def mean_rate(rates: Sequence[Rate]) -> Rate:
    """Return the unweighted mean of independent rates.

    If there are no rates, the mean is 0 with limits 0 and 1. The limits are computed with the MOVER method (method of
    variance estimates recovery; Zou and Donner), in which even a rate of 0 widens the interval.
    """
    if not rates:
        return Rate(0.0, 0.0, 1.0)
    share = sum(one.share for one in rates) / len(rates)
    down = sqrt(sum((one.share - one.low) ** 2 for one in rates)) / len(rates)
    up = sqrt(sum((one.high - one.share) ** 2 for one in rates)) / len(rates)
    return Rate(share, max(0.0, share - down), min(1.0, share + up))


@dataclass(frozen=True)
class Graded:
    """Labelled positions with the player's moves and the roles of the patterns.

    overridden: bool, whether an override decided. refused: bool, whether the player refuses every winning move
    (see _refused). roles: int8 [position, pattern], the role of each pattern in the decision without overrides.
    littlego.engines.compiled.roles defines the roles.
    """

    book: Book
    labels: Labels
    moves: np.ndarray
    overridden: np.ndarray
    refused: np.ndarray
    roles: np.ndarray

    @property
    def outcomes(self) -> np.ndarray:
        """The outcome of each decision: LOST, FREE, KEPT or BLUNDERED."""
        winning = self.labels.winning
        return np.asarray(outcome_of(winning, legal_many(self.labels.codes), self.moves))

    @property
    def blunders(self) -> list[int]:
        """The indices of the decisions that gave a win away."""
        return [int(index) for index in np.flatnonzero(self.outcomes == BLUNDERED)]

    def speakers(self, index: int) -> list[str]:
        """Return the ids of the patterns that decide the move in position `index`.

        If no pattern decides alone, return the ids of the patterns that support the move. Return [] if an override
        decided.
        """
        if self.overridden[index]:
            return []
        return [self.book.patterns[number].id for number in speakers_of(self.roles[index].tolist())]

    def by(self, index: int) -> str:
        """Return the ids from `speakers` as text, or else AN_OVERRIDE (if an override decided) or NO_PATTERN."""
        return names_text(self.speakers(index)) or (AN_OVERRIDE if self.overridden[index] else NO_PATTERN)

    def where(self, wanted: np.ndarray) -> Graded:
        """Return the positions that a mask or a list of indices selects."""
        columns = (self.moves, self.overridden, self.refused, self.roles)
        return Graded(self.book, self.labels.where(wanted), *(column[wanted] for column in columns))


def grade_decisions(decider: Decider, labels: Labels) -> Graded:
    """Return a player's decisions in labelled positions, with the roles of the patterns."""
    moves, deciders = decider.decide(labels.codes)
    roles = reasons_many(labels.codes, decider.program, with_firings=False).roles
    refused = _refused(labels, scores_many(labels.codes, decider.program)[1])
    return Graded(decider.book, labels, moves, deciders == BY_OVERRIDE, refused, roles)


def _refused(labels: Labels, against: np.ndarray) -> np.ndarray:
    """Return, for each position, whether there are winning moves and the player refuses all of them.

    A move is refused if the safety check or a pattern vetoes the move, or if the move fills an eye of the player. The
    value is False if at most EXACT moves are left, because the player then chooses an exact move. against: see
    scores_many.
    """
    allowed = ((against == ALLOWED) << np.arange(against.shape[1])).sum(axis=1)
    refused = (labels.winning != 0) & (labels.winning & allowed == 0)
    return np.asarray(refused & (moves_left(labels.codes) > EXACT), dtype=bool)


@dataclass(frozen=True)
class Blunders:
    """Counts of the decisions with `left` moves left.

    won: positions where some moves win and others lose. blundered: positions in `won` where the win was given away.
    free: positions where every move wins. lost: positions where no move wins. refused: positions in `won` where every
    winning move is refused. refused_blundered: positions in `refused` where the win was given away.
    """

    left: int
    won: int
    blundered: int
    free: int
    lost: int
    refused: int
    refused_blundered: int

    @property
    def rate(self) -> Rate:
        """The share of the positions in `won` where the win was given away."""
        return rate(self.blundered, self.won)

    @property
    def colour(self) -> str:
        """The side to move."""
        return COLOURS[self.left % 2]


def count_blunders(graded: Graded) -> list[Blunders]:
    """Return a row for each number of moves left that occurs in the positions, largest number first."""
    return count_outcomes(moves_left(graded.labels.codes), graded.outcomes, graded.refused)


def count_outcomes(left: np.ndarray, outcomes: np.ndarray, refused: np.ndarray) -> list[Blunders]:
    """Return a row of counts for each number of moves left. left: the number of moves left in each position.

    outcomes, refused: as in Graded.
    """
    rows = []
    for number in sorted(set(left.tolist()), reverse=True):
        here = left == number
        lost, free, kept, blundered = np.bincount(outcomes[here], minlength=4).tolist()
        refused_kept, refused_blundered = (
            int((outcomes[here & refused] == outcome).sum()) for outcome in (KEPT, BLUNDERED)
        )
        rows.append(
            Blunders(
                number, kept + blundered, blundered, free, lost, refused_kept + refused_blundered, refused_blundered
            )
        )
    return rows


def rows_in_mean(rows: Sequence[Blunders], colour: str) -> list[Blunders]:
    """Return the rows that a colour's mean rate includes.

    These are the colour's rows whose `won` is not 0 and whose `left` is at most MEAN_TO.
    """
    return [row for row in rows if row.colour == colour and row.won and row.left <= MEAN_TO]


def blunder_rate(rows: Sequence[Blunders], colour: str) -> Rate:
    """Return the unweighted mean of a colour's blunder rates in the rows that rows_in_mean returns."""
    return mean_rate([row.rate for row in rows_in_mean(rows, colour)])


def cells_of(codes: np.ndarray) -> np.ndarray:
    """Return 2 * phase + colour for each position; phase and colour are indices in PHASES and COLOURS."""
    left = moves_left(codes)
    phases = [(left >= least) & (left <= most) for _, least, most in PHASES]
    return np.select(phases, [2 * number + left % 2 for number in range(len(PHASES))])


def pattern_counts(graded: Graded, fired: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """Return the patterns' counts as an int64 array [pattern, phase, colour, measure].

    The measures are in the order of MEASURES. fired: a function that returns, for an array of codes, an int32 array
    [position, pattern] with the masks of the moves for which the pattern fires.

    The measure `fired` counts the positions where the pattern fires for at least one legal move. `moves` counts the
    legal moves for which the pattern fires. `judged` counts the legal moves for which the pattern fires in positions
    where some moves win and others lose. `right` counts the winning moves among the judged moves. `decides` and
    `supports` count the positions where the pattern decides or supports the move. `lost`, `free`, `kept` and
    `blundered` divide these positions by the outcome of the decision. `only` counts the blundered positions in which
    exactly one move wins.
    """
    patterns, cells = len(graded.book.patterns), 2 * len(PHASES)
    counts = np.zeros((patterns, cells, len(MEASURES)), dtype=np.int64)
    cell, outcomes = cells_of(graded.labels.codes), graded.outcomes
    _count_said(counts, graded, cell, outcomes)
    for start in range(0, graded.labels.codes.size, BLOCK):
        some = slice(start, start + BLOCK)
        masks = fired(graded.labels.codes[some])
        _count_fired(counts, masks, graded.labels.winning[some], cell[some], outcomes[some])
    return counts.reshape(patterns, len(PHASES), 2, len(MEASURES))


def _count_said(counts: np.ndarray, graded: Graded, cell: np.ndarray, outcomes: np.ndarray) -> None:
    """Add to `counts` the number of positions where each pattern decides or supports the move, by outcome."""
    roles = np.where(graded.overridden[:, None], 0, graded.roles & ROLE)
    blundered = outcomes == BLUNDERED
    for measure, least, most, wanted in (
        (DECIDING, DECIDES, DECIDES, outcomes >= 0),
        (SUPPORTING, SUPPORTS, SUPPORTS, outcomes >= 0),
        (SAID_LOST, SUPPORTS, DECIDES, outcomes == LOST),
        (SAID_FREE, SUPPORTS, DECIDES, outcomes == FREE),
        (SAID_KEPT, SUPPORTS, DECIDES, outcomes == KEPT),
        (SAID_BLUNDERED, SUPPORTS, DECIDES, blundered),
        (ONLY, SUPPORTS, DECIDES, blundered & (count_many(graded.labels.winning) == 1)),
    ):
        for number in set(cell[wanted].tolist()):
            some = roles[wanted & (cell == number)]
            counts[:, number, MEASURES.index(measure)] += ((some >= least) & (some <= most)).sum(axis=0)


def _count_fired(
    counts: np.ndarray, fired: np.ndarray, winning: np.ndarray, cell: np.ndarray, outcomes: np.ndarray
) -> None:
    """Add the measures of one block of positions to `counts`. fired: an array [position, pattern] of move masks."""
    judged = np.where(np.isin(outcomes, (KEPT, BLUNDERED))[:, None], fired, 0)
    columns = (
        (FIRED, (fired != 0).astype(np.int64)),
        (MOVES, _bits(fired)),
        (JUDGED, _bits(judged)),
        (RIGHT, _bits(judged & winning[:, None])),
    )
    for number in set(cell.tolist()):
        for measure, column in columns:
            counts[:, number, MEASURES.index(measure)] += column[cell == number].sum(axis=0)


def _bits(masks: np.ndarray) -> np.ndarray:
    return np.asarray(count_many(masks.reshape(-1))).reshape(masks.shape)


def count_blamed(graded: Graded) -> dict[str, int]:
    """Return {pattern: number of wins given away by moves that the pattern decides or supports}.

    The largest number comes first. A win counts once for each pattern that decides or supports the losing move. The key
    AN_OVERRIDE counts the wins that overrides give away; NO_PATTERN counts the wins given away without any such
    pattern.
    """
    counts = Counter(name for index in graded.blunders for name in graded.speakers(index) or [graded.by(index)])
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


class Worth(NamedTuple):
    """The effect of removing one pattern, in numbers of positions.

    decides: positions where the removal changes the player's move. won: positions in `decides` where some moves win and
    others lose. given: positions in `won` where the player gives the win away only without the pattern. regained:
    positions in `won` where the player gives the win away only with the pattern.
    """

    decides: int
    won: int
    given: int
    regained: int

    @property
    def worth(self) -> int:
        """The number of wins that the pattern's removal gives away, minus the number that it regains."""
        return self.given - self.regained

    @property
    def limits(self) -> tuple[float, float]:
        """The 95% interval of `worth`.

        The limits follow from Wilson's interval for given / (given + regained). If both numbers are 0, the limits are
        (0, 0).
        """
        changed = self.given + self.regained
        if not changed:
            return 0.0, 0.0
        share = rate(self.given, changed)
        return changed * (2 * share.low - 1), changed * (2 * share.high - 1)

    def as_json(self) -> dict[str, Any]:
        """Return a JSON object with the counts, `worth`, and the interval's limits `low` and `high`."""
        low, high = self.limits
        return {**self._asdict(), "worth": self.worth, "low": low, "high": high}


def worth_of_each(graded: Graded) -> dict[str, Worth]:
    """Return {id: Worth} for the book's patterns, the smallest worth first. graded: decisions without overrides.

    The decision without a pattern is computed only where the pattern decides; in other positions, the removal does not
    change the move.
    """
    book, outcomes = graded.book, graded.outcomes
    found = {}
    for index, pattern in enumerate(book.patterns):
        decided = graded.roles[:, index] & ROLE == DECIDES
        won = decided & np.isin(outcomes, (KEPT, BLUNDERED))
        codes, winning, _ = graded.labels.where(won)
        rest = part_of(book, (other for other in range(len(book.patterns)) if other != index))
        wins = (winning >> decide_many(codes, compile_book(rest))[0] & 1).astype(bool)
        given, regained = (outcomes[won] == KEPT) & ~wins, (outcomes[won] == BLUNDERED) & wins
        found[pattern.id] = Worth(*(int(one.sum()) for one in (decided, won, given, regained)))
    return dict(sorted(found.items(), key=lambda item: (item[1].worth, item[1].limits, item[0])))


def worst_blunders(graded: Graded, most: int) -> list[int]:
    """Return the indices of at most `most` blunders, by descending share of winning moves."""
    codes, winning = graded.labels.codes, graded.labels.winning
    shares = count_many(winning) / count_many(legal_many(codes))
    return sorted(graded.blunders, key=lambda index: (-shares[index], int(codes[index])))[:most]


@dataclass(frozen=True)
class Report:
    """The grades of a player and its patterns, as returned by `grade`.

    name: a description of the positions on which the player is graded. everything: the decisions used to grade the
    patterns. player: the decisions used to grade the player, without overrides. patched: the decisions with overrides
    in the positions of `player`, or None if there are no overrides. counts: see pattern_counts. worths: the result of
    worth_of_each, or None if the worths were not requested.
    """

    name: str
    everything: Graded
    player: Graded
    patched: Graded | None
    counts: np.ndarray
    worths: dict[str, Worth] | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the report as plain JSON values."""
        return {
            "positions": self.name,
            "measures": MEASURES,
            "player": _player_json(self.player),
            "with_overrides": _player_json(self.patched) if self.patched else None,
            "blamed": count_blamed(self.player),
            "patterns": {
                pattern.id: _pattern_json(counts)
                for pattern, counts in zip(self.everything.book.patterns, self.counts, strict=True)
            },
            "worths": None if self.worths is None else {name: one.as_json() for name, one in self.worths.items()},
            "blunders": [graded_json(self.player, index) for index in self.player.blunders],
        }


def load_source(part: str | None, source: str, path: Path) -> Labels:
    """Return a part's labels with the given source; raise ArgumentError if no position has this source.

    part: a part's name, or None for both parts. source: a key of SOURCES, or `all` for every source.
    """
    labels = load(part, SOURCES.get(source, 0), path)
    if not labels.codes.size:
        where = f"the {part} part" if part else "either part"
        raise ArgumentError(f"no position of {where} comes from this source: label positions with `littlego dev label`")
    return labels


def grade(
    book: Book, part: str, source: str | None, path: Path, overrides: Mapping[int, int], worth: bool = False
) -> Report:
    """Return the grades of a player and its patterns on a part of the labels.

    source: a key of SOURCES, `all`, or None to grade the player on `met` and the patterns on all sources. path: the
    labels file. overrides: {code of a canonical image: move}. worth: whether to compute the worth of each pattern. The
    patterns are graded without overrides. Raise ArgumentError if the part has no position from the source.
    """
    labels = load_source(part, source or "all", path)
    decider = Decider(book, {})
    everything = grade_decisions(decider, labels)
    judged = everything if source else everything.where(labels.tags & MET != 0)
    patched = grade_decisions(Decider(book, overrides), judged.labels) if overrides else None
    name = f"the {part} part, source {source or 'met'}: {judged.labels.codes.size} positions"
    counts = pattern_counts(everything, lambda codes: fired_many(codes, decider.program))
    return Report(name, everything, judged, patched, counts, worth_of_each(everything) if worth else None)


def exceeds(report: Report, percent: float) -> bool:
    """Return whether either colour's mean blunder rate exceeds `percent`.

    The rate is measured with overrides if there are any.
    """
    rows = count_blunders(report.patched or report.player)
    return any(100 * blunder_rate(rows, colour).share > percent for colour in COLOURS)


def _player_json(graded: Graded) -> dict[str, Any]:
    rows = count_blunders(graded)
    return {
        "mean": {colour: blunder_rate(rows, colour)._asdict() for colour in COLOURS},
        "rows": [{**vars(row), "colour": row.colour, **row.rate._asdict()} for row in rows],
    }


def _pattern_json(counts: np.ndarray) -> dict[str, Any]:
    """Return a pattern's counts by phase and colour, each a list in the order of MEASURES."""
    return {
        phase: {colour: counts[number, side].tolist() for side, colour in enumerate(COLOURS)}
        for number, (phase, _, _) in enumerate(PHASES)
    }


def graded_json(graded: Graded, index: int) -> dict[str, Any]:
    """Return one decision as JSON: see decision_json."""
    code, winning, move = (int(one[index]) for one in (graded.labels.codes, graded.labels.winning, graded.moves))
    return decision_json(code, winning, move, graded.by(index))
