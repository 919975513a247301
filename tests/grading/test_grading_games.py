"""Tests of a grading's games, which are the handout's games under the course's file protocol."""

from __future__ import annotations

import os
from collections import Counter

import pytest
from student_programs import BROKEN, FIRST_FREE, LOOSE, PASSES, RUBBISH, SLOW, UNTIDY

from littlego import cache
from littlego.grading import games as grading_games
from littlego.grading.games import MOST_GAMES, GradedGame, Task, forfeit, is_submitted, plan_games, play
from littlego.grading.kept import FORMAT, open_kept
from littlego.grading.marks import marks
from littlego.grading.report import Grading, format_grading
from littlego.match import student_programs as programs
from littlego.match.host import FilePlayer
from littlego.match.referee import Reply
from littlego.match.student_programs import Program
from littlego.players.registry import make_player
from littlego.players.roles.table import ROLES
from littlego.rules.position import BLACK, WHITE
from littlego.sandbox.workfolder import remove_tree
from littlego.stalled import StalledError


def test_the_course_plays_80_and_40_games_ten_each_colour():
    plan = plan_games(1, (1, 2), 20, 0)
    assert Counter(game.stage for game in plan) == {1: 80, 2: 40}
    of_each = Counter((game.role, game.colour) for game in plan)
    assert len(of_each) == 12 and set(of_each.values()) == {10}


def test_submit_plays_60_and_20_of_them():
    played = [game for game in plan_games(1, (1, 2), 20, 0) if is_submitted(game, 20)]
    of_each = Counter((game.role, game.colour) for game in played)
    assert of_each == {
        (role, colour): games
        for colour in (BLACK, WHITE)
        for role, games in (
            ("random", 10),
            ("greedy", 10),
            ("aggressive", 10),
            ("qlearning", 5),
            ("championship", 5),
        )
    }


def test_no_two_games_have_the_same_seed():
    games = plan_games(5, (1, 2), MOST_GAMES, 3) + plan_games(5, (1, 2), MOST_GAMES, 4)
    assert len({game.seed for game in games}) == len(games)


def test_a_seed_tells_which_game_it_is():
    assert GradedGame(2, 1, "alphabeta", 7, WHITE, 4_002_307) in plan_games(3, (1, 2), 20, 4)


def test_one_stage_alone_has_the_games_that_it_has_with_the_other():
    plan = plan_games(2, (1, 2), 20, 0)
    assert plan_games(2, (2,), 20, 0) == [game for game in plan if game.stage == 2]


@pytest.fixture
def task(tmp_path, monkeypatch):
    """Return a function that makes a Task from the text of a program."""
    monkeypatch.setattr(cache, "FOLDER", tmp_path / "cache")
    theirs = tmp_path / "theirs"
    theirs.mkdir()

    def make(text, index=0, factor=1.0, role="random", repetition=1):
        (theirs / "my_player3.py").write_text(text)
        programs._make_program.cache_clear()
        game = GradedGame(repetition, 1, role, index, WHITE if index % 2 else BLACK, 1000 + index)
        return Task(game, programs.program_at(str(theirs)), factor, str(tmp_path))

    yield make
    remove_tree(str(tmp_path))


def test_a_game_is_what_the_replay_command_plays(task):
    done = play(task(FIRST_FREE, role="greedy", index=1))
    assert done.record["black"] == "greedy" and done.record["seed"] == 1001
    again = play(task(FIRST_FREE, role="greedy", index=1))
    assert [move["move"] for move in again.record["moves"]] == [move["move"] for move in done.record["moves"]]
    white = make_player(done.record["white"], 1001)  # `littlego play` also accepts this name
    white.close()
    assert os.path.basename(white.command[-1]) == "my_player3.py"


def test_a_programs_time_is_added_up_with_the_turn_that_loses(task):
    done = play(task(PASSES))  # passes on the first move
    assert (done.won, done.fault, len(done.seconds)) == (False, False, 1)
    late = play(task(SLOW, factor=100.0, repetition=2))
    assert late.fault and not late.won and len(late.seconds) == 1 and late.seconds[0] > 12
    assert late.record["why"] == f"Black lost: used {late.seconds[0]:.2f} s of CPU time; the limit is 10 s"
    assert not play(task(SLOW, factor=10.0, repetition=2)).fault


