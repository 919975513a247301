"""Fits of the points of patterns to the moves of recorded games, or to solved positions.

The result of a fit contains a Change for every weight, even if the points stay the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from littlego.cache import Cache, digest
from littlego.cli.arguments import ArgumentError
from littlego.engines.choosing import engine_of
from littlego.games.match import NAME as MATCH
from littlego.knowledge.files import book_of_lines
from littlego.knowledge.model import SCALE, KnowledgeBase
from littlego.knowledge.problems import plural
from littlego.knowledge.programs import is_number
from littlego.knowledge.textfile import pattern_line
from littlego.learning.fitting.options import Options, options_in, unpack_options, without_numbers
from littlego.learning.fitting.points import Belief, Weight, prior_of, weights_of
from littlego.learning.fitting.samples import HELD_OUT, Sample, count_moves, fold_of, sampled
from littlego.learning.fitting.softmax import Choices, Flags, Floats, Integers, Prior, fit, log_chances, typical_values
from littlego.learning.fitting.table import Agreement, Table, agreement, make_table
from littlego.meaning import meaning_of
from littlego.parallel import cached_results, with_progress
from littlego.records.packed_games import PackedGame

if TYPE_CHECKING:
    from littlego.truth.labels.labels import Labels

CACHE = "fitting"
NO_PATTERN = "no pattern has points that can be fitted"
SMALL = 2  # in points; a pattern with at most this many points decides almost nothing
DEVIATIONS = (3.0, 6.0, 12.0, 25.0, 50.0)  # standard deviations of the candidate beliefs, in points
WORTH = 1.0  # in standard errors: points that differ by less than this from the fitted value are not changed
WORK = "littlego.learning.fitting.options"  # cached options depend on this module and its imports


@dataclass(frozen=True)
class Change:
    """The fitted points of a pattern or of a sequence. entry: the id in the patterns file.

    kind: the pattern's class. old, new: the points as an author writes them. start, fitted: the weight before and after
    the fit; see points.Weight. error: the standard error of the fitted points or, for an expression or a table, of the
    factor. moves: the number of fitted choices in which the pattern fires for some moves but not for all moves. played:
    the number of right moves (moves played, or winning moves) for which the pattern fires.
    """

    entry: str
    kind: str
    old: str
    new: str
    start: float
    fitted: float
    error: float
    moves: int
    played: int

    @property
    def differs(self) -> bool:
        """Whether the points change."""
        return self.old != self.new


@dataclass(frozen=True)
class Settings:
    """Settings of a fit.

    most: the maximum number of moves per game. loser: see samples.weight_of. deviation, from_present: see
    points.Belief; None lets cross-validation choose the value. softness: `softness * SCALE` more points make a move e
    times as likely.
    """

    most: int
    loser: float
    deviation: float | None = None
    from_present: bool | None = None
    softness: float = 1.0

    @property
    def beliefs(self) -> list[Belief]:
        """The prior beliefs from which cross-validation chooses."""
        deviations = DEVIATIONS if self.deviation is None else (self.deviation,)
        centres = (False, True) if self.from_present is None else (self.from_present,)
        return [Belief(deviation, centre) for centre in centres for deviation in deviations]


@dataclass(frozen=True)
class Fit:
    """The result of a fit.

    belief: the prior belief. learned: a description of the training data. before, after: the weights before the fit,
    and after the fit with the points rounded to whole numbers.
    """

    base: KnowledgeBase
    belief: Belief
    learned: str
    table: Table
    changes: list[Change]
    before: Floats
    after: Floats

    @property
    def idle(self) -> list[str]:
        """The ids of the entries that fire for all options or for no option in each fitted choice."""
        return [change.entry for change in self.changes if not change.moves]

    @property
    def weightless(self) -> list[str]:
        """The ids of the entries that distinguish options but have too little weight to matter.

        An entry is a pattern or a sequence. SMALL defines which fitted weights are too close to 0 to matter.
        """
        met = [one for one in self.changes if one.moves]
        return [one.entry for one in met if abs(one.fitted) * _unit(one) <= SMALL + 0.5]

    def agreements(self, wanted: Flags) -> tuple[Agreement, Agreement]:
        """Return the agreement with the `wanted` choices before and after the fit. wanted: bool [choices]."""
        return agreement(self.table, self.before, wanted), agreement(self.table, self.after, wanted)

    def parts(self) -> dict[str, Flags]:
        """Return {name: mask of choices} for the fitted choices and the held-out choices.

        If the table has several groups, the result also has a mask of each group's held-out choices.
        """
        held, groups = self.table.held, self.table.groups
        parts = {"fitted to": ~held, "held out": held}
        of_group = {name: held & (self.table.group == place) for place, name in enumerate(groups) if len(groups) > 1}
        return parts | {f"held out, {name}": wanted for name, wanted in of_group.items()}

    def classes(self) -> dict[str, Flags]:
        """Return {class: mask of the held-out choices in which a pattern of the class fires for a right move}."""
        table = self.table
        return {kind: table.held & table.fired[:, place] for place, kind in enumerate(table.classes)}

    def as_json(self) -> dict[str, Any]:
        """Return the result as plain JSON values."""
        return {
            "file": self.base.filename,
            f"{self.table.of}s": self.table.held.size,
            "held_out": int(self.table.held.sum()),
            "belief": self.belief._asdict(),
            **{
                name: [
                    {"name": one, "before": asdict(before), "after": asdict(after)}
                    for one, wanted in parts.items()
                    for before, after in [self.agreements(wanted)]
                ]
                for name, parts in (("parts", self.parts()), ("classes", self.classes()))
            },
            "changes": [asdict(change) for change in self.changes],
            "idle": self.idle,
            "weightless": self.weightless,
        }


def _unit(change: Change) -> float:
    """Return the number that converts a fitted weight or factor to the scale of the threshold SMALL."""
    return SCALE if is_number(change.old) else SCALE * SMALL


def fit_points(base: KnowledgeBase, games: Sequence[PackedGame], settings: Settings, jobs: int) -> Fit:
    """Return the fit to the moves of games.

    The options of the positions are cached, so that an interrupted run can resume. Raise ArgumentError if there are no
    weights to fit or no moves to learn from, or if points decide no move outside the held-out games.
    """
    weights, columns = weights_of(base)
    samples = sampled(games, settings.most, settings.loser)
    if not weights or not samples:
        raise ArgumentError(NO_PATTERN if not weights else "no game has a move to learn from")
    options = read_options(base, samples, jobs)
    table = make_table(samples, options, base.ranked(), weights, columns, settings.loser)
    held = sum(fold_of(sample.game) == HELD_OUT for sample in samples)
    description = f"{plural(count_moves(samples), 'move')} of {plural(len(samples), 'game')} ({held} games held out)"
    return fit_table(base, weights, table, description, settings)


def fit_solved(base: KnowledgeBase, solved: tuple[Labels, Floats], settings: Settings) -> Fit:
    """Return the fit to solved positions, in which the winning moves are the right options.

    Raise ArgumentError if there are no weights to fit, or if points decide no position outside the held-out part.
    solved: see solved.solved_positions.
    """
    from littlego.learning.fitting.solved import solved_table  # loads the compiled engine

    weights, columns = weights_of(base)
    if not weights:
        raise ArgumentError(NO_PATTERN)
    lines = tuple(pattern_line(pattern) for pattern in base.ranked())
    table = solved_table(solved, book_of_lines(lines), base.ranked(), weights, columns)
    description = f"{plural(table.held.size, 'solved position')}, {table.held.sum()} of them held out"
    return fit_table(base, weights, table, description, settings)


def fit_table(base: KnowledgeBase, weights: Sequence[Weight], table: Table, learned: str, settings: Settings) -> Fit:
    """Return the fit to the choices of a table.

    learned: a description of the choices. Raise ArgumentError if points decide no choice outside the held-out part.
    """
    before = np.array([one.start for one in weights])
    wanted = table.decided & ~table.held
    if not wanted.any():
        raise ArgumentError(f"points decide none of these {table.of}s: there is nothing to fit")
    typical = typical_values(table.choices.only(wanted))
    table = replace(table, choices=table.choices.softened(settings.softness))
    known = table.choices.only(wanted)
    priors = {belief: prior_of(weights, typical, belief) for belief in settings.beliefs}
    belief = best_of(priors, known, table.fold[wanted], before)
    result = fit(known, priors[belief], before)
    moves, played = _count(table, wanted)
    met = moves > 0
    worth = met & (np.abs(result.weights - before) > WORTH * result.error)
    fitted = np.where(worth, result.weights, before)
    changes = [
        _change(*one) for one in zip(weights, fitted, result.error, moves.tolist(), played.tolist(), strict=True)
    ]
    after = np.array([one.rounded(float(weight)) for one, weight in zip(weights, fitted, strict=True)])
    return Fit(base, belief, learned, table, changes, before, np.where(worth, after, before))


def best_of(priors: Mapping[Belief, Prior], choices: Choices, fold: Integers, start: Floats) -> Belief:
    """Return the belief with the smallest cross_surprise, or the first belief in a tie.

    priors: the prior of the weights for each candidate belief. fold: the fold of each choice, int [choices]. If all
    choices are in the same fold, return the first belief.
    """
    if len(priors) == 1 or len(set(fold.tolist())) == 1:
        return next(iter(priors))
    tried = with_progress(priors, len(priors), "belief")
    return min(tried, key=lambda belief: cross_surprise(choices, fold, priors[belief], start))


def cross_surprise(choices: Choices, fold: Integers, prior: Prior, start: Floats) -> float:
    """Return the cross-validated sum, over the choices, of weight * -ln(chance of a right option).

    The chances in each fold come from weights fitted to the other folds.
    """
    total = 0.0
    for number in sorted(set(fold.tolist())):
        weights = fit(choices.only(fold != number), prior, start).weights
        left = choices.only(fold == number)
        total -= float(left.weight @ log_chances(left, weights))
    return total


def _change(weight: Weight, fitted: float, error: float, moves: int, played: int) -> Change:
    new = weight.text if fitted == weight.start else weight.written(float(fitted))
    unit = 1.0 if weight.points is None else SCALE
    ends = weight.start, float(fitted), float(unit * error)
    return Change(weight.entry, weight.kind, weight.text, new, *ends, moves, played)


def read_options(base: KnowledgeBase, samples: Sequence[Sample], jobs: int) -> Iterator[list[Options]]:
    """Yield the options of each sample's positions.

    Options that are not cached are computed first, with a progress bar. Because the options need much memory, call this
    function again instead of storing its result.
    """
    lines = tuple(without_numbers(pattern_line(pattern)) for pattern in base.ranked())
    code = digest(meaning_of(WORK), engine_of(MATCH).signature(), *lines)
    packed = cached_results(partial(options_in, lines), samples, code, jobs, Cache(CACHE), "game")
    yield from (unpack_options(packed[sample]) for sample in samples)


def _count(table: Table, wanted: Flags) -> tuple[Integers, Integers]:
    """Return (moves, played), two arrays with a count for each weight.

    moves: the number of choices in which the weight's patterns fire for some options but not for all. played: the
    number of right moves for which these patterns fire.
    """
    from scipy.sparse import csr_matrix

    choices = table.choices.only(wanted)
    firing = (choices.features != 0).astype(np.int64).tocsr()
    rows, count = choices.right.size, choices.starts.size - 1
    members = csr_matrix((np.ones(rows, dtype=np.int64), np.arange(rows), choices.starts), (count, rows))
    times = (members @ firing).tocoo()
    tells = times.data < np.diff(choices.starts)[times.row]
    moves = np.bincount(times.col[tells], minlength=firing.shape[1])
    played: Integers = np.asarray(firing[choices.right].sum(axis=0)).ravel()
    return moves, played


def accepted(changes: Sequence[Change]) -> Mapping[str, str]:
    """Return {id: new points} for the changes whose new points differ from the old points."""
    return {change.entry: change.new for change in changes if change.differs}


def games_of(paths: Sequence[Path], games: Sequence[PackedGame], sizes: Sequence[int]) -> list[PackedGame]:
    """Return the games on boards of the given sizes; all games if `sizes` is empty.

    Raise ArgumentError if no game has such a board.
    """
    wanted = [game for game in games if not sizes or game.ruleset.size in sizes]
    if not wanted:
        has = ", ".join(f"{one}x{one}" for one in sorted({game.ruleset.size for game in games})) or "none"
        names = ", ".join(map(str, paths))
        raise ArgumentError(f"{names}: no game has a requested board size; these files have {has}")
    return wanted
