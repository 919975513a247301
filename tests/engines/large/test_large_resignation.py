"""Tests of resignations: the player resigns only a match, late in the game and far behind."""

from __future__ import annotations

import pytest
from boards import drawn
from random_matches import random_match

from littlego.engines.large.deadline import Deadline
from littlego.engines.large.resignation import outlook, why_resign
from littlego.engines.large.search import decide_large
from littlego.engines.large.state import make_state
from littlego.games.clock import Times
from littlego.games.little_go import little_go_of
from littlego.games.match import match_rules
from littlego.match.protocol import Turn
from littlego.players.ours import OursPlayer
from littlego.rules.position import BLACK, RESIGN, WHITE, from_boards

# Black lives along the bottom; White has all the rest and lives unconditionally.
LOST = """
    . O . O . O . O .
    O O O O O O O O O
    . O . O . O . O .
    O O O O O O O O O
    O O O O O O O O O
    O O O O O O O O O
    X X X X X X X X X
    X X X X X X X X X
    . X . X X X . X .
"""
EMPTY_HALF = """
    . . . . . . . . .
    . O O O O . . . .
    . . . . . . . . .
    O O O . . . . . .
    . . . . . . . . .
    . . . . O O . . .
    O O O O . . . . .
    X X X X X X X . .
    . X . X X . X X .
"""


def position_of(text, colour=BLACK, komi2=13, prisoners=(0, 0)):
    board = drawn(text)
    return match_rules(board.size, komi2).start((board.own, board.theirs), colour, prisoners)


def decision_at(position, **options):
    player = OursPlayer()
    return decide_large(position, player.book_for(position.ruleset), **options)


def test_a_lost_match_is_given_up_in_words():
    position = position_of(LOST)
    reason = why_resign(decision_at(position))
    assert reason.startswith("resigns: behind by 33.5 points") and "\n" not in reason
    reply = OursPlayer().choose(Turn(position, (0, 0)))
    assert (reply.move, reply.reason) == (RESIGN, reason)


def test_a_player_that_may_not_resign_plays_on():
    player = OursPlayer()
    player.may_resign = False
    assert player.choose(Turn(position_of(LOST), (0, 0))).move != RESIGN


def test_who_is_ahead_or_not_far_behind_plays_on():
    assert why_resign(decision_at(position_of(LOST, WHITE))) == ""
    assert why_resign(decision_at(position_of(LOST, komi2=-40))) == ""  # behind by seven points
    assert why_resign(decision_at(position_of(LOST, prisoners=(25, 0)))) == ""


def test_a_match_that_is_open_is_played_on():
    position = position_of(EMPTY_HALF)
    assert outlook(make_state(position)).lead2 < -40
    assert why_resign(decision_at(position)) == ""


def test_while_a_big_group_of_theirs_is_in_danger_there_is_hope():
    """White's stones have one liberty left and may be captured."""
    position = position_of(
        LOST.replace("    . O . O . O . O .\n", "    O O O O O O O O O\n", 1).replace(
            ". O . O . O . O .", "O O O O O . O O O"
        )
    )
    state = make_state(position)
    assert outlook(state).gain2 > outlook(make_state(position_of(LOST))).gain2
    assert why_resign(decision_at(position)) == ""


def test_a_decision_that_was_cut_gives_nothing_up():
    decision = decision_at(position_of(LOST), deadline=Deadline(0.0))
    assert decision.cut and why_resign(decision) == ""


def test_the_course_s_game_is_never_given_up():
    for size in (5, 9):
        lost = from_boards(little_go_of(size), None, (1, (1 << size * size) - 4), BLACK, 9)
        assert OursPlayer().choose(Turn(lost, (0, 0))).move != RESIGN


@pytest.mark.parametrize("size", [7, 13])
def test_the_outlook_of_one_side_is_that_of_the_other_turned_round(size):
    for position in random_match(size, size, plies=size * size)[size::17]:
        other = position.ruleset.start((position.black, position.white), 3 - position.colour, position.prisoners)
        mine, theirs = outlook(make_state(position)), outlook(make_state(other))
        assert abs(mine.lead2 + theirs.lead2) <= 2 * size * size / 4  # the mover may decide which stones are dead


def test_it_costs_the_clock_nothing_to_play_a_match_that_stands_well():
    reply = OursPlayer().choose(Turn(position_of(LOST, WHITE), (0, 0), Times(900.0, 900.0)))
    assert reply.move != RESIGN


# White is ahead by the current board, but the top between the two white groups is still undecided.
OPEN_TOP = """
    . . . . . . . . .
    . O O X . X O O O
    O . O X X . X X O
    O O . O O X . X X
    O O O . O X . . .
    O X X O O X . . .
    X . X X X . X X .
    . . . . . X O O O
    . . . . . . . . .
"""


def test_ahead_it_does_not_pass_where_a_move_still_wins_points():
    """A pass in a similar position once lost a game without pass stones."""
    board = drawn(OPEN_TOP)
    position = match_rules(board.size, pass_stones=False).start((board.own, board.theirs), BLACK, (2, 4))
    position = position.play(6 * 9 + 5)
    assert make_state(position).score2 > 0 and decision_at(position).move in {3, 4, 5}
