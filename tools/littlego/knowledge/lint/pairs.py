"""Lints about pairs of patterns: P fires only where Q fires, or P demands a move that Q forbids.

Patterns with the same firings and the same effect form a group. To find patterns that fire only where another
pattern fires, the lints compare only the first patterns of the groups.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from littlego.games.boards import board_text, move_text
from littlego.knowledge.exact.questions import UNDECIDED, YES, Answer
from littlego.knowledge.lint.answers import CAN_FIRE, COFIRE, IMPLIES, NO_POINTS, Answers, Question
from littlego.knowledge.lint.texts import report
from littlego.knowledge.model import KnowledgeBase, KnownPattern, flags_of
from littlego.knowledge.problems import Problem
from littlego.knowledge.programs import calls
from littlego.rules.position import BLACK, PASS

LETTER = re.compile("(?<=[~@])[A-Z]")  # a label in a program
NAMED = 10  # maximum number of patterns in one message
MOST_PAIRS = 4000  # maximum number of searches in a run for one kind of question

Groups = dict[int, set[int]]  # first pattern of a group -> first patterns of the groups related to it


class Inclusion(NamedTuple):
    """A finding: wherever the pattern P fires, other patterns fire for the same move."""

    p: int
    others: Sequence[int]  # the other patterns
    code: str
    words: str  # the words of the message between the names of P and the other patterns
    hint: str


def draw_witness(answer: Answer) -> str:
    """Return a drawing of an answer's example position, with a line about the state of the game.

    The result is '' if the answer has no example position.
    """
    position = answer.witness
    if position is None:
        return ""
    size = position.ruleset.size
    notes = [f"X is {'Black' if position.colour == BLACK else 'White'}, {position.left} moves left"]
    notes += [f"the ko rule bans {move_text(position.ko.bit_length() - 1, size)}"] if position.ko else []
    notes += ["a pass now ends the game"] if position.passed else []
    move = None if answer.move in (None, PASS) else answer.move
    return f"{board_text(size, position.own, position.theirs, move)}\n{'; '.join(notes)}"


class PairLints:
    """The lints about pairs of patterns in one file.

    The lints add lines about undecided questions to `undecided`.
    """

    def __init__(self, base: KnowledgeBase, answers: Answers, undecided: list[str], notes: bool = False):
        self.base, self.answers, self.undecided, self.notes = base, answers, undecided, notes
        self.patterns = base.patterns
        self.groups: dict[int, list[int]] = {}  # the members of each group, by its first pattern

    def report(self, p: int, key: str, code: str, message: str, hint: str, answer: Answer) -> Problem:
        """Return a problem of a pattern, with the answer's example position as a drawing. key: see texts.report."""
        return report(self.patterns[p], self.base.filename, key, code, message, "", hint, draw_witness(answer))

    def give_up(self, p: int, question: str) -> None:
        """Add to `undecided` a question that the search did not decide within its limit."""
        self.undecided.append(f"{self.patterns[p].id}: {question}")

    def fires(self, p: int) -> bool:
        """Return whether a pattern is known to fire in at least one position."""
        return self.answers.of(CAN_FIRE, p).verdict == YES

    def lint_pairs(self) -> Iterator[Problem]:
        """Yield the problems of pairs of patterns. The caller must ask the questions about single patterns first."""
        self.groups = self._group()
        wider, unknown = self._compare()
        found = [one for first in self.groups for one in self._list_inclusions(first, wider)]
        vetoes = self._ask_vetoes(wider) if self.notes else []
        shown = {(COFIRE, *self._asked(one.p, one.others[0])) for one in found}
        self.answers.ask_all(sorted(one for one in shown if one[1] != one[2]), "pattern")
        for one in found:
            yield self._report_inclusion(one)
        for first, others in unknown.items():
            self._tell_undecided(first, others)
        for p, q in vetoes:
            yield from self._lint_veto(p, q)

    def _group(self) -> dict[int, list[int]]:
        """Return {first pattern: all patterns} for each group, in file order; omit patterns not known to fire."""
        first: dict[object, int] = {}
        groups: dict[int, list[int]] = {}
        for p, one in enumerate(self.patterns):
            if self.fires(p):
                points = LETTER.sub("", one.points) if calls(one.points) else None
                says = flags_of(one), one.priority, one.specificity, self._is_worthless(p), points
                groups.setdefault(first.setdefault((self.answers.alike[p], says), p), []).append(p)
        return groups

    def _compare(self) -> tuple[Groups, Groups]:
        """Return {P: patterns that fire wherever P fires} and {P: patterns for which the search is undecided}.

        All patterns in the result are the first patterns of their groups.
        """
        pairs = self._pairs_to_ask()
        told = self._ask_some([(IMPLIES, *self._asked(p, q)) for p, q in pairs])
        wider: Groups = {}
        unknown: Groups = {}
        for p, q in pairs:
            asked = self._asked(p, q)
            verdict = (
                YES if asked[0] == asked[1] else told[IMPLIES, *asked].verdict if (IMPLIES, *asked) in told else None
            )
            wider.setdefault(p, set()).update([q] * (verdict == YES))
            unknown.setdefault(p, set()).update([q] * (verdict == UNDECIDED))
        return wider, unknown

    def _asked(self, p: int, q: int) -> tuple[int, int]:
        """Return (P, Q), each replaced by the first pattern with equal firings: see Answers.alike.

        The replacement prevents asking the same question twice.
        """
        return self.answers.alike[p], self.answers.alike[q]

    def _ask_some(self, questions: Iterable[Question]) -> dict[Question, Answer]:
        """Return the answers to questions about pairs.

        A search answers at most MOST_PAIRS questions that are not cached. The remaining questions get no answer; a line
        in `undecided` says how many remain.
        """
        asked = list(dict.fromkeys(question for question in questions if question[1] != question[2]))
        missing = [one for one in asked if not self.answers.is_kept(one)]
        self.answers.ask_all(missing[:MOST_PAIRS], "pattern")
        if rest := len(missing[MOST_PAIRS:]):
            self.undecided.append(
                f"{rest:,} of {len(asked):,} pairs of patterns have not been compared yet; the next `littlego check` "
                f"compares up to {MOST_PAIRS:,} more"
            )
        left_out = set(missing[MOST_PAIRS:])
        return {one: self.answers.of(*one) for one in asked if one not in left_out}

    def _pairs_to_ask(self) -> list[tuple[int, int]]:
        """Return the pairs (P, Q) for which to ask whether Q fires wherever P fires.

        P and Q are the first patterns of their groups.
        """
        alike: dict[int, list[int]] = {}
        for p in self.groups:
            alike.setdefault(self.answers.alike[p], []).append(p)
        kinds = {(a, b) for a, b in self.answers.open_pairs() if a in alike and b in alike} | {(a, a) for a in alike}
        pairs = ((p, q, (b, a) in kinds) for a, b in kinds for p in alike[a] for q in alike[b] if p != q)
        return sorted((p, q) for p, q, mutual in pairs if self.notes or self._matters(p, q, mutual))

    def _matters(self, p: int, q: int, mutual: bool) -> bool:
        """Return whether it is a fault if Q fires wherever P fires.

        mutual: False if the samples show that Q can fire for a move for which P does not fire.
        """
        return self.patterns[q].forbid or self._outranks(q, p) or mutual and self._say_the_same(p, q)

    def _is_worthless(self, p: int) -> bool:
        one = self.patterns[p]
        return points_are_zero(one) or self.counts(p) and self.answers.of(NO_POINTS, p).verdict == YES

    def counts(self, p: int) -> bool:
        """Return whether only a search can show that P's points are 0: they use a fact and have no table."""
        return bool(calls(self.patterns[p].points)) and not self.patterns[p].table

    def _outranks(self, q: int, p: int) -> bool:
        """Return whether P has no effect wherever Q also fires; see outranks."""
        return outranks(self.patterns[q], self.patterns[p], self._is_worthless(p))

    def _say_the_same(self, p: int, q: int) -> bool:
        """Return whether a single pattern can replace both patterns wherever both fire."""
        return say_the_same(self.patterns[p], self.patterns[q])

    def _list_inclusions(self, first: int, wider: Groups) -> Iterator[Inclusion]:
        """Yield at most one Inclusion for each pattern of a group.

        first: the first pattern of the group.
        """
        around = wider.get(first, set())
        twins = {q for q in around if first in wider.get(q, ()) and self._say_the_same(first, q)}
        others = around - twins
        same = self._members({first} | twins)
        forbids = self.patterns[first].forbid
        forbidding = self._members(q for q in others if self.patterns[q].forbid and not forbids)
        rivals = self._members(q for q in others if self._outranks(q, first))
        rest = self._members(others) if self.notes and not forbids else []
        for p in self.groups[first]:
            earlier = same[: same.index(p)] if p != same[0] else []
            if forbidding:
                yield Inclusion(
                    p, forbidding, "L204", "fires only for moves forbidden by", "the patterns contradict each other"
                )
            elif earlier:
                yield Inclusion(p, earlier, "L205", "fires in exactly the same places as", "merge them")
            elif rivals:
                yield Inclusion(p, rivals, "L203", "has no effect: wherever it fires, it is outranked by", "")
            elif rest:
                yield Inclusion(p, rest, "L230", "is a special case of", "their points add up")

    def _members(self, firsts: Iterable[int]) -> list[int]:
        """Return all patterns of some groups in file order. firsts: the first pattern of each group."""
        return sorted(q for first in firsts for q in self.groups[first])

    def _report_inclusion(self, one: Inclusion) -> Problem:
        p, q = self._asked(one.p, one.others[0])
        answer = self.answers.of(COFIRE, p, q) if p != q else self.answers.of(CAN_FIRE, one.p)
        names = _join_names(
            [f"`{self.patterns[q].id}` (line {self.patterns[q].line})" for q in one.others[:NAMED]], one.others
        )
        message = f"`{self.patterns[one.p].id}` {one.words} {names}"
        return self.report(one.p, "", one.code, message, one.hint, answer)

    def _tell_undecided(self, first: int, firsts: set[int]) -> None:
        others = self._members(firsts)
        names = _join_names([f"`{self.patterns[q].id}`" for q in others[:NAMED]], others)
        for p in self.groups[first] if others else ():
            self.give_up(p, f"does {'any of ' if len(others) > 1 else ''}{names} fire wherever this pattern fires?")

    def _ask_vetoes(self, wider: Groups) -> list[tuple[int, int]]:
        """Return the answered pairs from `_vetoes`, except pairs in which Q is known to fire wherever P fires."""
        firsts = {p: first for first, members in self.groups.items() for p in members}
        pairs = [(p, q) for p, q in self._vetoes() if firsts[q] not in wider.get(firsts[p], ())]
        told = self._ask_some((COFIRE, *self._asked(p, q)) for p, q in pairs)
        return [(p, q) for p, q in pairs if (COFIRE, *self._asked(p, q)) in told]

    def _vetoes(self) -> list[tuple[int, int]]:
        """Return the pairs (P, Q) in which P demands its move and Q forbids moves."""
        numbers = [p for p in range(len(self.patterns)) if self.fires(p)]
        usual = Counter(pattern.priority for pattern in self.patterns if not pattern.forbid).most_common(1)
        demanding = [p for p in numbers if not self.patterns[p].forbid and _demands(self.patterns[p], usual[0][0])]
        return [(p, q) for p in demanding for q in numbers if self.patterns[q].forbid]

    def _lint_veto(self, p: int, q: int) -> Iterator[Problem]:
        answer = self.answers.of(COFIRE, *self._asked(p, q))
        if answer.verdict == YES:
            yield self.report(
                p,
                "",
                "L231",
                f"`{self.patterns[p].id}` demands moves that `{self.patterns[q].id}` forbids",
                "for example in this position, where the veto wins",
                answer,
            )
        elif answer.verdict == UNDECIDED:
            self.give_up(p, f"does `{self.patterns[q].id}` ever forbid the move?")


