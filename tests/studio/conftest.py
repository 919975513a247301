"""Fixtures: a studio started as a user starts it, and its pages in a real Chromium."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from chromium import WHY_NOT, executable
from studio_apps import CENTRE, studio_client
from studio_server import SMALL, RunningStudio, running_studio

SIZE = {"width": 1280, "height": 900}
LONGEST = 90_000  # maximum milliseconds that a page waits for an event: with a new cache, the engine is compiled first


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that need Chromium. The default suite leaves them out to be quick."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)


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
    """The options that `studio` is started with."""
    return ()


@pytest.fixture(scope="module")
def studio(tmp_path_factory, studio_options) -> Iterator[RunningStudio]:
    """A studio for all tests of a module.

    A module's fixture `running` is this studio, or `restored` if its tests change the file.
    """
    path = tmp_path_factory.mktemp("studio") / "patterns.yaml"
    shutil.copy(SMALL, path)
    with running_studio(path, *studio_options) as studio:
        yield studio


@pytest.fixture
def restored(studio) -> Iterator[RunningStudio]:
    """The module's studio; its file and its text are restored after the test."""
    yield studio
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
    """Make pages (tabs) with separate storage unless a context is given: new_page(**options of a context).

    A request to another host or an uncaught script error on a page fails the test.
    """
    contexts, wrong = [], []

    def make(context: Any = None, **options: Any) -> Any:
        if context is None:
            context = browser.new_context(**{"viewport": SIZE, **options})
            contexts.append(context)
        page = context.new_page()
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
