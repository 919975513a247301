"""Measurements of the time that an author waits for the installed studio and for the site's page.

A time begins with a key press and ends with the painted result. `pytest -m slow -s tests/studio/test_studio_times.py`
prints the figures. The tests assert no times, since busy machines are slower. They do check the displayed number of
hits, since the time of a wrong result would mean nothing.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from chromium import executable
from knowledge_files import YAML
from site_links import snap_back
from studio_server import RunningStudio, running_studio
from studio_site import RunningSite, serving

from littlego.editor import versions
from littlego.editor.comparing import flips
from littlego.editor.positions import position_text
from littlego.editor.session import Session, Snapshot
from littlego.judging.recorded import read_decisions
from littlego.paths import DECISIONS

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.both_links]

EDITS = 1000
COLLECTION = 30.0  # seconds of a pause in which the browser collects its garbage
TIMES = int(os.environ.get("LITTLEGO_TIMES", "100"))  # measurements of each kind
PAUSES = 0.08, 0.6  # seconds between two keys while typing, and while thinking
LONGEST = 600_000  # maximum milliseconds: with a new cache the fast engine is compiled first
REST = 3.0  # seconds after which the background preparations are done
# hits, badges and findings are marked with their revision
SHOWN = "document.querySelectorAll('[data-revision]').length === 3 && "
SHOWN += "[...document.querySelectorAll('[data-revision]')].every((one) => Number(one.dataset.revision) >= {})"
# what a page, and a page of a link, shows when it has begun
BEGUN = {"page": "document.querySelector('[data-hits]:not([data-hits=\"0\"])')"}
BEGUN["page"] += " && document.querySelector('.outline [aria-current]')"
BEGUN["link"] = f"{BEGUN['page']} && document.body.innerText.includes('The pattern fires in')"
WATCH = """
window.painted = () => new Promise((resolve) => requestAnimationFrame(() => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => resolve(performance.now());
  port2.postMessage(null);
}));
// Wait until something is painted: window.waited is the time since `begun`, by default the next key press.
window.watch = (isShown, begun = null) => {
  if (begun === null) addEventListener("keydown", (event) => (begun = event.timeStamp), { once: true, capture: true });
  window.waited = new Promise((resolve) => {
    const look = async () => {
      if (begun === null || !isShown()) requestAnimationFrame(look);
      else resolve((await painted()) - begun);
    };
    requestAnimationFrame(look);
  });
};
// The same of a comparison: [time until its first result, time until its end].
window.watchComparison = (begun) => {
  let isNew = false;
  let first = null;
  const told = () => document.querySelector("[data-changes]");
  watch(() => {
    isNew ||= told().classList.contains("old");
    if (isNew && !told().classList.contains("old")) first ??= painted();
    return first !== null && !document.querySelector(".changes-pane").classList.contains("busy");
  }, begun);
  window.waited = window.waited.then(async (all) => [(await first) - begun, all]);
};
"""


def cell(entry: str, number: int) -> tuple[int, int, str]:
    """Return (start, end, text) of an edit that replaces a `?`, `x` or `o` cell of the drawing."""
    found = re.search(r"diagram: \|\n((?: +[-?.*xoXO|+ ]+\n)+)", entry)
    cells = [at for at in range(*found.span(1)) if entry[at] in "?xo"]
    at = cells[number % len(cells)]
    return at, at + 1, "?xo?"["?xo".index(entry[at]) + 1]


def digit(entry: str, number: int) -> tuple[int, int, str]:
    """Return (start, end, text) of an edit that replaces the number of a condition."""
    found = list(re.finditer(r"(?m)^ +- [a-z_0-9]+(?:\([^\n]*\))? [<>=]+ (\d)$", entry.partition("examples:")[0]))
    at = found[number % len(found)]
    return at.start(1), at.end(1), str(int(at[1]) % 9 + 1)


def word(entry: str, number: int) -> tuple[int, int, str]:
    """Return (start, end, text) of an edit that adds a character to the summary."""
    at = re.search(r'summary: "[^"\n]*', entry).end()
    return at, at, "abcd efg"[number % 8]


def name(entry: str, number: int) -> tuple[int, int, str]:
    """Return (start, end, text) of an edit that adds a letter to the id."""
    at = re.search(r"- id: [a-z0-9-]+", entry).end()
    return at, at, "abcdefgh"[number % 8]


Kind = Callable[[str, int], tuple[int, int, str]]  # (entry, number) -> (start and end of the selection, key)


def next_edit(text: str, pattern: str, kind: Kind, number: int) -> tuple[list[int], str, str]:
    """Return an edit of a pattern's entry: ([start, end] of the selection, key, text after the edit).

    The places are counted in UTF-16 units.
    """
    begin = text.index(f"- id: {pattern}\n")
    start, end, key = kind(text[begin : text.find("- id: ", begin + 1) % len(text)], number)
    places = [utf16_length(text[: begin + at]) for at in (start, end)]
    return places, key, text[: begin + start] + key + text[begin + end :]


def utf16_length(text: str) -> int:
    """Return the length of a text in JavaScript."""
    return len(text.encode("utf-16-le")) // 2


SELECT = "it.editor().dispatch({selection: {anchor: given[0], head: given[1]}, scrollIntoView: true})"


@dataclass(frozen=True)
class File:
    """A measured file with its (pattern, kind of edit) pairs."""

    name: str
    work: tuple[tuple[str, Kind], ...]


FILES = (
    File(
        "patterns.yaml",
        (
            ("play-where-it-is-wide", digit),
            ("second-line-side", cell),
            ("own-crossed-five", word),
            ("play-where-it-is-wide", word),
            ("own-crossed-five", digit),
            ("second-line-side", name),
            ("own-crossed-five", cell),
            ("play-where-it-is-wide", name),
        ),
    ),
    File(
        "patterns.match.yaml",
        (
            ("what-the-move-brings", digit),
            ("hold-the-corner-at-three-four", cell),
            ("second-line-is-low", word),
            ("what-the-move-brings", word),
            ("hold-the-corner-at-three-four", digit),
            ("second-line-is-low", name),
        ),
    ),
)


class Author:
    """A simulated author at a page, who selects patterns and types in their text."""

    def __init__(self, page: Any, studio: RunningStudio | RunningSite, patterns: set[str]) -> None:
        self.page, self.studio = page, studio
        self.text = self.call("document.js", "it.text()")  # kept here, because each reading costs the page memory
        self.ids = {pattern: pattern for pattern in patterns}  # by original id

    def call(self, module: str, expression: str, argument: Any = None) -> Any:
        """Return the value of an expression about a page's module; `it` is the module, `given` the argument."""
        return self.page.evaluate(
            f"async (given) => {{ const it = await import('/static/{module}'); return {expression}; }}", argument
        )

    def choose(self, pattern: str) -> None:
        """Select a pattern and wait until it is shown."""
        self.call("state.js", "it.set({pattern: given})", self.ids[pattern])
        self.page.locator(f'.outline [aria-current="true"]:has-text("{self.ids[pattern]}")').wait_for()
        self.page.wait_for_timeout(500)

    def press(self, pattern: str, kind: Kind, number: int, shown: str = "") -> float:
        """Press a key in an entry and return the milliseconds until the result is painted.

        The result is complete when hits, badges and findings are painted, or when the condition `shown` holds.
        """
        places, key, text = next_edit(self.text, self.ids[pattern], kind, number)
        self.call("document.js", SELECT, places)
        self.page.locator(".cm-content").focus()
        revision = self.call("state.js", "it.get().revision")
        self.page.evaluate(f"watch(() => {shown or SHOWN.format(revision + 1)})")
        self.page.keyboard.press(key)
        taken = self.page.evaluate("waited")
        self.text = text
        if kind is name:
            self.ids[pattern] += key
        return taken

    def check(self, pattern: str) -> None:
        """Assert that the page has the text, and shows the number of hits that the studio answers for it."""
        assert self.call("document.js", "it.text()") == self.text
        board = self.call("state.js", "it.get().atHand")
        fires = self.studio.ask("fires", pattern=self.ids[pattern], position=board)
        assert self.page.locator("[data-hits]").get_attribute("data-hits") == str(fires["count"])


