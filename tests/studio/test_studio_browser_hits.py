"""Tests of the pattern view's answers in a real Chromium: hits, badges, why-not, and examples."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pytest
from slow_matching import slow_matches
from studio_server import ROOT

pytestmark = pytest.mark.both_links
PATTERN = "take-the-last-liberty"
BOARD = "OX.../...../...../...../....."  # PATTERN fires only for 1,0
ROWS = ["O....", "..O..", ".X...", "...X.", "....O"]  # no stone is in danger, and every move is legal
MANY = "/".join(ROWS)
MIDDLE_OF = """(words) => {
  const texts = document.createTreeWalker(document.querySelector(".cm-content"), NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const at = text.data.indexOf(words);
    if (at < 0) continue;
    const range = document.createRange();
    range.setStart(text, at);
    range.setEnd(text, at + words.length);
    text.parentElement.scrollIntoView({block: "nearest"});
    const {x, y, width, height} = range.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  }
}"""  # the screen positions of words in the text
SLOW_EDITS = """
const soon = window.fetch;
window.fetch = async (path, options) => {
  const answer = await soon(path, options);
  if (path === "/api/edit") await new Promise((done) => setTimeout(done, 600));
  return answer;
};
"""
DRAWN, LABELS = ["O*", "x."], ["A."]


@pytest.fixture
def running(restored):
    return restored


@pytest.fixture
def view(new_page, running):
    """Return a function that opens the pattern view: view(board=...)."""

    def go(board, pattern=PATTERN):
        page = new_page()
        page.goto(f"{running.url}&pattern={pattern}&board={board}")
        page.locator("[data-hits]").wait_for()
        page.locator(".examples [data-example]").first.wait_for()
        return page

    return go


def command_of(page, where, folder):
    """Run the command line that a pane shows, and return its JSON."""
    pane = page.locator(where)
    pane.locator("summary", has_text="On the command line").first.click()
    line = pane.locator("details.command code", has_text="littlego").first.inner_text()  # the text comes after the pane
    line = line.replace("littlego", f"{sys.executable} -m littlego", 1) + " --json -"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(["bash", "-c", line], cwd=folder, env=environment, capture_output=True, text=True)
    assert done.stdout, done.stderr
    return json.loads(done.stdout)


def draw(page, running):
    """Change the drawing `O *` with a condition to DRAWN, only by clicks."""
    page.get_by_role("button", name="Remove condition 1").click()
    running.text(lambda text: "in_atari(A)\n    examples" not in text.partition(PATTERN)[2].partition("- id:")[0])
    page.get_by_label("Add a row at the bottom").click()
    for place, clicks in (("1,0", 3), ("1,1", 1)):
        for _ in range(clicks):
            page.locator(f'.drawing [data-cell="{place}"]').click(modifiers=["Shift"])
    return running.text(lambda text: "      O *\n      x .\n" in text)


def told(page, place):
    """Return the numbers of a cell's badge: [surviving placements, firings without the cell]."""
    said = page.locator(f'.drawing [data-cell="{place}"]').get_attribute("title")
    return [int(number) for number in re.findall(r"(\d+) (?:placements? surviv|times?,)", said)]


def test_a_drawn_pattern_fires_where_it_lies_and_where_the_command_says(view, running):
    page = view(MANY)
    draw(page, running)
    found = slow_matches(DRAWN, LABELS, ROWS, 5)
    assert len(found) > 4
    page.locator(f'[data-hits="{len(found)}"]').wait_for()
    assert page.locator(".hits li").count() == len(found)
    moves = {f"{one.move // 5},{one.move % 5}" for one in found}
    marked = page.locator("main .board").first.locator('[aria-label*="the pattern fires"]')
    assert set(marked.evaluate_all("cells => cells.map((cell) => cell.dataset.point)")) == moves
    page.keyboard.press("Control+s")
    page.locator("[data-told=file]", has_text=re.compile("^saved$")).wait_for()
    page.locator('.board [data-point="4,0"]').first.click()
    page.locator(".why-not h3").first.wait_for()
    told = command_of(page, "section:has(#board-title)", running.file.parent)
    fired = {
        one["move"].lower()
        for one in told["candidates"]
        if any(firing["pattern"] == PATTERN for firing in one["firings"])
    }
    assert fired == moves


