"""Tests of facts on random boards: slow definitions, all eight symmetries, and swapped colours."""

from __future__ import annotations

import random

import pytest
import slow_go
from boards import FACT
from hypothesis import given, settings
from hypothesis import strategies as st
from random_boards import SEEDS, boards

from littlego.rules.facts import FACTS, State, mirrors
from littlego.rules.geometry import count, image_of, points_of, symmetry_tables
from littlego.rules.life import alive_stones
from littlego.rules.position import captured_by, chains, legal_moves

LIMITS = settings(max_examples=60, deadline=None)
pytestmark = pytest.mark.untraced  # slow when traced; the tests of single facts are traced


def state(board, ko=0):
    """Return a random board's state as facts read it."""
    grid, own, theirs = board
    return State(own, theirs, ko, 10, 15, 1, -grid[0], False, grid)


@given(boards(2, 6))
@LIMITS
def test_chain_facts_agree_with_slow_ones(board):
    grid, own, theirs = board
    slow = slow_go.board_of(grid[0], own, theirs)
    for chain in chains(own, grid) + chains(theirs, grid):
        first = slow_go.points(chain, grid[0])[0]
        free = slow_go.free(slow, first)
        assert FACT["size"][0](state(board), 0, chain) == len(slow_go.patch(slow, first))
        assert FACT["liberties"][0](state(board), 0, chain) == len(free)
        assert FACT["in_atari"][0](state(board), 0, chain) == (len(free) == 1)
        for other in chains(own, grid) + chains(theirs, grid):
            common = free & slow_go.free(slow, slow_go.points(other, grid[0])[0])
            assert FACT["shared_liberties"][0](state(board), 0, chain, other) == len(common)


@given(boards(2, 6))
@LIMITS
def test_move_facts_agree_with_slow_ones(board):
    grid, own, theirs = board
    size = grid[0]
    slow = slow_go.board_of(size, own, theirs)
    for number in range(size * size):
        point = divmod(number, size)
        for mine, prefix in (("X", ""), ("O", "their_")):
            after = slow_go.play(slow, point, mine)
            assert ask(board, prefix + "legal", number) == (after is not None)
            assert ask(board, prefix + "captures", number) == (len(after[1]) if after else 0)
            own_liberties = "their_liberties" if prefix else "own_liberties"
            assert ask(board, own_liberties, number) == (len(slow_go.free(after[0], point)) if after else 0)
        after = slow_go.play(slow, point, "X")
        assert ask(board, "joins", number) == different_chains(slow, point, "X")
        assert ask(board, "cuts", number) == different_chains(slow, point, "O")
        assert ask(board, "atari", number) == (stones_in_atari_beside(after[0], point) if after else 0)
        assert ask(board, "threatens", number) == (most_captured(after[0]) if after else 0)


def ask(board, fact, number):
    """Return a fact's value for one point."""
    return FACT[fact][0](state(board), 0, 1 << number)


def different_chains(slow, point, stone):
    near = [p for p in slow_go.beside(slow, point) if slow[p] == stone]
    return len({frozenset(slow_go.patch(slow, p)) for p in near})


def stones_in_atari_beside(slow, point):
    near = [p for p in slow_go.beside(slow, point) if slow[p] == "O" and len(slow_go.free(slow, p)) == 1]
    return len({stone for p in near for stone in slow_go.patch(slow, p)})


def most_captured(slow):
    results = [slow_go.play(slow, point, "X") for point in slow if slow[point] == "."]
    return max([len(result[1]) for result in results if result], default=0)


@given(boards(2, 6))
@LIMITS
def test_point_facts_agree_with_slow_ones(board):
    grid, own, theirs = board
    size = grid[0]
    slow = slow_go.board_of(size, own, theirs)
    for number in range(size * size):
        point = divmod(number, size)
        area = slow_go.patch(slow, point) if slow[point] == "." else set()
        walls = {slow[p] for p in slow_go.border(slow, area)}
        assert ask(board, "region", number) == len(area)
        assert ask(board, "enclosed", number) == (len(area) if walls == {"X"} else 0)
        assert ask(board, "their_enclosed", number) == (len(area) if walls == {"O"} else 0)
        near = [slow[p] for p in slow_go.beside(slow, point)]
        for fact, stone in (("own_near", "X"), ("their_near", "O"), ("empty_near", ".")):
            assert ask(board, fact, number) == near.count(stone)
        assert ask(board, "eye", number) == slow_eye(slow, point, "X")
        assert ask(board, "their_eye", number) == slow_eye(slow, point, "O")
        closed = slow[point] == "." and set(near) == {"X"}
        assert ask(board, "false_eye", number) == (closed and not slow_eye(slow, point, "X"))


