"""Tests of `littlego check`: status, output files, pages about codes, and errors."""

from __future__ import annotations

import json
import os

import pytest
from drawn_patterns import FILE, changed

from littlego.cli import main as command_line
from littlego.knowledge.codes import CODES


def run(*words: object) -> int:
    return command_line.main(["check", *map(str, words)])


@pytest.fixture
def fine(tmp_path):
    path = tmp_path / "fine.yaml"
    path.write_text(FILE, encoding="utf-8")
    return path


@pytest.fixture
def faulty(tmp_path):
    path = tmp_path / "faulty.yaml"
    text = changed("liberties(A) == 1", "liberties(A) == 1 and line(*) > 0")
    path.write_text(changed("class: capture", "class: capture\n    doubt: unsure", text), encoding="utf-8")
    return path


def test_a_fine_file_is_fine(fine, capsys):
    assert run(fine) == 0
    assert capsys.readouterr().out.endswith("fine.yaml: 1 pattern, no fault\n")


def test_a_faulty_file_is_reported(faulty, capsys):
    assert run(faulty) == 1
    assert "faulty.yaml:14:31 L210 " in capsys.readouterr().out


def test_notes_are_shown_on_request_and_are_no_fault(fine, faulty, capsys):
    assert run(fine, "--notes") == 0
    assert " L233 " in capsys.readouterr().out
    run(faulty)
    assert "L234" not in capsys.readouterr().out


def test_without_exact_questions_nothing_is_proven(faulty):
    assert run(faulty, "--no-exact") == 0


def test_several_processes_find_the_same(faulty, tmp_path, capsys, monkeypatch):
    found = []
    for jobs in (1, 2):
        monkeypatch.setattr("littlego.cache.Cache.__init__.__defaults__", (tmp_path / str(jobs),))
        run(faulty, "--jobs", jobs)
        found.append(capsys.readouterr().out)
        assert os.listdir(tmp_path / str(jobs))
    assert found[0] == found[1]


@pytest.mark.parametrize("words", [("--json",), ("--format", "json")])
def test_json_goes_to_standard_output(faulty, capsys, words):
    assert run(faulty, *words) == 1
    assert json.loads(capsys.readouterr().out)["problems"][0]["code"] == "L210"


@pytest.mark.parametrize("words", [("--json",), ("--format", "sarif", "-o"), ("-o",)])
def test_a_result_goes_into_a_file_and_the_summary_to_people(faulty, tmp_path, capsys, words):
    assert run(faulty, *words, tmp_path / "result.json") == 1
    told = capsys.readouterr()
    assert told.out == "" and "1 pattern, 1 warning" in told.err
    assert "L210" in (tmp_path / "result.json").read_text(encoding="utf-8")


def test_what_cannot_be_read_or_written_is_one_line(fine, tmp_path, capsys):
    assert run(tmp_path / "nothing.yaml") == 2
    assert run(fine, "-o", tmp_path / "no" / "folder") == 2
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 2 and "cannot read" in told[0] and "cannot write" in told[1]


def test_explain_prints_the_page(capsys):
    assert run("--explain", "p012") == 0
    assert capsys.readouterr().out.startswith("# P012 malformed name\n")


def test_explain_all_lists_the_codes(capsys):
    assert run("--explain", "all") == 0
    assert [line[:4] for line in capsys.readouterr().out.splitlines()] == list(CODES)


def test_explain_of_an_unknown_code_helps(capsys):
    assert run("--explain", "P0012") == 2
    assert "did you mean `P012`?" in capsys.readouterr().err


def test_bytes_that_are_no_text_are_reported(tmp_path, capsys):
    path = tmp_path / "noise.yaml"
    path.write_bytes(bytes(range(256)) * 4)
    assert run(path) == 1
    assert " P001 " in capsys.readouterr().out


def test_the_file_of_this_folder_is_meant_where_none_is_named(faulty, monkeypatch, capsys):
    faulty.rename(faulty.with_name("patterns.yaml"))
    monkeypatch.chdir(faulty.parent)
    assert command_line.main(["check", "--no-exact", "--jobs", "1"]) == 0
    assert capsys.readouterr().out == "patterns.yaml: 1 pattern, no fault\n"
    assert command_line.main(["check", "--explain", "l203"]) == 0 and "L203" in capsys.readouterr().out
