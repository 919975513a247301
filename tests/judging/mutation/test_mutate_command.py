"""Tests of `mutate`: scores, places of survivors, equivalent mutants, and interrupted runs."""

from __future__ import annotations

import difflib
import json
import re
import signal
import textwrap

import pytest
from mutation_files import TAKE, WAIT, keep_in, written

from littlego.cli.main import main
from littlego.judging.mutation import cli, trial
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.problems import plural

SURVIVORS = ["cell 0,0 O->?", "edge top drawn", "edge left drawn", "points 100->110"]


@pytest.fixture
def arguments(tmp_path, monkeypatch):
    keep_in(tmp_path, monkeypatch)
    monkeypatch.chdir(tmp_path)
    return ["mutate", *written(tmp_path, TAKE + WAIT)]


def found(arguments, tmp_path) -> dict:
    main([*arguments, "--json", str(tmp_path / "found.json")])
    return json.loads((tmp_path / "found.json").read_text())


def test_names_the_place_of_each_survivor(arguments, capsys):
    assert main([*arguments, "take"]) == 1
    printed = capsys.readouterr().out
    assert "patterns.yaml:9:7: take: cell 0,0 O->?: no example tests this cell" in printed
    assert "patterns.yaml:7:13: take: points 100->110: no recorded decision depends on these points" in printed
    assert [line.split(": ")[2] for line in printed.splitlines() if ": take: " in line] == SURVIVORS


def test_the_threshold_decides_the_status(arguments, capsys):
    assert main([*arguments, "take", "--fail-under", "66"]) == 0
    assert main([*arguments, "take", "--fail-under", "67"]) == 1
    assert "6 of 10 mutants killed: 60.0%" in capsys.readouterr().out


