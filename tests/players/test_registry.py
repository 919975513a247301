"""Tests of players named on the command line: kinds, wrong names, files, and git revisions."""

import os
import shutil
import subprocess
from pathlib import Path
from zlib import decompress

import pytest
from small_knowledge import CUTTING

from littlego.cli.arguments import ArgumentError
from littlego.cli.main import main
from littlego.match.host import FilePlayer
from littlego.paths import OVERRIDES, PATTERNS_TXT
from littlego.players import named_books
from littlego.players.ours import OursPlayer, UncountedPlayer
from littlego.players.perfect import PerfectPlayer
from littlego.players.registry import KINDS, PlayerType, UnknownPlayerError, make_player, parse, players_help
from littlego.players.roles.table import ROLES, RolePlayer
from littlego.rules.ruleset import LITTLE_GO


@pytest.mark.parametrize("name", ROLES)
def test_roles_play_in_process(name):
    player = make_player(name, 7)
    assert isinstance(player, RolePlayer) and (player.name, player.seed) == (name, 7)


def test_ours_and_its_other_pattern_file(tmp_path):
    shutil.copy(PATTERNS_TXT, tmp_path / "patterns.txt")
    assert isinstance(make_player("ours", 0), OursPlayer)
    other = make_player(f"ours:{tmp_path}/patterns.txt", 0)
    assert other.path == f"{tmp_path}/patterns.txt" and other.name.startswith("ours:")


def test_ours_without_overrides(tmp_path):
    shutil.copy(PATTERNS_TXT, tmp_path / "patterns.txt")
    assert make_player("ours", 0).with_overrides
    alone = make_player("ours-without-overrides", 0)
    assert isinstance(alone, OursPlayer) and not alone.with_overrides and alone.name == "ours-without-overrides"
    other = make_player(f"ours-without-overrides:{tmp_path}/patterns.txt", 0)
    assert other.path == f"{tmp_path}/patterns.txt" and not other.with_overrides


def test_ours_uncounted(tmp_path):
    shutil.copy(PATTERNS_TXT, tmp_path / "patterns.txt")
    uncounted = make_player("ours-uncounted", 0)
    assert isinstance(uncounted, UncountedPlayer) and uncounted.with_overrides and uncounted.name == "ours-uncounted"
    other = make_player(f"erring:0.1:ours-uncounted:{tmp_path}/patterns.txt", 0).player
    assert isinstance(other, UncountedPlayer) and other.path == f"{tmp_path}/patterns.txt"
    assert not isinstance(make_player("ours", 0), UncountedPlayer)


def test_perfect_and_its_rate_of_errors():
    player = make_player("perfect", 5)
    assert isinstance(player, PerfectPlayer) and (player.name, player.seed, player.errors) == ("perfect", 5, 0)
    erring = make_player("perfect:0.25", 5)
    assert (erring.name, erring.errors) == ("perfect:0.25", 0.25)


@pytest.mark.parametrize("rate", ["often", "-0.1", "1.1", "nan"])
def test_perfect_errs_at_a_rate_from_0_to_1(rate):
    with pytest.raises(
        UnknownPlayerError, match=f"perfect:{rate}: '{rate}' is not a rate; expected a number from 0 to 1"
    ):
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
    assert parse(name).folder == str(tmp_path) and parse("file:python3 bot.py").folder is None
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
    "random:1",
    "human:",
    "folder",
    "",
]


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_name_says_what_is_wrong(name):
    with pytest.raises(UnknownPlayerError):
        make_player(name, 0)


@pytest.mark.parametrize(("name", "near"), [("greddy", "greedy"), ("championshp", "championship"), ("hunam", "human")])
def test_a_misspelt_name_is_put_right(name, near):
    with pytest.raises(UnknownPlayerError, match=f"unknown player '{name}'. Did you mean .*{near}.*[?]"):
        parse(name)


def test_without_its_argument_a_kind_shows_its_forms():
    with pytest.raises(UnknownPlayerError, match="expected file:ROLE or file:COMMAND or file:cwd=FOLDER:COMMAND"):
        parse("file:")


@pytest.mark.parametrize("text", ["", "damaged"])
def test_ours_without_patterns_that_can_be_read_is_refused(tmp_path, text):
    path = tmp_path / "patterns.txt"
    path.write_text(text)
    with pytest.raises(UnknownPlayerError, match=f"^ours:{path}: .*patterns.txt"):
        make_player(f"ours:{path}", 0)


def test_a_name_is_told_in_a_way_that_is_true_in_every_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text("")
    bot = tmp_path / "bot.py"
    texts = {
        "greedy": "greedy",
        "file:greedy": "file:greedy",
        "ours:my.txt": f"ours:{tmp_path}/my.txt",
        "qlearning:table": f"qlearning:{tmp_path}/table",
        "file:python3 bot.py -v": f"file:python3 {bot} -v",
        "file:cwd=own:python3 bot.py": f"file:cwd={tmp_path}/own:python3 bot.py",
        "folder:theirs": f"folder:{tmp_path}/theirs",
        "folder:slower=3:theirs": f"folder:slower=3:{tmp_path}/theirs",
        "erring:0.1:erring:0.5:file:python3 bot.py": f"erring:0.1:erring:0.5:file:python3 {bot}",
    }
    assert {name: parse(name).text for name in texts} == texts
    assert all(parse(text).text == text for text in texts.values())


