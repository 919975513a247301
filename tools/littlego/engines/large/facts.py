"""Facts for large boards, in addition to rules/facts; a decorator declares each fact.

The first argument of these facts is a LargeState; the other arguments are as in rules/facts. Importing this module
registers the facts.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from littlego.engines.large import enclosure, ending, groups, influence, race, settling, shapes, tactics
from littlego.engines.large.ladders import read_capture
from littlego.engines.large.vocabulary import large_fact, once_a_position
from littlego.games.sizes import MATCH_SIZES
from littlego.rules.facts import FLAG, ITSELF
from littlego.rules.geometry import around, count, flood, points_of
from littlego.rules.position import chains, is_legal, played

if TYPE_CHECKING:
    from littlego.engines.large.state import LargeState
    from littlego.rules.geometry import Grid, Mask

POINTS = MATCH_SIZES.largest**2  # points of the largest board
MOST_INFLUENCE = influence.STONE + 4 * influence.DILATIONS
UNKNOWN = 99  # distance if the last move is unknown or a pass
AROUND = 3  # rows and columns in each direction
LADDER_LIBERTIES = 2  # most liberties of a chain at the start of a ladder

# -- the game -------------------------------------------------------------------------------------------------


@large_fact(cost=0, answers=(MATCH_SIZES.smallest, MATCH_SIZES.largest), mirror=ITSELF)
def board_size(state: LargeState, move: Mask) -> int:
    """Points on a side of the board."""
    return state.grid[0]


@large_fact(cost=2, answers=(0, POINTS), mirror=ITSELF)
def stones(state: LargeState, move: Mask) -> int:
    """Stones of both colours on the board."""
    return count(state.own | state.theirs)


@large_fact(cost=0)
def prisoner_lead(state: LargeState, move: Mask) -> int:
    """The mover's prisoners minus the opponent's prisoners."""
    return state.prisoners[0] - state.prisoners[1]


@large_fact(cost=1)
def score2(state: LargeState, move: Mask) -> int:
    """The mover's lead in half points, komi included, if the game ended now. In a match, the lead counts stones,
    territory and prisoners."""
    return state.score2


@large_fact(cost=0, answers=FLAG)
def pass_cost(state: LargeState, move: Mask) -> int:
    """1 if a pass costs a stone."""
    return state.pass_cost


@large_fact(cost=3000, answers=(0, POINTS))
def spares(state: LargeState, move: Mask) -> int:
    """Estimated number of points that the mover can fill without harm. The estimate is 0 if and only if no point is
    `spare`. Otherwise, each connected set of safe areas and strong groups adds its empty points minus two, if positive;
    the sum is at least 1."""
    return ending.spares(state)


@large_fact(cost=3000, answers=(0, POINTS), mirror=spares)
def their_spares(state: LargeState, move: Mask) -> int:
    """`spares` for the opponent."""
    return ending.their_spares(state)


@large_fact(cost=3000, answers=(0, POINTS))
def dead_left(state: LargeState, move: Mask) -> int:
    """Opposing stones that are dead in a safe area of the mover, or that the mover can capture. See `dead_inside`,
    `own_safe` and, for captures, `catchable`.
    """
    left = enclosure.own_settled(state).dead
    for chain in state.table.chains_of(state.theirs):
        if not chain & left and _is_catchable(chain, state):
            left |= chain
    return count(left)


@large_fact(cost=3000, answers=(0, POINTS))
def dame_left(state: LargeState, move: Mask) -> int:
    """Points that are `neutral` now."""
    return sum(ending.is_neutral(1 << point, state) for point in points_of(ending.neutral_points(state)))


@large_fact(cost=3000, answers=(0, POINTS), mirror=ITSELF)
def undecided(state: LargeState, move: Mask) -> int:
    """Empty points that are neither `neutral` nor in a safe area (see `own_safe`, `their_safe`). Moves can still win
    these points."""
    return count(ending.undecided_points(state))


# -- points ---------------------------------------------------------------------------------------------------


@large_fact("point", cost=1, mirror=ITSELF)
def far_line(state: LargeState, move: Mask, point: Mask) -> int:
    """Distance of P from the second-nearest edge, 1 on the edge: a 3-4 point has `line` 3, `far_line` 4."""
    size = state.grid[0]
    row, column = divmod(point.bit_length() - 1, size)
    return 1 + max(min(row, size - 1 - row), min(column, size - 1 - column))


@large_fact("point", cost=1, answers=(0, UNKNOWN))
def last_distance(state: LargeState, move: Mask, point: Mask) -> int:
    """Steps along rows and columns from the opponent's last move to P. The value is 99 if the last move was a pass
    or is unknown.
    """
    return _steps(state.last, point, state.grid[0])


@large_fact("point", cost=1, answers=(0, UNKNOWN))
def own_last_distance(state: LargeState, move: Mask, point: Mask) -> int:
    """Steps from the mover's own last move to P, even if its stone was captured. The value is 99 if this move was a
    pass or is unknown."""
    return _steps(state.own_last, point, state.grid[0])


def _steps(last: Mask, point: Mask, size: int) -> int:
    """Return the distance between a move and a point, or UNKNOWN without a move."""
    if not last:
        return UNKNOWN
    row, column = divmod(point.bit_length() - 1, size)
    other_row, other_column = divmod(last.bit_length() - 1, size)
    return abs(row - other_row) + abs(column - other_column)


@large_fact("point", cost=10, answers=(-shapes.MOST_POINTS, shapes.MOST_POINTS))
def shape(state: LargeState, move: Mask, point: Mask) -> int:
    """Points for a move at P, given by the largest known shape around P; 0 for an unknown shape. Among otherwise equal
    moves, strong players choose a move with ten more points e (2.72) times as often. A program found the shapes in
    games.
    """
    known = shapes.shapes_of(state).get(point)
    return known.points if known else 0


@large_fact("point", cost=10, answers=(-shapes.MOST_POINTS, shapes.MOST_POINTS))
def answer(state: LargeState, move: Mask, point: Mask) -> int:
    """Points for an answer at P to the last move, in addition to `shape(P)`. The largest known shape around P in which
    the last move is marked gives the points; 0 if there is none.
    """
    known = shapes.answers_of(state).get(point)
    return known.points if known else 0


@large_fact("point", cost=2, answers=(0, 49))
def own_around(state: LargeState, move: Mask, point: Mask) -> int:
    """The mover's stones at most 3 rows and 3 columns from P, including P."""
    return count(_box(point, state.grid) & state.own)