@pytest.fixture
def file() -> File:
    return FILES[0]


@pytest.fixture
def patterns_file(file, tmp_path):
    """A writable copy of our patterns file, beside a copy of the file that shares its patterns."""
    for one in FILES:
        shutil.copy(YAML.with_name(one.name), tmp_path)
    return tmp_path / file.name


@pytest.fixture(scope="module")
def studio(request, tmp_path_factory):
    """The address of the shipped site; None for the installed studio, which each test starts itself."""
    if request.param == "installed":
        yield None
        return
    with serving(request.getfixturevalue("site")) as server:
        yield f"http://127.0.0.1:{server.server_port}"


@pytest.fixture
def running(studio, browser, patterns_file):
    """The studio under test: the installed studio, started for this test, or the page of the site."""
    if studio:
        yield RunningSite(browser, studio, patterns_file.parent)
        return
    with running_studio(patterns_file) as installed:
        yield installed


@pytest.fixture
def author(new_page, running, file) -> Author:
    """A simulated author who has just opened the file."""
    page = new_page()
    page.add_init_script(WATCH)
    page.goto(f"{running.url}&file={file.name}&view=pattern&pattern={file.work[0][0]}")
    page.locator("[data-hits]").wait_for()
    page.locator(".outline [aria-current]").wait_for()
    return Author(page, running, {pattern for pattern, _ in file.work})


