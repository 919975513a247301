"""Tests in a real Chromium that no edit by a page, another tab or another program is lost or hidden.

The scenarios are a file changed on disk, with and without unsaved text, and two tabs, one of which saves.
"""

from __future__ import annotations

import re

import pytest
from studio_server import SMALL

FIRST = SMALL.read_text(encoding="utf-8").splitlines()[0]
MINE, THEIRS = "# what I say. ", "# what they say"


@pytest.fixture
def opened(new_page, running):
    """Return a function that opens a page at the pattern view."""

    def make():
        page = new_page()
        page.goto(running.url)
        page.locator("[data-told=file]").wait_for()
        page.locator("[data-hits]").wait_for()
        return page

    return make


def write_first(page, words):
    """Type at the beginning of the text."""
    page.locator(".cm-content").click()
    page.keyboard.press("Control+Home")
    page.keyboard.type(words)


def state_of(page, state):
    """Wait until the page shows the given state of the text and the file."""
    page.locator("[data-told=file]", has_text=re.compile(f"^{state}$")).wait_for()


def change_file(running, *pairs):
    """Replace text in the file, as another program may."""
    text = running.file.read_text(encoding="utf-8")
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    running.file.write_text(text, encoding="utf-8")


def test_a_change_on_the_disk_is_taken_over_where_nothing_is_unsaved(opened, running):
    page = opened()
    page.locator(".cm-content").focus()
    page.keyboard.press("Control+Home")  # the page opens further down, and hidden lines are not drawn
    change_file(running, (FIRST, THEIRS))
    page.locator(".cm-line", has_text=THEIRS).wait_for()
    page.get_by_role("status").get_by_text("changed on disk; the new text was loaded").wait_for()
    state_of(page, "saved")


def test_what_both_changed_is_merged_and_a_line_of_both_is_chosen(opened, running):
    page = opened()
    write_first(page, MINE)
    running.text(lambda text: text.startswith(MINE))
    change_file(running, (FIRST, THEIRS), ("Prefer a move that gives", "Prefer the move that gives"))
    page.get_by_role("button", name="File changed …").click()
    page.get_by_role("button", name="Merge").click()
    place = page.locator("dialog fieldset")
    place.wait_for()
    assert [one.inner_text().strip() for one in place.locator("pre").all()] == [MINE + FIRST, THEIRS]
    place.get_by_label("both, one after the other").check()
    page.get_by_role("button", name="Apply choices").click()
    text = running.text(lambda text: text.startswith(f"{MINE}{FIRST}\n{THEIRS}\n"))
    assert "Prefer the move that gives" in text
    page.get_by_role("button", name="Save", exact=True).click()
    state_of(page, "saved")
    assert running.file.read_text(encoding="utf-8") == text


def test_saving_over_a_file_that_changed_asks_first(opened, running):
    page = opened()
    write_first(page, MINE)
    running.text(lambda text: text.startswith(MINE))
    change_file(running, (FIRST, THEIRS))
    page.get_by_role("button", name="File changed …").wait_for()
    page.keyboard.press("Control+s")
    page.locator("dialog", has_text="The file changed on disk").wait_for()
    assert running.file.read_text(encoding="utf-8").startswith(THEIRS)
    page.get_by_role("button", name="Overwrite file").click()
    state_of(page, "saved")
    assert running.file.read_text(encoding="utf-8").startswith(MINE)


@pytest.mark.parametrize("is_edited", [True, False])
def test_a_file_that_was_deleted_is_written_again_by_save(opened, running, is_edited):
    page = opened()
    if is_edited:
        write_first(page, MINE)
        running.text(lambda text: text.startswith(MINE))
    running.file.unlink()
    page.get_by_text("was deleted. Save writes it again").wait_for()
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_text("patterns.yaml was saved.").wait_for()
    state_of(page, "saved")
    assert running.file.read_text(encoding="utf-8") == running.text()


def test_what_another_page_saves_is_not_what_is_typed_here(opened, running):
    """The other page saves while this page sends an edit."""
    page, other = opened(), opened()
    held, is_held = [], True
    page.route("**/api/edit", lambda route: held.append(route) if is_held else route.continue_())
    write_first(page, MINE)
    state_of(page, "edited, not saved")
    other.locator(".cm-content").click()
    other.keyboard.press("Control+End")
    other.keyboard.type("# theirs")
    other.keyboard.press("Control+s")
    other.get_by_text("patterns.yaml was saved.").wait_for()
    page.wait_for_timeout(300)  # the page has received the event
    state_of(page, "edited, not saved")
    is_held = False
    for one in held:
        one.continue_()
    other.keyboard.press("Control+Home")  # lines out of view are not rendered
    for one in (page, other):
        one.locator(".cm-line", has_text=MINE + FIRST).wait_for()
        state_of(one, "edited, not saved")
    saved = running.file.read_text(encoding="utf-8")
    assert MINE not in saved and "# theirs" in saved
    page.get_by_role("button", name="Save", exact=True).click()
    for one in (page, other):
        state_of(one, "saved")
    assert running.file.read_text(encoding="utf-8") == running.text()


def test_what_is_typed_while_it_is_saved_is_neither_lost_nor_called_saved(opened, running):
    """The response to saving arrives after the response to the next edit."""
    page = opened()
    write_first(page, MINE)
    running.text(lambda text: text.startswith(MINE))
    answers = []

    def hold(route):
        answers.append((route, route.fetch()))

    page.route("**/api/save", hold)
    page.keyboard.press("Control+s")
    while not answers:
        page.wait_for_timeout(20)
    page.keyboard.type("!")
    running.text(lambda text: text.startswith(MINE + "!#"))
    page.wait_for_timeout(300)  # its response has arrived
    for route, answer in answers:
        route.fulfill(response=answer)
    page.get_by_text("patterns.yaml was saved.").wait_for()
    state_of(page, "edited, not saved")
    page.locator(".cm-content").focus()
    page.keyboard.type("?")
    running.text(lambda text: text.startswith(MINE + "!?#"))
    assert page.locator(".cm-line").first.inner_text() == f"{MINE}!?{FIRST}"
    assert running.text().count(MINE) == 1


def test_undoing_to_what_the_file_holds_is_as_good_as_saved(opened, running):
    page, other = opened(), opened()
    write_first(page, MINE)
    for one in (page, other):
        state_of(one, "edited, not saved")
    while running.text() != running.file.read_text(encoding="utf-8"):
        page.keyboard.press("Control+z")
        page.wait_for_timeout(50)
    for one in (page, other):
        state_of(one, "saved")
