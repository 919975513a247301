"""Tests in a real Chromium of the page's use by keyboard alone, and of its texts for screen readers."""

from __future__ import annotations

import re
import time

import pytest
from studio_server import LONGEST

pytestmark = pytest.mark.both_links
PATTERN = "take-the-last-liberty"
BOARD = "OX.../...../...../...../....."
GAME = "little-go; 2,2 1,2 1,1 2,1 3,1"
ADDRESS = "(at => at.dataset.does ?? at.getAttribute('aria-label') ?? at.textContent.trim())(document.activeElement)"


@pytest.fixture(scope="module")
def studio_options():
    return "--player", "file:greedy"


@pytest.fixture
def running(restored):
    return restored


@pytest.fixture
def view(new_page, running):
    """Return a function that opens a view: view(name, board=..., game=...)."""

    def go(name, **parts):
        page = new_page(permissions=["clipboard-read", "clipboard-write"])
        page.goto(f"{running.url}&view={name}&pattern={PATTERN}" + "".join(f"&{k}={v}" for k, v in parts.items()))
        there = {"pattern": "[data-hits]", "board": "[data-chosen]"}[name]
        page.locator(there).wait_for()
        return page

    return go


def focused(page):
    """Return the focused element's name."""
    return page.evaluate(ADDRESS)


def is_lost(page):
    return page.evaluate("document.activeElement === document.body")


def press(page, locator, key="Enter"):
    locator.focus()
    page.keyboard.press(key)


def test_an_example_is_moved_by_keys_and_the_focus_goes_along(view, running):
    page, opened = view("pattern", board=BOARD), running.text()
    drawn = [one["rows"] for one in running.ask("examples", pattern=PATTERN)["examples"]]
    examples = page.locator('[data-example*="no_match"]')
    press(page, examples.nth(0).get_by_role("button", name="Later"))
    page.get_by_text("Moved to place 2 of 2.").wait_for()
    running.text(lambda text: text != opened)  # the page says it before the server has the text
    moved = [one["rows"] for one in running.ask("examples", pattern=PATTERN)["examples"]]
    assert moved == [drawn[0], drawn[2], drawn[1]]
    at = "document.activeElement.closest('[data-example]').dataset.example"
    assert page.evaluate(at).endswith("no_match[1]") and focused(page) == "down"
    page.keyboard.press("Enter")  # after the last step the button is disabled, but keeps the focus
    assert focused(page) == "down"


def test_a_field_that_is_left_by_going_back_writes_to_its_own_pattern(view, running):
    page, before = view("pattern", board=BOARD), running.text()
    other = page.locator(".outline li a:not([aria-current])").first
    name = other.get_attribute("title")  # its summary
    other.click()
    field = page.locator("#field-summary")
    page.wait_for_function("(said) => document.querySelector('#field-summary')?.value === said", arg=name)
    field.fill("Half typed.")
    page.go_back()
    page.locator(f'.outline a[aria-current]:text-is("{PATTERN}")').wait_for()
    assert running.text(lambda text: text != before) == before.replace(name, "Half typed.")


def test_the_focus_stays_near_where_a_control_went_away(view):
    page = view("pattern", board=BOARD)
    press(page, page.locator('[data-example*="no_match[1]"]').get_by_role("button", name="Remove"))
    page.locator('[data-example*="no_match[1]"]').wait_for(state="detached")
    assert not is_lost(page) and page.evaluate("Boolean(document.activeElement.closest('.pane'))")
    press(page, page.get_by_role("button", name="Remove condition 1"))
    page.get_by_role("button", name="Remove condition 1").wait_for(state="detached")
    assert not is_lost(page)
    press(page, page.get_by_role("button", name="Undo"))
    press(page, page.get_by_role("button", name="Undo"))
    page.locator('[data-example*="no_match[1]"]').wait_for()
    assert focused(page) == "Undo"


def test_another_view_takes_the_focus_that_was_in_the_old_one(view):
    page = view("pattern", board=BOARD)
    page.locator('.drawing [data-cell="0,0"]').focus()
    page.keyboard.press("Alt+2")
    page.locator("main.view-board").wait_for()
    assert page.evaluate("document.activeElement.id") == "main"
    assert page.locator("main").get_attribute("aria-label") == "Board"


def test_the_board_is_handed_out_by_a_key_and_the_dialog_gives_the_focus_back(view, running):
    page = view("board", board=BOARD)
    point = page.locator('.board-view [data-point="2,2"]')
    point.focus()
    page.keyboard.press("x")
    dialog = page.locator("dialog")
    dialog.get_by_role("button", name="Copy Text").click()
    dialog.get_by_text("The text of the board was copied.").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == running.ask("export", position=BOARD)["text"]
    with page.expect_download() as saved:
        dialog.get_by_role("button", name="Save game.sgf").click()
    sgf = saved.value.path().read_text()
    assert running.ask("open_game", text=sgf)["positions"][0].startswith(BOARD)
    for _ in range(12):  # the focus stays within the dialog
        page.keyboard.press("Tab")
        inside = "document.activeElement === document.body || Boolean(document.activeElement.closest('dialog'))"
        assert page.evaluate(inside)
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    assert page.evaluate("document.activeElement.dataset.point") == "2,2"


