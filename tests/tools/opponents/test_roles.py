"""The roles keep to the handout's sentences, and play the same in process and over the file protocol."""

import random
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.geometry import points_of
from rules.position import BLACK, WHITE, from_boards, opening
from rules.ruleset import LITTLE_GO
from tools.draw.boards import move_text, parse_board
from tools.match.host import role_player
from tools.match.openings import random_opening
from tools.match.referee import Game
from tools.opponents import aggressive, alphabeta, greedy, random_player
from tools.opponents.roles import ROLES, RolePlayer, choose


def position(drawn, colour=BLACK):
    _, black, white = parse_board(drawn)
    return from_boards(LITTLE_GO, (0, 0), (black, white), colour, 10)


def chosen(role, where, tries=60):
    """Return all moves that a role chooses with different random numbers, as `row,column`."""
    moves = {role.choose(where, random.Random(number)) for number in range(tries)}
    return {move_text(move, 5) for move in moves}


TWO_CAPTURES = """
. X O O .
. . X X .
. . . . .
. X . . .
X O X . .
"""

FULL = """
X X X . O
X X X O O
X X X O .
X X X O O
. X X O O
"""

ONLY_SUICIDE = """
. X . X .
X X X X X
. X . X .
X X X X X
. X . X .
"""


def test_random_reaches_every_legal_point():
    where = position(TWO_CAPTURES)
    legal = {move_text(point, 5) for point in points_of(where.legal())}
    assert chosen(random_player, where, 400) == legal


@pytest.mark.parametrize("role", [random_player, greedy, aggressive, alphabeta])
def test_a_role_passes_only_where_nothing_is_legal(role):
    assert chosen(role, position(ONLY_SUICIDE, WHITE), 5) == {"PASS"}
    assert "PASS" not in chosen(role, position(FULL), 20)


def test_greedy_takes_the_most_stones():
    assert greedy.captures(position(TWO_CAPTURES), 4) == 2
    assert chosen(greedy, position(TWO_CAPTURES)) == {"0,4"}


def test_greedy_takes_any_point_where_nothing_can_be_captured():
    assert len(chosen(greedy, opening(LITTLE_GO), 400)) == 25


def test_greedy_breaks_ties_at_random():
    drawn = """
        O X . X O
        . . . . .
        . . . . .
        . . . . .
        . . . . .
    """
    assert chosen(greedy, position(drawn)) == {"1,0", "1,4"}


def test_aggressive_takes_what_it_can_now():
    assert chosen(aggressive, position(TWO_CAPTURES)) == {"0,4"}


def test_aggressive_looks_one_own_move_further():
    drawn = """
        O O . . .
        X . . . .
        . . . . .
        . . . . .
        . . . . .
    """
    assert aggressive.value(position(drawn), 2) == (0, 2)
    assert chosen(aggressive, position(drawn)) == {"0,2", "1,1"}


def test_alphabeta_sees_the_reply():
    drawn = """
        . O X . .
        . . O . .
        . . . . .
        . . . . .
        . . . . .
    """
    saved, lost = (position(drawn).play(move) for move in (3, 24))

    def worth(after):
        return -max(alphabeta.search(after, 1, -float("inf"), float("inf"), random.Random(n)) for n in range(30))

    assert worth(saved) > worth(lost)


def test_alphabeta_tries_at_most_ten_moves_and_captures_first():
    tried = alphabeta.branches(position(TWO_CAPTURES), random.Random(1))
    assert len(tried) == 10 and tried[0] == 4


def plain_minimax(where, depth, rng):
    """Return what alpha-beta must find, without pruning and in the same order of random numbers."""
    if depth == 0:
        return alphabeta.evaluate(where)
    return max(-plain_minimax(where.play(move), depth - 1, rng) for move in alphabeta.branches(where, rng))


class InOrder:
    """Shuffles nothing, so that pruning cannot change the random numbers that later moves see."""

    def shuffle(self, items):
        pass


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 16))
def test_pruning_changes_no_value(seed, plies):
    where = opening(LITTLE_GO)
    for move in random_opening(LITTLE_GO, plies, seed):
        where = where.play(move)
    exact = alphabeta.search(where, 2, -float("inf"), float("inf"), InOrder())
    assert exact == plain_minimax(where, 2, InOrder())
    move = alphabeta.choose(where, InOrder())
    assert -plain_minimax(where.play(move), 1, InOrder()) == exact


def test_the_choice_depends_on_seed_and_position_alone():
    where = position(TWO_CAPTURES)
    assert choose("random", 1, where) == choose("random", 1, where)
    assert len({choose("random", seed, where) for seed in range(40)}) > 5
    swapped = from_boards(LITTLE_GO, (0, 0), (where.black, where.white), WHITE, 10)
    several = [(choose("random", seed, where), choose("random", seed, swapped)) for seed in range(40)]
    assert any(one != other for one, other in several)


def test_random_choices_are_the_same_on_every_machine():
    moves = [choose("random", seed, opening(LITTLE_GO)) for seed in range(8)]
    assert moves == [6, 13, 11, 16, 13, 2, 2, 24]


@pytest.mark.parametrize(("role", "seed"), [(role, seed) for seed, role in enumerate(ROLES)])
def test_a_game_is_the_same_in_process_and_over_files(role, seed):
    other = list(ROLES)[(seed + 1) % len(ROLES)]
    given_moves = random_opening(LITTLE_GO, 2, seed)
    inside = Game((RolePlayer(role, seed), RolePlayer(other, seed)), LITTLE_GO, given_moves).play()
    files = role_player(role, seed), role_player(other, seed)
    outside = Game(files, LITTLE_GO, given_moves).play()
    for player in files:
        player.close()
    assert outside.fault == 0 and outside.key == inside.key


def test_no_role_ever_breaks_a_rule():
    for (black, white), seed in product(product(ROLES, repeat=2), range(3)):
        assert Game((RolePlayer(black, seed), RolePlayer(white, seed)), LITTLE_GO).play().fault == 0
