"""The choices that a player would make without some patterns, or with one pattern replaced.

All choices are for one position. A table of numbers (see littlego.engines.reasons.choice) represents the firings of the
actual decision. Missing verdicts on moves, and the moves' scores without patterns, are computed only when a choice
needs them. The actual decision does not change.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from copy import copy
from functools import lru_cache

from littlego.engines.reasons.choice import Table, Work, choose, find_patterns
from littlego.engines.reasons.judge import judge_of
from littlego.rules.engine import Candidate, Decision, Firing, rank
from littlego.rules.geometry import Point, image_of, points_of, symmetry_tables
from littlego.rules.patternfile import Pattern
from littlego.rules.position import PASS
from littlego.rules.uncounted import REFUSED

MOST_MOVES = 40  # most moves compared: all moves on 5x5, the best-ranked moves on larger boards


class Lazy:
    """A lazy sequence: each number is computed at the first access and then cached.

    look: a function that is called at each access; see Foresight.
    """

    def __init__(self, ask: Callable[[int], int], look: Callable[[], None] | None = None) -> None:
        self._ask = lru_cache(maxsize=None)(ask)
        self._look = look

    def __getitem__(self, index: int) -> int:
        if self._look is not None:
            self._look()
        return self._ask(index)


class Foresight:
    """A decision, prepared for hypothetical choices with other patterns.

    candidates: the candidates among which the patterns decide; if there are more than MOST_MOVES, only the patterns'
    choice and the best-ranked others. Candidates with the veto REFUSED (see rules.uncounted), and candidates whose
    exact result differs from the result of the patterns' choice, are omitted. patterns: the patterns that fire for any
    of these candidates. table: the Table of the candidates and patterns (see littlego.engines.reasons.choice). look: a
    function that is called repeatedly during a search; an exception from `look` ends the search.
    """

    def __init__(
        self,
        decision: Decision,
        candidates: Iterable[Candidate] | None = None,
        look: Callable[[], None] | None = None,
    ) -> None:
        self._look = look
        self.decision = decision
        self.chosen = decision.overruled or decision.chosen  # the patterns' choice
        considered = decision.candidates if candidates is None else candidates
        self._judge = judge_of(decision)
        candidates = [
            candidate
            for candidate in considered
            if candidate.result2 == self.chosen.result2 and candidate.veto != REFUSED
        ]
        ranked = sorted(
            candidates, key=lambda candidate: (candidate is not self.chosen, rank(candidate, self._judge.turn))
        )
        self.candidates = candidates if len(candidates) <= MOST_MOVES else ranked[:MOST_MOVES]
        self.patterns = _patterns_of(candidate.all_firings for candidate in self.candidates)
        self.numbers = {pattern.id: number for number, pattern in enumerate(self.patterns)}
        self.table = self._table([candidate.all_firings for candidate in self.candidates], self.patterns, self.numbers)

    @property
    def moves(self) -> int:
        """The mask of the rows of all candidates."""
        return (1 << len(self.candidates)) - 1

    def index(self, candidate: Candidate) -> int:
        """Return a candidate's row in `candidates` and in the table."""
        return next(row for row, other in enumerate(self.candidates) if other is candidate)

    def twins(self, candidate: Candidate) -> list[int]:
        """Return the rows of the other candidates that are symmetric images of a candidate.

        The function uses only symmetries that leave the stones and the ko point of the position unchanged.
        """
        position, move = self.decision.position, candidate.move
        tables = symmetry_tables(position.ruleset.size)
        masks = position.own, position.theirs, position.ko
        turns = [table for table in tables if all(image_of(mask, table) == mask for mask in masks)]
        moves = {PASS if move == PASS else table[move] for table in turns} - {move}
        return [row for row, other in enumerate(self.candidates) if other.move in moves]

    def every_ending(self) -> list[Candidate]:
        """Return a Candidate with an exact result for each legal move.

        Return [] if the exact result of the chosen move is unknown.
        """
        if self.chosen.result2 is None:
            return []
        moves = [*points_of(self.decision.position.legal()), PASS]
        known = {candidate.move: candidate for candidate in self.decision.candidates}
        return [known[move] if move in known else self._ending(move) for move in moves]

    def _ending(self, move: Point) -> Candidate:
        candidate = Candidate(move, [])
        candidate.result2 = self._judge.result2(move)
        return candidate

    def is_last_resort(self) -> bool:
        """Return whether the chosen move loses stones although a barred move would lose fewer stones.

        In games with territory, the engine for large boards then plays the best move that is not barred, although it
        loses stones.
        """
        if not self.chosen.veto or self.chosen.barred:
            return False
        return self.candidates[choose(self.table, self.moves, [0] * len(self.patterns))] is not self.chosen

    def runner_up(self) -> Candidate:
        """Return the best-ranked candidate that was not chosen."""
        others = [candidate for candidate in self.candidates if candidate is not self.chosen]
        return min(others, key=lambda candidate: rank(candidate, self._judge.turn))

    def find_patterns(self) -> tuple[Work, int]:
        """Return (a Work with the deciding patterns, the row chosen without the smallest deciding set).

        The row is -1 if no deciding set is known. See littlego.engines.reasons.choice.
        """
        number = len(self.patterns)
        work = Work(*([0] * number for _ in Work._fields))
        _, instead = find_patterns(self.table, self.moves, self.index(self.chosen), number, work)
        return work, instead

    def move_without(self, ids: Collection[str]) -> Point:
        """Return the move that would be chosen without the patterns with these ids."""
        out = [int(pattern.id in ids) for pattern in self.patterns]
        return self.candidates[choose(self.table, self.moves, out)].move

    def moves_without(self) -> dict[str, Point]:
        """Return {pattern id: the move chosen without the pattern} for each pattern that fires."""
        return {pattern.id: self.move_without((pattern.id,)) for pattern in self.patterns}

    def move_with(self, name: str, firings: Mapping[Point, Firing]) -> Point:
        """Return the move that would be chosen if another pattern replaced a pattern of the book.

        name: the id of the replaced pattern. firings: {move: firing of the other pattern}.
        """
        changed = [_replaced(one.all_firings, name, firings.get(one.move)) for one in self.candidates]
        patterns = _patterns_of(changed)
        table = self._table(changed, patterns, {pattern.id: number for number, pattern in enumerate(patterns)})
        return self.candidates[choose(table, self.moves, [0] * len(patterns))].move

    def loss(self, row: int) -> int:
        """Return the loss of a candidate in stones, or 0 if its exact result is known.

        An exact result already includes every loss.
        """
        original = self.candidates[row]
        if original.result2 is not None:
            return 0
        return original.verdict.loss if original.verdict is not None else self._judge.vet(original.move).loss

    def judged(self, candidate: Candidate) -> Candidate:
        """Return a candidate with its verdict and any veto, as in a complete decision."""
        if candidate.verdict is not None or candidate.result2 is not None:
            return candidate
        made = copy(candidate)
        made.judge(self._judge.vet(candidate.move))
        return made

    def _bare_one(self, row: int) -> Candidate:
        return self._judge.bare(self.candidates[row].move)

    def _table(self, firings: list[list[Firing]], patterns: list[Pattern], numbers: Mapping[str, int]) -> Table:
        first = [0]
        for some in firings:
            first.append(first[-1] + len(some))
        places = [self._judge.place(candidate.move) for candidate in self.candidates]
        return Table(
            place=[1 << 20 if place == PASS else place for place in places],
            loss=Lazy(self.loss, self._look),  # every choice reads at least one loss and thereby calls `look`
            bare_priority=Lazy(lambda row: self._bare_one(row).priority),
            bare_points=Lazy(lambda row: self._bare_one(row).points),
            bare_barred=Lazy(lambda row: int(self._bare_one(row).barred)),
            first=first,
            pattern=[numbers[firing.pattern.id] for some in firings for firing in some],
            points=[firing.points for some in firings for firing in some],
            priority=[pattern.priority for pattern in patterns],
            specificity=[pattern.specificity for pattern in patterns],
            forbids=[int(pattern.forbid) for pattern in patterns],
            sacrifice=[int(pattern.sacrifice) for pattern in patterns],
            risk=[int(pattern.risk) for pattern in patterns],
        )


def _patterns_of(firings: Iterable[Iterable[Firing]]) -> list[Pattern]:
    """Return the patterns of firings in the order of patterns.txt: highest priority first, then by id."""
    patterns = {firing.pattern.id: firing.pattern for some in firings for firing in some}
    return sorted(patterns.values(), key=book_order)


def book_order(pattern: Pattern) -> tuple[int, str]:
    """Return a key that sorts patterns in the order of patterns.txt."""
    return -pattern.priority, pattern.id


def _replaced(firings: list[Firing], name: str, other: Firing | None) -> list[Firing]:
    """Return a move's firings without the pattern `name`, but with the firing `other`.

    If `other` is None, no firing is added. The firings are in the order of patterns.txt.
    """
    rest = [firing for firing in firings if firing.pattern.id != name]
    return sorted([*rest, other] if other else rest, key=lambda firing: book_order(firing.pattern))
