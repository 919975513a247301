"""The command `coverage`."""

from __future__ import annotations

import json

import pytest
from knowledge_files import REAL_GAMES, book

from tools.__main__ import main
from tools.opponents.roles import ROLES


@pytest.fixture
def one_game(tmp_path):
    path = tmp_path / "games.jsonl"
    path.write_text(REAL_GAMES.read_text().splitlines()[0] + "\n")
    return path


def test_prints_a_row_a_pattern_and_writes_the_counts(one_game, tmp_path, capsys):
    counts = tmp_path / "counts.json"
    assert main(["coverage", "--games", "1", "--recorded", str(one_game), "--json", str(counts)]) == 0
    printed = capsys.readouterr().out
    for pattern in book().patterns:
        assert f"\n{pattern.id} " in printed
    found = json.loads(counts.read_text())
    assert list(found) == ["recorded games"] + [f"against {role}" for role in ROLES]
    assert found["recorded games"]["positions"] == 24
    assert sum(found["recorded games"]["classes"].values()) == 24
    assert all(9 <= found[f"against {role}"]["positions"] <= 12 for role in ROLES)


def test_says_what_cannot_be_read(tmp_path, capsys):
    assert main(["coverage", "--recorded", str(tmp_path / "missing.jsonl")]) == 2
    assert "missing.jsonl" in capsys.readouterr().err
    assert main(["coverage", "--patterns", str(tmp_path / "missing.txt")]) == 2
    assert "missing.txt" in capsys.readouterr().err
