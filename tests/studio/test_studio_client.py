"""Tests in a real Chromium that the pattern view's text, form, drawing and board show one document."""

from __future__ import annotations

import difflib
import json

import pytest
from studio_apps import events_in

pytestmark = pytest.mark.both_links
PATTERN = "take-the-last-liberty"
BOARD = "OX.../...../...../...../....."
TOLD = '.findings-pane [class^="severity"]'


@pytest.fixture
def running(restored):
    return restored


@pytest.fixture
def opened(new_page, running):
    """A page at one pattern, with a board on which the pattern fires once."""
    page = new_page()
    page.goto(f"{running.url}&pattern={PATTERN}&board={BOARD}")
    page.locator('[data-hits="1"]').wait_for()
    return page


def text_at(running, wanted=bool):
    """Return the server's text as soon as `wanted` accepts it."""
    return running.text(wanted)


def changed_lines(before, after):
    """Return the removed and added lines."""
    lines = difflib.ndiff(before.splitlines(), after.splitlines())
    return [line for line in lines if line.startswith(("+", "-"))]


def test_a_click_in_the_drawing_changes_one_symbol_and_undo_brings_it_back(opened, running):
    before = text_at(running)
    opened.locator('.drawing [data-cell="0,0"]').click()
    after = text_at(running, lambda text: text != before)
    assert changed_lines(before, after) == ["-       O *", "+       x *"]
    opened.get_by_role("button", name="Undo").click()
    assert text_at(running, lambda text: text == before) == before


def test_the_drawing_is_walked_and_drawn_by_keys(opened, running):
    before = text_at(running)
    opened.locator('.drawing [data-cell="0,0"]').focus()
    opened.keyboard.press("ArrowRight")
    assert opened.evaluate("document.activeElement.dataset.cell") == "0,1"
    opened.keyboard.press("X")  # the cell holds the move, which is not overwritten
    opened.keyboard.press("ArrowLeft")
    opened.keyboard.press("?")
    opened.keyboard.press("B")
    after = text_at(running, lambda text: "      ? *" in text and "      B ." in text)
    assert len(changed_lines(before, after)) == 4
    assert opened.locator("dialog").count() == 0  # outside text fields, `?` shows the help


def test_a_symbol_that_is_a_number_is_drawn(opened):
    drawn = opened.evaluate(
        """async () => {
          const [{Glyph}, {h, render}] = [await import('/static/pattern/glyphs.js'), await import('/static/html.js')];
          const place = document.createElement('div');
          render(h(Glyph, {symbol: '3'}), place);
          return [place.querySelectorAll('circle').length, place.textContent.trim()];
        }"""
    )
    assert drawn == [1, "3"]


def test_the_form_writes_no_mistake(opened, running):
    before = text_at(running)
    condition = opened.get_by_label("Condition 1", exact=True)
    condition.fill("in_atarri(A)")
    condition.press("Enter")
    told = opened.locator(".conditions .wrong")
    told.wait_for()
    assert "did you mean `in_atari`?" in told.inner_text()
    assert text_at(running) == before
    condition.fill("in_atari(A) and liberties(A) == 1")
    condition.press("Enter")
    after = text_at(running, lambda text: text != before)
    assert changed_lines(before, after) == ["-       - in_atari(A)", "+       - in_atari(A) and liberties(A) == 1"]
    assert told.count() == 0


def test_a_typo_in_the_text_has_its_caret_its_page_and_its_fix(opened, running):
    before = text_at(running)
    opened.locator(".cm-line", has_text="in_atari(A)").first.dblclick(position={"x": 100, "y": 8})
    opened.keyboard.type("in_atarri")
    excerpt = opened.locator(".findings-pane pre", has_text="in_atarri").first
    excerpt.wait_for()
    shown = excerpt.inner_text()
    line, caret = shown.rstrip().split("\n")
    assert line[caret.index("^") :].startswith("in_atarri")
    opened.get_by_role("button", name="P045: explanation").click()
    assert "P045" in opened.locator("dialog").inner_text()
    opened.keyboard.press("Escape")
    opened.get_by_role("button", name="Write `in_atari`").first.click()
    assert text_at(running, lambda text: text == before) == before
    opened.locator(TOLD).wait_for(state="detached")


