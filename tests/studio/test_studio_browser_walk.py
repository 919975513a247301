"""Tests in a real Chromium of the guided walk from a lost game to a won game, by mouse or by keyboard."""

from __future__ import annotations

import pytest
from studio_server import running_demo

STEPS = ["Ask why", "Draw the pattern", "Test it", "Play again, and win"]
FAR = 60  # maximum presses of Tab from the beginning of the panel to any of its elements


@pytest.fixture
def walked(new_page, tmp_path):
    """A page at the beginning of the walk, in a newly started demo."""
    with running_demo(tmp_path) as studio:
        page = new_page()
        page.goto(studio.url)
        page.get_by_text("White wins by 6.5").wait_for()
        yield page


def go_through(page, press):
    """Complete all five steps. press(name, within) presses a named button within a part of the page."""
    page.locator("ol [aria-current=step]", has_text="1. Lose a game").wait_for()
    press("Show move 7", ".walk")
    page.locator('.replay [data-point="2,3"][aria-label*="circled"]').wait_for()
    next_step(page, press, 2)
    page.locator(".walk-board", has_text="1,0 is played").locator(
        '[data-point="1,0"][aria-label*="ringed, 70"]'
    ).wait_for()
    page.locator(".walk-board", has_text="2,3 is number 6 of 20").locator(
        '[data-point="2,3"][aria-label*="circled"]'
    ).wait_for()
    press("Open board", ".walk")
    page.locator('main .board [data-point="2,2"][aria-label*=" X"]').first.wait_for()
    next_step(page, press, 3)
    press("New pattern …", ".walk")
    press("Create", "dialog")
    edits = page.locator(".walk-edits [data-done]")
    edits.nth(3).wait_for()
    while page.locator(".walk-edits [data-done=false]").count():
        left = page.locator(".walk-edits [data-done=false]").count()
        press(page.locator(".walk-edits [data-done=false] button").first.get_attribute("aria-label"), ".walk")
        page.locator(".walk-edits [data-done=true]").nth(4 - left).wait_for()
    next_step(page, press, 4)
    page.get_by_text("2 of 2 examples pass.").wait_for()
    page.get_by_text("The check finds no problems.").wait_for()
    press("Run mutants", ".walk")
    page.get_by_text("No mutant survives.").wait_for()
    next_step(page, press, 5)
    press("Play again", ".walk")
    page.locator("[data-won=true]", has_text="24 moves: Black wins by 3.5.").wait_for()
    assert page.locator(".outline [aria-current]").inner_text() == "stand-between"
    # the text view scrolled to the pattern
    assert page.locator(".cm-activeLine", has_text="id: stand-between").count() == 1


def next_step(page, press, number):
    page.locator("button.main", has_text="Next step").wait_for()
    assert page.locator("button.main:visible").count() == 1
    press("Next step", ".walk")
    page.locator("ol [aria-current=step]", has_text=f"{number}. {STEPS[number - 2]}").wait_for()
    assert page.locator("button.main:visible").count() == 1


def test_the_walk_is_done_by_mouse_alone(walked):
    walked.evaluate("window.keys = 0; window.addEventListener('keydown', () => window.keys++, true)")

    def click(name, within):
        box = walked.locator(within).get_by_role("button", name=name, exact=True)
        box.scroll_into_view_if_needed()
        found = box.bounding_box()
        walked.mouse.click(found["x"] + found["width"] / 2, found["y"] + found["height"] / 2)

    go_through(walked, click)
    assert walked.evaluate("window.keys") == 0


def test_the_walk_is_done_by_keyboard_alone(walked):
    walked.evaluate("window.clicks = 0; window.addEventListener('pointerdown', () => window.clicks++, true)")

    def press(name, within):
        if within == ".walk":
            walked.keyboard.press("w")
            walked.locator(".walk:focus").wait_for()
        walked.locator(f"{within}:focus-within").wait_for()  # a dialog opens after an answer
        for _ in range(FAR):
            if named(walked) == name:
                return walked.keyboard.press("Enter")
            walked.keyboard.press("Tab")
        raise AssertionError(f"Tab does not come to {name}, but to {named(walked)}")

    go_through(walked, press)
    assert walked.evaluate("window.clicks") == 0


def named(page):
    """Return the focused button's name."""
    return page.evaluate(
        "(at => at.getAttribute('aria-label') ?? at.textContent.trim().replace(/\\s+/g, ' '))(document.activeElement)"
    )


def test_the_walk_is_left_and_found_again_and_kept_in_the_address(walked):
    walked.get_by_role("button", name="3. Draw the pattern").click()
    assert "walk=3" in walked.url
    walked.reload()
    walked.locator("ol [aria-current=step]", has_text="3. Draw the pattern").wait_for()
    walked.get_by_role("button", name="Close walk").click()
    walked.locator(".walk").wait_for(state="detached")
    walked.keyboard.press("w")
    walked.locator("ol [aria-current=step]", has_text="1. Lose a game").wait_for()
    walked.set_viewport_size({"width": 320, "height": 640})
    assert walked.evaluate("document.documentElement.scrollWidth") <= 320
