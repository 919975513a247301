"""Tests that the tables of docs/results.md come from stored runs. Error messages name a faulty run."""

from __future__ import annotations

import json

import pytest

from littlego.dev.regenerate import figures
from littlego.dev.regenerate.figures import DERIVED, PAGE, RUNS, RunError, refresh_figures, run_table

RUN = {"columns": ["a", "b"], "rows": [["1", "2"]], "commands": ["littlego check"], "measured": "Once."}


def test_the_page_is_up_to_date():
    text = PAGE.read_text(encoding="utf-8")
    assert refresh_figures(text) == text, "run `littlego dev regenerate figures`"


def test_every_kept_run_is_shown():
    text = PAGE.read_text(encoding="utf-8")
    assert all(f"<!-- figures: {name} -->" in text for name in [*DERIVED, *(run.stem for run in RUNS.glob("*.json"))])


@pytest.fixture
def runs(tmp_path, monkeypatch):
    monkeypatch.setattr(figures, "RUNS", tmp_path)
    return tmp_path


def test_a_run_becomes_a_table_with_its_commands(runs):
    (runs / "one.json").write_text(json.dumps(RUN))
    page = refresh_figures("# Figures\n\n<!-- figures: one -->\nstale\n<!-- end -->\n")
    assert page == (
        "# Figures\n\n<!-- figures: one -->\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n"
        "    littlego check\n\nOnce.\n<!-- end -->\n"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "one.json: Expecting"),
        ("[]", "one.json: expected the keys columns, commands, measured, rows"),
        (json.dumps({**RUN, "more": 1}), "one.json: expected the keys"),
        (json.dumps({**RUN, "commands": []}), "one.json: expected at least one command"),
        (json.dumps({**RUN, "rows": [["1"]]}), "one.json: expected at least one command, and rows of 2 cells"),
    ],
)
def test_a_faulty_run_is_named(runs, text, message):
    (runs / "one.json").write_text(text)
    with pytest.raises(RunError, match=message):
        run_table(runs / "one.json")


def test_a_missing_run_is_named(runs):
    with pytest.raises(RunError, match=r"none\.json"):
        refresh_figures("<!-- figures: none -->\n<!-- end -->\n")
