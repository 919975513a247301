"""Tests that `littlego dev bench` measures correctly, and does not fail on a slow machine."""

from __future__ import annotations

import json
import os
import sys
from functools import partial

import pytest
from bubblewrap import needs_bubblewrap

from littlego.cli.main import main
from littlego.dev.bench import cli
from littlego.dev.bench.cli import (
    COLD,
    KINDS,
    WARM,
    MeasureError,
    Place,
    Slowest,
    Starts,
    cpu_of,
    measure_slowest,
    measure_stages,
    measure_starts,
    pick_evenly,
    spread,
    warn_if_busy,
)
from littlego.dev.bench.held import held_json, held_line, measure_held
from littlego.dev.bench.large import Decisions, large_json, large_line, measure_decisions, real_positions
from littlego.dev.bench.matchers import (
    Matching,
    by_planes,
    by_tables,
    matchers_json,
    matchers_lines,
    measure_matchers,
    random_positions,
)
from littlego.dev.bench.superko import Remembered, measure_superko, superko_json, superko_line
from littlego.engines.large.book import load_large
from littlego.paths import HOME, PATTERNS_TXT
from littlego.records.recorded_games import GamesError
from littlego.rules.patternfile import book_of
from littlego.rules.position import BLACK, WHITE
from littlego.rules.turn import COUNTS
from littlego.sandbox import sandbox
from littlego.sandbox.interpreters import ask_interpreter
from littlego.submission.child import STAGES
from littlego.submission.folder import player_files
from littlego.submission.turns import real_turns

RUNNING = ask_interpreter(sys.executable)
TURNS = real_turns()


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path, player_files(HOME))


def test_cpu_time_is_that_of_the_child(tmp_path):
    (tmp_path / "work").mkdir()
    program = "import time\nwhile time.process_time() < 0.2: pass"
    assert 0.2 <= cpu_of([sys.executable, "-S", "-E", "-c", program], tmp_path / "work") < 5
    assert cpu_of([sys.executable, "-S", "-E", "-c", "import time; time.sleep(0.5)"], tmp_path / "work") < 0.4


@pytest.mark.parametrize("program", ["raise SystemExit(3)", "import sys; sys.stderr.write('oh dear')"])
def test_a_child_that_fails_or_complains_is_not_measured(tmp_path, program):
    (tmp_path / "work").mkdir()
    with pytest.raises(MeasureError, match="exit status 3|oh dear"):
        cpu_of([sys.executable, "-c", program], tmp_path / "work")


def test_spread():
    assert spread([0.003, 0.001, 0.002, 0.005, 0.004]) == (5, 3.0, 2.0, 4.0)
    assert spread([0.007]) == (1, 7.0, 7.0, 7.0)


def test_ratios():
    bare, twice, four = spread([0.010, 0.012, 0.008]), spread([0.020]), spread([0.040])
    found = Starts(bare, {(BLACK, WARM): twice, (WHITE, COLD): four})
    assert (found.ratio((BLACK, WARM)), found.ratio((WHITE, COLD))) == (2.0, 4.0)
    assert cli.starts_json(found)["white cold"]["ratio"] == 4.0
    assert "2.00x" in cli.starts_lines(found)[1] and "limit 3.2x" in cli.starts_lines(found)[1]
    worst = Slowest(3, 10.0, 25.0, TURNS[5])
    assert worst.ratio == 2.5 and "2.50x" in cli.slowest_lines(worst)[0]
    assert cli.slowest_json(worst)["input"] == TURNS[5].input_text()


def test_the_slowest_is_the_largest_of_the_best_of_three(monkeypatch, place):
    times = iter([9.0] + [0.5, 0.1, 0.3] + [0.4, 0.9, 0.6] + [0.2, 0.2, 0.2])  # the first turn compiles the modules
    monkeypatch.setattr(Place, "turn", lambda self, python, given, counted=True: next(times))
    found = measure_slowest(place, RUNNING, TURNS[:3])
    assert (found.positions, found.median, found.slowest, found.given) == (3, 200.0, 400.0, TURNS[1])


def test_every_round_measures_everything_once(monkeypatch, place):
    seen = []
    monkeypatch.setattr(
        Place, "turn", lambda self, python, given, state=WARM: seen.append((given.colour, state)) or 0.02
    )
    monkeypatch.setattr(Place, "bare", lambda self, python: seen.append("bare") or 0.01)
    found = measure_starts(place, RUNNING, TURNS, 2)
    assert seen[1:] == ["bare", *KINDS] * 2
    assert all(found.ratio(kind) == 2.0 for kind in KINDS)


def test_a_cold_start_has_nothing_compiled_and_a_warm_one_has(place):
    place.turn(RUNNING, TURNS[0], WARM)
    compiled = place.players[WARM] / "__pycache__"
    assert any("littlego_engine" in path.name for path in compiled.iterdir())
    place.turn(RUNNING, TURNS[0], COLD)
    stale = place.players[COLD] / "__pycache__" / "stale.pyc"
    stale.write_bytes(b"")
    place.turn(RUNNING, TURNS[0], COLD)
    assert not stale.exists()


def test_the_stages_of_a_turn(place):
    found = measure_stages(place, RUNNING, TURNS, 1)
    assert tuple(found) == STAGES and all(part.count == 2 and part.median >= 0 for part in found.values())
    assert "decide" in cli.stages_line(found)


def test_the_count_is_there_or_is_withheld(place):
    left = []
    for counted in (True, False):
        place.turn(RUNNING, TURNS[40], counted=counted)
        left.append((place.work / COUNTS).read_text())
    assert "+" not in left[0] and "+" in left[1]


