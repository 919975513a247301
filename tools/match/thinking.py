"""An answer that must come before a clock runs out, while whoever gives it still thinks. Runs on Python 3.7."""

from __future__ import annotations

from queue import Empty, Queue
from threading import Thread
from typing import Callable, TypeVar

Answer = TypeVar("Answer")
LONGEST = 3600.0  # seconds of one wait: some platforms take no longer ones


def choose_within(choose: Callable[[], Answer], left: Callable[[], float]) -> Answer | None:
    """Return choose(), or None as soon as left() says that no second is left.

    It is called in a thread of its own; a late one goes on there, and what it then says is not heard. An exception
    is raised here, as is Ctrl-C.
    """
    answers: Queue[tuple[Answer | None, BaseException | None]] = Queue()

    def think() -> None:
        try:
            answers.put((choose(), None))
        except BaseException as error:
            answers.put((None, error))

    Thread(target=think, daemon=True).start()
    seconds = left()
    while seconds > 0:
        try:
            answer, error = answers.get(timeout=min(seconds, LONGEST))
        except Empty:
            seconds = left()
            continue
        if error is not None:
            raise error
        return answer
    return None