BAD = [
    (BROKEN, "Black lost: no output.txt was written", "ModuleNotFoundError: No module named 'nothing_of_this_name'"),
    (RUBBISH, "Black lost: output.txt is not text: it begins with", ""),
]


@pytest.mark.parametrize(("text", "why", "note"), BAD)
def test_a_bad_program_loses_by_a_fault(task, text, why, note):
    done = play(task(text))
    assert done.fault and not done.won and done.record["why"].startswith(why)
    assert note in "".join(done.notes) and bool(done.notes) == bool(note)


def test_a_loose_format_is_a_warning(task):
    done = play(task(LOOSE))
    assert not done.fault and len(done.warnings) == 1 and "PASS, really" in done.warnings[0]


def test_what_a_program_leaves_is_there_in_its_next_game_of_the_repetition(task, tmp_path):
    assert [play(task(UNTIDY, index)).left for index in (0, 2)] == [["notes.dat"], ["notes.dat"]]
    play(task(UNTIDY, repetition=2))
    kept = sorted(path.read_text() for path in tmp_path.glob("*-1-1/notes.dat"))
    assert kept == ["here here "]
    assert [path.read_text() for path in tmp_path.glob("*-2-1/notes.dat")] == ["here "]
    assert not (tmp_path / "theirs" / "notes.dat").exists()


def test_a_fault_of_the_role_is_not_the_programs(task, monkeypatch):
    monkeypatch.setitem(ROLES, "random", ROLES["random"]._replace(chooser=lambda position, rng: 1 // 0))
    done = play(task(PASSES, index=1))
    assert (done.won, done.fault, done.failed) == (True, False, True)


class StallingPlayer(FilePlayer):
    """A program whose second turn is stalled for ever by other work on the machine."""

    def choose(self, turn):
        self.turns += 1
        if self.turns > 1:
            self.replayed = 3
            raise StalledError("the machine is too busy for theirs")
        return Reply(12, 0.1)


def test_a_game_that_other_work_stalls_is_void_and_nobody_loses_it(tmp_path, monkeypatch):
    monkeypatch.setattr(grading_games, "player_of", lambda program, folder, factor: StallingPlayer("theirs", ["true"]))
    (tmp_path / "built").mkdir()
    program = Program("theirs", "my_player3.py", str(tmp_path / "built"), (), "Python 3.7", (), ())
    plan = plan_games(1, [1], 2, 0)
    found = play(Task(plan[0], program, 1.0, os.path.realpath(tmp_path)))
    assert (found.won, found.fault, found.replayed, found.void) == (
        False,
        False,
        3,
        "the machine is too busy for theirs",
    )
    [mark] = marks(plan, [found])
    assert mark.played == 0 and not mark.complete
    shown = format_grading(Grading(program, "folder:theirs", 1.0, 2, [mark], [found]))
    assert "Turns replayed because of other work on the machine or a full disk: 3." in shown
    assert "Games not judged and not counted: 1; the machine is too busy for theirs." in shown
    assert "Games not won" not in shown
    remove_tree(str(tmp_path))


def test_the_limit_of_all_games_ends_a_turn(task):
    found = play(task("import time\ntime.sleep(600)")._replace(left=0.5))
    assert found.fault and "was stopped after 0.5 s on the clock; its earlier turns or games" in str(found)
    assert found.wall < 0.5 + 5  # not the 50 s of a turn


def test_a_void_game_is_not_kept_but_played_again(tmp_path):
    path, head = str(tmp_path / "kept"), {"format": FORMAT, "seed": 0, "factor": 1.0, "games": 2}
    game = plan_games(1, [1], 2, 0)[0]
    with open_kept(path, head) as kept:
        kept.add(forfeit(game, "theirs", "busy")._replace(fault=False, void="busy"))
        kept.seal()
    with open_kept(path, head) as kept:
        assert kept.outcomes == []
