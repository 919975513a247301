"""Tests of the command `diff`: output, acceptance and errors, and the differences between two files."""

from __future__ import annotations

import io
import json
import shutil
import subprocess

import pytest
from corpora import made_by
from effects_files import PATTERNS, RENAMED, STRONGER, WITHOUT

from littlego.cache import ROOT
from littlego.cli.arguments import ArgumentError
from littlego.cli.main import main
from littlego.judging import changes as changes_module
from littlego.judging import corpus
from littlego.judging.diff_words import edits_summary, verdicts_text
from littlego.judging.recorded import read_decisions
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.edits import ADDED, CHANGED, REMOVED, find_edits
from littlego.knowledge.files import read_knowledge
from littlego.rules.engine import decide
from littlego.truth.labels.verdicts import HIDDEN


@pytest.fixture
def read(tmp_path):
    def read(text, compiled=False):
        path = tmp_path / f"{abs(hash(text))}"
        path.write_bytes(compile_text(text, "p.yaml", False)[0] if compiled else text.encode())
        return read_knowledge(path)

    return read


def test_nothing_where_nothing_differs(read):
    assert find_edits(read(PATTERNS), read(PATTERNS)) == []
    assert find_edits(read(PATTERNS), read(PATTERNS, compiled=True)) == []


def test_added_and_removed_patterns(read):
    [gone] = find_edits(read(PATTERNS), read(WITHOUT))
    assert (gone.id, gone.kind, gone.decisive) == ("above-own", REMOVED, True)
    assert gone.keys["points"] == ("5 * line(*)", "")
    [new] = find_edits(read(WITHOUT), read(PATTERNS))
    assert (new.kind, new.keys["diagram"]) == (ADDED, ("", "X *"))
    assert edits_summary([gone, new]) == "Patterns: 1 added, 1 removed"


@pytest.mark.parametrize(
    "old, new, key, decisive",
    [
        ("priority: 900", "priority: 901", "priority", True),
        ("O *\n", "O O *\n", "diagram", True),
        ("points: 20", "points: 21", "points", True),
        ("points: 20", "points: 20\n    forbid: true", "forbid", True),
        ("points: 20", "points: 20\n    when:\n      - moves_left > 3", "when", True),
        ("Begin in the centre.", "Begin there.", "summary", False),
        ("class: attack", "class: cut", "class", False),
        ("points: 20", "points: 20\n    doubt: Is it?", "doubt", False),
        ("points: 20", "points: 20\n    rare: It is.", "rare", False),
        ("points: 20", "points: 20\n    tags: [a, b]", "tags", False),
        ("moves_left: 24", "moves_left: 22", "examples", False),
    ],
)
def test_a_changed_pattern_names_its_keys(read, old, new, key, decisive):
    assert old in PATTERNS
    [edit] = find_edits(read(PATTERNS), read(PATTERNS.replace(old, new, 1)))
    assert edit.kind == CHANGED and key in edit.keys and edit.decisive == decisive
    assert set(edit.keys) == {key}


def test_two_compiled_files_are_compared_as_compiled(read):
    [edit] = find_edits(read(PATTERNS, compiled=True), read(STRONGER))
    assert edit.keys == {"points": ("5 * line(*)", "90 * line(*)")}
    [edit] = find_edits(read(PATTERNS), read(RENAMED, compiled=True))
    assert list(edit.keys) == ["summary"] and not edit.decisive


def run(files, *args):
    return main(["diff", *args, "--decisions", str(files.snapshot), "--jobs", "1"])


def expected_changes(files, new):
    book = read_knowledge(new).book
    return [
        index for index, one in enumerate(read_decisions(files.snapshot)) if decide(one.position, book).move != one.move
    ]


def test_draws_every_change_before_and_after_under_the_pattern_responsible(files, capsys):
    changes = expected_changes(files, files.new)
    assert run(files, files.old, files.new, "--most", "0") == 1
    printed = capsys.readouterr().out
    assert "~ above-own" in printed and "points: 5 * line(*) -> 90 * line(*)" in printed
    assert f"{len(changes)} of {len(files.positions)} decisions change." in printed
    assert f"above-own: {len(changes)} decisions" in printed
    assert printed.count("before ") == printed.count("after ") == len(changes) > 2
    assert max(map(len, printed.splitlines())) <= 80
    assert " rather than " in printed and "above-own +" in printed and "Responsible: above-own." in printed


def test_a_file_that_decides_alike_is_fine(files, capsys):
    renamed = files.write("renamed.yaml", RENAMED)
    assert run(files, files.old, renamed) == 0
    printed = capsys.readouterr().out
    assert "summary:" in printed and "affects no decision" in printed and "0 of 43" in printed
    assert run(files, files.old, files.old) == 0
    assert "Both files define every pattern identically" in capsys.readouterr().out


