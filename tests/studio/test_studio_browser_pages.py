"""Tests of pages, themes and hostile text in a real Chromium, with one studio and one browser for all."""

from __future__ import annotations

import pytest
from fitted_games import YAML as MATCH
from npm_packages import PACKAGES, needs_node
from studio_server import SMALL, running_studio

pytestmark = pytest.mark.both_links
PATTERN = "give-atari"
AXE = PACKAGES / "axe-core" / "axe.min.js"
VIEWS = ["pattern", "board", "effects", "pages"]
LONG = 120_000  # maximum milliseconds for dozens of decisions on 9x9 to 19x19, on a busy machine
MARKUP = "<img src=x onerror=window.hurt=1>"


@pytest.fixture(scope="module")
def running(studio):
    """A studio for all tests of this module, since the tests do not change the studio's file."""
    return studio


def show(page, running, view="pattern", more=""):
    page.goto(f"{running.url}&view={view}&pattern={PATTERN}{more}")
    page.locator(f"main.view-{view}").wait_for()
    there = {"pattern": "[data-hits]", "board": "main .board", "effects": "main .pane", "pages": "[data-page=gallery]"}[
        view
    ]
    page.locator(there).first.wait_for()  # the event stream never ends, so the network is never idle
    return page


def test_a_pattern_leads_to_its_card_and_the_card_back(new_page, running):
    page = show(new_page(), running)
    page.get_by_role("button", name="Show gallery").click()
    inside = page.frame_locator("iframe")
    card = inside.locator(f"#{PATTERN}")
    card.wait_for()
    assert (
        card.evaluate("card => card.getBoundingClientRect().top + window.frameElement.getBoundingClientRect().top")
        < 900
    )
    inside.locator("h3 a", has_text="never-fill-an-eye").click()
    page.locator(".outline [aria-current]", has_text="never-fill-an-eye").wait_for()
    page.go_back()
    inside.locator("h3 a", has_text="never-fill-an-eye").wait_for()


def test_every_id_on_a_page_is_a_link_and_no_script_of_it_runs(new_page, running):
    page = show(new_page(), running, "pages")
    inside = page.frame_locator("iframe")
    inside.locator("h3 a[data-pattern]").first.wait_for()
    ids = [entry["id"] for entry in running.ask("outline")["entries"]]
    assert inside.locator("h3 a[data-pattern]").all_inner_texts() == ids
    assert "allow-scripts" not in page.locator("iframe").get_attribute("sandbox")
    inside.locator(".told code a").first.click()  # a link to a fact within the page
    assert page.locator("iframe").count() == 1 and "view=pages" in page.url


def test_the_gallery_is_searched_and_a_link_to_a_hidden_card_shows_it(new_page, running):
    page = show(new_page(), running, "pages")
    inside = page.frame_locator("iframe")
    inside.locator(".card").first.wait_for()
    page.locator("h1").first.click()
    page.keyboard.press("/")
    page.keyboard.type("eye fill")
    page.locator("[data-found='1']").wait_for()
    assert inside.locator(".card:visible h3").all_inner_texts() == ["never-fill-an-eye"]
    assert page.locator("[data-found]").inner_text() == "1 of 8"
    inside.locator("summary", has_text="Index").click()
    inside.locator("nav a[href^='#class_']").last.click()
    assert inside.locator(".card:visible").count() == 8


@pytest.fixture(scope="module")
def match(tmp_path_factory):
    """A studio of six patterns for matches."""
    path = tmp_path_factory.mktemp("match") / "patterns.match.yaml"
    path.write_text(MATCH, encoding="utf-8")
    with running_studio(path) as studio:
        yield studio


def test_the_page_of_coverage_shows_rows_before_it_is_whole_and_can_be_stopped(new_page, match):
    page = new_page()
    page.goto(f"{match.url}&view=pages&page=coverage")
    page.get_by_role("button", name="Stop", exact=True).click()
    page.get_by_text("The page was not built.").wait_for()
    page.get_by_role("button", name="Build page").click()
    page.locator("[aria-label='Coverage by pattern'] tbody tr").first.wait_for()
    assert page.locator("iframe").count() == 0  # the survey continues
    page.locator("[aria-label='Coverage by pattern'] a").first.click()
    page.locator("main.view-pattern").wait_for()


def test_of_a_match_the_slider_flips_moves_and_no_truth_is_asked_for(new_page, match):
    page = new_page()
    page.goto(f"{match.url}&view=effects&pattern=touch")
    page.locator("[data-truth=none]").wait_for()
    page.get_by_label("Points added, as a number").fill("-40")
    page.locator(".slider-pane .change.large").first.wait_for(timeout=LONG)
    assert page.locator(".effects-view [role=alert]").count() == 0