def test_what_a_name_depends_on_is_told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text("")
    bot = str(tmp_path / "bot.py")
    program = parse("erring:0.5:file:python3 bot.py missing.py")
    assert program.is_program and program.files == (bot,) and program.whom.files == (bot,)
    assert (program.rate, program.whom.rate) == (0.5, 0.0)
    assert parse("folder:theirs").is_program and parse("folder:theirs").handed_in == str(tmp_path / "theirs")
    assert not parse("file:greedy").is_program and parse("file:greedy").module == parse("greedy").module
    assert [parse(name).module for name in ("alphabeta", "perfect:0.1", "ours", "my_player3")] == [
        "littlego.players.roles.alphabeta",
        "littlego.players.perfect",
        "littlego.players.ours",
        "",
    ]
    assert all(os.path.isfile(file) for role in ROLES.values() for file in role.files)
    assert str(PATTERNS_TXT) in parse("ours").files and str(PATTERNS_TXT) in parse("my_player3").files


def test_every_kind_is_in_the_help_in_80_columns():
    shown = players_help()
    assert all(f"\n  {form} " in f"\n{shown}" for kind in KINDS.values() for form, _ in kind.forms)
    assert max(map(len, shown.splitlines())) <= 78  # click indents the text by two


def completed(typed):
    return [item.value for item in PlayerType().shell_complete(None, None, typed)]


def test_names_are_completed():
    assert completed("gre") == ["greedy"] and completed("er") == ["erring:"]
    assert {"ours", "ours-uncounted", "ours-without-overrides"} == set(completed("our"))
    assert completed("erring:0.1:alp") == ["erring:0.1:alphabeta"]
    assert [item.type for item in PlayerType().shell_complete(None, None, "folder:th")] == ["file"]


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """Enter a repository whose patterns.yaml was edited after the commit, and return its folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(named_books, "FOLDER", tmp_path / "cache")
    (tmp_path / "patterns.yaml").write_text(CUTTING)
    settings = ["-c", "user.name=a", "-c", "user.email=a", "-c", "commit.gpgsign=false"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"]):
        subprocess.run(["git", *settings, *command], check=True)
    (tmp_path / "patterns.yaml").write_text(CUTTING.replace("points: 50", "points: 60"))
    return tmp_path


def points_of(player: OursPlayer) -> set[str]:
    return {pattern.points for pattern in player.book_for(LITTLE_GO).patterns}


def test_a_cached_book_is_read_again_when_its_overrides_change(tmp_path):
    path = shutil.copy(PATTERNS_TXT, tmp_path)
    overrides = Path(shutil.copy(OVERRIDES, tmp_path))
    first = named_books.read_packed_once(path, with_overrides=True)
    assert named_books.read_packed_once(path, with_overrides=True) is first
    overrides.write_bytes(overrides.read_bytes() + b"#")
    again = named_books.read_packed_once(path, with_overrides=True)
    assert again[0] == first[0] and decompress(again[1]) == overrides.read_bytes()


@pytest.mark.parametrize(
    ("name", "points", "with_overrides"),
    [
        ("patterns.yaml", "60", False),
        ("HEAD:patterns.yaml", "50", False),
        ("ours:patterns.yaml", "60", True),
        ("ours:HEAD:patterns.yaml", "50", True),
        ("ours-uncounted:HEAD:patterns.yaml", "50", True),
        ("ours-without-overrides:HEAD:patterns.yaml", "50", False),
    ],
)
def test_a_patterns_file_is_a_player_as_it_is_or_as_a_revision_has_it(name, points, with_overrides, repository):
    player = make_player(name, 0)
    assert isinstance(player, OursPlayer) and player.name == name
    assert points in points_of(player) and {"50", "60"} - {points} - points_of(player)
    assert player.with_overrides == with_overrides
    assert isinstance(make_player(f"erring:0.1:{name}", 0).player, OursPlayer)


def test_a_patterns_file_that_changes_is_another_player(repository):
    assert "60" in points_of(make_player("patterns.yaml", 0))
    (repository / "patterns.yaml").write_text(CUTTING.replace("points: 50", "points: 170"))
    assert "170" in points_of(make_player("patterns.yaml", 0))


def test_the_name_of_a_patterns_file_is_true_in_every_folder(repository, monkeypatch):
    text = parse("patterns.yaml").text
    assert text == f"ours-without-overrides:{repository}/patterns.yaml"
    assert parse("HEAD:patterns.yaml").text == "ours-without-overrides:HEAD:patterns.yaml"
    (repository / "below").mkdir()
    monkeypatch.chdir(repository / "below")
    assert "60" in points_of(make_player(text, 0))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("none.yaml", "none.yaml: there is no such file"),
        ("ours:none.txt", "ours:none.txt: there is no such file"),
        ("HEAD:none.yaml", "HEAD:none.yaml: cannot read HEAD:none.yaml: path 'none.yaml' does not exist in 'HEAD'"),
        ("HEAD:nix", "cannot read HEAD:nix: path 'nix' does not exist in 'HEAD'"),
        ("broken.yaml", "broken.yaml:1:1 P009"),
        ("no:body", "unknown player 'no:body'"),
    ],
)
def test_a_patterns_file_that_cannot_be_had_is_told_in_a_line(name, said, repository):
    (repository / "broken.yaml").write_text("broken")
    with pytest.raises(ArgumentError) as caught:
        make_player(name, 0)
    assert said in str(caught.value) and "\n" not in str(caught.value)


def test_match_plays_a_file_against_its_revision(repository, capsys):
    assert main(["match", "patterns.yaml", "HEAD:patterns.yaml", "--games", "2", "--jobs", "1"]) == 0
    assert "patterns.yaml" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["ours:--output={}:HEAD", "--output={}:HEAD", "ours:--ext-diff:HEAD", "ours:-p:x"])
def test_no_name_is_an_option_of_git(name, repository):
    written = repository / "written"
    with pytest.raises(ArgumentError, match="Not a valid object name|invalid object name|unknown player"):
        make_player(name.format(written), 0)
    assert not written.exists() and not (repository / "HEAD").exists()
