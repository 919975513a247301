"""Tests of the large-board safety check: its scope, its limits, and its agreement with rules.safety."""

from __future__ import annotations

import pytest
from boards import drawn
from random_matches import random_match

from littlego.engines.large.safety import LargeCheck
from littlego.engines.large.state import make_state
from littlego.games.game import opening
from littlego.games.little_go import little_go_of
from littlego.games.match import match_rules
from littlego.rules.facts import State
from littlego.rules.geometry import points_of
from littlego.rules.position import BLACK, PASS, WHITE, is_legal, played
from littlego.rules.safety import LOST_GAME, Check

FAR_AHEAD = 1 << 20  # a lead too large for any reply that makes life


def match_position(text, colour=BLACK, prisoners=(0, 0), **rules):
    board = drawn(text)
    stones = (board.own, board.theirs) if colour == BLACK else (board.theirs, board.own)
    return board, match_rules(board.size, **rules).start(stones, colour, prisoners)


def verdict_at(text, mark="*", **situation):
    """Return the verdict on a marked move, with Black (X) to move."""
    board, position = match_position(text, **situation)
    return LargeCheck(make_state(position)).vet(board.marks[mark].bit_length() - 1)


def both_checks(position):
    """Return the large-board check without area scoring, and rules.safety's check of a mover far ahead."""
    state = make_state(position)
    state.by_area = False
    told = state.own, state.theirs, state.ko, state.left, state.number, state.colour, FAR_AHEAD, 0, state.grid
    return LargeCheck(state), Check(State(*told))


def tactical_positions(number):
    for seed in range(number):
        yield random_match(seed, 9, plies=20 + seed % 50, passing=0.02)[-1]


def compare(positions):
    """Return (number of vetoes by both checks, number of vetoes only by rules.safety) for all legal moves."""
    both = missed = 0
    for position in positions:
        large, slow = both_checks(position)
        assert large.lost == slow.lost
        for move in points_of(position.legal()):
            mine, theirs = large.vet(move), slow.vet(move)
            if mine.loss > 0:
                assert theirs.loss > 0, f"rules.safety does not report: {mine.reason}"
                own, rest, _, ko = played(1 << move, position.own, position.theirs, position.grid)
                assert mine.reason and is_legal(1 << mine.reply, rest, own, ko, position.grid)  # superko aside
            both += mine.loss > 0 and theirs.loss > 0
            missed += theirs.loss > 0 >= mine.loss
    return both, missed


def test_captures_and_ladders_are_those_of_rules_safety():
    """The large-board check does not consider replies that put two distant chains in atari."""
    both, missed = compare(tactical_positions(12))
    assert both > 100 and missed <= both / 25


@pytest.mark.slow
def test_captures_and_ladders_are_those_of_rules_safety_in_200_positions():
    both, missed = compare(tactical_positions(200))
    print(f"\nvetoed by both {both}, by rules.safety alone {missed}")
    assert both > 2000 and missed <= both / 25


SELF_ATARI = """
    . O . . . . .
    * . O . . . .
    O O . . . . .
    . . . . . . .
    . . . . . . .
    . . . . X X .
    . . . . . . .
"""


def test_a_stone_that_cannot_get_out_is_vetoed_in_words():
    verdict = verdict_at(SELF_ATARI)
    assert verdict.loss == 1 and verdict.reason == "puts 1 stone beyond rescue"


ATARI_ELSEWHERE = """
    . . . . . . . . .
    . . . . . . . a .
    . . . . . . . . .
    . . . . . . . . .
    X . . . . . . . .
    O O X . . . . . .
    X X O . . . . . .
    X X O . . . . . .
    . O . . . . . . .
"""


def test_stones_in_danger_elsewhere_are_weighed_by_patterns_up_to_a_point():
    """On 9x9, four stones in atari veto a move elsewhere; two stones in atari do not."""
    board, position = match_position(ATARI_ELSEWHERE)
    verdict = LargeCheck(make_state(position)).vet(board.marks["a"].bit_length() - 1)
    assert verdict.reason == "captures 4 stones" and verdict.loss == 2
    two = ATARI_ELSEWHERE.replace("X X O . . . . . .\n    . O", ". O O . . . . . .\n    . O")
    assert verdict_at(two, "a").loss <= 0


def test_a_move_that_saves_them_is_not_vetoed():
    board, position = match_position(ATARI_ELSEWHERE)
    check = LargeCheck(make_state(position))
    (danger,) = [one for one in check.dangers if one.in_atari]
    assert all(check.vet(point).loss <= 0 for point in points_of(danger.saving))


DEAD_INSIDE = """
    O X X . O . . . .
    O X X . O . . . .
    O O O O O O O O O
    . . . . . . . . .
    . . . X . . . a .
    . . . . . . . . .
    . . X . . . X . .
    . . . . . . . . .
    . . . . . . . . .
"""