def test_what_no_board_shows_has_a_form_that_refuses_what_cannot_be(view):
    page = view("board", board=BOARD)
    press(page, page.get_by_text("Side to move, moves left, previous board"))
    page.locator(".setup select").select_option("white")
    page.locator(".muted", has_text="white (O) to move").wait_for()
    left = page.get_by_role("spinbutton", name="moves left")
    left.fill("9")
    left.press("Enter")
    page.locator(".muted", has_text="9 moves left").wait_for()
    left.fill("8")
    left.press("Enter")
    page.locator(".setup [role=alert]").wait_for()
    assert "left%3D9" in page.url
    press(page, page.get_by_role("button", name="Add previous board"))
    before = page.get_by_role("grid", name="The board before the last move")
    before.wait_for()
    assert f"previous%3D{BOARD}" in page.url


def test_an_example_has_the_same_form(view, running):
    page = view("pattern", board=BOARD)
    example = page.locator('[data-example*="::matches[0]"]')
    press(page, example.get_by_role("button", name="Edit"))
    told = example.locator(".setup [role=alert]")
    left = example.get_by_role("spinbutton", name="moves left")
    left.fill("9")
    left.press("Enter")
    told.wait_for()  # refused: with nine moves left it would be White's turn
    left.fill("10")
    left.press("Enter")
    told.wait_for(state="detached")
    await_text(running, lambda text: "moves_left: 10" in text)
    example.locator(".setup select").select_option("white")
    await_text(running, lambda text: "colour: white" in text and "moves_left: 10" not in text)


def test_a_refused_move_of_an_example_shows_the_files_move_again(view):
    page = view("pattern", board=BOARD)
    example = page.locator('[data-example*="::matches[0]"]')
    press(page, example.get_by_role("button", name="Edit"))
    move = example.get_by_label("move", exact=True)
    before = move.input_value()
    move.fill("9,9")
    move.press("Tab")
    page.locator(".announcements [role=alert] span").wait_for()
    page.wait_for_function("([at, value]) => at.value === value", arg=[move.element_handle(), before])


def await_text(running, wanted):
    """Wait until the server's text satisfies a condition."""
    end = time.monotonic() + LONGEST
    while not wanted(text := running.request("/api/state")[1]["text"]):
        assert time.monotonic() < end, text
        time.sleep(0.02)


def test_every_point_of_every_board_says_its_place_and_its_stone(view):
    for name in ("pattern", "board"):
        page = view(name, board=BOARD)
        page.locator('[role="grid"] [data-point="1,0"]').first.wait_for()
        cells = page.locator(
            '[role="grid"] [role="gridcell"]'
        )  # read all cells at once, since a redraw would replace them
        said = cells.evaluate_all("cells => cells.map((cell) => cell.getAttribute('aria-label'))")
        assert len(said) >= 25
        for one in said:
            assert re.match(r"\d+,\d+ (X|O|empty)|\d+,\d+: (own|opponent|empty|any|the move)", one), one
        chosen = page.locator('[data-point="1,0"]').first
        assert "the pattern fires" in chosen.get_attribute("aria-label") or "1,0" in chosen.get_attribute("aria-label")


def test_the_move_that_is_stepped_to_is_told(view):
    page = view("board", game=GAME)
    told = page.locator(".steps [role=status]")
    assert told.inner_text() == "Move 5, black 3,1"
    press(page, page.get_by_role("button", name="To the start"))
    page.locator('[data-step="0"]').wait_for()
    assert told.inner_text() == "The start of the game" and focused(page) == "To the start"


def test_a_player_that_thinks_long_is_stopped_and_thinks_again(view):
    page = view("board", game="little-go; 2,2")
    page.locator(".who-plays summary").click()
    page.get_by_label("Against").select_option("perfect")
    page.locator("[data-about=perfect]", has_text="can stop the player").wait_for()
    page.get_by_label("You are").select_option("black")
    press(page, page.get_by_role("button", name="Start game"))
    page.locator("[aria-labelledby=at-hand-title] [data-slow]", has_text="Its first move takes longest").wait_for()
    press(page, page.get_by_role("button", name="Stop", exact=True))
    page.get_by_text("perfect has stopped.").wait_for()
    assert not is_lost(page)
    press(page, page.get_by_role("button", name="Think again"))
    page.get_by_role("button", name="Stop", exact=True).wait_for()


@pytest.mark.installed
def test_a_player_that_the_studio_was_started_with_is_played_against(view):
    page = view("board")
    page.get_by_label("Against").select_option("file:greedy")
    press(page, page.get_by_role("button", name="Start game"))
    page.locator('.board-view [data-point="2,2"]').click()
    page.locator('[data-step="2"]').wait_for()


def test_the_heading_of_the_page_is_there_at_every_width(view):
    page = view("pattern", board=BOARD)
    page.set_viewport_size({"width": 320, "height": 640})
    page.get_by_role("heading", level=1, name="Little-Go studio").wait_for()
