"""Tests of the role qlearning: its features of a position, its table, and its strength."""

import os
import random
import re
import subprocess
import sys

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from littlego.games.boards import parse_board
from littlego.match.host import role_player
from littlego.match.protocol import Turn
from littlego.match.referee import Game
from littlego.match.series import pairings, play_game, random_opening, tally
from littlego.paths import CODE
from littlego.players.registry import UnknownPlayerError, make_player, player_for
from littlego.players.roles import qlearning
from littlego.players.roles.qlearning import LEADS, STAGES, view_position
from littlego.players.roles.table import RolePlayer
from littlego.rules.geometry import image_of, points_of, symmetry_tables
from littlego.rules.position import BLACK, PASS, WHITE, Position, from_boards, opening
from littlego.rules.ruleset import LITTLE_GO
from littlego.sandbox.interpreters import python37

TABLES = symmetry_tables(5)


def position(drawn, colour=BLACK, left=10, previous=(0, 0)):
    _, black, white = parse_board(drawn)
    return from_boards(LITTLE_GO, previous, (black, white), colour, left)


def action_at(where, point):
    """Return the action of a point."""
    return next(action for action, moves in view_position(where)[1].items() if point in moves)


def image(where, table):
    ko = image_of(where.ko, table)
    stones = image_of(where.black, table), image_of(where.white, table)
    return Position(LITTLE_GO, *stones, where.colour, ko, where.passed, where.left)


def played(seed, plies):
    """Return a position after random legal moves with captures."""
    rng, where = random.Random(seed), opening(LITTLE_GO)
    for _ in range(plies):
        legal = points_of(where.legal())
        where = where.play(rng.choice(legal) if legal else PASS)
    return where


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 23))
def test_eight_images_are_one_state_with_the_same_actions(seed, plies):
    where = played(seed, plies)
    state, actions = view_position(where)
    for table in TABLES:
        turned_state, turned = view_position(image(where, table))
        moved = {a: {m if m == PASS else table[m] for m in moves} for a, moves in actions.items()}
        assert turned_state == state and {a: set(moves) for a, moves in turned.items()} == moved


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 23))
def test_every_legal_point_is_in_one_action(seed, plies):
    where = played(seed, plies)
    moves = [move for moves in view_position(where)[1].values() for move in moves]
    assert sorted(move for move in moves if move != PASS) == points_of(where.legal())


