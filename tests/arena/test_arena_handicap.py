"""Tests of the handicap that balances two players: staircase search, estimate, resuming from a file."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from littlego.arena.handicap import Step, estimate, next_stones
from littlego.cli.main import main
from littlego.games.game import opening
from littlego.games.handicap import fixed_handicap, free_handicap, handicap_opening, most_handicap
from littlego.games.match import match_rules
from littlego.match.series import Pairing, play_game
from littlego.players.registry import player_for
from littlego.rules.position import PASS, WHITE


def step(stones, won):
    return Step(0, 0, stones, won, 0, "", 0, False, False)


@settings(deadline=None)
@given(st.sampled_from([5, 7, 9, 13, 19]), st.integers(1, 25))
def test_stones_stand_apart_and_off_the_two_outer_lines(size, stones):
    if stones > (size - 4) ** 2:
        with pytest.raises(ValueError, match="expected 1 to"):
            free_handicap(size, stones)
        return
    points = free_handicap(size, stones)
    assert len(set(points)) == stones
    assert all(2 <= one // size < size - 2 and 2 <= one % size < size - 2 for one in points)
    assert free_handicap(size, stones) == points


def test_the_corners_come_first_then_the_sides():
    corners = {19 * row + column for row in (3, 15) for column in (3, 15)}
    inside = {19 * row + column for row in (2, 16) for column in (2, 16)}
    for stones in (2, 3, 4):
        assert free_handicap(19, stones) == fixed_handicap(19, stones)
    for stones in (5, 6, 7, 8):
        assert corners <= set(free_handicap(19, stones)) <= corners | inside
    for stones in (9, 10, 11, 12, 13):
        assert inside | corners < set(free_handicap(19, stones)) <= inside | set(fixed_handicap(19, 9))
    assert set(free_handicap(12, 8)) > set(fixed_handicap(12, 4))


def test_on_small_boards_they_are_the_fixed_ones():
    assert free_handicap(9, 1) == [40]
    for size, most in ((7, 4), (8, 4), (9, 9), (10, 4), (11, 9)):
        for stones in range(2, most + 1):
            assert free_handicap(size, stones) == fixed_handicap(size, stones)


@pytest.mark.parametrize("stones", [2, 4, 6, 8, 10, 12, 13])
def test_no_side_is_favoured_where_that_can_be(stones):
    points = free_handicap(19, stones)
    assert sorted(19 * 19 - 1 - point for point in points) == points


def test_each_game_turns_the_stones_another_way():
    openings = [handicap_opening(19, 9, seed) for seed in range(8)]
    # eight stones in the corners, and the ninth on one of the four sides
    assert len({frozenset(moves) for moves in openings}) == 4
    assert openings[0] == handicap_opening(19, 9) == handicap_opening(19, 9, 8)


def test_white_passes_while_they_are_placed_and_moves_then():
    position = opening(match_rules(9, pass_stones=False))
    for move in handicap_opening(9, 4):
        assert move == PASS if position.colour == WHITE else move >= 0
        position = position.play(move)
    assert (position.colour, position.white, position.prisoners) == (WHITE, 0, (0, 0))
    assert position.black == sum(1 << point for point in fixed_handicap(9, 4))


def test_a_game_with_a_handicap_begins_with_it():
    game = Pairing(0, "random", "random", 3, ruleset="match-9-no-pass-stones", plies=30, handicap=3)
    record = play_game(game, player_for)
    assert [move.move for move in record.moves[: record.opening]] == list(handicap_opening(9, 3, seed=3))
    assert record.moves[record.opening].colour == WHITE


@pytest.mark.parametrize(
    "steps, stones",
    [
        ([], 9),
        ([(9, True)], 8),
        ([(9, False)], 10),
        ([(1, True)], 1),
        ([(12, False)], 12),
        ([(9, True), (8, False)], 9),
    ],
)
def test_a_win_costs_a_stone_and_a_loss_brings_one(steps, stones):
    assert next_stones([step(*one) for one in steps], 9, 12) == stones


@pytest.mark.parametrize("half", [4.0, 11.0, 22.0])
def test_the_estimate_covers_where_half_is_won(half):
    rng, steps = random.Random(f"{half}"), []
    for _ in range(400):
        stones = next_stones(steps, 9, 40)
        steps.append(step(stones, rng.random() < 1 / (1 + 2.718 ** (0.5 * (half - stones)))))
    found = estimate([(one.stones, one.won) for one in steps])
    assert found.low <= half <= found.high
    assert found.high - found.low < 4


def test_more_games_narrow_it():
    some = [(9, True), (8, False), (9, True), (8, True), (7, False)]
    widths = [found.high - found.low for found in (estimate(some), estimate(10 * some))]
    assert widths[1] < widths[0]


def test_the_command_goes_on_from_its_file(tmp_path, capsys):
    kept, whole = tmp_path / "some.jsonl", tmp_path / "whole.json"
    words = [
        "arena",
        "handicap",
        "random",
        "greedy",
        "--size",
        "7",
        "--no-pass-stones",
        "--komi",
        "0.5",
        "--stones",
        "4",
    ]
    words += ["--max-stones", "8", "--jobs", "1"]
    assert main([*words, "--games", "6", "--json", str(whole)]) == 0
    assert "random wins half its games against greedy" in capsys.readouterr().out
    assert main([*words, "--games", "3", "--keep", str(kept)]) == 0
    assert len(kept.read_text().splitlines()) == 4
    assert main([*words, "--games", "6", "--keep", str(kept)]) == 0
    games = json.loads(whole.read_text())["games"]
    assert [json.loads(line) for line in kept.read_text().splitlines()[1:]] == games
    assert {one["staircase"] for one in games} == {0, 1}
    capsys.readouterr()
    assert main([*words, "--seed", "2", "--keep", str(kept)]) == 2
    assert "found games of the plan" in capsys.readouterr().err
    assert len(kept.read_text().splitlines()) == 7


def test_too_many_stones_are_refused(capsys):
    assert main(["arena", "handicap", "random", "greedy", "--size", "5", "--max-stones", "3"]) == 2
    assert "expected 1 to 1" in capsys.readouterr().err


def test_without_most_a_small_board_has_as_many_as_have_room(tmp_path, capsys):
    kept = tmp_path / "games.jsonl"
    words = [
        "arena",
        "handicap",
        "random",
        "greedy",
        "--size",
        "7",
        "--stones",
        "2",
        "--games",
        "2",
        "--keep",
        str(kept),
        "-j",
        "1",
    ]
    assert main(words) == 0
    assert f"most={most_handicap(7)} " in kept.read_text() and most_handicap(7) == 9
    assert main(["arena", "handicap", "random", "greedy", "--size", "7", "--stones", "10"]) == 2
    assert "--stones: 10 handicap stones on 7x7; expected 1 to 9" in capsys.readouterr().err
