"""Tests of the learning player's opinion in the board view, and of its absence in a page without numpy."""

import sys

import pytest
from gtp_talk import Talk

from littlego.editor.methods import Refusal, answer, load_answers
from littlego.editor.players import player_named
from littlego.editor.session import Session
from littlego.games.vertices import parse_vertex
from littlego.rules.ruleset import LITTLE_GO

GAME = "little-go; 2,2 1,3"
EMPTY = "/".join(["....."] * 5)


@pytest.fixture(scope="module", autouse=True)
def loaded():
    load_answers()


def test_an_opinion_equals_the_analysis_over_gtp():
    position = answer(Session(), "game", {"game": GAME})["positions"][-1]
    found = answer(Session(), "opinion", {"position": position})
    talk = Talk(player="zero")
    talk.ask_all("play b C3\nplay w D4")
    infos = [line.split() for line in talk.ask("lz-analyze b 10 maxmoves 5").split("info move ")[1:]]
    told = [(divmod(parse_vertex(words[0], 5), 5), int(words[2]), int(words[4])) for words in infos]
    shown = [(tuple(map(int, one["move"].split(","))), one["visits"], one["winrate"]) for one in found["moves"]]
    assert [(point, visits, round(10_000 * rate)) for point, visits, rate in shown] == told and len(told) == 5
    assert found["known"] and (found["player"], found["simulations"]) == ("zero", 64)
    assert (found["chosen"], found["winrate"]) == (found["moves"][0]["move"], found["moves"][0]["winrate"])
    assert 0 < sum(one["probability"] for one in found["moves"]) <= 1.000001


@pytest.mark.parametrize(
    ("position", "game"),
    [(f"{EMPTY} ruleset=match", "match-5"), ("/".join(["......."] * 7), "little-go-7")],
)
def test_another_game_has_no_opinion(position, game):
    found = answer(Session(), "opinion", {"position": position})
    assert found["why"] == f"the shipped weights are for the game little-go, not for {game}"
    assert not found["known"] and (found["chosen"], found["winrate"], found["moves"]) == ("", None, [])


def test_a_page_without_numpy_names_the_command_and_does_not_offer_the_player(monkeypatch):
    def offered():
        return [one["name"] for one in answer(Session(), "players", {})["players"]]

    before = offered()
    monkeypatch.setitem(sys.modules, "numpy", None)
    assert offered() == [name for name in before if name != "zero"] != before
    with pytest.raises(Refusal, match="run `littlego gtp --player zero`, or use an installed studio") as refused:
        answer(Session(), "opinion", {"position": EMPTY})
    assert refused.value.code == "lacking"
    for name in ("zero", "erring:0.1:zero"):
        with pytest.raises(
            Refusal, match=f"'{name}' is neither a player of this page .*`littlego studio --player {name}`"
        ):
            player_named(Session(), name, 0, LITTLE_GO)
