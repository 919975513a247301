"""Tests of the command `coverage`: tables, page, JSON, threshold, and error messages."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest
from effects_files import PATTERNS

from littlego.cli.main import main
from littlego.judging import coverage as names_of
from littlego.judging.coverage import Survey
from littlego.paths import REAL_GAMES
from littlego.players.roles.table import corpus_roles


@pytest.fixture
def coverage(files):
    """Return a function that runs `coverage` on a real game, two games per role, and recorded decisions."""
    one_game = files.folder / "games.jsonl"
    one_game.write_text(REAL_GAMES.read_text().splitlines()[0] + "\n")
    always = ["--games-from", str(one_game), "--decisions", str(files.snapshot), "--patterns", files.old]
    return lambda *args: main(["coverage", *always, "--games", "2", *args])


def test_prints_a_row_a_pattern_that_fits_80_columns(coverage, capsys):
    assert coverage() == 0
    printed = capsys.readouterr().out
    rows = {row.split()[0]: row.split() for row in printed.splitlines() if row.strip()}
    assert set(rows) >= {"centre-first", "beside", "above-own", "attack", "shape", "opening"}
    assert rows["centre-first"][5:] == ["1/1", "1/1", "er--"]
    assert rows["beside"][5:7] == ["4/4", "24/24"] and rows["beside"][7].startswith("erdg")
    assert "3 of examples, 24 of real games, 42 of decisions on record, " in " ".join(printed.split())
    assert "100.0% of 3 patterns decide or support a move in play." in printed
    assert max(map(len, printed.splitlines())) <= 80


def test_json_holds_the_counts_of_every_source(coverage, files, capsys):
    path = files.folder / "counts.json"
    assert coverage("--json", str(path)) == 0
    assert "above-own" in capsys.readouterr().out
    found = json.loads(path.read_text())
    against = [f"{names_of.AGAINST}{role.name}" for role in corpus_roles()]
    names = [names_of.EXAMPLES, names_of.REAL, names_of.RECORDED, *against]
    assert list(found["sources"]) == names
    assert found["sources"][names_of.REAL]["positions"] == sum(found["sources"][names_of.REAL]["kinds"].values()) == 24
    assert all(18 <= found["sources"][name]["positions"] <= 24 for name in names[3:])
    assert found["active_percent"] == 100
    assert coverage("--json") == 0
    assert json.loads(capsys.readouterr().out) == found


def test_one_pattern_in_detail(coverage, capsys):
    assert coverage("centre-first") == 0
    printed = capsys.readouterr().out
    assert "Begin in the centre." in printed and "images seen: 1/1; places of the top-left corner: 1/1" in printed
    assert "against greedy" in printed and "\n#" in printed and "above-own" not in printed


def test_an_unknown_pattern_is_named_with_the_nearest(coverage, capsys):
    assert coverage("centre-frist") == 2
    assert "no pattern `centre-frist`; did you mean `centre-first`?" in capsys.readouterr().err


def test_the_wide_table_has_every_corpus(coverage, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "300")
    assert coverage("--wide") == 0
    printed = capsys.readouterr().out
    assert "games against roles" in printed and printed.count(" vetoed") >= 4


def test_a_page_with_a_picture_of_every_image(coverage, files):
    path = files.folder / "page.html"
    assert coverage("--html", str(path)) == 0
    text = path.read_text()
    pictures = [part.partition("</svg>")[0] + "</svg>" for part in text.split("<svg")[1:]]
    assert len(pictures) == 3 + 1 + 4 + 4  # each pattern has a picture of its places and pictures of its images
    assert all(ElementTree.fromstring("<svg" + picture) is not None for picture in pictures)
    assert (
        'id="above-own"' in text
        and "Stand beside an own stone." in text
        and "http://" not in text.replace('xmlns="http://www.w3.org/2000/svg"', "")
    )
    before = path.read_bytes()
    assert coverage("--html", str(path)) == 0
    assert path.read_bytes() == before


def test_text_of_patterns_is_escaped_on_the_page(coverage, files):
    path = files.folder / "page.html"
    files.write("old.yaml", PATTERNS.replace("Begin in the centre.", '"<script>alert(1)</script> & so on"'))
    assert coverage("--html", str(path)) == 0
    assert "&lt;script&gt;alert(1)" in path.read_text() and "<script>alert" not in path.read_text()


def test_played_games_and_test_runs_are_sources_too(coverage, files, capsys):
    played = files.folder / "match.json"
    assert main(["match", "ours", "random", "--games", "2", "--jobs", "1", "--json", str(played)]) == 0
    run = files.folder / "run.json"
    met = Survey(positions=5, counts={"beside": {"decides": 4}})
    run.write_text(json.dumps({"tests": {"test_a.py::test_one": met.as_json()}}))
    capsys.readouterr()
    assert coverage("beside", "--played", str(played), "--test-run", str(run)) == 0
    rows = [row.split() for row in capsys.readouterr().out.splitlines()]
    assert ["test:", "test_a.py::test_one", "5", "4", "-", "-", "-"] in rows
    assert any(row[:2] == ["played:", "match.json"] and int(row[2]) > 40 for row in rows)
    assert coverage("--played", str(played), "--test-run", str(run)) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "of played games," in printed and ", 5 of test run." in printed


def test_fails_under_a_threshold(coverage, files, capsys):
    assert coverage("--fail-under", "100") == 0
    impossible = "points: 0\n    when:\n      - size(A) >= 25\n    labels: |\n      A .\n"
    never = files.write("never.yaml", PATTERNS.replace("points: 5 * line(*)\n", impossible))
    capsys.readouterr()
    assert coverage("--patterns", never, "--fail-under", "67") == 1
    printed = capsys.readouterr().out
    assert "above-own inert: it never fires" in printed and "\n66.7% of 3 patterns" in printed
    assert coverage("--patterns", never, "--fail-under", "66.6") == 0


def test_what_decides_is_told_in_words(coverage, files, capsys):
    assert coverage() == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert re.search(r"Kinds of decisions: ([a-z ]+ [0-9.]+%, )+[a-z ]+ [0-9.]+%\.", printed)


@pytest.mark.parametrize(
    "args, said",
    [
        (("--games-from", "missing.jsonl"), "cannot read missing.jsonl: No such file"),
        (("--played", "missing.json"), "cannot read missing.json: No such file"),
        (("--decisions", "missing.txt"), "cannot read missing.txt: No such file"),
        (("--patterns", "missing.txt"), "cannot read missing.txt: No such file"),
        (("--test-run", "missing.json"), "cannot read missing.json: No such file"),
        (("--test-run", "{snapshot}"), "is not a record of a test run"),
        (("--played", "{snapshot}"), "decisions.txt:1: expected a game as JSON"),
        (("--html", "/no/such/folder/x.html"), "cannot write /no/such/folder/x.html: No such file"),
    ],
)
def test_says_in_a_line_why_it_cannot_run(coverage, files, capsys, args, said):
    assert coverage(*(arg.format(snapshot=files.snapshot) for arg in args)) == 2
    assert said in capsys.readouterr().err


def test_a_test_run_nested_without_end_is_none(coverage, tmp_path, capsys):
    path = tmp_path / "deep.json"
    path.write_text("[" * 5000)
    assert coverage("--test-run", str(path)) == 2 and "is not a record of a test run" in capsys.readouterr().err
