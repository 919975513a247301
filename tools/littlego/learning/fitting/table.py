"""The training table of a fit: choices and their options.

A choice is a move of a recorded game, or a solved position.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from littlego.knowledge.model import SCALE, USUAL, KnownPattern
from littlego.learning.fitting.options import Option, Options
from littlego.learning.fitting.points import Weight, plain_number
from littlego.learning.fitting.samples import HELD_OUT, Sample, fold_of, weight_of
from littlego.learning.fitting.softmax import Choices, Flags, Floats, Integers, log_chances, ranks, telling

FIVE = 5  # agreement is reported for the first move and for the first FIVE moves
ABOVE = 1e7  # points that count as one step of priority: more points than any move has
NOBODY = Option(-3, 0, ())  # placeholder for the row of a choice without options


@dataclass(frozen=True)
class Table:
    """Choices (moves of games or solved positions) and their options.

    choices: the choices, with one feature per weight. priority: int [rows]. fold: int [choices], see samples.fold_of
    and solved.folds_of. group: int [choices], an index into `groups`. fired: bool [choices, classes], whether a pattern
    of the class fires for a right move (the move played, or a winning move). classes: the names of the classes. of: the
    kind of choice, "move" or "position".
    """

    choices: Choices
    priority: Integers
    fold: Integers
    group: Integers
    groups: list[str]
    fired: Flags
    classes: list[str]
    of: str

    @property
    def held(self) -> Flags:
        """Whether each choice is held out, bool [choices]."""
        held: Flags = self.fold == HELD_OUT
        return held

    @property
    def decided(self) -> Flags:
        """Whether points decide each choice, bool [choices].

        Points decide a choice if patterns propose both right and wrong moves, and the highest priority of a proposal is
        the usual priority.
        """
        top = np.maximum.reduceat(self.priority, self.choices.starts[:-1])
        result: Flags = (top == USUAL) & telling(self.choices)
        return result

    def ranks(self, weights: Floats) -> Integers:
        """Return, for each choice, how many options rank above the best right move; -1 if none is right."""
        points = np.round(SCALE * self.choices.scores(weights), 6)
        return ranks(self.priority * ABOVE + points, self.choices.starts, self.choices.right)


@dataclass(frozen=True)
class Agreement:
    """Agreement of patterns with right moves, as counts of choices.

    A right move is the move played, or a winning move. moves: number of choices. proposed: choices where the patterns
    propose a right move. first, five: choices where a right move ranks first, or among the first FIVE. decided: choices
    that points decide. surprise: the mean of -ln(chance of a right move) over the decided choices, or 0 if points
    decide no choice.
    """

    moves: int
    proposed: int
    first: int
    five: int
    decided: int
    surprise: float


def agreement(table: Table, weights: Floats, wanted: Flags) -> Agreement:
    """Return the Agreement of patterns with these weights on the `wanted` choices. wanted: bool [choices]."""
    result = table.ranks(weights)[wanted]
    decided = table.decided & wanted
    chances = log_chances(table.choices.only(decided), weights)
    return Agreement(
        result.size,
        int((result >= 0).sum()),
        int((result == 0).sum()),
        int(((result >= 0) & (result < FIVE)).sum()),
        chances.size,
        float(-chances.mean()) if chances.size else 0.0,
    )


def make_table(
    samples: Sequence[Sample],
    options: Iterable[list[Options]],
    patterns: Sequence[KnownPattern],
    weights: Sequence[Weight],
    columns: Sequence[int],
    loser: float,
) -> Table:
    """Return the training table of samples.

    options: for each sample, the options of each of its positions. patterns: the patterns to which the indices in
    Option.firings refer. weights, columns: see points.weights_of. loser: see samples.weight_of.
    """
    rows = Rows(patterns, weights, columns)
    folds, sizes, weight = [], [], []
    for sample, positions in zip(samples, options, strict=True):
        for ply, result in zip(sample.plies, positions, strict=True):
            rows.add(result, [sample.game.moves[ply]])
            folds.append(fold_of(sample.game))
            sizes.append(sample.game.ruleset.size)
            weight.append(weight_of(sample.game, ply, loser))
    different = sorted(set(sizes))
    group = np.searchsorted(different, sizes).astype(np.int64)
    names = [f"{size}x{size}" for size in different]
    return rows.table(np.array(weight), np.array(folds, dtype=np.int64), group, names, "move")


class Rows:
    """A builder that adds one choice at a time to a training table."""

    def __init__(self, patterns: Sequence[KnownPattern], weights: Sequence[Weight], columns: Sequence[int]) -> None:
        self.columns = columns
        self.kinds = [pattern.kind for pattern in patterns]
        self.classes = sorted(set(self.kinds))
        self.width = len(weights)
        self.is_factor = [one.points is None for one in weights]
        self.numbers = [plain_number(one) for one in patterns]
        self.starts, self.ends = array("q", [0]), array("q", [0])
        self.priorities, self.right, self.places = (
            array("q"),
            array("b"),
            array("q"),
        )  # arrays, because there are millions of rows
        self.offset, self.values = array("d"), array("d")
        self.fired = list[list[bool]]()

    def add(self, options: Options, right: Sequence[int]) -> None:
        """Add a choice: the options and the right moves of a position."""
        kinds: set[str] = set()
        for option in options or [NOBODY]:
            is_right = bool(options) and option.move in right
            self.priorities.append(option.priority)
            self.right.append(is_right)
            self.offset.append(sum(self._add_firing(*firing) for firing in option.firings) / SCALE)
            self.ends.append(len(self.values))
            if is_right:
                kinds |= {self.kinds[index] for index, _ in option.firings}
        self.starts.append(len(self.priorities))
        self.fired.append([kind in kinds for kind in self.classes])

    def _add_firing(self, index: int, points: int) -> int:
        """Add a firing to the current row; return the firing's points if the fit keeps them fixed, else 0."""
        number, column = self.numbers[index], self.columns[index]
        if column < 0:
            return points if number is None else number
        self.places.append(column)
        self.values.append(points / SCALE if self.is_factor[column] else 1.0)
        return 0

    def table(self, weight: Floats, fold: Integers, group: Integers, groups: list[str], of: str) -> Table:
        """Return the table of the added choices; see Table. weight: float [choices]."""
        fired = np.array(self.fired, dtype=bool).reshape(-1, len(self.classes))
        return Table(self._choices(weight), np.array(self.priorities), fold, group, groups, fired, self.classes, of)

    def _choices(self, weight: Floats) -> Choices:
        from scipy.sparse import csr_matrix

        columns = np.array(self.values), np.array(self.places), np.array(self.ends)
        features = csr_matrix(columns, (len(self.right), self.width))
        features.sum_duplicates()
        return Choices(np.array(self.starts), features, np.array(self.offset), np.array(self.right, dtype=bool), weight)
