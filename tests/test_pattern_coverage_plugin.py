"""Tests of the plugin pattern_coverage in separate pytest runs, with and without pytest-xdist."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from littlego.judging.coverage import Survey

TESTS = Path(__file__).parent
KNOWLEDGE_FILES = """
from littlego.rules.patternfile import Pattern, book_of

def line(name, kind, rows):
    return Pattern("\\t".join([name, kind, "500", "1", "-", rows, "", "0", "", "", "About " + name]))

def book():
    return book_of("little-go", 5, [line("anywhere", "shape", "*"), line("never", "ko", "OXO/X*X/OXO")])
"""
RUN = """
import pytest
from knowledge_files import book
from littlego.rules.position import opening
from littlego.rules.ruleset import LITTLE_GO
from littlego.judging.coverage import survey_positions

@pytest.mark.parametrize("corpus, part, parts", [
    ("examples", 0, 1), ("real games", 0, 2), ("real games", 1, 2), ("decisions on record", 0, 1),
    ("games against the roles", 0, 1),
])
def test_corpus(corpus, part, parts, pattern_coverage):
    pattern_coverage.record(corpus, part, parts, survey_positions([opening(LITTLE_GO)], book()))
"""


class Finished(NamedTuple):
    """The result of running the tests RUN: output, status, and the contents of the written file."""

    printed: str
    status: int
    tests: dict[str, dict]


@pytest.fixture(scope="module", params=[(), ("-n", "2")], ids=["alone", "xdist"])
def finished(request, tmp_path_factory) -> Finished:
    folder = tmp_path_factory.mktemp("run")
    file = folder / "met.json"
    done = run(folder, f"--pattern-coverage-json={file}", *request.param)
    return Finished(done.stdout + done.stderr, done.returncode, json.loads(file.read_text())["tests"])


def run(folder: Path, *options: str, knowledge: str = KNOWLEDGE_FILES) -> subprocess.CompletedProcess:
    (folder / "knowledge_files.py").write_text(knowledge)
    (folder / "conftest.py").write_text("pytest_plugins = ['pattern_coverage']\n")
    (folder / "test_corpora.py").write_text(RUN)
    path = os.pathsep.join([str(folder), str(TESTS / "support"), str(TESTS.parent)])
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", f"--rootdir={folder}", *options, str(folder)]
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment, cwd=folder)


def test_an_inert_pattern_fails_a_run_whose_tests_pass(finished):
    assert "5 passed" in finished.printed, finished.printed
    assert finished.status == 1
    assert "FAILED never inert: it never fires" in finished.printed
    assert "FAILED the class ko" in finished.printed
    assert "positions: 1 of examples, 2 of real games, 1 of decisions on record, 1 of games" in finished.printed


def test_without_it_the_run_passes(tmp_path):
    done = run(tmp_path, knowledge=KNOWLEDGE_FILES.replace(', line("never", "ko", "OXO/X*X/OXO")', ""))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 patterns: 1 decide or support" in done.stdout and "FAILED" not in done.stdout


def test_no_verdict_where_a_part_is_missing(tmp_path):
    done = run(tmp_path, "--deselect=test_corpora.py::test_corpus[real games-1-2]", "--pattern-coverage")
    assert "\nanywhere " in done.stdout, "every pattern is shown on request"
    assert "4 passed" in done.stdout and done.returncode == 0, done.stdout + done.stderr
    assert "no verdict" in done.stdout


def test_not_every_pattern_is_shown_unasked(finished):
    assert "\nanywhere " not in finished.printed


def test_what_every_test_met_is_written(finished):
    tests = finished.tests
    assert len(tests) == 5 and all(found["positions"] == 1 for found in tests.values())
    assert "test_corpora.py::test_corpus[real games-1-2]" in tests
    assert Survey.from_json(tests["test_corpora.py::test_corpus[examples-0-1]"]).of("anywhere")["decides"] == 1