AFTER = """text => import('/static/document.js').then(({editor}) => {
  const view = editor(), at = view.state.doc.toString().indexOf(text) + text.length;
  view.focus();
  view.dispatch({selection: {anchor: at}});
})"""


def test_an_id_is_typed_without_the_cursor_being_moved(opened, running):
    opened.evaluate(AFTER, f"id: {PATTERN}")
    opened.keyboard.type("-x")
    opened.locator('.outline a[aria-current="true"]', has_text=f"{PATTERN}-x").wait_for()
    opened.keyboard.type("y")
    text_at(running, lambda text: f"- id: {PATTERN}-xy\n" in text)
    opened.locator('.outline a[aria-current="true"]', has_text=f"{PATTERN}-xy").wait_for()


@pytest.fixture
def without_outline(new_page, running):
    """A page at the pattern, whose outline is held back, and a function that releases the outline."""
    page, is_held = new_page(), [True]

    def hold(route):
        while is_held:
            page.wait_for_timeout(20)
        route.continue_()

    page.route("**/api/ask", lambda route: hold(route) if '"outline"' in route.request.post_data else route.continue_())
    page.goto(f"{running.url}&pattern={PATTERN}")
    page.locator(".cm-content").wait_for()
    yield page, is_held.clear
    page.unroute_all(behavior="ignoreErrors")


@pytest.mark.installed
def test_who_is_quicker_than_the_outline_writes_where_the_cursor_was_put(without_outline, running):
    page, let_it_come = without_outline
    page.evaluate(AFTER, "patterns:")
    let_it_come()
    page.locator(f'.outline a[aria-current="true"]:has-text("{PATTERN}")').wait_for()
    page.keyboard.type("  # here")
    assert "patterns:  # here\n" in text_at(running, lambda text: "# here" in text)


@pytest.mark.installed
def test_who_is_quicker_than_the_outline_may_type_an_id(without_outline, running):
    page, let_it_come = without_outline
    page.evaluate(AFTER, f"id: {PATTERN}")
    page.keyboard.type("-x")
    text_at(running, lambda text: f"- id: {PATTERN}-x\n" in text)
    let_it_come()
    page.locator('.outline a[aria-current="true"]', has_text=f"{PATTERN}-x").wait_for()


@pytest.mark.installed
def test_what_was_refused_for_one_that_it_had_overtaken_is_asked_again(opened, running):
    refused = []
    problem = {"problem": {"code": "stale", "text": "a newer request replaced this one"}}

    def refuse(route):
        """Refuse the answers that come with the edit, and then the first separate request for the answers."""
        is_edit, answer = route.request.url.endswith("/api/edit"), route.fetch()
        if len(refused) > 1 or is_edit == bool(refused):
            return route.fulfill(response=answer)
        refused.append(route.request.url)
        if not is_edit:
            return route.fulfill(json={"answers": [problem] * len(answer.json()["answers"])})
        edited, *lists = events_in(answer.text())
        lists = [{"answers": [problem] * len(one["answers"])} for one in lists]
        return route.fulfill(body="".join(f"data: {json.dumps(one)}\n\n" for one in (edited, *lists)))

    for path in ("edit", "ask"):
        opened.route(f"**/api/{path}", refuse)
    opened.evaluate(AFTER, "in_atari(A)")
    # insert all text in one edit, so that no later edit repeats the request
    opened.keyboard.insert_text(" and liberties(A) == 2")
    opened.locator('[data-hits="0"]').wait_for()
    assert len(refused) == 2
    opened.unroute_all(behavior="ignoreErrors")


REVISION = "import('/static/state.js').then(({get}) => get().revision)"


@pytest.mark.installed
@pytest.mark.parametrize(("key", "after"), [("Backspace", []), ("x", ["/api/ask/complete"])])
def test_a_key_makes_one_request_that_brings_all_that_it_changes_on_the_page(opened, running, key, after):
    opened.evaluate(AFTER, 'summary: "Take a chain')
    opened.keyboard.type("n")
    opened.wait_for_timeout(2000)  # wait until the whole file is checked and no request is pending
    sent = []
    opened.on("request", lambda request: sent.append(request.url.removeprefix(running.origin)))
    before = opened.evaluate(REVISION)
    opened.keyboard.press(key)
    for pane in ("board", "drawing", "findings"):
        opened.locator(f'[aria-labelledby="{pane}-title"][data-revision="{before + 1}"]').wait_for()
    opened.locator(f'[data-checked="{before + 1}"]').wait_for()  # the whole file is checked once typing stops
    # A letter may begin a word, so the page then requests completions. The requests for jobs are preparations, which an
    # edit starts.
    asked = [path for path in sent if "/jobs/" not in path and path != "/api/ask/check"]
    assert asked == ["/api/edit", *after]


