"""Checking a patterns file in tests: everything asked anew, in this process."""

from __future__ import annotations

from pathlib import Path

from tools.cache import Cache
from tools.lint.answers import Answers
from tools.lint.check import Checked, check_text
from tools.lint.proofs import Proofs

NOWHERE = Path("/dev/null")  # no folder: such a cache is kept in memory


def checked(data: bytes | str, name: str = "patterns.yaml", notes: bool = False) -> Checked:
    """Return all that `littlego check` finds in a file."""

    def exact_lints(base, undecided):
        return Proofs(base, Answers(base, cache=Cache("lint", NOWHERE)), undecided, notes).lints()

    return check_text(data.encode() if isinstance(data, str) else data, name, exact_lints, notes)


def codes(found: Checked) -> list[str]:
    """Return the code of each problem, in the order of the file."""
    return [problem.code for problem in found.problems]
