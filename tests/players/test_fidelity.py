"""Tests of the measured agreement of roles with recorded moves, in made-up and in real games."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from littlego.cli.main import main
from littlego.paths import REAL_GAMES
from littlego.players import fidelity
from littlego.players.fidelity import ALL, FIT, HELD_OUT, Decision, agreement, chances_of, measure
from littlego.rules.position import opening
from littlego.rules.ruleset import LITTLE_GO

START = opening(LITTLE_GO)


def digits(position):
    return "".join(str((position.black >> p & 1) + 2 * (position.white >> p & 1)) for p in range(25))


def game(role, colour, points):
    """Return a recorded game as a line of real_games.jsonl."""
    position, before, moves = START, START, []
    for number, point in enumerate(points, 1):
        entry = {"n": number, "colour": position.colour, "move": list(divmod(point, 5))}
        moves.append({**entry, "board": digits(position), "prev": digits(before)})
        before, position = position, position.play(point)
    return json.dumps({"ta": role, "ta_colour": colour, "moves": moves})


@pytest.fixture
def file(tmp_path):
    """Return a function that writes games to a file and returns its path."""

    def write(*lines):
        path = tmp_path / "games.jsonl"
        path.write_text("\n".join(lines) + "\n")
        return path

    return write


def test_every_different_position_counts_once(file):
    path = file(game("greedy", 1, (12, 7, 11)), game("greedy", 1, (12, 7, 13)), game("random", 1, (3, 4)))
    first, second = fidelity.recorded_decisions(path, "greedy")
    assert (first.position.left, first.chosen) == (24, Counter({12: 2}))
    assert (second.position.left, second.chosen) == (22, Counter({11: 1, 13: 1}))


def test_a_position_that_is_in_both_parts_counts_the_moves_of_both(file, monkeypatch):
    monkeypatch.setattr(fidelity, "EVERY", 2)  # hold out every second game
    path = file(game("greedy", 1, (12, 7, 11)), game("greedy", 1, (12, 7, 13)))
    assert [one.chosen for one in fidelity.recorded_decisions(path, "greedy")] == [
        Counter({12: 2}),
        Counter({11: 1, 13: 1}),
    ]


def test_no_recorded_move_is_lost():
    with open(REAL_GAMES, encoding="utf-8") as lines:
        games = [game for game in map(json.loads, lines) if game["ta"] == "championship"]
    moves = sum(move["colour"] == game["ta_colour"] for game in games for move in game["moves"])
    assert sum(sum(one.chosen.values()) for one in fidelity.recorded_decisions(REAL_GAMES, "championship")) == moves


def test_only_the_roles_own_colour_counts(file):
    decisions = fidelity.recorded_decisions(file(game("greedy", 2, (12, 7, 11, 0))), "greedy")
    assert [(one.position.left, list(one.chosen)) for one in decisions] == [(23, [7]), (21, [0])]


def test_symmetries_that_fix_the_position_make_choices_equal():
    after_centre = Decision(START.play(12), Counter({7: 1}), 1)
    assert agreement(after_centre, {17: 1.0}) == 1.0  # the points above and below the centre are equivalent
    assert agreement(after_centre, {6: 1.0}) == 0.0
    assert agreement(after_centre, {11: 0.25, 13: 0.25, 6: 0.5}) == 0.5
    one_side = Decision(START.play(7), Counter({12: 1}), 1)
    assert agreement(one_side, {17: 1.0}) == 0.0


def test_several_recorded_moves_count_by_how_often_they_were_played():
    decision = Decision(START.play(7), Counter({12: 3, 17: 1}), 1)
    assert agreement(decision, {12: 1.0}) == 0.75
    assert agreement(decision, {12: 0.5, 17: 0.5}) == 0.5


def test_any_legal_move_agrees_by_chance():
    decision = Decision(START.play(12), Counter({7: 1}), 1)
    assert agreement(decision, chances_of("random", decision.position)) == pytest.approx(4 / 24)


def test_a_roles_lots_are_exact_where_it_tells_them():
    assert chances_of("random", START) == {point: 1 / 25 for point in range(25)}
    assert sum(chances_of("alphabeta", START.play(12).play(7)).values()) == pytest.approx(1)


def test_what_is_measured_is_the_mean():
    first, second = Decision(START, Counter({12: 1}), 1), Decision(START.play(12), Counter({0: 1}), 1)
    found = measure("greedy", [(first, {12: 1.0}), (second, {7: 1.0})])
    assert (found.decisions, found.agreement, found.possible) == (2, 0.5, 0.5)
    assert found.chance == pytest.approx((1 / 25 + 4 / 24) / 2)
    assert 0 < found.low < 0.5 < found.high < 1


@pytest.mark.parametrize("role", ["greedy", "aggressive", "alphabeta", "championship"])
def test_the_held_out_positions_are_not_among_those_fitted(role):
    parts = {}
    for part in (FIT, HELD_OUT, ALL):
        decisions = fidelity.recorded_decisions(REAL_GAMES, role, part)
        parts[part] = {(d.position.black, d.position.white, d.position.ko, d.position.left) for d in decisions}
    assert not parts[FIT] & parts[HELD_OUT] and parts[FIT] | parts[HELD_OUT] == parts[ALL]
    assert len(parts[HELD_OUT]) > 10


def test_the_command_prints_a_line_a_role_and_writes_json(file, tmp_path, capsys):
    path = file(game("greedy", 1, (12, 7, 11)), game("random", 1, (3, 4)))
    written = tmp_path / "found.json"
    args = ["dev", "fidelity", "greedy", "random", "--games-from", str(path), "--jobs", "1", "--json", str(written)]
    assert main(args) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines] == [["role", "positions"], ["greedy", "2"], ["random", "1"]]
    roles = json.loads(written.read_text())["roles"]
    assert [(one["role"], one["decisions"]) for one in roles] == [("greedy", 2), ("random", 1)]
    assert roles[1]["agreement"] == roles[1]["chance"]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["nobody"], "'nobody' is not one of 'random', 'greedy', 'aggressive', 'alphabeta'"),
        (["random", "--games-from", "missing.jsonl"], "cannot read missing.jsonl: No such file"),
    ],
)
def test_what_cannot_be_measured_is_one_message(args, said, capsys):
    assert main(["dev", "fidelity", *args]) == 2
    captured = capsys.readouterr()
    assert said in captured.err and "Traceback" not in captured.err


def test_a_file_without_the_roles_moves_or_of_another_kind_is_told(file, capsys):
    path = file(game("random", 1, (3, 4)))
    assert main(["dev", "fidelity", "greedy", "--games-from", str(path)]) == 2
    assert "no position of --part all has a move of the course's greedy player" in capsys.readouterr().err
    assert main(["dev", "fidelity", "greedy", "--games-from", str(file("no game"))]) == 2
    assert "games.jsonl:1: expected a game as JSON" in capsys.readouterr().err
    assert (
        main(["dev", "fidelity", "greedy", "--games-from", str(file(json.dumps({"moves": [{"move": "PASS"}]})))]) == 2
    )
    assert "games.jsonl: game 1: expected a game of a course player" in capsys.readouterr().err
