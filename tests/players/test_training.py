"""Tests of training: interrupted runs, checkpoints, the curve of wins, and error messages."""

import json
import os
import re
import signal

import pytest

from littlego.cli.main import main
from littlego.players import training
from littlego.players.learners.qlearner import QLearner
from littlego.players.roles import qlearning
from littlego.players.training import DEFAULTS, CheckpointError, Plan, Training, load_training
from littlego.rules.position import PASS

SMALL = ["--curve-every", "40", "--curve-games", "4", "--seed", "3"]


def command(path, games, *more):
    return ["dev", "train", str(path), "--games", str(games), *SMALL, *more]


def test_the_learner_of_tictactoe_is_used_as_it_is():
    training = Training(Plan(DEFAULTS, 100, 1))
    assert type(training.learner) is QLearner
    training.play_one()
    values = [value for row in training.learner.table.values() for value in row.values()]
    assert len(values) > 20 and DEFAULTS.win * DEFAULTS.alpha <= max(values) <= DEFAULTS.win


def test_the_coaches_are_met_in_both_seats(monkeypatch):
    met = []

    def noted(pupil, coach, rng):
        met.append(None if pupil else coach)
        return lambda position: PASS

    monkeypatch.setattr("littlego.players.training._mover", noted)
    training = Training(Plan(DEFAULTS, 100, 1))
    for _ in range(6):
        training.play_one()
    own = (None, None)
    games = list(zip(met[::2], met[1::2], strict=True))
    assert games[:2] == [own, own] and games[2:4] == [("random", None), (None, "random")]
    assert games[4:] == [("aggressive", None), (None, "aggressive")]


def test_a_game_depends_on_plan_number_and_table_alone():
    def table(seed, games):
        training = Training(Plan(DEFAULTS, 100, seed))
        for _ in range(games):
            training.play_one()
        return training.learner.table

    assert table(1, 5) == table(1, 5) != table(2, 5)


def test_alpha_cools():
    training = Training(Plan(DEFAULTS, 100, 1), games=100)
    training.play_one()
    assert training.learner.settings.alpha == DEFAULTS.alpha / 2


def test_stopped_and_continued_gives_the_same_bytes(tmp_path, capsys):
    assert main(command(tmp_path / "whole.txt", 100)) == 0
    whole = capsys.readouterr().out
    for games in (1, 40, 41, 100):
        assert main(command(tmp_path / "parts.txt", games)) == 0
    parts = capsys.readouterr().out
    files = [(tmp_path / name).read_bytes() for name in ("whole.txt", "parts.txt")]
    assert files[0] == files[1]
    lines = re.findall(
        r"^ +(\d+) training games: wins .*% against random, .*% against greedy, of 4 games each$", whole, re.M
    )
    assert lines == ["0", "40", "80", "100"]
    assert set(whole.splitlines()) <= set(parts.splitlines())  # the run in parts also measures at the end of each part


def test_ctrl_c_ends_the_game_first_and_keeps_everything(tmp_path, capsys, monkeypatch):
    assert main(command(tmp_path / "whole.txt", 100)) == 0
    play_one = Training.play_one

    def interrupted(training):
        if training.games == 57:
            os.kill(os.getpid(), signal.SIGINT)
        play_one(training)

    monkeypatch.setattr(Training, "play_one", interrupted)
    parts = tmp_path / "parts.txt"
    assert main(command(parts, 100)) == 130
    shown = capsys.readouterr()
    assert "stopped after 58 of 100 games" in shown.err and not parts.exists()
    assert load_training(f"{parts}.checkpoint").games == 58
    monkeypatch.undo()
    assert main(command(parts, 100)) == 0
    assert "resuming after 58 games" in capsys.readouterr().out
    assert parts.read_bytes() == (tmp_path / "whole.txt").read_bytes()


def test_a_stop_while_measuring_loses_no_point_of_the_curve(tmp_path, capsys, monkeypatch):
    wins = Training._wins

    def interrupted(training, rival, number):
        if (training.games, rival, number) == (40, "greedy", 1):
            os.kill(os.getpid(), signal.SIGTERM)
        return wins(training, rival, number)

    monkeypatch.setattr(Training, "_wins", interrupted)
    path, before = tmp_path / "table.txt", signal.getsignal(signal.SIGINT)
    assert main(command(path, 60)) == 128 + signal.SIGTERM
    monkeypatch.undo()
    file = tmp_path / "curve.json"
    assert main(command(path, 60, "--json", str(file))) == 0
    assert [point["games"] for point in json.loads(file.read_text())["curve"]] == [0, 40, 60]
    assert signal.getsignal(signal.SIGINT) is before


