"""Tests that influence maps computed with planes equal the definition, point by point."""

from __future__ import annotations

from hypothesis import assume, given, settings
from large_states import match_positions
from random_boards import boards

from littlego.engines.large.enclosure import area_gained, influence
from littlego.engines.large.influence import DILATIONS, EROSIONS, STONE, areas, influence_of, number_at
from littlego.engines.large.state import make_state
from littlego.rules.geometry import count, points_of


def numbers_of(own, theirs, size):
    """Return two dicts {point: signed number} by Bouzy's definition.

    The first has the numbers after the dilations, the second those after the erosions.
    """
    near = {
        (r, c): [
            (r + i, c + j) for i, j in ((0, 1), (1, 0), (0, -1), (-1, 0)) if 0 <= r + i < size and 0 <= c + j < size
        ]
        for r in range(size)
        for c in range(size)
    }
    now = {(r, c): STONE * ((own >> r * size + c & 1) - (theirs >> r * size + c & 1)) for r, c in near}
    for _ in range(DILATIONS):
        before = dict(now)
        for point, beside in near.items():
            values = [before[one] for one in beside]
            if before[point] >= 0 and min(values) >= 0:
                now[point] += sum(value > 0 for value in values)
            if before[point] <= 0 and max(values) <= 0:
                now[point] -= sum(value < 0 for value in values)
    dilated = dict(now)
    for _ in range(EROSIONS):
        before = dict(now)
        for point, beside in near.items():
            values = [before[one] for one in beside]
            if before[point] > 0:
                now[point] = max(0, before[point] - sum(value <= 0 for value in values))
            elif before[point] < 0:
                now[point] = min(0, before[point] + sum(value >= 0 for value in values))
    return dilated, now


@given(boards(5, 9))
@settings(max_examples=30, deadline=None)
def test_maps_are_those_of_the_definition(board):
    grid, own, theirs = board
    maps, size = influence_of(own, theirs, grid), grid[0]
    dilated, eroded = numbers_of(own, theirs, size)
    for (row, column), number in dilated.items():
        point = 1 << row * size + column
        assert number_at(maps.own, point) - number_at(maps.theirs, point) == number
        assert (maps.own_area & point != 0) - (maps.their_area & point != 0) == (number > 0) - (number < 0)
        left = eroded[row, column]
        assert (maps.own_territory & point != 0) - (maps.their_territory & point != 0) == (left > 0) - (left < 0)


@given(boards(5, 13))
@settings(max_examples=30, deadline=None)
def test_areas_are_those_of_the_numbers(board):
    grid, own, theirs = board
    maps = influence_of(own, theirs, grid)
    assert areas(own, theirs, grid) == (maps.own_area, maps.their_area)


@given(match_positions(sizes=(7, 9), longest=50))
@settings(max_examples=15, deadline=None)
def test_area_gained_is_the_difference_of_two_maps(position):
    state = make_state(position)
    before = influence(state)
    # continue only if the map counts no stones as dead
    assume(before == influence_of(state.own, state.theirs, state.grid))
    for point in points_of(position.legal())[::9]:
        after = make_state(position.play(point))
        maps = influence_of(after.theirs, after.own, after.grid)
        gain = count(maps.own_area) - count(before.own_area)
        loss = count(before.their_area) - count(maps.their_area)
        assert area_gained(state, 1 << point) == gain + loss