@pytest.mark.installed
def test_quick_clicks_are_all_drawn_however_long_an_edit_takes(new_page, running):
    """The response to a click arrives while the page still sends the edit of the next click."""
    page = new_page()
    page.add_init_script(SLOW_EDITS)
    page.goto(f"{running.url}&pattern={PATTERN}&board={BOARD}")
    cell = page.locator('.drawing [data-cell="0,0"]')
    cell.wait_for()
    for pause in (700, 300, 300):
        cell.click()  # three clicks: O becomes x, x becomes o, o becomes .
        page.wait_for_timeout(pause)
    running.text(lambda text: "      . *\n" in text)


def test_the_badges_are_those_of_brute_force(view, running):
    page = view(MANY)
    draw(page, running)
    count = len(slow_matches(DRAWN, LABELS, ROWS, 5))
    page.locator(f'[data-hits="{count}"]').wait_for()
    page.locator('.drawing [data-cell="1,1"] .badge').wait_for()
    cells = [(row, column) for row in range(2) for column in range(2)]

    def matches(*left_out):
        rows = [
            "".join("?" if (row, column) in left_out else DRAWN[row][column] for column in range(2)) for row in range(2)
        ]
        return [one for one in slow_matches(rows, LABELS, ROWS, 5) if one.move >= 0]

    places = {(one.symmetry, one.place) for one in slow_matches(["??", "??"], LABELS, ROWS, 5)}
    assert len(places) == 8 * 16
    for number, cell in enumerate(cells):
        name = f"{cell[0]},{cell[1]}"
        survive, *without = told(page, name)
        later = cells[number + 1 :]
        alive = {(one.symmetry, one.place) for one in slow_matches(masked(later), LABELS, ROWS, 5)}
        assert survive == len(alive), name
        assert page.locator(f'.drawing [data-cell="{name}"] .badge').get_attribute("data-text") == str(survive)
        assert without == ([] if cell == (0, 1) else [len(matches(cell))]), name


def masked(cells):
    """Return the rows of DRAWN with `?` in these cells, which may include the move."""
    return ["".join("?" if (row, column) in cells else DRAWN[row][column] for column in range(2)) for row in range(2)]


def test_the_labels_lie_where_each_place_has_them(view):
    page = view("OX.../...../...../...../...XO")
    page.locator('[data-hits="2"]').wait_for()
    shown = []
    for _ in range(2):
        label = page.locator("main .board").first.locator('[aria-label*="label A"]')
        label.wait_for()
        shown.append(label.get_attribute("data-point"))
        page.locator("h1").click()
        page.keyboard.press("h")
        page.locator("main .board").first.locator(f'[aria-label*="label A"]:not([data-point="{shown[-1]}"])').wait_for()
    assert sorted(shown) == ["0,0", "4,4"]


def test_the_last_good_answer_stays_while_the_text_is_wrong(view, running):
    page = view(BOARD)
    page.locator('[data-hits="1"]').wait_for()
    page.locator(".cm-line", has_text="in_atari(A)").first.click()
    page.keyboard.press("End")
    page.keyboard.type(" and liberties(")
    running.text(lambda text: "and liberties(" in text)
    page.locator(".findings strong.severity-error").first.wait_for()
    assert page.locator("[data-hits]").get_attribute("data-hits") == "1"
    assert page.locator('.drawing [data-cell="0,0"] .badge').get_attribute("data-text")
    page.keyboard.type("A) == 2")
    page.locator('[data-hits="0"]').wait_for()
    page.locator(".findings strong.severity-error").first.wait_for()  # the pattern's example now fails


def test_why_not_names_the_first_that_fails_with_its_value_and_mends_it(view, running):
    page = view("O..../...../...../...../.....")
    page.locator('[data-hits="0"]').wait_for()
    page.locator('.board [data-point="0,1"]').first.click()
    failed = page.locator(".why-not [role=status]")
    failed.wait_for()
    assert "in_atari(A)" in failed.inner_text()
    page.locator(".clauses li.bad", has_text="in_atari(A)").wait_for()
    mend = page.locator(".why-not button").first
    mend.wait_for()
    before = running.text()
    mend.click()
    page.get_by_text("The pattern fires for 0,1").wait_for()
    assert running.text() != before
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("Why not 0,1?").wait_for()


def test_completion_and_hover_say_what_a_fact_is_on_this_board(view):
    page = view(BOARD)
    page.locator('[data-hits="1"]').wait_for()
    page.locator(".cm-line", has_text="in_atari(A)").first.click()
    page.keyboard.press("End")
    page.keyboard.type(" and liber")
    page.locator(".cm-tooltip-autocomplete", has_text="liberties(A) is 1").wait_for()  # after all letters
    page.wait_for_timeout(200)  # a list that has just appeared accepts no keys
    page.keyboard.press("Enter")
    page.locator(".cm-line", has_text="in_atari(A) and liberties(").wait_for()
    page.keyboard.press("Escape")
    page.mouse.move(*page.evaluate(MIDDLE_OF, "captures("))
    told = page.locator(".hover-help")
    told.wait_for()
    assert "captures(*) is 1" in told.inner_text()


