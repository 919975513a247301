"""Tests of an hour of use: thousands of edits with their requests, cancelled jobs, and reopened files.

`pytest -m slow -s tests/studio/test_studio_hour.py` prints the memory use over time.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import threading
import time
from http.client import HTTPConnection
from pathlib import Path

import pytest
from live_processes import descendants, is_alive, memory
from studio_server import LONGEST, SMALL, running_studio

from littlego.cache import FOLDER
from littlego.paths import PATTERNS_YAML

EDITS, SHOWN = 5000, 500  # the total number of edits, and the number of edits between two memory reports
LARGE = 50  # the last edits, which change the file of all our patterns
MOST = 500_000_000  # maximum bytes of the server and all its processes together
BOARDS = "OX.../...../...../...../.....", "...../..OX./.OXX./..O../.....", "X.O../.XO../..XO./...../....."
PRIORITY = re.compile(r"(?<=priority: )\d+")
NUMBER = re.compile(r"(?<=[>=] )\d")


class Page:
    """A simulated page, which edits, sends requests, reads events, and starts jobs."""

    def __init__(self, studio, seed):
        self.studio, self.chance, self.edits, self.refused = studio, random.Random(seed), 0, 0
        self.connection = HTTPConnection("127.0.0.1", studio.port, timeout=10 * LONGEST)  # allows a long check
        self.take(self.send("GET", "/api/state"))
        threading.Thread(target=self.listen, daemon=True).start()

    def send(self, method, path, body=None):
        """Send a request over a connection that stays open, as a browser does; return the answer's JSON."""
        headers = {"X-Studio-Token": self.studio.token, "X-Studio-Page": "hour", "Content-Type": "application/json"}
        self.connection.request(method, path, None if body is None else json.dumps(body), headers)
        return json.loads(self.connection.getresponse().read())

    def listen(self):
        stream = HTTPConnection("127.0.0.1", self.studio.port)
        stream.request("GET", "/api/events", headers={"X-Studio-Token": self.studio.token})
        answer = stream.getresponse()
        while answer.readline():
            pass

    def take(self, state):
        self.text, self.revision, self.digest = state["text"], state["revision"], state["digest"]
        self.ids = re.findall(r"^  - id: (\S+)", self.text, re.MULTILINE)

    def edit(self):
        """Change a number, or insert or delete a character in the first line, like a person who types."""
        if self.edits % 5 < 3:
            start, end, insert = (0, 1, "") if self.text.startswith("##") else (0, 0, "#")
        else:
            place = self.chance.choice(list((PRIORITY if self.edits % 3 else NUMBER).finditer(self.text)))
            (start, end), number = place.span(), self.chance.randrange(1, 10)
            insert = str(number * 10 ** (end - start - 1))
        answer = self.send(
            "POST",
            "/api/edit",
            {"revision": self.revision, "changes": [{"from": start, "to": end, "insert": insert}]},
        )
        self.revision, self.edits = answer["revision"], self.edits + 1
        self.text = self.text[:start] + insert + self.text[end:]

    def ask(self, method, **parameters):
        found = self.send("POST", f"/api/ask/{method}", {"revision": self.revision, **parameters})
        self.refused += "problem" in found

    def after_edit(self):
        """Send the pattern view's requests, and sometimes other requests of a page."""
        pattern, board, n = self.chance.choice(self.ids), BOARDS[self.edits % len(BOARDS)], self.edits
        for method in ("fires", "badges"):
            self.ask(method, pattern=pattern, position=board)
        self.ask("findings", pattern=pattern)
        if n % 4 == 0:
            self.ask("entry", pattern=pattern)
            self.ask("examples", pattern=pattern)
            self.ask("outline")
        if n % 10 == 0:
            self.ask("why_not_here", pattern=pattern, position=board, move="3,3")
            self.ask("repairs", pattern=pattern, position=board, move="3,3")
            self.ask("decision", position=board)
        if n % 100 == 0:
            self.ask("check")
            self.ask("slide", pattern=pattern, priority=self.chance.randrange(900))
            self.job("truth" if n % 200 else "diff", until=3, **({"pattern": pattern} if n % 200 else {}))
        if n % 1000 == 0:
            self.job("diff", until=10**6)
        if n % 150 == 0:
            answer = self.send("POST", "/api/save", {"revision": self.revision, "digest": self.digest})
            self.digest = answer["digest"]

    def job(self, kind, until, **parameters):
        """Start a job, read `until` of its events, and cancel it."""
        number = self.send("POST", f"/api/jobs/{kind}", parameters)["job"]
        stream = HTTPConnection("127.0.0.1", self.studio.port, timeout=LONGEST)
        stream.request("GET", f"/api/jobs/{number}/events", headers={"X-Studio-Token": self.studio.token})
        answer = stream.getresponse()
        for _ in range(2 * until):
            if not answer.readline():
                break
        stream.close()
        # after a long wait the server has closed the connection; the next request opens it again
        self.connection.close()
        self.send("DELETE", f"/api/jobs/{number}")

    def open(self, name):
        self.take(self.send("POST", "/api/open", {"file": name}))


def megabytes(studio):
    """Return (megabytes of the server, megabytes of all the studio's processes, their number)."""
    pids = [studio.process.pid, *descendants(studio.process.pid)]
    shares = [memory(pid) for pid in pids if is_alive(pid)]
    return shares[0] / 1e6, sum(shares) / 1e6, len(shares)


@pytest.mark.slow
@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="NOT RUN: it looks into /proc")
def test_five_thousand_edits_need_little_memory_and_leave_no_process(tmp_path):
    shutil.copy(SMALL, path := tmp_path / "small.yaml")
    shutil.copy(PATTERNS_YAML, tmp_path / "large.yaml")
    with running_studio(path, environment={"LITTLEGO_CACHE": str(FOLDER)}) as studio:
        begun, most, page = time.monotonic(), 0.0, Page(studio, 7)
        for number in range(1, EDITS + 1):
            page.edit()
            page.after_edit()
            if number % SHOWN == SHOWN - LARGE:
                page.open("large.yaml")
            if number % SHOWN == 0:
                server, together, count = megabytes(studio)
                most, seconds = max(most, together), time.monotonic() - begun
                print(f"{number} edits, {seconds:.0f} s: server {server:.0f} MB, {count} processes {together:.0f} MB")
                page.open("small.yaml")
        started = descendants(studio.process.pid)
        page.send("POST", "/api/reload", {"revision": page.revision})  # reload, so that no draft remains
        assert studio.interrupt() == 0
        until = time.monotonic() + LONGEST
        while left := [pid for pid in started if is_alive(pid)]:
            assert time.monotonic() < until, left
            time.sleep(0.05)
        said = studio.process.stdout.read()
    assert page.edits == EDITS and page.refused < EDITS / 50
    assert "Traceback" not in said and "leaked" not in said, said
    assert most * 1e6 <= MOST
    assert Path(path).read_text(encoding="utf-8") != SMALL.read_text(encoding="utf-8")  # it was saved
