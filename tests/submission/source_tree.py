"""A small repository to submit from: the real engine and one pattern."""

from __future__ import annotations

import shutil
from pathlib import Path

from drawn_patterns import FILE

from littlego.knowledge.compiler import compile_text

ROOT = Path(__file__).parents[2]


def make_tree(root: Path) -> Path:
    """Make `root` a repository with an up-to-date patterns.txt; return `root`."""
    root.mkdir()
    shutil.copy(ROOT / "my_player3.py", root)
    shutil.copytree(ROOT / "rules", root / "rules", ignore=shutil.ignore_patterns("__pycache__"))
    (root / "patterns.yaml").write_text(FILE, encoding="utf-8")
    data, problems, _ = compile_text(FILE, "patterns.yaml")
    assert not problems and data is not None
    (root / "patterns.txt").write_bytes(data)
    return root
