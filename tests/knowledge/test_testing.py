"""Tests of `littlego test`: the four outcomes, selection by name, output, and watching for saves."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from drawn_patterns import FILE, changed
from knowledge_files import ROOT, YAML, compiled

from littlego.cli.main import main
from littlego.judging.recorded import read_decisions
from littlego.knowledge.examples import run_examples
from littlego.knowledge.firing import firings_for, moves_fired
from littlego.knowledge.model import MATCHES, NO_MATCH
from littlego.knowledge.testing import Runner
from littlego.rules.position import PASS

NEVER_FIRES = changed("liberties(A) == 1", "liberties(A) == 9")
ALWAYS_FIRES = changed("liberties(A) == 1", "liberties(A) >= 1")
BOARD = FILE[FILE.index("        - board") : FILE.index("      no_match")]
TWO_FAIL = NEVER_FIRES.replace("      no_match", f"{BOARD}      no_match")


def with_todo(kind: str, board: str = BOARD) -> str:
    """Return FILE with an example under the key `kind`, which is for examples that are known to fail."""
    return f"{FILE}    {kind}:\n{board.replace('          ', '        ').replace('        - ', '      - ', 1)}"


def run(text: str, *wanted: str):
    return Runner().run(text, "p.yaml", wanted)


def statuses(text: str) -> list[tuple[str, str, bool]]:
    return [(result.case.name, result.status, result.is_finding) for result in run(text).results]


def test_examples_that_hold_are_validated_or_reported():
    assert statuses(FILE) == [("take::matches[0]", "reported", False), ("take::no_match[0]", "validated", False)]


def test_a_match_that_does_not_fire_is_missing():
    assert statuses(NEVER_FIRES) == [("take::matches[0]", "missing", True), ("take::no_match[0]", "validated", False)]


def test_firing_where_nothing_should_is_noisy():
    assert statuses(ALWAYS_FIRES) == [("take::matches[0]", "reported", False), ("take::no_match[0]", "noisy", True)]


@pytest.mark.parametrize(
    "text, status, is_finding",
    [
        (with_todo("todo_match"), "reported", True),
        (with_todo("todo_match", BOARD.replace("2,2", "4,4")), "missing", False),
        (with_todo("todo_no_match"), "noisy", False),
        (with_todo("todo_no_match", BOARD.replace("2,2", "4,4")), "validated", True),
    ],
)
def test_what_is_known_to_fail_is_a_finding_once_it_passes(text, status, is_finding):
    found = run(text)
    assert [(found.results[-1].status, found.results[-1].is_finding)] == [(status, is_finding)]
    assert found.is_fine == (not is_finding) and found.counts()["todo"] == 1
    problem = found.results[-1].problem("p.yaml")
    assert (problem and problem.code) == ("L213" if is_finding else None)


@pytest.mark.parametrize(
    "wanted, names",
    [
        ((), ["take::matches[0]", "take::no_match[0]"]),
        (("take",), ["take::matches[0]", "take::no_match[0]"]),
        (("t*",), ["take::matches[0]", "take::no_match[0]"]),
        (("take::no_match[0]",), ["take::no_match[0]"]),
        (("*::matches*",), ["take::matches[0]"]),
        (("take::no_match0",), []),
        (("tak",), []),
    ],
)
def test_examples_are_chosen_by_name(wanted, names):
    assert [result.case.name for result in run(FILE, *wanted).results] == names


def test_a_second_run_of_an_edited_file_is_as_a_first_one():
    runner = Runner()
    for text in (FILE, ALWAYS_FIRES, with_todo("todo_match"), "ruleset: [", NEVER_FIRES, FILE):
        again, fresh = runner.run(text, "p.yaml"), run(text)
        assert again.as_json() == fresh.as_json()
        assert [result.problem("p.yaml") for result in again.results] == [
            result.problem("p.yaml") for result in fresh.results
        ]


def test_the_shipped_examples_are_as_the_compiler_finds_them():
    found = run(YAML.read_bytes()).results
    assert [result.outcome for result in found] == list(run_examples(compiled().base))
    assert {(result.case.example.kind, result.status) for result in found} == {
        (MATCHES, "reported"),
        (NO_MATCH, "validated"),
    }


@pytest.mark.parametrize("seed", range(4))
def test_moves_are_those_of_a_complete_decision(seed):
    rng = random.Random(seed)
    for record in rng.sample([one for one in read_decisions() if one.position.left <= 2], 5) + rng.sample(
        read_decisions(), 10
    ):
        for pattern in rng.sample(compiled().base.patterns, 4):
            assert moves_fired(pattern, record.position) == sorted(firings_for(pattern, record.position))


def test_a_pass_is_a_move_too():
    pattern = next(pattern for pattern in compiled().base.patterns if pattern.id == "pass-to-win")
    assert moves_fired(pattern, pattern.examples[0].position()) == [PASS]


# --- the command


@pytest.fixture
def source(tmp_path) -> Path:
    path = tmp_path / "p.yaml"
    path.write_text(FILE, encoding="utf-8")
    return path


def test_the_command_counts_what_holds(source, capsys):
    assert main(["test", "-f", str(source)]) == 0
    assert re.fullmatch(r"2 of 2 examples hold \(\d+\.\d s\)\n", capsys.readouterr().out)


@pytest.mark.parametrize(
    ("text", "words", "summary"),
    [
        (FILE, ["*::matches*"], "1 of 1 example holds ("),
        (NEVER_FIRES, [], "1 of 2 examples hold; 1 does not fire where it must ("),
        (ALWAYS_FIRES, [], "1 of 2 examples hold; 1 fires where it must not ("),
        (TWO_FAIL, [], "1 of 3 examples hold; 2 do not fire where they must ("),
        (with_todo("todo_no_match"), [], "2 of 2 examples hold; 1 is known to fail ("),
        (with_todo("todo_match"), [], "2 of 2 examples hold; 1 is marked as failing, but now passes ("),
    ],
)
def test_the_last_line_says_plainly_what_does_not_hold(source, capsys, text, words, summary):
    source.write_text(text, encoding="utf-8")
    main(["test", "-f", str(source), "-q", *words])
    assert capsys.readouterr().out.startswith(summary)


def test_no_word_of_a_library_is_left_for_people_to_learn(source, capsys):
    for text in (FILE, NEVER_FIRES, ALWAYS_FIRES, with_todo("todo_match")):
        source.write_text(text, encoding="utf-8")
        main(["test", "-f", str(source)])
        assert not re.search("validated|reported|noisy|missing", capsys.readouterr().out)


def test_a_failing_example_is_shown_with_its_place_its_board_and_what_failed(source, capsys):
    source.write_text(NEVER_FIRES, encoding="utf-8")
    assert main(["test", "-f", str(source)]) == 1
    said = capsys.readouterr().out
    assert said.startswith("take::matches[0]: does not fire where it must\n")
    assert f"{source}:16:11 P070 `take` fires nowhere; expected it to fire for 2,2" in said
    assert "`liberties(A) == 9` is false: liberties(A) is 1" in said
    assert "     2 X O(.). .\n" in said
    assert main(["test", "-f", str(source), "-q"]) == 1
    assert capsys.readouterr().out.count("\n") == 1


def test_mistakes_in_the_file_are_told_and_the_other_patterns_tested(source, capsys):
    source.write_text(FILE + "  - id: other\n    class: captures\n", encoding="utf-8")
    assert main(["test", "-f", str(source), "ta*", "other"]) == 1
    said = capsys.readouterr().out
    assert f"{source}:31:12 P014 unknown class `captures`" in said and "did you mean `capture`?" in said
    assert "mistakes in the file; 2 of 2 examples hold" in said


@pytest.mark.parametrize(
    "words, reason",
    [
        (["-f", "no/such.yaml"], "littlego: cannot read no/such.yaml: No such file or directory\n"),
        (["escape-by-extendin"], "littlego: no pattern or example `escape-by-extendin`; did you mean"),
        (["--watch", "--json"], "littlego: --watch together with --json: choose one\n"),
    ],
)
def test_what_cannot_be_run_is_told_in_one_line(words, reason, capsys):
    assert main(["test", *words]) == 2
    told = capsys.readouterr()
    assert told.out == "" and told.err.count("\n") == 1 and told.err.startswith(reason)


def test_a_name_that_is_nearly_right_is_suggested(capsys):
    main(["test", "escape-by-extendin"])
    assert "did you mean `escape-by-extending`?" in capsys.readouterr().err


def test_the_results_for_a_program(source, capsys, tmp_path):
    source.write_text(ALWAYS_FIRES, encoding="utf-8")
    assert main(["test", "-f", str(source), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["counts"] == {"validated": 0, "reported": 1, "noisy": 1, "missing": 0, "todo": 0}
    assert found["examples"][1] == {
        "name": "take::no_match[0]",
        "pattern": "take",
        "kind": "no_match",
        "line": 24,
        "column": 11,
        "status": "noisy",
        "todo": False,
        "finding": True,
        "asked": None,
        "fired": ["1,2", "2,2", "3,2"],
    } | {"fired": found["examples"][1]["fired"]}
    assert found["examples"][1]["fired"]
    assert main(["test", "-f", str(source), "--json", str(tmp_path / "no" / "file.json")]) == 2


def test_it_is_run_again_after_each_save_until_it_is_interrupted(source):
    command = [sys.executable, "-m", "littlego", "test", "--watch", "-q", "-f", str(source), "take"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, cwd=ROOT) as process:
        lines = (line for line in process.stdout if " examples hold" in line)
        assert "2 of 2 examples hold" in next(lines)
        for text, wanted in (
            (NEVER_FIRES, "1 of 2 examples hold; 1 does not fire"),
            (FILE + "\t", "1 mistake in the file; "),
            (FILE, "2 of 2 examples hold"),
        ):
            beside = source.with_suffix(".new")  # editors save by renaming a new file over the old one
            beside.write_text(text, encoding="utf-8")
            beside.replace(source)
            assert wanted in next(lines)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) == 130
