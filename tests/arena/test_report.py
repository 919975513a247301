"""Tests of the report: runs of the command on small tournaments, and the contents of the page."""

from __future__ import annotations

import json
import re

import pytest
from arena_plans import made_up, small_plan, sprt_plan
from html_outline import Outline
from made_results import field, game, pairs

from littlego.arena import charts
from littlego.arena.plan import GAUNTLET, Plan
from littlego.arena.play import play_pair
from littlego.arena.players import entrants
from littlego.arena.ratings import ratings
from littlego.arena.results import tallies
from littlego.arena.store import Store
from littlego.arena.tables import tables_of
from littlego.cache import Cache
from littlego.cli.main import main
from littlego.rules.position import WHITE


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setattr("littlego.arena.losses.Cache", lambda name: Cache(name, tmp_path / "cache"))
    # fewer samples: no test here checks the limits of an interval
    monkeypatch.setattr("littlego.arena.tables.SAMPLES", 50)


def kept(tmp_path, plan: Plan, play=play_pair) -> str:
    with Store.make(tmp_path / "games.sqlite", plan) as store:
        for pair in plan.all_pairs():
            store.add(play(pair))
    return str(tmp_path / "games.sqlite")


def report(file: str, capsys, *options: str) -> str:
    """Run `littlego arena report` and return the HTML page."""
    assert main(["arena", "report", file, "--jobs", "1", "--exact", "6", *options]) == 0
    path = capsys.readouterr().out.split(":")[0]
    return open(path, encoding="utf-8").read()


def test_a_round_robin(tmp_path, capsys):
    file = kept(tmp_path, small_plan(("random", "greedy", "aggressive"), pairs=3))
    page = report(file, capsys)
    outline = Outline(page)
    assert re.search("<h1>A round robin of 3 players</h1>", page)
    with Store(file) as store:
        assert f"18 games, {store.distinct()} distinct; all pairs are played." in page
    assert outline.seen.count("table") >= 4
    assert [title for title in re.findall("<title>(.*?)</title>", page) if title[0] in "RMGC"] == [
        "Ratings with intervals",
        "Margins",
        "Game lengths",
        "CPU time of a move",
    ]
    links = re.findall('href="(games/game-(\\d+).sgf)"', page)
    assert sorted(int(number) for _, number in links) == list(range(18))  # each of these games has a loser
    for link, number in links:
        text = (tmp_path / "games-report" / link).read_text(encoding="utf-8")
        assert text.startswith("(;") and "arena replay" in text and f" {number}" in text
    assert "lost before move" in page.lower() and "would have won" in page
    assert "pair k of the tournament (zero-based) has the seed 7,000,000 + k" in page
    ids = re.findall(' id="([^"]*)"', page)
    assert len(ids) == len(set(ids))


def test_it_is_the_same_page_every_time(tmp_path, capsys):
    file = kept(tmp_path, small_plan(pairs=4))
    assert report(file, capsys) == report(file, capsys, "--output", str(tmp_path / "again"))


def test_a_gauntlet_shows_the_losses_of_its_player(tmp_path, capsys):
    plan = Plan(GAUNTLET, entrants(["random", "greedy", "aggressive"]), 3, seed=1, openings=2)
    file = kept(tmp_path, plan)
    page = report(file, capsys)
    with Store(file) as store:
        lost = [result.number for result in store.results() if result.loser == "random"]
    assert "<h1>random against 2 opponents</h1>" in page
    assert [int(number) for number in re.findall('id="game-(\\d+)"', page)] == lost and lost


def test_lost_games_for_a_program(tmp_path, capsys):
    file = kept(tmp_path, small_plan(pairs=6))
    assert main(["arena", "report", file, "--jobs", "1", "--exact", "6", "--json"]) == 0
    lost = json.loads(capsys.readouterr().out)
    page = (tmp_path / "games-report" / "index.html").read_text()
    assert [one["game"] for one in lost] == [int(number) for number in re.findall('id="game-(\\d+)"', page)]
    assert {one["loser"] for one in lost} == {"random"}
    for one in lost:
        if one["move"]:
            assert 19 <= one["number"] <= 24 and one["move"] not in one["winning"] != []
            assert f"Move {one['number']}, {one['move']}, lost the game; {' or '.join(one['winning'])} would" in page
        else:
            assert one["why_none"].startswith("lost before move") and one["winning"] is None
    assert any(one["move"] for one in lost) and not all(one["move"] for one in lost)


def test_many_losses_are_counted_not_shown(tmp_path, capsys):
    file = kept(tmp_path, small_plan(("random", "greedy", "aggressive"), pairs=2))
    page = report(file, capsys, "--most", "2")
    assert page.count('<section class="card"') == 2 and "10 more lost games are in the file" in page
    assert len(list((tmp_path / "games-report" / "games").iterdir())) == 2
    assert "more lost games" not in report(file, capsys, "--most", "0")


