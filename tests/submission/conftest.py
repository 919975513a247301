"""A small repository for each test that wants one."""

from __future__ import annotations

from pathlib import Path

import pytest
from source_tree import make_tree


@pytest.fixture
def tree(tmp_path) -> Path:
    """Return the folder of a small repository of its own."""
    return make_tree(tmp_path / "repository")
