"""The interfaces of a studio's lanes and long jobs. A lane is a queue whose questions are answered one at a time.

The installed studio runs each lane and each job in a separate process: see `in_processes`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, NamedTuple, Protocol

from littlego.editor.methods import LANES, Method
from littlego.editor.session import Snapshot


class Lane(Protocol):
    """A queue whose questions are answered one at a time.

    A newer question replaces an older question of the same channel (see editor.methods.ask).
    """

    async def ask(self, page: str, revision: int, method: Method, parameters: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a page's question about a revision of the open document.

        Raise Refusal for any error, or if a newer question replaces this question.
        """

    async def warm(self) -> None:
        """Prepare the lane in advance, so that the first question does not wait."""

    def end(self) -> None:
        """Reject all waiting and future questions."""

    def close(self) -> None:
        """Release all resources; a second call does nothing."""


class RunningJob(Protocol):
    """A long job with stored events."""

    number: int

    def listen(self) -> AsyncIterator[dict[str, Any]]:
        """Yield all events, including past events, until the job is over."""

    def cancel(self) -> None:
        """Cancel the job without waiting for its end."""


class JobList(Protocol):
    """The running and recently finished jobs of a studio, by number."""

    def start(self, page: str, kind: str, snapshot: Snapshot, parameters: dict[str, Any]) -> RunningJob:
        """Start and return a job; cancel a running job of the same kind and page.

        Raise Refusal for an unknown kind or invalid parameters.
        """

    def find(self, number: int) -> RunningJob:
        """Return a job by number; raise Refusal for an unknown number."""

    def end(self) -> None:
        """Cancel all running jobs without waiting, and reject new jobs."""

    def close(self) -> None:
        """End all running jobs, wait for them, and reject new jobs."""


class Lanes(NamedTuple):
    """The lanes and the jobs of a studio. workers: the lanes, by name."""

    workers: Mapping[str, Lane]
    jobs: JobList


def in_processes(snapshot: Callable[[], Snapshot]) -> Lanes:
    """Return lanes and jobs that run in child processes. snapshot: a function that returns the current snapshot."""
    from littlego.studio.jobs import Jobs
    from littlego.studio.worker import Worker

    return Lanes({lane: Worker(lane, snapshot) for lane in LANES}, Jobs())
