"""The championship player as a whole: what it draws among, that games replay, its table, and the file protocol."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest

from rules.position import BLACK, PASS, Position, opening
from rules.positionkey import LEFT_AT, pack_move, unpack
from rules.ruleset import LITTLE_GO
from tools.cache import ROOT
from tools.labels import labels
from tools.match.protocol import Turn, read_output, write_input
from tools.match.referee import Game
from tools.match.series import random_opening
from tools.opponents import championship_openings, roles
from tools.opponents.__main__ import main as one_turn
from tools.opponents.championship_openings import fill
from tools.opponents.ours import decide_at
from tools.opponents.roles import RolePlayer, championship
from tools.opponents.roles.replies import Replies, fixing_symmetries, key_of, load_replies, turn_move

PYTHON37 = os.environ.get("LITTLEGO_PYTHON37")


@pytest.fixture
def quick(monkeypatch):
    """Let a search take a hundredth of its nodes."""
    monkeypatch.setattr(championship, "NODES", 1000)


def labelled(left, number):
    known = labels.load()
    found = np.flatnonzero(known.codes >> LEFT_AT == left)[:number]
    return [(unpack(int(known.codes[k])), int(known.winning[k])) for k in found]


def test_it_keeps_every_win_that_it_reads_out():
    for position, winning in labelled(7, 20):
        move, why = championship.explain(position, random.Random(1))
        if winning:
            assert winning >> pack_move(move) & 1 and why == "won, read to the end"
        else:
            assert why.startswith("lost, read to the end")


def test_the_seed_draws_among_moves_of_equal_value():
    position = next(one for one, winning in labelled(6, 200) if winning.bit_count() > 4)
    drawn = [championship.explain(position, random.Random(seed))[0] for seed in range(12)]
    assert drawn == [championship.explain(position, random.Random(seed))[0] for seed in range(12)]
    assert len(set(drawn)) > 1 and set(drawn) <= set(championship.choices(position))


def test_a_move_depends_on_nothing_that_was_searched_before(quick):
    position = opening(LITTLE_GO)
    for move in random_opening(LITTLE_GO, 7, 3):
        position = position.play(move)
    first = championship.explain(position, random.Random(4))
    championship.explain(position.play(championship.explain(position, random.Random(5))[0]), random.Random(6))
    assert championship.explain(position, random.Random(4)) == first and "plies deep" in first[1]


def test_a_whole_game_is_legal_and_replays(quick):
    given = random_opening(LITTLE_GO, 4, 9)
    games = [Game((RolePlayer("championship", 9), RolePlayer("greedy", 9)), LITTLE_GO, given).play() for _ in range(2)]
    assert games[0].key == games[1].key and not games[0].fault
    assert all(move.reason for move in games[0].moves[4::2])


def test_where_the_clock_stops_it_the_reason_says_so(monkeypatch):
    monkeypatch.setattr(championship, "SECONDS", -1.0)
    position = opening(LITTLE_GO).play(6).play(12).play(18).play(7).play(0).play(3)
    assert championship.explain(position, random.Random(1))[1].endswith(championship.BY_CLOCK)


def test_black_begins_in_the_centre_and_says_why():
    assert championship.explain(opening(LITTLE_GO), random.Random(1)) == (12, "from the opening table")


def test_the_table_holds_every_reply_to_blacks_first_moves_and_more_of_the_strong_ones():
    known = load_replies(championship.OPENINGS)
    met = list(championship_openings.positions_met(championship_openings.WHOLE, championship_openings.any_reply, known))
    assert len(met) > 1000 and all(key_of(position)[0] in known for position in met)
    deeper = [key for key in known if int(key.split()[0]) == 24 - 2 * championship_openings.DEEP + 2]
    assert len(deeper) > 50
    assert len([key for key in known if int(key.split()[0]) % 2]) == 1  # White's answer to the centre


def test_the_tables_moves_for_black_are_the_proofs():
    table = Replies(championship.OPENINGS)
    keys = [key for key in sorted(load_replies(championship.OPENINGS)) if int(key.split()[0]) % 2 == 0]
    for key in keys[::40]:
        position = at(key)
        expected = {turn_move(decide_at(position).move, symmetry) for symmetry in fixing_symmetries(position)}
        assert len(table.moves(position)) == 1 and set(table.moves(position)) <= expected


def at(key):
    """Return the position that a line of the table is about, with Black to move."""
    left, bound, board = key.split()
    masks = [sum(1 << k for k, sign in enumerate(board.replace("|", "")) if sign == stone) for stone in "XO"]
    ko = 1 << int(bound) if bound.isdigit() else 0
    return Position(LITTLE_GO, *masks, BLACK, ko, bound == "pass", int(left))


def test_making_the_table_goes_on_where_it_was_stopped(tmp_path, monkeypatch):
    module = championship_openings
    for name, value in (("NODES", 200), ("GLANCE", 50), ("WHOLE", 1), ("LIKELY", 2), ("DEEP", 3)):
        monkeypatch.setattr(module, name, value)
    whole, stopped = tmp_path / "whole.txt", tmp_path / "stopped.txt"
    fill(str(whole))
    lines = whole.read_text().splitlines(keepends=True)
    stopped.write_text("".join(lines[:6]))
    asked = Counter()
    plain = module.best_moves
    monkeypatch.setattr(module, "best_moves", lambda position: (asked.update([1]), plain(position))[1])
    fill(str(stopped))
    assert stopped.read_text() == whole.read_text() and asked[1] == len(lines) - 6
    assert {line.split()[0] for line in lines} == {"#", "24", "23", "22", "20"}


def test_over_files_it_knows_how_many_moves_are_left(tmp_path, monkeypatch):
    """Captures take stones off the board: the stones alone would tell of fewer moves than were made."""
    seen = []

    def watching(position, rng):
        seen.append(position)
        return next(reply for reply in replies if position.legal() >> reply & 1), ""

    replies = [1, 5, 12, 18, 13]
    monkeypatch.setitem(roles.ROLES, "championship", roles.ROLES["championship"]._replace(chooser=watching))
    monkeypatch.chdir(tmp_path)
    position, before = opening(LITTLE_GO), (0, 0)
    for theirs in (0, 24, 20):
        before, position = (position.black, position.white), position.play(theirs)
        write_input(str(tmp_path), Turn(position, before))
        assert one_turn(["championship"]) == 0
        move = read_output(str(tmp_path), 5).move
        before, position = (position.black, position.white), position.play(move)
    assert [one.left for one in seen] == [23, 21, 19]
    assert not position.black & 1  # the corner was captured
    assert PASS not in replies


REPLIES = """
import sys
sys.path.insert(0, sys.argv[1])
from rules.position import opening
from rules.ruleset import LITTLE_GO
from tools.opponents import roles
from tools.opponents.roles import championship
championship.NODES = 2000
position = opening(LITTLE_GO)
for _ in range(24):
    move = roles.choose(sys.argv[2], 5, position)
    print(move)
    position = position.play(move)
"""


@pytest.mark.parametrize("role", ["championship", "real-championship", "alphabeta"])
def test_a_real_python_37_plays_the_same_game(role):
    if not PYTHON37:
        pytest.skip("set LITTLEGO_PYTHON37 to a Python 3.7 interpreter to run the roles under it")
    games = []
    for python in (PYTHON37, sys.executable):
        run = subprocess.run([python, "-E", "-c", REPLIES, str(ROOT), role], capture_output=True, text=True)
        games.append(run.stdout)
        assert run.returncode == 0, run.stderr
    assert games[0] == games[1] and games[0].count("\n") == 24
