"""Tests in a real Chromium of the site: the studio as static files, without our server."""

from __future__ import annotations

import ast
import json
import re
import shutil
import tarfile
from collections.abc import Iterator
from html.parser import HTMLParser
from random import Random
from urllib.parse import unquote, urlsplit
from zipfile import ZipFile

import pytest
from playwright.sync_api import expect
from site_links import snap_back
from studio_site import serving, wait_until

from littlego.cli.main import main
from littlego.editor.links import Link, read_link
from littlego.editor.methods import JOBS, METHODS, call, load_answers
from littlego.editor.session import Session, Snapshot
from littlego.knowledge.compiler import compile_text
from littlego.parallel import Returning
from littlego.paths import MATCH_YAML, PATTERNS_YAML
from littlego.studio.site.build import LIBRARY, build, fetch_runtime
from littlego.studio.site.library import LEFT_OUT, module_of
from littlego.truth.labels import WORKING
from littlego.truth.labels.labels import in_test, load

pytestmark = pytest.mark.browser  # all of them, because they build the site once


STATE = "async () => await (await import('./static/api.js')).state()"


@pytest.fixture(scope="module")
def address(site):
    """The address of the site, which is in a subfolder of the server's folder."""
    with serving(site.parents[1]) as server:
        yield f"http://127.0.0.1:{server.server_port}/some/path/"


# Asks a question that only Python answers.
PYTHON = """async () => {
  const api = await import('./static/api.js');
  await api.state();
  return await api.ask('classes');
}"""


@pytest.fixture
def playground(new_page, address):
    """A page of the site in which Python has started."""
    page = new_page()
    page.goto(address)
    page.evaluate(PYTHON)
    return page


def test_the_same_sources_give_the_same_bytes(site, tmp_path):
    build(tmp_path / "again")
    files = {path.relative_to(site): path.read_bytes() for path in site.rglob("*") if path.is_file()}
    again = {path.relative_to(tmp_path / "again"): path for path in (tmp_path / "again").rglob("*") if path.is_file()}
    assert files.keys() == again.keys() and len(files) > 150
    assert [name for name, data in files.items() if again[name].read_bytes() != data] == []


def test_the_library_lacks_only_modules_that_nothing_imports_and_has_compiled_modules(site):
    with ZipFile(fetch_runtime() / LIBRARY) as old, ZipFile(site / "runtime" / LIBRARY) as new:
        names = [name for name in new.namelist() if name.endswith((".py", ".pyc"))]
        modules = {name.partition(".py")[0] for name in names}
        missing = {name.partition(".py")[0] for name in old.namelist() if name.endswith(".py")} - modules
    assert {module_of(name) for name in missing} == LEFT_OUT
    assert len(names) == len(modules) and {"asyncio/__init__.pyc", "click/core.pyc", "csv.py"} <= {*names}
    with tarfile.open(site / "code.tar.gz") as packed:
        sources = [packed.extractfile(name).read() for name in packed.getnames() if name.endswith(".py")]
    imported = {module for source in sources for module in imported_modules(source)}
    assert len(sources) > 300 and "json" in imported and not imported & LEFT_OUT


def imported_modules(source: bytes) -> Iterator[str]:
    """Yield the top-level names of the modules that a source imports."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]


def test_the_docs_link_to_the_sites_of_earlier_versions(site, tmp_path):
    old = tmp_path / "old"
    (old / "docs").mkdir(parents=True)
    (old / "version.txt").write_text("0.9.1\n")
    (old / "docs" / "index.html").write_text("old")
    build(tmp_path / "new", [old])
    assert (tmp_path / "new" / "0.9.1" / "docs" / "index.html").read_text() == "old"
    assert "../0.9.1/docs/index.html" in Links(tmp_path / "new" / "docs" / "index.html").links
    assert '"0.9.1/"' in (tmp_path / "new" / "sw.js").read_text()
    assert '"docs/", "gallery/", "later/", ]' in (site / "sw.js").read_text()


@pytest.mark.parametrize(
    ("text", "told"), [(None, "is not a site"), ("../x", "such as 1.0.0"), ("1.0.0", "an earlier version")]
)
def test_a_folder_that_is_no_site_of_an_earlier_version_is_refused(tmp_path, capsys, text, told):
    (tmp_path / "old").mkdir()
    if text:
        (tmp_path / "old" / "version.txt").write_text(text)
    assert main(["site", str(tmp_path / "new"), "--earlier", str(tmp_path / "old")]) == 2
    assert told in capsys.readouterr().err and not (tmp_path / "new").exists()


class Links(HTMLParser):
    """A parser that collects a page's ids, the addresses of links and iframes, and other loaded addresses."""

    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.loaded = set(), set(), set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.ids.add(values.get("id"))
        if "href" in values:
            (self.links if tag == "a" else self.loaded).add(values["href"])
        if values.get("src"):
            (self.links if tag == "iframe" else self.loaded).add(values["src"])


