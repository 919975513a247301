"""Tests that large-board decisions are legal, explained, complete on request, and scored as in rules/."""

from __future__ import annotations

import pytest
from boards import drawn
from knowledge_files import book
from random_matches import random_match

from littlego.engines.draw.decisions import reason_line
from littlego.engines.large.book import LargeBook, large_book
from littlego.engines.large.search import decide_large
from littlego.engines.large.state import make_state
from littlego.engines.reasons.contrast import contrast, roles_of
from littlego.games.boards import move_text
from littlego.games.game import opening
from littlego.games.little_go import little_go_of
from littlego.games.match import match_rules
from littlego.rules.engine import decide
from littlego.rules.geometry import points_of
from littlego.rules.matching import parse_shape
from littlego.rules.position import BLACK, PASS, WHITE
from littlego.rules.safety import LOST_GAME


def is_legal(position, move):
    return move == PASS or position.legal() >> move & 1


def positions(size, number, plies=None):
    for seed in range(number):
        yield random_match(seed, size, plies=size * size * (seed + 1) // (number + 1) if plies is None else plies)[-1]


@pytest.mark.parametrize("size", [5, 6, 9, 13, 19])
def test_a_legal_move_comes_of_every_position_with_its_reason(size):
    for position in positions(size, 3):
        decision = decide_large(position, book())
        assert is_legal(position, decision.move) and decision.candidates[0] is decision.chosen
        assert not decision.complete and decision.cut == ""
        assert reason_line(decision).startswith(move_text(decision.move, size))
        assert decide_large(position, book()).move == decision.move


@pytest.mark.parametrize("size", [5, 7, 9])
def test_candidates_score_as_the_engine_of_rules_scores_them(size):
    """Firings, priorities and points are equal; only the large-board safety check has a smaller scope."""
    for position in positions(size, 3):
        mine = {one.move: one for one in decide_large(position, book()).candidates}
        theirs = {one.move: one for one in decide(position, book().for_size(size)).candidates}
        assert mine.keys() == theirs.keys()
        for move, one in mine.items():
            other = theirs[move]
            assert (one.priority, one.points, one.specificity, one.barred) == (
                other.priority,
                other.points,
                other.specificity,
                other.barred,
            )
            fired = [(firing.pattern.id, firing.points) for firing in one.firings]
            assert fired == [(firing.pattern.id, firing.points) for firing in other.firings]


def test_a_complete_decision_vets_all_and_says_where_patterns_lie():
    (position,) = positions(9, 1, 30)
    decision = decide_large(position, book(), complete=True)
    assert decision.complete and {one.move for one in decision.candidates} == {*points_of(position.legal()), PASS}
    assert all(one.verdict is not None for one in decision.candidates)
    for one in decision.candidates:
        for firing in one.firings:
            shape = parse_shape(firing.pattern.rows)
            if not shape.cells:
                continue
            turned = firing.symmetry & 4
            height, width = (shape.width, shape.height) if turned else (shape.height, shape.width)
            row, column = divmod(firing.place, 9)
            assert 0 <= row <= 9 - height and 0 <= column <= 9 - width


def test_an_incomplete_decision_and_a_complete_one_have_the_same_reason():
    for position in positions(9, 4):
        quick, whole = decide_large(position, book()), decide_large(position, book(), complete=True)
        assert quick.move == whole.move and reason_line(quick) == reason_line(whole)
        assert contrast(quick).by == contrast(whole).by
        assert roles_of(quick) == {name: roles_of(whole)[name] for name in roles_of(quick)}


def test_the_last_moves_of_the_course_s_game_are_exact():
    rules = little_go_of(8)
    position = opening(rules)
    for number in range(rules.length - 2):
        position = position.play(points_of(position.legal())[number % 3])
    assert position.left == 2
    decision = decide_large(position, book())
    plain = decide(position, book().for_size(8))
    assert decision.chosen.result2 == plain.chosen.result2 is not None


def test_before_any_pattern_it_takes_what_it_can():
    board = drawn(
        """
        . . . . . . .
        . . X X X . .
        . X O O O . .
        . . X X X . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """
    )
    position = match_rules(7).start((board.own, board.theirs), BLACK)
    decision = decide_large(position, LargeBook("match", 7, []))
    assert divmod(decision.move, 7) == (2, 5) and not decision.chosen.firings
    assert "no pattern fires for" in reason_line(decision)


FULL = """
    . X . X X
    X X X X .
    X X X X X
    O O O O O
    . O . O .
"""


def test_where_only_own_eyes_are_left_it_passes_rather_than_fill_them():
    """The player is far behind, so the pass has the worst verdict, but filling an eye ranks even lower."""
    board = drawn(FULL)
    position = match_rules(5, -80).start((board.own, board.theirs), WHITE)
    assert position.margin2() > 0
    decision = decide_large(position, LargeBook("match", 5, []), complete=True)
    assert {one.veto for one in decision.candidates[1:]} == {"fills an own eye"}
    assert decision.move == PASS and decision.chosen.verdict.loss == LOST_GAME


@pytest.mark.parametrize("rules", [match_rules(9), match_rules(9, pass_stones=False), match_rules(9, -20)])
def test_set_up_boards_handicaps_and_nonsense_are_positions_as_others(rules):
    corners = sum(1 << 9 * row + column for row in (2, 6) for column in (2, 6))
    start = rules.start((corners, 0), WHITE, (3, 5))
    for position in (start, start.play(0), start.play(0).play(1).play(PASS)):
        decision = decide_large(position, book())
        assert is_legal(position, decision.move) and reason_line(decision)


def test_a_state_says_what_the_match_adds():
    rules = match_rules(9)
    position = rules.start((1 << 40, 1 << 41), BLACK, (2, 5)).play(0)
    state = make_state(position)
    assert (state.own, state.theirs) == (1 << 41, 1 << 40 | 1) and state.colour == WHITE
    assert (state.last, state.prisoners, state.pass_cost, state.by_area) == (1, (5, 2), 1, True)
    assert state.score2 == -position.margin2() and state.bonus2 == 13
    assert make_state(position.play(PASS)).last == 0 and make_state(rules.opening()).last == 0
    assert state.table.free[1] == 1 << 1 | 1 << 9


def test_the_opponent_s_last_move_is_kept():
    position = match_rules(9).opening()
    assert position.last is None and position.play(7).last == 7 and position.play(7).play(PASS).last == PASS


def test_a_book_is_laid_out_for_a_board_once():
    placed = large_book(book())
    assert placed.for_size(13) is placed.for_size(13) and large_book(placed) is placed