def test_a_checkpoint_is_read_back_exactly(tmp_path):
    training = Training(Plan(DEFAULTS, 100, 1))
    for _ in range(20):
        training.play_one()
    for _ in training.measure(2):
        pass
    path = str(tmp_path / "kept")
    training.save(path)
    again = load_training(path)
    assert (again.plan, again.games, again.curve) == (training.plan, 20, training.curve)
    assert again.learner.table == training.learner.table


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"format": 1}', '{"format": 1, "plan": []}', "\xff", '{"format": 99, "plan": []}']
)
def test_what_is_no_checkpoint_is_told_apart(tmp_path, text):
    path = tmp_path / "kept"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(CheckpointError):
        load_training(str(path))


def test_complaints_leave_the_training_alone(tmp_path, capsys):
    path = tmp_path / "table.txt"
    main(command(path, 10))
    kept = (tmp_path / "table.txt.checkpoint").read_bytes()
    capsys.readouterr()
    wrong = [
        (command(path, 5), "has 10 games already, more than the requested 5"),
        (command(path, 20, "--alpha", "0.3"), "has other options: --seed 3 --alpha 0.2"),
        (command(tmp_path / "no" / "table.txt", 5), "cannot write"),
    ]
    for args, message in wrong:
        assert main(args) == 2
        error = capsys.readouterr().err
        assert message in error and error.count("\n") == 1, error
    assert (tmp_path / "table.txt.checkpoint").read_bytes() == kept
    assert main(command(path, 20, "--alpha", "0")) == 2 and "'--alpha'" in capsys.readouterr().err
    (tmp_path / "notes.txt").write_text("precious")
    assert main(command(tmp_path / "notes.txt", 5)) == 2
    error = capsys.readouterr().err
    assert "is not a table of `littlego dev train`" in error and "the file was not overwritten" in error
    assert (tmp_path / "notes.txt").read_text() == "precious" and not (tmp_path / "notes.txt.checkpoint").exists()
    (tmp_path / "table.txt.checkpoint").write_text("gone")
    assert main(command(path, 10)) == 2
    assert "not a checkpoint of `littlego dev train`" in capsys.readouterr().err


def test_json_alone_on_standard_output(tmp_path, capsys):
    assert main(command(tmp_path / "table.txt", 40, "--json")) == 0
    value = json.loads(capsys.readouterr().out)
    assert value["games"] == 40 and value["plan"]["seed"] == 3
    assert [point["games"] for point in value["curve"]] == [0, 40]
    assert set(value["curve"][0]["won"]) == {"random", "greedy"}


@pytest.mark.slow
def test_training_teaches():
    """Train on 2,000 games. For a quicker test that the learner learns, see test_tictactoe."""
    training = Training(Plan(DEFAULTS, 2000, 2))
    for games in (0, 2000):
        while training.games < games:
            training.play_one()
        for _ in training.measure(100):
            pass
    before, after = training.curve
    assert after.won[0] > before.won[0] + 13 and after.won[1] > before.won[1] + 13


def test_a_trained_table_says_which_command_makes_it(tmp_path):
    path, again = tmp_path / "table.txt", tmp_path / "again.txt"
    main(command(path, 30, "--gamma", "0.9"))
    made_by = path.read_text().split("\n")[0].partition("made by: littlego ")[2]
    assert main(made_by.replace("FILE", str(again)).split()) == 0
    assert again.read_bytes() == path.read_bytes()


@pytest.mark.slow
def test_the_shipped_table_is_what_its_command_makes(tmp_path):
    with open(qlearning.TABLE, "rb") as file:
        shipped = file.read()
    again = tmp_path / "again.txt"
    made_by = shipped.decode("ascii").split("\n")[0].partition("made by: littlego ")[2]
    assert main(made_by.replace("FILE", str(again)).split()) == 0
    assert again.read_bytes() == shipped
    assert f"--games {training.GAMES} --seed {training.SEED} " in made_by
