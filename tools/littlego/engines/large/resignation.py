"""When a match is given up: late, far behind, and with nothing left that could turn it.

The count is an estimate that favours the loser, who has more of them: no stone is taken for dead, points are whose
influence they are, and prisoners and komi are as they stand. What may still be gained is all that is nobody's territory
yet and every group of theirs in danger, all of it going the mover's way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from littlego.engines.large.facts import catchable, weak
from littlego.engines.large.influence import raw_influence
from littlego.engines.large.search import LargeDecision
from littlego.rules.geometry import count

if TYPE_CHECKING:
    from littlego.engines.large.state import LargeState
    from littlego.rules.engine import Decision

LATE = 0.5  # stones on the board to a point, prisoners included, before which nobody gives up
MARGIN = 1  # points to a line of the board by which a game is still lost once all has gone well


class Outlook(NamedTuple):
    """How a match stands for the mover, in half points: the estimated lead, and the most that it may still gain."""

    lead2: int
    gain2: int


def outlook(state: LargeState) -> Outlook:
    """Return how a match stands."""
    maps, full = raw_influence(state), state.grid[1]
    own, theirs = state.prisoners
    lead2 = 2 * (count(maps.own_area) - count(maps.their_area) + own - theirs) + state.bonus2
    open_points = full & ~(maps.own_territory | maps.their_territory | state.own | state.theirs)
    in_danger = sum(count(chain) for chain in state.table.chains_of(state.theirs) if _is_in_danger(chain, state))
    # A point that changes hands counts for both; a stone taken is a prisoner, too.
    return Outlook(lead2, 4 * count(open_points) + 6 * in_danger)


def _is_in_danger(chain: int, state: LargeState) -> bool:
    return bool(weak(state, 0, chain) or catchable(state, 0, chain))


def why_resign(decision: Decision) -> str:
    """Return why the mover gives a match up instead of playing what was decided, in words; '' where it does not.

    Never in a game that does not count territory, and never where the decision was cut.
    """
    if not isinstance(decision, LargeDecision):
        return ""
    state = decision.judge.state
    size = state.grid[0]
    if not state.by_area or decision.cut or state.score2 > 0:
        return ""
    made = count(state.own | state.theirs) + sum(state.prisoners)
    if made < LATE * size * size:
        return ""
    lead2, gain2 = outlook(state)
    if lead2 + gain2 + 2 * MARGIN * size > 0:
        return ""
    return (
        f"resigns: behind by {-lead2 / 2:g} points by territory, prisoners and komi, and no more than {gain2 / 2:g} "
        "are still to be gained"
    )
