"""Lints that rest on exact answers: what can never happen, and what always happens together.

The answers come from the cache where they are known, else from a search on all cores.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from rules.geometry import points_of
from rules.position import BLACK, PASS, Position
from rules.ruleset import Ruleset
from tools.cache import Cache, digest
from tools.draw.boards import board_text, move_text
from tools.exact.questions import NO, UNDECIDED, YES, Answer, Exact
from tools.knowledge.model import KnowledgeBase, KnownPattern
from tools.knowledge.problems import Problem
from tools.knowledge.programs import calls, infix
from tools.lint.texts import report
from tools.meaning import meaning_of
from tools.parallel import each, with_progress

CAN_MATCH, CAN_FIRE, IMPLIES, COFIRE, NO_POINTS = "can match", "can fire", "implies", "cofire", "no points"
LETTER = re.compile("(?<=[~@])[A-Z]")  # of a label in a program
SMALL_CLASHES = (2, 3)  # how many conditions are tried together, to find those that exclude each other
CONDITION = "condition"  # can it be true, and can it be false: two answers

Kept = list[Any]  # an answer in the cache, as JSON has it
Question = tuple[str, int, int]  # what is asked, of which pattern, and of which other pattern or condition (or 0)


class Answers:
    """The answers to questions about the patterns of a file: ask_all finds those to many at once, `of` tells each.

    jobs: processes to search with. cache: None for the one that all runs share.
    """

    def __init__(self, base: KnowledgeBase, jobs: int = 1, cache: Cache | None = None):
        self.patterns, self.ruleset = base.patterns, base.ruleset
        self.jobs = jobs
        self.cache = cache or Cache("lint")
        self.code = meaning_of(__name__)
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
        for batch, answers in with_progress(results, len(batches), unit):
            self.known.update(zip(batch, answers, strict=True))
            self.cache.put_all(
                (self._key(question), [as_json(one) for one in self.known[question]]) for question in batch
            )

    def open_pairs(self) -> list[tuple[int, int]]:
        """Return the pairs (P, Q) of which no example in the file shows that P fires without Q."""
        key = digest("pairs", self.code, self._name())
        kept = self.cache.get(key)
        if kept is None:
            kept = [[p, q] for p, others in enumerate(self._always_together()) for q in points_of(others) if q != p]
            self.cache.put(key, kept)
        return [(p, q) for p, q in kept]

    def _always_together(self) -> list[int]:
        """Return, for each pattern, those that fire wherever it does in the positions at hand, as bits."""
        together = [(1 << len(self.patterns)) - 1] * len(self.patterns)
        for _, _, fired in self.exact.samples.rows:
            for p in points_of(fired):
                together[p] &= fired
        return together

    def _name(self) -> str:
        """Return the cache key of the patterns and their examples."""
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
    """Return the answer that as_json has kept."""
    verdict, fields, move, nodes = kept
    return Answer(verdict, fields and Position(ruleset, *fields), move, nodes)


def draw_witness(answer: Answer) -> str:
    """Draw an answer's witness, X to move, with what the board does not show; '' where there is none."""
    position = answer.witness
    if position is None:
        return ""
    size = position.ruleset.size
    notes = [f"X is {'Black' if position.colour == BLACK else 'White'}, {position.left} moves left"]
    notes += [f"the ko rule denies {move_text(position.ko.bit_length() - 1, size)}"] if position.ko else []
    notes += ["a pass now ends the game"] if position.passed else []
    move = None if answer.move in (None, PASS) else answer.move
    return f"{board_text(size, position.own, position.theirs, move)}\n{'; '.join(notes)}"


