"""Tests in a real Chromium of the steps from a lost game to the missing pattern: play, judge, show."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.both_links
ENDING = ".XXX./OX..X/OOXX./.OXOX/...O. black left=6"
COMPILING = 240_000  # maximum milliseconds: with a new cache the solver is compiled first
PLAYER = "[name=player]"


@pytest.fixture(scope="module")
def running(studio):
    """A studio for all tests of this module, since the tests do not change the studio's file."""
    return studio


@pytest.fixture
def view(new_page, running):
    """Return a function that opens the board view at 1280x800: view(game=..., step=...)."""

    def go(**parts):
        page = new_page(viewport={"width": 1280, "height": 800})
        page.goto(running.url + "&view=board" + "".join(f"&{name}={value}" for name, value in parts.items()))
        page.locator(".board-view [data-point]").first.wait_for()
        return page

    return go


def is_seen(page, locator):
    """Return whether an element is visible without scrolling."""
    box = locator.bounding_box()
    return box["y"] >= 0 and box["y"] + box["height"] <= page.viewport_size["height"]


def test_this_file_plays_a_game_out_and_its_end_is_shown_and_saved(view):
    page = view()
    page.get_by_label("Against").select_option("greedy")
    page.get_by_label("seed").fill("2")
    assert is_seen(page, page.get_by_role("button", name="Play out"))
    page.get_by_role("button", name="Play out").click()
    page.locator("[data-result]", has_text="White wins by 6.5.").wait_for()
    command = page.locator(".played-out code").text_content()
    assert command.startswith("littlego play --black ") and command.endswith(" --white greedy --seed 2 --brief")
    for name in ("Pass", "Resign", "Hint"):
        assert page.get_by_role("button", name=name, exact=True).count() == 0
    page.locator(".answers", has_text="The game is over").wait_for()
    assert page.locator(".problem:visible").count() == 0
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save SGF").click()
    assert "PW[greedy]" in saved.value.path().read_text()
    last = page.locator(".moves [aria-current]")
    listed = page.locator(".moves")
    assert listed.evaluate("one => one.scrollWidth <= one.clientWidth") and "24" in last.inner_text()
    page.locator("nav a", has_text="Effects").click()
    page.locator("nav a", has_text="Board").click()
    page.get_by_role("button", name="New game").click()
    page.locator('[data-step="0"]').wait_for()
    assert (page.locator(PLAYER).input_value(), page.get_by_label("seed").input_value()) == ("greedy", "2")


def test_games_are_played_until_one_is_lost_and_its_seed_is_kept(view):
    page = view()
    page.get_by_label("Against").select_option("greedy")
    page.get_by_label("seed").fill("1")
    page.get_by_role("button", name="Find loss").click()
    page.locator("[data-told]", has_text="lost this game.").wait_for()
    page.locator("[data-result]", has_text="White wins").wait_for()
    command = page.locator(".played-out code").text_content()
    page.get_by_role("button", name="New game").click()
    page.locator(PLAYER).wait_for()
    assert f"--seed {page.get_by_label('seed').input_value()} " in command


WON_BEFORE = "(results) => import('/static/game/turning.js').then((it) => it.wonBefore(results))"


def test_where_no_move_gave_the_win_away_it_says_who_had_it_before(view):
    page = view()
    known = {str(n): {"number": n, "best": best} for n, best in ((8, None), (10, -1.5), (9, -2.5))}
    said = "White was already winning before move 9: an earlier move decided the game, or no move did. "
    assert page.evaluate(WON_BEFORE, known) == said
    assert page.evaluate(WON_BEFORE, {"9": {"number": 9, "best": 0.5}}).startswith(
        "Black was already winning before move 9"
    )
    assert page.evaluate(WON_BEFORE, {"8": {"number": 8, "best": None}}) == ""