def test_a_test_of_two_players(tmp_path, capsys):
    file = kept(tmp_path, sprt_plan(5), lambda pair: made_up(pair, 1))
    page = report(file, capsys)
    assert "<h1>new against old</h1>" in page and "Ratings with intervals" not in page
    assert "Elo: not enough games" in page and "not enough games to decide" in page
    assert "alpha 0.05, beta 0.05" in page


def test_an_anchor_is_zero_on_the_page_and_in_the_table(tmp_path, capsys):
    file = kept(tmp_path, small_plan(("random", "greedy", "aggressive"), pairs=2))
    page = report(file, capsys, "--anchor", "greedy")
    assert re.search(r"[123] greedy</th><td[^>]*>\+0</td><td[^>]*>fixed</td>", page)
    assert main(["arena", "table", file, "--anchor", "random"]) == 0
    assert re.search(r"^[123] random +\+0 +fixed", capsys.readouterr().out, re.MULTILINE)


def test_nobody_lost(tmp_path, capsys):
    tie = kept(tmp_path, sprt_plan(2), lambda pair: made_up(pair, 2))
    assert "new lost no games." in report(tie, capsys)


@pytest.mark.parametrize(
    "options, complaint",
    [
        (["empty.sqlite"], "contains no games yet"),
        (["missing.sqlite"], "cannot read"),
        (["empty.sqlite", "--exact", "24"], "24 is not in the range 0<=x<=20"),
        (
            ["empty.sqlite", "--anchor", "nobody"],
            "--anchor nobody: not a player in empty.sqlite; expected one of random",
        ),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(tmp_path, capsys, monkeypatch, options, complaint):
    monkeypatch.chdir(tmp_path)
    Store.make("empty.sqlite", small_plan()).close()
    assert main(["arena", "report", *options]) == 2
    said = capsys.readouterr().err
    assert complaint in said and (said.count("\n") == 1 or said.startswith("Usage: littlego arena report"))
    assert not (tmp_path / "empty-report").exists()


def test_a_folder_that_cannot_be_written_is_named(tmp_path, capsys):
    file = kept(tmp_path, small_plan(pairs=1))
    (tmp_path / "taken").write_text("mine")
    assert main(["arena", "report", file, "--output", str(tmp_path / "taken")]) == 2
    assert "cannot write" in capsys.readouterr().err and (tmp_path / "taken").read_text() == "mine"


def test_names_are_text_not_markup(tmp_path, capsys):
    names = ("<b>one</b>", "two & more", "three")
    players = tuple(player._replace(name=name) for player, name in zip(entrants(["random"] * 3), names, strict=True))
    page = report(kept(tmp_path, small_plan(pairs=1)._replace(players=players)), capsys)
    Outline(page)
    assert "<b>one" not in page and "&lt;b&gt;one&lt;/b&gt;" in page


def test_a_cross_table_is_tinted_by_how_far_a_share_is_from_a_half():
    results = pairs("one", "other", [2, 2, 2, 1]) + pairs("one", "third", [1], 4) + pairs("other", "third", [0], 5)
    table = tables_of(results, ratings(results, samples=2))[0]
    cells = {
        (row.name, head.long): cell for row in table.rows for head, cell in zip(table.heads, row.cells, strict=True)
    }
    ranks = {row.name: row.rank for row in table.rows}
    assert cells["one", ranks["other"]][:3] == ("87.5", 0.75, True)
    assert cells["other", ranks["one"]][:3] == ("12.5", 0.75, False)
    assert cells["one", ranks["third"]][:3] == ("50.0", 0.0, True)
    assert cells["one", ranks["one"]].share is None


def test_charts_are_in_the_colours_of_the_page_and_share_no_ids():
    results = field({"a": 500, "b": 0, "undefeated": 4000}, 4)
    rated = ratings(results, samples=20)
    drawn = [
        charts.rating_chart(rated),
        charts.margin_chart({"as Black": [1.5, -2.5], "as White": [0.5]}),
        charts.length_chart({"won": [24, 24, 3]}),
        charts.cpu_chart(tallies(results), ["a", "b", "undefeated"]),
    ]
    for chart in drawn:
        Outline(chart)
        assert not re.search("#[0-9a-f]{6}", chart) and "<style" not in chart and "var(--text)" in chart
    ids = re.findall(' id="([^"]*)"', "".join(drawn))
    assert ids and len(ids) == len(set(ids))


def test_leads_are_those_of_one_player_without_faults():
    results = [
        game(0, "a", "b", won=True, lead=3.5),
        game(1, "a", "b", won=False, lead=1.5),
        game(2, "a", "b", won=True, lead=9.5, fault=WHITE),
        game(4, "b", "c", won=True),
    ]
    assert charts.leads_of(results, "a") == [3.5, -1.5]
