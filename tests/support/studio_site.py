"""The studio as a site of plain files, served to a browser.

The site has the small patterns file of `studio_server`.
"""

from __future__ import annotations

import gzip
import io
import shutil
import tarfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from studio_server import LONGEST, SMALL

from littlego.cli.main import main
from littlego.studio.site.build import pack

ASK = """async ([method, path, body]) => {
  const link = await import("/static/link.js");
  return await link.request(method, path, body ?? undefined);
}"""


class Served(ThreadingHTTPServer):
    """A server of plain files that records its requests."""

    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        self.asked: list[str] = []
        served = self

        class Handler(SimpleHTTPRequestHandler):
            def __init__(self, *args: Any, **others: Any) -> None:
                super().__init__(*args, directory=str(folder), **others)

            def log_message(self, *args: Any) -> None:
                served.asked.append(self.path)

        super().__init__(("127.0.0.1", 0), Handler)


@contextmanager
def serving(folder: Path) -> Iterator[Served]:
    """Serve a folder during the `with` block."""
    with Served(folder) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def ship_small(site: Path, folder: Path) -> Path:
    """Copy a site to a new folder with the small patterns file, and return the folder.

    Without first.json's answers, the page waits for Python, so that the tests always test Python.
    """
    shutil.copytree(site, folder, ignore=shutil.ignore_patterns("docs", "gallery"))
    shutil.copy(SMALL, folder / "patterns.yaml")
    assert main(["compile", str(folder / "patterns.yaml")]) == 0
    code = folder / "code.tar.gz"
    with tarfile.open(fileobj=io.BytesIO(gzip.decompress(code.read_bytes()))) as archive:
        files = {member.name: archive.extractfile(member).read() for member in archive}  # type: ignore[union-attr]
    code.write_bytes(
        pack({**files, **{name: (folder / name).read_bytes() for name in ("patterns.yaml", "patterns.txt")}})
    )
    (folder / "first.json").write_text("null")
    return folder


class RunningSite:
    """The studio of a page of the site, with the interface of studio_server.RunningStudio.

    Each browser context has its own studio. The methods address the studio of the newest page that is open.
    """

    token = "a page has no token"

    def __init__(self, browser: Any, origin: str, folder: Path) -> None:
        self.browser, self.origin, self.url = browser, origin, f"{origin}/#"
        self._copy = folder / "patterns.yaml"

    @property
    def page(self) -> Any:
        """The newest page of the site; a new page if none is open."""
        pages = [
            page for context in self.browser.contexts for page in context.pages if page.url.startswith(self.origin)
        ]
        if not pages:
            pages.append(self.browser.new_context().new_page())
            pages[-1].goto(self.url)
        return pages[-1]

    @property
    def file(self) -> Path:
        """A copy of the page's patterns file. The page must have no unsaved text."""
        state = self.request("/api/state")[1]
        assert state["saved"]
        self._copy.write_text(state["text"], encoding="utf-8")
        return self._copy

    def request(self, path: str, body: Any = None) -> tuple[int, dict[str, Any]]:
        """Return (200, answer) of a request. A request with a body is a POST. A problem raises an error."""
        return 200, self.page.evaluate(ASK, ["GET" if body is None else "POST", path, body])

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Return a method's answer about the current text."""
        revision = self.request("/api/state")[1]["revision"]
        answer: dict[str, Any] = self.request(f"/api/ask/{method}", {"revision": revision, **parameters})[1]["answer"]
        return answer

    def text(self, wanted: Callable[[str], bool] = bool) -> str:
        """Return the page's text as soon as `wanted` accepts it."""
        end = time.monotonic() + LONGEST
        while True:
            text: str = self.request("/api/state")[1]["text"]
            if wanted(text):
                return text
            assert time.monotonic() < end, f"the expected text did not arrive; the text is\n{text}"
            self.page.wait_for_timeout(20)


def wait_until(page: Any, function: str) -> None:
    """Wait until a JavaScript function returns a true value.

    The function may be async. Playwright's wait_for_function would take the promise of such a function for a true
    value.
    """
    end = time.monotonic() + LONGEST
    while not page.evaluate(function):
        assert time.monotonic() < end, f"it did not become true: {function}"
        page.wait_for_timeout(50)
