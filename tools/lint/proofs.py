"""Lints that rest on exact answers: what can never happen, and what always happens together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from rules.position import BLACK, PASS
from tools.draw.boards import board_text, move_text
from tools.exact.questions import NO, UNDECIDED, YES, Answer
from tools.knowledge.model import KnowledgeBase, KnownPattern
from tools.knowledge.problems import Problem
from tools.knowledge.programs import calls, infix
from tools.lint.answers import CAN_FIRE, CAN_MATCH, COFIRE, CONDITION, IMPLIES, NO_POINTS, Answers
from tools.lint.texts import report

LETTER = re.compile("(?<=[~@])[A-Z]")


def drawn(answer: Answer) -> str:
    """Draw an answer's witness, X to move, with what the board does not show; '' where there is none."""
    found = answer.witness
    if found is None:
        return ""
    size = found.ruleset.size
    told = [f"X is {'Black' if found.colour == BLACK else 'White'}, {found.left} moves left"]
    told += [f"the ko rule denies {move_text(found.ko.bit_length() - 1, size)}"] if found.ko else []
    told += ["a pass now ends the game"] if found.passed else []
    move = None if answer.move in (None, PASS) else answer.move
    return f"{board_text(size, found.own, found.theirs, move)}\n{'; '.join(told)}"


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
            yield from self._alone(p)
        yield from self._together()

    def _report(self, p: int, key: str, code: str, message: str, hint: str, answer: Answer) -> Problem:
        return report(self.patterns[p], self.base.filename, key, code, message, "", hint, drawn(answer))

    def _give_up(self, p: int, question: str) -> None:
        self.undecided.append(f"{self.patterns[p].id}: {question}")

    # -- one pattern ----------------------------------------------------------------------------------------------

    def fires(self, p: int) -> bool:
        """Return whether a pattern is known to fire somewhere."""
        return self.answers.of(CAN_FIRE, p).verdict == YES

    def _alone(self, p: int) -> Iterator[Problem]:
        matches, fires = self.answers.of(CAN_MATCH, p), self.answers.of(CAN_FIRE, p)
        name = self.patterns[p].id
        if matches.verdict == NO:
            yield from list(self._never_true(p)) or [
                self._report(p, "", "L201", f"`{name}` can never match", "proven by search", matches)
            ]
        elif fires.verdict == NO:
            hint = "for example here" if matches.witness else "proven by search"
            yield self._report(p, "", "L202", f"wherever `{name}` applies, its move is illegal", hint, matches)
        elif fires.verdict == UNDECIDED:
            self._give_up(p, "can it fire?")
        else:
            yield from self._always_true(p)
            yield from self._worthless(p)

    def _never_true(self, p: int) -> Iterator[Problem]:
        for number, program in enumerate(self.patterns[p].when):
            can_hold, can_fail = self.answers.about_condition(p, number)
            if can_hold.verdict == NO and can_fail.verdict == YES:
                message = f"`{infix(program)}` is never true where the diagram of `{self.patterns[p].id}` matches"
                yield self._report(p, f"when {number}", "L211", message, "so the pattern never fires", can_fail)

    def _always_true(self, p: int) -> Iterator[Problem]:
        for number, program in enumerate(self.patterns[p].when):
            _, can_fail = self.answers.about_condition(p, number)
            if can_fail.verdict == NO:
                message = f"`{infix(program)}` is always true where the diagram of `{self.patterns[p].id}` matches"
                yield report(self.patterns[p], self.base.filename, f"when {number}", "L210", message, "", "remove it")
            elif can_fail.verdict == UNDECIDED:
                self._give_up(p, f"can `{infix(program)}` be false?")

    def _worthless(self, p: int) -> Iterator[Problem]:
        answer = self.answers.of(NO_POINTS, p)
        if "points" in self.patterns[p].places and self.patterns[p].points != "0":
            if answer.verdict == YES:
                message = f"the points are 0 wherever `{self.patterns[p].id}` fires"
                yield self._report(p, "points", "L212", message, "for example here", self.answers.of(CAN_FIRE, p))
            elif answer.verdict == UNDECIDED:
                self._give_up(p, "are its points ever other than 0?")

    # -- two patterns ---------------------------------------------------------------------------------------------

    def _together(self) -> Iterator[Problem]:
        pairs = self._pairs()
        self.answers.ask_all([(IMPLIES, p, q) for p, q in pairs], "pattern")
        implied = {
            p: {q for one, q in pairs if one == p and self.answers.of(IMPLIES, p, q).verdict == YES} for p, _ in pairs
        }
        vetoes = [(p, q) for p, q in self._vetoes() if q not in implied.get(p, ())] if self.notes else []
        both = [(COFIRE, p, q) for p, found in implied.items() for q in found] + [(COFIRE, p, q) for p, q in vetoes]
        self.answers.ask_all(both, "pattern")
        for p, found in implied.items():
            yield from self._included(p, found, implied)
            self._tell_undecided(p, [q for one, q in pairs if one == p])
        for p, q in vetoes:
            yield from self._sometimes_forbidden(p, q)

    def _pairs(self) -> list[tuple[int, int]]:
        """Return the pairs (P, Q) about which it matters whether Q fires wherever P does."""
        pairs = {(p, q) for p, q in self.answers.open_pairs() if self.fires(p) and self.fires(q)}
        twins = {(p, q) for p, q in pairs if (q, p) in pairs and self._say_the_same(p, q)}
        return sorted(pair for pair in pairs if self.notes or pair in twins or self._would_be_a_fault(*pair))

    def _would_be_a_fault(self, p: int, q: int) -> bool:
        return self.patterns[q].forbid or self._outranks(q, p)

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

    def _included(self, p: int, found: set[int], implied: dict[int, set[int]]) -> Iterator[Problem]:
        """Yield what it means that all patterns `found` fire wherever P does."""
        twins = {q for q in found if p in implied.get(q, ()) and self._say_the_same(p, q)}
        earlier = {q for q in twins if self._line(q) < self._line(p)}
        others = found - twins
        if forbidding := {q for q in others if self.patterns[q].forbid and not self.patterns[p].forbid}:
            yield self._about_two(p, forbidding, "L204", "is forbidden wherever it fires, by", "the two contradict")
        elif earlier:
            yield self._about_two(p, earlier, "L205", "fires exactly where this does:", "make them one")
        elif rivals := {q for q in others if self._outranks(q, p)}:
            yield self._about_two(p, rivals, "L203", "changes nothing: outranked wherever it fires, by", "")
        elif others and self.notes and not self.patterns[p].forbid:
            yield self._about_two(p, others, "L230", "is a special case of", "their points add up")

    def _about_two(self, p: int, others: set[int], code: str, words: str, hint: str) -> Problem:
        ranked = sorted(others, key=self._line)
        names = ", ".join(f"`{self.patterns[q].id}` (line {self.patterns[q].line})" for q in ranked)
        message = f"`{self.patterns[p].id}` {words} {names}"
        return self._report(p, "", code, message, hint, self.answers.of(COFIRE, p, ranked[0]))

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

    def _sometimes_forbidden(self, p: int, q: int) -> Iterator[Problem]:
        answer = self.answers.of(COFIRE, p, q)
        if answer.verdict == YES:
            message = f"`{self.patterns[p].id}` demands moves that `{self.patterns[q].id}` forbids"
            yield self._report(p, "", "L231", message, "for example here: the veto wins", answer)
        elif answer.verdict == UNDECIDED:
            self._give_up(p, f"does `{self.patterns[q].id}` ever forbid its move?")


def _demands(pattern: KnownPattern, usual: int) -> bool:
    """Return whether a pattern means its move to be played: a sacrifice, or a priority above the file's usual one."""
    return pattern.sacrifice or pattern.priority > usual
