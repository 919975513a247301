"""Tests that large-board decisions that a deadline cuts off are legal and report the cut-off."""

from __future__ import annotations

import time

import pytest
from fake_time import FakeTime
from knowledge_files import book
from random_matches import random_match

from littlego.engines.draw.decisions import reason_line, scores_line
from littlego.engines.large.deadline import Deadline, seconds_for
from littlego.engines.large.search import decide_large, prepare_large
from littlego.games.clock import Times
from littlego.games.match import match_rules
from littlego.match.protocol import Turn
from littlego.players.ours import OursPlayer
from littlego.players.timed import reason_in_time
from littlego.rules.position import PASS

AGES = 1e9  # seconds


def midgame(size=9, plies=40):
    return random_match(size, size, plies=plies)[-1]


def looks_of(position):
    """Return how often a decision with practically unlimited time reads the clock."""
    fake = FakeTime()
    decide_large(position, book(), deadline=Deadline(AGES, fake))
    return fake.looks


def cut_after(position, looks):
    """Return a decision that stops after this many clock reads, when three quarters of its time are used."""
    return decide_large(position, book(), deadline=Deadline((looks + 0.5) / 0.75, FakeTime(step=1)))


@pytest.mark.parametrize("size", [5, 9, 13])
def test_a_deadline_that_is_not_reached_changes_no_move(size):
    position = midgame(size)
    plain, hurried = decide_large(position, book()), decide_large(position, book(), deadline=Deadline(AGES))
    assert (hurried.move, hurried.cut) == (plain.move, "")
    assert reason_in_time(hurried) == reason_in_time(plain) == reason_line(plain)


def test_wherever_it_is_cut_a_legal_move_comes_of_it_and_it_says_so():
    position = midgame()
    whole, all_looks = decide_large(position, book()).move, looks_of(position)
    kinds = set()
    for looks in {*range(1, 30, 3), *range(30, all_looks - 2, max(1, all_looks // 40)), all_looks - 3}:
        decision = cut_after(position, looks)
        assert decision.move == PASS or position.legal() >> decision.move & 1
        assert decision.cut and "\n" not in decision.cut
        assert reason_in_time(decision) == f"{scores_line(decision)}; {decision.cut}"
        again = cut_after(position, looks)
        assert (again.move, again.cut) == (decision.move, decision.cut)
        kinds.add("".join(letter for letter in decision.cut if letter not in "0123456789."))
    assert len(kinds) >= 3
    last = cut_after(position, all_looks)
    assert (last.move, last.cut) == (whole, "")


def test_with_next_to_no_time_it_plays_without_patterns():
    position = midgame()
    decision = decide_large(position, book(), deadline=Deadline(0.0))
    assert position.legal() >> decision.move & 1 and decision.chosen.firings == []
    assert reason_in_time(decision).endswith("chosen by captures and liberties, without a safety check")
    assert decide_large(position, book(), deadline=Deadline(-5.0)).move == decision.move


def test_a_slow_position_takes_no_longer_than_it_may():
    """The test measures CPU time, which other processes do not affect."""
    position = midgame(19, 220)
    prepare_large(book(), 19)
    decide_large(position, book())  # warm up the caches
    started = time.thread_time()
    decision = decide_large(position, book(), deadline=Deadline(0.04, time.thread_time))
    reason_in_time(decision)
    assert time.thread_time() - started < 0.3
    assert decision.move == PASS or position.legal() >> decision.move & 1


def test_our_player_has_a_share_of_its_clock_for_a_move_and_says_what_it_left_out():
    player, position = OursPlayer(), midgame()
    player.prepare(position.ruleset)
    calm = player.choose(Turn(position, (0, 0), Times(900.0, 900.0)))
    assert calm.move == player.decide(position).move and "cut" not in calm.reason
    hasty = player.choose(Turn(position, (0, 0), Times(0.01, 0.01)))
    assert "without a safety check" in hasty.reason


def test_300_moves_of_19x19_in_15_minutes_leave_a_margin():
    """Each move takes 1.25 times its share, since a busy machine may take additional time."""
    left, position = 900.0, match_rules(19).opening()
    for made in range(300):
        position.plies = 2 * made
        left -= 1.25 * seconds_for(position, left)
    assert left > 30