@pytest.fixture
def tell(capsys) -> Callable[..., None]:
    def tell(what: str, times: list[float]) -> None:
        with capsys.disabled():
            print(f"\n{what}: median {median(times):.0f} ms, worst {max(times):.0f} ms of {len(times)}", end="")

    return tell


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_key_in_the_editor(author, file, tell):
    rng, times = random.Random(16), {}
    for number in range(TIMES):
        pattern, kind = file.work[number // 5 % len(file.work)]
        if number % 5 == 0:
            author.choose(pattern)
        times.setdefault(kind.__name__, []).append(author.press(pattern, kind, number))
        author.page.wait_for_timeout(1000 * rng.uniform(*PAUSES))
        if number % 5 == 4:
            author.check(pattern)
    tell(f"{file.name}, a key", [one for some in times.values() for one in some])
    for what, some in times.items():
        tell(f"  {what}", some)


def test_a_key_while_the_whole_file_is_checked(author, file, tell):
    times = []
    pattern, kind = file.work[0]
    for number in range(TIMES):
        author.choose(pattern)
        author.page.evaluate("import('/static/api.js').then((it) => void it.ask('check').catch(() => {}))")
        times.append(author.press(pattern, kind, number))
    author.check(pattern)
    tell(f"{file.name}, a key while the whole file is checked", times)


# A script in the page, which plays the edits of an author. An element of steps.json is a pattern to select, or null,
# then the start, the end and the text of an edit, and the milliseconds of the pause after the edit.
PLAYED = """
import { editor, text } from "/static/document.js";
import { get, set } from "/static/state.js";
const passed = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const until = async (isTrue) => {
  while (!isTrue()) await new Promise((resolve) => requestAnimationFrame(resolve));
};
const tell = (what) => fetch(`/played-${what}`, { method: "POST" }); // the service worker would answer a GET
const current = () => document.querySelector('.outline [aria-current="true"]')?.textContent ?? "";
const steps = await (await fetch("/steps.json")).json();
await until(() => BEGUN);
for (const [number, [pattern, from, to, insert, pause]] of steps.entries()) {
  if (pattern) {
    set({ pattern });
    await until(() => current().includes(pattern));
    await passed(500);
  }
  if (number === 0) await tell("begin");
  const next = get().revision + 1;
  editor().focus();
  editor().dispatch({ selection: { anchor: from, head: to }, scrollIntoView: true });
  editor().dispatch({ ...editor().state.replaceSelection(insert), userEvent: "input.type", scrollIntoView: true });
  await until(() => SHOWN);
  await passed(pause);
}
await tell(`end-${text().length}`);
""".replace("BEGUN", BEGUN["page"]).replace("SHOWN", SHOWN.format("next"))


def played_steps(file: File, pauses: tuple[float, float]) -> tuple[list[list[Any]], str]:
    """Return the steps of an author for PLAYED, and the text after the steps."""
    text, rng = YAML.with_name(file.name).read_text(encoding="utf-8"), random.Random(16)
    ids, steps = {pattern: pattern for pattern, _ in file.work}, []
    for number in range(EDITS):
        pattern, kind = file.work[number // 50 % len(file.work)]
        places, key, text = next_edit(text, ids[pattern], kind, number)
        steps.append([ids[pattern] if number % 50 == 0 else None, *places, key, 1000 * rng.uniform(*pauses)])
        if kind is name:
            ids[pattern] += key
    return steps, text


@pytest.mark.parametrize("pauses", [(0, 0), PAUSES], ids=["without pauses", "with pauses"])
def test_the_memory_of_the_page_after_many_edits(studio, request, file, pauses, tmp_path, capsys):
    """Playwright does not control this browser, because it makes the page keep a copy of each loaded file."""
    if not studio:
        pytest.skip("a script in the site's page plays the edits")
    folder = tmp_path / "site"
    shutil.copytree(request.getfixturevalue("site"), folder, ignore=shutil.ignore_patterns("docs", "gallery"))
    steps, text = played_steps(file, pauses)
    (folder / "steps.json").write_text(json.dumps(steps))
    (folder / "played.js").write_text(PLAYED)
    page = (folder / "index.html").read_text()
    (folder / "index.html").write_text(
        page.replace("</head>", '<script type="module" src="./played.js"></script></head>')
    )
    options = "--headless=new", "--no-sandbox", f"--user-data-dir={tmp_path / 'profile'}", "--window-size=1280,900"
    with serving(folder) as server:
        place = f"index.html#file={file.name}&view=pattern&pattern={file.work[0][0]}"
        command = [executable(), *options, f"http://127.0.0.1:{server.server_port}/{place}"]
        with ExitStack() as stack:
            browser = stack.enter_context(
                subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            )
            stack.callback(browser.terminate)  # also after a failure
            sizes = []
            for told in ("/played-begin", f"/played-end-{utf16_length(text)}"):
                until = time.monotonic() + EDITS  # a second for each edit
                while told not in server.asked:
                    assert time.monotonic() < until, server.asked[-3:]
                    time.sleep(0.05)
                sizes.append(memory_of_the_page() / 1e6)
            time.sleep(COLLECTION)
            sizes.append(memory_of_the_page() / 1e6)
    with capsys.disabled():
        print(f"\nmemory of the page: {sizes[0]:.0f} MB at first", end="")
        print(f", {sizes[1]:.0f} MB after {EDITS} edits, {sizes[2]:.0f} MB after a pause", end="")


def memory_of_the_page() -> int:
    """Return the bytes of the browser's largest process, which holds a page with its workers. Source: Linux's /proc."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if b"--type=renderer" in (process / "cmdline").read_bytes():
                found.append(1024 * int(re.search(r"(?m)^Pss: +(\d+) kB", (process / "smaps_rollup").read_text())[1]))
        except OSError:
            continue  # the process has ended, or it is somebody else's
    return max(found)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
@pytest.mark.parametrize("what", ["examples", "checked"])
def test_the_examples_and_the_whole_file_after_a_key(author, file, what, tell):
    times = []
    for number in range(TIMES if what == "examples" else TIMES // 10):
        pattern, kind = file.work[number % len(file.work)]
        author.choose(pattern)
        revision = author.call("state.js", "it.get().revision") + 1
        place = f"document.querySelector('[data-{what}]')?.dataset.{what}"
        times.append(author.press(pattern, kind, number, f"Number({place}) >= {revision}"))
    tell(f"{file.name}, {what} after a key", times)
    if what == "examples":
        shown = author.page.locator(".examples > li").count()
        assert shown == len(author.studio.ask("examples", pattern=author.ids[pattern])["examples"])
    else:
        shown = author.page.locator(".findings-pane h2 span").first.inner_text()
        assert shown == str(len(author.studio.ask("check")["problems"]) or "none")


@pytest.mark.parametrize("is_warm", [False, True], ids=["cold", "warm"])
@pytest.mark.parametrize("what", ["page", "link"])
def test_the_page_begins(new_page, running, tell, what, is_warm):
    if what == "link" and not isinstance(running, RunningSite):
        pytest.skip("links open the page of the site")
    firsts, hits, context = [], [], None
    for number in range(-1, TIMES // 5):
        page = new_page(context)
        context = page.context if is_warm else None
        page.add_init_script(f"{WATCH} watch(() => {BEGUN[what]}, 0)")
        page.goto(f"{running.url.partition('#')[0]}#v1={snap_back()}" if what == "link" else running.url)
        taken = page.evaluate("waited")
        if number >= 0:  # the first page warms the server, and the browser's store of files
            hits.append(taken)
            firsts.append(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
        assert page.locator("h1").inner_text() == "Little-Go studio"
        page.wait_for_timeout(1000 * REST * (1 if number >= 0 else 4))  # the first visit also keeps Python's memory
        page.close()
    tell(f"first paint of a {what}, {'warm' if is_warm else 'cold'}", firsts)
    tell(f"hits of the first pattern of a {what}, {'warm' if is_warm else 'cold'}", hits)


def test_the_decision_about_a_board(author, tell):
    recorded = random.Random(5).sample(read_decisions(DECISIONS), TIMES)
    boards, times = [position_text(one.position) for one in recorded], []
    author.call("state.js", "it.set({view: 'board'})")
    author.page.locator("[data-chosen]").wait_for()
    for board in boards:
        shown = "document.querySelector('[data-chosen]') !== null"
        author.call("state.js", f"(watch(() => {shown}, performance.now()), it.set({{board: given}}))", board)
        times.append(author.page.evaluate("waited"))
        chosen = author.page.locator("[data-chosen]").get_attribute("data-chosen")
        assert chosen == author.studio.ask("decision", position=board)["chosen"]
    tell("decision about a board", times)


def test_the_decisions_that_an_edit_changes(author, patterns_file, tell):
    author.press(*FILES[0].work[2], 0)  # an edit, after which the page prepares a comparison
    author.page.wait_for_timeout(1000 * REST)
    author.call("state.js", "it.set({view: 'effects'})")
    author.page.locator("[data-changes]:not(.old)").wait_for(timeout=LONGEST)
    author.page.locator(".changes-pane:not(.busy)").wait_for(timeout=LONGEST)
    text, times = author.call("document.js", "it.text()"), []
    for number in range(TIMES):
        pattern = ("second-line-corner", "second-line-side", "settle-the-centre-line", "mirror-the-side")[number % 4]
        edited = re.sub(rf"(id: {pattern}\n(?:.*\n){{1,9}}? +points: )-?\d+", rf"\g<1>{20 + number}", text, count=1)
        whole = [{"from": 0, "to": len(author.call("document.js", "it.text()")), "insert": edited}]
        author.call("document.js", "(watchComparison(performance.now()), it.change(given))", whole)
        times.append(author.page.evaluate("waited"))
    tell("first result of a comparison", [first for first, _ in times])
    tell("all of a comparison", [last for _, last in times])
    sessions = Session(), Session()
    for session, one in zip(sessions, (patterns_file.read_text(encoding="utf-8"), edited), strict=True):
        session.take(Snapshot(1, one, patterns_file.name, str(patterns_file)))
    moves = [one for *_, some in flips(*map(versions.edited, sessions), patterns_file.parent, 1) for one in some]
    assert author.page.locator("[data-changes]").get_attribute("data-changes") == str(len(moves)) != "0"
