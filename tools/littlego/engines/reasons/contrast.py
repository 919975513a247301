"""The reason for a decision: the difference between the chosen move and its rival.

The search looks for the smallest set of patterns whose omission changes the move; the rival is the move that would then
be played. If the search finds no such set, the rival is the next best move.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import itemgetter

from littlego.engines.reasons.choice import choose, kind_between
from littlego.engines.reasons.foresight import Foresight
from littlego.engines.reasons.judge import judge_of
from littlego.rules.engine import Candidate, Decision, is_vetoed, rank
from littlego.rules.geometry import Point
from littlego.rules.uncounted import REFUSED

# Kinds of difference in addition to the kinds in littlego.engines.reasons.choice:
RESULT = "result"  # the exact result of the last two moves
ALONE = "alone"  # no other move is possible
OVERRIDE = "override"  # a recorded move for this position
KINDS = ("veto", "loss", "priority", "points", "specificity", "order", RESULT, ALONE, OVERRIDE)
VETO, LOSS, PRIORITY, POINTS, SPECIFICITY, ORDER = KINDS[:6]
SCORES = (PRIORITY, POINTS, SPECIFICITY)

DECIDES, SUPPORTS, PRESENT = "decides", "supports", "present"  # roles of a pattern in a decision


@dataclass(frozen=True)
class Contrast:
    """The reason why one move is preferred to another.

    chosen: the move that is played. rival: the other move, or None if no other move is possible. asked: whether the
    caller named the rival. by: the kind of difference, one of KINDS. named: the smallest known set of patterns whose
    omission changes the move, most helpful first; empty if patterns do not decide. gains: patterns that add more points
    to the chosen move than to the rival, as (id, difference), largest first. costs: the same for patterns that add
    fewer points to the chosen move than to the rival. equals: other unvetoed moves with the chosen move's score, except
    the rival and the chosen move's symmetric images. passed_over: vetoed moves that rank above the chosen move.
    `equals` and `passed_over` are empty if the caller named the rival.
    """

    decision: Decision
    chosen: Candidate
    rival: Candidate | None
    by: str
    asked: bool = False
    named: tuple[str, ...] = ()
    gains: tuple[tuple[str, int], ...] = ()
    costs: tuple[tuple[str, int], ...] = ()
    equals: tuple[Candidate, ...] = ()
    passed_over: tuple[Candidate, ...] = ()

    @property
    def lead(self) -> int:
        """The points that patterns add to the chosen move, minus the points that they add to the rival."""
        return sum(points for _, points in self.gains + self.costs)


def contrast(decision: Decision, asked: Candidate | None = None, look: Callable[[], None] | None = None) -> Contrast:
    """Return the Contrast between the chosen move and `asked`, by default the chosen move's rival.

    look: a function that is called repeatedly; if it raises an exception, the search for the reason ends.
    """
    chosen, is_asked = decision.chosen, asked is not None
    if decision.overruled is not None:
        return _compared(decision, asked or decision.overruled, OVERRIDE, is_asked)
    if asked is not None and asked.result2 != chosen.result2:
        return _compared(decision, asked, RESULT, is_asked)
    refused = asked or next((candidate for candidate in decision.candidates if candidate.veto == REFUSED), None)
    if refused is not None and refused.veto == REFUSED:
        return _compared(decision, refused, VETO, is_asked)
    foresight = Foresight(decision, None if asked is None else (chosen, asked), look)
    if foresight.is_last_resort():
        return _compared(decision, foresight.judged(asked or foresight.runner_up()), VETO, is_asked)
    named, instead = fewest_patterns(foresight)
    rival = asked or instead or _next_best(foresight) or _next_result(foresight)
    if rival is None:
        return Contrast(decision, chosen, None, ALONE)
    by = _kind(foresight, rival) if rival.result2 == chosen.result2 else RESULT
    equals = () if is_asked else _equals(foresight, rival)
    return _compared(decision, foresight.judged(rival), by, is_asked, named, equals)


def _compared(
    decision: Decision,
    rival: Candidate,
    by: str,
    is_asked: bool,
    named: tuple[str, ...] = (),
    equals: tuple[Candidate, ...] = (),
) -> Contrast:
    differences = {} if by == RESULT else _differences(decision.chosen, rival)  # an exact result needs no points
    ranked = sorted(differences.items(), key=lambda item: (-abs(item[1]), item[0]))
    gains, costs = (tuple(item for item in ranked if item[1] * sign > 0) for sign in (1, -1))
    passed_over = () if is_asked else tuple(better_but_vetoed(decision))
    return Contrast(decision, decision.chosen, rival, by, is_asked, named, gains, costs, equals, passed_over)


def _differences(chosen: Candidate, rival: Candidate) -> dict[str, int]:
    """Return {pattern id: points added to the chosen move minus points added to the rival}."""
    points = {firing.pattern.id: firing.points for firing in chosen.firings}
    for firing in rival.firings:
        points[firing.pattern.id] = points.get(firing.pattern.id, 0) - firing.points
    return points


def fewest_patterns(foresight: Foresight) -> tuple[tuple[str, ...], Candidate | None]:
    """Return (ids of the smallest known set of patterns whose omission changes the move, the new move).

    The most helpful pattern comes first. Return ((), None) if no such set is known.
    """
    work, instead = foresight.find_patterns()
    if instead < 0:
        return (), None
    rival = foresight.candidates[instead]
    names = [pattern.id for row, pattern in enumerate(foresight.patterns) if work.found[row]]
    differences = _differences(foresight.chosen, rival)
    return tuple(sorted(names, key=lambda name: -differences.get(name, 0))), rival


def roles_of(decision: Decision) -> dict[str, str]:
    """Return {pattern id: role} for all patterns that fire; a role is DECIDES, SUPPORTS or PRESENT.

    DECIDES: leaving out the pattern changes the move. SUPPORTS: the pattern belongs to the set of patterns that decide
    together. PRESENT: the pattern neither decides nor supports the move, or an override decided the move.
    """
    fired = {firing.pattern.id for candidate in decision.candidates for firing in candidate.all_firings}
    roles = dict.fromkeys(sorted(fired), PRESENT)
    if decision.overruled is None:
        foresight = Foresight(decision)
        work, _ = foresight.find_patterns()
        for row, pattern in enumerate(foresight.patterns):
            roles[pattern.id] = DECIDES if work.decides[row] else SUPPORTS if work.found[row] else PRESENT
    return roles


def candidate_of(decision: Decision, move: Point) -> Candidate | None:
    """Return the candidate for a move (a point or PASS), or None if the move is not a candidate."""
    return next((candidate for candidate in decision.candidates if candidate.move == move), None)


def better_but_vetoed(decision: Decision) -> list[Candidate]:
    """Return the vetoed candidates that rank above the patterns' choice, best first.

    The list is empty if the choice is vetoed.
    """
    chosen = decision.overruled or decision.chosen
    if chosen.veto:
        return []
    turn = judge_of(decision).turn
    ranks = [
        (rank(candidate, turn), candidate)
        for candidate in decision.candidates
        if candidate.veto and candidate.result2 == chosen.result2
    ]
    return [candidate for place, candidate in sorted(ranks, key=itemgetter(0)) if place < rank(chosen, turn)]


def _next_best(foresight: Foresight) -> Candidate | None:
    """Return the best move except the chosen move and its images, or None if there is no other move.

    An image is the chosen move under a symmetry of the position: see Foresight.twins.
    """
    rest = foresight.moves
    for row in (foresight.index(foresight.chosen), *foresight.twins(foresight.chosen)):
        rest &= ~(1 << row)
    return foresight.candidates[choose(foresight.table, rest, [0] * len(foresight.patterns))] if rest else None


def _next_result(foresight: Foresight) -> Candidate | None:
    """Return the first move with the next best exact result, or None if all results are equal or unknown."""
    best = foresight.chosen.result2
    worse = [candidate for candidate in foresight.every_ending() if candidate.result2 != best]
    return max(worse, key=lambda candidate: candidate.result2 or 0, default=None)


def _equals(foresight: Foresight, rival: Candidate) -> tuple[Candidate, ...]:
    """Return the unvetoed moves with the chosen move's score, except its symmetric images and the rival."""
    chosen = foresight.chosen
    twins = foresight.twins(chosen)
    return tuple(
        candidate
        for row, candidate in enumerate(foresight.candidates)
        if row not in twins
        and candidate not in (chosen, rival)
        and all(getattr(candidate, kind) == getattr(chosen, kind) for kind in SCORES)
        and not is_vetoed(candidate, foresight.loss(row))
    )


def _kind(foresight: Foresight, rival: Candidate) -> str:
    """Return the kind of difference between the chosen move and a rival with the same exact result."""
    rows = foresight.index(foresight.chosen), foresight.index(rival)
    return KINDS[kind_between(foresight.table, *rows, [0] * len(foresight.patterns))]
