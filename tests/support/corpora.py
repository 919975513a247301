"""Corpora of a game with files of a test in place of the shipped ones."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from littlego.judging.corpora import CORPORA


def use(monkeypatch: Any, ruleset: str, **files: Any) -> None:
    """Let the corpora of a game have these files and numbers; see littlego.judging.corpora."""
    changed: Any = CORPORA[ruleset]
    monkeypatch.setitem(CORPORA, ruleset, replace(changed, **files))


def made_by(monkeypatch: Any, *makers: str, ruleset: str = "little-go") -> None:
    """Let these patterns files be those that may have made the record."""
    use(monkeypatch, ruleset, makers=makers)
