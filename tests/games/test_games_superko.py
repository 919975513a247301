"""Tests of superko's cost: one set lookup for each move, however many states have occurred.

The tests count operations instead of measuring time.
"""

from __future__ import annotations

from functools import cache

import pytest
from rpds import HashTrieSet

from littlego.dev.bench.superko import FEW, MANY, long_match, with_states
from littlego.games.match import MatchPosition
from littlego.rules.geometry import points_of
from littlego.rules.position import PASS


@cache
def match_of_many() -> list[MatchPosition]:
    """Return the positions of a match with MANY moves on 19x19."""
    return long_match(MANY)


class Watched:
    """A set that supports only lookups and additions; any other use raises AttributeError or TypeError."""

    def __init__(self, states: list) -> None:
        self.states = frozenset(states)
        self.asked = 0
        self.added = 0

    def __contains__(self, state: object) -> bool:
        self.asked += 1
        return state in self.states

    def insert(self, state: object) -> Watched:
        self.added += 1
        return self


class Counting:
    """A state whose class counts all comparisons between states."""

    compared = 0

    def __init__(self, state: tuple) -> None:
        self.state = state

    def __hash__(self) -> int:
        return hash(self.state)

    def __eq__(self, other: object) -> bool:
        Counting.compared += 1
        return isinstance(other, Counting) and self.state == other.state


def states_of(positions: list[MatchPosition]) -> list[tuple]:
    """Return the states of a match."""
    return [(position.black, position.white, position.colour) for position in positions]


def test_the_match_is_long_and_has_captures():
    assert len(match_of_many()) == MANY + 1 and min(match_of_many()[-1].prisoners) > 20
    assert len(match_of_many()[-1].seen) == MANY + 1


def test_a_move_asks_and_adds_the_same_however_long_the_history_is():
    last = match_of_many()[-1]
    watched = [Watched(states_of(match_of_many())[-number:]) for number in (FEW, MANY)]
    for seen in watched:
        position = with_states(last, seen)
        for point in points_of(position.legal())[:5]:
            position.play(point)
        position.play(PASS)
    assert watched[0].asked == watched[1].asked <= 361
    assert watched[0].added == watched[1].added == 6


@pytest.mark.parametrize("number", [FEW, MANY])
def test_a_look_compares_a_state_with_hardly_any_other(number):
    seen = HashTrieSet([Counting(state) for state in states_of(match_of_many())[:number]])
    new = [Counting((black, white, 3 - colour)) for black, white, colour in states_of(match_of_many())[:number]]
    Counting.compared = 0
    assert not any(state in seen for state in new)
    assert Counting.compared <= number // 10


def test_one_answer_is_enough_for_all_who_ask():
    seen = Watched(states_of(match_of_many()))
    position = with_states(match_of_many()[-1], seen)
    legal, asked = position.legal(), seen.asked
    assert position.legal() == legal and seen.asked == asked > 0


def test_before_the_first_capture_nothing_is_looked_up():
    early = next(position for position in match_of_many()[::-1] if not any(position.prisoners))
    seen = Watched(states_of(match_of_many()))
    assert with_states(early, seen).legal() and seen.asked == 0


def test_earlier_positions_keep_the_history_that_they_had():
    early, sizes = match_of_many()[FEW], [len(position.seen) for position in match_of_many()[:60]]
    early.play(PASS).play(PASS)
    assert [len(position.seen) for position in match_of_many()[:60]] == sizes == list(range(1, 61))
