"""Tests of grades and doubts, with a network of random weights."""

import json

import numpy as np
import pytest
from zero_networks import random_network

from littlego.cache import Cache
from littlego.cli.main import main
from littlego.knowledge.files import read_solvable
from littlego.learning.zero import doubts as doubts_module
from littlego.learning.zero.doubts import (
    Doubt,
    Precision,
    clearest_first,
    find_doubts,
    measure_doubts,
    render_doubts,
    solve_doubts,
)
from littlego.learning.zero.tictactoe_yardstick import boards, grade_tictactoe
from littlego.learning.zero.yardstick import grade_network, labels_of, search_states, states_of
from littlego.paths import LABELS, PATTERNS_TXT
from littlego.players.zero.game import ONGOING, TIE
from littlego.players.zero.games import game_named
from littlego.rules.positionkey import unpack, unpack_move
from littlego.truth.grades.grades import Rate, blunder_rate
from littlego.truth.labels.decider import Decider
from littlego.truth.labels.labels import load, moves_left
from littlego.truth.proof.edited import StoredLayer

NETWORK = random_network(game_named("little-go"), 7)
PATTERNS = "-f", str(PATTERNS_TXT)  # compiled, which loads faster
KNOWLEDGE = read_solvable(str(PATTERNS_TXT))


def test_a_grade_counts_moves_that_lose_a_won_position():
    labels = labels_of("working", None, LABELS, 12)
    assert max(np.bincount(moves_left(labels.codes))) <= 12
    grade = grade_network(NETWORK, 4, labels, 2)
    game, states = states_of(labels.codes)
    won, lost, wrong = {}, {}, {}
    for code, winning, (move, value) in zip(
        labels.codes.tolist(), labels.winning.tolist(), search_states(game, NETWORK, states, 4), strict=True
    ):
        position = unpack(code)
        legal = position.legal() | 1 << 25
        at_stake = winning != 0 and winning != legal
        won[position.left] = won.get(position.left, 0) + at_stake
        lost[position.left] = lost.get(position.left, 0) + (at_stake and not winning >> move & 1)
        wrong[position.left] = wrong.get(position.left, 0) + ((value > 0) != (winning != 0))
        assert move == 25 or position.legal() >> unpack_move(move) & 1
    assert {row.left: (row.won, row.blundered) for row in grade.blunders} == {n: (won[n], lost[n]) for n in won}
    counts = np.bincount(moves_left(labels.codes))
    assert all(round(share.share * counts[left]) == wrong[left] for left, share in grade.wrong.items())
    assert grade.means == (blunder_rate(grade.blunders, "black"), blunder_rate(grade.blunders, "white"))
    assert all(regret >= 0 for regret in grade.regret.values()) and set(grade.regret) == set(range(1, 9))


def test_the_command_grades_a_weights_file(tmp_path, capsys):
    path = str(tmp_path / "weights.npz")
    NETWORK.save(path)
    report = str(tmp_path / "grade.json")
    assert main(["zero", "grade", path, "--simulations", "0,2", "--most", "3", "--json", report]) == 0
    grades = json.loads((tmp_path / "grade.json").read_text())["grades"]
    assert [one["simulations"] for one in grades] == [0, 2]
    printed = capsys.readouterr().out
    rates = [Rate(**one["given_away"]["black"]) for one in grades]
    assert f"Black gives away {rates[0]!s:>27}{rates[1]!s:>24}" in printed
    assert all(row["low"] <= row["share"] <= row["high"] for row in grades[0]["by_moves_left"].values())
    assert main(["zero", "grade", path, "--simulations", "many"]) == 2
    assert "expected numbers of simulations" in capsys.readouterr().err


def test_a_network_of_another_game_of_go_is_not_graded(tmp_path, capsys):
    path = str(tmp_path / "weights.npz")
    random_network(game_named("match-5"), 5).save(path)
    assert main(["zero", "grade", path]) == 2
    assert "match-5" in capsys.readouterr().err


def test_the_grade_of_tic_tac_toe_counts_moves_of_lower_exact_value():
    """The exact values come from the array form of the game, not from the masks that the grade uses."""
    game = game_named("tic-tac-toe")
    network, values = random_network(game, 5), {}
    assert solve(game, tuple(game.start(1)[0].tolist()), values) == TIE
    going = [state for state in values if game.results(np.array([state])) == ONGOING]
    assert len(going) == len(boards()) == 4520
    grade = grade_tictactoe(network, 0)
    at_stake, given_away = {1: 0, 0: 0}, {1: 0, 0: 0}
    for state, (move, _) in zip(going, search_states(game, network, np.array(going, np.int16), 0), strict=True):
        after = {square: -values[played(game, state, square)] for square in range(9) if not state[square]}
        best = max(after.values())
        if min(after.values()) < best:
            at_stake[best] += 1
            given_away[best] += after[move] < best
    assert (grade.at_stake, grade.given_away) == (at_stake, given_away)
    assert 0 < given_away[1] < at_stake[1] and 0 < given_away[0] < at_stake[0]


