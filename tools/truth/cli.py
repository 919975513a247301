"""The commands of the truth room: one module each, which loads what is heavy when its command runs."""

from __future__ import annotations

from tools.truth.grade_cli import add_grade
from tools.truth.label_cli import add_label
from tools.truth.mine_cli import add_mine
from tools.truth.prove_cli import add_prove
from tools.truth.verdicts import add_verdicts


def add_parsers(subparsers) -> None:
    """Add the commands of this room."""
    add_label(subparsers)
    add_grade(subparsers)
    add_mine(subparsers)
    add_prove(subparsers)
    add_verdicts(subparsers)