def test_the_snapshot_is_the_default_and_knows_who_is_responsible_after_a_clean_run(files, capsys):
    changes = expected_changes(files, files.new)
    assert run(files, "recorded", files.new, "--brief") == 1
    first = capsys.readouterr().out
    assert "whose patterns are unknown" in first and f"{len(changes)} of 43 decisions change." in first
    assert run(files, "recorded", files.old) == 0
    assert run(files, "recorded", files.new, "--brief") == 1
    second = capsys.readouterr().out
    assert "~ above-own" in second and f"above-own: {len(changes)} decisions" in second


def test_committed_patterns_that_made_the_record_are_found(files, monkeypatch, capsys):
    made_by(monkeypatch, files.old)
    assert run(files, "recorded", files.new, "--brief") == 1
    assert "~ above-own" in capsys.readouterr().out
    made_by(monkeypatch, files.new)  # the record is not from these patterns, which decide differently
    files.snapshot.write_text("".join(files.snapshot.read_text().splitlines(keepends=True)[:-1]))
    assert run(files, "recorded", files.write("without.yaml", WITHOUT), "--brief") == 1
    assert "whose patterns are unknown" in capsys.readouterr().out


def test_accept_changes_these_lines_and_no_other(files, capsys):
    changes = expected_changes(files, files.new)
    before = files.snapshot.read_text().splitlines()
    assert run(files, "recorded", files.new, "--accept") == 0
    after = files.snapshot.read_text().splitlines()
    changed = [index for index, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
    assert changed == [index + 1 for index in changes]  # below the header
    assert f"{len(changes)} of {len(changes)} changes accepted" in capsys.readouterr().out
    assert run(files, "recorded", files.new) == 0


@pytest.mark.parametrize(
    "answers, accepted", [("y\nn\nq\n", 1), ("what\n\nn\na\n", -1), ("n\n", 0), ("", 0), ("a\n", None)]
)
def test_accept_one_by_one(files, monkeypatch, capsys, answers, accepted):
    changes = expected_changes(files, files.new)
    expected = {None: len(changes), -1: len(changes) - 1}.get(accepted, accepted)
    monkeypatch.setattr("sys.stdin", io.StringIO(answers))
    assert run(files, "recorded", files.new, "--accept", "-i") == (0 if accepted is None else 1)
    assert len(expected_changes(files, files.new)) == len(changes) - expected
    assert f"{expected} of {len(changes)} changes accepted" in capsys.readouterr().out


def test_what_was_accepted_before_ctrl_c_stays_accepted(files, monkeypatch):
    answers = iter(["y", "y"])

    def answer(_):
        try:
            return next(answers)
        except StopIteration:
            raise KeyboardInterrupt from None

    monkeypatch.setattr("builtins.input", answer)
    changes = expected_changes(files, files.new)
    assert run(files, "recorded", files.new, "--accept", "-i") == 130
    assert len(expected_changes(files, files.new)) == len(changes) - 2


def test_json_holds_every_change(files, capsys):
    assert run(files, files.old, files.new, "--json") == 1
    found = json.loads(capsys.readouterr().out)
    assert found["positions"] == 43 and len(found["changes"]) == len(expected_changes(files, files.new))
    assert found["edits"] == [
        {"id": "above-own", "kind": "changed", "keys": {"points": ["5 * line(*)", "90 * line(*)"]}, "decisive": True}
    ]
    change = found["changes"][0]
    assert change["why"] == "alone" and change["responsible"] == ["above-own"]
    assert set(change) >= {"position", "before", "after", "before_by", "after_by"}
    assert run(files, "recorded", files.new, "--json", str(files.folder / "found.json")) == 1
    assert json.loads((files.folder / "found.json").read_text())["edits"] is None


def test_results_are_kept(files, monkeypatch, capsys):
    assert run(files, files.old, files.new) == 1
    first = capsys.readouterr().out
    monkeypatch.setattr(changes_module, "task_changes", None)  # any repeated computation fails
    assert run(files, files.old, files.new) == 1
    assert capsys.readouterr().out == first


def test_a_corpus_may_be_games_or_decisions(files, capsys):
    games = files.folder / "games.json"
    games.write_text(json.dumps({"games": [{"moves": [{"move": "2,2"}, {"move": "1,2"}, {"move": "PASS"}]}]}))
    run(files, files.old, files.new, "--corpus", str(games))
    assert "of 3 decisions change" in capsys.readouterr().out
    run(files, files.old, files.new, "--corpus", str(files.snapshot))
    assert "of 43 decisions change" in capsys.readouterr().out


def test_a_revision_of_git_may_be_named(files, tmp_path, capsys):
    if subprocess.run(["git", "rev-parse", "HEAD:patterns.txt"], cwd=ROOT, capture_output=True).returncode:
        pytest.skip("not a git checkout")
    assert read_knowledge("HEAD:patterns.txt").lines[0].startswith("pass-to-win\t")
    assert run(files, "HEAD:no-such-file.yaml", files.new) == 2
    assert "cannot read HEAD:no-such-file.yaml: path 'no-such-file.yaml'" in capsys.readouterr().err


def test_git_may_not_answer(files, monkeypatch, capsys):
    def silent(command, timeout, **options):
        raise subprocess.TimeoutExpired(command, timeout)

    monkeypatch.setattr(subprocess, "run", silent)
    assert run(files, "HEAD:patterns.yaml", files.new) == 2
    assert "cannot read HEAD:patterns.yaml: git: no answer within 60 s" in capsys.readouterr().err


@pytest.mark.parametrize(
    "args, said",
    [
        (("missing.yaml", "{new}"), "cannot read missing.yaml: No such file"),
        (("{old}", "{broken}"), "broken.yaml:59:12 P014 unknown class"),
        (("{old}", "{damaged}"), "damaged.txt: "),
        (("{old}", "{new}", "--corpus", "nowhere"), "cannot read nowhere: No such file"),
        (("{old}", "{new}", "--corpus", "{broken}"), "not a recorded decision"),
        (("recorded", "{new}", "--corpus", "{old}"), "also name OLD"),
        (("{old}", "{new}", "--accept"), "--accept compares with the recorded decisions"),
        (("recorded", "{new}", "-i"), "needs --accept"),
        (("{old}", "{new}", "--json", "/no/such/folder/x.json"), "cannot write /no/such/folder/x.json"),
    ],
)
def test_says_in_a_line_why_it_cannot_run(files, capsys, args, said):
    paths = {
        "old": files.old,
        "new": files.new,
        "broken": files.write("broken.yaml", STRONGER.replace("class: shape", "class: shap")),
        "damaged": files.write("damaged.txt", "littlego-patterns 1 little-go 00000000 x 1 5\nx\n"),
    }
    before = files.snapshot.read_bytes()
    assert run(files, *(arg.format(**paths) for arg in args)) == 2
    told = capsys.readouterr().err
    assert said in told and told.count("\n") == 1
    assert files.snapshot.read_bytes() == before


def test_a_snapshot_that_cannot_be_read_is_left_alone(files, capsys):
    files.snapshot.write_text("# comment\nnonsense\n")
    assert run(files, "recorded", files.new, "--accept") == 2
    assert "decisions.txt:2: not a recorded decision" in capsys.readouterr().err
    assert files.snapshot.read_text() == "# comment\nnonsense\n"


def test_the_truth_says_which_changes_are_better(files, monkeypatch, capsys):
    changes = expected_changes(files, files.new)
    answers = ["better", "worse", "", HIDDEN] + ["better"] * (len(changes) - 4)
    monkeypatch.setattr(corpus, "verdicts", lambda asked: answers[: len(asked)])
    assert run(files, files.old, files.new, "--most", "0") == 1
    printed = capsys.readouterr().out
    assert f"Exact results: {len(changes) - 3} better, 1 worse.\n" in printed
    lines = " ".join(printed.split())
    unknown = "No exact result is known for 1 of the changes: their positions have no label and more than 10 moves"
    assert f"{unknown} left. `littlego solve` computes" in lines
    hidden = "Exact results of 1 of the changes are not shown: their positions are reserved for tests, and no pattern"
    assert f"{hidden} may be tuned on them." in lines
    assert printed.count(" left: better") == len(changes) - 3 and printed.count(" left: worse") == 1
    assert run(files, files.old, files.new, "--json") == 1
    assert [change["verdict"] for change in json.loads(capsys.readouterr().out)["changes"]] == [
        answer or None for answer in answers
    ]


@pytest.mark.parametrize(
    ("verdicts", "changes", "said"),
    [
        ({1: "better"}, 1, "Exact results: 1 better."),
        ({}, 34, "No exact result is known for 34"),
        ({1: HIDDEN, 2: HIDDEN}, 2, "Exact results of 2 of the changes are not shown"),
    ],
)
def test_the_truth_is_told_in_as_many_lines_as_it_needs(verdicts, changes, said):
    text = verdicts_text(verdicts, changes)
    assert text.startswith(said) and "\n" not in text


def test_a_revision_is_that_of_the_author_s_own_repository(files, tmp_path, monkeypatch):
    (tmp_path / "mine").mkdir()
    monkeypatch.chdir(tmp_path / "mine")
    # outside a repository, the revision is one of the tools' repository
    with pytest.raises(ArgumentError, match="HEAD:mine.txt"):
        read_knowledge("HEAD:mine.txt")
    for words in (["init", "-q"], ["config", "user.name", "a"], ["config", "user.email", "a@b"]):
        subprocess.run(["git", *words], check=True)
    shutil.copy(files.new, "mine.yaml")
    subprocess.run(["git", "add", "mine.yaml"], check=True)
    subprocess.run(["git", "commit", "-q", "-m", "mine"], check=True)
    assert read_knowledge("HEAD:mine.yaml").lines == read_knowledge("mine.yaml").lines