def played(game, state, action):
    return tuple(game.play(np.array([state], np.int16), np.array([action]))[0].tolist())


def solve(game, state, values):
    """Add {state: exact value for the player to move} of a state and all later states; return the state's value."""
    if state not in values:
        values[state] = int(game.results(np.array([state], np.int16))[0])
        if values[state] == ONGOING:
            actions = np.flatnonzero(game.legal(np.array([state], np.int16))[0])
            values[state] = max(-solve(game, played(game, state, action), values) for action in actions)
    return values[state]


def test_the_command_grades_a_network_of_tic_tac_toe(tmp_path, capsys):
    path = str(tmp_path / "weights.npz")
    random_network(game_named("tic-tac-toe"), 5).save(path)
    assert main(["zero", "grade", path, "--simulations", "0,2", "--json", str(tmp_path / "grade.json")]) == 0
    assert "wins given away of 2,380" in capsys.readouterr().out
    grades = json.loads((tmp_path / "grade.json").read_text())["grades"]
    assert [one["simulations"] for one in grades] == [0, 2] and set(grades[0]["given_away"]) == {"wins", "draws"}


def test_doubts_are_positions_where_the_search_contradicts_the_rules():
    labels = labels_of("working", None, LABELS, 30)
    decider = Decider(KNOWLEDGE.book, {})
    doubts = clearest_first(find_doubts(NETWORK, decider, labels.codes, 8))
    assert doubts and doubts == sorted(doubts, key=lambda doubt: -doubt.clarity)
    moves = dict(zip(labels.codes.tolist(), decider.decide(labels.codes)[0].tolist(), strict=True))
    for doubt in doubts:
        assert doubt.played == moves[doubt.code] != doubt.better
        assert doubt.played_value < 0 < doubt.better_value
    near = [doubt for doubt in doubts if moves_left(np.array([doubt.code]))[0] < 10]
    winning = dict(zip(labels.codes.tolist(), labels.winning.tolist(), strict=True))
    assert [doubt.winning for doubt in solve_doubts(near, 18)] == [winning[doubt.code] for doubt in near]
    rows = measure_doubts(doubts, labels, decider)
    far = [doubt for doubt in doubts if 15 <= doubt.code >> 56 <= 18]
    assert sum(row.doubts for row in rows[:-1]) == len(doubts) and rows[-1].left == "15 to 18"
    failures = [doubt for doubt in far if doubt._replace(winning=winning[doubt.code]).is_failure]
    assert rows[-1][3:] == (len(far), len(failures)) and rows[-1].recall == len(failures) / rows[-1].failures
    assert all(row.right <= min(row.doubts, row.failures) for row in rows)


def test_a_failure_is_a_losing_move_in_a_won_position():
    doubt = Doubt(0, 3, 4, -0.5, 0.5)
    assert not doubt.is_failure and not doubt._replace(winning=0).is_failure
    assert doubt._replace(winning=1 << 4).is_failure and not doubt._replace(winning=1 << 3).is_failure


def test_the_command_writes_doubts_for_other_commands(tmp_path, capsys):
    path = str(tmp_path / "weights.npz")
    NETWORK.save(path)
    np.savez(tmp_path / "positions.npz", codes=labels_of("working", None, LABELS, 30).codes)
    output, page, labels = (tmp_path / name for name in ("doubts.jsonl", "page.html", "doubts.npz"))
    options = ["--left", "3", "9", "--simulations", "4", "--solve", "5", "-o", str(output), "--page", str(page)]
    assert main(["zero", "doubts", path, str(tmp_path / "positions.npz"), *PATTERNS, *options]) == 0
    doubts = [json.loads(line) for line in output.read_text().splitlines()]
    assert f"{len(doubts)} doubts in " in capsys.readouterr().out and len(doubts) >= 5
    assert all(3 <= unpack(one["code"]).left <= 9 for one in doubts)
    assert [one["winning"] is not None for one in doubts] == [index < 5 for index in range(len(doubts))]
    assert page.read_text().count("<figure") == min(50, len(doubts))
    label = ["dev", "label", "--from", str(output), "--labels", str(labels), "--part", "working", "--memory", "0.001"]
    assert main(label) == 0
    winning = dict(zip(load(path=labels).codes.tolist(), load(path=labels).winning.tolist(), strict=True))
    assert all(winning.get(one["code"], one["winning"]) == one["winning"] for one in doubts[:5]) and winning