def slow_counts(where, point):
    """Return an action's first five digits, found by playing the move and examining every stone."""
    after = where.play(point)
    sides = []
    for stones in (after.theirs, after.own):  # after the move, the mover is the opponent
        by_liberties = {1: 0, 2: 0}
        for stone in points_of(stones):
            chain, liberties, waiting = {stone}, set(), [stone]
            while waiting:
                row, column = divmod(waiting.pop(), 5)
                for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
                    near = 5 * r + c
                    if not (0 <= r < 5 and 0 <= c < 5):
                        continue
                    if stones >> near & 1 and near not in chain:
                        chain.add(near)
                        waiting.append(near)
                    elif not (after.black | after.white) >> near & 1:
                        liberties.add(near)
            if len(liberties) in by_liberties:
                by_liberties[len(liberties)] += 1
        sides.append(by_liberties)
    taken = bin(where.theirs).count("1") - bin(after.own).count("1")
    in_atari = sides[0][1] - (1 if after.ko else 0)
    two_by_two = [min((side[2] + 1) // 2, 3) for side in sides]
    return [min(taken, 3), min(in_atari, 3), two_by_two[0], min(sides[1][1], 3), two_by_two[1]]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(6, 23))
@example(3491, 11)  # one stone captures two and then has two liberties: no ko
def test_an_action_tells_what_the_move_does(seed, plies):
    where = played(seed, plies)
    for action, moves in view_position(where)[1].items():
        for move in moves:
            if move != PASS:
                assert list(map(int, action[:5])) == slow_counts(where, move)


CAPTURE = """
. X O O .
. . X X .
. . . . .
. X . . .
. O . . X
"""

EYES = """
. X . X .
X X X X X
O X X X O
O O O O O
. O . . .
"""

KO = """
. X O . .
X O . O .
. X O . .
. . . . .
. . . . .
"""


def test_drawn_actions():
    where = position(CAPTURE)
    # the move captures two; two own stones and the O below then have two liberties
    assert action_at(where, 4) == "2010100"
    assert action_at(where, 22) == "0023000"  # the move puts the O below in atari; two own stones were already in atari
    eyes = position(EYES)
    assert {action_at(eyes, point)[5] for point in (0, 2, 4)} == {"1"}
    ko = position(KO)
    assert action_at(ko, 7)[:2] == "10"  # the stone that captures the ko cannot be recaptured at once


def test_an_action_tells_where_the_move_is():
    kinds = view_position(opening(LITTLE_GO))[1]
    assert sorted(map(len, kinds.values())) == [1, 4, 4, 4, 4, 8]
    later = view_position(position(". . . . .\n" * 5, left=12))[1]
    assert sorted(map(len, later.values())) == [4, 9, 12]  # corners, inner points, edges; corners have two liberties


def test_the_state_is_the_stage_and_the_lead():
    where = position(CAPTURE)  # five stones against three: +2, minus komi 2.5
    assert view_position(where)[0] == f"{STAGES[10]}{sum(step <= -1 for step in LEADS)}"
    assert len(STAGES) == LITTLE_GO.length + 1
    states = {view_position(position(CAPTURE, left=left))[0] for left in range(2, 24, 2)}
    assert len(states) >= 5


def test_it_passes_where_that_wins_or_nothing_is_legal():
    board = """
        . X . X .
        X X X X X
        X X X X X
        X X X X X
        . X . X .
    """
    _, black, white = parse_board(board)
    passed = from_boards(LITTLE_GO, (black, white), (black, white), BLACK, 6)
    assert view_position(passed)[1]["pass"] == [PASS]
    behind = from_boards(LITTLE_GO, (black, white), (black, white), WHITE, 5)
    assert view_position(behind)[1] == {"none": [PASS]}
    assert "pass" not in view_position(position(board))[1]


def write(path, lines):
    path.write_text("\n".join([f"{qlearning.HEADER}, made by: a test", *lines, ""]))
    return str(path)


def test_the_highest_value_is_played_and_untried_actions_come_last(tmp_path):
    where = position(CAPTURE)
    state = view_position(where)[0]
    take, other = action_at(where, 4), action_at(where, 12)
    path = write(tmp_path / "take.txt", [f"{state} {take}=500 {other}=499"])
    assert qlearning.choose(where, random.Random(1), path) == 4
    low = write(tmp_path / "low.txt", [f"{state} {take}=-900"])
    assert qlearning.choose(where, random.Random(1), low) == 4
    elsewhere = write(tmp_path / "else.txt", ["99 0000000=1"])
    assert len({qlearning.choose(where, random.Random(n), elsewhere) for n in range(60)}) > 10


def test_a_table_is_read_back_as_it_was_written(tmp_path):
    table = {"21": {"b": 0.1234, "a": -0.9996}, "03": {"c": 1.0}}
    path = tmp_path / "table.txt"
    path.write_text(qlearning.format_table(table, "littlego dev train"))
    assert qlearning.load_row(str(path), "21") == {"a": -1000, "b": 123}
    assert qlearning.load_row(str(path), "03") == {"c": 1000}
    assert qlearning.load_row(str(path), "2") == {}
    assert path.read_text().splitlines()[1:] == ["03 c=1000", "21 a=-1000 b=123"]


def test_the_shipped_table_is_compact_in_order_and_says_how_it_was_made():
    with open(qlearning.TABLE, "rb") as file:
        data = file.read()
    text = data.decode("ascii")
    assert len(data) < 500_000 and text.endswith("\n") and "\r" not in text
    assert re.match(rf"{qlearning.HEADER}, made by: littlego dev train FILE --games \d+ --seed \d+ --alpha ", text)
    lines = text.splitlines()[1:]
    assert lines == sorted(lines) and len(lines) > 30
    for line in lines:
        actions = [pair.split("=")[0] for pair in line.split(" ")[1:]]
        assert actions == sorted(set(actions))
        assert all(0 <= value <= 1000 for value in qlearning.load_row(qlearning.TABLE, line.split(" ")[0]).values())


def test_it_knows_nearly_every_action_that_it_meets():
    known = met = 0
    for seed in range(60):
        where = opening(LITTLE_GO)
        for move in random_opening(LITTLE_GO, seed % 12, seed):
            where = where.play(move)
        state, actions = view_position(where)
        met += len(actions)
        known += len(actions.keys() & qlearning.load_row(qlearning.TABLE, state).keys())
    assert known > 0.95 * met


@pytest.mark.parametrize(("role", "least"), [("random", 0.9), ("greedy", 0.7)])
def test_it_beats_the_simple_roles(role, least):
    games = pairings("qlearning", role, 60, 7, 0)
    sums = tally([(game, play_game(game, player_for)) for game in games], True)
    assert sum(part.wins for part in sums.values()) >= least * 60 and not any(part.faults for part in sums.values())


@pytest.mark.parametrize("text", ["", "hello\n", f"{qlearning.HEADER}, made by: x\n21 a=1 b\n"])
def test_another_table_is_checked_before_the_game(tmp_path, text):
    path = tmp_path / "table.txt"
    path.write_text(text)
    with pytest.raises(UnknownPlayerError, match="expected"):
        make_player(f"qlearning:{path}", 1)
    with pytest.raises(UnknownPlayerError, match="cannot be read: No such file"):
        make_player(f"qlearning:{tmp_path / 'missing.txt'}", 1)


def test_another_table_plays(tmp_path):
    where = position(CAPTURE)
    path = write(tmp_path / "take.txt", [f"{view_position(where)[0]} {action_at(where, 4)}=500"])
    player = make_player(f"qlearning:{path}", 1)
    assert player.name == f"qlearning:{path}"
    assert player.choose(Turn(where, (0, 0))).move == 4


def test_a_table_that_is_trained_further_meanwhile_is_read_anew(tmp_path):
    path, position = tmp_path / "table.txt", opening(LITTLE_GO)
    state, actions = view_position(position)
    for second, best in enumerate(actions):
        values = {action: float(action == best) for action in actions}
        path.write_text(qlearning.format_table({state: values}, "made for a test"))
        os.utime(path, (second, second))
        assert qlearning.choose(position, random.Random(1), str(path)) in actions[best]


def test_a_game_is_the_same_in_process_and_over_the_file_protocol():
    inside = Game((RolePlayer("qlearning", 5), RolePlayer("random", 5)), LITTLE_GO).play()
    files = role_player("qlearning", 5), role_player("random", 5)
    outside = Game(files, LITTLE_GO).play()
    for player in files:
        player.close()
    assert outside.fault == 0 and outside.key == inside.key


GAMES = """
import random, sys
sys.path.insert(0, sys.argv[1])
from littlego.rules.position import opening, winner_of
from littlego.rules.ruleset import LITTLE_GO
from littlego.players.learners.qlearner import Pupil, QLearner, Settings
from littlego.players.roles import qlearning, table
learner, rng = QLearner(Settings(0.2, 1.0, 1.0, 0.5, 0.0, 0.5, 0.1)), random.Random(1)
for _ in range(12):
    position, sides = opening(LITTLE_GO), {1: Pupil(learner, rng), 2: Pupil(learner, rng)}
    while position.left:
        position = position.play(sides[position.colour].move(*qlearning.view_position(position)))
    for colour, pupil in sides.items():
        pupil.end(1 if winner_of(position) == colour else -1)
print(qlearning.format_table(learner.table, ""))
position = opening(LITTLE_GO)
while position.left:
    position = position.play(table.choose("qlearning", 5, position))
    print(position.black, position.white)
"""


def test_a_real_python_37_learns_and_plays_the_same():
    old = python37()
    if old is None:
        pytest.skip("set LITTLEGO_PYTHON37 to a Python 3.7 interpreter to learn and play under it")
    printed = []
    for python in (old.path, sys.executable):
        run = subprocess.run([python, "-E", "-c", GAMES, CODE], capture_output=True, text=True, timeout=60)
        assert run.returncode == 0, run.stderr
        printed.append(run.stdout)
    assert printed[0] == printed[1] and printed[0].count("\n") > 40
