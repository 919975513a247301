"""Tests of the delay with which a flag fall is reported while the engine thinks in Python on 19x19.

These tests are slow, and meaningful only on an otherwise idle machine. LITTLEGO_FLAGS sets the number of flags (default
200), and -s prints the delays.
"""

from __future__ import annotations

import os
import random
import time

import pytest
from knowledge_files import book

from littlego.engines.timed import sized
from littlego.games.clock import Clock
from littlego.games.game import opening
from littlego.games.match import match_rules
from littlego.match.referee import Game, Player
from littlego.players.ours import OursPlayer
from littlego.rules.engine import decide
from littlego.rules.geometry import points_of
from littlego.rules.position import BLACK

FLAGS = int(os.environ.get("LITTLEGO_FLAGS", "200"))
TELLING = 0.1  # maximum seconds from a flag fall to its report
SLOW = 90  # plies of random moves, after which a decision takes seconds


class Busy(Player):
    """A player that repeats the complete decision of a slow position for ever."""

    def __init__(self, position):
        self.position = position

    def choose(self, turn):
        while True:
            decide(self.position, sized(book(), 19), complete=True)


def slow_position():
    chance, position = random.Random(14), opening(match_rules(19))
    for _ in range(SLOW):
        position = position.play(chance.choice(points_of(position.legal())))
    return position


@pytest.mark.slow
def test_flags_are_told_within_a_tenth_of_a_second():
    chance, player = random.Random("flags"), Busy(slow_position())
    sized(book(), 19)
    late = []
    for _ in range(FLAGS):
        budget = chance.uniform(0.2, 0.5)
        started = time.monotonic()
        record = Game((player, player), match_rules(19), clock=Clock((budget, 60.0))).play()
        late.append(time.monotonic() - started - budget)
        assert record.flagged and record.fault == BLACK
    late.sort()
    milliseconds = [round(1000 * late[int(share * (len(late) - 1))], 1) for share in (0.5, 0.9, 0.99, 1)]
    print(f"\n{FLAGS} flags: reported after the fall, median, 90%, 99%, latest: {milliseconds} ms")
    assert late[0] >= 0
    assert late[int(0.99 * (len(late) - 1))] <= TELLING


@pytest.mark.slow
def test_our_player_ends_a_game_of_19x19_with_little_time_on_its_clock():
    """Play up to 400 moves in two minutes against a player that fills the board."""
    from littlego.players.registry import make_player

    players = OursPlayer(), make_player("random", 7)
    record = Game(players, match_rules(19), seed=7, clock=Clock((120.0, 600.0))).play()
    left = [move.left for move in record.moves if move.colour == BLACK]
    print(f"\n{len(record.moves)} plies, {record.why}, {len(left)} of ours, {left[-1]:.1f} s of 120 left")
    assert not record.fault and len(left) > 100