def test_stones_that_are_dead_in_their_area_veto_no_move_elsewhere():
    """The stones are already lost: they cannot make an eye, and the opponent can fill both liberties."""
    assert verdict_at(DEAD_INSIDE, "a").loss <= 0
    escaping = DEAD_INSIDE.replace("O O O O O O O O O", "O . . . O O O O O")
    assert verdict_at(escaping, "a").loss == 0  # the stones have room below, so no reply captures them
    alone = DEAD_INSIDE.replace("O O O O O O O O O", "O O O O O X . . .")
    assert verdict_at(alone, "a").loss <= 0  # the wall has one eye, so it is no safe area; but no move saves the stones


IN_A_FIGHT = """
    . . . . X a X O .
    . O X X . X O X .
    . . O O X X O . .
    . . . . O O O O .
    . . O O . . . . .
    . . O X . . . . .
    . . X X X X O . .
    . . . X . X O b .
    . . . . O X . . .
"""


def test_stones_that_a_fight_captures_are_in_danger():
    """No ladder catches the middle stones, but O's move at the waist does; X's move there saves them."""
    assert verdict_at(IN_A_FIGHT, "a").loss <= 0
    verdict = verdict_at(IN_A_FIGHT, "b")
    assert verdict.loss > 0
    assert 1 << verdict.reply == drawn(IN_A_FIGHT).marks["a"]


LOST_IN_A_FIGHT = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . X . .
    . . X . O . . . .
    . . . O X a O . .
    . . . O . . O . b
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
"""


def test_stone_that_joins_what_a_fight_captures_is_lost_with_it():
    verdict = verdict_at(LOST_IN_A_FIGHT, "a")
    assert (verdict.loss, verdict.reason) == (1, "puts 1 stone beyond rescue")  # the other stone was already lost
    assert verdict_at(LOST_IN_A_FIGHT, "b").loss <= 0


TWO_EYES = """
    a X . X O . .
    X X X X O . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
"""


def test_an_own_eye_that_is_needed_is_not_filled():
    verdict = verdict_at(TWO_EYES, "a")
    assert verdict.loss == 6 and verdict.reason == "ends the life of 6 stones"


DEAD_IN_AN_EYE = """
    X X X X X X X X X
    O X X X X X X X X
    O O X X X X X X X
    O O O X O X X X X
    . O O O O O X X X
    O O . O O X X X .
    X O O X X X X X X
    X X X O O X X X .
    X b X a O X X X X
"""


def test_what_is_dead_in_an_eye_can_be_taken_though_more_room_is_no_eye_by_benson():
    """X's six stones on the left have an eye at b, and X at a still captures the three O stones."""
    assert verdict_at(DEAD_IN_AN_EYE, "a").loss == -3
    assert verdict_at(DEAD_IN_AN_EYE, "b").loss > 0


WON = """
    . X . X O .
    X X X X O O
    X X X X X X
    X X X X X X
    X X X X X X
    . X X . X .
"""


@pytest.mark.parametrize(("passed", "prisoners", "loss"), [(True, (0, 0), 0), (True, (0, 60), LOST_GAME)])
def test_a_pass_needs_a_match_that_is_won_by_its_own_count(passed, prisoners, loss):
    board, position = match_position(WON, WHITE if passed else BLACK, prisoners)
    last = position.ruleset.start((board.own, board.theirs), WHITE, prisoners).play(PASS)
    assert last.colour == BLACK and last.passed is passed
    verdict = LargeCheck(make_state(last)).vet(PASS)
    assert verdict.loss == loss and (verdict.reason == "ends the game without a win") == (loss > 0)


def test_a_stone_that_the_last_pass_hands_over_may_lose_the_match():
    """Black leads by half a point, and the pass that ends the game costs one point."""
    board, _ = match_position(WON)
    for pass_stones, loss in ((True, LOST_GAME), (False, 0)):
        rules = match_rules(6, pass_stones=pass_stones)
        start = rules.start((board.own, board.theirs), WHITE, (0, 0))
        lead = start.play(PASS).margin2()
        even = match_rules(6, lead + 13 - 1, pass_stones)
        position = even.start((board.own, board.theirs), WHITE, (0, 0)).play(PASS)
        assert position.margin2() == 1
        assert LargeCheck(make_state(position)).vet(PASS).loss == loss


def test_the_course_s_game_counts_stones_alone():
    position = opening(little_go_of(9)).play(0)
    assert make_state(position).score2 > 0 and not make_state(position).by_area
    assert LargeCheck(make_state(position)).vet(PASS).loss <= 0


def test_every_legal_move_of_games_gets_a_verdict():
    for size in (5, 13):
        for position in random_match(size, size, plies=size * size, passing=0.05)[:: size * 2]:
            check = LargeCheck(make_state(position))
            for move in [*points_of(position.legal()), PASS]:
                verdict = check.vet(move)
                assert verdict.loss <= 0 or verdict.reason
