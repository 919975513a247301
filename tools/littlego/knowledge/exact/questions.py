"""Exact questions about patterns.

The answer to a question is YES, NO or UNDECIDED, often with a witness: a position that proves the answer. The questions
cover all positions that the rules allow, even if no game leads to them (see littlego.knowledge.exact.partial). A
pattern APPLIES for a move if a placement with this move matches and all conditions are true for the placement. A
pattern FIRES for a move if it applies for the move and the move is legal. A pass is always legal. X, the mover, is
Black or White, depending on the number of moves left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from littlego.cache import digest
from littlego.engines.large.vocabulary import small_facts
from littlego.knowledge.exact.bounds import BOUNDS, NEEDS_A_LEGAL_MOVE, Term
from littlego.knowledge.exact.conclusions import Clause, Differs, Says
from littlego.knowledge.exact.partial import Partial, ko_boards, single_points, unknown_position
from littlego.knowledge.exact.placed import Placed, about, legal, placed_everywhere, up_to_symmetry
from littlego.knowledge.exact.samples import Samples
from littlego.knowledge.exact.search import Budget, BudgetSpentError, find
from littlego.knowledge.model import KnownPattern
from littlego.rules.geometry import around, make_grid
from littlego.rules.position import PASS, Position
from littlego.rules.ruleset import Ruleset

NODES = 3000  # default maximum number of partial boards to search for a question
FIRST_LOOK = 60  # maximum number of partial boards in the first search for each goal
# Facts with a bound that depend on a ko at any point. A fact without a bound may depend on the whole position.
READS_ANY_KO = frozenset(("doomed", "ko_ban"))
READS_KO_AT_ITS_POINT = {name for name, fact in small_facts().items() if fact.after_the_move} | {
    "legal",
    *NEEDS_A_LEGAL_MOVE,
}

YES, NO, UNDECIDED = "yes", "no", "undecided"
_OPPOSITE = {YES: NO, NO: YES, UNDECIDED: UNDECIDED}


@dataclass(frozen=True)
class Answer:
    """The answer to a question about patterns, with the witness position, if any."""

    verdict: str  # YES, NO or UNDECIDED
    witness: Position | None = None  # a position that proves the answer, if any
    move: int | None = None  # the pattern's move in the witness
    nodes: int = 0  # number of partial boards searched

    def opposite(self) -> Answer:
        """Return the answer to the negated question."""
        return replace(self, verdict=_OPPOSITE[self.verdict])


class Goal(NamedTuple):
    """The goal of a search: to complete a board so that all clauses hold. move: the pattern's move."""

    board: Partial
    move: int
    clauses: list[Clause]