def test_no_link_of_the_site_is_dead_and_no_page_loads_anything_from_elsewhere(site):
    pages = {path: Links(path) for folder in ("docs", "gallery") for path in (site / folder).rglob("*.html")}
    assert len(pages) > 100
    dead, foreign = [], []
    for path, page in pages.items():
        foreign += [(path.name, one) for one in page.loaded if urlsplit(one).scheme not in ("", "data")]
        for link in page.links | page.loaded:
            parts = urlsplit(link)
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            if parts.scheme:
                continue
            if not target.is_file() or parts.fragment and target in pages and parts.fragment not in pages[target].ids:
                dead.append((path.name, link))
    assert dead == [] and foreign == []


def test_the_docs_and_the_galleries_link_each_pattern_to_the_playground(site):
    tutorial = Links(site / "docs" / "tutorial.html").links
    assert any(link.startswith("../#v1=1.") for link in tutorial)
    assert any(link.startswith("../#embed=1&view=board&board=") for link in tutorial)
    for name, fewest in (("little-go", 187), ("match", 350)):
        links = [link for link in Links(site / "gallery" / f"{name}.html").links if link.startswith("../#v1=")]
        assert len(links) >= fewest and all(read_link(unquote(link)[7:]).ruleset == name for link in links)


def test_a_board_of_the_docs_can_be_played_in_its_page(new_page, address):
    page = new_page()
    page.goto(f"{address}docs/tutorial.html")
    page.locator("details.playground summary").first.click()
    frame = page.frame_locator("details.playground[open] iframe")
    frame.get_by_role("heading", name="Play").first.wait_for()
    assert frame.get_by_role("grid").count() or frame.locator(".board").count()


def test_the_docs_fit_on_a_narrow_screen(new_page, site, address):
    page = new_page(viewport={"width": 320, "height": 700})
    for path in sorted((site / "docs").glob("*.html")):
        page.goto(f"{address}docs/{path.name}")
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, path.name


