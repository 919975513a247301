"""A fixture with walks from a few positions, for all tests of this package."""

from __future__ import annotations

import numpy as np
import pytest
from small_proofs import Files, beginnings

from littlego.truth.labels import decider
from littlego.truth.proof import replayed, walk


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.setattr(decider, "OVERRIDES", tmp_path / "none.txt")
    monkeypatch.setattr(walk, "roots_of", lambda colour: np.array(beginnings()))
    monkeypatch.setattr(replayed, "openings_of", lambda colour: set(beginnings()))
    return Files(tmp_path)
