"""Tests in a real Chromium of links to views, command lines in panes, and examples of the docs.

The accessibility checker axe must find no faults in dialogs, answers, menus, the walk and a judged game.
"""

from __future__ import annotations

import re
import shlex

import pytest
from npm_packages import PACKAGES, needs_node
from studio_server import ROOT, SMALL, running_demo, running_studio

pytestmark = pytest.mark.both_links
COMPILING = 300_000  # maximum milliseconds: numba may have to compile the solver
PATTERN = "take-the-last-liberty"
BOARD = "OX.../...../...../...../....."
AXE = PACKAGES / "axe-core" / "axe.min.js"
TUTORIAL = ROOT / "docs" / "tutorial.md"


@pytest.fixture(scope="module")
def running(studio):
    """A studio for all tests of this module, since the tests do not change the studio's file."""
    return studio


@pytest.fixture
def opened(new_page, running):
    """A page with a pattern, a board and a selected move, and with clipboard access."""
    page = new_page(permissions=["clipboard-read", "clipboard-write"])
    page.goto(f"{running.url}&pattern={PATTERN}&board={BOARD}&move=3,3")
    page.get_by_text("Why not 3,3?").wait_for()
    return page


def clipboard(page):
    return page.evaluate("navigator.clipboard.readText()")


@pytest.mark.installed
def test_the_link_that_is_copied_opens_file_pattern_board_and_move_and_no_token(opened, running, new_page, browser):
    opened.get_by_role("button", name="Copy link").click()
    opened.get_by_text("The link was copied.").wait_for()
    link = clipboard(opened)
    assert running.token not in link and link.startswith(running.origin)
    other = new_page(opened.context)
    other.goto(link)
    other.get_by_text("Why not 3,3?").wait_for()
    other.locator('.board [data-point="0,0"][aria-label*=" O"]').first.wait_for()
    assert other.locator(".outline [aria-current]").inner_text() == PATTERN
    stranger = browser.new_context().new_page()  # simulates another browser, which lacks the token
    stranger.goto(link)
    stranger.get_by_role("alert").get_by_text("open the address that `littlego studio` printed").wait_for()
    stranger.context.close()


def test_the_command_beside_an_answer_is_copied_as_it_is_shown(opened):
    pane = opened.locator("section:has(#board-title)")
    pane.locator("summary", has_text="On the command line").click()
    shown = pane.locator("details.command code", has_text="littlego").inner_text()
    assert "littlego explain" in shown and "--why-not 3,3" in shown
    pane.locator("details.command").get_by_role("button", name="Copy").click()
    opened.get_by_text("The command was copied.").wait_for()
    assert clipboard(opened) == shown


def test_what_the_tutorial_opens_in_the_studio_is_what_it_says(new_page, tmp_path):
    text = TUTORIAL.read_text(encoding="utf-8")
    (line,) = re.findall(r"run `littlego studio (mine-small/[^`]+)`", text)
    name, *options = shlex.split(line.replace("\n", " "))
    entry = re.search(r"<!-- append: mine-small/patterns.yaml -->\n```yaml\n(.*?)```", text, re.DOTALL)[1]
    (tmp_path / "mine-small").mkdir()
    path = tmp_path / name
    path.write_text(SMALL.read_text(encoding="utf-8") + "\n" + entry, encoding="utf-8")
    with running_studio(path, *options) as studio:
        page = new_page()
        page.goto(re.search(r"http://\S+", studio.said)[0])
        page.locator(".outline [aria-current]", has_text="stand-between").wait_for()
        page.locator('[data-hits]:not([data-hits="0"])').wait_for()
        page.locator('main .board [data-point="2,3"][aria-label*="the pattern fires"]').first.wait_for()


def faults(page):
    """Return axe's findings on a page."""
    page.add_script_tag(path=str(AXE))
    found = page.evaluate("axe.run(document, {iframes: false}).then(({violations}) => violations)")
    return [(one["id"], node["target"], node["any"][:1]) for one in found for node in one["nodes"]]


@needs_node
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_in_dialogs_answers_and_menus(new_page, running, theme):
    page = new_page(color_scheme=theme, bypass_csp=True)
    page.goto(f"{running.url}&pattern={PATTERN}&board={BOARD}&move=3,3")
    page.get_by_text("Why not 3,3?").wait_for()
    page.get_by_role("button", name="Shortcuts").click()
    page.locator("dialog").wait_for()
    assert faults(page) == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="New pattern").click()
    page.locator("dialog #new-name").wait_for()
    assert faults(page) == []
    page.keyboard.press("Escape")
    page.locator(".examples").first.get_by_role("button", name="Edit").first.click()
    page.get_by_role("button", name="Propose examples").click()
    page.locator(".proposals .board").first.wait_for()
    assert faults(page) == []


@needs_node
def test_axe_finds_nothing_in_the_walk_and_in_a_game_that_is_judged(new_page, tmp_path):
    with running_demo(tmp_path) as studio:
        page = new_page(bypass_csp=True)
        page.set_default_timeout(COMPILING)
        page.goto(studio.url)
        page.get_by_text("White wins by 6.5").wait_for()
        assert faults(page) == []
        page.get_by_role("button", name="3. Draw the pattern").click()
        page.locator("ol [aria-current=step]", has_text="3. Draw the pattern").wait_for()
        assert faults(page) == []
        page.keyboard.press("Alt+2")
        page.get_by_role("button", name="lost.sgf").click()
        page.get_by_role("button", name="Judge moves").click()
        page.get_by_role("heading", name="Turning points").wait_for()
        assert faults(page) == []
