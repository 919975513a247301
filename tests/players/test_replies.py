"""Tests of replies that are stored by position up to symmetry, including the championship player's."""

from __future__ import annotations

import random

import pytest
from brute_force import playout

from littlego.paths import REAL_GAMES
from littlego.players.fidelity import recorded_decisions, recorded_replies_text
from littlego.players.roles import championship
from littlego.players.roles.replies import (
    find_replies,
    fixing_symmetries,
    format_replies,
    key_of,
    load_replies,
    turn_move,
)
from littlego.rules.geometry import image_of, symmetry_tables
from littlego.rules.position import PASS, Position, opening
from littlego.rules.ruleset import LITTLE_GO

POSITIONS = [position for seed in range(12) for position in playout(seed, 0.2)]


def images(position):
    for table in symmetry_tables(5):
        black, white, ko = (image_of(mask, table) for mask in (position.black, position.white, position.ko))
        passed, left = position.passed, position.left
        yield table, Position(LITTLE_GO, black, white, position.colour, ko, passed, left)


def test_all_images_of_a_position_have_one_key_and_other_positions_another():
    keys = set()
    for position in POSITIONS:
        found = {key_of(image)[0] for _, image in images(position)}
        assert len(found) == 1
        keys |= found
    unlike = {min((i.own, i.theirs, i.ko, i.passed, i.left) for _, i in images(one)) for one in POSITIONS}
    assert len(keys) == len(unlike) > 100


def test_what_is_written_is_found_again_in_every_image(tmp_path):
    replies, expected = {}, []
    for number, position in enumerate(POSITIONS):
        move = PASS if number % 7 == 0 or not position.legal() else position.legal().bit_length() - 1
        key, table = key_of(position)
        if key not in replies:
            replies[key] = {turn_move(move, table): number + 1}
            expected.append((position, move, number + 1))
    file = tmp_path / "replies.txt"
    file.write_text(format_replies(replies, "What it is.\nHow it was made."))
    assert load_replies(str(file)) == replies
    assert file.read_text().startswith("# What it is.\n# How it was made.\n")
    for position, move, weight in expected:
        for symmetry, image in images(position):
            ((found, times),) = find_replies(str(file), image).items()
            assert times == weight
            assert found in {turn_move(turn_move(move, symmetry), fixed) for fixed in fixing_symmetries(image)}


def test_a_file_that_is_missing_knows_nothing(tmp_path):
    assert find_replies(str(tmp_path / "none.txt"), opening(LITTLE_GO)) == {}


def test_the_empty_board_is_fixed_by_all_symmetries_and_a_corner_by_two():
    start = opening(LITTLE_GO)
    assert [len(fixing_symmetries(one)) for one in (start, start.play(0), start.play(1), start.play(12))] == [
        8,
        2,
        1,
        8,
    ]


def test_the_recorded_replies_are_those_of_the_real_games():
    with open(championship.RECORDED, encoding="ascii") as file:
        assert file.read() == recorded_replies_text()


def test_it_plays_what_the_real_player_played():
    decisions = recorded_decisions(REAL_GAMES, "championship")
    assert len(decisions) > 150
    for decision in decisions:
        move, why = championship.explain_recorded(decision.position, random.Random(1))
        played = {turn_move(one, table) for one in decision.chosen for table in fixing_symmetries(decision.position)}
        assert why.startswith("recorded: the course's player chose this move ")
        assert move in played or len(find_replies(championship.RECORDED, decision.position)) > 1


def test_of_several_recorded_replies_each_is_drawn():
    several = next(one.position for one in recorded_decisions(REAL_GAMES, "championship") if len(one.chosen) > 1)
    assert len({championship.explain_recorded(several, random.Random(seed))[0] for seed in range(40)}) > 1


def test_elsewhere_our_championship_plays(monkeypatch):
    monkeypatch.setattr(championship, "NODES", 500)
    position = opening(LITTLE_GO).play(0).play(4).play(20)
    move, why = championship.explain_recorded(position, random.Random(2))
    assert why.startswith("no recorded reply; championship chose this move (") and position.legal() >> move & 1


@pytest.mark.parametrize("text", ["22 - ..... a=b", "22 - ..... 3"])
def test_a_damaged_file_is_an_error(text, tmp_path):
    file = tmp_path / "replies.txt"
    file.write_text(text)
    with pytest.raises(ValueError):
        load_replies(str(file))
