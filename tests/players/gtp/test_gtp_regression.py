"""Tests of regression files in GNU Go's format: the four verdicts, faulty files, our player's tests."""

from pathlib import Path

import pytest
from gtp_talk import Talk

from littlego.cli.arguments import ArgumentError
from littlego.cli.main import main
from littlego.players.gtp.regression import run_file, run_tests

ROOT = Path(__file__).parents[3]
OWN = Path("tests/data/gtp/little-go.tst")


def outcomes(folder, text):
    (folder / "some.tst").write_text(text, encoding="utf-8")
    return [str(outcome) for outcome in run_tests(folder / "some.tst", Talk().engine)]


@pytest.mark.parametrize(
    ("expectation", "outcome"),
    [
        ("[2]", "7 passed"),
        ("[1|2]", "7 passed"),
        ("[!1|3]", "7 passed"),
        ("[!1]*", "7 PASSED"),
        ("[.*]", "7 passed"),
        ("[2]*", "7 PASSED"),
        ("[2]*&", "7 PASSED"),  # a form that occurs in some of GNU Go's files
        ("[3]*", "7 failed: expected 3, got 2"),
        ("[3]", "7 FAILED: expected 3, got 2"),
        ("[22]", "7 FAILED: expected 22, got 2"),  # the whole answer
        ("[]", "7 FAILED: expected , got 2"),
        ("[!2]", "7 FAILED: expected anything but 2, got 2"),
        ("[[1-3]]", "7 passed"),
    ],
)
def test_a_verdict_is_gnu_gos(tmp_path, expectation, outcome):
    assert outcomes(tmp_path, f"7 protocol_version\n#? {expectation}\n") == [outcome]


def test_a_test_is_of_the_answer_before_it(tmp_path):
    text = (
        "protocol_version\n# a comment\n\n#? [2]\n#? [3]\nplay b A1\n#? []\r\nplay b A1\n#? [.*]\n#? [!A1]\nquit\nname"
    )
    assert outcomes(tmp_path, text) == [
        "line 1 passed",
        "line 1 FAILED: expected 3, got 2",
        "line 6 passed",
        "line 8 FAILED: expected .*, got ? illegal move",
        "line 8 FAILED: expected anything but A1, got ? illegal move",
    ]


def test_long_answers_are_cut(tmp_path):
    assert outcomes(tmp_path, "3 list_commands\n#? [boardsize]\n")[0].endswith("...")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("#? [2]\n", "some.tst:1: expected a command before this test"),
        ("name\n#? 2\n", "some.tst:2: found #? 2, expected #? [ANSWER] or #? [!ANSWER], optionally with * at the end"),
        ("name\n\n#? [(]\n", "some.tst:3: ( is not a regular expression"),
        ("name\n#? [\x1b]x\n", "found #? [\\x1b]x"),
    ],
)
def test_a_file_that_is_wrong_is_told_with_its_line(tmp_path, monkeypatch, text, said):
    monkeypatch.chdir(tmp_path)
    Path("some.tst").write_text(text)
    with pytest.raises(ArgumentError) as error:
        list(run_tests(Path("some.tst"), Talk().engine))
    assert said in str(error.value) and "\n" not in str(error.value)


def test_how_many_went_how_is_summed_up(tmp_path):
    said = []
    (tmp_path / "some.tst").write_text("1 protocol_version\n#? [2]\n#? [2]*\n#? [3]*\n")
    assert run_file(tmp_path / "some.tst", Talk().engine, said.append)
    assert said[-1] == "3 tests: 1 passed, 1 PASSED, 1 failed, 0 FAILED"


def test_our_player_passes_its_own_tests(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    assert main(["gtp", "--regress", str(OWN)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "7 tests: 6 passed, 0 PASSED, 1 failed, 0 FAILED"


def test_a_player_that_fails_is_a_finding(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    assert main(["gtp", "--player", "random", "--regress", str(OWN)]) == 1
    assert "FAILED: expected C3, got " in capsys.readouterr().out


@pytest.mark.parametrize("words", [["--regress", "none.tst"], ["--regress", "x.tst", "--check"]])
def test_what_cannot_be_run_is_a_line(tmp_path, monkeypatch, capsys, words):
    monkeypatch.chdir(tmp_path)
    assert main(["gtp", *words]) == 2
    shown = capsys.readouterr()
    assert shown.out == "" and shown.err.count("\n") <= 2  # the first line names the patterns that are used
