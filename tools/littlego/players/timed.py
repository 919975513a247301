"""The deadline of a turn, and reasons that are computed before the deadline. This module runs on Python 3.7."""

from __future__ import annotations

import time
from copy import copy

from littlego.engines.draw.decisions import reason_line, scores_line
from littlego.engines.large.cutting import TimedDecision
from littlego.engines.large.deadline import DECIDING, Cut, Deadline, seconds_for, ticking
from littlego.match.protocol import Turn
from littlego.rules.engine import Decision
from littlego.rules.ruleset import LITTLE_GO

MOST_CPU = 2.0  # limit in seconds for a move without a clock, including its reason
QUICK = 5  # board size up to which decisions without a clock need no deadline


def deadline_of(turn: Turn) -> Deadline | None:
    """Return the deadline of a move, or None if the move has no deadline.

    The course's game never has a deadline. In any other game with clocks, the deadline depends on the time left on the
    player's clock (see seconds_for). Without clocks, the deadline on boards larger than QUICK is MOST_CPU seconds of
    the thread's CPU time.
    """
    position = turn.position
    if position.ruleset is LITTLE_GO:
        return None
    if turn.times is not None:
        return Deadline(seconds_for(position, turn.times.of(position.colour)))
    return Deadline(MOST_CPU, time.thread_time) if position.ruleset.size > QUICK else None


def reason_in_time(decision: Decision) -> str:
    """Return a one-line reason for a decision, computed before the decision's deadline, if any.

    If the time is too short for a comparison with other moves, the line gives only the move's own reasons. If the
    decision skipped checks, the line gives the move's own reasons and the skipped checks.
    """
    if not isinstance(decision, TimedDecision) or decision.deadline is None:
        return reason_line(decision)
    if decision.cut:  # a comparison would treat skipped checks as passed
        return f"{scores_line(decision)}; {decision.cut}"
    deadline = decision.deadline.rest(1 - DECIDING)
    timed = copy(decision)
    timed.position = copy(decision.position)
    timed.position.grid = ticking(decision.position.grid, deadline)
    try:
        return reason_line(timed, deadline.check)
    except Cut:
        return scores_line(decision)
