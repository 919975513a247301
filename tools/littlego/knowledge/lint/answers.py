"""Exact answers about the patterns of a file, from the cache or from a search in parallel processes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from multiprocessing import get_start_method
from typing import Any

from littlego.cache import Cache, digest
from littlego.knowledge.exact.questions import Answer, Exact
from littlego.knowledge.lint.texts import Drawn, drawn_alike
from littlego.knowledge.model import KnowledgeBase, KnownPattern
from littlego.meaning import meaning_of
from littlego.parallel import each, with_progress
from littlego.rules.geometry import points_of
from littlego.rules.position import Position
from littlego.rules.ruleset import Ruleset

CAN_MATCH, CAN_FIRE, IMPLIES, COFIRE, NO_POINTS = "can match", "can fire", "implies", "cofire", "no points"
CONDITION = "condition"  # has two answers: whether the condition can be true, and whether it can be false

Kept = list[Any]  # a cached answer as a JSON value
Form = tuple[bool, Drawn]  # equal for patterns with equal firings
Question = tuple[str, int, int]  # the question's name, the pattern, and the other pattern or condition (or 0)


class Answers:
    """The exact answers to questions about the patterns of a file, such as whether a pattern can fire.

    The method `ask_all` answers a list of questions in `jobs` processes and caches the answers for later runs. The
    method `of` then returns a single answer.
    """

    def __init__(self, base: KnowledgeBase, jobs: int = 1, cache: Cache | None = None):
        self.patterns, self.ruleset = base.patterns, base.ruleset
        self.jobs = jobs
        self.cache = cache or Cache("lint")
        self.code = meaning_of(__name__)
        self.exact = Exact(base.patterns, base.ruleset)
        self.known: dict[Question, list[Answer]] = {}
        self._keys: dict[Question, str] = {}

    def of(self, name: str, p: int, other: int = 0) -> Answer:
        """Return the answer to a question that was passed to ask_all."""
        return self.known[name, p, other][0]

    def about_condition(self, p: int, number: int) -> tuple[Answer, Answer]:
        """Return two answers: whether a condition can be true, and whether the condition can be false.

        The answers consider only positions in which the pattern's diagram matches and the pattern's move is legal. p:
        the index of the pattern. number: the index of the condition in the pattern.
        """
        can_hold, can_fail = self.known[CONDITION, p, number]
        return can_hold, can_fail

    def ask_all(self, questions: list[Question], unit: str) -> None:
        """Answer all questions. unit: the unit of the progress bar, such as `pattern`."""
        first: dict[str, Question] = {}  # equal questions need one search
        for question in questions:
            first.setdefault(self._key(question), question)
        missing: dict[int, list[Question]] = {}
        for key, question in first.items():
            if question not in self.known and not self._recall(question, key):
                missing.setdefault(question[1], []).append(question)
        self._ask(list(missing.values()), unit)
        self.known.update((question, self.known[first[self._key(question)]]) for question in questions)

    def is_kept(self, question: Question) -> bool:
        """Return whether the answer to a question is known or in the cache."""
        return question in self.known or self._recall(question, self._key(question))

    def _recall(self, question: Question, key: str) -> bool:
        """Load the answer to a question from the cache. Return whether the cache has an answer."""
        if (kept := self.cache.get(key)) is not None:
            self.known[question] = [answer_from(one, self.ruleset) for one in kept]
        return kept is not None

    def _ask(self, batches: list[list[Question]], unit: str) -> None:
        if not batches:
            return
        patterns = [] if get_start_method() == "fork" else self.patterns  # sent once, not with every batch
        asker = _Asker(patterns, self.ruleset, self._name)
        asker.prepare(self.exact)
        results = each(asker, batches, min(self.jobs, len(batches)))
        for batch, answers in with_progress(results, len(batches), unit):
            self.known.update(zip(batch, answers, strict=True))
            self.cache.put_all(
                (self._key(question), [as_json(one) for one in self.known[question]]) for question in batch
            )

    def open_pairs(self) -> list[tuple[int, int]]:
        """Return the pairs (P, Q) of different patterns such that Q fires wherever P fires in the samples.

        Of several equivalent patterns (see `alike`), only the first appears in the pairs.
        """
        key = digest("pairs", self.code, self._name)
        kept = self.cache.get(key)
        if kept is None:
            kept = [[p, q] for p, others in self._always_together().items() for q in others if q != p]
            self.cache.put(key, kept)
        return [(p, q) for p, q in kept]

    def _always_together(self) -> dict[int, list[int]]:
        """Return {P: patterns that fire wherever P fires in the samples}.

        Of several equivalent patterns (see `alike`), only the first appears.
        """
        samples = self.exact.samples
        firsts = {samples.kinds[p]: p for p in reversed(range(len(self.patterns))) if self.alike[p] == p}
        everything = sum(1 << kind for kind in firsts)
        together = dict.fromkeys(firsts, everything)
        for _, _, fired in samples.rows:
            for kind in points_of(fired & everything):
                together[kind] &= fired
        return {firsts[kind]: sorted(firsts[one] for one in points_of(bits)) for kind, bits in sorted(together.items())}

    @cached_property
    def alike(self) -> list[int]:
        """For each pattern, the index of the first pattern with an equivalent drawing and conditions.

        The two patterns have equal firings, but may differ in orientation, letters and points.
        """
        first: dict[Form, int] = {}
        return [first.setdefault(form, p) for p, form in enumerate(self._forms)]

    @cached_property
    def _forms(self) -> list[Form]:
        return [
            (pattern.passes, drawn_alike(pattern.rows, pattern.label_rows, pattern.when)) for pattern in self.patterns
        ]

    @cached_property
    def _name(self) -> str:
        """The cache key of the patterns and their examples."""
        return digest(*(f"{self.exact.key('', p)} {one.examples}" for p, one in enumerate(self.patterns)))

    def _key(self, question: Question) -> str:
        """Return the cache key of a question: a digest of the code, the ruleset, the budget and the question."""
        if question not in self._keys:
            self._keys[question] = digest(self.code, self.exact.key(question[0]), repr(self._asked_of(*question)))
        return self._keys[question]

    def _asked_of(self, name: str, p: int, other: int) -> object:
        pattern = self.patterns[p]
        if name in (IMPLIES, COFIRE):
            return self._forms[p], self._forms[other]
        if name == CONDITION:
            return pattern.passes, drawn_alike(pattern.rows, pattern.label_rows, [pattern.when[other]])
        if name == NO_POINTS:
            return pattern.passes, drawn_alike(pattern.rows, pattern.label_rows, pattern.when, pattern.points)
        return self._forms[p]


@dataclass
class _Asker:
    """A task that answers a batch of questions, in this process or in a worker."""

    patterns: list[KnownPattern]  # [] if every worker is a fork of a process that called `prepare`
    ruleset: Ruleset
    name: str

    def prepare(self, exact: Exact) -> None:
        """Compute the samples of `exact`, and keep `exact` in memory for this process and its forks."""
        _PREPARED.clear()  # first, so that only one Exact takes memory
        _ = exact.samples
        _PREPARED[self.name] = exact

    def __call__(self, batch: list[Question]) -> list[list[Answer]]:
        if self.name not in _PREPARED:
            self.prepare(Exact(self.patterns, self.ruleset))
        return [_answer_question(_PREPARED[self.name], question) for question in batch]


_PREPARED: dict[str, Exact] = {}  # at most one


def _answer_question(exact: Exact, question: Question) -> list[Answer]:
    name, p, other = question
    if name == CONDITION:
        return [*exact.condition(p, exact.patterns[p].when[other])]
    if name in (IMPLIES, COFIRE):
        return [(exact.implies if name == IMPLIES else exact.cofire)(p, other)]
    return [{CAN_MATCH: exact.can_match, CAN_FIRE: exact.can_be_legal, NO_POINTS: exact.points_always_zero}[name](p)]


def as_json(answer: Answer) -> Kept:
    """Return an answer as a JSON value."""
    shown = answer.witness
    fields = shown and [shown.black, shown.white, shown.colour, shown.ko, shown.passed, shown.left]
    return [answer.verdict, fields, answer.move, answer.nodes]


def answer_from(kept: Kept, ruleset: Ruleset) -> Answer:
    """Return the answer that `as_json` encoded as a JSON value."""
    verdict, fields, move, nodes = kept
    return Answer(verdict, fields and Position(ruleset, *fields), move, nodes)
