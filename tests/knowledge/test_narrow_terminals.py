"""Tests that `facts` and `test` fit a narrow terminal, and print one line for each item to a pipe."""

import sys

import pytest
from drawn_patterns import FILE, changed

from littlego.cli.main import main


@pytest.fixture
def fails(tmp_path):
    path = tmp_path / "p.yaml"
    path.write_text(changed("liberties(A) == 1", "liberties(A) == 3", FILE), encoding="utf-8")
    return path


def test_on_a_terminal_no_line_is_wider(fails, monkeypatch, capsys):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    for name, value in {"COLUMNS": "50", "LINES": "40", "TERM": "dumb"}.items():
        monkeypatch.setenv(name, value)
    main(["facts"])
    main(["test", "-f", str(fails)])
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 50
    assert " ".join(" ".join(lines).split()).count("region(P) Empty points connected to P through empty points") == 1


def test_in_a_pipe_each_is_one_line(fails, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "50")
    main(["facts"])
    main(["test", "-f", str(fails)])
    lines = capsys.readouterr().out.splitlines()
    assert any("P070" in line and line.endswith("`todo_match`") for line in lines)
    assert any(line.startswith("liberties(A) ") and line.endswith("that A labels.") for line in lines)
