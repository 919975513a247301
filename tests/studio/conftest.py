"""Fixtures for a studio that runs as for a user, and for its pages in a real Chromium."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from chromium import WHY_NOT, executable
from studio_apps import CENTRE, studio_client
from studio_server import SMALL, RunningStudio, running_studio
from studio_site import RunningSite, serving, ship_small

from littlego.studio.site.build import build

SIZE = {"width": 1280, "height": 900}
SLOW = int(os.environ.get("LITTLEGO_SLOW") or 0)  # maximum milliseconds by which a request is delayed
# Delays each request to the studio at random, in order, to find tests that act before an answer.
DELAY = """
  let last = Promise.resolve();
  const later = () => (last = Promise.all([last, new Promise((done) => setTimeout(done, Math.random() * SLOW))]));
  const { fetch } = window;
  window.fetch = async (...request) => (await later(), fetch(...request));
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (...message) { later().then(() => postMessage.apply(this, message)); };
""".replace("SLOW", str(SLOW))
LONGEST = 90_000  # maximum milliseconds that a page waits for an event: with a new cache, the engine is compiled first


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that use the fixture `browser`. The default suite skips these tests, because they are slow."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run the tests of modules marked `both_links` on the installed studio and on the site's page.

    Tests marked `installed` need features that the site's page lacks, and run only on the installed studio.
    """
    marks = {mark.name for mark in metafunc.definition.iter_markers()}
    if "studio" in metafunc.fixturenames and "both_links" in marks:
        links = ["installed"] if "installed" in marks else ["installed", "page"]
        metafunc.parametrize("studio", links, indirect=True, scope="module")


@pytest.fixture
def patterns_file(tmp_path):
    """A patterns.yaml of eight patterns that the test may change."""
    path = tmp_path / "patterns.yaml"
    shutil.copy(SMALL, path)
    return path


@pytest.fixture
def client(tmp_path) -> Iterator[Any]:
    """A client of a studio in this process with a patterns file of one pattern."""
    path = tmp_path / "patterns.yaml"
    path.write_text(CENTRE)
    with studio_client(path) as client:
        yield client


@pytest.fixture
def running(patterns_file) -> Iterator[RunningStudio]:
    """A studio, in its own process, for the test's patterns.yaml."""
    with running_studio(patterns_file) as studio:
        yield studio


@pytest.fixture(scope="module")
def studio_options() -> tuple[str, ...]:
    """The command-line options of the fixture `studio`."""
    return ()


@pytest.fixture(scope="session")
def site(tmp_path_factory) -> Path:
    """The folder of a built site, below a folder that a server may serve."""
    if shutil.which("npm") is None:
        pytest.skip("NOT RUN: there is no `npm`, which installs Pyodide")
    folder: Path = tmp_path_factory.mktemp("served") / "some" / "path"
    build(folder)
    return folder


@pytest.fixture(scope="module")
def studio(request, tmp_path_factory, studio_options) -> Iterator[RunningStudio | RunningSite]:
    """A studio for all tests of a module: installed, or the site's page. See pytest_generate_tests.

    The fixture `running` of a module returns this studio, or `restored` if the module's tests change its file.
    """
    if getattr(request, "param", "installed") == "page":
        browser, site = request.getfixturevalue("browser"), request.getfixturevalue("site")
        folder = ship_small(site, tmp_path_factory.mktemp("small") / "site")
        with serving(folder) as server:
            yield RunningSite(browser, f"http://127.0.0.1:{server.server_port}", tmp_path_factory.mktemp("copy"))
        return
    path = tmp_path_factory.mktemp("studio") / "patterns.yaml"
    shutil.copy(SMALL, path)
    with running_studio(path, *studio_options) as studio:
        yield studio


@pytest.fixture
def restored(studio) -> Iterator[RunningStudio | RunningSite]:
    """The studio of the module, whose file and text are restored after the test.

    The site's page needs no restoring, since each test opens pages with separate storage.
    """
    yield studio
    if isinstance(studio, RunningStudio):
        studio.file.write_bytes(SMALL.read_bytes())
        studio.request("/api/reload", {"revision": studio.request("/api/state")[1]["revision"]})
        assert studio.text() == SMALL.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """The system's Chromium.

    The browser has module scope, since no other event loop can run in this process while Playwright is active.
    """
    if WHY_NOT:
        pytest.skip(f"NOT RUN: {WHY_NOT}")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable())
        yield browser
        browser.close()


@pytest.fixture
def new_page(browser) -> Iterator[Callable[..., Any]]:
    """Return a function that makes a page (tab). Without `context`, it makes a new browser context with the options.

    A request to another host or an uncaught script error on a page fails the test.
    """
    contexts, wrong = [], []

    def make(context: Any = None, **options: Any) -> Any:
        if context is None:
            context = browser.new_context(**{"viewport": SIZE, **options})
            contexts.append(context)
        page = context.new_page()
        if SLOW:
            page.add_init_script(DELAY)
        page.set_default_timeout(LONGEST)
        page.on("request", lambda sent: wrong.append(sent.url) if is_foreign(sent.url) else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        return page

    yield make
    for context in contexts:
        context.close()
    assert not wrong


@pytest.fixture
def page(new_page, running) -> Any:
    """A page that has opened the studio of the fixture `running`."""
    page = new_page()
    page.goto(running.url)
    return page


def is_foreign(url: str) -> bool:
    return not url.startswith(("http://127.0.0.1:", "data:", "blob:http://127.0.0.1:", "about:"))