@needs_bubblewrap
def test_the_sandbox_is_measured_beside_its_lack():
    before = os.environ.get(sandbox.VARIABLE)
    found = measure_held(TURNS[:2])
    assert found.turns == 2 and min(*found.wall, *found.cpu) > 0
    assert os.environ.get(sandbox.VARIABLE) == before
    assert "medians of 2 turns: " in held_line(found) and set(held_json(found)["wall"]) == {"none", "bwrap"}


def test_a_long_history_is_measured_beside_a_short_one():
    found = measure_superko(1)
    assert found.rounds == 1 and min(found.few, found.many) > 0
    found = Remembered(7, few=2.0, many=2.5)
    assert (
        "with 500 remembered states, median of 7 rounds: 1.25 times the time with 50 (2.500 and 2.000 ms)"
        in superko_line(found)
    )
    assert superko_json(found) == {"rounds": 7, "few": 2.0, "many": 2.5, "ratio": 1.25}


def test_planes_are_measured_beside_tables_that_find_the_same():
    patterns = load_large(PATTERNS_TXT.read_bytes(), "patterns.txt")
    for position in random_positions(7, 3):
        places = by_planes(patterns.for_size(7), position)
        found = [cells for template, anchors in places for cells in template.cells(anchors)]
        assert found and found == by_tables(book_of("match", 7, patterns.patterns), position)
    measured = [Matching(19, 4, tables=30.0, planes=1.5)]
    assert matchers_lines(measured) == [
        "Matching on 19x19, medians of 4 positions: planes 20.0x as fast as tables (1.50 against 30.00 ms)"
    ]
    assert matchers_json(measured)[0]["ratio"] == 20


def test_decisions_on_positions_that_engines_played():
    positions = real_positions(3)
    assert [position.ruleset.size for position in positions] == [19] * 3
    assert len({(position.black, position.white) for position in positions}) == 3
    found = measure_decisions(positions, load_large(PATTERNS_TXT.read_bytes(), "patterns.txt"))
    median, most, slowest = found.seconds
    assert found.positions == 3 and 0 < median <= most == slowest
    with pytest.raises(GamesError, match="has no game on 6x6; run `littlego dev selfplay` to record games"):
        real_positions(3, size=6)
    found = Decisions(2000, 250, (0.05, 0.2, 0.25))
    assert "with 250 patterns in 2,000 positions: median 0.050 s (limit 0.1 s), 99% within 0.200 s" in large_line(found)
    assert large_json(found)["slowest"] == 0.25


def test_turns_are_picked_evenly():
    assert pick_evenly(TURNS, 10**6) == TURNS
    assert len(pick_evenly(TURNS, 7)) == 7 == len(set(pick_evenly(TURNS, 7)))


def test_other_work_is_mentioned(monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr(os, "getloadavg", lambda: (0.3, 0, 0))
    assert warn_if_busy() == ""
    monkeypatch.setattr(os, "getloadavg", lambda: (2.5, 0, 0))
    assert "load 2.5 on 2 cores" in warn_if_busy()


def run(*words) -> int:
    return main(["dev", "bench", *map(str, words)])


def test_the_command(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(cli, "interpreters", lambda: [RUNNING])
    monkeypatch.setattr(cli, "measure_matchers", partial(measure_matchers, sizes=(5, 7)))
    assert run("--rounds", 1, "--positions", 2, "--json", tmp_path / "figures.json") == 0
    shown = capsys.readouterr().out
    figures = json.loads((tmp_path / "figures.json").read_text())[0]
    assert {"bare", "black warm", "black cold", "white warm", "white cold"} == set(figures["starts"])
    assert f"{figures['starts']['black cold']['ratio']:.2f}x" in shown
    assert figures["slowest"]["positions"] == 2 == figures["uncounted"]["positions"]
    assert shown.count("slowest of 2 turns") == 2 and "without the stored move count" in shown
    assert all(figures["starts"][kind]["median"] > 0 for kind in figures["starts"])
    remembered = json.loads((tmp_path / "figures.json").read_text())[1]["superko"]
    assert f"{remembered['ratio']:.2f} times the time with 50" in shown
    matchers = json.loads((tmp_path / "figures.json").read_text())[2]["matchers"]
    assert [one["size"] for one in matchers] == [5, 7]
    assert all(f"planes {one['ratio']:.1f}x as fast" in shown for one in matchers)
    large = json.loads((tmp_path / "figures.json").read_text())[3]["large"]
    assert large["positions"] == 2 and f"slowest {large['slowest']:.3f} s" in shown


def test_the_slowest_may_be_left_out(capsys, monkeypatch):
    monkeypatch.setattr(cli, "interpreters", lambda: [RUNNING])
    monkeypatch.setattr(cli, "measure_matchers", partial(measure_matchers, sizes=(5, 7)))
    assert run("--rounds", 1, "--positions", 0) == 0
    assert "slowest" not in capsys.readouterr().out


def test_a_player_that_fails_is_reported(capsys, monkeypatch):
    monkeypatch.setattr(cli, "interpreters", lambda: [RUNNING])
    monkeypatch.setattr(cli, "measure_matchers", partial(measure_matchers, sizes=(5, 7)))
    files = {**player_files(HOME), "patterns.txt": b"nonsense\n"}
    monkeypatch.setattr(cli, "player_files", lambda root: files)
    assert run("--rounds", 1) == 1
    assert "playing without patterns" in capsys.readouterr().err


@pytest.mark.parametrize("words", [("--rounds", 0), ("--rounds", "many"), ("--positions", -1)])
def test_wrong_numbers(words):
    assert run(*words) == 2


def test_no_limit_is_enforced():
    assert cli.LIMITS == {WARM: 3.2, COLD: 5.5} and cli.SLOWEST_LIMIT == 3.0
