"""Tests of `arena cost`: figures computed from rounds of known lengths, and a real run of a few games."""

from __future__ import annotations

import json

import pytest

from littlego.arena import cost
from littlego.arena.cost import Cost, Costs, Kind, Spent, costs_of, hours
from littlego.cli.main import main

ALONE, BOTH = Kind(("a", "b"), 1, 9), Kind(("a", "b"), 2, 9)


def rounds(kind: Kind, *walls: float) -> dict[Kind, list[Spent]]:
    return {kind: [Spent(wall, wall, wall / 10) for wall in walls]}


def measured(speed_up: float, wall: float = 0.036, own: float = 0.0) -> list[Cost]:
    alone = Cost(ALONE, Spent(wall, wall, wall), (1.0, 1.0, 1.0))
    return [alone, Cost(BOTH, Spent(wall / speed_up, wall, own), (speed_up, speed_up, speed_up))]


def test_ratios_are_taken_inside_a_round():
    alone, both = costs_of([ALONE, BOTH], {**rounds(ALONE, 0.2, 0.8, 0.2), **rounds(BOTH, 0.1, 0.5, 0.2)})
    assert alone.spent == Spent(0.2, 0.2, 0.02) and alone.speed_up == (1, 1, 1)
    assert both.spent.wall == 0.2 and both.speed_up == (pytest.approx(1.6), 1.0, 2.0)


def test_a_million_games_take_the_workers_so_long():
    assert hours(measured(2.0), 0.0, 1) == pytest.approx(10)
    assert hours(measured(2.0), 0.0, 2) == pytest.approx(5)
    assert hours(measured(1.6), 0.0, 8) == pytest.approx(10 / 8 * 1.25)
    assert hours(measured(2.1), 0.0, 2) == pytest.approx(5)  # a speedup above 2 on two cores is noise and counts as 2


def test_nothing_is_faster_than_the_process_that_keeps_the_results():
    costs = Costs(measured(2.0, own=0.0036), measured(2.0))
    assert costs.keeping == 0.0036
    assert hours(costs.inside, costs.keeping, 8) == pytest.approx(10 / 8)
    assert hours(costs.inside, costs.keeping, 512) == pytest.approx(1)
    assert Costs(costs.inside[:1], costs.files[:1]).keeping == 0


def test_a_real_run(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(cost, "jobs", lambda: 2)
    file = tmp_path / "cost.json"
    arguments = ["greedy", "random", "--program", "aggressive", "--rounds", "2", "--pairs", "2", "--json", str(file)]
    assert main(["arena", "cost", *arguments]) == 0
    found = json.loads(file.read_text())
    assert [(games["players"][0], games["jobs"]) for games in found["games"]] == [
        ("greedy", 1),
        ("greedy", 2),
        ("aggressive", 1),
        ("aggressive", 2),
    ]
    assert all(games["cpu_s"] > 0 and games["wall_s"] > 0 for games in found["games"])
    assert [row["workers"] for row in found["million"]] == [1, 2, 8, 64, 512]
    printed = capsys.readouterr().out
    assert "1,000,000 games would take" in printed and max(map(len, printed.splitlines())) <= 80


def test_an_unknown_player_is_told(capsys):
    assert main(["arena", "cost", "nobody"]) == 2
    assert "littlego: " in capsys.readouterr().err
