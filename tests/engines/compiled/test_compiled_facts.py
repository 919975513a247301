"""Tests of compiled facts, ladders, life and losses, each compared separately with rules/."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

from boards import drawn, state_of
from hypothesis import given, settings
from hypothesis import strategies as st
from random_boards import boards

from littlego.engines.compiled import life, safety
from littlego.engines.compiled.board import GRID, State, jit
from littlego.engines.compiled.facts import fact
from littlego.engines.large.vocabulary import small_facts
from littlego.rules import life as rules_life
from littlego.rules.geometry import points_of
from littlego.rules.position import PASS, chains, legal_moves
from littlego.rules.positionkey import PASS_POINT
from littlego.rules.safety import Check, outcome


@st.composite
def states(draw) -> State:
    """Draw a state in the form that facts read. Any empty point may be the ko."""
    _, own, theirs = draw(boards(5, 5))
    seed = random.Random(own ^ theirs)
    empty = [0, 0, *(1 << point for point in points_of(GRID[1] & ~(own | theirs)))]
    left = seed.randint(1, 24)
    colour, bonus2 = (2, 5) if left % 2 else (1, -5)
    return State(own, theirs, seed.choice(empty), left, 25 - left, colour, bonus2, int(seed.random() < 0.3), GRID)


@settings(deadline=None)  # the first example may compile the facts
@given(states())
def test_every_fact_of_every_chain_and_point(state):
    own, theirs = state.own, state.theirs
    points = [0, *(1 << point for point in range(25)), 1 << 3 | 1 << 17]
    masks = [0, *chains(own, GRID), *chains(theirs, GRID), own, theirs]
    seed = random.Random(own)
    moves = [0, seed.choice(points_of(GRID[1]))]
    for number, (name, one) in enumerate(small_facts().items()):
        for first in {"chain": masks, "point": points}[one.kinds[0]] if one.kinds else [0]:
            second = seed.choice(masks)
            move = seed.choice(moves) and 1 << seed.randrange(25)
            expected = one.function(state, move, *(first, second)[: len(one.kinds)])
            assert fact(number, state, move, first, second) == expected, (name, state, move, first, second)


def test_threads_may_ask_what_falls_after_a_pass_at_the_same_time():
    """All threads share the kept answers; each thread alternates between two boards and both sides."""
    numbers = [list(small_facts()).index(name) for name in ("takes_in_3", "guards_in_3")]
    boards_ = (
        "O X . O X\n. . . . .\n. O X . .\n. . . . .\nX O . . .",
        ". . . . .\n. X O . .\n. O X . .\n. . . . .\n. . . O X",
    )
    found = [state_of(drawn(board)) for board in boards_]
    asked = [(State(*(getattr(one, name) for name in State._fields)), number) for one in found for number in numbers]
    point = 1 << 7

    def answers(_=None):
        return [fact(number, state, 0, point, 0) for _ in range(500) for state, number in asked]

    functions = [list(small_facts().values())[number].function for number in numbers]
    expected = [function(state, 0, point) for state in found for function in functions] * 500
    with ThreadPoolExecutor(4) as threads:
        assert all(one == expected for one in threads.map(answers, range(4)))
    assert any(expected)


@jit
def searched(prey, own, theirs, room):
    return life._search_again(prey, own, theirs, 0, rules_life.ANY_NUMBER, room)


@settings(deadline=None)  # the first example may compile the facts
@given(boards(5, 5))
def test_ladders_in_little_room(board):
    """A ladder reader without enough memory reports this instead of a wrong answer."""
    _, own, theirs = board
    for prey in chains(theirs, GRID):
        answers = [searched(prey, own, theirs, room) for room in (1, 2, 5, 64)]
        expected = rules_life.catches(prey, own, theirs, 0, GRID)
        assert life.catches(prey, own, theirs, 0, GRID) == expected
        assert {answer for answer in answers if answer != life._FULL} <= {int(expected)}


def test_a_ladder_that_needs_more_room():
    board = drawn(
        """
        . . O . .
        . . . X o
        . . . . .
        . . . . .
        . . . . .
        """
    )
    prey = board.marks["o"]
    assert searched(prey, board.own, board.theirs, 58) == life._FULL
    assert searched(prey, board.own, board.theirs, 59) == rules_life.catches(prey, board.own, board.theirs, 0, GRID)


@settings(deadline=None)  # the first example may compile the facts
@given(states())
def test_losses_and_last_moves(state):
    own, theirs, ko = state.own, state.theirs, state.ko
    check = Check(state)
    found = safety.checked(state)
    assert found == (check.lost, check.own_alive)
    for move in [*points_of(legal_moves(own, theirs, ko, GRID)), PASS]:
        packed = PASS_POINT if move == PASS else move
        assert safety.loss_of(state, found, packed) == check.vet(move).loss
        late = state._replace(left=1 + state.left % 2)
        assert safety.outcome(late, packed) == outcome(late, move)[0]
