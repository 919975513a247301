"""A studio in the process of the test, called through Starlette's TestClient."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from littlego.studio.app import make_app
from littlego.studio.studio import Studio
from littlego.studio.unsaved import Drafts

TOKEN = "the-token"
BASE = "http://127.0.0.1:80"
ENTRY = """\
- id: mine
  class: capture
  summary: A pattern of a link.
  priority: 900
  diagram: |
    . . .
    . * .
    . . .
  points: 3
  examples: {}
"""

CENTRE = """\
ruleset: little-go
patterns:
  - id: centre
    summary: the middle of the board
    class: opening
    priority: 950
    diagram: |
      + - - - - - +
      | . . . . . |
      | . . . . . |
      | . . * . . |
      | . . . . . |
      | . . . . . |
      + - - - - - +
    examples:
      matches:
        - board: |
            . . . . .
            . . . . .
            . . . . .
            . . . . .
            . . . . .
          move: 2,2
      no_match:
        - board: |
            . . . . .
            . . . . .
            . X . . .
            . . . O .
            . . . . .
          move: 2,3
"""


class Client:
    """An HTTP client that acts as a page of a studio. page: the name of the page."""

    def __init__(self, client: TestClient, studio: Studio, page: str = "one") -> None:
        self.http, self.studio, self.page = client, studio, page

    def another(self, page: str) -> Client:
        """Return a client that acts as another page of the same studio."""
        return Client(self.http, self.studio, page)

    def get(self, path: str) -> Any:
        return self.http.get(path, headers={"X-Studio-Page": self.page}).json()

    def post(self, path: str, **body: Any) -> Any:
        """Return the JSON of the answer, whatever its status."""
        headers = {"X-Studio-Page": self.page, "Content-Type": "application/json"}
        return self.http.post(path, content=json.dumps(body), headers=headers).json()

    def code(self, path: str, **body: Any) -> str:
        """Return the code of the problem in a request's answer."""
        return self.post(path, **body)["problem"]["code"]

    @property
    def text(self) -> str:
        return self.get("/api/state")["text"]

    def replace(self, old: str, new: str) -> int:
        """Replace the first occurrence of `old` in the text by `new`; return the new revision."""
        state = self.get("/api/state")
        at = state["text"].index(old)
        change = {"from": at, "to": at + len(old), "insert": new}
        return self.post("/api/edit", revision=state["revision"], changes=[change])["revision"]

    def work(self, kind: str, **parameters: Any) -> list[dict[str, Any]]:
        """Run a job and return all its events."""
        number = self.post(f"/api/jobs/{kind}", **parameters)["job"]
        return events_in(self.http.get(f"/api/jobs/{number}/events").text)

    def edit_and_ask(self, revision: int, changes: list[dict[str, Any]], *asks: list[Any]) -> list[dict[str, Any]]:
        """Send an edit with questions, and return all events of the answer."""
        body = json.dumps({"revision": revision, "changes": changes, "asks": asks})
        headers = {"X-Studio-Page": self.page, "Content-Type": "application/json"}
        return events_in(self.http.post("/api/edit", content=body, headers=headers).text)


def events_in(text: str) -> list[dict[str, Any]]:
    """Return the events of a finished stream."""
    return [json.loads(line.removeprefix("data: ")) for line in text.split("\n\n") if line]


@contextmanager
def studio_client(path: Path, drafts: Path | None = None) -> Iterator[Client]:
    """Serve a file in this process during the `with` block. drafts: the folder of the drafts."""
    studio = Studio(path, Drafts(drafts or path.parent.with_name(path.parent.name + "-drafts")))
    headers = {"X-Studio-Token": TOKEN}
    with TestClient(make_app(studio, TOKEN), base_url=BASE, headers=headers) as client:
        yield Client(client, studio)
