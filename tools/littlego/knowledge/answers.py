"""Answers of `explain`: why a move was not chosen, and how the decision differs with other patterns.

A `WhyNot` explains why a move was not chosen, and lists the patterns that nearly fire for the move. A `WhatIf` compares
two decisions in the same position.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from littlego.cli.arguments import ArgumentError
from littlego.cli.terminal import wrap_text
from littlego.engines.draw.decisions import (
    HEADING,
    MOST_LINES,
    NAME_WIDTH,
    board_heading,
    candidate_json,
    chosen_lines,
    contrast_line,
    decision_json,
    lines_json,
    placement_text,
    read_lines,
    reason_json,
    reason_line,
    signed_moves,
    verdict_text,
)
from littlego.engines.lines.readers import play_to_end
from littlego.engines.reasons.contrast import OVERRIDE, Contrast, candidate_of, contrast
from littlego.games.boards import move_text
from littlego.games.game import why_illegal
from littlego.knowledge.firing import NearMiss, near_misses
from littlego.knowledge.parts import indices_by_id, part_of
from littlego.knowledge.problems import no_such, plural
from littlego.knowledge.programs import infix, worked_out
from littlego.knowledge.tables import number_in
from littlego.rules.engine import Candidate, Decision, canonical
from littlego.rules.geometry import Point, inverse
from littlego.rules.patternfile import Book, Pattern
from littlego.rules.position import PASS, WHITE, Position
from littlego.rules.safety import LOST_END, LOST_GAME


@dataclass(frozen=True)
class WhyNot:
    """An explanation of why a move was not chosen."""

    decision: Decision
    move: Point  # or PASS
    illegal: str  # why the move is illegal, '' for a legal move
    candidate: Candidate | None  # None for an illegal move
    misses: list[tuple[Pattern, NearMiss]]  # each pattern's nearest miss, nearest first; [] for an illegal move

    @property
    def size(self) -> int:
        return self.decision.position.ruleset.size


def why_not(decision: Decision, move: Point, patterns: Iterable[Pattern]) -> WhyNot:
    """Return the explanation of why a move was not chosen. patterns: the patterns to search for near misses.

    The decision must be complete: every candidate needs a score and a safety verdict.
    """
    position = decision.position
    candidate = candidate_of(decision, move)
    illegal = why_illegal(position, move)
    missed = ((pattern, near_misses(pattern, position, move)) for pattern in (() if illegal else patterns))
    nearest = [(pattern, misses[0]) for pattern, misses in missed if misses]
    nearest.sort(key=_distance)
    return WhyNot(decision, move, illegal, candidate, nearest)


def _distance(pair: tuple[Pattern, NearMiss]) -> tuple[int, bool, int, int, str]:
    """Return a sort key that puts the nearest misses first.

    Near misses with fewer failures come first. Among near misses with equally many failures, a near miss whose cells
    all match comes first. Further ties go to the higher specificity, then to the higher priority, then to the
    alphabetically first id.
    """
    pattern, miss = pair
    failures = len(miss.cells) + len(miss.conditions)
    return failures, bool(miss.cells), -pattern.specificity, -pattern.priority, pattern.id


def contrast_with(answer: WhyNot) -> Contrast | None:
    """Return the Contrast that says why the decision prefers the chosen move to the answer's move.

    Return None if the answer's move is illegal or is the chosen move.
    """
    asked = answer.candidate
    return None if asked is None or asked is answer.decision.chosen else contrast(answer.decision, asked)


def reason_against(answer: WhyNot) -> str:
    """Return a sentence that gives the reason against the move, or says that it is the chosen move."""
    name, reason = move_text(answer.move, answer.size), contrast_with(answer)
    if answer.candidate is None:
        return f"{name} is illegal: {answer.illegal}."
    if reason is None:
        return f"{name} is the chosen move."
    hint = "; use --no-overrides to see why the patterns rank other moves lower" if reason.by == OVERRIDE else ""
    return contrast_line(reason) + hint + "."


def why_not_text(answer: WhyNot, most: int, whole: bool) -> str:
    """Return the answer as text for a terminal; for an illegal move, return only the reason.

    most: the maximum number of near misses. whole: whether to show all lines of play and, unless the answer's move was
    chosen, a table that compares the move's points with the chosen move's points.
    """
    said = wrap_text(f"Why not {move_text(answer.move, answer.size)}: ", reason_against(answer))
    if answer.candidate is None:
        return said
    lines = [said, *_format_rank(answer.candidate, answer.decision)]
    more = ["", *_format_misses(answer, most)]
    if whole and answer.candidate is not answer.decision.chosen:
        more = ["", *_compare_points(answer.candidate, answer.decision), *more]
    printed = "\n".join([*lines, *more]).count("\n") + 1
    room = None if whole else MOST_LINES - HEADING - printed
    lines += read_lines(answer.candidate, answer.decision, room, head="  Read: ")
    return "\n".join([board_heading(answer.decision), "", *lines, *more])


def _format_rank(asked: Candidate, decision: Decision) -> list[str]:
    """Return lines with a candidate's rank, score and safety verdict, and the moves from played_out."""
    size, candidates = decision.position.ruleset.size, decision.candidates
    place = f"number {candidates.index(asked) + 1} of {plural(len(candidates), 'move')}"
    score = f"priority {asked.priority}, points {asked.points}, specificity {asked.specificity}"
    line = played_out(asked, decision)
    shown = " ".join(signed_moves(line, decision.position.colour, size))
    end = [wrap_text("  ", f"Played out: {shown}.")] if line else []
    return [wrap_text("  ", f"It is {place}: {score}; {verdict_text(asked, size)}."), *end]


