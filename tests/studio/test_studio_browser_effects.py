"""Tests of a pattern's effects in a real Chromium: decisions, exact results, untested parts, sliders.

All tests use one unsaved edit, which raises the priority of `give-atari` to 600.
"""

from __future__ import annotations

import re
import shutil

import pytest
from studio_server import SMALL, running_studio

from littlego.cache import FOLDER

PATTERN, ABOVE = "give-atari", 600
COMPILING = 300_000  # maximum milliseconds: the first job on a machine makes numba compile the engine


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """A studio with the module's unsaved edit, a second patterns file, and the shared numba cache."""
    path = tmp_path_factory.mktemp("studio") / "patterns.yaml"
    shutil.copy(SMALL, path)
    text = SMALL.read_text(encoding="utf-8")
    (path.parent / "other.yaml").write_text(text.replace("priority: 950", "priority: 10"), encoding="utf-8")
    with running_studio(path, environment={"LITTLEGO_CACHE": str(FOLDER)}) as studio:
        at = text.index("priority: 500", text.index(f"id: {PATTERN}")) + len("priority: ")
        change = {"from": at, "to": at + 3, "insert": str(ABOVE)}
        assert studio.request("/api/edit", {"revision": 1, "changes": [change]})[0] == 200
        yield studio
        revision = studio.request("/api/state")[1]["revision"]
        assert studio.request("/api/reload", {"revision": revision})[0] == 200  # reload, so that no draft remains


@pytest.fixture
def view(new_page, running):
    """A page that shows the pattern's effects."""
    page = new_page()
    page.set_default_timeout(COMPILING)
    page.goto(f"{running.url}&view=effects&pattern={PATTERN}")
    page.locator(".changes-pane").wait_for()
    return page


def number(page, name):
    """Return the number in a pane as soon as the pane shows a number."""
    found = page.locator(f"[data-{name}]")
    found.wait_for()
    return int(found.get_attribute(f"data-{name}"))


def test_decisions_that_change_are_drawn_with_who_is_responsible_and_open_their_board(view):
    view.locator(".changes-pane details.command").wait_for()  # the job has finished
    count = number(view, "changes")
    assert count > 5
    first = view.locator(".changes > .change").first
    assert first.locator("svg.picture").count() == 2
    assert "loses the win" in first.inner_text()  # lost wins come first
    first.locator(".responsible", has_text=PATTERN).wait_for()
    shown = view.locator(".changes-pane .filters button")
    counts = [int(re.search(r"\d+$", one.inner_text().strip())[0]) for one in shown.all()]
    assert counts[0] == count == sum(counts[1:])
    first.get_by_role("button", name="Why?").click()
    first.locator("dl.why dd", has_text=re.compile(r"\w{3}")).first.wait_for()
    first.get_by_role("button", name="Open board").click()
    view.locator("main.view-board [data-chosen]").wait_for()


def test_the_effect_on_the_current_board_comes_first(view):
    here = view.locator(".changes-pane > .here")
    is_moved = view.locator("[data-here]").get_attribute("data-here") == "true"
    assert here.get_by_role("button", name="Why?").count() == is_moved
    change = view.locator(".changes > .change").first
    change.wait_for()
    moves = change.locator("figcaption strong").all_inner_texts()
    change.get_by_role("button", name="Open board").click()
    view.locator("main.view-board [data-chosen]").wait_for()
    view.get_by_role("link", name="Effects", exact=True).click()
    here.locator("[data-here=true]").wait_for()
    assert here.get_by_role("button", name="Why?").count() == 1
    assert here.locator("figcaption strong").all_inner_texts() == moves
    assert f"from {moves[0]} to {moves[1]}" in here.locator("[role=status]").inner_text()
    assert here.bounding_box()["y"] < view.locator("[data-changes]").bounding_box()["y"]


