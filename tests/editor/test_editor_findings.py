"""Tests that findings for entries and files equal those of `littlego check`, and that the fixes work."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from labelled_games import any_position
from small_knowledge import CUTTING

from littlego.cli.main import main
from littlego.editor.entries import Entries
from littlego.editor.findings import entry_findings, file_findings, finding_json
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.files import knowledge_of
from littlego.knowledge.lint.check import check_text
from littlego.knowledge.testing import Runner
from littlego.rules.engine import decide
from littlego.rules.patternfile import Book

FAULTY = sorted(Path("tests/data/faulty_patterns").glob("*.yaml"))


@pytest.mark.parametrize("path", FAULTY[::2], ids=lambda path: path.stem)
def test_a_faulty_file_has_the_findings_of_check(path):
    data = path.read_bytes()
    text = data.decode("utf-8", "replace")
    entries = Entries(text, str(path))
    wanted = check_text(data, str(path), None, notes=True)
    found = file_findings(entries, Runner(), None, notes=True)
    if all(one.code not in ("P001", "P003", "P004") for one in wanted.problems):
        assert found == wanted
    for problem in found.problems:
        told = finding_json(entries, problem)
        assert 0 <= told["from"] <= told["to"] <= len(text)
        line = text[: told["from"]].count("\n") + 1
        assert line == problem.line or "\n" not in text


def test_what_is_found_in_an_entry_is_what_the_whole_file_says_of_it():
    text = CUTTING.replace("cuts(*)", "cut(*)").replace("      A .\n", "      A B\n").replace("move: 1,1", "move: 4,4")
    entries = Entries(text, "patterns.yaml")
    whole = file_findings(entries, Runner(), None).problems
    alone = [one for entry in entries.all for one in entry_findings(entries, entry, Runner())]
    assert [one for one in whole if one.line > 2] == alone
    assert {one.code for one in alone} >= {"P045", "P070", "L206"}


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("    priority: 500\n", "    prioriti: 500\n", "P006"),
        ("class: cut\n", "class: cutt\n", "P014"),
        ("cuts(*)", "zzzzz(*)", ""),
        ("own_liberties(*)", "own_libertie(*)", "P045"),
        ("      O *\n      X O", "      0 *\n      X O", "P021"),
        ("      O *\n      X O", "      O * X\n      X O", "P020"),
        ("      O *\n      X O", "      O *\n      X O . .", "P020"),
        ("    priority: 500\n", "", "P008"),
        ('    summary: "Cut between two opposing chains that meet only diagonally."\n', "", "P008"),
        ("priority: 500", 'priority: "500"', "P015"),
        ("ruleset: little-go", "ruleset: littlego", "P011"),
        ("    points: 50\n", "    points: 50\n    labels: |\n      . .\n      . .\n", "L207"),
    ],
)
def test_a_fix_puts_it_right(old, new, code):
    text = CUTTING.replace(old, new, 1)
    assert text != CUTTING
    entries = Entries(text, "patterns.yaml")
    found = file_findings(entries, Runner(), None).problems
    if not code:  # no known key has a similar spelling, so there is no fix
        assert all(finding_json(entries, one)["fix"] is None for one in found)
        return
    told = next(one for one in (finding_json(entries, one) for one in found) if one["code"] == code)
    assert told["fix"], told
    for change in reversed(told["fix"]["changes"]):
        text = text[: change["from"]] + change["insert"] + text[change["to"] :]
    after = file_findings(Entries(text, "patterns.yaml"), Runner(), None).problems
    assert code not in [one.code for one in after]


def test_conditions_in_points_become_a_table():
    phases = "ruleset: little-go\nphases:\n  opening: 13\n  end: 1\n"
    text = CUTTING.replace("ruleset: little-go\n", phases, 1)
    text = text.replace("    points: 50\n", "    points: 50 - 20 * (moves_left <= 12)\n", 1)
    entries = Entries(text, "patterns.yaml")
    told = [finding_json(entries, one) for one in file_findings(entries, Runner(), None).problems]
    [change] = [change for one in told if one["code"] == "L217" for change in one["fix"]["changes"]]
    text = text[: change["from"]] + change["insert"] + text[change["to"] :]
    assert "    points:\n      black: [50, 30]\n      white: [50, 30]\n" in text
    assert file_findings(Entries(text, "patterns.yaml"), Runner(), None).problems == []


def test_a_condition_that_is_always_true_is_taken_out(tmp_path):
    from littlego.cache import Cache
    from littlego.knowledge.lint.proofs import lints_of

    plain = CUTTING[: CUTTING.index("  - id: give-atari")]
    text = plain.replace("      - own_liberties(*) >= 2\n", "      - own_liberties(*) >= 0\n")
    entries = Entries(text, "patterns.yaml")
    cache = Cache("lint")
    checked = file_findings(entries, Runner(), lambda base, undecided: lints_of(base, undecided, cache=cache))
    told = next(one for one in (finding_json(entries, one) for one in checked.problems) if one["code"] == "L210")
    [change] = told["fix"]["changes"]
    assert text[change["from"] : change["to"]] == "      - own_liberties(*) >= 0\n" and not change["insert"]


TWO_FAULTS = CUTTING.replace("ruleset: little-go\n", "ruleset: little-go\nphases:\n  opening: 13\n  end: 1\n", 1)
TWO_FAULTS = TWO_FAULTS.replace("    points: 50\n", "    points: 50 - 20 * (moves_left <= 12)\n", 1)
TWO_FAULTS = TWO_FAULTS.replace("      - own_liberties(*) >= 2\n", "      - own_liberties(*) >= 0\n", 1)


def book_in(text: str) -> Book:
    """Return the patterns in the text of a patterns.yaml."""
    return knowledge_of(compile_text(text.encode(), "patterns.yaml")[2], "patterns.yaml").book


def test_check_fixes_what_changes_no_decision(tmp_path, capsys):
    path = tmp_path / "patterns.yaml"
    path.write_text(TWO_FAULTS.replace("diagram", "digram", 1), encoding="utf-8")
    assert main(["check", str(path), "--fix"]) == 1  # an error whose fix is a guess remains
    told = capsys.readouterr()
    assert "digram" in path.read_text() and "did you mean `diagram`?" in told.out

    path.write_text(TWO_FAULTS, encoding="utf-8")
    before = book_in(TWO_FAULTS)
    main(["check", str(path), "--fix"])
    told = capsys.readouterr()
    assert "patterns.yaml:10:13 L217 " in told.err and ":16:9 L210 " in told.err
    assert "L217" not in told.out and "L210" not in told.out
    text = path.read_text()
    assert "    points:\n      black: [50, 30]\n      white: [50, 30]\n" in text and "own_liberties(*) >= 0" not in text
    after, rng = book_in(text), random.Random(36)
    for _ in range(300):
        position = any_position(rng, rng.randint(1, 24))
        assert decide(position, before).move == decide(position, after).move

    assert main(["check", str(path), "--fix"]) == main(["check", str(path)])
    assert "fixed" not in capsys.readouterr().err and path.read_text() == text