@dataclass
class Exact:
    """Exact answers to questions about `patterns`. P and Q are the patterns at the indexes `p` and `q`."""

    patterns: list[KnownPattern]
    ruleset: Ruleset  # must have games of a fixed length and the simple ko rule
    budget: int = NODES  # maximum number of partial boards per question
    positions: Iterable[Position] | None = None  # to try first as witnesses; None for the examples' positions
    _placed: dict[int, list[Placed]] = field(default_factory=dict, init=False)
    _last: tuple[KnownPattern, list[Placed]] | None = field(default=None, init=False)
    _shown: dict[int, list[tuple[Position, int]]] = field(default_factory=dict, init=False)  # by P, from `implies`

    @cached_property
    def samples(self) -> Samples:
        """The positions to try first as witnesses, with the patterns that fire in each position."""
        if self.positions is not None:
            return Samples(self.patterns, self.ruleset, self.positions)
        examples = [(one, one.position()) for pattern in self.patterns for one in pattern.examples]
        drawn = [(position, one.move) for one, position in examples if one.must_fire and one.move is not None]
        return Samples(self.patterns, self.ruleset, (position for _, position in examples), drawn)

    def key(self, question: str, *indexes: int) -> str:
        """Return a digest of a question, its patterns, the ruleset and the budget.

        The digest omits the source code and the known positions, on which an answer may also depend.
        """
        parts = [question, self.ruleset.name, str(self.ruleset.size), str(self.budget)]
        for index in indexes:
            pattern = self.patterns[index]
            parts += ["/".join(pattern.rows), "/".join(pattern.label_rows), pattern.points, *pattern.when, "."]
        return digest(*parts)

    # -- the questions ------------------------------------------------------------------------------------------

    def can_match(self, p: int) -> Answer:
        """Determine whether a pattern applies in at least one position."""
        sample = self.samples.fires(p)
        return Answer(YES, *sample) if sample else self._search(self._goals(self.patterns[p], needs_legal=False))

    def can_be_legal(self, p: int) -> Answer:
        """Determine whether a pattern fires in at least one position."""
        sample = self.samples.fires(p)
        return Answer(YES, *sample) if sample else self._search(self._goals(self.patterns[p]))

    def implies(self, p: int, q: int) -> Answer:
        """Determine whether Q fires for every move for which P fires.

        If the answer is NO, the witness is a counterexample.
        """
        if sample := self.samples.fires(p, but_not=q) or self._shown_without(p, q):
            return Answer(NO, *sample)
        answer = self._search(self._goals(self.patterns[p], but_not=self._placed_of(q)))
        answer = self._walk(answer, self.patterns[p], self.patterns[q], both=False).opposite()
        if answer.witness is not None and answer.move is not None:
            self._shown.setdefault(p, []).append((answer.witness, answer.move))
        return answer

    def _shown_without(self, p: int, q: int) -> tuple[Position, int] | None:
        """Return a (position, move) from an earlier answer for which P fires but Q does not, or None."""
        shown = self._shown.get(p, ())
        return next(((one, move) for one, move in shown if not self.samples.fires_at(q, one, move)), None)

    def cofire(self, p: int, q: int) -> Answer:
        """Determine whether P and Q can fire for the same move."""
        if sample := self.samples.fires(p, and_also=q):
            return Answer(YES, *sample)
        answer = self._walk(self._search(self._both(p, q)), self.patterns[p], self.patterns[q], both=True)
        return self._walk(answer, self.patterns[q], self.patterns[p], both=True)

    def condition(self, p: int, program: str) -> tuple[Answer, Answer]:
        """Return two Answers: whether a condition can be true, and whether the condition can be false.

        The Answers cover the positions in which P's diagram matches and P's move is legal; P's own conditions are
        ignored. program: postfix, as in KnownPattern.when.
        """
        pattern = self.patterns[p]
        return self._fires([program], pattern), self._fires([program + " not"], pattern)

    def points_always_zero(self, p: int) -> Answer:
        """Determine whether P's points, not counting P's table, are 0 whenever P fires.

        If the answer is NO, the witness is a counterexample.
        """
        pattern = self.patterns[p]
        return self._fires([*pattern.when, pattern.points], pattern).opposite()

    # -- the search ---------------------------------------------------------------------------------------------

    def _fires(self, when: list[str], pattern: KnownPattern) -> Answer:
        """Determine whether a pattern could fire with the conditions `when`.

        The conditions `when` replace the pattern's own conditions.
        """
        variant = replace(pattern, when=when)
        if sample := self.samples.variant_fires(variant):
            return Answer(YES, *sample)
        return self._walk(self._search(self._goals(variant)), replace(pattern, when=[]), variant, both=True)

    def _walk(self, answer: Answer, base: KnownPattern, other: KnownPattern, both: bool) -> Answer:
        """Return `answer`, or YES if `answer` is undecided and a random walk finds a witness.

        See Samples.walk.
        """
        sample = self.samples.walk(base, other, both) if answer.verdict == UNDECIDED else None
        return Answer(YES, *sample, answer.nodes) if sample else answer

    def _placed_of(self, index: int) -> list[Placed]:
        if index not in self._placed:
            self._placed[index] = placed_everywhere(self.patterns[index], self.ruleset.size)
        return self._placed[index]

    def _placed_apart(self, pattern: KnownPattern) -> list[Placed]:
        """Return one placement of a pattern from each group of symmetric placements.

        The result for the last pattern is cached.
        """
        if self._last is None or self._last[0] is not pattern:
            size = self.ruleset.size
            self._last = pattern, up_to_symmetry(placed_everywhere(pattern, size), size)
        return self._last[1]

    def _goals(
        self, pattern: KnownPattern, needs_legal: bool = True, but_not: list[Placed] | None = None
    ) -> Iterator[Goal]:
        """Yield a search goal for one placement from each group of symmetric placements of a pattern.

        The goal is that the pattern applies with the placement. needs_legal: whether the move must also be legal.
        but_not: the placements of another pattern, which must not apply for the same move. A placement of `pattern` is
        skipped if it requires everything that one of these placements requires.
        """
        for one in self._placed_apart(pattern):
            clauses: list[Clause] = [(Says(asked, 1),) for asked in one.when]
            if needs_legal and one.move != PASS:
                clauses.append((Says(legal(1 << one.move), 1),))
            board = one.on(unknown_position(self.ruleset))
            rivals = [rival for rival in but_not or () if rival.move == one.move]
            if any(set(rival.when) <= set(one.when) and rival.matches(board) for rival in rivals):
                continue  # wherever the pattern applies here, the other pattern applies, too
            clauses += [(Differs(rival), *(Says(asked, 0) for asked in rival.when)) for rival in rivals]
            yield Goal(board, one.move, clauses)

    def _both(self, p: int, q: int) -> Iterator[Goal]:
        for goal in self._goals(self.patterns[p]):
            for rival in self._placed_of(q):
                if rival.move == goal.move:
                    clauses = [*goal.clauses, *((Says(asked, 1),) for asked in rival.when)]
                    yield Goal(rival.on(goal.board), goal.move, clauses)

    def _search(self, goals: Iterable[Goal]) -> Answer:
        """Return YES with a position that meets a goal, NO if no position meets any goal, or UNDECIDED.

        Each goal first gets a small part of the budget, so that a hard goal cannot use up the budget before the
        search tries an easier goal.
        """
        spent, left = 0, [(goal.move, board, clauses) for goal in goals for board, clauses in _with_kos(goal)]
        for rounds in (FIRST_LOOK, self.budget):
            hard = []
            for move, board, clauses in left:
                budget = Budget(min(rounds, self.budget - spent))
                beside = 0 if move == PASS else around(1 << move, board.grid)  # the points to decide first
                try:
                    position = find(board, clauses, budget, beside)
                except BudgetSpentError:
                    position = None
                    hard.append((move, board, clauses))
                spent += budget.used
                if position:
                    return Answer(YES, position, move, spent)
            left = hard
        return Answer(UNDECIDED if left else NO, nodes=spent)


def _with_kos(goal: Goal) -> Iterator[tuple[Partial, list[Clause]]]:
    """Yield (board, clauses) for the goal without a ko, then for each ko that can matter.

    A ko matters if it can change the truth of the clauses.
    """
    board = goal.board
    yield board, goal.clauses
    for point in single_points(_ko_points(goal) & board.empty):
        for with_ko, others in ko_boards(board, point):
            breathing = [(Says(about(Term("liberties", 0, ((True, stone),)), ">=", 2), 1),) for stone in others]
            yield with_ko, [*breathing, *goal.clauses]


def _ko_points(goal: Goal) -> int:
    """Return a mask of the points at which a ko can change the truth of the clauses."""
    literals = (literal for clause in goal.clauses for literal in clause if isinstance(literal, Says))
    at = 0
    for term in (term for literal in literals for term in literal.program.terms):
        if term.name in READS_ANY_KO or term.name not in BOUNDS:
            return make_grid(goal.board.ruleset.size)[1]
        if term.name in READS_KO_AT_ITS_POINT:
            at |= term.move
            for is_chain, points in term.arguments:
                at |= 0 if is_chain else points
    return at