@large_fact("point", cost=2, answers=(0, 49), mirror=own_around)
def their_around(state: LargeState, move: Mask, point: Mask) -> int:
    """The opponent's stones at most 3 rows and 3 columns from P, including P."""
    return count(_box(point, state.grid) & state.theirs)


def _box(point: Mask, grid: Grid) -> Mask:
    """Return the points at most AROUND rows and columns from a point."""
    size, full, not_first, not_last = grid
    for _ in range(AROUND):
        point |= (point & not_last) << 1 | (point & not_first) >> 1
        point |= (point << size | point >> size) & full
    return point


@large_fact("point", cost=2)
def own_corner(state: LargeState, move: Mask, point: Mask) -> int:
    """The mover's stones in the quarter of the board that contains P. On odd sizes, quarters share the middle lines."""
    return count(_quarter(point, state.grid) & state.own)


@large_fact("point", cost=2, mirror=own_corner)
def their_corner(state: LargeState, move: Mask, point: Mask) -> int:
    """The opponent's stones in the quarter of the board that contains P: see `own_corner`."""
    return count(_quarter(point, state.grid) & state.theirs)


def _quarter(point: Mask, grid: Grid) -> Mask:
    """Return the points of the board quarter that contains a point."""
    row, column = divmod(point.bit_length() - 1, grid[0])
    return _quarter_at(row, column, grid[0])


@cache
def _quarter_at(row: int, column: int, size: int) -> Mask:
    line = sum(1 << other for other in range(size) if _same_half(column, other, size))
    return sum(line << size * other for other in range(size) if _same_half(row, other, size))


def _same_half(one: int, other: int, size: int) -> bool:
    return (2 * one - size + 1) * (2 * other - size + 1) >= 0


@large_fact("point", cost=2, answers=(0, MOST_INFLUENCE))
def own_influence(state: LargeState, move: Mask, point: Mask) -> int:
    """The mover's influence at P after five dilations (Bouzy); dead stones are ignored. The influence is at least
    128 on the mover's stones that are not dead, at most 20 on other points, and 0 where the opponent has influence."""
    return influence.number_at(enclosure.influence(state).own, point)


@large_fact("point", cost=2, answers=(0, MOST_INFLUENCE), mirror=own_influence)
def their_influence(state: LargeState, move: Mask, point: Mask) -> int:
    """The opponent's influence at P: see `own_influence`."""
    return influence.number_at(enclosure.influence(state).theirs, point)


