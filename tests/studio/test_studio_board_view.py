"""Tests of the board view in a real Chromium, by mouse and keyboard: answers, stepping, playing."""

from __future__ import annotations

import re

import pytest
from studio_server import running_studio

pytestmark = pytest.mark.both_links
CUT = ". . . . .\n. . O X .\n. O X X .\n. . O . .\n. . . . ."
BOARD = "...../..OX./.OXX./..O../....."
FALLING = "...../.XXXO/..XOO/.X.../OO... black left=14"
ENTRY = """
  - id: {name}
    class: capture
    summary: "Attack stones that cannot escape."
    priority: 500
    points: {points}
    diagram: |
      *
    when:
      - takes_in_3(*) > 0
    examples:
      matches:
        - board: |
            . . . . .
            . X X X O
            . . X O O
            . X . . .
            O O . . .
          move: 4,2
      no_match:
        - board: |
            O . . . .
            . . . . .
            . . . . .
            . . . . .
            . . . . .
          move: 4,4
"""
READING = "ruleset: little-go\npatterns:" + "".join(
    ENTRY.format(name=name, points=points) for name, points in (("capture", "takes_in_3(*)"), ("attack", "1"))
)
ENDING = ".XXX./OX..X/OOXX./.OXOX/...O. black left=6"


@pytest.fixture(scope="module")
def running(studio):
    """A studio for all tests of this module, since the tests do not change the studio's file."""
    return studio


@pytest.fixture
def view(new_page, running):
    """Return a function that opens the board view: view(board=..., game=..., step=...)."""

    def go(**parts):
        page = new_page()
        page.goto(running.url + "&view=board" + "".join(f"&{name}={value}" for name, value in parts.items()))
        page.locator(".board-view [data-point]").first.wait_for()
        return page

    return go


def cell(page, place):
    return page.locator(f'.board-view [data-point="{place}"]')


def test_the_points_say_their_stone_and_the_reason(view, running):
    page = view(board=BOARD)
    told = running.ask("decision", position=BOARD)
    page.locator(f'[data-chosen="{told["chosen"]}"]').wait_for()
    name = cell(page, told["chosen"]).get_attribute("aria-label")
    assert name.startswith(f"{told['chosen']} empty, label 1, ringed")
    assert told["said"] in name
    assert cell(page, "1,2").get_attribute("aria-label").startswith("1,2 O")
    assert page.locator(".candidates tbody tr").count() >= 5
    vetoed = next(one for one in told["moves"] if one["kind"] == "vetoed")
    assert "vetoed" in cell(page, vetoed["move"]).get_attribute("aria-label")


def test_a_click_asks_why_not_and_shows_the_refuting_reply(view, running):
    page = view(board=BOARD)
    told = running.ask("decision", position=BOARD)
    move, reply = next((one["move"], one["reply"]) for one in told["moves"] if one["kind"] == "vetoed" and one["reply"])
    cell(page, move).click()
    answer = running.ask("why_not", position=BOARD, move=move)["explain"]["why_not"]["answer"]
    page.locator(f'[data-why="{move}"]', has_text=answer).wait_for()
    page.locator(f'[data-point="{reply}"][aria-label*="marked"]').wait_for()
    assert f"move={move}" in page.url


def test_a_click_shows_the_moves_that_a_fact_has_read(new_page, tmp_path):
    path = tmp_path / "patterns.yaml"
    path.write_text(READING, encoding="utf-8")
    with running_studio(path) as studio:
        page = new_page()
        page.goto(f"{studio.url}&view=board&board={FALLING}")
        cell(page, "4,2").click()
        shown = page.locator('[aria-label="Lines of play"] li')
        shown.filter(has_text="after X 4,2 the 2 stones at 4,0 fall: O ").wait_for()
        assert shown.locator("a").all_inner_texts() == ["capture", "attack"]
        assert shown.inner_text().startswith("capture, attack: after X 4,2 ")


def test_the_pointer_shows_the_reason_and_lights_the_pattern(view):
    page = view(board="OX.../...../...../...../.....")
    page.locator("[data-chosen]").wait_for()
    cell(page, "1,0").hover()
    page.locator(".looked", has_text="take-the-last-liberty").wait_for()
    lit = page.locator(".board-view .cell.lit")
    assert lit.evaluate_all("cells => cells.map((cell) => cell.dataset.point)") == ["0,0", "1,0"]


