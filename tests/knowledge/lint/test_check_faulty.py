"""Tests of deliberately faulty files: `check` finds each fault at its place, and no other fault."""

from __future__ import annotations

from pathlib import Path

import pytest
from checking import checked
from drawn_patterns import FILE, expected_problems

from littlego.knowledge.codes import CODES
from littlego.knowledge.lint.large import NOT_ASKED

DATA = Path(__file__).parents[2] / "data"
FILES = sorted([*(DATA / "faulty_patterns").glob("*.yaml"), *(DATA / "wrong_patterns").glob("*.yaml")])


def expected(path: Path) -> list[tuple[str, str]]:
    return expected_problems(path.read_bytes().decode("utf-8", "replace"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_fault_is_found_where_it_stands_and_nothing_else(path):
    """Files named note-... are checked with notes. Unused facts, which are many in small files, are ignored."""
    found = checked(path.read_bytes(), path.name, notes=path.stem.startswith("note-"))
    problems = [problem for problem in found.problems if problem.code != "L233"]
    assert [f"{one.line}:{one.column} {one.code}" for one in problems] == [place for place, _ in expected(path)]
    for problem, (_, words) in zip(problems, expected(path), strict=True):
        assert words in str(problem)
    assert found.undecided == ([NOT_ASKED] if b"ruleset: match" in path.read_bytes() else [])


def test_there_is_a_faulty_file_for_every_code():
    produced = {place.split()[1] for path in FILES for place, _ in expected(path)}
    assert produced == CODES.keys() - {"L233"}
    assert len(FILES) >= 60 and sum(len(expected(path)) > 1 for path in FILES) >= 10


def test_a_file_without_faults_has_none():
    assert checked(FILE).problems == []