@large_fact("point", cost=1, answers=FLAG)
def own_territory(state: LargeState, move: Mask, point: Mask) -> int:
    """1 if P is the mover's territory (Bouzy: five dilations, 21 erosions). The mover's stones count as territory; dead
    stones are ignored."""
    return int(enclosure.influence(state).own_territory & point != 0)


@large_fact("point", cost=1, answers=FLAG, mirror=own_territory)
def their_territory(state: LargeState, move: Mask, point: Mask) -> int:
    """1 if P is the opponent's territory: see `own_territory`."""
    return int(enclosure.influence(state).their_territory & point != 0)


@large_fact("point", cost=30, answers=(0, 2 * POINTS))
def gains_area(state: LargeState, move: Mask, point: Mask) -> int:
    """Growth of the mover's lead in area if the mover plays at P. The lead is the mover's area minus the opponent's
    area, both after five dilations. The value is 0 if the lead does not grow or P is illegal."""
    if not is_legal(point, state.own, state.theirs, state.ko, state.grid):
        return 0
    return max(0, enclosure.area_gained(state, point))


@large_fact("point", cost=30, answers=(0, 2 * POINTS), mirror=gains_area)
def their_gains_area(state: LargeState, move: Mask, point: Mask) -> int:
    """Growth of the opponent's lead in area if the opponent plays at P: see `gains_area`. The value is 0 if P is
    illegal for the opponent, ko aside."""
    if not is_legal(point, state.theirs, state.own, 0, state.grid):
        return 0
    return max(0, enclosure.area_lost(state, point))


@large_fact("point", cost=20)
def groups_joined(state: LargeState, move: Mask, point: Mask) -> int:
    """Different groups of the mover (see `group_stones`) that a stone of the mover at P would link. These groups are
    next to P or linked with the new chain. The value is 0 if the mover may not play at P, ko aside.
    """
    return groups.linked_at(point, state.table, groups.own_groups(state))


@large_fact("point", cost=20, mirror=groups_joined)
def groups_parted(state: LargeState, move: Mask, point: Mask) -> int:
    """Different groups of the opponent that an opposing stone at P would link (see `groups_joined`). A stone of the
    mover at P prevents this link."""
    return groups.linked_at(point, state.other.table, groups.their_groups(state))


@large_fact("point", cost=5, answers=FLAG)
def spare(state: LargeState, move: Mask, point: Mask) -> int:
    """1 if the mover may fill P without harm. P is in a safe area of the mover (see `own_safe`), next to an enclosing
    stone; the new stone is not in atari, and every `strong` group stays strong."""
    return int(ending.is_spare(point, state))


@large_fact("point", cost=5, answers=FLAG)
def neutral(state: LargeState, move: Mask, point: Mask) -> int:
    """1 if P is dame. P is in an empty region outside all territory and safe areas (see `own_territory`, `own_safe`).
    The region touches stones of both sides, and all these stones are `strong`. The mover may play at P without
    self-atari."""
    return int(ending.is_neutral(point, state))


@large_fact("point", cost=1, answers=FLAG)
def own_safe(state: LargeState, move: Mask, point: Mask) -> int:
    """1 if `strong` groups of the mover enclose P in an area where the opponent cannot live. The area contains no
    strong group of the opponent and no chain of the mover in atari. For an area of at most 20 points, these conditions
    suffice. A larger area needs an enclosing stone for every five points. At most a fifth of the area's points may have
    opposing stones, and at most a fourth may be in the opponent's area after five dilations. Opposing groups in the
    area must have fewer than 4 points of eye space; after their removal, the whole area must be the mover's
    territory."""
    return int(enclosure.own_settled(state).safe & point != 0)


@large_fact("point", cost=1, answers=FLAG, mirror=own_safe)
def their_safe(state: LargeState, move: Mask, point: Mask) -> int:
    """1 if P is in a safe area of the opponent: see `own_safe`."""
    return int(enclosure.their_settled(state).safe & point != 0)


@large_fact("point", cost=2, answers=FLAG)
def hopeless(state: LargeState, move: Mask, point: Mask) -> int:
    """1 if the mover may play at P but the stone would be dead. P is then in the opponent's safe area (see `own_safe`),
    and the move captures nothing."""
    return int(ending.is_hopeless(point, state))