def test_a_folder_with_files_is_not_overwritten(tmp_path, capsys):
    (tmp_path / "mine.txt").touch()
    assert main(["site", str(tmp_path)]) == 2
    assert "exists and is not an empty folder; expected a new or an empty folder" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_the_docs_need_a_checkout(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("littlego.studio.site.build.INSTALLED", True)
    assert main(["dev", "docs", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert "this command needs a checkout" in said and "site" not in said


def test_the_page_has_the_policy_of_the_studio(site):
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', (site / "index.html").read_text())
    assert "default-src 'none'; script-src 'self' 'wasm-unsafe-eval' 'sha256-" in policy
    assert "unsafe-eval" not in policy.replace("wasm-unsafe-eval", "") and "{" not in policy


def test_a_pattern_fires_on_its_board(playground):
    playground.get_by_text("snap-back", exact=True).first.click()
    playground.get_by_text("The pattern fires in").first.wait_for()


def test_the_answer_to_a_click_on_the_board_does_not_scroll_the_board(new_page, address):
    page = new_page(viewport={"width": 1440, "height": 900})
    page.goto(address)
    page.locator("[data-hits]:not([data-hits='0'])").wait_for()
    board = page.locator("main .board").first
    before = board.bounding_box()
    board.locator('[data-point="3,3"]').click()
    page.locator(".why-not .clauses li").first.wait_for()
    assert board.bounding_box() == before
    answer = page.locator(".why-not h3").first.bounding_box()
    assert before["y"] + before["height"] < answer["y"] < 900 - answer["height"]


def test_a_worker_that_does_not_start_is_reported_for_each_request(browser, address):
    page = browser.new_page()  # the fixture `new_page` accepts no error
    page.route("**/desk.js", lambda route: route.fulfill(status=404))
    page.goto(address)
    page.get_by_text("The page's Python does not answer: reload this page.").first.wait_for()
    codes = page.evaluate(
        """async () => {
          const api = await import('./static/api.js');
          return [await api.state().catch(({code}) => code), await api.ask('classes').catch(({code}) => code)];
        }"""
    )
    assert codes == ["offline", "offline"]
    page.context.close()


def test_slow_answers_do_not_hold_up_quick_ones(playground):
    found = playground.evaluate(
        """async () => {
          const api = await import('./static/api.js');
          const slow = api.ask('check').then(() => performance.now());
          const began = performance.now();
          const {classes} = await api.ask('classes');
          const quick = performance.now();
          return {classes: classes.length, quick: quick - began, slow: (await slow) - began};
        }"""
    )
    assert found["classes"] > 5 and found["quick"] < found["slow"]


def test_a_newer_slow_question_and_a_cancelled_job_end_the_older_work(playground):
    found = playground.evaluate(
        """async () => {
          const api = await import('./static/api.js');
          const first = api.ask('check').catch((problem) => problem.code);
          const second = api.ask('check').then((checked) => Object.keys(checked).length > 0);
          const events = [];
          const job = api.job('gallery_page', {}, (event) => events.push(event));
          job.cancel();
          await job.ended;
          return {first: await first, second: await second, events};
        }"""
    )
    assert found == {"first": "stale", "second": True, "events": []}


def test_all_recorded_decisions_are_compared_and_positions_are_solved(playground):
    found = playground.evaluate(
        """async () => {
          const api = await import('./static/api.js');
          const {text} = await api.state();
          const at = text.search(/ points: [0-9][0-9]\\n/) + ' points: '.length;
          const from = Array.from(text.slice(0, at)).length;
          await api.edit([{from, to: from, insert: '1'}]);
          const events = [];
          await api.job('diff', {against: 'disk'}, (event) => events.push(event)).ended;
          const position = '...../.X.O./..X../.OXO./..... left=12';
          const [began, exact] = [performance.now(), await api.ask('exact', {position})];
          await api.edit([{from, to: from + 1, insert: ''}]);
          return {last: events.at(-1), exact, took: performance.now() - began};
        }"""
    )
    text = re.sub(r" points: (\d\d)\n", r" points: 1\1\n", PATTERNS_YAML.read_text(), count=1)
    load_answers()
    session = Session()
    session.take(Snapshot(1, text, "patterns.yaml", str(PATTERNS_YAML)))
    here = Returning(JOBS["diff"].function(session, against="disk"))
    assert "done" in found["last"], found["last"]
    assert list(here)
    keys = ("count", "edits", "groups", "positions", "said")  # `said` counts the verdicts
    compared = json.loads(json.dumps({key: here.result[key] for key in keys}))
    assert {key: found["last"]["done"][key] for key in keys} == compared
    assert here.result["positions"] == 6370 and here.result["count"] > 0
    exact = call(session, METHODS["exact"], {"position": "...../.X.O./..X../.OXO./..... left=12"})
    assert found["exact"] == exact and exact["known"]


def edit_points(page):
    """Change the points of a pattern in its form."""
    page.evaluate("() => void (location.hash = '#view=pattern&pattern=own-bent-three')")
    expect(page.locator("#field-id")).to_have_value("own-bent-three")
    field = page.locator("#field-points")
    field.fill("114")
    field.press("Enter")
    page.get_by_text("edited, not saved").wait_for()


def test_the_reasons_of_a_change_do_not_wait_for_exact_results(playground):
    edit_points(playground)
    playground.evaluate("() => void (location.hash = '#view=effects&pattern=lean-on-one-stone')")
    playground.locator(".strip-pane .strip button").first.wait_for()  # the job has begun
    playground.locator("[data-here]").wait_for()  # this answer moves the list of changes, and a click could miss
    playground.locator(".changes").get_by_role("button", name="Why?").first.click()
    playground.locator(".changes dl.why dd", has_text=re.compile(r"\w{3}")).first.wait_for()
    assert playground.locator("[data-decisions]").count() == 0
    playground.locator(".strip-pane").get_by_role("button", name="Stop").wait_for()


def test_after_saving_the_effects_are_compared_with_the_file_as_opened(playground):
    edit_points(playground)
    playground.get_by_role("button", name="Save", exact=True).click()
    playground.get_by_text("patterns.yaml was saved.").first.wait_for()
    playground.evaluate("() => void (location.hash = '#view=effects&pattern=own-bent-three')")
    playground.locator(".changes > .change").first.wait_for()
    against = playground.get_by_label("Compared with")
    assert against.input_value() == "opened"
    against.select_option("disk")
    playground.get_by_text("The text equals the saved file.").wait_for()
    assert playground.locator("[data-changes='0']").count() == 1


def test_an_unsaved_edit_is_there_when_the_page_is_loaded_again(playground, address):
    playground.evaluate(
        """async () => {
          const api = await import('./static/api.js');
          await api.state();
          await api.edit([{from: 0, to: 0, insert: '# not saved\\n'}]);
        }"""
    )
    playground.wait_for_timeout(6000)  # a draft is stored three seconds after an edit, and kept once a second
    assert playground.get_by_text("Draft not saved").count() == 0
    playground.goto("about:blank")
    playground.goto(address)
    playground.evaluate(PYTHON)
    state = playground.evaluate(STATE)
    assert state["text"].startswith("# not saved\n") and not state["saved"]


def test_the_first_board_appears_before_python_has_started(new_page, address):
    page = new_page()
    page.context.route("**/code.tar.gz", lambda route: None)  # it never arrives
    page.goto(address)
    page.locator("[data-hits]:not([data-hits='0'])").wait_for()


def test_python_gives_the_answers_that_the_site_contains(playground):
    found = playground.evaluate(
        """async () => {
          const api = await import('./static/api.js');
          const first = await (await fetch('./first.json')).json();
          const answers = {};
          for (const key of Object.keys(first.answers)) {
            const [method, parameters] = JSON.parse(key);
            answers[key] = await api.ask(method, Object.fromEntries(parameters));
          }
          return { first, now: { state: await api.state(), answers } };
        }"""
    )
    assert len(found["now"]["answers"]) == 10
    assert found["now"] == found["first"]


def test_an_edit_before_python_has_started_is_taken(new_page, address):
    page, held = new_page(), []
    page.context.route("**/code.tar.gz", lambda route: held.append(route))
    page.goto(address)
    page.locator("[data-hits]").wait_for()
    page.locator(".cm-content").click()
    page.keyboard.press("Control+Home")
    page.keyboard.type("# early ")
    page.get_by_text("not saved").first.wait_for()
    assert held
    for route in held:
        route.continue_()
    wait_until(page, f"async () => (await ({STATE})()).text.startsWith('# early #')")


# Returns the kept memory: its size in bytes, and whether a test has altered it; null if no memory is kept.
KEPT = """async () => {
  const cache = await caches.open("littlego-started");
  const [address] = await cache.keys();
  const kept = address && (await cache.match(address));
  return kept ? { size: (await kept.arrayBuffer()).byteLength, altered: kept.headers.has("altered") } : null;
}"""

ALTER = """async (altered) => {
  const cache = await caches.open("littlego-started");
  const [address] = await cache.keys();
  const kept = await cache.match(address);
  const memory = await kept.arrayBuffer();
  const headers = new Headers(kept.headers);
  if (altered === "code") headers.set("code", "another version");
  headers.set("altered", "yes");
  await cache.put(address, new Response(altered === "size" ? memory.slice(0, -1) : memory, { headers }));
}"""


@pytest.mark.parametrize("altered", ["nothing", "size", "code"])
def test_a_later_visit_uses_the_kept_memory_and_replaces_an_unusable_memory(playground, address, altered):
    wait_until(playground, KEPT)
    kept = playground.evaluate(KEPT)
    playground.evaluate(ALTER, altered)
    assert playground.evaluate(KEPT) == {"size": kept["size"] - (altered == "size"), "altered": True}
    playground.goto("about:blank")
    playground.goto(address)
    playground.evaluate(PYTHON)
    playground.locator("[data-hits]").wait_for()
    events = playground.evaluate(RUN, ["diff", {"against": "disk"}])
    assert events[-1]["done"]["positions"] == 6370
    if altered != "nothing":
        wait_until(playground, f"async () => (await ({KEPT})())?.altered === false")
    assert playground.evaluate(KEPT) == {**kept, "altered": altered == "nothing"}


CLICK_WHILE_THINKING = """async () => {
  const point = (name) => document.querySelector(`.board-view [data-point="${name}"]`);
  point("2,2").click();
  while (!document.querySelector('[data-step="1"]')) await new Promise((resolve) => setTimeout(resolve));
  point("0,0").click();
}"""


def test_a_survey_of_match_patterns_has_few_positions_and_can_be_stopped(new_page, address):
    page = new_page()
    page.goto(f"{address}#file=patterns.match.yaml&view=effects")
    pane = page.locator(".coverage-pane")
    pane.get_by_text("This page surveys 20 positions of each board size.").wait_for()
    pane.get_by_role("button", name="Measure coverage").click()
    progress = pane.locator(".buttons", has_text=re.compile(r"\d+ of \d+"))
    progress.wait_for()
    assert int(progress.inner_text().split()[-1]) < 200  # the default has 306 parts
    pane.get_by_role("button", name="Stop").click()
    pane.get_by_role("button", name="Measure coverage").wait_for()


def test_the_welcome_leads_to_an_own_pattern_and_to_a_game(playground):
    playground.get_by_role("button", name="Draw pattern").click()
    playground.locator("#new-name").fill("my-first")
    playground.locator("#new-summary").fill("Take the corner.")
    playground.locator("#new-move").fill("0,4")
    playground.get_by_role("button", name="Create").click()
    playground.locator(".outline [aria-current]", has_text="my-first").wait_for()
    playground.locator('[data-hits="1"]').wait_for()
    playground.get_by_role("button", name="Play game").click()
    playground.get_by_text("You are Black: click a point of the board to play there.").first.wait_for()
    playground.get_by_text("Against this file").wait_for()
    playground.locator('[data-step="0"]').wait_for()
    playground.evaluate(CLICK_WHILE_THINKING)
    playground.get_by_text("It is the turn of this file: wait for its move.").first.wait_for()
    playground.locator('[data-step="2"]').wait_for()
    assert playground.locator('.board-view [data-point="0,0"]').get_attribute("aria-label").startswith("0,0 empty")


@pytest.mark.parametrize("view", ["pattern", "board", "effects", "pages"])
def test_the_page_fits_on_a_phone_and_shows_the_board_on_the_first_screen(new_page, address, view):
    page = new_page(viewport={"width": 390, "height": 844})
    page.goto(f"{address}#view={view}&pattern=snap-back")
    page.locator(f"main.view-{view} .pane").first.wait_for()
    page.wait_for_timeout(1500)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    if view in ("pattern", "board"):
        box = page.locator("main .board").first.bounding_box()
        assert box["y"] + box["height"] < 844


def loaded(page, address) -> str:
    """Open the site, wait until Python answers and the service worker has everything; return the version."""
    page.goto(address)
    page.evaluate(PYTHON)
    return page.evaluate("async () => { await navigator.serviceWorker.ready; return (await caches.keys()).join(); }")


OPEN = """async (file) => {
  const api = await import('./static/api.js');
  return api.open(file).then(() => api.state(), ({code, message}) => ({code, message}));
}"""
RUN = """async ([job, parameters]) => {
  const api = await import('./static/api.js');
  const events = [];
  await api.job(job, parameters, (event) => events.push(event)).ended;
  return events;
}"""


def told(events):
    """Return a job's results, surveys and last event as a dict.

    The results exclude surveys. Of the surveys with the same name, only the last survey counts.
    """
    results = [event["result"] for event in events if "result" in event]
    whole = {name: survey for one in results for name, survey in one.get("surveys", {}).items()}
    parts = [{} if "surveys" in one else one for one in results]  # surveys so far depend on the clock
    return {"results": [one for one in parts if one], "surveys": whole, "ending": events[-1]}


def rounded(value):
    """Return a JSON value with all numbers as JavaScript reads them."""
    return json.loads(json.dumps(value), parse_int=float)


@pytest.mark.parametrize(
    ("file", "job", "parameters"),
    [
        (PATTERNS_YAML, "truth", {"pattern": "snap-back"}),
        (PATTERNS_YAML, "truth", {"pattern": "ladder-late"}),
        (PATTERNS_YAML, "boards", {"pattern": "ladder-several"}),
        (PATTERNS_YAML, "coverage", {"games": 1, "seed": 5}),
        (PATTERNS_YAML, "coverage_page", {"games": 1}),
        # slow: decides 60 positions of the match, in the page and here
        pytest.param(MATCH_YAML, "boards", {"pattern": "ladder-the-cutting-stones"}, marks=pytest.mark.slow),
    ],
)
def test_a_job_in_the_page_answers_as_in_the_installed_studio(playground, file, job, parameters):
    playground.evaluate(OPEN, file.name)
    found = told(playground.evaluate(RUN, [job, parameters]))
    load_answers()
    session = Session()
    session.take(Snapshot(1, file.read_text(), str(file), str(file)))
    here = Returning(JOBS[job].function(session, **parameters))
    events = [*here, {"done": here.result}]
    events = json.loads(json.dumps(events).replace(str(file), file.name))
    assert rounded(found) == rounded(told(events))
    assert "done" in found["ending"] and (found["results"] or found["surveys"] or "html" in found["ending"]["done"])


def test_labels_load_when_a_job_first_needs_them_and_then_without_a_network(new_page, site):
    with serving(site.parents[1]) as server:
        page = new_page()
        loaded(page, f"http://127.0.0.1:{server.server_port}/some/path/")
        assert not [path for path in server.asked if "/later/" in path]
        page.evaluate(RUN, ["boards", {"pattern": "snap-back"}])
        assert not [path for path in server.asked if "/later/" in path]
        online = page.evaluate(RUN, ["truth", {"pattern": "snap-back"}])
        assert len([path for path in server.asked if "/later/labels-" in path]) == 1
    page.reload()
    page.evaluate(PYTHON)
    assert page.evaluate(RUN, ["truth", {"pattern": "snap-back"}]) == online and "done" in online[-1]


def test_without_labels_a_job_says_what_to_do_and_a_comparison_goes_on(new_page, site):
    with serving(site.parents[1]) as server:
        page = new_page()
        loaded(page, f"http://127.0.0.1:{server.server_port}/some/path/")
    page.reload()
    page.evaluate(PYTHON)
    problem = page.evaluate(RUN, ["truth", {"pattern": "snap-back"}])[-1]["problem"]
    assert problem["code"] == "invalid" and "did not load: connect to the network" in problem["text"]
    assert page.evaluate(RUN, ["diff", {"against": "disk"}])[-1]["done"]["count"] == 0


def test_a_job_reads_and_writes_the_page_s_files(playground, address):
    playground.evaluate(
        """async () => {
          const api = await import('./static/api.js');
          await api.state();
          await api.edit([{from: 0, to: 0, insert: '# mine\\n'}]);
          await api.save();
        }"""
    )
    ending = playground.evaluate(RUN, ["compile", {}])[-1]
    assert ending["done"]["problems"] == 0 and ending["done"]["written"], ending
    playground.wait_for_timeout(2500)  # the browser keeps files once a second
    kept = dict(json.loads(playground.evaluate(STORED)))
    assert kept["patterns.txt"] == compile_text(kept[PATTERNS_YAML.name].encode(), PATTERNS_YAML.name)[0].decode()
    assert kept[PATTERNS_YAML.name] == "# mine\n" + PATTERNS_YAML.read_text()


def test_the_match_loads_when_its_file_is_opened_and_then_without_a_network(new_page, site):
    with serving(site.parents[1]) as server:
        page = new_page()
        loaded(page, f"http://127.0.0.1:{server.server_port}/some/path/")
        assert MATCH_YAML.name in page.evaluate(STATE)["files"]
        assert not [path for path in server.asked if "/later/" in path]
        assert page.evaluate(OPEN, MATCH_YAML.name)["text"] == MATCH_YAML.read_text()
        page.wait_for_timeout(1500)  # the browser keeps files once a second
        assert "match" not in page.evaluate(STORED)
        assert page.evaluate(RUN, ["diff", {"against": "disk"}])[-1]["done"]["count"] == 0
    page.goto(page.url.partition("#")[0])
    page.evaluate(PYTHON)
    assert page.evaluate(OPEN, MATCH_YAML.name)["ruleset"] == "match"
    assert page.evaluate(RUN, ["diff", {"against": "disk"}])[-1]["done"]["count"] == 0


def test_without_a_network_the_match_says_what_to_do(new_page, site):
    with serving(site.parents[1]) as server:
        page = new_page()
        loaded(page, f"http://127.0.0.1:{server.server_port}/some/path/")
    problem = page.evaluate(OPEN, MATCH_YAML.name)
    assert problem["code"] == "lacking" and "did not load: connect to the network" in problem["message"]
    assert page.evaluate(STATE)["file"] == PATTERNS_YAML.name


def test_the_site_s_labels_are_those_of_the_working_part(site, tmp_path):
    (archive,) = (site / "later").glob("labels-*.tar.gz")
    with tarfile.open(archive) as packed:
        assert packed.getnames() == ["tools/littlego/truth/labels/labels.npz"]
        packed.extractall(tmp_path, filter="data")
    (file,) = tmp_path.rglob("labels.npz")
    found, wanted = load(path=file), load(WORKING)
    assert not in_test(found.codes).any() and not found.tags.any()
    assert (found.codes == wanted.codes).all() and (found.winning == wanted.winning).all()


def test_what_needs_an_installed_studio_says_so(playground):
    problem = playground.evaluate(RUN, ["arena_page", {"file": "games.db"}])[-1]["problem"]
    assert problem["code"] == "lacking" and "run `littlego arena report FILE --open`" in problem["text"]


def test_the_learning_player_is_absent_and_its_opinion_names_the_command(playground, address, site):
    with tarfile.open(site / "code.tar.gz") as packed:
        folder = "tools/littlego/players/zero/"
        assert [name for name in packed.getnames() if name.startswith(folder)] == [
            f"{folder}__init__.py",
            f"{folder}player.py",
        ]
    playground.goto(f"{address}#view=board")
    playground.get_by_role("button", name="Ask zero").click()
    said = playground.get_by_role("region", name="Opinion of zero").get_by_role("status")
    said.filter(has_text="run `littlego gtp --player zero`, or use an installed studio").wait_for()
    assert said.inner_text().startswith("Opinion of zero, a learning player: a page in a browser cannot do this")
    names = playground.get_by_label("Against").locator("option").all_inner_texts()
    assert "perfect" in names and "zero" not in names


def test_an_edit_is_kept_when_the_page_is_loaded_again(playground, address):
    playground.evaluate(
        """async () => {
          const api = await import('./static/api.js');
          const {text} = await api.state();
          await api.edit([{from: 0, to: 0, insert: '# mine\\n'}]);
          await api.save();
        }"""
    )
    playground.wait_for_timeout(3000)  # the browser keeps files once a second
    playground.goto(address)
    playground.evaluate(PYTHON)
    text = playground.evaluate("async () => (await (await import('./static/api.js')).state()).text")
    assert text.startswith("# mine\n")


def test_it_works_offline_after_the_first_visit(new_page, site):
    with serving(site.parents[1]) as server:
        address = f"http://127.0.0.1:{server.server_port}/some/path/"
        page = new_page()
        loaded(page, address)
    page.reload()
    page.get_by_text("snap-back", exact=True).first.click()
    page.get_by_text("The pattern fires in").first.wait_for()
    policy = page.evaluate("async () => (await fetch('./desk.js')).headers.get('Content-Security-Policy')")
    assert policy.startswith("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'")
    assert page.evaluate("async () => (await fetch('./nothing.js')).status") == 404


@pytest.mark.slow  # slow: waits until the old version's workers have ended
def test_a_new_version_takes_over_as_a_whole(browser, new_page, site, tmp_path):
    folder = tmp_path / "site"
    shutil.copytree(site, folder)
    context = browser.new_context()
    with serving(folder) as server:
        address = f"http://127.0.0.1:{server.server_port}/"
        page = new_page(context)
        loaded(page, address)
        for name in ("static/problem.js", "sw.js"):
            path = folder / name
            path.write_text(
                path.read_text().replace("littlego-playground-${VERSION}", "littlego-playground-2") + "// 2\n"
            )
        page.reload()
        page.evaluate(PYTHON)
        wait_until(page, "async () => (await caches.keys()).includes('littlego-playground-2')")
        page.get_by_text("A new version of this page is ready.").first.wait_for()
        source = "async () => (await fetch('./static/problem.js')).text()"
        assert not page.evaluate(source).endswith("// 2\n")  # the old version as long as its page is open
        page.goto("about:blank")  # the old version's last page is closed, and its workers end soon
        page.wait_for_timeout(3000)
        loaded(page, address)
        only = "(await caches.keys()).filter((name) => name.startsWith('littlego-playground-')).length === 1"
        wait_until(page, f"async () => {only}")
        assert page.evaluate(source).endswith("// 2\n")
    context.close()


STORED = """async () => {
  const root = await (await navigator.storage.getDirectory()).getDirectoryHandle('littlego-playground');
  const found = [];
  for await (const [name, handle] of root)
    if (handle.kind === 'file') found.push([name, await (await handle.getFile()).text()]);
  return JSON.stringify(found.sort());
}"""
MARKUP = """\
- id: "<img src=x onerror=globalThis.ran=1>"
  class: capture
  summary: "<script>globalThis.ran=1</script>"
  priority: 900
  diagram: |
    . . .
    . * .
    . . .
"""


def test_a_link_opens_its_pattern_and_stores_nothing(new_page, address):
    page = new_page()
    page.goto(f"{address}#v1={snap_back()}")
    page.get_by_text("The pattern fires in").first.wait_for()
    state = page.evaluate(STATE)
    assert "points: 7 + snapback(*)" in state["text"] and not state["saved"]
    page.wait_for_timeout(1500)
    assert "snap-back-" not in page.evaluate(STORED)
    page.evaluate("async () => await (await import('./static/api.js')).save('')")
    page.wait_for_timeout(2500)  # the browser keeps files once a second
    assert "snap-back-" in page.evaluate(STORED)


@pytest.mark.parametrize("view", ["Pattern", "Effects", "Board"])
def test_a_copied_link_opens_the_same_pattern_on_the_same_board_in_the_same_view(new_page, address, browser, view):
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = new_page(context)
    page.goto(f"{address}#v1={snap_back()}")
    page.get_by_text("The pattern fires in").first.wait_for()
    page.get_by_role("navigation", name="Views").get_by_role("link", name=view, exact=True).click()
    page.get_by_role("button", name="Copy link").click()
    page.get_by_text("The link to snap-back on this board was copied.").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(f"{address}#") and len(copied) < len(address) + 1000
    other = new_page()
    other.goto(copied)
    other.locator('nav[aria-label="Views"] [aria-current="page"]', has_text=view).wait_for()
    if view == "Pattern":
        other.get_by_text("The pattern fires in").first.wait_for()
    other.wait_for_function("text => document.querySelector('.file select')?.value.startsWith(text)", arg="snap-back-")
    assert other.evaluate(STATE)["text"] == page.evaluate(STATE)["text"]
    context.close()


def test_a_link_copied_from_a_page_opens_this_page(new_page, address, browser):
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = new_page(context)
    page.goto(f"{address}#view=pages&page=coverage&pattern=snap-back")
    page.get_by_role("button", name="Copy link").click()
    page.get_by_text("The link to this view was copied.").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert "page=coverage" in copied and "view=pages" in copied and "v1=" not in copied
    context.close()


def test_an_embedded_page_shows_the_pattern_and_its_board_alone(new_page, address):
    page = new_page(viewport={"width": 600, "height": 620})
    page.goto(f"{address}#embed=1&v1={snap_back()}")
    page.get_by_text("The pattern fires in").first.wait_for()
    assert not page.get_by_role("button", name="Save").count()
    target = page.get_by_role("link", name="Open in the playground").get_attribute("href")
    assert f"v1={snap_back()}" in target and "embed" not in target


def hostile_links(count: int, random: Random) -> list[str]:
    """Return `count` links as a stranger may write them, with markup, YAML bombs or damaged text."""
    bomb = "- id: bomb\n  summary: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"  k{n}: &b{n} [{', '.join([f'*{chr(97) if n == 0 else chr(98) + str(n - 1)}'] * 9)}]\n" for n in range(9)
    )
    good = snap_back()
    made = [
        Link(MARKUP, "<svg onload=globalThis.ran=1>").text(),
        Link(bomb).text(),
        Link("- id: deep\n  when: " + "[" * 5000).text(),
        Link(MARKUP.replace("900", "9" * 4000)).text(),
        Link("- id: code\n  summary: !!python/object/apply:os.system [x]\n").text(),
        Link("- id: ../../../x\n").text(),
        Link(snap_back_entry_with_many_conditions()).text(),
        "1." + "A" * 1_000_000,
        "javascript:globalThis.ran=1",
        "<img src=x onerror=globalThis.ran=1>",
    ]
    while len(made) < count:
        place = random.randrange(len(good))
        made.append(good[:place] + random.choice("ABCxyz019-_%<\"'") + good[place + random.randrange(3) :])
    return made[:count]


def snap_back_entry_with_many_conditions() -> str:
    conditions = "".join(f"    - snapback(*) >= {n} or liberties(A) >= {n}\n" for n in range(400))
    return MARKUP.replace("<img src=x onerror=globalThis.ran=1>", "many") + f"  when:\n{conditions}"


def test_hostile_links_run_nothing_store_nothing_and_leave_the_page_alive(playground):
    playground.wait_for_timeout(1500)
    stored = playground.evaluate(STORED)
    playground.on("dialog", lambda dialog: pytest.fail(dialog.message))
    for link in hostile_links(200, Random(11)):
        playground.evaluate("(link) => void (location.hash = '#v1=' + encodeURIComponent(link))", link)
        playground.wait_for_timeout(60)
    playground.evaluate("(link) => void (location.hash = '#v1=' + link)", snap_back("9 + snapback(*)"))
    wait_until(playground, f"async () => (await ({STATE})()).text.includes('9 + snapback(*)')")
    playground.get_by_text("The pattern fires in").first.wait_for()
    assert playground.evaluate("globalThis.ran") is None
    assert playground.evaluate(STORED) == stored