def test_a_turning_point_is_shown_before_it_and_leads_to_a_pattern_and_to_another_game(view):
    lost, kept = "3,0", ("0,0", "0,4", "1,2", "1,3", "2,4", "4,1", "4,2")  # as printed by `littlego solve --moves`
    page = view(game=f"{ENDING}; {lost}")
    page.set_default_timeout(COMPILING)
    page.get_by_role("button", name="Judge moves").click()
    page.locator("[data-judged]", has_text="The only move is judged exactly.").wait_for()
    page.locator("nav a", has_text="Effects").click()
    page.locator("nav a", has_text="Board").click()
    page.locator(".turning-points button", has_text=f"Move 1, black {lost}").click()
    page.locator('[data-step="0"]').wait_for()
    page.locator("[data-turning]", has_text="0,0, 0,4, 1,2, 1,3, 2,4, 4,1 or 4,2 would").wait_for()
    page.locator(f'[data-point="{lost}"][aria-label*="played next"]').wait_for()
    for point in kept:
        assert "keeps the win" in page.locator(f'[data-point="{point}"]').get_attribute("aria-label")
    page.locator(f'[data-point="{kept[0]}"]').click()
    write = page.get_by_role("button", name="New pattern")
    write.wait_for()
    assert is_seen(page, write)
    write.click()
    assert page.get_by_label("move", exact=True).input_value() == kept[0]
    page.keyboard.press("Escape")
    page.locator("[data-turning]").get_by_role("button", name="Write ").click()
    assert page.get_by_label("move", exact=True).input_value() in kept
    page.get_by_label("id", exact=True).fill("found-here")
    page.locator("#new-summary").fill("Keep the win.")
    page.get_by_role("button", name="Create").click()
    page.locator("main.view-pattern .outline [aria-current]", has_text="found-here").wait_for()
    page.locator('[data-hits]:not([data-hits="0"])').wait_for()
    page.locator("nav a", has_text="Board").click()
    page.locator(".turning-points button", has_text=f"Move 1, black {lost}").click()
    page.locator("[data-turning]").get_by_role("button", name="Play here").click()
    page.locator("[data-result]").wait_for()
    assert page.locator("[data-step]").get_attribute("data-step") != "1"


COSTLIEST = (
    "(results) => import('/static/game/turning.js').then((it) => it.costliest({results}).map((one) => one.number))"
)


def test_without_a_turning_point_the_losers_costliest_moves_are_offered(view):
    def judged(number, colour, best, margin, **more):
        better = {"better": ["1,1"], "winning": [], "turning": False, "wins": "white"}
        return {"number": number, "colour": colour, "best": best, "margin": margin, **better, **more}

    moves = [
        judged(24, "white", -3.5, -3.5),
        judged(23, "black", -1.5, -3.5),
        judged(22, "white", -5.5, -1.5),
        judged(21, "black", -0.5, -5.5),
        judged(19, "black", -0.5, -0.5),
        judged(17, "black", None, None),
        judged(15, "black", -0.5, -2.5, better=["pass"]),
    ]
    results = {str(one["number"]): one for one in moves}
    page = view()
    assert page.evaluate(COSTLIEST, results) == [21, 23]
    results["13"] = judged(13, "black", 0.5, -0.5, turning=True, winning=["1,1"])
    assert page.evaluate(COSTLIEST, results) == []


DEEPER = "(judging) => import('/static/game/turning.js').then((it) => it.deeper(judging))"


@pytest.mark.parametrize(
    ("turning", "more", "deeper"), [(None, 12, 12), ("white", 12, 12), ("black", 12, 0), (None, 18, 0), (None, None, 0)]
)
def test_the_search_goes_deeper_until_the_losers_mistake_is_known(view, turning, more, deeper):
    results = {"24": {"number": 24, "wins": "white", "colour": "white", "turning": False}}
    if turning:
        results["20"] = {"number": 20, "wins": "white", "colour": turning, "turning": True}
    assert view().evaluate(DEEPER, {"done": {"more": more}, "results": results}) == deeper


def test_more_moves_are_judged_where_they_are_missed(view, running):
    game = "little-go; 2,2 2,0 1,2 3,1 0,2 4,3 2,3 4,2 2,4 0,4 1,4 1,3 0,3 2,1 3,4 1,1 0,1 4,1 0,0 3,0 1,0 3,2 0,4 3,3"
    moves, start = game.split()[1:], running.ask("game", game=game)["positions"][16]
    page = view(game=f"{start}; {' '.join(moves[16:])}")
    page.set_default_timeout(COMPILING)
    page.get_by_label("exact with up to").select_option("6")
    page.get_by_role("button", name="Judge moves").click()
    page.locator("[data-judged]", has_text="All 8 moves are judged exactly.").wait_for()
