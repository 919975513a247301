"""The files that the commands of this room are tried on; what they keep between runs lies beside them.

No patterns are committed as far as they know: comparing with the repository's own would cost most of each run.
"""

from __future__ import annotations

from functools import partial

import pytest
from effects_files import Files
from tests.support.corpora import made_by

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