def test_a_fix_works_after_an_edit_that_changes_no_finding(opened, running):
    opened.evaluate(AFTER, "in_atar")
    opened.keyboard.type("r")
    fix = opened.locator(".findings .main").first
    fix.wait_for()
    before = opened.evaluate(REVISION)
    opened.keyboard.press("Control+End")
    opened.keyboard.type("\n")
    opened.locator(f'[aria-labelledby="findings-title"][data-revision="{before + 1}"]').wait_for()
    fix.click()
    text_at(running, lambda text: "in_atari(A)" in text and "in_atarri" not in text)


def test_keys_that_are_pressed_while_an_edit_is_answered_are_sent_at_once_and_the_last_answer_is_shown(opened, running):
    opened.evaluate(AFTER, "in_atari(A)")
    opened.keyboard.type(" and liberties(A) == 2", delay=5)
    opened.locator('[data-hits="0"]').wait_for()
    for _ in range(6):
        opened.keyboard.press("Backspace")
    opened.keyboard.type(") == 1", delay=5)
    opened.locator('[data-hits="1"]').wait_for()
    text_at(running, lambda text: "in_atari(A) and liberties(A) == 1\n" in text)


def test_undo_goes_back_over_board_drawing_and_text_in_turn(opened, running):
    before = text_at(running)
    opened.locator(".cm-content").focus()  # a click would select the pattern under the mouse
    opened.keyboard.press("Control+Home")
    opened.keyboard.press("End")
    opened.keyboard.type("!")
    text_at(running, lambda text: "!" in text.splitlines()[0])  # wait, since the edit may move the button
    opened.get_by_label("Add a row at the top").click()
    text_at(running, lambda text: "      ? ?\n" in text)
    opened.get_by_role("button", name="Set stones").click()
    opened.locator('.board [data-point="4,4"]').first.click()
    opened.locator('.board [data-point="4,4"][aria-label*=" X"]').first.wait_for()
    undo = opened.get_by_role("button", name="Undo")
    undo.click()
    opened.locator('.board [data-point="4,4"][aria-label*="empty"]').first.wait_for()
    assert "      ? ?\n" in text_at(running)
    undo.click()
    assert "!" in text_at(running, lambda text: "      ? ?\n" not in text).splitlines()[0]
    undo.click()
    assert text_at(running, lambda text: text == before) == before


@pytest.mark.installed
def test_two_pages_write_in_one_text(opened, running, new_page):
    other = new_page()
    other.goto(running.url)
    for page in (opened, other):
        page.locator(".cm-content").focus()  # a click would select the pattern under the mouse
    for page, words in ((opened, "# one"), (other, "# two")):
        page.keyboard.press("Control+Home")
        page.keyboard.type(words + "\n")
        for one in (opened, other):  # wait, or both pages would type into each other's words
            one.keyboard.press("Control+Home")  # the editor renders only the lines in view
            one.locator(".cm-line", has_text=words).wait_for()
    text = text_at(running, lambda text: "# one\n" in text and "# two\n" in text)
    opened.get_by_role("button", name="Undo").click()  # Undo removes only this page's text
    assert "# two\n" in text_at(running, lambda now: "# one\n" not in now)
    assert "# one\n" in text


def test_the_address_holds_what_is_shown(opened):
    opened.locator('.board [data-point="3,3"]').first.click()
    opened.get_by_text("Why not 3,3?").wait_for()
    opened.reload()
    opened.get_by_text("Why not 3,3?").wait_for()
    assert opened.locator(".outline [aria-current]").inner_text() == PATTERN
    opened.get_by_role("button", name="Reset").click()
    opened.get_by_text("Why not 3,3?").wait_for(state="detached")
    assert "board=" not in opened.url
    opened.go_back()
    opened.get_by_text("Why not 3,3?").wait_for()


