"""An author's folder: every command uses the patterns in it, and no command changes the shipped files."""

from __future__ import annotations

from pathlib import Path

import pytest

from littlego.cli.main import main
from littlego.paths import DECISIONS, MATCH_DECISIONS, OVERRIDES, PATTERNS_TXT, PATTERNS_YAML

OWN = "play-in-an-empty-corner"
ENTRY = f"""
  - id: {OWN}
    class: corner
    summary: "A corner whose four points are empty is taken first."
    priority: 990
    {{scope}}diagram: |
      * .
      . .
      . .
    anchor: corner
    points: 900
    examples:
      matches:
        - board: |
            {{board}}
          move: 0,0
      no_match:
        - board: |
            {{board}}
          move: 2,2
"""
SHIPPED = (PATTERNS_YAML, PATTERNS_TXT, OVERRIDES, DECISIONS, MATCH_DECISIONS)
STONELESS = "\n            ".join([". . . . ."] * 5)
CORNERS = ("0,0", "0,4", "4,0", "4,4")
GAME = "(;GM[1]FF[4]SZ[5]KM[2.5];B[cc];W[bb])"
MATCH_GAME = "(;GM[1]FF[4]SZ[9]KM[6.5];B[ee];W[cc])"


def add_pattern(path: Path, board: str) -> None:
    """Add the author's pattern to a patterns file."""
    text = path.read_text(encoding="utf-8")
    path.write_text(text.rstrip("\n") + "\n" + ENTRY.format(board=board, scope=""), encoding="utf-8")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return the author's folder with one pattern added and compiled."""
    folder = tmp_path_factory.mktemp("author") / "mine"
    assert main(["init", str(folder)]) == 0
    add_pattern(folder / "patterns.yaml", STONELESS)
    assert main(["compile", str(folder / "patterns.yaml")]) == 0
    (folder / "game.sgf").write_text(GAME)
    return folder


@pytest.fixture
def author(made, monkeypatch):
    """Return the author's folder, which is the current folder."""
    monkeypatch.chdir(made)
    before = [path.read_bytes() for path in SHIPPED]
    yield made
    assert [path.read_bytes() for path in SHIPPED] == before