def outranks(other: KnownPattern, one: KnownPattern, is_worthless: bool) -> bool:
    """Return whether the pattern `one` has no effect wherever `other` also fires.

    A pattern has no effect if it changes neither the score nor the veto of the move. is_worthless: whether the points
    of `one` are always 0.
    """
    if one.forbid or other.forbid:
        return one.forbid and other.forbid
    if one.risk or other.risk:  # a pattern with `risk` only subtracts points and never leads
        return False
    return (other.priority, other.specificity) > (one.priority, one.specificity) and is_worthless


def points_are_zero(pattern: KnownPattern) -> bool:
    """Return whether a pattern's points are the number 0."""
    return pattern.points == "0" and not pattern.table


def say_the_same(one: KnownPattern, other: KnownPattern) -> bool:
    """Return whether a single pattern can replace both patterns wherever both fire."""
    if (flags_of(one), one.priority) != (flags_of(other), other.priority):
        return False
    measured = calls(one.points) + calls(other.points)
    return not measured or LETTER.sub("", one.points) == LETTER.sub("", other.points)


def _demands(pattern: KnownPattern, usual: int) -> bool:
    """Return whether a pattern demands its move.

    A pattern demands its move if it is a sacrifice or its priority is above `usual`, the most common priority.
    """
    return pattern.sacrifice or pattern.priority > usual


def _join_names(names: list[str], of: Sequence[int]) -> str:
    """Return the names as text, followed by the number of other patterns in `of`, if any."""
    return ", ".join(names) + (f" and {len(of) - len(names):,} more" if len(of) > len(names) else "")
