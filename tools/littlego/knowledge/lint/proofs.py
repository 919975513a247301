"""Lints based on a complete search of 5x5 boards.

The lints report patterns that never fire, useless conditions, points that are always 0, and faulty pairs of patterns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations

from littlego.cache import Cache
from littlego.games.match import NAME as MATCH
from littlego.knowledge.exact.questions import NO, UNDECIDED, YES, Answer
from littlego.knowledge.lint.answers import CAN_FIRE, CAN_MATCH, CONDITION, NO_POINTS, Answers
from littlego.knowledge.lint.large import large_lints
from littlego.knowledge.lint.open_boards import open_board_lints
from littlego.knowledge.lint.pairs import PairLints
from littlego.knowledge.lint.texts import report
from littlego.knowledge.model import KnowledgeBase, KnownPattern
from littlego.knowledge.problems import Problem
from littlego.knowledge.programs import infix
from littlego.rules.ruleset import LITTLE_GO

Lints = Callable[[KnowledgeBase, list[str], int, bool, "Cache | None"], Iterator[Problem]]
SMALL_CLASHES = (2, 3)  # sizes of condition sets that are searched for a contradiction


def lints_of(
    base: KnowledgeBase, undecided: list[str], processes: int = 1, notes: bool = False, cache: Cache | None = None
) -> Iterator[Problem]:
    """Yield the findings of the exact lints for a file.

    A file for large boards gets the lints of `large` and `open_boards` instead. The lints add lines about undecided
    questions to `undecided`. notes: whether to yield notes as well.
    """
    return LINTS[base.ruleset.name](base, undecided, processes, notes, cache)


class Proofs(PairLints):
    """The exact lints of one file."""

    def lints(self) -> Iterator[Problem]:
        """Yield the findings about single patterns, then the findings about pairs."""
        numbers = range(len(self.patterns))
        singles = [(name, p, 0) for p in numbers for name in (CAN_MATCH, CAN_FIRE)]
        singles += [(NO_POINTS, p, 0) for p in numbers if self.counts(p)]  # all other points need no search
        singles += [(CONDITION, p, k) for p in numbers for k in range(len(self.patterns[p].when))]
        self.answers.ask_all(singles, "pattern")
        for p in numbers:
            yield from self._lint_pattern(p)
        yield from self.lint_pairs()

    def _lint_pattern(self, p: int) -> Iterator[Problem]:
        matches, fires = self.answers.of(CAN_MATCH, p), self.answers.of(CAN_FIRE, p)
        if matches.verdict == NO:
            yield from list(self._lint_false_conditions(p)) or [self._lint_clash(p, matches)]
        elif fires.verdict == NO:
            hint = "for example here" if matches.witness else "proven by search"
            message = f"wherever `{self.patterns[p].id}` applies, its move is illegal"
            yield self.report(p, "", "L202", message, hint, matches)
        elif fires.verdict == UNDECIDED:
            self.give_up(p, "can it fire?")
        else:
            yield from self._lint_true_conditions(p)
            yield from self._lint_points(p)

    def _lint_false_conditions(self, p: int) -> Iterator[Problem]:
        for number, program in enumerate(self.patterns[p].when):
            can_hold, can_fail = self.answers.about_condition(p, number)
            if can_hold.verdict == NO and can_fail.verdict == YES:
                yield self.report(
                    p,
                    f"when {number}",
                    "L211",
                    f"`{infix(program)}` is never true where the diagram of `{self.patterns[p].id}` matches",
                    "so the pattern never fires",
                    can_fail,
                )

    def _lint_clash(self, p: int, never: Answer) -> Problem:
        """Return the problem of a pattern that never matches.

        The message names two or three conditions that together exclude a match. If the search finds no such conditions,
        the message names all conditions, unless the pattern has only one.
        """
        pattern = self.patterns[p]
        everything = tuple(range(len(pattern.when)))
        clash = next(filter(None, (self._clash_of(pattern, size) for size in SMALL_CLASHES)), everything)
        key = f"when {clash[-1]}" if len(clash) > 1 else ""
        named = [f"`{infix(pattern.when[number])}`" for number in clash]
        said = " and ".join(filter(None, [", ".join(named[:-1]), *named[-1:]]))
        where = " where its diagram matches" if pattern.rows else ""
        verb = "are never both true" if len(clash) == 2 else "are never all true"
        why = f": {said} {verb}{where}" if key else ""
        return self.report(p, key, "L201", f"`{pattern.id}` can never match{why}", "proven by search", never)

    def _clash_of(self, pattern: KnownPattern, size: int) -> tuple[int, ...]:
        """Return the indexes of `size` conditions that together exclude a match, or () if none are found."""
        groups = list(combinations(range(len(pattern.when)), size))
        variants = [replace(pattern, when=[pattern.when[number] for number in group]) for group in groups]
        answers = Answers(replace(self.base, patterns=variants), self.answers.jobs, self.answers.cache)
        answers.ask_all([(CAN_MATCH, number, 0) for number in range(len(groups))], "group of conditions")
        return next((one for number, one in enumerate(groups) if answers.of(CAN_MATCH, number).verdict == NO), ())

    def _lint_true_conditions(self, p: int) -> Iterator[Problem]:
        for number, program in enumerate(self.patterns[p].when):
            _, can_fail = self.answers.about_condition(p, number)
            if can_fail.verdict == NO:
                message = f"`{infix(program)}` is always true where the diagram of `{self.patterns[p].id}` matches"
                yield report(self.patterns[p], self.base.filename, f"when {number}", "L210", message, "", "remove it")
            elif can_fail.verdict == UNDECIDED:
                self.give_up(p, f"can `{infix(program)}` be false?")

    def _lint_points(self, p: int) -> Iterator[Problem]:
        if self.counts(p):
            answer = self.answers.of(NO_POINTS, p)
            if answer.verdict == YES:
                yield self.report(
                    p,
                    "points",
                    "L212",
                    f"the points are 0 wherever `{self.patterns[p].id}` fires",
                    "for example here",
                    self.answers.of(CAN_FIRE, p),
                )
            elif answer.verdict == UNDECIDED:
                self.give_up(p, "can its points differ from 0?")


def _proofs(
    base: KnowledgeBase, undecided: list[str], processes: int, notes: bool, cache: Cache | None
) -> Iterator[Problem]:
    return Proofs(base, Answers(base, processes, cache), undecided, notes).lints()


def _bounds(base: KnowledgeBase, undecided: list[str], *_: object) -> Iterator[Problem]:
    yield from large_lints(base, undecided)
    yield from open_board_lints(base)


LINTS: dict[str, Lints] = {LITTLE_GO.name: _proofs, MATCH: _bounds}  # by ruleset
