"""Tests of the measurements of the learning player, and of their section in docs/results.md."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import pytest
from zero_networks import random_network

from littlego.cli.main import main
from littlego.dev.regenerate import figures
from littlego.dev.regenerate.figures import RUNS, RunError, refresh_figures
from littlego.dev.regenerate.zero_section import zero_section
from littlego.knowledge.files import read_solvable
from littlego.learning.zero import results
from littlego.learning.zero.results import games_of, moves_of_role
from littlego.paths import PATTERNS_TXT
from littlego.players.roles.table import choose
from littlego.players.zero.games import game_named
from littlego.players.zero.network import Network
from littlego.rules.position import PASS, opening
from littlego.rules.positionkey import pack
from littlego.rules.ruleset import LITTLE_GO
from littlego.truth.labels.labels import Labels, load, moves_left, save

pytestmark = pytest.mark.thorough

MOST_WORDS = 500
SIDES = {"as_black": {"games": 400, "wins": 400, "ties": 0}, "as_white": {"games": 400, "wins": 397, "ties": 0}}


def tournament(*opponents: str, openings: int = 0) -> dict:
    return {
        "players": [{"name": name} for name in ("zero", *opponents)],
        "pairs": 400,
        "seed": 1,
        "openings": openings,
        "pairings": [{"first": "zero", "second": one, **SIDES, "different_games": 790} for one in opponents],
    }


def kept_run() -> dict:
    return json.loads((RUNS / "zero.json").read_text())


def test_the_section_is_short_with_all_its_games():
    run = kept_run()
    run["games"] = games_of(tournament("random", "greedy", "silly", "aggressive", "qlearning", "championship"))
    run["games"] += games_of(tournament("alphabeta", openings=2)) + games_of(tournament("ours", openings=4))
    section = zero_section(run)
    assert len(section.split()) <= MOST_WORDS
    assert "| ours, 4 random moves first | 400/400 | 397/400 | 790 |" in section
    assert "    littlego arena gauntlet zero alphabeta --pairs 400 --seed 1 --openings 2\n" in section
    assert section.count("littlego arena gauntlet") == 3
    assert all(f"| `zero:{number}`" in section for number in (0, 16, 64, 256, 1024))
    run["measured"]["mined"] = run["measured"]["rules"]
    assert "| rules with mined patterns | 1.64%" in zero_section(run)
    assert "are not measured yet" in zero_section({**run, "games": []})


@pytest.mark.parametrize("damage", [lambda run: run.pop("plan"), lambda run: run["measured"].pop("far")])
def test_an_incomplete_run_is_named(tmp_path, monkeypatch, damage):
    run = kept_run()
    damage(run)
    (tmp_path / "zero.json").write_text(json.dumps(run))
    monkeypatch.setattr(figures, "RUNS", tmp_path)
    with pytest.raises(RunError, match=r"zero\.json: KeyError.*; to write the file, run `littlego dev measure-zero`"):
        refresh_figures("<!-- figures: zero -->\n<!-- end -->\n")


def test_a_role_moves_as_in_games():
    code = pack(opening(LITTLE_GO))
    move = choose("qlearning", results.SEED, opening(LITTLE_GO))
    assert moves_of_role("qlearning", [code, code]) == [25 if move == PASS else move] * 2


@cache
def load_labels() -> Labels:
    return load()


@pytest.fixture
def measure(tmp_path, monkeypatch, capsys):
    """Return a function that runs the command with few positions; it returns the exit status and the messages."""
    labels = load_labels()
    few = labels.where(np.concatenate([np.flatnonzero(moves_left(labels.codes) == left)[:40] for left in range(1, 19)]))
    save(few, tmp_path / "labels.npz")
    monkeypatch.setattr(results, "LABELS", tmp_path / "labels.npz")
    monkeypatch.setattr(results, "SIMULATIONS", (0, 2))
    monkeypatch.setattr(results, "FAR_SIMULATIONS", (0,))
    monkeypatch.setattr(results, "DOUBT_SIMULATIONS", 2)
    monkeypatch.setattr(results, "ROLES", ("qlearning",))

    def run(weights: str, *args: str) -> tuple[int, str]:
        status = main(["dev", "measure-zero", weights, "-o", str(tmp_path / "zero.json"), "-j", "1", *args])
        return status, capsys.readouterr().err

    return run


def weights(path, **about) -> str:
    plain = random_network(game_named("little-go"), 7)
    Network(plain.layers, {**plain.about, **about}).save(str(path))
    return str(path)


def test_measurements_are_kept(tmp_path, measure):
    first, other = (weights(tmp_path / f"{name}.npz", sha256=name) for name in ("first", "other"))
    status, said = measure(first, "--most", "2", "--roles", "1", "--regret", "1")
    kept = json.loads((tmp_path / "zero.json").read_text())
    assert status == 0 and "qlearning: " in said
    assert [*kept["measured"]] == ["rules", "zero:0", "zero:2", "qlearning", "far", "doubts"]
    assert set(kept["measured"]["far"]["rules"]) == {"15", "16", "17", "18"}
    assert kept["measured"]["doubts"][-1]["positions"] == 8
    assert kept["measured"]["zero:2"]["given_away"]["black"].keys() == {"share", "low", "high"}

    (tmp_path / "games.json").write_text(json.dumps(tournament("random", "greedy")))
    for _ in range(2):
        assert measure(first, "--games", str(tmp_path / "games.json")) == (0, "")
    again = json.loads((tmp_path / "zero.json").read_text())
    assert again == {**kept, "games": games_of(tournament("random", "greedy"))}

    assert measure(first, "--mined", str(PATTERNS_TXT))[0] == 0
    again = json.loads((tmp_path / "zero.json").read_text())
    mined = again["measured"]["mined"]
    assert mined.pop("patterns") == len(read_solvable(str(PATTERNS_TXT)).book.patterns)
    assert mined == again["measured"]["rules"]
    again = json.loads((tmp_path / "zero.json").read_text())

    for args, found in (((other,), "weights first"), ((first, "--part", "test"), "part working")):
        status, said = measure(*args)
        assert status == 2 and found in said and "--fresh" in said
    assert json.loads((tmp_path / "zero.json").read_text()) == again
    assert measure(other, "--fresh", "--most", "1", "--roles", "1", "--regret", "1")[0] == 0
    assert json.loads((tmp_path / "zero.json").read_text())["about"]["sha256"] == "other"


@pytest.mark.parametrize("text", ["{", "[]", '{"about": {}, "plan": {}, "measured": {}, "games": []}'])
def test_a_file_of_something_else_is_left_alone(tmp_path, measure, text):
    (tmp_path / "zero.json").write_text(text)
    status, said = measure(weights(tmp_path / "weights.npz", sha256="some"))
    assert status == 2 and "contains no measurements of the player zero" in said
    assert (tmp_path / "zero.json").read_text() == text


def test_what_cannot_be_measured_is_reported(tmp_path, measure):
    assert "name the weights file" in measure(weights(tmp_path / "plain.npz"))[1]
    (tmp_path / "games.json").write_text("[]")
    status, said = measure(weights(tmp_path / "some.npz", sha256="x"), "--games", str(tmp_path / "games.json"))
    assert status == 2 and "not the output of `arena gauntlet --json`" in said
    assert not (tmp_path / "zero.json").exists()