def test_examples_are_duplicated_edited_and_run_at_once(view):
    page = view(BOARD)
    examples = page.locator(".examples [data-example]")
    count = examples.count()
    examples.first.get_by_role("button", name="Duplicate").click()
    examples.nth(count).wait_for()
    examples.nth(1).get_by_role("button", name="Edit").click()
    examples.nth(1).locator('[data-point="0,1"]').click()  # a click changes X to O, so no stone is left to capture
    page.locator(".examples li p.bad").wait_for()
    assert page.locator("#examples-title").inner_text().endswith(f"1 of {count + 1} fail")
    examples.nth(1).get_by_label("kind").select_option("no_match")
    page.locator(".examples li p.bad").wait_for(state="detached")
    page.get_by_role("button", name="Undo").click()
    page.locator(".examples li p.bad").wait_for()
    examples.nth(1).get_by_role("button", name="Remove").click()
    page.locator("#examples-title", has_text=f"{count} pass").wait_for()


def test_one_key_makes_the_board_an_example_or_a_counterexample(view, running):
    page = view("OX.../...../...../...../...XO")
    page.locator('[data-hits="2"]').wait_for()
    examples = page.locator(".examples [data-example]")
    count = examples.count()
    page.locator('.board [data-point="3,4"]').first.click()
    page.get_by_text("The pattern fires for 3,4").wait_for()
    page.keyboard.press("e")
    examples.nth(count).wait_for()
    page.locator("#examples-title", has_text=f"{count + 1} pass").wait_for()
    page.keyboard.press("c")
    examples.nth(count + 1).wait_for()
    page.locator("#examples-title", has_text=f"1 of {count + 2} fail").wait_for()
    assert running.text().count("          move: 3,4\n") == 2


def test_examples_that_are_proposed_are_accepted_and_dropped_with_one_key(view, running):
    page = view(BOARD)
    before, count = running.text(), page.locator(".examples [data-example]").count()
    page.locator("h1").click()
    first = page.locator(".proposals .examples > li").first
    page.keyboard.press("p")
    first.wait_for()
    dropped = first.inner_text()
    page.keyboard.press("d")
    page.wait_for_timeout(100)
    assert page.locator(".proposals .examples > li", has_text=dropped).count() == 0
    assert running.text() == before
    page.keyboard.press("p")
    first.wait_for()
    page.keyboard.press("a")
    page.locator(".examples [data-example]").nth(count).wait_for()
    assert running.text() != before


def test_the_page_opens_on_a_pattern_that_fires_for_its_move_with_numbered_boards(new_page, running):
    page = new_page()
    page.goto(running.url)
    page.locator(".outline [aria-current]", has_text="largest-capture-first").wait_for()
    page.locator('[data-hits]:not([data-hits="0"])').wait_for()
    boards = page.locator(".board")
    for number in range(boards.count()):
        names = boards.nth(number).evaluate(NUMBERS)
        assert names == [f'"{one}"' for one in [*range(5), *range(5)]]


NUMBERS = """(board) => {
  const shown = (cell, part) => {
    const {content} = getComputedStyle(cell, part);
    return content.startsWith("attr") ? `"${cell.dataset[part === "::before" ? "column" : "row"]}"` : content;
  };
  const rows = [...board.querySelectorAll("[role=row]")];
  return [
    ...[...rows[0].children].map((cell) => shown(cell, "::before")),
    ...rows.map((row) => shown(row.firstElementChild, "::after")),
  ];
}"""  # the numbers that are drawn beside a board: of its columns, then of its rows


def test_on_a_narrow_page_the_board_comes_first_and_the_examples_last(new_page, running):
    page = new_page(viewport={"width": 390, "height": 800})
    page.goto(f"{running.url}&pattern={PATTERN}&board={BOARD}")
    page.locator("[data-hits]").wait_for()
    tops = {
        name: page.get_by_role("region", name=re.compile(f"^{name}")).first.bounding_box()["y"]
        for name in ("Board", "Patterns", "Text", "Examples")
    }
    assert sorted(tops, key=tops.get) == ["Board", "Patterns", "Text", "Examples"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
