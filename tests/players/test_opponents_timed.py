"""Tests of decisions with a deadline. If time runs out, the move is legal and has a note."""

from __future__ import annotations

import random
import time

import pytest
from fake_time import CallTime, FakeTime
from hypothesis import given, settings
from hypothesis import strategies as st
from knowledge_files import book

from littlego.engines.draw.decisions import reason_line, scores_line
from littlego.engines.large.deadline import RESERVE, Deadline, moves_to_come, seconds_for
from littlego.engines.timed import decide_timed, sized
from littlego.games.clock import Clock, Times
from littlego.games.game import opening
from littlego.games.little_go import little_go_of
from littlego.games.match import match_rules
from littlego.match.protocol import Turn
from littlego.match.referee import Game, Player, Reply
from littlego.players.ours import OursPlayer, UncountedPlayer
from littlego.players.timed import MOST_CPU, deadline_of, reason_in_time
from littlego.rules.engine import decide
from littlego.rules.geometry import points_of
from littlego.rules.position import BLACK, PASS, WHITE
from littlego.rules.ruleset import LITTLE_GO

AGES = 1e9  # seconds


def midgame(ruleset, seed, plies=None):
    """Return a position after random moves and a few passes."""
    chance = random.Random(f"hurried:{ruleset.name}:{seed}")
    position = opening(ruleset)
    for _ in range(chance.randrange(ruleset.size**2) if plies is None else plies):
        moves = points_of(position.legal())
        move = PASS if not moves or chance.random() < 0.01 else chance.choice(moves)
        if position.ends_with(move):
            break
        position = position.play(move)
    return position


def turn_in(position, left=None):
    return Turn(position, (0, 0), None if left is None else Times(left, left))


def assert_same(ruleset, seeds):
    """Assert that decisions with unlimited time equal the engine's."""
    placed = sized(book(), ruleset.size)
    for seed in range(seeds):
        position = midgame(ruleset, seed)
        plain, hurried = decide(position, placed), decide_timed(Deadline(AGES), position, placed)
        assert hurried.move == plain.move and hurried.cut == ""
        mine, theirs = hurried.chosen, plain.chosen
        assert (mine.priority, mine.points, mine.veto) == (theirs.priority, theirs.points, theirs.veto)
        assert (mine.result2, mine.verdict.loss, mine.verdict.reply) == (
            theirs.result2,
            theirs.verdict.loss,
            theirs.verdict.reply,
        )


@pytest.mark.parametrize(
    ("ruleset", "seeds"),
    [(match_rules(5), 30), (match_rules(7), 20), (match_rules(9), 4), (little_go_of(6), 20)],
    ids=lambda value: getattr(value, "name", ""),
)
def test_a_deadline_that_is_not_reached_changes_no_move(ruleset, seeds):
    assert_same(ruleset, seeds)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ruleset", "seeds"),
    [(match_rules(5), 500), (match_rules(7), 300), (match_rules(9), 100), (match_rules(13), 30), (match_rules(19), 12)]
    + [(little_go_of(size), 100) for size in (3, 6, 8)],
    ids=lambda value: getattr(value, "name", ""),
)
def test_a_deadline_that_is_not_reached_changes_no_move_of_many(ruleset, seeds):
    assert_same(ruleset, seeds)


@pytest.mark.parametrize("left", [1, 2])
def test_the_last_two_moves_are_exact_with_a_deadline_too(left):
    ruleset = little_go_of(6)
    position = midgame(ruleset, left, ruleset.length - left)
    assert position.left == left
    plain, hurried = decide(position, book()), decide_timed(Deadline(AGES), position, book())
    assert hurried.move == plain.move and hurried.chosen.result2 == plain.chosen.result2 is not None


def looks_of(position):
    """Return how often a decision with practically unlimited time reads the clock after its start."""
    fake = FakeTime()
    decide_timed(Deadline(AGES, fake), position, sized(book(), position.ruleset.size))
    return fake.looks - 1


