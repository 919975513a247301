"""Tests of series: random openings, pairings, planned single games, totals, faults, worker cleanup."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlego.match.referee import GameRecord, Move, Player, Reply
from littlego.match.series import (
    Pairing,
    count_kinds,
    pair_of_games,
    pairings,
    play_all,
    play_game,
    random_opening,
    tally,
)
from littlego.rules.geometry import count
from littlego.rules.position import BLACK, PASS, WHITE, opening
from littlego.rules.ruleset import LITTLE_GO, little_go
from littlego.rules.turn import least_moves_made

ROOT = Path(__file__).resolve().parents[2]


@given(st.integers(0, 10**9), st.integers(0, 12), st.sampled_from([LITTLE_GO, little_go(4), little_go(9)]))
def test_every_move_is_a_legal_placement_that_captures_nothing(seed, plies, ruleset):
    position = opening(ruleset)
    for made, move in enumerate(random_opening(ruleset, plies, seed), 1):
        assert position.legal() >> move & 1
        position = position.play(move)
        assert count(position.black) + count(position.white) == made
        assert least_moves_made(position.black, position.white, position.colour) == made


def test_the_seed_decides():
    openings = {random_opening(LITTLE_GO, 4, seed) for seed in range(50)}
    assert len(openings) > 45
    assert random_opening(LITTLE_GO, 4, 7) == random_opening(LITTLE_GO, 4, 7)


def test_it_stops_where_no_quiet_move_is_left():
    assert 4 < len(random_opening(LITTLE_GO, 100, 1)) < 25


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


class Passes(Player):
    """A player that always passes, and reports when it is closed."""

    def __init__(self, name, closed):
        self.name = name
        self.closed = closed

    def choose(self, turn):
        return Reply(PASS)

    def close(self):
        self.closed.append(self.name)


def test_a_game_is_played_as_planned_and_its_players_are_closed():
    asked, closed, seen = [], [], []

    def make(name, game):
        asked.append((name, game.seed))
        return Passes(name, closed)

    game = Pairing(3, "a", "b", 7, 2, cpu_limit=1.0)
    played = play_game(game, make, lambda before, move, after: seen.append(move.move))
    assert asked == [("a", 7), ("b", 7)] and closed == ["a", "b"]
    assert tuple(seen) == played.key == (*random_opening(LITTLE_GO, 2, 7), PASS, PASS)
    assert (played.players, played.seed, played.opening) == (("a", "b"), 7, 2)


def test_the_first_player_is_closed_where_the_second_cannot_be_made():
    closed = []

    def make(name, game):
        if name == "b":
            raise OSError("no b")
        return Passes(name, closed)

    with pytest.raises(OSError, match="no b"):
        play_game(Pairing(0, "a", "b", 0), make)
    assert closed == ["a"]


def test_one_job_plays_in_order():
    games = pairings("a", "b", 3, 0, 1)
    found = list(play_all(games, lambda name, game: Passes(name, [])))
    assert [game for game, _ in found] == games
    assert [played.players for _, played in found] == [("a", "b"), ("b", "a"), ("a", "b")]


def test_a_pair_is_two_games_of_a_series():
    assert [*pair_of_games(0, "a", "b", 5, 2), *pair_of_games(1, "a", "b", 6, 2)][:2] == [
        Pairing(0, "a", "b", 5, 2),
        Pairing(1, "b", "a", 5, 2),
    ]
    assert pair_of_games(4, "a", "b", 3_000_004, 2) == tuple(pairings("a", "b", 10, 3, 2)[8:])


def test_sums_by_colour():
    games = pairings("a", "b", 4, 0, 0)
    results = list(zip(games, [record(BLACK, 5), record(BLACK, 9), record(WHITE, -3), record(0, 0)], strict=True))
    first, second = tally(results, True), tally(results, False)
    assert [(part.games, part.wins, part.ties) for part in first.values()] == [(2, 1, 0), (2, 0, 1)]
    assert [(part.games, part.wins, part.ties) for part in second.values()] == [(2, 1, 1), (2, 1, 0)]
    ours, theirs = first[BLACK].plus(first[WHITE]), second[BLACK].plus(second[WHITE])
    assert ours.lead == -theirs.lead == (2.5 - 4.5 - 1.5 + 0) / 4
    assert (round(ours.cpu_a_move, 3), ours.slowest, ours.chosen) == (0.2, 0.3, 4)


def test_a_player_against_itself_is_counted_once_a_side():
    results = [(game, record(BLACK, 5)) for game in pairings("a", "a", 4, 0, 0)]
    for first in (True, False):
        assert {colour: part.wins for colour, part in tally(results, first).items()} == {1: 2, 2: 0}


def test_a_fault_counts_against_its_player_and_leaves_the_margin_alone():
    results = [(game, record(WHITE, 19, fault=BLACK)) for game in pairings("a", "b", 2, 0, 0)]
    first = tally(results, True)
    assert [(part.faults, part.lead) for part in first.values()] == [(1, None), (0, None)]


@pytest.mark.parametrize(
    ("texts", "shown"),
    [
        (
            ["output.txt holds '2, 2' where '2,2'", "output.txt holds '0, 4' where '0,4'"],
            "output.txt holds 'i, j' where 'i,j'",
        ),
        (["illegal move 2,2: it is suicide", "illegal move 2,3: it is suicide"], "illegal move i,j: it is suicide"),
        (
            ["used 12.5 s of CPU time; the limit is 10 s", "used 11 s of CPU time; the limit is 10 s"],
            "used more CPU time than 10 s",
        ),
        (["1,500 MB on standard error", "2 MB on standard error"], "1,500 MB on standard error"),
        (["searched 17 nodes", "searched 123.5 nodes"], "searched 17 nodes"),
        (["used 12.5 s of CPU time; the limit is 10 s"] * 2, "used 12.5 s of CPU time; the limit is 10 s"),
    ],
)
def test_texts_that_differ_in_their_numbers_are_one_kind(texts, shown):
    assert count_kinds(texts) == [(shown, 2)]


def test_texts_of_different_kinds_stay_apart_in_their_order():
    texts = ["signal 9", "signal 11", "signal 12", "exit status 1", "exit status 2", "PASS, really", "2,2", "2,2 "]
    assert count_kinds(texts) == [(text, 1) for text in texts]
    assert count_kinds(["b 1", "a", "b 2"]) == [("b 1", 2), ("a", 1)]


def test_ctrl_c_sums_up_and_stops_the_programs(tmp_path):
    slow = tmp_path / "slow.py"
    mark = f"{tmp_path}/pid-"
    slow.write_text(f"import os, time\nopen({mark!r} + str(os.getpid()), 'w')\ntime.sleep(50)\n")
    command = [
        sys.executable,
        "-m",
        "littlego",
        "match",
        f"file:python3 {slow}",
        "random",
        "--games",
        "8",
        "--jobs",
        "2",
    ]
    command += ["--sandbox", "none"]  # no sandbox, since the program writes a note outside its folder
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
