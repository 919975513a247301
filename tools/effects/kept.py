"""Work in parts, on several processes, each part kept once it is done: a stopped run goes on there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from tools.cache import Cache
from tools.parallel import each, with_progress


class Task(Protocol):
    """A part of the work: hashable, to be pickled."""

    def key(self, code: str) -> str:
        """Return what stands for the task and the code that does it."""


def results(work: Callable, tasks: Sequence[Task], code: str, jobs: int, cache: Cache) -> dict:
    """Return work(task), a JSON value, by task, in the order of the tasks; code: a digest of what does the work."""
    found = {task: cache.get(task.key(code)) for task in tasks}
    missing = [task for task, value in found.items() if value is None]
    for task, value in with_progress(each(work, missing, min(jobs, len(missing) or 1)), len(missing), "part"):
        cache.put(task.key(code), value)
        found[task] = value
    return found
