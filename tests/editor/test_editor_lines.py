"""Tests of patterns.txt lines compiled entry by entry, and of the entries that an edit recompiles."""

from __future__ import annotations

import re
import shutil

import pytest
from studio_server import ROOT, SMALL

from littlego.cli.main import main
from littlego.editor.entries import Entries
from littlego.editor.lines import Lines
from littlego.editor.session import Session, Snapshot


@pytest.fixture
def compiled(tmp_path, monkeypatch):
    """Write a patterns file and its compiled patterns.txt, and return the file's path."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "patterns.yaml"
    shutil.copy(SMALL, path)
    assert main(["compile", str(path)]) == 0
    return path


@pytest.mark.parametrize("name", ["patterns.yaml", "patterns.match.yaml"])
def test_they_are_those_of_the_compiled_file_and_no_entry_is_read(name, monkeypatch):
    monkeypatch.setattr(Entries, "compiled", None)
    path = ROOT / name
    entries = Entries(path.read_text(encoding="utf-8"), name)
    found = Lines().of(entries, str(path))
    compiled = path.with_suffix(".txt").read_text(encoding="utf-8").split("\n")
    assert found == tuple(line for line in compiled if "\t" in line)


def test_of_an_edited_text_the_entries_that_differ_are_compiled(compiled, monkeypatch):
    text = re.sub(r"priority: \d+", "priority: 501", compiled.read_text(encoding="utf-8"), count=1)
    session = Session()
    session.take(Snapshot(1, text, compiled.name, str(compiled)))
    asked = []
    read = Entries.compiled
    monkeypatch.setattr(Entries, "compiled", lambda self, entry: asked.append(entry.number) or read(self, entry))
    session.book()
    assert asked == [0]
    monkeypatch.undo()
    assert Lines().of(session.entries, str(compiled)) == session.knowledge().lines


def test_while_there_is_a_mistake_the_last_ones_stay(compiled):
    lines, text = Lines(), compiled.read_text(encoding="utf-8")
    first = lines.of(Entries(text, compiled.name), str(compiled))
    wrong = (text.replace("priority: ", "priority: x", 1), text + text[text.index("  - id:") :], "x: y\n" + text)
    assert first
    for one in wrong:
        assert lines.of(Entries(one, compiled.name), str(compiled)) == first


def test_a_compiled_file_of_another_text_says_nothing(compiled):
    text = compiled.read_text(encoding="utf-8")
    compiled.write_text(text + "# more\n", encoding="utf-8")
    assert Lines().of(Entries(text, compiled.name), str(compiled)) is None
    compiled.with_suffix(".txt").write_bytes(b"\xff\xfe")
    assert Lines().of(Entries(text, compiled.name), str(compiled)) is None
    compiled.with_suffix(".txt").unlink()
    assert Lines().of(Entries(text, compiled.name), str(compiled)) is None
