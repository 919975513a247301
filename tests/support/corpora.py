"""Corpora of a game with files of a test in place of the shipped files."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from littlego.judging.corpora import CORPORA


def use(monkeypatch: Any, ruleset: str, **files: Any) -> None:
    """Give the corpora of a game these files and numbers; see littlego.judging.corpora."""
    changed: Any = CORPORA[ruleset]
    monkeypatch.setitem(CORPORA, ruleset, replace(changed, **files))


def made_by(monkeypatch: Any, *makers: str, ruleset: str = "little-go") -> None:
    """Let these patterns files be the candidates for the file that made the record."""
    use(monkeypatch, ruleset, makers=makers)
