"""Tests of all views' screenshots, narrow to wide, dark and light: nothing is cut off or overlaps.

LITTLEGO_PICTURES names a folder where the screenshots are saved for inspection:

    LITTLEGO_PICTURES=pictures pytest -m 'browser and slow' tests/studio/test_studio_pictures.py
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from studio_scenes import SCENES, STEPS, make_folder, spoil, walk_step
from studio_server import own_cache, running_demo, running_studio

pytestmark = pytest.mark.slow
WIDTHS = {390: 844, 1280: 900, 2560: 1300}  # widths in pixels, with the height of a typical screen
THEMES = "light", "dark"
CACHE = "LITTLEGO_CACHE"

# Text that overflows its box without a scroll bar or an ellipsis.
CUT_OFF = """() => [...document.querySelectorAll("button, label, h1, h2, h3, p, td, th, a, summary, figcaption")]
  .filter((one) => one.checkVisibility() && !one.closest(".hidden, .cm-editor, [role=grid], .top h1"))
  .filter((one) => one.scrollWidth > one.clientWidth + 1 && /hidden|clip/.test(getComputedStyle(one).overflowX))
  .map((one) => one.textContent.trim().slice(0, 40))"""
# Visible controls whose middle is covered by another element.
COVERED = """() => {
  const isSeen = (one, x, y) => {
    for (let part = one.parentElement; part; part = part.parentElement) {
      const box = part.getBoundingClientRect();
      const isOut = y < box.top || y > box.bottom || x < box.left || x > box.right;
      if (isOut && getComputedStyle(part).overflowY !== "visible") return false; // it is scrolled out of sight
    }
    return y >= 0 && y <= innerHeight && x >= 0 && x <= innerWidth;
  };
  const isCovered = (one) => {
    const box = one.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    if (!box.width || !isSeen(one, x, y)) return false;
    const at = document.elementFromPoint(x, y);
    return at && !one.contains(at) && !at.contains(one) && !at.closest(".announcements, .cm-editor, label");
  };
  if (document.querySelector("dialog[open]")) return [];
  return [...document.querySelectorAll("main button, main input, main select, .top button, .top a")]
    .filter((one) => one.checkVisibility() && isCovered(one))
    .map((one) => (one.getAttribute("aria-label") ?? one.textContent).trim().slice(0, 40));
}"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The folder for the screenshots."""
    named = os.environ.get("LITTLEGO_PICTURES")
    path = Path(named).absolute() if named else tmp_path_factory.mktemp("pictures")
    path.mkdir(parents=True, exist_ok=True)
    return path


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """The studios' cache, so that they share compiled code."""
    return Path(os.environ.get(CACHE) or tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="module")
def studio(tmp_path_factory, cache):
    """A studio with an unsaved edit, and with a game, a tournament and a grading beside its file."""
    path = make_folder(tmp_path_factory.mktemp("studio"))
    with running_studio(path, environment=own_cache(cache)) as studio:
        spoil(studio)
        yield studio


@pytest.fixture(scope="module")
def demo(cache):
    """A demo whose walk the screenshots show step by step."""
    with running_demo(cache) as studio:
        yield studio


def take(page, path):
    """Take a screenshot of the whole page; return elements that are cut off, covered, or too wide."""
    page.evaluate("document.fonts.ready")
    page.screenshot(path=path, full_page=True, animations="disabled")
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return {"cut off": page.evaluate(CUT_OFF), "covered": page.evaluate(COVERED), "too wide": wide if wide > 0 else 0}


FINE = {"cut off": [], "covered": [], "too wide": 0}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", SCENES)
def test_a_view_is_whole_at_every_width_dark_and_light(new_page, studio, folder, name, width):
    for theme in THEMES:
        page = new_page(viewport={"width": width, "height": WIDTHS[width]}, color_scheme=theme)
        SCENES[name](page, studio)
        assert take(page, folder / f"{name}-{width}-{theme}.png") == FINE
        page.close()


@pytest.mark.parametrize("number", range(1, len(STEPS) + 1))
def test_the_walk_is_whole_at_every_width_dark_and_light(new_page, demo, folder, number):
    for width, height in WIDTHS.items():
        for theme in THEMES:
            page = new_page(viewport={"width": width, "height": height}, color_scheme=theme)
            walk_step(page, demo, number)
            assert take(page, folder / f"walk{number}-{width}-{theme}.png") == FINE
            page.close()
