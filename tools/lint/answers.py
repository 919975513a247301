"""Exact answers to all that the lints ask about a file, from the cache where they are known, else on all cores."""

from __future__ import annotations

from dataclasses import dataclass

from rules.geometry import points_of
from rules.position import Position
from rules.ruleset import Ruleset
from tools.cache import Cache, code_digest, digest
from tools.exact.questions import Answer, Exact
from tools.knowledge.model import KnowledgeBase, KnownPattern
from tools.parallel import each, with_progress

CODE = ("rules", "tools/exact", "tools/knowledge/firing.py")
CAN_MATCH, CAN_FIRE, IMPLIES, COFIRE, NO_POINTS = "can match", "can fire", "implies", "cofire", "no points"
CONDITION = "condition"  # can it be true, and can it be false: two answers

Question = tuple[str, int, int]  # what is asked, of which pattern, and of which other pattern or condition (or 0)


class Answers:
    """The answers to questions about the patterns of a file: ask_all finds those to many at once, `of` tells each.

    jobs: processes to search with. cache: None for the one that all runs share.
    """

    def __init__(self, base: KnowledgeBase, jobs: int = 1, cache: Cache | None = None):
        self.patterns, self.ruleset = base.patterns, base.ruleset
        self.jobs = jobs
        self.cache = cache or Cache("lint")
        self.code = code_digest(*CODE)
        self.exact = Exact(base.patterns, base.ruleset)
        self.known: dict[Question, list[Answer]] = {}

    def of(self, name: str, p: int, other: int = 0) -> Answer:
        """Return the answer to a question that ask_all was given."""
        return self.known[name, p, other][0]

    def about_condition(self, p: int, number: int) -> tuple[Answer, Answer]:
        """Return whether a condition can be true, and whether it can be false, where P's diagram matches."""
        can_hold, can_fail = self.known[CONDITION, p, number]
        return can_hold, can_fail

    def ask_all(self, questions: list[Question], unit: str) -> None:
        """Find the answers to all questions; unit: what the progress bar counts, one for each pattern asked about."""
        missing: dict[int, list[Question]] = {}
        for question in questions:
            kept = self.cache.get(self._key(question))
            if kept is None:
                missing.setdefault(question[1], []).append(question)
            else:
                self.known[question] = [answer_from(one, self.ruleset) for one in kept]
        batches = list(missing.values())
        if not batches:
            return
        asker = _Asker(self.patterns, self.ruleset, self._name())
        asker.prepare(self.exact)
        results = each(asker, batches, min(self.jobs, len(batches)))
        for batch, found in with_progress(results, len(batches), unit):
            self.known.update(zip(batch, found, strict=True))
            self.cache.put_all(
                (self._key(question), [as_json(one) for one in self.known[question]]) for question in batch
            )

    def open_pairs(self) -> list[tuple[int, int]]:
        """Return the pairs (P, Q) of which no example in the file shows that P fires without Q."""
        key = digest("pairs", self.code, self._name())
        kept = self.cache.get(key)
        if kept is None:
            kept = [[p, q] for p, found in enumerate(self._always_together()) for q in points_of(found) if q != p]
            self.cache.put(key, kept)
        return [(p, q) for p, q in kept]

    def _always_together(self) -> list[int]:
        """Return, for each pattern, those that fire wherever it does in the positions at hand, as bits."""
        found = [(1 << len(self.patterns)) - 1] * len(self.patterns)
        for _, _, fired in self.exact.samples.rows:
            for p in points_of(fired):
                found[p] &= fired
        return found

    def _name(self) -> str:
        """Return a key that stands for the patterns and their examples."""
        return digest(*(f"{self.exact.key('', p)} {one.examples}" for p, one in enumerate(self.patterns)))

    def _key(self, question: Question) -> str:
        name, p, other = question
        asked = self.exact.key(name, p, other) if name in (IMPLIES, COFIRE) else self.exact.key(f"{name} {other}", p)
        return digest(asked, self.code)


@dataclass
class _Asker:
    """Asks a batch of questions, in this process or another one that it is sent to."""

    patterns: list[KnownPattern]
    ruleset: Ruleset
    name: str

    def prepare(self, exact: Exact) -> None:
        """Let this process, and those forked from it, use an Exact that has looked at the positions at hand."""
        _ = exact.samples
        _PREPARED.clear()
        _PREPARED[self.name] = exact

    def __call__(self, batch: list[Question]) -> list[list[Answer]]:
        if self.name not in _PREPARED:
            self.prepare(Exact(self.patterns, self.ruleset))
        return [_answers(_PREPARED[self.name], question) for question in batch]


_PREPARED: dict[str, Exact] = {}  # at most one


def _answers(exact: Exact, question: Question) -> list[Answer]:
    name, p, other = question
    if name == CONDITION:
        return [*exact.condition(p, exact.patterns[p].when[other])]
    if name in (IMPLIES, COFIRE):
        return [(exact.implies if name == IMPLIES else exact.cofire)(p, other)]
    return [{CAN_MATCH: exact.can_match, CAN_FIRE: exact.can_be_legal, NO_POINTS: exact.points_always_zero}[name](p)]


def as_json(answer: Answer) -> list:
    """Return an answer as a JSON value."""
    found = answer.witness
    drawn = found and [found.black, found.white, found.colour, found.ko, found.passed, found.left]
    return [answer.verdict, drawn, answer.move, answer.nodes]


def answer_from(kept: list, ruleset: Ruleset) -> Answer:
    """Return the answer that as_json has kept."""
    verdict, drawn, move, nodes = kept
    return Answer(verdict, drawn and Position(ruleset, *drawn), move, nodes)
