"""Tests of the learner: the handout's formula, computed by hand, and learned values of small games."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from littlego.players.learners.qlearner import Pupil, QLearner, Settings, Step

SETTINGS = Settings(alpha=0.5, gamma=0.9, win=1.0, draw=0.5, lose=-1.0, initial_q=0.2, explore=0.0)


def test_the_formula_by_hand():
    learner = QLearner(SETTINGS, {"late": {"b": 0.4}})
    learner.learn([Step("early", ["x"], "x"), Step("late", ["a", "b"], "a")], 1.0)
    late = 0.5 * 0.2 + 0.5 * 1.0
    early = 0.5 * 0.2 + 0.5 * (0 + 0.9 * max(late, 0.4))
    assert learner.table == {"late": {"b": 0.4, "a": late}, "early": {"x": pytest.approx(early)}}


def test_the_best_action_of_the_next_state_counts_not_the_one_taken():
    learner = QLearner(SETTINGS, {"late": {"b": 0.8}})
    learner.learn([Step("early", ["x"], "x"), Step("late", ["a", "b"], "a")], -1.0)
    assert learner.table["late"]["a"] == 0.5 * 0.2 - 0.5
    assert learner.table["early"]["x"] == pytest.approx(0.5 * 0.2 + 0.5 * 0.9 * 0.8)


def test_the_reward_is_for_the_last_action_alone():
    learner = QLearner(SETTINGS._replace(gamma=0.0))
    learner.learn([Step(state, ["x"], "x") for state in "abc"], 1.0)
    assert [learner.table[state]["x"] for state in "abc"] == [0.1, 0.1, 0.6]


@pytest.mark.parametrize(("result", "reward"), [(7, 1.0), (0, 0.5), (-1, -1.0)])
def test_rewards(result, reward):
    assert QLearner(SETTINGS).reward(result) == reward


def test_what_was_never_tried_has_the_initial_value():
    learner = QLearner(SETTINGS, {"s": {"good": 0.3, "bad": 0.1}})
    assert learner.best("s", ["bad", "new", "good"]) == ["good"]
    assert learner.best("s", ["bad", "new"]) == ["new"]
    assert learner.best("elsewhere", ["p", "q"]) == ["p", "q"]


def test_exploring_tries_every_action_and_else_only_the_best():
    table = {"s": {"good": 0.9}}
    bold = QLearner(SETTINGS._replace(explore=0.5), table)
    rng = random.Random(1)
    drawn = [bold.choose("s", ["good", "bad"], rng) for _ in range(400)]
    assert 60 < drawn.count("bad") < 140  # a quarter
    assert {QLearner(SETTINGS, table).choose("s", ["good", "bad"], rng) for _ in range(50)} == {"good"}


def test_a_pupil_learns_from_the_turns_it_played():
    learner = QLearner(SETTINGS)
    pupil = Pupil(learner, random.Random(1))
    assert pupil.move("s", {"pair": [3, 5]}) in (3, 5)
    assert learner.table == {}
    pupil.end(1)
    assert learner.table == {"s": {"pair": 0.6}}


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 6), st.integers(0, 2**32))
def test_it_finds_the_way_through_a_corridor(length, seed):
    """The value of each step converges to gamma ** (steps left after it).

    Walking to the end wins, and stepping aside loses.
    """
    learner = QLearner(SETTINGS._replace(explore=0.3, lose=0.0))
    rng = random.Random(seed)
    for _ in range(400):
        pupil, place = Pupil(learner, rng), 0
        while place < length and pupil.move(place, {"on": [1], "aside": [0]}):
            place += 1
        pupil.end(1 if place == length else -1)
    for place in range(length):
        assert learner.best(place, ["aside", "on"]) == ["on"]
        assert learner.table[place]["on"] == pytest.approx(0.9 ** (length - 1 - place), abs=0.02)
