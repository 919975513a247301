"""Series of games: pairings, sums, and workers that clean up when stopped."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from rules.position import BLACK, WHITE
from rules.ruleset import LITTLE_GO
from tools.match.referee import GameRecord, Move
from tools.match.series import pairings, tally

ROOT = Path(__file__).resolve().parents[3]


def record(winner, lead2, fault=0, moves=(0.1, 0.3)):
    played = tuple(Move(n + 1, 1 + n % 2, n, cpu, "", "odd" if n == 1 else "", "") for n, cpu in enumerate(moves))
    return GameRecord(LITTLE_GO, ("a", "b"), 0, 0, played, winner, "", lead2, fault, "", 0, 0)


def test_colours_alternate_and_pairs_share_seed_and_opening():
    games = pairings("a", "b", 5, 3, 2)
    assert [(game.black, game.seed) for game in games] == [
        ("a", 3000000),
        ("b", 3000000),
        ("a", 3000001),
        ("b", 3000001),
        ("a", 3000002),
    ]


def test_series_of_different_seeds_share_no_game():
    one, other = ({game.seed for game in pairings("a", "b", 1000, seed, 0)} for seed in (1, 2))
    assert not one & other


def test_sums_by_colour():
    games = pairings("a", "b", 4, 0, 0)
    results = list(zip(games, [record(BLACK, 5), record(BLACK, 9), record(WHITE, -3), record(0, 0)], strict=True))
    first, second = tally(results, True), tally(results, False)
    assert (first.games, first.wins, first.ties) == ({1: 2, 2: 2}, {1: 1, 2: 0}, 1)
    assert (second.wins, second.ties) == ({1: 1, 2: 1}, 1)
    assert first.margin == -second.margin == (2.5 - 4.5 - 1.5 + 0) / 4
    assert (round(first.seconds, 3), first.slowest) == (0.2, 0.3)
    assert (first.warnings, second.warnings) == (2, 2)


def test_a_player_against_itself_is_counted_once_a_side():
    results = [(game, record(BLACK, 5)) for game in pairings("a", "a", 4, 0, 0)]
    assert tally(results, True).wins == {1: 2, 2: 0} == tally(results, False).wins


def test_a_fault_counts_against_its_player_and_leaves_the_margin_alone():
    results = [(game, record(WHITE, 19, fault=BLACK)) for game in pairings("a", "b", 2, 0, 0)]
    first = tally(results, True)
    assert (len(first.faults), first.margin) == (1, 0.0)


def test_ctrl_c_sums_up_and_stops_the_programs(tmp_path):
    slow = tmp_path / "slow.py"
    mark = f"{tmp_path}/pid-"
    slow.write_text(f"import os, time\nopen({mark!r} + str(os.getpid()), 'w')\ntime.sleep(50)\n")
    command = [sys.executable, "-m", "tools", "match", f"file:python3 {slow}", "random", "--games", "8", "--jobs", "2"]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    host = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True, env=environment)
    _until(lambda: len(list(tmp_path.glob("pid-*"))) >= 2)
    host.send_signal(signal.SIGINT)
    _, errors = host.communicate(timeout=20)
    assert host.returncode == 130 and "interrupted after 0 of 8 games" in errors and "Traceback" not in errors
    pids = [int(path.name[4:]) for path in tmp_path.glob("pid-*")]
    _until(lambda: not any(_alive(pid) for pid in pids))
    _until(lambda: not list(tmp_path.glob("littlego-*")))


def _alive(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def _until(done, seconds=20):
    stop = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < stop, "it took too long"
        time.sleep(0.02)