@large_fact("point", cost=20)
def breaks_ladder(state: LargeState, move: Mask, point: Mask) -> int:
    """The mover's stones that a move at P saves from immediate capture or from a ladder. The opponent, moving now,
    would capture these stones (see `catchable`)."""
    return sum(count(chain) for chain in chains_saved_from_ladders(state, point))


def chains_saved_from_ladders(state: LargeState, point: Mask) -> list[Mask]:
    """Return the chains whose stones `breaks_ladder` counts."""
    own, theirs, grid = state.own, state.theirs, state.grid
    caught = [chain for chain, zone in _caught(state) if zone & point]
    if not caught or not is_legal(point, own, theirs, state.ko, grid):
        return []
    own, theirs, _, ko = played(point, own, theirs, grid)
    return [chain for chain in caught if not read_capture(flood(chain, own, grid), theirs, own, ko, grid).caught]


@large_fact("point", cost=20)
def rescues(state: LargeState, move: Mask, point: Mask) -> int:
    """The mover's stones that a move at P saves from capture in a fight (see `capturable`). The opponent, moving now,
    would capture these stones. The moves tried are the stones' liberties, captures of attackers and, unless the stones
    are in atari, points next to these liberties and moves that give atari to attackers."""
    return sum(count(fight.stones) for fight in tactics.own_fights(state) if fight.defence & point)


@large_fact("point", cost=20)
def wins(state: LargeState, move: Mask, point: Mask) -> int:
    """Opposing stones that the mover captures in a fight that begins at P (see `capturable`). The opponent, moving now,
    could save these stones."""
    fights = tactics.their_fights(state)
    return sum(count(fight.stones) for fight in fights if fight.attack & point and fight.defence)


@large_fact("point", cost=100)
def settles(state: LargeState, move: Mask, point: Mask) -> int:
    """Stones of the mover's `weak` groups that are no longer weak after the mover plays at P. Only groups that have at
    least three stones and lie within two steps of P count. Ko is ignored."""
    return settling.own_settling(state).get(point, 0)


@large_fact("point", cost=100, mirror=settles)
def their_settles(state: LargeState, move: Mask, point: Mask) -> int:
    """Stones of the opponent's `weak` groups that are no longer weak after an opposing move at P. See `settles`."""
    return settling.their_settling(state).get(point, 0)


@once_a_position
def _caught(state: LargeState) -> list[tuple[Mask, Mask]]:
    """Return (chain, ladder's zone) for each chain of the mover that the opponent, moving now, catches."""
    caught = []
    for chain in state.table.chains_of(state.own):
        free = state.table.free[chain]
        if count(free) <= LADDER_LIBERTIES:
            ladder = read_capture(chain, state.theirs, state.own, 0, state.grid)
            if ladder.caught:
                caught.append((chain, ladder.zone(state.grid)))
    return caught


def _is_catchable(chain: Mask, state: LargeState) -> bool:
    own, theirs, grid = state.own, state.theirs, state.grid
    if count(around(chain, grid) & ~(own | theirs)) > LADDER_LIBERTIES:
        return False
    if chain & own:
        return any(chain == caught for caught, _ in _caught(state))
    return read_capture(chain, own, theirs, state.ko, grid).caught


# -- chains ---------------------------------------------------------------------------------------------------


@large_fact("chain", cost=3, mirror=ITSELF)
def group_stones(state: LargeState, move: Mask, chain: Mask) -> int:
    """Stones of A's group. The chains of a group are linked, directly or through other chains, by two common liberties,
    or by one common liberty where a cutting stone would be illegal, or would be in atari without capturing."""
    return count(groups.stones_of_groups(state, chain))


@large_fact("chain", cost=3, mirror=ITSELF)
def group_liberties(state: LargeState, move: Mask, chain: Mask) -> int:
    """Liberties of A's group: see `group_stones`."""
    return count(around(groups.stones_of_groups(state, chain), state.grid) & ~(state.own | state.theirs))


@large_fact("chain", cost=6, mirror=ITSELF)
def eye_space(state: LargeState, move: Mask, chain: Mask) -> int:
    """Points of the eye space of A's group. The eye space consists of the regions of its side's territory (see
    `own_territory`), without that side's stones, that touch the group."""
    group = groups.stones_of_groups(state, chain)
    return count(groups.eye_space_of(group, state, enclosure.influence(state)))


