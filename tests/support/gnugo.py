"""A pytest mark that skips tests if GNU Go is missing.

If LITTLEGO_NEEDS_GNUGO is set, as in CI, the whole run stops with an error instead.
"""

from __future__ import annotations

import os

import pytest

from littlego.players.registry import UnknownPlayerError, check_player

IS_NEEDED = "LITTLEGO_NEEDS_GNUGO"  # set by .ci/run, where a skipped test would go unnoticed


def _why_not() -> str:
    try:
        check_player("gnugo")
    except UnknownPlayerError as error:
        return str(error)
    return ""


WHY_NOT = _why_not()

if WHY_NOT and os.environ.get(IS_NEEDED):
    pytest.exit(f"{IS_NEEDED} is set, and there is no GNU Go: {WHY_NOT}", returncode=2)

needs_gnugo = pytest.mark.skipif(bool(WHY_NOT), reason=f"NOT RUN: {WHY_NOT}")
