"""Our engine as a player: where its patterns come from, and whether they are what their author wrote last."""

from __future__ import annotations

import shutil

from knowledge_files import TXT, YAML

from rules.ruleset import LITTLE_GO
from tools.opponents.ours import book_at, stale


def copied(folder):
    for path in (TXT, YAML):
        shutil.copy(path, folder / path.name)
    return folder / TXT.name, folder / YAML.name


def test_patterns_that_fit_their_source_are_not_stale(tmp_path, capsys):
    compiled, _ = copied(tmp_path)
    assert stale(str(compiled)) == ""
    assert book_at(str(compiled), LITTLE_GO).patterns and capsys.readouterr().err == ""


def test_a_source_edited_since_is_told_once(tmp_path, monkeypatch, capsys):
    compiled, source = copied(tmp_path)
    source.write_bytes(source.read_bytes() + b"# a word more\n")
    monkeypatch.chdir(tmp_path)
    for _ in range(3):
        assert book_at("patterns.txt", LITTLE_GO).patterns
    told = "littlego: patterns.yaml has changed since patterns.txt was made: run `littlego compile`\n"
    assert capsys.readouterr().err == told


def test_nothing_is_said_without_a_source_or_of_a_file_that_is_none(tmp_path):
    compiled, source = copied(tmp_path)
    source.unlink()
    assert stale(str(compiled)) == stale(str(tmp_path / "missing.txt")) == stale(str(source)) == ""
