"""Why not that move: what the rules, the score or the safety check hold against it, and which patterns came near."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from rules.engine import Candidate, Decision
from rules.geometry import Point
from rules.position import WHITE
from tools.draw.boards import move_text
from tools.draw.decisions import NAME_WIDTH, candidate_json, heading_text, placement_text, verdict_text
from tools.draw.terminal import wrap_text
from tools.knowledge.firing import NearMiss, near_misses
from tools.knowledge.model import KnownPattern
from tools.knowledge.problems import plural
from tools.match.referee import why_illegal


@dataclass(frozen=True)
class WhyNot:
    """What speaks against a move, a point or PASS.

    illegal: why it may not be played, or ''. candidate: its Candidate, None if it is illegal. misses: each pattern
    that does not fire for it, with its nearest miss there; the nearest first.
    """

    decision: Decision
    move: Point
    illegal: str
    candidate: Candidate | None
    misses: list[tuple[KnownPattern, NearMiss]]

    @property
    def size(self) -> int:
        return self.decision.position.ruleset.size


def why_not(decision: Decision, move: Point, patterns: Iterable[KnownPattern]) -> WhyNot:
    """Ask about a move of a complete decision. patterns: those whose near misses are wanted."""
    position = decision.position
    candidate = next((one for one in decision.candidates if one.move == move), None)
    missed = ((pattern, near_misses(pattern, position, move)) for pattern in patterns)
    nearest = [(pattern, misses[0]) for pattern, misses in missed if misses]
    nearest.sort(key=_distance)
    return WhyNot(decision, move, why_illegal(position, move), candidate, nearest)


def _distance(pair: tuple[KnownPattern, NearMiss]) -> tuple[int, bool, int, int, str]:
    """Few failures are near; among as many, all cells right is nearer, and then the pattern that asks for more."""
    pattern, miss = pair
    failures = len(miss.cells) + len(miss.conditions)
    return failures, bool(miss.cells), -pattern.specificity, -pattern.priority, pattern.id


def reason_against(answer: WhyNot) -> str:
    """Return in a sentence what decided against the move."""
    chosen, asked, size = answer.decision.chosen, answer.candidate, answer.size
    name, best = move_text(answer.move, size), move_text(chosen.move, size)
    if asked is None:
        return f"{name} is illegal: {answer.illegal}."
    if asked is chosen:
        return f"{name} is the move that is played."
    if answer.decision.overruled is not None:
        otherwise = move_text(answer.decision.overruled.move, size)
        return (
            f"An override: this one position was proved to need {best}. The patterns would have played {otherwise}; "
            "--no-overrides tells what they hold against other moves."
        )
    if asked.result2 is not None and chosen.result2 is not None and asked.result2 != chosen.result2:
        ends = f"{best} ends {chosen.result2 / 2:+g}, {name} {asked.result2 / 2:+g}"
        return f"The result is known exactly: {ends}."
    if asked.veto and not chosen.veto:
        return f"{name} is {verdict_text(asked, size)}."
    if asked.veto and asked.verdict and chosen.verdict and asked.verdict.loss != chosen.verdict.loss:
        return f"Every move is vetoed; {name} loses {asked.verdict.loss}, {best} only {chosen.verdict.loss}."
    if asked.barred and not chosen.barred:
        return f"{name} is {verdict_text(asked, size)}."
    return _reason_by_score(asked, chosen, name, best)


def _reason_by_score(asked: Candidate, chosen: Candidate, name: str, best: str) -> str:
    for what in ("priority", "points", "specificity"):
        mine, theirs = getattr(asked, what), getattr(chosen, what)
        if mine != theirs:
            return f"{best} has {what} {theirs}, {name} {mine}."
    return f"{name} scores the same as {best}; the order of the points decides."


def why_not_text(answer: WhyNot, most: int) -> str:
    """Return the answer for a terminal; at most so many near misses."""
    head = f"Why not {move_text(answer.move, answer.size)}: "
    lines = [heading_text(answer.decision), "", wrap_text(head, reason_against(answer))]
    if answer.candidate is not None:
        lines += ["", *_format_rank(answer.candidate, answer.decision)]
        if answer.candidate is not answer.decision.chosen:
            lines += ["", *_compare_points(answer.candidate, answer.decision)]
    return "\n".join([*lines, "", *_format_misses(answer, most)])


def _format_rank(asked: Candidate, decision: Decision) -> list[str]:
    """Return the move's place among the candidates, its score and its verdict."""
    size, candidates = decision.position.ruleset.size, decision.candidates
    place = f"number {candidates.index(asked) + 1} of {plural(len(candidates), 'move')}"
    score = f"priority {asked.priority}, points {asked.points}, specificity {asked.specificity}"
    return [wrap_text("  ", f"It is {place}: {score}; {verdict_text(asked, size)}.")]


