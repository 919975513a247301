"""A decision's reason: what sets the chosen move apart from the one that would be played otherwise.

The move is compared with a rival: the one that is played once the patterns that make the difference are left out, and
these are as few as will do. Where no patterns do, it is compared with the next best move.
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

# What decides between two moves: see littlego.engines.reasons.choice, and
RESULT = "result"  # the exact result of the last two moves
ALONE = "alone"  # there is no other move
OVERRIDE = "override"  # a single position on record
KINDS = ("veto", "loss", "priority", "points", "specificity", "order", RESULT, ALONE, OVERRIDE)
VETO, LOSS, PRIORITY, POINTS, SPECIFICITY, ORDER = KINDS[:6]
SCORES = (PRIORITY, POINTS, SPECIFICITY)

DECIDES, SUPPORTS, PRESENT = "decides", "supports", "present"  # what a pattern does in a decision


@dataclass(frozen=True)
class Contrast:
    """Why one move rather than another.

    chosen: the move that is played; rival: the other, None where there is none. asked: whether it was asked about. by:
    one of KINDS. named: the fewest patterns, most helpful first, without which, together, the rival or yet another move
    is played; none where patterns do not decide. gains: all that the patterns bring to the chosen move and not, or
    less, to the rival, most first; costs: those where it is the other way round. equals: other moves with the very
    score of the chosen one, its mirror images aside. passed_over: better moves that are vetoed.
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
        """How many points the chosen move is ahead by the patterns."""
        return sum(points for _, points in self.gains + self.costs)


def contrast(decision: Decision, asked: Candidate | None = None, look: Callable[[], None] | None = None) -> Contrast:
    """Return why a decision's move is played, rather than the one of its candidates that is asked about, if any.

    look: called again and again; what it raises ends the search for the reason.
    """
    chosen, is_asked = decision.chosen, asked is not None
    if decision.overruled is not None:
        return _compared(decision, asked or decision.overruled, OVERRIDE, is_asked)
    if asked is not None and asked.result2 != chosen.result2:
        return _compared(decision, asked, RESULT, is_asked)
    refused = asked or next((one for one in decision.candidates if one.veto == REFUSED), None)
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
    differences = {} if by == RESULT else _differences(decision.chosen, rival)  # then points are not asked for
    ranked = sorted(differences.items(), key=lambda one: (-abs(one[1]), one[0]))
    gains, costs = (tuple(one for one in ranked if one[1] * sign > 0) for sign in (1, -1))
    passed_over = () if is_asked else tuple(better_but_vetoed(decision))
    return Contrast(decision, decision.chosen, rival, by, is_asked, named, gains, costs, equals, passed_over)


def _differences(chosen: Candidate, rival: Candidate) -> dict[str, int]:
    """Return the points that each pattern brings to one move more than to the other."""
    points = {firing.pattern.id: firing.points for firing in chosen.firings}
    for firing in rival.firings:
        points[firing.pattern.id] = points.get(firing.pattern.id, 0) - firing.points
    return points


def fewest_patterns(foresight: Foresight) -> tuple[tuple[str, ...], Candidate | None]:
    """Return the fewest patterns without which another move is played, most helpful first, and that move.

    ((), None) where none make a difference.
    """
    work, instead = foresight.find_patterns()
    if instead < 0:
        return (), None
    rival = foresight.candidates[instead]
    names = [pattern.id for row, pattern in enumerate(foresight.patterns) if work.found[row]]
    differences = _differences(foresight.chosen, rival)
    return tuple(sorted(names, key=lambda name: -differences.get(name, 0))), rival


def roles_of(decision: Decision) -> dict[str, str]:
    """Return what each pattern that fires does: DECIDES, SUPPORTS or PRESENT.

    A pattern decides where leaving it out changes the move, supports where it is one of the fewest that together do,
    and is present otherwise. Where an override or the exact result decided, all are present.
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
    """Return the candidate for a move, a point or PASS; None where the decision has none."""
    return next((one for one in decision.candidates if one.move == move), None)


def better_but_vetoed(decision: Decision) -> list[Candidate]:
    """Return the vetoed candidates that rank above the one that the patterns chose, best first."""
    chosen = decision.overruled or decision.chosen
    if chosen.veto:
        return []
    turn = judge_of(decision).turn
    ranks = [(rank(one, turn), one) for one in decision.candidates if one.veto and one.result2 == chosen.result2]
    return [one for place, one in sorted(ranks, key=itemgetter(0)) if place < rank(chosen, turn)]


def _next_best(foresight: Foresight) -> Candidate | None:
    """Return what is played if the chosen move and its mirror images are not to be had; None without another."""
    rest = foresight.moves
    for row in (foresight.index(foresight.chosen), *foresight.twins(foresight.chosen)):
        rest &= ~(1 << row)
    return foresight.candidates[choose(foresight.table, rest, [0] * len(foresight.patterns))] if rest else None


def _next_result(foresight: Foresight) -> Candidate | None:
    """Return the first move with the next best exact result; None where no other move is legal."""
    best = foresight.chosen.result2
    worse = [one for one in foresight.every_ending() if one.result2 != best]
    return max(worse, key=lambda one: one.result2 or 0, default=None)


def _equals(foresight: Foresight, rival: Candidate) -> tuple[Candidate, ...]:
    """Return the other moves that score as the chosen one does, and are not vetoed."""
    chosen = foresight.chosen
    twins = foresight.twins(chosen)
    return tuple(
        one
        for row, one in enumerate(foresight.candidates)
        if row not in twins
        and one not in (chosen, rival)
        and all(getattr(one, kind) == getattr(chosen, kind) for kind in SCORES)
        and not is_vetoed(one, foresight.loss(row))
    )


def _kind(foresight: Foresight, rival: Candidate) -> str:
    """Return what decides between the chosen move and one that may end as well."""
    rows = foresight.index(foresight.chosen), foresight.index(rival)
    return KINDS[kind_between(foresight.table, *rows, [0] * len(foresight.patterns))]
