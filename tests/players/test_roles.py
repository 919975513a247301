"""Tests that the roles follow the handout, and choose the same moves in process and over files."""

import random
import zlib
from itertools import product

import pytest
from brute_force import playout
from hypothesis import given, settings
from hypothesis import strategies as st

from littlego.games.boards import move_text, parse_board
from littlego.match.host import role_player
from littlego.match.referee import Game
from littlego.match.series import random_opening
from littlego.players.roles import alphabeta
from littlego.players.roles.simple import aggressive_value, captures
from littlego.players.roles.table import ROLES, RolePlayer, choose, corpus_roles
from littlego.rules.geometry import count, points_of
from littlego.rules.position import BLACK, WHITE, captured_by, from_boards, opening
from littlego.rules.ruleset import LITTLE_GO


def position(drawn, colour=BLACK):
    _, black, white = parse_board(drawn)
    return from_boards(LITTLE_GO, (0, 0), (black, white), colour, 10)


def chosen(role, where, tries=60):
    """Return, as `row,column`, all moves that a role chooses with `tries` different seeds."""
    moves = {ROLES[role].choose(where, random.Random(number)) for number in range(tries)}
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
    assert chosen("random", where, 400) == legal


@pytest.mark.parametrize("role", ["random", "greedy", "aggressive", "alphabeta"])
def test_a_role_passes_only_where_nothing_is_legal(role):
    assert chosen(role, position(ONLY_SUICIDE, WHITE), 5) == {"PASS"}
    assert "PASS" not in chosen(role, position(FULL), 20)


def test_what_is_captured_is_what_the_rules_take_off():
    captured = 0
    for where in (met for seed in range(20) for met in playout(seed)):
        found = captures(where)
        for point in points_of(where.legal()):
            stones = captured_by(1 << point, where.own, where.theirs, where.grid)
            assert found.get(point, 0) == count(stones)
            captured += count(stones)
    assert captured > 100


def test_greedy_takes_the_most_stones():
    assert captures(position(TWO_CAPTURES))[4] == 2
    assert chosen("greedy", position(TWO_CAPTURES)) == {"0,4"}


def test_greedy_takes_any_point_where_nothing_can_be_captured():
    assert len(chosen("greedy", opening(LITTLE_GO), 400)) == 25


def test_greedy_breaks_ties_at_random():
    drawn = """
        O X . X O
        . . . . .
        . . . . .
        . . . . .
        . . . . .
    """
    assert chosen("greedy", position(drawn)) == {"1,0", "1,4"}


def test_aggressive_takes_what_it_can_now():
    assert chosen("aggressive", position(TWO_CAPTURES)) == {"0,4"}


def test_aggressive_looks_one_own_move_further():
    drawn = """
        O O . . .
        X . . . .
        . . . . .
        . . . . .
        . . . . .
    """
    assert aggressive_value(position(drawn), 2)[:2] == aggressive_value(position(drawn), 6)[:2] == (0, 2)
    assert chosen("aggressive", position(drawn)) == {"1,1"}  # off the edge


def test_aggressive_seeks_contact_off_the_edge_and_draws_lots():
    drawn = """
        . . . . .
        . . . . .
        . . O . .
        . . . . .
        . . . . .
    """
    assert chosen("aggressive", position(drawn)) == {"1,2", "2,1", "2,3", "3,2"}
    assert chosen("aggressive", opening(LITTLE_GO), 5) == {"2,2"}


def test_alphabeta_begins_as_the_real_one_does():
    start = opening(LITTLE_GO)
    assert chosen("alphabeta", start) == {"2,2"}
    assert chosen("alphabeta", start.play(12)) == {"3,3"}


def test_alphabeta_leaves_nothing_to_chance():
    assert all(len(chosen("alphabeta", where, 5)) == 1 for where in somewhere(8))


def test_alphabeta_likes_stones_and_dislikes_chains_and_edges():
    grid = opening(LITTLE_GO).grid

    def worth(drawn):
        _, black, white = parse_board(drawn)
        return alphabeta.evaluate(black, white, grid)

    rest = "\n. . . . .\n. . . . ."
    together, apart = ". . . . .\n. X X . .\n. . . . O", ". . . . .\n. X . X .\n. . . . O"
    edge = ". X . . .\n. X . . .\n. . . . O"
    assert worth(together + rest) == 2 - 1 - 1
    assert worth(apart + rest) == 2 - 1 - 2
    assert worth(edge + rest) == 2 - 1 - 1 - 3


def test_alphabeta_tries_at_most_ten_moves_the_best_first():
    tried = alphabeta.branches(position(TWO_CAPTURES))
    assert len(tried) == 10
    values = []
    for move in tried:
        after = position(TWO_CAPTURES).play(move)
        values.append(alphabeta.evaluate(after.theirs, after.own, after.grid))
    assert values == sorted(values, reverse=True)


def somewhere(number):
    """Yield positions with increasing numbers of moves."""
    for seed in range(number):
        where = opening(LITTLE_GO)
        for move in random_opening(LITTLE_GO, 2 * seed, seed):
            where = where.play(move)
        yield where


def plain_minimax(where):
    """Return alpha-beta's move without pruning: the last of the best moves."""
    best = None
    for move in alphabeta.branches(where):
        after = where.play(move)
        replies = [after.play(reply) for reply in alphabeta.branches(after)]
        value = min(alphabeta.evaluate(end.own, end.theirs, end.grid) for end in replies)
        best = max(best or (value, move), (value, move))
    return best[1]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 16))
def test_pruning_changes_no_choice(seed, plies):
    where = opening(LITTLE_GO)
    for move in random_opening(LITTLE_GO, plies, seed):
        where = where.play(move)
    assert alphabeta.choices(where) == [plain_minimax(where) if plies else 12]


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


@pytest.mark.parametrize(("role", "seed"), [(role.name, role.seed) for role in corpus_roles()])
def test_a_game_is_the_same_in_process_and_over_files(role, seed):
    other = corpus_roles()[(seed + 1) % 4].name
    given_moves = random_opening(LITTLE_GO, 12, seed)  # each move of a role starts a process
    inside = Game((RolePlayer(role, seed), RolePlayer(other, seed)), LITTLE_GO, given_moves).play()
    files = role_player(role, seed), role_player(other, seed)
    outside = Game(files, LITTLE_GO, given_moves).play()
    for player in files:
        player.close()
    assert outside.fault == 0 and outside.key == inside.key


def test_no_role_ever_breaks_a_rule():
    for (black, white), seed in product(product([role.name for role in corpus_roles()], repeat=2), range(3)):
        assert Game((RolePlayer(black, seed), RolePlayer(white, seed)), LITTLE_GO).play().fault == 0


def test_a_roles_seed_depends_on_its_name_alone():
    assert [(role.name, role.seed) for role in corpus_roles()] == [
        ("random", 0),
        ("greedy", 1),
        ("aggressive", 2),
        ("alphabeta", 3),
    ]
    one, other = (ROLES["random"]._replace(name=name, corpus_seed=None).seed for name in ("cautious", "bold"))
    assert one != other and min(one, other) > 1000 and one == zlib.crc32(b"cautious")


def test_every_role_says_what_it_is_under_its_own_name():
    assert all(role.name == name and role.about for name, role in ROLES.items())
