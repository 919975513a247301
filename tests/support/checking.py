"""Checks of patterns files for tests, run in this process and without cached answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from littlego.cache import Cache
from littlego.knowledge.lint import answers
from littlego.knowledge.lint.check import Checked, check_text
from littlego.knowledge.lint.proofs import lints_of

NOWHERE = Path("/dev/null")  # no folder, so the cache is kept in memory


def checked(data: bytes | str, name: str = "patterns.yaml", notes: bool = False) -> Checked:
    """Return all problems that `littlego check` finds in a file."""

    def exact_lints(base, undecided):
        return lints_of(base, undecided, notes=notes, cache=Cache("lint", NOWHERE))

    return check_text(data.encode() if isinstance(data, str) else data, name, exact_lints, notes)


def codes(found: Checked) -> list[str]:
    """Return the code of each problem, in file order."""
    return [problem.code for problem in found.problems]


def watch_questions(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return a list to which each later question that needs a search is appended."""
    found: list[Any] = []
    real = answers._answer_question
    monkeypatch.setattr(
        answers, "_answer_question", lambda exact, question: found.append(question) or real(exact, question)
    )
    return found
