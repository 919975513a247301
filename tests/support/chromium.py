"""A pytest mark that skips tests if Chromium is missing.

If LITTLEGO_NEEDS_CHROMIUM is set, as in CI, the whole run stops with an error instead.

LITTLEGO_BROWSER names the browser; the default is the system's Chromium (Debian, Ubuntu: `apt install chromium`).
Playwright, from the extra `test`, controls this browser and installs no other browser.
"""

from __future__ import annotations

import os
import shutil

import pytest

VARIABLE = "LITTLEGO_BROWSER"
NAMES = "chromium", "chromium-browser", "google-chrome"
IS_NEEDED = "LITTLEGO_NEEDS_CHROMIUM"  # set by .ci/run, where a skipped test would go unnoticed


def executable() -> str | None:
    """Return the path of the browser, or None if there is no browser."""
    if named := os.environ.get(VARIABLE):
        return shutil.which(named)
    return next(filter(None, map(shutil.which, NAMES)), None)


WHY_NOT = "" if executable() else f"there is no Chromium: `apt install chromium`, or name one in {VARIABLE}"

if WHY_NOT and os.environ.get(IS_NEEDED):
    pytest.exit(f"{IS_NEEDED} is set, and {WHY_NOT}", returncode=2)

needs_chromium = pytest.mark.skipif(bool(WHY_NOT), reason=f"NOT RUN: {WHY_NOT}")
