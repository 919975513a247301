"""patterns.yaml and patterns.txt as tests see them, read once a process."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from rules import patternfile
from tools.knowledge.compiler import compile_text
from tools.knowledge.model import KnowledgeBase
from tools.knowledge.problems import Problem

ROOT = Path(__file__).parents[2]
YAML, TXT = ROOT / "patterns.yaml", ROOT / "patterns.txt"


class Compiled(NamedTuple):
    """What compiling patterns.yaml gives, its examples not run."""

    data: bytes | None
    problems: list[Problem]
    base: KnowledgeBase


@lru_cache(maxsize=1)
def compiled() -> Compiled:
    """Compile patterns.yaml."""
    return Compiled(*compile_text(YAML.read_bytes(), YAML.name, with_examples=False))


@lru_cache(maxsize=1)
def book() -> patternfile.Book:
    """Return the book in patterns.txt."""
    return patternfile.load(str(TXT))
