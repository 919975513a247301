"""The plugin pattern_coverage in runs of its own, with and without pytest-xdist."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools.effects.coverage import Survey

TESTS = Path(__file__).parent
KNOWLEDGE_FILES = """
from rules.patternfile import Pattern, book_of

def line(name, kind, rows):
    return Pattern("\\t".join([name, kind, "500", "1", "-", rows, "", "0", "", "About " + name]))

def book():
    return book_of("little-go", 5, [line("anywhere", "shape", "*"), line("never", "ko", "OXO/X*X/OXO")])
"""
RUN = """
import pytest
from knowledge_files import book
from rules.position import opening
from rules.ruleset import LITTLE_GO
from tools.effects.coverage import survey_positions

@pytest.mark.parametrize("corpus, part, parts", [
    ("examples", 0, 1), ("real games", 0, 2), ("real games", 1, 2), ("decisions on record", 0, 1),
    ("games against the roles", 0, 1),
])
def test_corpus(corpus, part, parts, pattern_coverage):
    pattern_coverage.record(corpus, part, parts, survey_positions([opening(LITTLE_GO)], book()))
"""


def run(folder: Path, *options: str, knowledge: str = KNOWLEDGE_FILES) -> subprocess.CompletedProcess:
    (folder / "knowledge_files.py").write_text(knowledge)
    (folder / "conftest.py").write_text("pytest_plugins = ['pattern_coverage']\n")
    (folder / "test_corpora.py").write_text(RUN)
    path = os.pathsep.join([str(folder), str(TESTS / "support"), str(TESTS.parent)])
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", f"--rootdir={folder}", *options, str(folder)]
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment, cwd=folder)


@pytest.mark.parametrize("options", [(), ("-n", "2")], ids=["alone", "xdist"])
def test_an_inert_pattern_fails_a_run_whose_tests_pass(tmp_path, options):
    done = run(tmp_path, *options)
    assert "5 passed" in done.stdout, done.stdout + done.stderr
    assert done.returncode == 1
    assert "FAILED never inert: it never fires" in done.stdout
    assert "FAILED the class ko" in done.stdout
    assert "positions: 1 of examples, 2 of real games, 1 of decisions on record, 1 of games" in done.stdout


def test_without_it_the_run_passes(tmp_path):
    done = run(tmp_path, knowledge=KNOWLEDGE_FILES.replace(', line("never", "ko", "OXO/X*X/OXO")', ""))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 patterns: 1 decide or support" in done.stdout and "FAILED" not in done.stdout


def test_no_verdict_where_a_part_is_missing(tmp_path):
    done = run(tmp_path, "--deselect=test_corpora.py::test_corpus[real games-1-2]")
    assert "4 passed" in done.stdout and done.returncode == 0, done.stdout + done.stderr
    assert "no verdict" in done.stdout


def test_every_pattern_is_shown_on_request_alone(tmp_path):
    assert "\nanywhere " not in run(tmp_path).stdout
    assert "\nanywhere " in run(tmp_path, "--pattern-coverage").stdout


@pytest.mark.parametrize("options", [(), ("-n", "2")], ids=["alone", "xdist"])
def test_what_every_test_met_is_written(tmp_path, options):
    file = tmp_path / "met.json"
    run(tmp_path, f"--pattern-coverage-json={file}", *options)
    tests = json.loads(file.read_text())["tests"]
    assert len(tests) == 5 and all(found["positions"] == 1 for found in tests.values())
    assert "test_corpora.py::test_corpus[real games-1-2]" in tests
    assert Survey.from_json(tests["test_corpora.py::test_corpus[examples-0-1]"]).of("anywhere")["decides"] == 1
