"""Tests of the championship player: its board, both searches, random choices, table, file protocol."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from brute_force import playout

from littlego.cache import ROOT
from littlego.match.protocol import Turn, read_output, write_input
from littlego.match.referee import Game
from littlego.match.series import random_opening
from littlego.players import championship_openings
from littlego.players.__main__ import main as one_turn
from littlego.players.championship_openings import fill
from littlego.players.ours import decide_at
from littlego.players.roles import championship, table
from littlego.players.roles.championship import (
    CHAINS,
    FULL,
    WON,
    Exact,
    Meter,
    Search,
    SearchLimitError,
    around,
    children,
    evaluate,
    known_result,
    node_of,
    read_out,
)
from littlego.players.roles.replies import find_replies, fixing_symmetries, key_of, load_replies, turn_move
from littlego.players.roles.table import RolePlayer
from littlego.rules.geometry import count, image_of, points_of, symmetry_tables
from littlego.rules.position import BLACK, PASS, Position, opening
from littlego.rules.positionkey import LEFT_AT, pack_move, unpack
from littlego.rules.ruleset import LITTLE_GO
from littlego.truth.labels import labels

POSITIONS = [position for seed in range(30) for position in playout(seed, 0.05)]
LIKED = dict((1 << point, 0) for point in range(25))
UNLIMITED = 1 << 40


def meter(nodes=UNLIMITED):
    return Meter(nodes, float("inf"))


def test_the_moves_are_those_of_the_rules():
    kos = 0
    for position in POSITIONS:
        found = {move: rest for *rest, move in children(position.own, position.theirs, position.ko, LIKED)}
        expected = {}
        for point in points_of(position.legal()):
            after = position.play(point)
            won = after.theirs.bit_count() - after.own.bit_count() - position.lead()
            expected[1 << point] = [after.own, after.theirs, after.ko, won]
        assert found == expected
        kos += any(rest[2] for rest in found.values())
    assert kos > 20


def test_chains_are_whole_with_their_neighbours_and_sizes():
    for position in POSITIONS[::5]:
        found = CHAINS[position.own]
        assert sum(chain for chain, _, _ in found) == position.own
        for chain, near, size in found:
            assert size == count(chain) and near == around(chain) & ~chain and not near & position.own


def test_what_was_liked_comes_first_among_equals():
    first = children(0, 0, 0, {**LIKED, 1 << 17: 3})[0]
    assert first[-1] == 1 << 17


def labelled_throughout(left, number):
    known = labels.load()
    found = np.flatnonzero(known.codes >> LEFT_AT == left)[:: max(1, 4000 // number)][:number]
    return [(unpack(int(known.codes[k])), int(known.winning[k])) for k in found]


@pytest.mark.parametrize(("left", "number"), [(4, 60), (7, 60), (9, 40), (11, 12)])
def test_who_wins_is_what_the_solver_says(left, number):
    won = 0
    for position, winning in labelled_throughout(left, number):
        assert node_of(position).won(Exact(meter())) == bool(winning)
        won += bool(winning)
    assert won


@pytest.mark.parametrize(("left", "number"), [(3, 60), (6, 40), (8, 25)])
def test_the_moves_that_keep_a_win_are_all_found(left, number):
    for position, winning in labelled_throughout(left, number):
        moves, why = read_out(node_of(position), meter())
        if winning:
            placements = winning & FULL
            assert sum(moves) == (placements or winning) and why == "won, searched to the end of the game"


def test_settled_is_never_wrong():
    told = 0
    for left in (5, 8, 10, 12):
        for position, winning in labelled_throughout(left, 300):
            known = known_result(position.own, position.theirs, left, position.lead())
            assert known is None or known == bool(winning)
            told += known is not None
    assert told > 20


def test_a_lost_position_is_left_with_the_fewest_winning_replies():
    lost = [position for left in (3, 4, 6) for position, winning in labelled_throughout(left, 400) if not winning]
    assert len(lost) > 10
    for position in lost[:40]:
        moves, why = read_out(node_of(position), meter())
        replies = {move: winning_replies(position, move) for move in [*points_of(position.legal()), PASS]}
        least = min(replies.values())
        assert why == f"lost, searched to the end of the game; winning replies: {least}"
        assert all(replies[PASS if move > FULL else move.bit_length() - 1] == least for move in moves)


def winning_replies(position, move):
    if position.ends_with(move):
        return 99
    after = position.play(move)
    replies = [*points_of(after.legal()), PASS]
    return sum(1 for reply in replies if not won_after(after, reply))


def won_after(position, move):
    """Return whether, after a move, the side to move wins."""
    if position.ends_with(move):
        lead = node_of(position.play(move)).lead
        return lead >= (-2 if position.left % 2 == 0 else 3)
    return node_of(position.play(move)).won(Exact(meter()))


def test_too_few_nodes_stop_the_search():
    position = next(one for one in POSITIONS if one.left == 12)
    with pytest.raises(SearchLimitError):
        node_of(position).won(Exact(meter(20)))
    assert read_out(node_of(position), meter(20)) is None


def test_the_clock_stops_it_too_and_says_so():
    late = Meter(UNLIMITED, -1)
    search = Search(late)
    moves, _ = search.best(0, 0, 0, True, 24)
    assert late.late and 0 < search.depth < 24 and moves


def plain(position, depth):
    """Return the value that alpha-beta must find, by a search without pruning."""
    left, lead = position.left, position.lead()
    need = -2 if left % 2 else 3
    if left == 0 or position.passed and lead >= need:
        return WON if lead >= need else -WON
    known = known_result(position.own, position.theirs, left, lead)
    if known is not None:
        return WON if known else -WON
    if depth == 0:
        return evaluate(position.own, position.theirs, left, lead)
    moves = points_of(position.legal()) + ([] if position.passed else [PASS])
    return max([-plain(position.play(move), depth - 1) for move in moves], default=-WON)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_pruning_changes_no_value(depth):
    chosen = [one for one in POSITIONS if 1 < one.left < 16][:: 12 * depth * depth]
    assert len(chosen) > 3
    for one in chosen:
        found = Search(meter()).value(
            one.own, one.theirs, one.ko, one.passed, one.left, one.lead(), depth, -WON - 1, WON + 1
        )
        assert found == plain(one, depth)


def test_all_moves_of_the_highest_value_are_found():
    for one in [one for one in POSITIONS if 3 < one.left < 14 and not one.passed][::25]:
        moves, value = Search(meter()).best(one.own, one.theirs, one.ko, one.passed, one.left, deepest=2)
        values = {move: -plain(one.play(move), 1) for move in [*points_of(one.legal()), PASS]}
        assert value == max(values.values())
        if abs(value) < WON:
            assert {PASS if move > FULL else move.bit_length() - 1 for move in moves} == {
                move for move in values if values[move] == value
            }


def test_the_evaluation_knows_no_direction():
    for one in POSITIONS[::20]:
        values = {
            evaluate(image_of(one.own, table), image_of(one.theirs, table), one.left, one.lead())
            for table in symmetry_tables(5)
        }
        assert len(values) == 1


def test_stones_in_atari_are_worth_less():
    own, attackers, elsewhere = 1 << 12, 1 << 7 | 1 << 11 | 1 << 13, 1 << 6 | 1 << 8 | 1 << 18
    assert evaluate(own, attackers, 14, -2) < evaluate(own, elsewhere, 14, -2)


PYTHON37 = os.environ.get("LITTLEGO_PYTHON37")


@pytest.fixture
def quick(monkeypatch):
    """Reduce the node limit of a search to a hundredth."""
    monkeypatch.setattr(championship, "NODES", 1000)


def labelled(left, number):
    known = labels.load()
    found = np.flatnonzero(known.codes >> LEFT_AT == left)[:number]
    return [(unpack(int(known.codes[k])), int(known.winning[k])) for k in found]


def test_it_keeps_every_win_that_it_reads_out():
    for position, winning in labelled(7, 20):
        move, why = championship.explain(position, random.Random(1))
        if winning:
            assert winning >> pack_move(move) & 1 and why == "won, searched to the end of the game"
        else:
            assert why.startswith("lost, searched to the end of the game")


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
    # a single entry for White, its answer to the centre
    assert len([key for key in known if int(key.split()[0]) % 2]) == 1


def test_the_tables_moves_for_black_are_the_proofs():
    keys = [key for key in sorted(load_replies(championship.OPENINGS)) if int(key.split()[0]) % 2 == 0]
    for key in keys[::40]:
        position = at(key)
        expected = {turn_move(decide_at(position).move, symmetry) for symmetry in fixing_symmetries(position)}
        moves = find_replies(championship.OPENINGS, position)
        assert len(moves) == 1 and set(moves) <= expected


def at(key):
    """Return the position of a key in the table, with Black to move."""
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
    """Captures remove stones, so the number of stones is lower than the number of moves."""
    seen = []

    def watching(position, rng):
        seen.append(position)
        return next(reply for reply in replies if position.legal() >> reply & 1), ""

    replies = [1, 5, 12, 18, 13]
    monkeypatch.setitem(table.ROLES, "championship", table.ROLES["championship"]._replace(chooser=watching))
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
from littlego.rules.position import opening
from littlego.rules.ruleset import LITTLE_GO

from littlego.players.roles import championship, table
championship.NODES = 2000
position = opening(LITTLE_GO)
for _ in range(24):
    move = table.choose(sys.argv[2], 5, position)
    print(move)
    position = position.play(move)
"""


@pytest.mark.parametrize("role", ["championship", "real-championship", "alphabeta"])
def test_a_real_python_37_plays_the_same_game(role):
    if not PYTHON37:
        pytest.skip("set LITTLEGO_PYTHON37 to a Python 3.7 interpreter to run the roles under it")
    games = []
    for python in (PYTHON37, sys.executable):
        run = subprocess.run([python, "-E", "-c", REPLIES, str(ROOT / "tools"), role], capture_output=True, text=True)
        games.append(run.stdout)
        assert run.returncode == 0, run.stderr
    assert games[0] == games[1] and games[0].count("\n") == 24
