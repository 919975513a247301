"""Tests of a tournament's tables, printed in 80 columns."""

from __future__ import annotations

import re
from io import StringIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_results import BLACK_SIDE, field, game, pairs
from rich.console import Console

from littlego.arena.elo import Hypothesis
from littlego.arena.results import hero_of, tallies, total_of
from littlego.arena.tables import summary
from littlego.match.series import Tally
from littlego.rules.position import BLACK, WHITE

NO_FIGURE = re.compile(r"\bnan\b|\binf\b|None|-0\.0\b")


def printed(results, hypothesis=None, width=80, **options) -> str:
    file = StringIO()
    console = Console(file=file, width=width, markup=False)
    console.print(summary(results, hypothesis, **options))
    return "\n".join(line.rstrip() for line in file.getvalue().splitlines())


def test_a_pairing():
    text = printed(pairs("new", "old", [2] * 30 + [1] * 60 + [0] * 10), Hypothesis(0, 20), distinct=198)
    assert text.splitlines() == [
        "new against old: 200 games, 198 distinct",
        "             games won        win rate, 95% lead CPU ms slowest faults",
        "as Black       100  90 90.0% (82.6 to 94.5) +2.0    1.0     3.0      -",
        "as White       100  30 30.0% (21.9 to 39.6) -1.0   20.0    50.0      -",
        "in all         200 120 60.0% (53.1 to 66.5) +0.5   10.5    50.0      -",
        "its opponent   200  80 40.0% (33.5 to 46.9) -0.5   10.5    50.0      -",
        "Pairs of games with 0, 1/2, 1, 3/2, 2 points: 10, 0, 60, 0, 30",
        "Elo: +70.4 (+28.7 to +114.3)",
        "SPRT, H0: +0 Elo or less, H1: +20 Elo or more, alpha 0.05, beta 0.05:",
        "  log likelihood ratio +2.51 (-2.94 to 2.94): not enough games to decide",
    ]


def test_a_round_robin():
    text = printed(field({"a": 300, "b": 0, "c": -100}, 30))
    lines = text.splitlines()
    assert lines[0] == "3 players: 180 games"
    assert lines[1].split() == ["player", "Elo", "95%", "games", "Black", "White", "CPU", "ms", "slowest"]
    assert [line.split()[:2] for line in lines[2:5]] == [["1", "a"], ["2", "b"], ["3", "c"]]
    cross = [line.split() for line in lines[-3:]]
    for row in range(3):
        assert cross[row][2 + row] == "-"
        for column in range(3):
            if row != column:
                assert float(cross[row][2 + column]) + float(cross[column][2 + row]) == pytest.approx(100)


def test_a_gauntlet_has_a_line_for_each_opponent_and_no_cross_table():
    results = pairs("hero", "one", [2] * 10) + pairs("hero", "two", [1] * 10, 10) + pairs("hero", "three", [0], 20)
    text = printed(results)
    assert "hero against games" in text and "row against column" not in text
    assert re.search(r"^one +20 100.0% \(72.2 to 100.0\) 100.0% \(72.2 to 100.0\) \+2.5$", text, re.MULTILINE)
    assert re.search(r"^two +20 100.0% .* +0.0% \(0.0 to 27.8\) \+0.0$", text, re.MULTILINE)


@pytest.mark.parametrize("width", [80, 120])
def test_it_fits(width):
    names = ["ours", "ours:candidate-patterns.txt", "alphabeta", "folder:submissions/somebody/their_player"]
    for results in (field(dict.fromkeys(names, 0), 50), pairs(names[1], names[3], [1] * 5000)):
        lines = printed(results, Hypothesis(), width).splitlines()
        assert max(map(len, lines)) <= width


def test_no_games_and_one_game():
    assert printed([]) == "no games yet"
    text = printed([game(0, "one", "other", won=True)], Hypothesis())
    assert "1 game\n" in text and "Elo: not enough games" in text and "not enough games to decide" in text


def test_faults_are_named_with_an_example():
    results = pairs("one", "other", [2, 1])
    results[3] = results[3]._replace(fault=WHITE, winner=BLACK, why="White lost: gave no move")
    assert "faults cost one 1 game; the first is game 3: White lost: gave no move" in printed(results)


def test_a_field_in_two_parts_says_so():
    text = printed(field({"a": 0, "b": 0, "c": 0}, 3) + pairs("x", "y", [1, 1], 100))
    assert "Ratings are comparable only within a group" in text and "\nx, y\n" in text


@settings(deadline=None, max_examples=40)
@given(st.data())
def test_no_table_ever_shows_what_is_no_figure(data):
    names = data.draw(st.sampled_from(["ab", "abc", "abcd"]))
    some = st.tuples(st.sampled_from(names), st.sampled_from(names), st.booleans(), st.integers(0, 5))
    drawn = data.draw(st.lists(some.filter(lambda one: one[0] != one[1]), max_size=12))
    results = [
        game(number, first, second, won=won, lead=lead + 0.5, fault=BLACK if lead == 5 else 0)
        for number, (first, second, won, lead) in enumerate(drawn)
    ]
    assert not NO_FIGURE.search(printed(results, Hypothesis(), live=True))


def test_tallies_add_up_by_colour_and_opponent():
    results = pairs("one", "other", [2, 1, 0]) + pairs("one", "third", [2], 3)
    found = tallies(results)
    black = total_of(found, "one", colour=BLACK)
    assert (black.games, black.wins, black.chosen, black.slowest) == (4, 3, 48, BLACK_SIDE.slowest)
    assert total_of(found, "one", "third").wins == 2 and total_of(found, "third").wins == 0
    assert total_of(found, "one", "other").plus(total_of(found, "one", "third")) == total_of(found, "one")
    assert total_of(found, "nobody") == Tally()
    assert total_of(found, "one").lead2 == -total_of(found, "other").lead2 - total_of(found, "third").lead2 == 10
    assert total_of(found, "one").lead == 10 / 2 / 8


def test_leads_are_counted_without_faults():
    results = [game(0, "one", "other", won=True, lead=20, fault=WHITE), game(1, "one", "other", won=True, lead=1.5)]
    assert total_of(tallies(results), "one").lead == 1.5
    assert total_of(tallies(results[:1]), "one").lead is None
    assert total_of(tallies(results), "other").faults == 1


def test_a_hero_meets_everybody():
    assert hero_of(pairs("one", "a", [1]) + pairs("b", "one", [1], 1)) == "one"
    assert hero_of(pairs("one", "a", [1])) == "" == hero_of(field({"a": 0, "b": 0, "c": 0}, 1))
