"""patterns.yaml and patterns.txt for tests, read once in each process."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from littlego.knowledge.compiler import compile_text
from littlego.knowledge.model import KnowledgeBase
from littlego.knowledge.problems import Problem
from littlego.rules import patternfile

ROOT = Path(__file__).parents[2]
YAML, TXT = ROOT / "patterns.yaml", ROOT / "patterns.txt"


class Compiled(NamedTuple):
    """The result of compiling patterns.yaml without running its examples."""

    data: bytes | None
    problems: list[Problem]
    base: KnowledgeBase


@lru_cache(maxsize=1)
def compiled() -> Compiled:
    """Return the result of compiling patterns.yaml."""
    return Compiled(*compile_text(YAML.read_bytes(), YAML.name, with_examples=False))


@lru_cache(maxsize=1)
def book() -> patternfile.Book:
    """Return the book in patterns.txt."""
    return patternfile.load(str(TXT))