@large_fact("chain", cost=10, mirror=ITSELF)
def running_room(state: LargeState, move: Mask, chain: Mask) -> int:
    """Empty points within 3 steps of A's group, outside the other side's area after five dilations. The steps lead over
    empty points and stones of the group's side."""
    group = groups.stones_of_groups(state, chain)
    return count(groups.room_of(group, state, enclosure.influence(state)))


@large_fact("chain", cost=15, answers=FLAG, mirror=ITSELF)
def weak(state: LargeState, move: Mask, chain: Mask) -> int:
    """1 if A's group is not `strong`, its eye space is below 7 points and its running room is below 12."""
    return int(chain != 0 and settling.is_weak(chain, state))


@large_fact("chain", cost=1, answers=FLAG, mirror=ITSELF)
def strong(state: LargeState, move: Mask, chain: Mask) -> int:
    """1 if A's group has unconditionally alive stones (Benson) or two eyes in safe areas (see `own_safe`). An area
    without opposing stones gives two eyes if it has at least 7 empty points or a shape that makes two eyes. An area
    with dead stones gives two eyes if at least 7 points remain after subtracting 3 for each dead stone, or if at least
    7 connected empty points touch no dead stone. Any other area gives one eye, or none if its only empty point is a
    false eye."""
    return int(chain != 0 and settling.is_strong(chain, state))


@large_fact("chain", cost=20, answers=FLAG)
def catchable(state: LargeState, move: Mask, chain: Mask) -> int:
    """1 if A's opponent, moving now, captures A immediately or in a ladder (atari after atari). The value is 0 if 500
    tried moves do not prove the capture."""
    return int(chain != 0 and all(_is_catchable(single, state) for single in chains(chain, state.grid)))


@large_fact("chain", cost=20, answers=FLAG, mirror=ITSELF)
def capturable(state: LargeState, move: Mask, chain: Mask) -> int:
    """1 if A has at most three liberties and A's opponent, moving now, captures A in a fight. The attacker plays on or
    next to A's liberties, and at most two of the attacker's moves do not give atari. The value is 0 if 2000 tried moves
    do not prove the capture."""
    return int(any(fight.stones & chain for fight in _fights_about(chain, state)))


@large_fact("chain", cost=20, answers=FLAG, mirror=ITSELF)
def lost(state: LargeState, move: Mask, chain: Mask) -> int:
    """1 if A is `capturable` and A's owner cannot save A; see `rescues` for the moves tried."""
    return int(any(fight.stones & chain and not fight.defence for fight in _fights_about(chain, state)))


def _fights_about(chain: Mask, state: LargeState) -> list[tactics.Fight]:
    return tactics.own_fights(state) if chain & state.own else tactics.their_fights(state)


@large_fact("chain", cost=1, answers=FLAG)
def last_touches(state: LargeState, move: Mask, chain: Mask) -> int:
    """1 if the opponent's last move is in A or next to A."""
    return _touches(state.last, chain, state)


@large_fact("chain", cost=1, answers=FLAG)
def own_last_touches(state: LargeState, move: Mask, chain: Mask) -> int:
    """1 if the point of the mover's own last move is in A or next to A, even if its stone was captured."""
    return _touches(state.own_last, chain, state)


def _touches(last: Mask, chain: Mask, state: LargeState) -> int:
    return int(chain & (last | around(last, state.grid)) != 0)


@large_fact("chain", cost=1, answers=FLAG)
def dead_inside(state: LargeState, move: Mask, chain: Mask) -> int:
    """1 if A is an opposing chain that is dead in a safe area of the mover (see `own_safe`)."""
    return int(chain != 0 and not chain & ~enclosure.own_settled(state).dead)


@large_fact("chain", "chain", cost=2, answers=FLAG, mirror=ITSELF)
def same_group(state: LargeState, move: Mask, chain: Mask, other: Mask) -> int:
    """1 if A and B belong to the same group: see `group_stones`."""
    return int(chain != 0 and other != 0 and not other & ~groups.stones_of_groups(state, chain))


@large_fact("chain", "chain", cost=10, answers=FLAG)
def wins_race(state: LargeState, move: Mask, chain: Mask, other: Mask) -> int:
    """1 if the mover, moving now, captures the opposing chain B before the opponent captures A. A belongs to the mover
    and is adjacent to B. The race counts outside liberties, common liberties and an eye of each chain, but no approach
    moves and no escape."""
    own, theirs = state.own, state.theirs
    if not chain & own or not other & theirs:
        return 0
    return int(race.captures_first(chain, other, own, theirs, state.grid))
