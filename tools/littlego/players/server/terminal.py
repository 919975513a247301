"""Lines that a person types while an event loop runs: a thread reads them, and nothing waits for it at the end.

It reads the descriptor and not sys.stdin: a thread that waits inside the lock of that would make the interpreter abort
when it ends.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from queue import Queue
from threading import Event, Lock, Thread

LONGEST_LINE = 10_000  # characters


class Interrupted(Exception):
    """Nobody waits for an answer any more."""


def readable_input() -> int | None:
    """Return the descriptor of standard input, None where nothing can be typed: closed, or in the background."""
    try:
        descriptor = sys.stdin.fileno()
        if os.isatty(descriptor) and hasattr(os, "tcgetpgrp") and os.tcgetpgrp(descriptor) != os.getpgrp():
            return None  # the terminal would stop whoever reads in the background
    except (AttributeError, OSError, ValueError):
        return None
    return descriptor


def read_lines(descriptor: int, take: Callable[[str | None], object]) -> None:
    """Give each line to take, in a thread of its own, and None at the end of the input."""

    def read() -> None:
        begun = b""
        while data := _read_some(descriptor):
            *lines, begun = (begun + data).split(b"\n")
            for line in lines:
                take(line.decode("utf-8", "replace").rstrip("\r"))
            begun = begun[:LONGEST_LINE]
        if begun:
            take(begun.decode("utf-8", "replace"))
        take(None)

    Thread(target=read, daemon=True).start()


def _read_some(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 4096)
    except OSError:
        return b""


class Questions:
    """Asks a person, as input() does; interrupt() ends the question that waits: its answer is no longer wanted."""

    def __init__(self, descriptor: int) -> None:
        self._answers: Queue[str | Event | None] = Queue()
        self._asking: Event | None = None  # set once its answer is not wanted
        self._lock = Lock()
        self._ended = False
        read_lines(descriptor, self._answers.put)

    def ask(self, prompt: str) -> str:
        """Return the next line; raise EOFError at the end of the input, and Interrupted after interrupt()."""
        mine = Event()
        with self._lock:
            self._asking = mine
        print(prompt, end="", flush=True)
        while not self._ended:
            answer = self._answers.get()
            self._ended = answer is None
            if mine.is_set():
                if isinstance(answer, str):
                    self._answers.put(answer)  # it was typed for the next question
                raise Interrupted
            if isinstance(answer, str):
                return answer
        raise EOFError

    def interrupt(self) -> None:
        """End the question that waits, if one does."""
        with self._lock:
            if self._asking:
                self._asking.set()
                self._answers.put(self._asking)
                self._asking = None
