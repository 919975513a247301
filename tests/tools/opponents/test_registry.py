"""Players by name."""

import os

import pytest

from tools.match.host import FilePlayer
from tools.opponents.ours import OursPlayer, tell_once
from tools.opponents.perfect import PerfectPlayer
from tools.opponents.registry import UnknownPlayer, make_player, own_folder
from tools.opponents.roles import RolePlayer


@pytest.mark.parametrize(
    "name", ["random", "greedy", "aggressive", "alphabeta", "qlearning", "championship", "real-championship"]
)
def test_roles_play_in_process(name):
    player = make_player(name, 7)
    assert isinstance(player, RolePlayer) and (player.name, player.seed) == (name, 7)


def test_ours_and_its_other_pattern_file(tmp_path):
    (tmp_path / "patterns.txt").write_text("")
    assert isinstance(make_player("ours", 0), OursPlayer)
    other = make_player(f"ours:{tmp_path}/patterns.txt", 0)
    assert other.path == f"{tmp_path}/patterns.txt" and other.name.startswith("ours:")


def test_ours_without_overrides(tmp_path):
    (tmp_path / "patterns.txt").write_text("")
    assert make_player("ours", 0).with_overrides
    alone = make_player("ours-without-overrides", 0)
    assert isinstance(alone, OursPlayer) and not alone.with_overrides and alone.name == "ours-without-overrides"
    other = make_player(f"ours-without-overrides:{tmp_path}/patterns.txt", 0)
    assert other.path == f"{tmp_path}/patterns.txt" and not other.with_overrides


def test_the_former_name_of_ours_without_overrides_names_its_successor(capsys):
    tell_once.cache_clear()
    alone = make_player("erring:0.1:ours-without-exceptions", 0).player
    assert isinstance(alone, OursPlayer) and not alone.with_overrides and alone.name == "ours-without-overrides"
    assert "ours-without-exceptions is called ours-without-overrides now" in capsys.readouterr().err


def test_perfect_and_its_rate_of_errors():
    player = make_player("perfect", 5)
    assert isinstance(player, PerfectPlayer) and (player.name, player.seed, player.errors) == ("perfect", 5, 0)
    erring = make_player("perfect:0.25", 5)
    assert (erring.name, erring.errors) == ("perfect:0.25", 0.25)


@pytest.mark.parametrize("rate", ["often", "-0.1", "1.1", "nan"])
def test_perfect_errs_at_a_rate_from_0_to_1(rate):
    with pytest.raises(UnknownPlayer, match=f"perfect:{rate}: '{rate}' is no rate; expected a number from 0 to 1"):
        make_player(f"perfect:{rate}", 0)


def test_our_program_runs_in_a_fresh_folder():
    black, white = make_player("my_player3", 3), make_player("file:greedy", 3)
    assert black.folder != white.folder and os.path.isdir(black.folder)
    assert white.command[-3:] == ["greedy", "--seed", "3"]
    black.close()
    white.close()
    assert not os.path.exists(black.folder) and not os.path.exists(white.folder)


def test_a_shared_folder_stays(tmp_path):
    black, white = make_player("my_player3", 3, str(tmp_path)), make_player("file:greedy", 3, str(tmp_path))
    assert black.folder == white.folder == str(tmp_path)
    black.close()
    white.close()
    assert tmp_path.is_dir()


def test_a_commands_files_are_found_from_a_fresh_folder(tmp_path, monkeypatch):
    (tmp_path / "bot.py").write_text("")
    monkeypatch.chdir(tmp_path)
    player = make_player("file:python3 bot.py --fast", 0)
    assert isinstance(player, FilePlayer)
    assert player.command == ["python3", str(tmp_path / "bot.py"), "--fast"]
    player.close()


def test_a_command_in_its_own_folder_is_left_as_it_is(tmp_path, monkeypatch):
    (tmp_path / "bot.py").write_text("")
    monkeypatch.chdir(tmp_path)
    name = f"file:cwd={tmp_path}:python3 bot.py"
    player = make_player(name, 0)
    assert (player.command, player.folder) == (["python3", "bot.py"], str(tmp_path))
    assert own_folder(name) == str(tmp_path) and own_folder("file:python3 bot.py") is None
    player.close()
    assert (tmp_path / "bot.py").exists()


WRONG = [
    "nobody",
    "ours:missing.txt",
    "ours:",
    "ours-without-overrides:missing.txt",
    "ours-without",
    "file:",
    "file:cwd=missing:python3 bot.py",
    "file:cwd=.:",
    "file:'open",
    "",
]


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_name_says_what_is_wrong(name):
    with pytest.raises(UnknownPlayer):
        make_player(name, 0)
