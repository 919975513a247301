"""Walks from a few positions, for all tests of this room."""

from __future__ import annotations

import numpy as np
import pytest
from small_proofs import CODES, Files

from tools.labels import decider
from tools.proof import replayed, walk


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.setattr(decider, "OVERRIDES", tmp_path / "none.txt")
    monkeypatch.setattr(walk, "roots_of", lambda colour: np.array(sorted(CODES)))
    monkeypatch.setattr(replayed, "openings_of", lambda colour: set(CODES))
    return Files(tmp_path)
