"""Tests that need Chromium: skipped with a loud reason where it is missing, but never where CI runs them.

It is the system's (Debian, Ubuntu: `apt install chromium`), or the one that LITTLEGO_BROWSER names; Playwright, from
the extra `test`, speaks to it and brings none of its own.
"""

from __future__ import annotations

import os
import shutil

import pytest

VARIABLE = "LITTLEGO_BROWSER"
NAMES = "chromium", "chromium-browser", "google-chrome"
IS_NEEDED = "LITTLEGO_NEEDS_CHROMIUM"  # set by .ci/run: a skipped test would be a hole that nobody sees


def executable() -> str | None:
    """Return the path of the browser, or None."""
    if named := os.environ.get(VARIABLE):
        return shutil.which(named)
    return next(filter(None, map(shutil.which, NAMES)), None)


WHY_NOT = "" if executable() else f"there is no Chromium: `apt install chromium`, or name one in {VARIABLE}"

if WHY_NOT and os.environ.get(IS_NEEDED):
    pytest.exit(f"{IS_NEEDED} is set, and {WHY_NOT}", returncode=2)

needs_chromium = pytest.mark.skipif(bool(WHY_NOT), reason=f"NOT RUN: {WHY_NOT}")
