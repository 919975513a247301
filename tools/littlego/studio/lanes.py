"""The lanes of a studio, which answer its questions and run its jobs.

The installed studio has a process for each lane and for each job, see `in_processes`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, NamedTuple, Protocol

from littlego.editor.methods import LANES, Method
from littlego.editor.session import Snapshot


class Lane(Protocol):
    """A lane that answers questions in turn; a newer question of a channel replaces an older question."""

    async def ask(self, page: str, revision: int, method: Method, parameters: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a page's question about a revision; raise Refusal for any error."""

    async def warm(self) -> None:
        """Prepare for the first question."""

    def end(self) -> None:
        """Reject all waiting and later questions."""

    def close(self) -> None:
        """Release everything; a second call does nothing."""


class RunningJob(Protocol):
    """A long job with stored events."""

    number: int

    def listen(self) -> AsyncIterator[dict[str, Any]]:
        """Yield all events, including past events, until the job is over."""

    def cancel(self) -> None:
        """Start to cancel the job."""


class JobList(Protocol):
    """All jobs of a studio, by number."""

    def start(self, page: str, kind: str, snapshot: Snapshot, parameters: dict[str, Any]) -> RunningJob:
        """Start a job, and cancel a running job of the same kind and page. Raise Refusal for an invalid job."""

    def find(self, number: int) -> RunningJob:
        """Return a job by number; raise Refusal for an unknown number."""

    def end(self) -> None:
        """Start to end all running jobs, and reject new jobs."""

    def close(self) -> None:
        """End all running jobs."""


class Lanes(NamedTuple):
    """The lanes and the jobs of a studio. workers: the lanes by name."""

    workers: Mapping[str, Lane]
    jobs: JobList


def in_processes(snapshot: Callable[[], Snapshot]) -> Lanes:
    """Return lanes that answer questions and run jobs in child processes. snapshot: returns the document."""
    from littlego.studio.jobs import Jobs
    from littlego.studio.worker import Worker

    return Lanes({lane: Worker(lane, snapshot) for lane in LANES}, Jobs())
