"""Tests with the invalid files in tests/data/wrong_patterns.

Each mistake is reported at its line and column.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from drawn_patterns import FILE, expected_problems

from littlego.cli.arguments import FINDINGS
from littlego.cli.main import main
from littlego.knowledge.compiler import compile_text

FILES = sorted((Path(__file__).parents[1] / "data" / "wrong_patterns").glob("*.yaml"))


def test_there_are_enough_of_them():
    assert len(FILES) >= 40


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_mistake_is_named_with_its_place(path):
    text = path.read_text(encoding="utf-8")
    expected = expected_problems(text)
    data, problems, _ = compile_text(text, path.name, with_examples=False)
    assert data is None
    said = [str(problem) for problem in problems]
    assert len(said) == len(expected), said
    for (place, fragment), line in zip(expected, said, strict=True):
        assert line.startswith(f"{path.name}:{place} ") and fragment in line


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_file_of_the_player_is_left_as_it_was(path, tmp_path, capsys):
    source, output = tmp_path / "patterns.yaml", tmp_path / "patterns.txt"
    source.write_text(FILE, encoding="utf-8")
    assert main(["compile", str(source)]) == 0
    before = output.read_bytes()
    source.write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    assert main(["compile", str(source)]) == FINDINGS
    assert output.read_bytes() == before
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["patterns.txt", "patterns.yaml"]
    said = capsys.readouterr().err
    assert all(f"patterns.yaml:{place} " in said for place, _ in expected_problems(source.read_text()))


def test_a_second_document_does_not_keep_the_patterns_of_the_first_from_being_read():
    data, problems, base = compile_text(f"{FILE}---\n{FILE}", "p.yaml", with_examples=False)
    assert data is None and [pattern.id for pattern in base.patterns] == ["take"]
    assert [(problem.line, problem.code) for problem in problems] == [(FILE.count("\n") + 1, "P003")]
