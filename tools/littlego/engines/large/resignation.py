"""The decision to resign a match.

The mover resigns only late in the game, and only if unable to catch up. The lead is estimated from the areas of
influence, the prisoners and the komi; no stone counts as dead. The mover's possible gain is computed as if the mover
won all undecided points and captured every endangered opposing stone.
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

LATE = 0.5  # fewest stones per board point, prisoners included, at which a player resigns
MARGIN = 1  # points per board line by which the player must still be behind after all possible gains


class Outlook(NamedTuple):
    """The mover's estimated lead in a match and the mover's largest possible gain, in half points."""

    lead2: int
    gain2: int


def outlook(state: LargeState) -> Outlook:
    """Return the mover's Outlook in a state."""
    maps, full = raw_influence(state), state.grid[1]
    own, theirs = state.prisoners
    lead2 = 2 * (count(maps.own_area) - count(maps.their_area) + own - theirs) + state.bonus2
    open_points = full & ~(maps.own_territory | maps.their_territory | state.own | state.theirs)
    in_danger = sum(count(chain) for chain in state.table.chains_of(state.theirs) if _is_in_danger(chain, state))
    # In points, an open point that changes sides counts 2, and a captured stone 3, since it is also a prisoner.
    return Outlook(lead2, 4 * count(open_points) + 6 * in_danger)


def _is_in_danger(chain: int, state: LargeState) -> bool:
    return bool(weak(state, 0, chain) or catchable(state, 0, chain))


def why_resign(decision: Decision) -> str:
    """Return the reason why the mover resigns, or '' if the mover plays the decided move.

    The mover does not resign if few moves were made (see LATE), if the rules do not count territory, if a deadline
    interrupted the decision, if the mover would win a game that ended now, or if the mover can still catch up.
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
        f"resigns: behind by {-lead2 / 2:g} points in territory, prisoners and komi, and can gain at most {gain2 / 2:g}"
    )
