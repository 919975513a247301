"""A pytest mark that skips tests if bubblewrap does not work.

If LITTLEGO_NEEDS_BWRAP is set, as in CI, the whole run stops with an error instead.
"""

from __future__ import annotations

import os

import pytest

from littlego.sandbox import sandbox

WHY_NOT = sandbox.why_not()
IS_NEEDED = "LITTLEGO_NEEDS_BWRAP"  # set by .ci/run, where a skipped test would go unnoticed

if WHY_NOT and os.environ.get(IS_NEEDED):
    pytest.exit(f"{IS_NEEDED} is set, and there is no sandbox: {WHY_NOT}", returncode=2)

needs_bubblewrap = pytest.mark.skipif(bool(WHY_NOT), reason=f"NOT RUN: {WHY_NOT}")
