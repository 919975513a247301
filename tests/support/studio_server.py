"""A studio in its own process, as a user starts it, with a small patterns file."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from littlego.cache import FOLDER, make_private

ROOT = Path(__file__).resolve().parents[2]
SMALL = ROOT / "docs" / "tutorial" / "first.yaml"  # eight patterns with their examples
LONGEST = 60.0  # maximum seconds to start or to answer
ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/#token=([\w-]+)")


class RunningStudio:
    """A running studio. url: the URL of its page, with the token. file: its patterns file."""

    def __init__(self, process: subprocess.Popen[str], file: Path) -> None:
        self.process, self.file, self.said = process, file, ""
        for line in process.stdout:
            self.said += line
            if found := ADDRESS.search(line):
                self.url, self.port, self.token = found[0], int(found[1]), found[2]
                return
        raise AssertionError(f"the studio ended at once: {self.said}{process.communicate()}")

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def request(
        self, path: str, body: Any = None, method: str | None = None, **headers: str
    ) -> tuple[int, dict[str, Any]]:
        """Return (status, JSON) of a request with the token. A request with a body is a POST of JSON."""
        data = None if body is None else json.dumps(body).encode()
        sent = {"X-Studio-Token": self.token, "Content-Type": "application/json", **headers}
        request = Request(self.origin + path, data=data, headers=sent, method=method)
        try:
            with urlopen(request, timeout=LONGEST) as answer:
                return answer.status, json.loads(answer.read())
        except HTTPError as error:
            return error.code, json.loads(error.read())

    def stream(self, path: str) -> str:
        """Return the whole text of an event stream, which must end."""
        request = Request(self.origin + path, headers={"X-Studio-Token": self.token})
        with urlopen(request, timeout=LONGEST) as answer:
            return answer.read().decode()

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Return a method's answer about the current text."""
        revision = self.request("/api/state")[1]["revision"]
        status, answer = self.request(f"/api/ask/{method}", {"revision": revision, **parameters})
        assert status == 200, answer
        return answer["answer"]

    def text(self, wanted: Callable[[str], bool] = bool) -> str:
        """Return the server's text as soon as `wanted` accepts it."""
        end = time.monotonic() + LONGEST
        while True:
            text: str = self.request("/api/state")[1]["text"]
            if wanted(text):
                return text
            assert time.monotonic() < end, f"the expected text did not arrive; the text is\n{text}"
            time.sleep(0.02)

    def interrupt(self) -> int:
        """Send one Ctrl-C; return the exit status."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(LONGEST)


@contextmanager
def running_studio(
    file: Path, *options: str, environment: Mapping[str, str] | None = None, installed: bool = False
) -> Iterator[RunningStudio]:
    """Run `littlego studio FILE --no-open` during the `with` block.

    environment: variables added to the environment of the test. installed: whether to run the installed command, in the
    folder of the file.
    """
    environment = {**own_cache(file.parent / ".cache"), **(environment or {})}
    with _running([str(file), *options], file, environment, installed) as studio:
        yield studio


@contextmanager
def running_demo(cache: Path) -> Iterator[RunningStudio]:
    """Run `littlego studio --demo --no-open` during the `with` block. cache: a folder for its caches."""
    with _running(["--demo"], cache, own_cache(cache)) as studio:
        yield studio


def own_cache(folder: Path) -> dict[str, str]:
    """Return environment variables for a separate cache folder that shares only compiled code.

    Compiling the solver takes ten seconds, and the engine half a minute.
    """
    compiled, link = FOLDER / "numba", folder / "numba"
    for one in (FOLDER, compiled, folder):
        make_private(one)
    if not os.path.lexists(link):
        link.symlink_to(compiled)
    return {"LITTLEGO_CACHE": str(folder)}


@contextmanager
def _running(
    arguments: list[str], file: Path, environment: Mapping[str, str], installed: bool = False
) -> Iterator[RunningStudio]:
    python = [sys.executable, "-X", "faulthandler", "-m", "littlego"]
    begin = [str(Path(sys.executable).with_name("littlego"))] if installed else python
    command, folder = [*begin, "studio", "--no-open", *arguments], file.parent if installed else ROOT
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    pipes["preexec_fn"] = lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the tests may run under nohup
    with subprocess.Popen(command, cwd=folder, env={**os.environ, **environment}, **pipes) as process:
        try:
            yield RunningStudio(process, file)
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
                try:
                    process.wait(LONGEST)
                except subprocess.TimeoutExpired:
                    process.send_signal(signal.SIGABRT)  # the studio then prints the stacks of all its threads
                    raise AssertionError(f"the studio does not end on Ctrl-C: {process.stdout.read()}") from None
                said = process.stdout.read()  # the studio has ended, so none of its children is left
                assert not re.search("Traceback|leaked|ERROR", said), said