def test_a_pasted_board_is_shown_and_a_bad_one_told(view):
    page = view()
    page.locator("#open-text").fill(CUT)
    page.get_by_role("button", name="Open", exact=True).click()
    page.locator('[data-point="1,2"][aria-label^="1,2 O"]').wait_for()
    page.locator("#open-text").fill("what is this")
    page.get_by_role("button", name="Open", exact=True).click()
    page.locator(".open-pane [role=alert]").wait_for()
    assert cell(page, "1,2").get_attribute("aria-label").startswith("1,2 O")


def test_a_game_is_stepped_through_by_keys(view):
    page = view(game="little-go; 2,2 1,2 1,1 2,1 3,1")
    where = page.locator("[data-step]")
    page.locator('[data-step="5"]').wait_for()
    for key, step in (("Home", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", 5)):
        page.keyboard.press(key)
        page.locator(f'[data-step="{step}"]').wait_for()
    assert where.inner_text() == "move 5 of 5"
    page.keyboard.press("ArrowLeft")
    page.locator('[data-step="4"]').wait_for()
    page.reload()
    page.locator('[data-step="4"]').wait_for()
    assert cell(page, "3,1").get_attribute("aria-label").startswith("3,1 empty")


def test_exact_values_are_shown_absolute_and_against_the_best(view, running):
    page = view(board=ENDING)
    values = {one["move"]: one for one in running.ask("exact", position=ENDING)["values"]}
    page.locator("[data-winner=black]").wait_for()
    lost = next(one for one in values.values() if not one["wins"] and one["move"] != "pass")
    page.get_by_label("Number of candidates").select_option("1000")
    said = cell(page, lost["move"])
    page.locator(f'[data-point="{lost["move"]}"][aria-label*="exact: loses"]').wait_for()
    badge = said.locator(".badge")
    assert badge.get_attribute("data-text").lstrip("+−") == f"{abs(lost['margin']):g}"
    page.get_by_label("Exact values").select_option("relative")
    page.locator(f'[data-point="{lost["move"]}"] .badge[data-text="−{lost["cost"]:g}"]').wait_for()


def test_the_moves_are_judged_and_n_goes_to_the_turning_point(view, running):
    lost = next(one for one in running.ask("exact", position=ENDING)["values"] if not one["wins"])
    page = view(game=f"{ENDING}; {lost['move']}")
    page.locator('[data-step="1"]').wait_for()
    page.keyboard.press("j")
    page.locator(".turning-points", has_text=lost["move"]).wait_for()
    page.locator(".graph .turning").wait_for()
    page.keyboard.press("Shift+N")  # the position before the move is shown
    page.locator('[data-step="0"]').wait_for()
    page.locator("[data-turning]", has_text=f"black played {lost['move']} here").wait_for()


def test_answers_are_hidden_until_asked_for_and_shown_while_z_is_held(view):
    page = view(board=BOARD)
    page.locator("[data-chosen]").wait_for()
    page.keyboard.press("a")
    page.locator("[data-chosen]").wait_for(state="detached")
    assert "label" not in cell(page, "1,1").get_attribute("aria-label")
    page.keyboard.down("z")
    page.locator("[data-chosen]").wait_for()
    page.keyboard.up("z")
    page.locator("[data-chosen]").wait_for(state="detached")


@pytest.mark.installed
def test_the_learning_player_is_asked_by_keyboard_and_the_choice_is_remembered(view, running):
    page = view(board=BOARD)
    page.locator("[data-chosen]").wait_for()
    assert page.locator(".opinion").count() == 0
    page.get_by_role("button", name="Ask zero").press("Enter")
    told = running.ask("opinion", position=BOARD)
    said = page.get_by_role("region", name="Opinion of zero").get_by_role("status")
    said.filter(has_text=f"Opinion of zero, a learning player: it plays {told['chosen']}. The chance").wait_for()
    moves = page.get_by_role("table", name="Moves of zero").locator("tbody button")
    assert moves.all_inner_texts() == [one["move"] for one in told["moves"]]
    moves.nth(1).press("Enter")
    page.locator(f'[data-why="{told["moves"][1]["move"]}"]').wait_for(state="attached")
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.keyboard.press("a")
    page.locator(".opinion").wait_for(state="detached")
    page.goto(running.url + "&view=board&game=match-9;")
    page.reload()
    said.filter(has_text="none, because the shipped weights are for the game little-go").wait_for()


def test_a_guess_comes_before_the_answer(view, running):
    page = view(board=BOARD)
    page.locator("[data-chosen]").wait_for()
    page.keyboard.press("g")
    page.locator("[data-chosen]").wait_for(state="detached")
    chosen = running.ask("decision", position=BOARD)["chosen"]
    cell(page, "4,4").click()
    page.locator('[data-guess="4,4"].bad', has_text=f"{chosen} is played").wait_for()
    cell(page, chosen).click()
    page.locator(f'[data-guess="{chosen}"].good').wait_for()


def test_a_game_is_played_taken_back_and_played_again(view):
    page = view()
    page.get_by_label("Against").select_option("greedy")
    page.get_by_label("Minutes each").fill("5")
    page.get_by_role("button", name="Start game").click()
    cell(page, "2,2").click()
    page.locator('[data-step="2"]').wait_for()
    assert re.search(r"Black (5:00|4:\d\d)", page.locator(".clocks").inner_text())
    page.keyboard.press("u")
    page.locator('[data-step="0"]').wait_for()
    assert cell(page, "2,2").get_attribute("aria-label").startswith("2,2 empty")
    cell(page, "1,1").click()
    page.locator('[data-step="2"]').wait_for()
    assert "game=little-go%3B+1,1" in page.url
    page.keyboard.press("h")
    page.locator(".hint").wait_for()


def test_who_plays_stays_unfolded_from_game_to_game(view):
    page = view(game="little-go; 2,2")
    page.locator('[data-step="1"]').wait_for()
    begin = page.get_by_role("button", name="Start game")
    assert not begin.is_visible()
    page.get_by_text("Game setup").click()
    page.locator("button:visible", has_text="Play out").wait_for()
    page.keyboard.press("u")
    page.locator('[data-step="0"]').wait_for()
    page.keyboard.press("p")
    cell(page, "1,1").click()
    page.locator('[data-step="1"]').wait_for()
    assert begin.is_visible()


@pytest.mark.installed
def test_who_plays_before_the_game_is_there_plays_in_that_game(new_page, running):
    page, held = new_page(), []
    page.route("**/api/ask/game", lambda route: held.append(route))  # none is answered
    page.goto(f"{running.url}&view=board&game=match-9%3B")
    page.locator(".board-view [data-point]").first.wait_for()
    page.keyboard.press("p")
    page.get_by_label("Point", exact=True).fill("4,4")
    page.keyboard.press("Enter")
    page.locator('[data-step="1"]').wait_for()
    assert cell(page, "4,4").get_attribute("aria-label").startswith("4,4 X") and "match-9" in page.url
    page.unroute_all(behavior="ignoreErrors")


@pytest.mark.installed
def test_who_plays_on_a_clock_before_the_game_is_there_has_all_its_time(view):
    page, held = view(), []
    page.route("**/api/ask/game", lambda route: held.append(route))  # none is answered
    page.get_by_label("Minutes each").fill("5")
    page.get_by_role("button", name="Start game").click()
    cell(page, "2,2").click()
    page.locator('[data-step="2"]').wait_for()
    assert re.search(r"Black (5:00|4:\d\d)", page.locator(".clocks").inner_text())
    page.unroute_all(behavior="ignoreErrors")


def test_a_match_on_nine_lines_is_played_with_the_keyboard_alone(view):
    page = view(game="match-9;")
    page.keyboard.press("p")
    page.get_by_label("Point", exact=True).fill("4,4")
    page.keyboard.press("Enter")
    page.locator('[data-step="1"]').wait_for()
    assert cell(page, "4,4").get_attribute("aria-label").startswith("4,4 X")
    cell(page, "4,4").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.locator('[data-step="2"]').wait_for()
    assert cell(page, "5,4").get_attribute("aria-label").startswith("5,4 O")
