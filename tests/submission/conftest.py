"""A fixture that creates a small repository."""

from __future__ import annotations

from pathlib import Path

import pytest
from source_tree import make_tree


@pytest.fixture
def tree(tmp_path) -> Path:
    """Return a small repository's folder."""
    return make_tree(tmp_path / "repository")