def played_out(asked: Candidate, decision: Decision) -> list[Point]:
    """Return the moves that the safety check played to the game's end, the candidate's move first.

    A move is a point or PASS. Return [] unless the safety check played to the game's end and the mover lost. The
    playout takes place in the position's canonical orientation; in another orientation, the playout's last moves could
    differ (see littlego.rules.playout).
    """
    verdict, position = asked.verdict, decision.position
    if verdict is None or verdict.reply is None or not LOST_END <= verdict.loss < LOST_GAME:
        return []
    table, state = canonical(position)
    undo, first = inverse(table), (asked.move, verdict.reply)
    line = play_to_end(state, tuple(0 if move == PASS else 1 << table[move] for move in first))
    return [undo[move.bit_length() - 1] if move else PASS for move in line]


def _compare_points(asked: Candidate, decision: Decision) -> list[str]:
    """Return the lines of a table: each pattern's points for the chosen move and for `asked`.

    The patterns that most favour the chosen move come first.
    """
    both = decision.chosen, asked
    compared = sorted(_compare_firings(*both), key=lambda row: (row[2] or 0) - (row[1] or 0))
    names = (move_text(one.move, decision.position.ruleset.size) for one in both)
    rows: list[tuple[str, ...]] = [("", *names)]
    rows += [(name, _format_points(left), _format_points(right)) for name, left, right in compared]
    rows += [("", "---", "---"), ("points", *(str(one.points) for one in both))]
    return [f"  {name:{NAME_WIDTH}}{left:>8}{right:>8}" for name, left, right in rows]


def _compare_firings(left: Candidate, right: Candidate) -> list[tuple[str, int | None, int | None]]:
    """Return (id, points of `left`, points of `right`) for each pattern that fires for either move.

    The patterns are sorted by id. The points are None for a candidate for which the pattern does not fire.
    """
    before, after = _points_by_pattern(left), _points_by_pattern(right)
    return [(name, before.get(name), after.get(name)) for name in sorted(before.keys() | after.keys())]


def _points_by_pattern(candidate: Candidate) -> dict[str, int]:
    return {firing.pattern.id: firing.points for firing in candidate.firings}


def _format_points(points: int | None) -> str:
    return "-" if points is None else f"{points:+}"


def _format_misses(answer: WhyNot, most: int) -> list[str]:
    """Return lines about at most `most` near misses: the pattern, the placement and the failure."""
    if not answer.misses:
        return ["No pattern comes close to firing for this move."]
    shown = answer.misses[:most]
    head = f"Patterns that do not fire for this move, the nearest first ({len(shown)} of {len(answer.misses)}):"
    lines = [wrap_text("", head)]
    if answer.decision.position.colour == WHITE:
        lines.append("(In the drawings, X is to move: X stands for White and O for Black.)")
    for pattern, miss in shown:
        points = _points_in(pattern, answer.decision.position)
        where = [placement_text(pattern.rows, pattern.label_rows, miss.symmetry, miss.place, miss.size)]
        name = ", ".join([pattern.id, *(where if pattern.rows else [])])
        lines.append(wrap_text("  ", f"{name} (priority {pattern.priority}, points {points})", 2))
        lines.append(wrap_text("      ", format_failure(pattern, miss)))
    return lines


def _points_in(pattern: Pattern, position: Position) -> str:
    """Return a pattern's points as an expression, with the position's colour and moves left filled in."""
    known = {"colour": position.colour}
    if position.ruleset.length:
        known["moves_left"] = position.left
    number = number_in(pattern.table, position.colour, position.left)
    return infix(worked_out(f"{pattern.points} {number} +", known))


def format_failure(pattern: Pattern, miss: NearMiss) -> str:
    """Return a text that names the first failing cell or condition and counts the other failures."""
    fits = "the drawing fits, but " if pattern.rows and not miss.cells else ""
    noun = "other cell" if miss.cells else "other condition"
    others = max(len(miss.cells), len(miss.conditions)) - 1
    more = f"; {plural(others, noun)} fail{'s' if others == 1 else ''} too" if others > 0 else ""
    return fits + miss.failed + more


