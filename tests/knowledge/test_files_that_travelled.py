"""Tests that CR LF and byte order marks change no file's meaning, and merge conflicts are reported."""

from __future__ import annotations

import pytest

from littlego.cli.main import main
from littlego.engines.books import book_in, describe_stale, overrides_beside
from littlego.engines.choosing import load_book
from littlego.files import find_conflicts
from littlego.knowledge import overrides
from littlego.knowledge.files import read_knowledge, read_patterns_file
from littlego.paths import HOME
from littlego.players.gtp.protocol import parse_request
from littlego.rules.overrides import OverridesError
from littlego.rules.ruleset import LITTLE_GO
from littlego.submission.folder import check_overrides, check_patterns, player_files

NAMES = "patterns.yaml", "patterns.txt", "overrides.txt"
BOM = b"\xef\xbb\xbf"
BOARD = b". . . . .\n. . X . .\n. X O X .\n. . . . .\n. . . . .\n"


@pytest.fixture(params=[(b"", b"\r\n"), (BOM, b"\n"), (BOM, b"\r\n")], ids=["crlf", "mark", "both"])
def folder(request, tmp_path, monkeypatch):
    """Enter and return a folder with our files and a board, with CR LF, byte order marks or both added."""
    mark, end = request.param
    for name, data in {**{name: (HOME / name).read_bytes() for name in NAMES}, "board.txt": BOARD}.items():
        (tmp_path / name).write_bytes(mark + data.replace(b"\n", end))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_compiled_patterns_are_read_and_fresh(folder):
    compiled, ours = folder / "patterns.txt", HOME / "patterns.txt"
    assert read_patterns_file(compiled).compiled == ours.read_bytes()
    assert book_in(str(compiled)).cells == load_book(ours.read_bytes(), "ours").cells
    assert describe_stale(str(compiled)) == ""
    assert read_knowledge("patterns.yaml").lines == read_knowledge("patterns.txt").lines


def test_the_overrides_are_read(folder):
    assert overrides.read(folder / "overrides.txt") == overrides.read(HOME / "overrides.txt")
    assert overrides_beside(str(folder / "patterns.txt"), LITTLE_GO).file.getvalue() == (
        (HOME / "overrides.txt").read_bytes()
    )


def test_what_is_handed_in_is_as_it_was_written(folder):
    for name in ("rules", "my_player3.py"):
        (folder / name).symlink_to(HOME / name)
    check_patterns(folder)
    check_overrides(folder)
    files = player_files(folder)
    assert all(files[name] == (HOME / name).read_bytes() for name in NAMES[1:])


def test_commands_find_no_fault(folder, capsys):
    assert main(["compile", "--check"]) == main(["check", "--no-exact"]) == 0
    assert "patterns.txt is up to date\noverrides.txt is valid" in capsys.readouterr().out
    assert main(["explain", "board.txt"]) == 0
    shown = capsys.readouterr()
    assert shown.out.count("Chosen: 3,1") == 1 and "overrides.txt" not in shown.err and "changed" not in shown.err


CONFLICT = b"<<<<<<< HEAD\n=======\n>>>>>>> theirs\n"


@pytest.mark.parametrize("name", ["patterns.txt", "patterns.yaml"])
def test_a_merge_conflict_is_named_with_its_line(tmp_path, monkeypatch, capsys, name):
    monkeypatch.chdir(tmp_path)
    head, end, rest = (HOME / name).read_bytes().partition(b"\n")
    (tmp_path / name).write_bytes(head + end + CONFLICT + rest)
    (tmp_path / "board.txt").write_bytes(BOARD)
    assert main(["explain", "board.txt", "--patterns", name]) == 2
    shown = capsys.readouterr().err
    assert f"{name}: line 2: an unresolved" in shown or f"{name}:2:1 P038 an unresolved merge conflict" in shown


def test_a_merge_conflict_in_the_overrides_is_named(tmp_path):
    (tmp_path / "overrides.txt").write_bytes(CONFLICT + (HOME / "overrides.txt").read_bytes())
    with pytest.raises(OverridesError, match="line 1: an unresolved merge conflict"):
        overrides.read(tmp_path / "overrides.txt")


@pytest.mark.parametrize(
    "text, offsets",
    [
        ("a\n<<<<<<< x\nb\n||||||| y\nc\n=======\nd\n>>>>>>> z\ne\n", [2]),
        ("<<<<<<< x\n=======\n>>>>>>> z\n<<<<<<< x\n=======\n>>>>>>> z\n", [0, 28]),
        ("a\r\n=======\r\nb\r\n", [3]),
        (" <<<<<<< x\n<<<<<<<< x\n======== \n<<<<<<<x\n", []),
    ],
)
def test_conflicts_are_found_by_their_markers(text, offsets):
    assert find_conflicts(text) == offsets


def test_a_mark_before_the_first_command_of_gtp_is_ignored():
    assert parse_request("\ufeff1 boardsize 5\r") == ("1", "boardsize", ["5"])
