"""Tests of tournaments under rulesets other than the course's."""

import json
import sqlite3
from contextlib import closing

import pytest
from arena_plans import reseal, small_plan
from gnugo import needs_gnugo

from littlego.arena.losses import turning_point, turns
from littlego.arena.plan import NEW, Plan
from littlego.arena.play import play_pair
from littlego.arena.run import default_file
from littlego.arena.store import Store
from littlego.cli.arguments import ArgumentError
from littlego.cli.main import main
from littlego.rules.position import BLACK, WHITE

MATCH = {"ruleset": "match-5", "minutes": 2.0, "plies": 30}


@pytest.fixture
def arena(tmp_path, monkeypatch, capsys):
    """Return a function that runs `littlego arena ...` in an empty folder and returns (status, out, err)."""
    monkeypatch.chdir(tmp_path)

    def run(*words):
        status = main(["arena", *map(str, words)])
        shown = capsys.readouterr()
        return status, shown.out, shown.err

    return run


def test_a_plan_of_the_course_s_game_is_what_it_always_was():
    plan = small_plan()
    assert not set(NEW) & plan.as_json().keys()
    assert list(plan.as_json()) == ["format", "players", "pairs", "seed", "openings", "cpu_limit", "hypothesis"]


def test_a_plan_of_a_match_survives_json():
    plan = small_plan(**MATCH)
    assert Plan.from_json(json.loads(json.dumps(plan.as_json())), plan.players) == plan
    assert plan.pair(1)[6:] == ("match-5", 2.0, 30)
    assert (
        len({default_file(small_plan(**{key: value})) for key, value in MATCH.items()} | {default_file(small_plan())})
        == 4
    )


def test_a_ruleset_that_nobody_knows_is_damage(tmp_path):
    with Store.make(tmp_path / "t.sqlite", small_plan(**MATCH)) as store:
        store._base.execute("UPDATE tournament SET plan = replace(plan, 'match-5', 'match-99')")
        reseal(store)
    with pytest.raises(ArgumentError, match="is damaged: a match on a board of size 99: expected 5 to 19"):
        Store(tmp_path / "t.sqlite")


def test_the_games_of_a_match_are_kept_and_replayed(tmp_path):
    plan = small_plan(("random", "greedy"), pairs=1, **MATCH)
    with Store.make(tmp_path / "t.sqlite", plan) as store:
        played = play_pair(plan.pair(0))
        assert store.add(played)
        assert [record.key for record in store.records()] == [game.record.key for game in played.games]
        assert {record.ruleset.name for record in store.records()} == {"match-5"}
        assert store.plan() == plan


def test_a_tournament_by_another_ruleset(arena):
    words = ("round-robin", "random", "greedy", "--pairs", 2, "--openings", 2, "--jobs", 1, "--keep", "t.sqlite")
    match = ("--ruleset", "match", "--size", 6, "--plies", 30)
    status, out, _ = arena(*words, *match)
    assert status == 0 and "random against greedy: 4 games" in out
    assert arena("verify", "t.sqlite")[0] == 0
    assert "seed 0, random openings of 2 moves, match-6" in arena("table", "t.sqlite")[1]
    assert arena("replay", "t.sqlite", 3)[1].startswith("game 3: replayed with the same moves")
    with closing(sqlite3.connect("t.sqlite")) as base:
        before = base.execute("SELECT * FROM games").fetchall()
    for other, said in (
        ((), "ruleset match-6 (requested: little-go); plies 30 (requested: none)"),
        (("--ruleset", "match", "--size", 7, "--plies", 30), "ruleset match-6 (requested: match-7)"),
        ((*match, "--minutes", 3), "minutes none (requested: 3.0)"),
    ):
        status, out, err = arena(*words, *other)
        assert status == 2 and said in err and err.count("\n") == 1 and not out
    assert arena("continue", "t.sqlite", "--pairs", 3, "--jobs", 1)[0] == 0
    with closing(sqlite3.connect("t.sqlite")) as base:
        assert base.execute("SELECT * FROM games").fetchall()[:4] == before


def test_of_a_lost_match_the_report_says_that_no_solver_knows_it():
    plan = small_plan(("random", "greedy"), pairs=1, **{**MATCH, "ruleset": "match-6", "plies": 60})
    record = play_pair(plan.pair(0)).games[0].record
    assert len(record.moves) > 35  # more moves than Little-Go allows on this board
    loser = BLACK + WHITE - record.winner
    assert {position.colour for position, _ in turns(record)} == {loser}
    assert {move.colour for _, move in turns(record) if move} == {loser}
    assert turning_point(record, None, 16).why_none == "Exact values are known only in Little-Go on 5x5"


@needs_gnugo
def test_gnu_go_in_a_tournament_is_not_held_to_the_handout(arena):
    words = ("gauntlet", "greedy", "gnugo", "--pairs", 1, "--openings", 2, "--jobs", 1, "--keep", "t.sqlite")
    status, _, err = arena(*words, "--ruleset", "match", "--size", 5)
    assert status == 0 and "checking" not in err
    assert arena("replay", "t.sqlite", 1)[1].startswith("game 1: replayed with the same moves")