def test_undo_says_what_it_takes_back_and_revert_leads_to_the_saved_text_and_back(opened, running):
    before = text_at(running)
    revert = opened.get_by_role("button", name="Revert")
    assert revert.get_attribute("aria-disabled") == "true"
    opened.locator('.drawing [data-cell="0,0"]').click()
    mine = text_at(running, lambda text: text != before)
    opened.locator('button:not([aria-disabled="true"])', has_text="Revert").click()
    text_at(running, lambda text: text == before)
    opened.get_by_text("saved", exact=True).wait_for()
    opened.get_by_role("button", name="Undo").click()
    opened.get_by_text("Undone: the revert to the saved text.").wait_for()
    text_at(running, lambda text: text == mine)
    opened.get_by_role("button", name="Undo").click()
    opened.get_by_text("Undone: a change of the drawing or a key.").wait_for()
    text_at(running, lambda text: text == before)


def test_the_form_offers_the_facts_that_fit_what_is_written(opened):
    field = opened.get_by_label("Add a condition")
    field.fill("liberties(A) >= 2 and si")
    options = opened.locator(f"#{field.get_attribute('list')} option")
    options.first.wait_for(state="attached")
    assert [one.get_attribute("value") for one in options.all()] == ["liberties(A) >= 2 and size(A)"]
    field.press("Escape")
    field.blur()
    options.first.wait_for(state="detached")  # only the focused field has suggestions


def test_nothing_is_wider_than_a_page_of_320_pixels(opened):
    opened.set_viewport_size({"width": 320, "height": 640})
    opened.locator("#examples-title").wait_for()
    assert opened.evaluate("document.documentElement.scrollWidth") <= 320


def test_the_message_for_an_invalid_id_says_what_is_allowed(opened):
    opened.get_by_role("button", name="New pattern").click()
    opened.locator("#new-name").fill("Cut It")
    assert "as in cut-the-corner-2" in opened.locator("#new-name").evaluate("field => field.validationMessage")
    opened.locator("#new-name").fill("cut-it")
    assert opened.locator("#new-name").evaluate("field => field.validity.valid")
    opened.keyboard.press("Escape")
    opened.locator("#field-id").fill("Cut It")
    opened.locator("#field-id").press("Enter")
    opened.locator("#field-id-told", has_text="as in cut-the-corner-2").wait_for()


def test_a_click_on_the_board_of_the_dialog_chooses_the_move_of_a_new_pattern(opened):
    opened.get_by_role("button", name="New pattern").click()
    dialog = opened.get_by_role("dialog")
    dialog.get_by_text("Click the pattern's move on the board.").wait_for()
    dialog.locator('[data-point="1,0"]').click()
    assert dialog.locator("#new-move").input_value() == "1,0"
    assert "circled" in dialog.locator('[data-point="1,0"]').get_attribute("aria-label")
    dialog.locator("#new-name").fill("take-it")
    dialog.locator("#new-summary").fill("Take the stone.")
    dialog.get_by_role("button", name="Create").click()
    opened.locator(".outline [aria-current]", has_text="take-it").wait_for()


def test_a_new_pattern_needs_a_summary(opened, running):
    opened.locator('.board [data-point="1,0"]').first.click()
    opened.get_by_role("button", name="New pattern").click()
    opened.locator("#new-name").fill("take-it")
    opened.get_by_role("button", name="Create").click()
    assert opened.locator("#new-summary").evaluate("field => field.validity.valueMissing")
    opened.locator("#new-summary").fill("Take the stone.")
    opened.get_by_role("button", name="Create").click()
    opened.locator(".outline [aria-current]", has_text="take-it").wait_for()
    revision = running.request("/api/state")[1]["revision"]
    opened.locator(f'.findings-pane[data-checked="{revision}"]').wait_for()
    assert opened.locator(".findings li", has_text="L214").count() == 0


def test_a_new_pattern_is_drawn_from_the_board_and_shown(opened, running):
    opened.locator('.board [data-point="1,0"]').first.click()
    opened.get_by_text("The pattern fires for 1,0").wait_for()
    opened.get_by_role("button", name="New pattern").click()
    opened.locator("#new-name").fill("take-it")
    opened.locator("#new-summary").fill("Take the stone.")
    opened.get_by_role("button", name="Create").click()
    opened.locator(".outline [aria-current]", has_text="take-it").wait_for()
    assert "  - id: take-it\n" in text_at(running)
    assert "pattern=take-it" in opened.url