class Proofs:
    """The exact lints of one file.

    undecided: gathers a line for each question that was given up. notes: ask for what is worth a note, too.
    """

    def __init__(self, base: KnowledgeBase, answers: Answers, undecided: list[str], notes: bool = False):
        self.base, self.answers, self.undecided, self.notes = base, answers, undecided, notes
        self.patterns = base.patterns

    def lints(self) -> Iterator[Problem]:
        """Yield what the questions show, those about single patterns first."""
        numbers = range(len(self.patterns))
        singles = [(name, p, 0) for p in numbers for name in (CAN_MATCH, CAN_FIRE, NO_POINTS)]
        singles += [(CONDITION, p, k) for p in numbers for k in range(len(self.patterns[p].when))]
        self.answers.ask_all(singles, "pattern")
        for p in numbers:
            yield from self._lint_pattern(p)
        yield from self._lint_pairs()

    def _report(self, p: int, key: str, code: str, message: str, hint: str, answer: Answer) -> Problem:
        return report(self.patterns[p], self.base.filename, key, code, message, "", hint, draw_witness(answer))

    def _give_up(self, p: int, question: str) -> None:
        self.undecided.append(f"{self.patterns[p].id}: {question}")

    # -- one pattern ----------------------------------------------------------------------------------------------

    def fires(self, p: int) -> bool:
        """Return whether a pattern is known to fire somewhere."""
        return self.answers.of(CAN_FIRE, p).verdict == YES

    def _lint_pattern(self, p: int) -> Iterator[Problem]:
        matches, fires = self.answers.of(CAN_MATCH, p), self.answers.of(CAN_FIRE, p)
        if matches.verdict == NO:
            yield from list(self._lint_false_conditions(p)) or [self._lint_clash(p, matches)]
        elif fires.verdict == NO:
            hint = "for example here" if matches.witness else "proven by search"
            message = f"wherever `{self.patterns[p].id}` applies, its move is illegal"
            yield self._report(p, "", "L202", message, hint, matches)
        elif fires.verdict == UNDECIDED:
            self._give_up(p, "can it fire?")
        else:
            yield from self._lint_true_conditions(p)
            yield from self._lint_points(p)

    def _lint_false_conditions(self, p: int) -> Iterator[Problem]:
        for number, program in enumerate(self.patterns[p].when):
            can_hold, can_fail = self.answers.about_condition(p, number)
            if can_hold.verdict == NO and can_fail.verdict == YES:
                yield self._report(
                    p,
                    f"when {number}",
                    "L211",
                    f"`{infix(program)}` is never true where the diagram of `{self.patterns[p].id}` matches",
                    "so the pattern never fires",
                    can_fail,
                )

    def _lint_clash(self, p: int, never: Answer) -> Problem:
        """Return that a pattern never matches, with the fewest conditions that exclude each other."""
        pattern = self.patterns[p]
        everything = tuple(range(len(pattern.when)))
        clash = next(filter(None, (self._clash_of(pattern, size) for size in SMALL_CLASHES)), everything)
        key = f"when {clash[-1]}" if len(clash) > 1 else ""
        named = [f"`{infix(pattern.when[number])}`" for number in clash]
        said = " and ".join(filter(None, [", ".join(named[:-1]), *named[-1:]]))
        where = " where its diagram matches" if pattern.rows else ""
        verb = "exclude each other" if len(clash) == 2 else "never hold together"
        why = f": {said} {verb}{where}" if key else ""
        return self._report(p, key, "L201", f"`{pattern.id}` can never match{why}", "proven by search", never)

    def _clash_of(self, pattern: KnownPattern, size: int) -> tuple[int, ...]:
        """Return the numbers of the first so many conditions with which alone the pattern never matches, () if none."""
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
                self._give_up(p, f"can `{infix(program)}` be false?")

    def _lint_points(self, p: int) -> Iterator[Problem]:
        answer = self.answers.of(NO_POINTS, p)
        if "points" in self.patterns[p].places and self.patterns[p].points != "0":
            if answer.verdict == YES:
                yield self._report(
                    p,
                    "points",
                    "L212",
                    f"the points are 0 wherever `{self.patterns[p].id}` fires",
                    "for example here",
                    self.answers.of(CAN_FIRE, p),
                )
            elif answer.verdict == UNDECIDED:
                self._give_up(p, "are its points ever other than 0?")

    # -- two patterns ---------------------------------------------------------------------------------------------

    def _lint_pairs(self) -> Iterator[Problem]:
        pairs = self._pairs_to_ask()
        self.answers.ask_all([(IMPLIES, p, q) for p, q in pairs], "pattern")
        implied = {
            p: {q for one, q in pairs if one == p and self.answers.of(IMPLIES, p, q).verdict == YES} for p, _ in pairs
        }
        vetoes = [(p, q) for p, q in self._vetoes() if q not in implied.get(p, ())] if self.notes else []
        together = [(p, q) for p, others in implied.items() for q in others] + vetoes
        self.answers.ask_all([(COFIRE, p, q) for p, q in together], "pattern")
        for p, others in implied.items():
            yield from self._lint_inclusion(p, others, implied)
            self._tell_undecided(p, [q for one, q in pairs if one == p])
        for p, q in vetoes:
            yield from self._lint_veto(p, q)

    def _pairs_to_ask(self) -> list[tuple[int, int]]:
        """Return the pairs (P, Q) about which it matters whether Q fires wherever P does."""
        pairs = {(p, q) for p, q in self.answers.open_pairs() if self.fires(p) and self.fires(q)}
        faults = {(p, q) for p, q in pairs if self.patterns[q].forbid or self._outranks(q, p)}
        twins = {(p, q) for p, q in pairs if (q, p) in pairs and self._say_the_same(p, q)}
        return sorted(pairs if self.notes else faults | twins)

    def _outranks(self, q: int, p: int) -> bool:
        """Return whether P brings nothing where Q fires too: no points, no rank, no veto of its own."""
        one, other = self.patterns[p], self.patterns[q]
        if one.forbid or other.forbid:
            return one.forbid and other.forbid
        worthless = one.points == "0" or self.answers.of(NO_POINTS, p).verdict == YES
        return worthless and (other.priority, other.specificity) > (one.priority, one.specificity)

    def _say_the_same(self, p: int, q: int) -> bool:
        """Return whether one pattern could stand for both, should they fire together: P and Q measure nothing apart."""
        one, other = self.patterns[p], self.patterns[q]
        if (one.forbid, one.sacrifice, one.priority) != (other.forbid, other.sacrifice, other.priority):
            return False
        measured = calls(one.points) + calls(other.points)
        return not measured or LETTER.sub("", one.points) == LETTER.sub("", other.points)

    def _lint_inclusion(self, p: int, wider: set[int], implied: dict[int, set[int]]) -> Iterator[Problem]:
        """Yield what it means that all patterns `wider` fire wherever P does."""
        twins = {q for q in wider if p in implied.get(q, ()) and self._say_the_same(p, q)}
        earlier = {q for q in twins if self._line(q) < self._line(p)}
        others = wider - twins
        if forbidding := {q for q in others if self.patterns[q].forbid and not self.patterns[p].forbid}:
            yield self._report_others(p, forbidding, "L204", "is forbidden wherever it fires, by", "the two contradict")
        elif earlier:
            yield self._report_others(p, earlier, "L205", "fires exactly where this does:", "make them one")
        elif rivals := {q for q in others if self._outranks(q, p)}:
            yield self._report_others(p, rivals, "L203", "changes nothing: outranked wherever it fires, by", "")
        elif others and self.notes and not self.patterns[p].forbid:
            yield self._report_others(p, others, "L230", "is a special case of", "their points add up")

    def _report_others(self, p: int, others: set[int], code: str, words: str, hint: str) -> Problem:
        ranked = sorted(others, key=self._line)
        names = ", ".join(f"`{self.patterns[q].id}` (line {self.patterns[q].line})" for q in ranked)
        answer = self.answers.of(COFIRE, p, ranked[0])
        return self._report(p, "", code, f"`{self.patterns[p].id}` {words} {names}", hint, answer)

    def _tell_undecided(self, p: int, others: list[int]) -> None:
        names = [f"`{self.patterns[q].id}`" for q in others if self.answers.of(IMPLIES, p, q).verdict == UNDECIDED]
        if names:
            self._give_up(p, f"does it fire only where {', '.join(names)} {'does' if len(names) == 1 else 'do'}?")

    def _line(self, p: int) -> tuple[int, int]:
        return self.patterns[p].line, self.patterns[p].column

    def _vetoes(self) -> list[tuple[int, int]]:
        """Return the pairs of a pattern that demands its move and one that may forbid it."""
        numbers = [p for p in range(len(self.patterns)) if self.fires(p)]
        usual = Counter(one.priority for one in self.patterns if not one.forbid).most_common(1)
        demanding = [p for p in numbers if not self.patterns[p].forbid and _demands(self.patterns[p], usual[0][0])]
        return [(p, q) for p in demanding for q in numbers if self.patterns[q].forbid]

    def _lint_veto(self, p: int, q: int) -> Iterator[Problem]:
        answer = self.answers.of(COFIRE, p, q)
        if answer.verdict == YES:
            yield self._report(
                p,
                "",
                "L231",
                f"`{self.patterns[p].id}` demands moves that `{self.patterns[q].id}` forbids",
                "for example here: the veto wins",
                answer,
            )
        elif answer.verdict == UNDECIDED:
            self._give_up(p, f"does `{self.patterns[q].id}` ever forbid its move?")


def _demands(pattern: KnownPattern, usual: int) -> bool:
    """Return whether a pattern means its move to be played: a sacrifice, or a priority above the file's usual one."""
    return pattern.sacrifice or pattern.priority > usual