def test_a_stopped_search_keeps_its_doubts_and_resumes(tmp_path, monkeypatch, capsys):
    path, output = str(tmp_path / "weights.npz"), tmp_path / "doubts.jsonl"
    NETWORK.save(path)
    codes = labels_of("working", None, LABELS, 30).codes
    codes = codes[moves_left(codes) >= 3]
    np.savez(tmp_path / "positions.npz", codes=codes)
    monkeypatch.setattr(doubts_module, "BLOCK", 100)
    monkeypatch.setattr(doubts_module, "Cache", lambda name: Cache(name, tmp_path))
    find, calls = doubts_module.find_doubts, []

    def stopped(*args):
        calls.append(args)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return find(*args)

    monkeypatch.setattr(doubts_module, "find_doubts", stopped)
    command = [
        "zero",
        "doubts",
        path,
        *PATTERNS,
        str(tmp_path / "positions.npz"),
        "--simulations",
        "4",
        "-o",
        str(output),
    ]
    assert main(command) == 130
    found = output.read_text().splitlines()
    assert len(found) > 0 and f"{len(found)} doubts in " in capsys.readouterr().out
    assert main(command) == 0
    resumed = {*output.read_text().splitlines()}
    assert resumed > {*found} and len(calls) - 1 == len(doubts_module.blocks_of(codes))


def test_the_positions_of_a_stored_walk_are_searched(tmp_path, monkeypatch):
    layers = {8: np.arange(100), 6: np.arange(250)}
    stored = [StoredLayer(tmp_path, left, codes.size) for left, codes in layers.items()]
    monkeypatch.setattr(doubts_module, "stored_layers", lambda walks, player: stored)
    monkeypatch.setattr(StoredLayer, "codes", lambda layer: layers[layer.left])
    everything = doubts_module.positions_of_walks(tmp_path, KNOWLEDGE, range(3, 9), 0)
    assert everything.number == 350 and [array.size for array in everything.arrays] == [100, 250]
    few = doubts_module.positions_of_walks(tmp_path, KNOWLEDGE, range(3, 9), 100)
    assert few.number == sum(array.size for array in few.arrays) == 25 + 63
    assert doubts_module.positions_of_walks(tmp_path, KNOWLEDGE, range(7, 9), 0).number == 100


@pytest.mark.parametrize(
    "args, said",
    [
        (["walk", "--folder", "{folder}"], "run `littlego prove black` first"),
        (["walk", "--measure"], "omit walk or --measure"),
        (["{folder}/none.npz"], "none.npz"),
        (["--measure", "--left", "18", "15"], "try a wider range, such as --left 3 24"),
    ],
)
def test_a_source_without_positions_is_reported(tmp_path, capsys, args, said):
    path = str(tmp_path / "weights.npz")
    NETWORK.save(path)
    assert main(["zero", "doubts", path, *PATTERNS, *(arg.format(folder=tmp_path) for arg in args)]) == 2
    assert said in capsys.readouterr().err


def test_the_command_measures_doubts(tmp_path, capsys):
    path, report = str(tmp_path / "weights.npz"), tmp_path / "report.json"
    NETWORK.save(path)
    options = ["--measure", "--left", "15", "16", "--most", "60", "--simulations", "2", "--json", str(report)]
    assert main(["zero", "doubts", path, *PATTERNS, *options]) == 0
    rows = json.loads(report.read_text())["measured"]
    assert [row["left"] for row in rows] == ["16", "15", "15 to 18"]
    assert rows[2]["positions"] == 60 and "solves_per_failure" in rows[2]
    assert "at random" in capsys.readouterr().out


def test_solves_per_failure():
    row = Precision("15 to 18", 100, 4, 6, 2)
    assert (row.precision, row.recall, row.solves) == (2 / 6, 2 / 4, (3, 25))
    assert Precision("15", 100, 0, 0, 0).as_json()["solves_per_failure"] is None


def test_a_page_names_both_moves():
    page = render_doubts(
        [Doubt(int(labels_of("working", None, LABELS, 1).codes[0]), 25, 4, -0.5, 0.5, 1 << 4)], "Doubts"
    )
    assert "R PASS: -0.50" in page and "the patterns&#39; move loses" in page