def test_compared_with_the_record_changes_are_accepted_once_the_text_is_saved(view):
    view.get_by_label("Compared with").select_option("record")
    accept = view.get_by_role("button", name=re.compile("Accept all"))
    accept.wait_for()
    assert accept.is_disabled()
    view.get_by_text("save the file first").wait_for()


def test_a_square_of_the_truth_strip_opens_its_board(view):
    assert number(view, "decisions") > 10
    legend = view.locator(".strip-legend")
    assert "✓" in legend.inner_text() and "keeps the win" in legend.inner_text()
    assert "the pattern decides" in legend.inner_text()
    square = view.locator(".strip-pane .strip button").first
    said = square.get_attribute("aria-label")
    square.focus()
    view.keyboard.press("ArrowRight")
    assert view.evaluate("document.activeElement.getAttribute('aria-label')") != said
    square.click()
    view.locator("main.view-board [data-chosen]").wait_for()
    played = said.split(",")[0] + "," + said.split(",")[1] if said[0].isdigit() else "pass"
    assert f"move={played}" in view.url or played == "pass"


def test_what_no_example_pins_is_named_and_counted(view):
    view.locator(".chosen select").select_option("largest-capture-first")
    view.get_by_role("button", name="Find untested").click()
    assert number(view, "unpinned") == 2
    pane = view.locator(".unpinned-pane")
    assert pane.locator(".change code").all_inner_texts() == ["edge top drawn", "points 24->34"]
    pane.get_by_text("10 of 12 small changes are detected").wait_for()
    pane.get_by_text("No board was found that detects this change").wait_for()
    pane.locator("details.command code", has_text="littlego mutate largest-capture-first --survivors").wait_for(
        state="attached"
    )


def test_boards_of_play_on_which_it_does_something(view):
    view.get_by_role("button", name="Find boards").click()
    assert number(view, "boards") >= 6
    assert view.locator(".boards-pane svg.picture").count() >= 6
    view.locator(".boards-pane").get_by_role("button", name="Open board").first.click()
    view.locator("main.view-board [data-chosen]").wait_for()


def test_a_survey_of_play_lists_every_pattern_and_can_be_stopped(view, running):
    pane = view.locator(".coverage-pane")
    # More games than a machine plays before *Stop* when none is in the cache.
    view.route("**/api/jobs/coverage", lambda route: route.continue_(post_data={"games": 100_000}))
    pane.get_by_role("button", name="Measure coverage").click()
    pane.locator(".sources li").first.wait_for()  # the pane shows known results before the job ends
    pane.get_by_role("button", name="Stop", exact=True).click()
    pane.get_by_role("button", name="Measure coverage").wait_for()
    assert pane.locator("[role=alert]").count() == 0


def test_the_slider_flips_moves_and_is_written_into_the_text(view, running):
    before = running.text()
    field = view.get_by_label("Priority, as a number")
    view.locator(".slider-pane:not(.busy) [type=number]:enabled").first.wait_for()
    view.wait_for_function("at => at.value !== '0'", arg=field.element_handle())  # the current value has loaded
    assert field.input_value() == str(ABOVE)
    field.fill("400")
    flips = number(view, "flips")
    assert flips > 0
    assert view.locator(".slider-pane .change svg.picture").count() >= 2
    view.get_by_role("button", name="Apply values").click()
    text = running.text(lambda text: text != before)
    assert text == before.replace(f"priority: {ABOVE}", "priority: 400")
    view.keyboard.press("Control+z")
    assert running.text(lambda text: text == before) == before


def test_left_out_and_another_file_decide_otherwise_on_the_board_at_hand(new_page, running):
    page = new_page()
    page.set_default_timeout(COMPILING)
    page.goto(f"{running.url}&view=effects&pattern=open-in-the-centre&board=...../...../...../...../.....")
    told = page.locator("[data-moved]")
    told.wait_for()
    assert "open-in-the-centre" in told.inner_text()
    page.locator(".other-pane select").select_option("other.yaml")
    page.locator("[data-moved]", has_text="other.yaml").wait_for()
    assert page.locator(".other-pane svg.picture").count() == 2
