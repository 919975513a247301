"""A fixture with small files for the commands of littlego.judging, and a separate cache for each test.

The commands find no committed patterns, because a comparison with committed patterns takes most of a run's time.
"""

from __future__ import annotations

from functools import partial

import pytest
from corpora import made_by
from effects_files import Files

from littlego.cache import Cache
from littlego.judging import deciding, diff
from littlego.knowledge import stale
from littlego.paths import PATTERNS_TXT


@pytest.fixture
def files(tmp_path, monkeypatch) -> Files:
    for module in (diff, stale, deciding):
        monkeypatch.setattr(module, "Cache", partial(Cache, folder=tmp_path / "cache"))
    made_by(monkeypatch, str(tmp_path / "nothing-committed.yaml"), str(PATTERNS_TXT))
    return Files(tmp_path)