def test_a_board_of_a_match_takes_the_last_move_of_each_side(new_page, match):
    page = new_page()
    rows = "/".join(["." * 9] * 7 + ["...O.....", "..X......"])
    page.goto(f"{match.url}&view=board&board={rows} white ruleset=match")
    page.get_by_text("Side to move, moves left, previous board").click()
    own, theirs = (page.locator(".setup").get_by_label(name) for name in ("own last move", "opponent's last move"))
    own.fill("8,2")
    own.press("Enter")
    page.locator(".setup [role=alert]", has_text="played no stone there").wait_for()
    own.fill("7,3")
    own.press("Enter")
    page.wait_for_url("**own_last%3D7,3*")
    theirs.fill("8,2")
    theirs.press("Enter")
    page.wait_for_url("**+last%3D8,2*")
    assert "own_last%3D7,3" in page.url
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("t")
    page.locator(".muted", has_text="black (X) to move").wait_for()
    assert "last%3D" not in page.url


@pytest.mark.installed
def test_a_slider_moved_before_the_priority_is_known_stays_where_it_is(new_page, running):
    page, held = new_page(), []
    page.route("**/api/ask/entry", lambda route: held.append(route))
    page.goto(f"{running.url}&view=effects&pattern={PATTERN}")
    points = page.get_by_label("Points added, as a number")
    points.fill("-40")
    page.locator(".slider-pane [data-flips]").wait_for()
    assert held
    page.unroute("**/api/ask/entry")  # they go on
    page.locator(".slider-pane #slide-priority:enabled").wait_for()
    page.locator(".slider-pane button", has_text="Reset values").wait_for()
    assert points.input_value() == "-40"


@needs_node
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_nothing(new_page, running, view, theme):
    page = show(new_page(color_scheme=theme, bypass_csp=True), running, view)
    page.add_script_tag(path=str(AXE))
    found = page.evaluate("axe.run(document, {iframes: false}).then(({violations}) => violations)")
    told = [(one["id"], node["target"], node["any"][:1]) for one in found for node in one["nodes"]]
    assert told == []


@pytest.mark.parametrize("view", VIEWS)
def test_nothing_is_wider_than_a_page_of_320_pixels(new_page, running, view):
    page = show(new_page(viewport={"width": 320, "height": 640}), running, view)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_dark_and_light_differ_and_both_can_be_read(new_page, running):
    grounds = set()
    for theme in ("light", "dark"):
        page = show(new_page(color_scheme=theme), running)
        grounds.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert len(grounds) == 2


def test_with_reduced_motion_nothing_moves(new_page, running):
    page = show(new_page(reduced_motion="reduce"), running)
    page.locator(".board").first.wait_for()
    moving = (
        "[...document.querySelectorAll('*')].filter(one => parseFloat(getComputedStyle(one).transitionDuration) > 0)"
    )
    assert page.evaluate(f"{moving}.length") == 0
    assert page.evaluate("document.getAnimations().length") == 0


def test_with_forced_colours_the_stones_can_be_told_apart(new_page, running):
    page = show(new_page(forced_colors="active"), running, more="&board=XO.../...../...../...../.....")
    fills = []
    for place in ("0,0", "0,1"):
        stone = page.locator(f'.board [data-point="{place}"] circle').first
        stone.wait_for()
        fills.append(stone.evaluate("stone => getComputedStyle(stone).fill"))
    assert fills[0] != fills[1]


def test_on_paper_there_are_no_buttons_to_press(new_page, running):
    page = show(new_page(), running)
    page.emulate_media(media="print")
    assert not page.locator(".tools").is_visible()
    assert page.locator(".board").first.is_visible()


def test_markup_in_a_pattern_is_shown_as_text(new_page, tmp_path):
    path = tmp_path / "patterns.yaml"
    text = SMALL.read_text(encoding="utf-8")
    path.write_text(text.replace("An atari makes them answer", MARKUP).replace("id: give-atari", f'id: "{MARKUP}"'))
    with running_studio(path) as studio:
        page = new_page()
        page.goto(f"{studio.url}&view=pages&pattern={MARKUP}")
        page.locator("[data-page=gallery]").wait_for()
        page.frame_locator("iframe").locator("h1").wait_for()
        page.keyboard.press("Alt+1")
        page.locator(".outline", has_text=MARKUP).wait_for()
        assert page.evaluate("window.hurt") is None
        assert page.frame_locator("iframe").locator("img").count() == 0


def test_the_keys_are_shown_and_lead_to_the_views(new_page, running):
    page = show(new_page(), running)
    page.locator("h1").click()
    page.keyboard.press("?")
    page.locator("dialog", has_text="Go to Pages").wait_for()
    page.keyboard.press("Escape")
    page.keyboard.press("Alt+4")
    page.locator("main.view-pages").wait_for()


def test_a_link_that_was_copied_opens_the_same(new_page, running):
    page = show(new_page(), running, more="&board=OX.../...../...../...../.....")
    page.locator('.board [data-point="0,0"][aria-label*=" O"]').first.wait_for()
    link = page.evaluate("location.href")
    other = page.context.new_page()
    other.goto(link)
    other.locator('.board [data-point="0,0"][aria-label*=" O"]').first.wait_for()
    assert running.token not in link
