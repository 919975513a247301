"""Tests that the pages in the studio equal the pages that the commands write."""

from __future__ import annotations

import json
import shutil

import pytest
from studio_server import SMALL

from littlego.arena.plan import ROUND_ROBIN, Plan
from littlego.arena.play import play_pair
from littlego.arena.players import entrants
from littlego.arena.store import Store
from littlego.cli.arguments import ArgumentError
from littlego.cli.main import main
from littlego.editor.answers import paging
from littlego.editor.answers.games import open_game
from littlego.editor.answers.paging import arena_page, coverage_of, gallery_page, grading_game, grading_of, page_files
from littlego.editor.methods import Refusal
from littlego.editor.session import Session, Snapshot
from littlego.match.referee import record_json
from littlego.match.series import Pairing, play_game
from littlego.players.registry import player_for
from littlego.rules.position import BLACK


@pytest.fixture
def session(tmp_path, monkeypatch):
    """Return a session of the tutorial's patterns, the only file in the current folder."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "patterns.yaml"
    shutil.copy(SMALL, path)
    session = Session()
    session.take(Snapshot(1, path.read_text(encoding="utf-8"), path.name, str(path)))
    return session


@pytest.fixture
def tournament(session, tmp_path):
    """Write the file of a tournament of two games beside the patterns, and return its name."""
    plan = Plan(ROUND_ROBIN, entrants(("random", "greedy")), 1, seed=7, openings=3)
    with Store.make(tmp_path / "small.sqlite", plan) as store:
        for pair in plan.all_pairs():
            store.add(play_pair(pair))
    return "small.sqlite"


@pytest.fixture
def graded(session, tmp_path):
    """Write a grading of two games, one lost, beside the patterns, in the form of `littlego grade --json`."""
    record = record_json(play_game(Pairing(0, "random", "greedy", 1), player_for))
    stage = {"stage": 1, "points": 2.5, "most": 50, "seconds": 0.1, "limit": 90, "late": False, "roles": []}
    game = {"repetition": 1, "stage": 1, "role": "greedy", "index": 0, "colour": BLACK, "seed": 1}
    outcome = {"game": game, "won": False, "tie": False, "record": record}
    value = {
        "program": {"path": "p", "name": "my_player3.py", "runs": "Python <3.7>", "left_out": [], "remarks": []},
        "games": 2,
        "points": 2.5,
        "most": 90,
        "complete": True,
        "best": 1,
        "repetitions": [{"repetition": 1, "points": 2.5, "grading": [stage], "submit": []}],
        "outcomes": [{**outcome, "won": True}, outcome],
    }
    (tmp_path / "graded.json").write_text(json.dumps(value))
    return "graded.json"


def done(job):
    """Run a job to its end, and return its return value."""
    while True:
        try:
            next(job)
        except StopIteration as end:
            return end.value


def test_the_gallery_is_that_of_the_command_without_its_script(session, tmp_path):
    assert main(["dev", "gallery", "patterns.yaml", "-o", "pages"]) == 0
    written = (tmp_path / "pages" / "index.html").read_text(encoding="utf-8")
    page = done(gallery_page(session))["html"]
    assert "<script>" in written and "<script" not in page
    assert page == written[: written.index("<script>\n")] + written[written.index("</script>\n") + 10 :]


def test_the_command_of_the_coverage_page_has_the_options_of_the_request(session, monkeypatch):
    def surveyed(*_):  # the survey itself takes minutes
        yield {"progress": [1, 1]}
        return {}

    monkeypatch.setattr(paging, "surveyed", surveyed)
    monkeypatch.setattr(paging, "coverage_page", lambda *_: "")
    command = done(coverage_of(session, games=1, seed=5))["command"]
    assert command == "littlego coverage -f patterns.yaml --games 1 --seed 5 --html coverage.html"


def test_the_report_is_that_of_the_command_and_its_games_open(session, tournament, tmp_path):
    assert main(["arena", "report", tournament, "--exact", "0", "--jobs", "1"]) == 0
    found = done(arena_page(session, file=tournament))
    assert found["html"] == (tmp_path / "small-report" / "index.html").read_text(encoding="utf-8")
    assert found["command"] == "littlego arena report small.sqlite --exact 0 --open"
    number = int(found["html"].split('href="games/game-')[1].split(".")[0])
    assert open_game(session, file=tournament, number=number)["moves"]


def test_a_grading_links_to_the_games_that_were_not_won(session, graded):
    page = grading_of(session, file=graded)["html"]
    assert "2.5 of 90 points" in page and "run by\nPython &lt;3.7&gt;" in page
    assert 'href="games/outcome-2"' in page and "outcome-1" not in page
    assert grading_game(session, file=graded, number=2)["moves"]
    with pytest.raises(Refusal, match="no game 3; expected 1 to 2"):
        grading_game(session, file=graded, number=3)


def test_files_are_offered_by_what_they_are(session, tournament, graded, tmp_path):
    (tmp_path / "game.json").write_text('{"moves": []}')
    assert page_files(session) == {"arena": [tournament], "grading": [graded]}


def test_other_files_are_refused(session, tmp_path):
    (tmp_path / "game.json").write_text('{"moves": []}')
    (tmp_path / "broken.json").write_text('{"program": ')
    damaged = {
        name: 0 for name in ("program", "points", "most", "repetitions", "outcomes", "best", "games", "complete")
    }
    (tmp_path / "damaged.json").write_text(json.dumps(damaged))
    for name, why in (
        ("game.json", "is not a grading"),
        ("broken.json", "is not JSON"),
        ("damaged.json", "is damaged"),
    ):
        with pytest.raises(ArgumentError, match=why):
            grading_of(session, file=name)
    with pytest.raises(Refusal, match="expected a file in"):
        grading_of(session, file="../game.json")
    with pytest.raises(Refusal, match="expected the file of a tournament"):
        done(arena_page(session, file="game.json"))