def _compare_points(asked: Candidate, decision: Decision) -> list[str]:
    """Return a table of what each pattern brings to the chosen move and to the one asked about, biggest gap first."""
    both = decision.chosen, asked
    columns = [{firing.pattern.id: firing.points for firing in one.firings} for one in both]
    names = [move_text(one.move, decision.position.ruleset.size) for one in both]
    ids = sorted(columns[0].keys() | columns[1].keys(), key=lambda one: (_gap(one, columns), one))
    rows = [(one, *(f"{column[one]:+}" if one in column else "-" for column in columns)) for one in ids]
    totals = [str(one.points) for one in both]
    rows = [("", *names), *rows, ("", "---", "---"), ("points", *totals)]
    return [f"  {name:{NAME_WIDTH}}{left:>8}{right:>8}" for name, left, right in rows]


def _gap(pattern_id: str, columns: list[dict[str, int]]) -> int:
    return columns[1].get(pattern_id, 0) - columns[0].get(pattern_id, 0)


def _format_misses(answer: WhyNot, most: int) -> list[str]:
    """Return a paragraph for each near miss: the pattern, where, and what fails there."""
    if not answer.misses:
        return ["No pattern is drawn for this move and does not fire."]
    shown = answer.misses[:most]
    head = f"Patterns that do not fire for it, the nearest first ({len(shown)} of {len(answer.misses)}):"
    lines = [wrap_text("", head)]
    if answer.decision.position.colour == WHITE:
        lines.append("(Patterns are drawn as if X were to move: their X are White's stones, their O Black's.)")
    for pattern, miss in shown:
        where = [placement_text(pattern.rows, pattern.label_rows, miss.symmetry, miss.place, miss.size)]
        name = ", ".join([pattern.id, *(where if pattern.rows else [])])
        points = f"points {pattern.points_text}" if pattern.points_text else "no points"
        lines.append(wrap_text("  ", f"{name} (priority {pattern.priority}, {points})", 2))
        lines.append(wrap_text("      ", format_failure(pattern, miss)))
    return lines


def format_failure(pattern: KnownPattern, miss: NearMiss) -> str:
    """Return the first thing that fails, and how much else does."""
    fits = "the drawing fits, but " if pattern.rows and not miss.cells else ""
    noun = "other cell" if miss.cells else "other condition"
    others = max(len(miss.cells), len(miss.conditions)) - 1
    more = f"; {plural(others, noun)} fail{'s' if others == 1 else ''} too" if others > 0 else ""
    return fits + miss.failed + more


def why_not_json(answer: WhyNot, most: int) -> dict[str, Any]:
    """Return the answer as plain values.

    move; illegal (why, or ''); answer (a sentence); candidate (as in decision_json) or null; near_misses: pattern,
    symmetry, place, failed (the first thing, in words), cells (point, wanted, found) and conditions that fail, illegal.
    """
    size = answer.size
    misses = [
        {
            "pattern": pattern.id,
            "symmetry": miss.symmetry,
            "place": move_text(miss.place, size),
            "failed": miss.failed,
            "cells": [
                {"point": move_text(point, size), "wanted": wanted, "found": seen} for point, wanted, seen in miss.cells
            ],
            "conditions": list(miss.conditions),
            "illegal": miss.illegal,
        }
        for pattern, miss in answer.misses[:most]
    ]
    return {
        "move": move_text(answer.move, size),
        "illegal": answer.illegal,
        "answer": reason_against(answer),
        "candidate": answer.candidate and candidate_json(answer.candidate, answer.decision),
        "near_misses": misses,
    }
