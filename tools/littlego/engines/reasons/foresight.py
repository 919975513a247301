"""What would be played in a position if patterns were left out, or one were another: asked of a decision made already.

The decision's firings make a table (littlego.engines.reasons.choice); moves that it had no need to vet are vetted, and
judged as if no pattern spoke for them, once that is asked for. The decision itself is left as it is.
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

MOST_MOVES = 40  # that are weighed against each other: all on 5x5, on larger boards those that rank best


class Lazy:
    """Numbers by index, each worked out when it is first asked for. look: called whenever one is; see Foresight."""

    def __init__(self, ask: Callable[[int], int], look: Callable[[], None] | None = None) -> None:
        self._ask = lru_cache(maxsize=None)(ask)
        self._look = look

    def __getitem__(self, index: int) -> int:
        if self._look is not None:
            self._look()
        return self._ask(index)


class Foresight:
    """A decision of a book, asked what would be played there with other patterns.

    candidates: those between which patterns decide, all but moves with a worse exact result or REFUSED, of a large
    board the MOST_MOVES best. patterns: those that fire for one of them; table: both as numbers. look: called
    again and again while patterns are sought; what it raises ends the search.
    """

    def __init__(
        self,
        decision: Decision,
        candidates: Iterable[Candidate] | None = None,
        look: Callable[[], None] | None = None,
    ) -> None:
        self._look = look
        self.decision = decision
        self.chosen = decision.overruled or decision.chosen  # by the patterns
        asked = decision.candidates if candidates is None else candidates
        self._judge = judge_of(decision)
        candidates = [one for one in asked if one.result2 == self.chosen.result2 and one.veto != REFUSED]
        ranked = sorted(candidates, key=lambda one: (one is not self.chosen, rank(one, self._judge.turn)))
        self.candidates = candidates if len(candidates) <= MOST_MOVES else ranked[:MOST_MOVES]
        self.patterns = _patterns_of(one.all_firings for one in self.candidates)
        self.numbers = {pattern.id: number for number, pattern in enumerate(self.patterns)}
        self.table = self._table([one.all_firings for one in self.candidates], self.patterns, self.numbers)

    @property
    def moves(self) -> int:
        """All candidates, as a mask of rows."""
        return (1 << len(self.candidates)) - 1

    def index(self, candidate: Candidate) -> int:
        """Return a candidate's row."""
        return next(row for row, one in enumerate(self.candidates) if one is candidate)

    def twins(self, candidate: Candidate) -> list[int]:
        """Return the rows of the other candidates that a symmetry of the position itself makes of one."""
        position, move = self.decision.position, candidate.move
        tables = symmetry_tables(position.ruleset.size)
        masks = position.own, position.theirs, position.ko
        turns = [table for table in tables if all(image_of(mask, table) == mask for mask in masks)]
        moves = {PASS if move == PASS else table[move] for table in turns} - {move}
        return [row for row, one in enumerate(self.candidates) if one.move in moves]

    def every_ending(self) -> list[Candidate]:
        """Return all legal moves and the pass, with their exact results where at most two moves are left, else none."""
        if self.chosen.result2 is None:
            return []
        moves = [*points_of(self.decision.position.legal()), PASS]
        known = {one.move: one for one in self.decision.candidates}
        return [known[move] if move in known else self._ending(move) for move in moves]

    def _ending(self, move: Point) -> Candidate:
        candidate = Candidate(move, [])
        candidate.result2 = self._judge.result2(move)
        return candidate

    def is_last_resort(self) -> bool:
        """Return whether the chosen move costs something, and others that would be chosen by their loss are forbidden:
        where territory counts, the engine of large boards then takes what nothing forbids."""
        if not self.chosen.veto or self.chosen.barred:
            return False
        return self.candidates[choose(self.table, self.moves, [0] * len(self.patterns))] is not self.chosen

    def runner_up(self) -> Candidate:
        """Return the candidate that ranks first of the others."""
        others = [one for one in self.candidates if one is not self.chosen]
        return min(others, key=lambda one: rank(one, self._judge.turn))

    def find_patterns(self) -> tuple[Work, int]:
        """Return which patterns decide and which few are found to make the difference, and the row chosen without
        these; -1 where the patterns make none. See littlego.engines.reasons.choice."""
        number = len(self.patterns)
        work = Work(*([0] * number for _ in Work._fields))
        _, instead = find_patterns(self.table, self.moves, self.index(self.chosen), number, work)
        return work, instead

    def move_without(self, ids: Collection[str]) -> Point:
        """Return the move without these patterns."""
        out = [int(pattern.id in ids) for pattern in self.patterns]
        return self.candidates[choose(self.table, self.moves, out)].move

    def moves_without(self) -> dict[str, Point]:
        """Return the move without each pattern that fires; without any other pattern it stays."""
        return {pattern.id: self.move_without((pattern.id,)) for pattern in self.patterns}

    def move_with(self, name: str, firings: Mapping[Point, Firing]) -> Point:
        """Return the move with another pattern for one of the book's.

        firings: all that the other pattern fires for, by move.
        """
        changed = [_replaced(one.all_firings, name, firings.get(one.move)) for one in self.candidates]
        patterns = _patterns_of(changed)
        table = self._table(changed, patterns, {pattern.id: number for number, pattern in enumerate(patterns)})
        return self.candidates[choose(table, self.moves, [0] * len(patterns))].move

    def loss(self, row: int) -> int:
        """Return what a candidate costs in stones; an exact result holds no further loss."""
        one = self.candidates[row]
        if one.result2 is not None:
            return 0
        return one.verdict.loss if one.verdict is not None else self._judge.vet(one.move).loss

    def judged(self, candidate: Candidate) -> Candidate:
        """Return a candidate with its verdict, and its veto if it deserves one, as a complete decision has it."""
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
        places = [self._judge.place(one.move) for one in self.candidates]
        return Table(
            place=[1 << 20 if place == PASS else place for place in places],
            loss=Lazy(self.loss, self._look),  # of each choice between moves at least one is asked for
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
    """Return the patterns of some firings in the order of patterns.txt: highest priority first, then by id."""
    patterns = {firing.pattern.id: firing.pattern for some in firings for firing in some}
    return sorted(patterns.values(), key=book_order)


def book_order(pattern: Pattern) -> tuple[int, str]:
    """Return a key that sorts patterns as patterns.txt has them."""
    return -pattern.priority, pattern.id


def _replaced(firings: list[Firing], name: str, other: Firing | None) -> list[Firing]:
    """Return the firings for a move with this one, or none, for that of a pattern."""
    rest = [one for one in firings if one.pattern.id != name]
    return sorted([*rest, other] if other else rest, key=lambda one: book_order(one.pattern))
