"""Tests of the pytest plugin, which collects examples as tests, with and without pytest-xdist."""

from __future__ import annotations

import subprocess
import sys

import pytest
from drawn_patterns import FILE, changed
from knowledge_files import ROOT

pytest_plugins = ["pytester"]

OPTIONS = ("-p", "littlego.knowledge.pytest_plugin", "-p", "no:cacheprovider", "-p", "no:hypothesispytest")
BOARD = FILE[FILE.index("        - board") : FILE.index("      no_match")]
TODO = "    todo_match:\n" + BOARD.replace("          ", "        ").replace("        - ", "      - ", 1)


@pytest.fixture
def run(pytester, monkeypatch):
    """Return a function that runs pytest on a file `mine.yaml` in this process, or in xdist's workers."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))

    def run(text: str, *options: str) -> pytest.RunResult:
        (pytester.path / "mine.yaml").write_text(text, encoding="utf-8")
        return pytester.runpytest_inprocess(*OPTIONS, *options)

    return run


def test_every_example_is_an_item_with_its_name(run):
    found = run(FILE, "mine.yaml", "--collect-only", "-q")
    found.stdout.fnmatch_lines(
        [
            "mine.yaml::mistakes",
            "mine.yaml::take::matches[[]0[]]",
            "mine.yaml::take::no_match[[]0[]]",
        ]
    )


@pytest.mark.parametrize("options", [(), ("-n", "2")], ids=["alone", "xdist"])
def test_a_failing_example_is_shown_with_its_line_and_its_board(run, options):
    found = run(changed("liberties(A) == 1", "liberties(A) == 9"), "mine.yaml", *options)
    found.assert_outcomes(passed=2, failed=1)
    found.stdout.fnmatch_lines(
        [
            "*take::matches[[]0[]]*",
            "mine.yaml:16:11 P070 `take` fires nowhere; expected it to fire for 2,2; "
            "nearest there: *liberties(A) is 1*",
            "*0 1 2 3 4",
            "*2 X O(.). .",
            "FAILED mine.yaml::take::matches[[]0[]]*",
        ]
    )
    assert "Traceback" not in found.stdout.str()


def test_one_pattern_or_one_example_can_be_run(run):
    run(FILE, "mine.yaml::take").assert_outcomes(passed=2)
    run(FILE, "mine.yaml::take::no_match[0]").assert_outcomes(passed=1)


def test_what_is_known_to_fail_may_fail_and_not_pass(run):
    run(FILE + TODO.replace("2,2", "4,4"), "mine.yaml").assert_outcomes(passed=3, xfailed=1)
    found = run(FILE + TODO, "mine.yaml")
    found.assert_outcomes(passed=3, failed=1)
    found.stdout.fnmatch_lines(
        ["*XPASS(strict)* line 31, *once the example passes, move it from `todo_match` to `match*"]
    )


def test_mistakes_fail_once_and_the_other_patterns_are_tested(run):
    found = run(FILE + "  - id: other\n    class: captures\n", "mine.yaml")
    found.assert_outcomes(passed=2, failed=1)
    found.stdout.fnmatch_lines(["mine.yaml:31:12 P014 unknown class `captures`*"])


def test_files_that_nobody_asked_for_are_left_alone(run, pytester):
    pytester.makepyfile("def test_something():\n    pass\n")
    run("ruleset: [", ".").assert_outcomes(passed=1)
    run("other: yaml\n", "mine.yaml").stdout.fnmatch_lines(["*no tests ran*"])


def test_loading_the_plugin_loads_nothing_whose_coverage_is_measured():
    ours = "sorted(name for name in sys.modules if name.partition('.')[0] in ('rules', 'littlego'))"
    code = f"import sys, {OPTIONS[1]}; print(*{ours})"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert found.stdout.split() == ["littlego", "littlego.knowledge", OPTIONS[1]]