def cut_after(position, looks):
    """Return a decision that stops after this many clock reads, when three quarters of its time are used."""
    return decide_timed(
        Deadline((looks + 0.5) / 0.75, FakeTime(step=1)), position, sized(book(), position.ruleset.size)
    )


def test_it_is_no_pass_that_is_left_where_few_moves_were_weighed():
    position = midgame(match_rules(7), 5, 9)
    cut = [
        decision
        for looks in range(1, looks_of(position), 160)
        if "were evaluated" in (decision := cut_after(position, looks)).cut
    ]
    assert cut and PASS not in {decision.move for decision in cut}


def test_wherever_it_is_cut_a_legal_move_comes_of_it_and_it_says_so():
    position = midgame(match_rules(7), 2)
    whole, all_looks = decide(position, book()).move, looks_of(position)
    kinds = set()
    for looks in sorted({*range(20, 60, 4), *range(60, all_looks, all_looks // 40), all_looks - 1}):
        decision = cut_after(position, looks)
        assert decision.move == PASS or position.legal() >> decision.move & 1
        assert decision.cut and "\n" not in decision.cut
        kinds.add("".join(letter for letter in decision.cut if letter not in "0123456789."))
        again = cut_after(position, looks)
        assert (again.move, again.cut) == (decision.move, decision.cut)
        assert reason_in_time(decision).endswith(decision.cut)
    assert len(kinds) >= 3
    last = cut_after(position, all_looks)
    assert (last.move, last.cut) == (whole, "")


def test_with_next_to_no_time_it_plays_without_patterns():
    position = midgame(match_rules(9), 1, 30)
    decision = decide_timed(Deadline(0.001), position, book())
    assert position.legal() >> decision.move & 1 and decision.chosen.firings == []
    assert reason_in_time(decision).endswith("chosen by captures and liberties, without a safety check")
    late = decide_timed(Deadline(-5.0), position, book())
    assert late.move == decision.move


def test_a_capture_is_seen_without_patterns():
    position = opening(match_rules(5))
    for move in (1, 0, 24):  # White's stone in the corner has one liberty left, at 1,0
        position = position.play(move)
    position = position.play(20)
    assert decide_timed(Deadline(0.0), position, book()).move == 5


def test_what_is_cut_is_said_with_the_reason():
    position = midgame(match_rules(7), 2)
    decision = cut_after(position, looks_of(position) // 2)
    assert reason_in_time(decision) == f"{scores_line(decision)}; {decision.cut}"


def test_a_reason_that_takes_too_long_is_left_at_the_scores():
    position = midgame(match_rules(7), 2)
    fake = FakeTime()
    decision = decide_timed(Deadline(AGES, fake), position, book())
    assert reason_in_time(decision) == reason_line(decision)
    before = fake.looks
    reason_in_time(decision)
    needed = fake.looks - before
    assert needed > 20
    for looks in (0, 1, needed // 2):
        fake.step = 0.25 * AGES / (looks + 0.5)
        fake.seconds = decision.deadline.start
        assert reason_in_time(decision) == scores_line(decision)
    fake.step = 0
    fake.seconds = decision.deadline.start
    assert reason_in_time(decision) == reason_line(decision)  # no result for the reason is cached


def test_the_scores_name_what_speaks_for_a_move():
    position = midgame(match_rules(7), 3, 30)
    decision = decide(position, book())
    line = scores_line(decision)
    assert f"{decision.chosen.points} points: {decision.chosen.firings[0].pattern.id} " in line


@pytest.mark.parametrize("left", [None, 5.0, 0.001])
def test_the_course_s_game_has_no_deadline(left):
    player = OursPlayer()
    for seed in range(8):
        position = midgame(LITTLE_GO, seed)
        assert deadline_of(turn_in(position, left)) is None
        reply = player.choose(turn_in(position, left))
        plain = player.decide(position)
        assert (reply.move, reply.reason) == (plain.move, reason_line(plain))


def test_without_a_clock_a_large_board_has_a_limit_of_cpu_time_and_a_small_one_none():
    deadline = deadline_of(turn_in(opening(match_rules(6))))
    assert (deadline.seconds, deadline.now) == (MOST_CPU, time.thread_time)
    assert deadline_of(turn_in(opening(match_rules(5)))) is None


def test_with_a_clock_a_move_has_a_share_of_the_mover_s_time():
    position = opening(match_rules(19)).play(0)
    deadline = deadline_of(Turn(position, (0, 0), Times(1.0, 900.0)))
    assert deadline.seconds == seconds_for(position, 900.0) and deadline.now is time.monotonic


def test_moves_to_come_are_known_where_a_game_has_a_length():
    position = opening(little_go_of(6))
    assert [moves_to_come(midgame(little_go_of(6), 0, plies)) for plies in (0, 1, 2)] == [18, 17, 17]
    assert seconds_for(position, 18 + RESERVE) == pytest.approx(18 / 18 * (18 + RESERVE - RESERVE) / 18)


def test_moves_to_come_are_guessed_with_caution_elsewhere():
    assert [round(moves_to_come(midgame(match_rules(19), 0, plies))) for plies in (0, 1, 2, 100)] == [
        301,
        301,
        300,
        251,
    ]
    late = midgame(match_rules(9), 0, 60)
    for _ in range(300):
        late = late.play(PASS)
    assert moves_to_come(late) == 81 * 5 / 6 / 4


class Position:
    """The attributes of a position that the time allotment reads."""

    def __init__(self, ruleset, number):
        self.ruleset, self.number = ruleset, number


def left_after(moves, budget, overhead, size=19):
    """Return the seconds left after a side's moves, each of which takes its share of time plus `overhead`."""
    left = budget
    for made in range(moves):
        left -= seconds_for(Position(match_rules(size), 2 * made + 1), left) + overhead
        if left <= 0:
            return left
    return left


def test_300_moves_on_19x19_in_15_minutes_are_safe():
    """Each move uses its whole share of time, plus up to 0.25 s of unmeasured overhead."""
    assert left_after(300, 900.0, 0.25) > 10
    assert left_after(400, 900.0, 0.1) > 5
    assert left_after(600, 900.0, 0.01) > 1


@settings(max_examples=60)
@given(st.integers(5, 19), st.floats(5.0, 3600.0), st.floats(0.0, 0.2))
def test_a_game_of_five_moves_to_six_points_is_safe(size, budget, share):
    """The budget suffices even if each move overruns its deadline by a fifth of an equal share."""
    moves = int(5 / 6 * size**2)
    assert left_after(moves, budget, share * budget / moves, size) > 0


def test_a_slow_position_takes_little_more_than_its_deadline():
    """The deadline is a third of an unlimited decision's work, counted in calls."""
    position = midgame(match_rules(13), 3, 90)
    placed = sized(book(), 13)
    with CallTime() as work:
        decide(position, placed)
    most = work.calls / 3
    with CallTime() as work:
        decision = decide_timed(Deadline(most, work), position, placed)
        reason = reason_in_time(decision)
    assert work.calls < 1.1 * most
    assert position.legal() >> decision.move & 1 and decision.cut and reason.endswith(decision.cut)


class Passing(Player):
    def choose(self, turn):
        return Reply(PASS)


def test_a_clocked_game_tells_what_was_cut_in_its_reasons():
    """The fake clock stands still and shows that our player has almost no time left."""
    game = Game((OursPlayer(), Passing()), little_go_of(7), clock=Clock((0.01, 60.0), FakeTime()))
    reasons = [move.reason for move in game.play().moves if move.colour == BLACK]
    assert all(reason.endswith("without a safety check") for reason in reasons[:-2]) and len(reasons) > 10


def test_what_it_has_prepared_is_not_made_again():
    player = OursPlayer()
    player.prepare(match_rules(8))
    book = player.book_for(LITTLE_GO)
    assert sized(book, 8) is sized(book, 8)
    assert sized(book, 5) is book


def test_a_player_that_counts_no_moves_plays_a_match_too():
    position = midgame(match_rules(5), 1, 6)
    turn = turn_in(position)
    assert UncountedPlayer().choose(turn).move == OursPlayer().choose(turn).move
    assert position.colour in (BLACK, WHITE)
