"""Tests of the site in Firefox, through puppeteer-core and WebDriver BiDi. LITTLEGO_PICTURES saves screenshots."""

from __future__ import annotations

import json
import os
import shutil
import subprocess

import pytest
from npm_packages import FOLDER, needs_node
from site_links import snap_back

WIDTHS = [390, 1440]
LONGEST = 600  # seconds
FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
NEEDED = "LITTLEGO_NEEDS_FIREFOX"  # set by .ci/run

if not FIREFOX and os.environ.get(NEEDED):
    pytest.exit(f"{NEEDED} is set, and there is no Firefox", returncode=2)

needs_firefox = pytest.mark.skipif(not FIREFOX, reason="NOT RUN: there is no Firefox: `apt install firefox-esr`")


@pytest.fixture(scope="module")
def found(site):
    """The texts that Firefox showed; tests/support/npm/firefox.mjs describes them."""
    told = {
        "firefox": FIREFOX,
        "site": str(site),
        "pictures": os.environ.get("LITTLEGO_PICTURES", ""),
        "widths": WIDTHS,
    }
    told |= {"link": snap_back(), "expected": "points: 7 + snapback(*)"}
    command = ["node", str(FOLDER / "firefox.mjs")]
    done = subprocess.run(command, input=json.dumps(told), capture_output=True, text=True, timeout=LONGEST)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.browser
@needs_node
@needs_firefox
class TestFirefox:
    def test_it_is_firefox_without_errors_and_without_requests_elsewhere(self, found):
        assert found["version"].startswith("firefox/") and found["wrong"] == []

    def test_the_pattern_fires_and_a_click_asks_why_not(self, found):
        assert "0,0" in found["whyNot"] and found["decided"]

    def test_on_a_phone_the_board_is_on_the_first_screen_and_nothing_is_too_wide(self, found):
        assert found["tops"]["390"] < 600
        assert all(width <= int(name) for name, width in found["wide"].items())

    def test_a_saved_text_is_there_again_offline(self, found):
        assert found["saved"] == found["offline"] == "# mine "

    def test_a_link_opens_its_pattern(self, found):
        assert found["link"]
