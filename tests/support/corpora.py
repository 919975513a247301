"""Functions with which a test replaces the files in a game's corpora."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from littlego.judging.corpora import CORPORA


def use(monkeypatch: Any, ruleset: str, **files: Any) -> None:
    """Replace the named fields in a game's corpora; littlego.judging.corpora documents the fields."""
    changed: Any = CORPORA[ruleset]
    monkeypatch.setitem(CORPORA, ruleset, replace(changed, **files))


def made_by(monkeypatch: Any, *makers: str, ruleset: str = "little-go") -> None:
    """Set the patterns files from which the recorded decisions may originate."""
    use(monkeypatch, ruleset, makers=makers)