def slow_eye(slow, point, stone):
    """Return whether a point is an eye by the fact's definition."""
    near = slow_go.beside(slow, point)
    if slow[point] != "." or any(slow[p] != stone for p in near):
        return False
    if set(near) <= slow_go.patch(slow, near[0]):
        return True
    row, column = point
    diagonals = [(row + down, column + right) for down in (-1, 1) for right in (-1, 1)]
    on_board = [p for p in diagonals if p in slow]
    lost = [p for p in on_board if slow[p] not in (".", stone)]
    return len(lost) <= (1 if len(on_board) == 4 else 0)


@given(boards(2, 4))
@settings(max_examples=250, deadline=None)
def test_alive_chains_cannot_be_captured_though_their_owner_always_passes(board):
    grid, own, theirs = board
    alive = alive_stones(own, theirs, grid)
    if alive:
        assert not alive & ~lasting(own, theirs, grid)


@given(boards(2, 3))
@settings(max_examples=250, deadline=None)
def test_chains_that_are_not_alive_can_be_captured_if_their_owner_always_passes(board):
    grid, own, theirs = board
    assert alive_stones(own, theirs, grid) == lasting(own, theirs, grid)


def lasting(own, theirs, grid):
    """Return the mover's stones that survive every sequence in which only the opponent moves."""
    left, seen, queue = own, {(own, theirs)}, [(own, theirs)]
    while queue:
        own, theirs = queue.pop()
        left &= own
        for point in points_of(legal_moves(theirs, own, 0, grid)):
            move = 1 << point
            after = own & ~captured_by(move, theirs, own, grid), theirs | move
            if after not in seen:
                seen.add(after)
                queue.append(after)
    return left


@given(boards(2, 5))
@LIMITS
def test_makes_life_is_what_alive_says_before_and_after(board):
    grid, own, theirs = board
    before = alive_stones(own, theirs, grid)
    for point in points_of(legal_moves(own, theirs, 0, grid)):
        move = 1 << point
        after = alive_stones(own | move, theirs & ~captured_by(move, own, theirs, grid), grid)
        assert ask(board, "makes_life", point) == count(after & ~before)


@st.composite
def questions(draw):
    """Draw the possible arguments of a fact: (board, ko, move, chain, other chain, point, symmetry)."""
    grid, own, theirs = board = draw(boards(2, 7))
    seed = random.Random(draw(SEEDS))
    all_chains = [*chains(own, grid), *chains(theirs, grid), 0]
    empty = points_of(grid[1] & ~(own | theirs))
    move = 1 << seed.choice(empty) if empty and seed.random() < 0.9 else 0
    ko = 1 << seed.choice(empty) if empty and seed.random() < 0.3 else 0
    point = 1 << seed.randrange(grid[0] ** 2)
    labelled = seed.choice(all_chains)
    if seed.random() < 0.4:  # a label may mark several chains of one colour
        labelled |= seed.choice([chain for chain in all_chains if bool(chain & own) == bool(labelled & own)])
    return board, ko, move, labelled, seed.choice(all_chains), point, draw(st.integers(0, 7))


def asked(fact, board, ko, move, chain, other, point):
    """Return a fact's value for these arguments."""
    function, kinds = FACT[fact]
    chosen = iter((chain, other))
    return function(state(board, ko), move, *(point if kind == "point" else next(chosen) for kind in kinds))


@pytest.mark.parametrize("fact", [name for name in FACT if name != "played_out"])  # its ties go to the first point
@given(question=questions())
@settings(max_examples=60, deadline=None)
def test_facts_turn_with_the_board(fact, question):
    board, ko, move, chain, other, point, symmetry = question
    grid, own, theirs = board
    table = symmetry_tables(grid[0])[symmetry]
    turned_board = (grid, image_of(own, table), image_of(theirs, table))
    turned = [image_of(mask, table) for mask in (ko, move, chain, other, point)]
    answer = asked(fact, board, ko, move, chain, other, point)
    assert isinstance(answer, int)
    smallest, largest = FACTS[fact].bounds(grid[0] * grid[0])
    assert smallest <= answer <= largest, f"{fact} answered {answer}: declare its answers, or fix it"
    assert asked(fact, turned_board, *turned) == answer


@given(questions())
@settings(max_examples=150, deadline=None)
def test_facts_change_colour_with_the_stones(question):
    board, _, move, chain, other, point, _ = question
    grid, own, theirs = board
    swapped = grid, theirs, own
    pairs = [(one, other) for one, other in mirrors().items() if one in FACT]
    for fact, mirror in [*pairs, ("doomed", "doomed")]:  # `doomed` is its own mirror fact if there is no ko
        answer = asked(fact, board, 0, move, chain, other, point)
        assert asked(mirror, swapped, 0, move, chain, other, point) == answer, fact
    assert asked("lead", board, 0, 0, 0, 0, 0) == -asked("lead", swapped, 0, 0, 0, 0, 0)