def why_not_json(answer: WhyNot, most: int) -> dict[str, Any]:
    """Return the answer as a dictionary for JSON, with at most `most` near misses.

    `reason` says why the chosen move is better than the answer's move, and is None if the answer's move is illegal or
    was chosen. For `lines`, see decisions.lines_json. In a near miss, `cells` and `conditions` list the failing cells
    and conditions, and `failed` describes the first failure. `illegal` is true for a near miss that fails only because
    the move is illegal.
    """
    size, reason = answer.size, contrast_with(answer)
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
        "reason": reason and reason_json(reason),
        "candidate": answer.candidate and candidate_json(answer.candidate, answer.decision),
        "lines": lines_json(answer.candidate, answer.decision) if answer.candidate else [],
        "near_misses": misses,
    }


@dataclass(frozen=True)
class WhatIf:
    """Two complete decisions in one position: with the current patterns and with other patterns."""

    words: str  # a description of the other patterns
    now: Decision
    then: Decision

    @property
    def moved(self) -> bool:
        """Whether the two decisions choose different moves."""
        return self.now.move != self.then.move

    @property
    def size(self) -> int:
        return self.now.position.ruleset.size


def book_without(book: Book, ids: Collection[str]) -> Book:
    """Return the book without the given patterns. Raise ArgumentError for an unknown id."""
    index_of = indices_by_id(book)
    for unknown in sorted(set(ids) - index_of.keys()):
        raise ArgumentError(no_such("pattern", unknown, index_of))
    return part_of(book, (index for name, index in index_of.items() if name not in ids))


def changed_candidates(answer: WhatIf) -> list[tuple[Candidate, Candidate]]:
    """Return pairs of candidates for the moves whose score, veto or points by pattern differ.

    A pair consists of the move's candidates in `answer.now` and in `answer.then`. The pairs are sorted by the better of
    the move's two ranks.
    """
    ranks = [{one.move: rank for rank, one in enumerate(side.candidates)} for side in (answer.now, answer.then)]
    then = {candidate.move: candidate for candidate in answer.then.candidates}
    pairs = [(candidate, then[candidate.move]) for candidate in answer.now.candidates]
    return sorted(
        (pair for pair in pairs if _content_of(pair[0]) != _content_of(pair[1])),
        key=lambda pair: min(rank[pair[0].move] for rank in ranks),
    )


def _content_of(candidate: Candidate) -> tuple[object, ...]:
    return candidate.priority, candidate.points, candidate.specificity, candidate.veto, _points_by_pattern(candidate)


def what_if_text(answer: WhatIf, most: int) -> str:
    """Return the comparison as text for a terminal. most: the maximum number of changed moves to list."""
    names = move_text(answer.now.move, answer.size), move_text(answer.then.move, answer.size)
    verdict = f"{names[1]} is played instead of {names[0]}." if answer.moved else f"{names[0]} is still played."
    lines = [board_heading(answer.now), "", *chosen_lines(contrast(answer.now)), ""]
    lines.append(wrap_text("", f"{answer.words}: {verdict}"))
    if answer.moved:
        lines.append(wrap_text("Then:   ", reason_line(answer.then)))
    changed = changed_candidates(answer)
    if not changed:
        return "\n".join([*lines, "", "No move's score changes."])
    lines += ["", f"Moves whose score changes ({min(most, len(changed))} of {len(changed)}):", ""]
    lines.append(f"  {'':{NAME_WIDTH}}{'now':>8}{'then':>8}")
    for now, then in changed[:most]:
        lines += _change_lines(now, then, answer.size)
    return "\n".join(lines)


def _change_lines(now: Candidate, then: Candidate, size: int) -> list[str]:
    rows = [(what, getattr(now, what), getattr(then, what)) for what in ("priority", "points", "specificity")]
    rows += [(name, _format_points(left), _format_points(right)) for name, left, right in _compare_firings(now, then)]
    lines = [f"  {move_text(now.move, size)}"]
    lines += [f"    {what:{NAME_WIDTH - 2}}{left:>8}{right:>8}" for what, left, right in rows if left != right]
    if now.veto != then.veto:
        lines.append(wrap_text("    ", f"{verdict_text(now, size)}; then {verdict_text(then, size)}"))
    return lines


def what_if_json(answer: WhatIf) -> dict[str, Any]:
    """Return the comparison as a dictionary for JSON.

    `then` is the decision with the other patterns. `changed` lists the moves whose score, veto or points by pattern
    differ between the decisions.
    """
    return {
        "said": answer.words,
        "moved": answer.moved,
        "then": decision_json(answer.then),
        "changed": [move_text(now.move, answer.size) for now, _ in changed_candidates(answer)],
    }