def test_a_survivor_of_points_that_no_example_can_tell_does_not_keep_the_status_at_1(arguments, capsys):
    assert main([*arguments, "take", "--fail-under", "66"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert (
        "Found no killing example for 1 of the 4 survivors; without this survivor, 6 of 9 mutants are killed: 66.7%"
        in told
    )


def test_nor_do_survivors_that_differ_on_no_board_that_was_found(arguments, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(cli, "find_pins", lambda *_: {})
    assert main([*arguments, "take", "--fail-under", "100"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert (
        "Found no killing example for 4 of the 4 survivors; without these survivors, 6 of 6 mutants are killed: 100.0%"
        in told
    )
    assert found([*arguments, "take"], tmp_path)["reachable"] | {"percent": 0} == {
        "example": 5,
        "decision": 1,
        "survived": 0,
        "proved": 1,
        "equivalent": 0,
        "same": 1,
        "percent": 0,
    }


def test_boards_are_looked_for_only_where_the_status_depends_on_them(arguments, monkeypatch):
    monkeypatch.setattr(cli, "find_pins", None)
    assert main([*arguments, "take", "--fail-under", "60"]) == 0


def test_scores_as_json(arguments, tmp_path):
    score = found([*arguments, "take"], tmp_path)["score"]
    assert score == {
        "example": 5,
        "decision": 1,
        "survived": 4,
        "proved": 1,
        "equivalent": 0,
        "same": 1,
        "percent": 60.0,
    }


def test_draws_the_cell_and_an_example_that_kills(arguments, capsys):
    main([*arguments, "take", "--survivors"])
    printed = capsys.readouterr().out
    assert "    [O]*   ->  ? *\n" in printed
    assert (
        "On this board, only the mutant fires. If correct, add the example under `no_match`:\n\n        - board: |"
        in printed
    )


def test_the_examples_that_it_offers_kill_their_mutants(arguments, tmp_path):
    text = TAKE
    for survivor in found([*arguments, "take"], tmp_path)["survivors"]:
        if survivor["kill"]:
            example = textwrap.indent(survivor["kill"]["example"], " " * 8)
            head = f"      {survivor['kill']['under']}:\n"
            text = text.replace(head, f"{head}{example}\n")
    _, problems, _ = compile_text(text, "patterns.yaml")
    assert not problems and text != TAKE
    (tmp_path / "patterns.yaml").write_text(text + WAIT)
    assert [one["mutant"] for one in found([*arguments, "take"], tmp_path)["survivors"]] == ["points 100->110"]


def test_write_adds_the_examples_and_nothing_else(arguments, tmp_path, capsys):
    path = tmp_path / "patterns.yaml"
    text = "# Mine.\n" + path.read_text().replace("          move: 0,3", "          move: 0,3  # far away")
    path.write_text(text)
    assert main([*arguments, "take", "--write"]) == 1
    printed = capsys.readouterr().out.splitlines()
    written = path.read_text()
    kept = [line for line in difflib.ndiff(text.splitlines(), written.splitlines()) if line[0] == "-"]
    assert not kept and written.endswith("move: 2,2\n")
    assert compile_text(written, "patterns.yaml")[1] == []
    [count] = [line for line in printed if line.endswith(" added; review each example")]
    places = [line for line in printed if re.fullmatch(r"patterns\.yaml:\d+: take: (no_)?match(es)?", line)]
    assert count == f"patterns.yaml: {plural(len(places), 'example')} added; review each example" and places
    for place in places:
        assert written.splitlines()[int(place.split(":")[1]) - 1].endswith("- board: |")
    assert printed[-1] == "no board was found for 1 other survivor"
    assert [one["mutant"] for one in found([*arguments, "take"], tmp_path)["survivors"]] == ["points 100->110"]


def test_write_adds_no_board_that_another_spares(arguments, tmp_path, capsys):
    offered = [one["kill"] for one in found([*arguments, "take"], tmp_path)["survivors"] if one["kill"]]
    main([*arguments, "take", "--write"])
    added = (tmp_path / "patterns.yaml").read_text().count("- board") - (TAKE + WAIT).count("- board")
    assert 1 <= added <= len({one["example"] for one in offered})


def test_where_nothing_survives_nothing_is_written(arguments, tmp_path, capsys):
    main([*arguments, "take", "--write"])
    before = (tmp_path / "patterns.yaml").read_bytes()
    capsys.readouterr()
    main([*arguments, "take", "--write", "--json"])
    shown = capsys.readouterr()
    assert json.loads(shown.out) and "patterns.yaml: 0 examples added\n" in shown.err
    assert (tmp_path / "patterns.yaml").read_bytes() == before


def test_a_file_that_an_editor_saved_meanwhile_is_left_alone(arguments, tmp_path, capsys, monkeypatch):
    path = tmp_path / "patterns.yaml"
    shown = cli.print_report

    def save(*args):
        path.write_text(TAKE)
        shown(*args)

    monkeypatch.setattr(cli, "print_report", save)
    assert main([*arguments, "take", "--write"]) == 2
    assert (
        "patterns.yaml was changed in the meantime; nothing was written: run the command again"
        in capsys.readouterr().err
    )
    assert path.read_text() == TAKE


def test_lists_the_mutants_without_trying_them(arguments, capsys, monkeypatch):
    monkeypatch.setattr(trial, "try_mutants", None)
    assert main([*arguments, "--list", "t*"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "patterns.yaml:9:7: take: cell 0,0 O->o" and len(lines) == 12
    assert "patterns.yaml:13:25: take: when[0] 1->2" in lines


def equivalent(folder, mutant: str, pattern: str = "take") -> list[str]:
    path = folder / "equivalent.yaml"
    path.write_text(f"- mutant: {mutant}\n  patterns: [{pattern}]\n  reason: Nobody minds.\n")
    return ["--equivalent", str(path)]


def test_a_listed_survivor_does_not_count(arguments, tmp_path):
    score = found([*arguments, "take", *equivalent(tmp_path, "cell 0,0 O->?")], tmp_path)["score"]
    assert (score["survived"], score["equivalent"], score["percent"]) == (3, 1, 66.7)


@pytest.mark.parametrize(
    ("mutant", "reason"),
    [
        ("cell 0,0 O->X", "it is killed by an example"),
        ("points 100->90", "it is killed by a recorded decision"),
        ("cell 0,0 O->o", "it is proved to be equivalent without the list"),
        ("edge bottom drawn", "it is identical to the pattern or to another mutant"),
        ("cell 7,7 O->o", "there is no such mutant"),
    ],
)
def test_a_stale_equivalent_is_an_error(arguments, tmp_path, capsys, mutant, reason):
    assert main([*arguments, "take", "--fail-under", "0", *equivalent(tmp_path, mutant)]) == 1
    assert f"`{mutant}` of take is listed as equivalent, but {reason}" in capsys.readouterr().err


def test_so_is_one_of_a_pattern_that_is_gone(arguments, tmp_path, capsys):
    assert main([*arguments, "take", "--fail-under", "0", *equivalent(tmp_path, "cell 0,0 O->?", "tke")]) == 1
    assert "of tke is listed as equivalent, but there is no such mutant: remove the entry" in capsys.readouterr().err


@pytest.mark.parametrize(
    "text", ["- mutant: a\n", "mutant: a\n", "- [a]\n", "- {mutant: a, patterns: take, reason: b}\n", "- {", "\0"]
)
def test_a_broken_list_of_equivalents_says_what_is_expected(arguments, tmp_path, capsys, text):
    (tmp_path / "equivalent.yaml").write_text(text)
    assert main([*arguments, "--equivalent", str(tmp_path / "equivalent.yaml")]) == 2
    assert "expected a list of `mutant:`" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        (["tke"], "no pattern `tke`; did you mean `take`?"),
        (["--write", "--list"], "--write together with --list: choose one"),
        (["--patterns", "missing.yaml"], "cannot read missing.yaml"),
        (["--decisions", "missing.txt"], "cannot read missing.txt: No such file"),
        (["--decisions", "patterns.yaml"], "patterns.yaml:1: not a recorded decision"),
    ],
)
def test_says_what_cannot_be_used(arguments, capsys, changed, expected):
    assert main([*arguments, *changed]) == 2
    assert expected in capsys.readouterr().err


def test_a_file_with_mistakes_is_not_tried(arguments, tmp_path, capsys):
    (tmp_path / "patterns.yaml").write_text(TAKE.replace("class: capture", "class: captur"))
    assert main(arguments) == 2
    assert "did you mean `capture`?" in capsys.readouterr().err


def test_a_stopped_run_goes_on_where_it_was(arguments, tmp_path, monkeypatch):
    tried, try_it = [], trial._Trial._failing

    def stopped(self, lines):
        if len(tried) == 5:
            raise KeyboardInterrupt
        tried.append(lines)
        return try_it(self, lines)

    monkeypatch.setattr(trial._Trial, "_failing", stopped)
    assert main([*arguments, "take"]) == 128 + signal.SIGINT
    monkeypatch.setattr(trial._Trial, "_failing", lambda *args: tried.append(args[1]) or try_it(*args))
    whole = found([*arguments, "take"], tmp_path)
    assert len(tried) == 11  # each mutant once
    assert whole == found([*arguments, "take", "--fresh"], tmp_path)


def test_several_processes_find_the_same(arguments, tmp_path):
    one = found(arguments, tmp_path)
    assert found([*arguments, "--fresh", "--jobs", "2"], tmp_path) == one
    assert found([*arguments, "take", "--fresh", "--jobs", "3"], tmp_path)["score"] == one["patterns"]["take"]


def test_shares_are_made_only_where_processes_would_be_idle(monkeypatch):
    asked = []
    monkeypatch.setattr(trial, "laboratory", lambda setup: None)
    monkeypatch.setattr(trial, "each", lambda _, items, *__: asked.extend(items) or [(one, []) for one in items])
    trial.try_all_mutants(None, ["a", "b", "c"], 2)
    trial.try_all_mutants(None, ["a"], 2)
    assert [(one.pattern, one.share, one.shares) for one in asked] == [
        ("a", 0, 1),
        ("b", 0, 1),
        ("c", 0, 1),
        ("a", 0, 2),
        ("a", 1, 2),
    ]


@pytest.mark.slow
def test_the_shipped_knowledge_is_pinned():
    assert main(["mutate"]) == 0
