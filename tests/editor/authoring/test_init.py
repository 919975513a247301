"""Tests of `littlego init`, which creates an author's folder."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from littlego.cli.main import main
from littlego.editor.authoring.cli import BOARD, GAME, SCHEMA_COPY, TXT, YAML
from littlego.paths import HOME, MATCH_TXT, PATTERNS_TXT
from littlego.rules.patternfile import load


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """Return a freshly initialised folder."""
    folder = tmp_path_factory.mktemp("author") / "mine"
    assert main(["init", str(folder)]) == 0
    return folder


@pytest.fixture
def author(made, tmp_path, monkeypatch) -> Path:
    """Copy the initialised folder, enter the copy and return its path."""
    monkeypatch.chdir(shutil.copytree(made, tmp_path / "mine"))
    return tmp_path / "mine"


def test_the_folder_has_all_that_is_needed(author, capsys):
    assert sorted(path.name for path in author.iterdir()) == sorted([BOARD, GAME, SCHEMA_COPY, TXT, YAML])
    assert (author / YAML).read_text().startswith(f"# yaml-language-server: $schema={SCHEMA_COPY}\n")
    json.loads((author / SCHEMA_COPY).read_text())
    ours = PATTERNS_TXT.read_text().splitlines()
    # the first lines differ, since the hash in the header also covers the first line of patterns.yaml
    assert (author / TXT).read_text().splitlines()[1:] == ours[1:]


def test_its_patterns_are_compiled_and_sound(author, capsys):
    assert main(["compile", "--check", YAML]) == 0
    assert main(["check", YAML]) == 0


def test_the_position_and_the_game_can_be_explained(author, capsys):
    assert main(["explain", BOARD]) == 0
    assert "Black (X) to play move 11" in capsys.readouterr().out
    assert main(["explain", f"{GAME}:9"]) == 0
    assert "Black (X) to play move 9" in capsys.readouterr().out
    assert "PB[ours]" in (author / GAME).read_text() and "C[" in (author / GAME).read_text()


def test_the_same_folder_every_time(made, tmp_path, capsys):
    assert main(["init", str(tmp_path / "again")]) == 0
    for path in made.iterdir():
        assert path.read_bytes() == (tmp_path / "again" / path.name).read_bytes(), path.name


def test_a_small_one_has_the_patterns_of_the_tutorial(tmp_path, capsys):
    assert main(["init", str(tmp_path), "--small"]) == 0
    first = (HOME / "docs/tutorial/first.yaml").read_text()
    assert (tmp_path / YAML).read_text().endswith(first)
    assert len(load(str(tmp_path / TXT)).patterns) == first.count("  - id: ")


def test_a_folder_for_a_match(tmp_path, monkeypatch, capsys):
    folder = tmp_path / "mine"
    assert main(["init", str(folder), "--ruleset", "match"]) == 0
    said = capsys.readouterr().out
    assert "littlego check --ruleset match\n" in said and "--ruleset match --size 9 --brief" in said
    monkeypatch.chdir(folder)
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        [BOARD, GAME, SCHEMA_COPY, "patterns.match.txt", "patterns.match.yaml", YAML]
    )
    assert Path("patterns.match.txt").read_text().splitlines()[1:] == MATCH_TXT.read_text().splitlines()[1:]
    assert main(["explain", BOARD, "--ruleset", "match"]) == 0 and main(["explain", f"{GAME}:9"]) == 0
    shown = capsys.readouterr()
    assert "Black (X) to play move 9" in shown.out and "no patterns" not in shown.err
    assert main(["init", str(tmp_path / "small"), "--ruleset", "match", "--small"]) == 2
    assert "the tutorial's patterns are for 5x5" in capsys.readouterr().err


@pytest.mark.parametrize("name", [YAML, TXT, BOARD, GAME])
def test_nothing_is_replaced(name, tmp_path, capsys):
    (tmp_path / name).write_text("mine")
    assert main(["init", str(tmp_path)]) == 2
    assert f"already contains {name}" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == [name] and (tmp_path / name).read_text() == "mine"


def test_a_folder_that_cannot_be_made(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert main(["init", str(tmp_path / "file" / "folder")]) == 2
    assert "cannot make" in capsys.readouterr().err
