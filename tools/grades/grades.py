"""Decisions against the truth: what the player and each of its patterns did with positions that are won."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rules.patternfile import Book
from tools.effects.coverage import BUILT_IN
from tools.grades.rates import Rate, mean_rate, rate
from tools.labels.arrays import count_many, legal_many, moves_left
from tools.labels.decider import BY_OVERRIDE, Decider
from tools.labels.labels import Labels

# What can become of a decision. LOST: nothing wins. FREE: every move wins, the pass too.
LOST, FREE, KEPT, THREW = range(4)
AN_OVERRIDE = "(override)"  # what stands for the pattern where an override decided
COLOURS = ("black", "white")
PHASES = (("opening", 18, 24), ("middle", 11, 17), ("end", 3, 10), ("last two", 1, 2))  # by moves left
MEASURES = FIRED, MOVES, JUDGED, RIGHT, DECIDED, DECIDED_LOST, DECIDED_FREE, DECIDED_KEPT, DECIDED_THREW, ONLY = (
    "fired",
    "moves",
    "judged",
    "right",
    "decided",
    "lost",
    "free",
    "kept",
    "threw",
    "only",
)
BLOCK = 4096  # positions for which the firings of all patterns are held at a time


@dataclass(frozen=True)
class Graded:
    """Labelled positions with what was played there, and who decided: see Decider."""

    book: Book
    labels: Labels
    moves: np.ndarray
    deciders: np.ndarray

    @property
    def fates(self) -> np.ndarray:
        """What became of each decision: LOST, FREE, KEPT or THREW."""
        winning = self.labels.winning
        kept = winning >> self.moves & 1
        fates = np.where(kept, KEPT, THREW)
        fates[winning == legal_many(self.labels.codes)] = FREE
        fates[winning == 0] = LOST
        return fates

    def by(self, index: int) -> str:
        """Return who decided position `index`: a pattern's id, or what stands for none."""
        decider = int(self.deciders[index])
        if decider >= 0:
            return self.book.patterns[decider].id
        return AN_OVERRIDE if decider == BY_OVERRIDE else BUILT_IN

    def where(self, wanted: np.ndarray) -> Graded:
        """Return the positions that a mask or a list of indices picks."""
        return Graded(self.book, self.labels.where(wanted), self.moves[wanted], self.deciders[wanted])


def graded(decider: Decider, labels: Labels) -> Graded:
    """Return what a player does in labelled positions."""
    return Graded(decider.book, labels, *decider.decide(labels.codes))


@dataclass(frozen=True)
class Blunders:
    """The decisions with so many moves left: in won positions that some moves give away, and how many did.

    free, lost: positions where every move wins, or none, which are not among the won.
    """

    left: int
    won: int
    threw: int
    free: int
    lost: int

    @property
    def rate(self) -> Rate:
        """The share of the won positions that were given away."""
        return rate(self.threw, self.won)

    @property
    def colour(self) -> str:
        """Who moves."""
        return COLOURS[self.left % 2]


def blunders(found: Graded) -> list[Blunders]:
    """Return a row for each number of moves left that was met, the most first."""
    left, fates = moves_left(found.labels.codes), found.fates
    rows = []
    for number in sorted(set(left.tolist()), reverse=True):
        lost, free, kept, threw = np.bincount(fates[left == number], minlength=4).tolist()
        rows.append(Blunders(number, kept + threw, threw, free, lost))
    return rows


def blunder_rate(rows: list[Blunders], colour: str) -> Rate:
    """Return the unweighted mean over the moves left with which one colour was to move in a won position."""
    return mean_rate([row.rate for row in rows if row.colour == colour and row.won])


def cells_of(codes: np.ndarray) -> np.ndarray:
    """Return for each position the number of its phase and colour: 2 * phase + colour."""
    left = moves_left(codes)
    phase = np.zeros(codes.size, dtype=np.int64)
    for number, (_, least, most) in enumerate(PHASES):
        phase[(left >= least) & (left <= most)] = number
    return 2 * phase + left % 2


def pattern_counts(found: Graded, fired: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """Return counts[pattern, phase, colour, measure]; the measures are those of MEASURES.

    fired: from codes to the masks of the moves that each pattern fires for, an array [position, pattern] of int32.

    fired, moves: positions in which the pattern applies to a legal move, and these moves. judged: those of the moves
    that were made in won positions that some moves give away; right: those of them that win. decided: positions, and
    among them lost, free, kept and threw as the fates are called; only: threw, where one move alone wins.
    """
    patterns, cells = len(found.book.patterns), 2 * len(PHASES)
    counts = np.zeros((patterns, cells, len(MEASURES)), dtype=np.int64)
    cell, fates = cells_of(found.labels.codes), found.fates
    _count_decided(counts, found, cell, fates)
    for start in range(0, found.labels.codes.size, BLOCK):
        some = slice(start, start + BLOCK)
        masks = fired(found.labels.codes[some])
        _count_fired(counts, masks, found.labels.winning[some], cell[some], fates[some])
    return counts.reshape(patterns, len(PHASES), 2, len(MEASURES))


def _count_decided(counts: np.ndarray, found: Graded, cell: np.ndarray, fates: np.ndarray) -> None:
    single = (fates == THREW) & (count_many(found.labels.winning) == 1)
    for measure, wanted in (
        (DECIDED, fates >= 0),
        (DECIDED_LOST, fates == LOST),
        (DECIDED_FREE, fates == FREE),
        (DECIDED_KEPT, fates == KEPT),
        (DECIDED_THREW, fates == THREW),
        (ONLY, single),
    ):
        wanted = wanted & (found.deciders >= 0)
        np.add.at(counts[:, :, MEASURES.index(measure)], (found.deciders[wanted], cell[wanted]), 1)


def _count_fired(
    counts: np.ndarray, fired: np.ndarray, winning: np.ndarray, cell: np.ndarray, fates: np.ndarray
) -> None:
    """Count a block. fired: masks of moves [position, pattern]."""
    matters = (fates == KEPT) | (fates == THREW)
    judged = np.where(matters[:, None], fired, 0)
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
    return count_many(masks.reshape(-1)).reshape(masks.shape)


def blamed(found: Graded) -> dict[str, int]:
    """Return how many wins each decider gave away, the worst first."""
    wrong = np.flatnonzero(found.fates == THREW).tolist()
    names = [found.by(index) for index in wrong]
    return {name: names.count(name) for name in sorted(set(names), key=lambda name: (-names.count(name), name))}


def worst(found: Graded, most: int) -> list[int]:
    """Return the indices of the decisions that gave a win away, those first that had the largest share of moves to
    keep it with."""
    winning, legal = count_many(found.labels.winning), count_many(legal_many(found.labels.codes))
    wrong = np.flatnonzero(found.fates == THREW).tolist()
    return sorted(wrong, key=lambda index: (-winning[index] / legal[index], int(found.labels.codes[index])))[:most]
