"""Keyboard input for a program with an event loop.

A daemon thread reads the lines, so that the program can exit without waiting for input. The thread reads the descriptor
instead of sys.stdin, because the interpreter would abort on exit if the thread held sys.stdin's lock.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from queue import Queue
from threading import Event, Lock, Thread

LONGEST_LINE = 10_000  # bytes kept of an unfinished line


class Interrupted(Exception):
    """Raised by Questions.ask if Questions.interrupt ends the question."""


def readable_input() -> int | None:
    """Return standard input's descriptor, or None if this process cannot read the input.

    The result is None if the input is closed or this process runs in the background of a terminal.
    """
    try:
        descriptor = sys.stdin.fileno()
        if os.isatty(descriptor) and hasattr(os, "tcgetpgrp") and os.tcgetpgrp(descriptor) != os.getpgrp():
            return None  # the terminal would stop a background process that reads
    except (AttributeError, OSError, ValueError):
        return None
    return descriptor


def read_lines(descriptor: int, take: Callable[[str | None], object]) -> None:
    """Start a thread that passes each line, and then None at the end of the input, to `take`."""

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
    """Questions to a person, who answers on the keyboard as with input(). `interrupt` ends the pending question."""

    def __init__(self, descriptor: int) -> None:
        self._answers: Queue[str | Event | None] = Queue()
        self._asking: Event | None = None  # set once the answer is no longer needed
        self._lock = Lock()
        self._ended = False
        read_lines(descriptor, self._answers.put)

    def ask(self, prompt: str) -> str:
        """Print the prompt, and return the next line of input.

        Raise EOFError at the end of the input, and Interrupted if `interrupt` is called.
        """
        mine = Event()
        with self._lock:
            self._asking = mine
        print(prompt, end="", flush=True)
        while not self._ended:
            answer = self._answers.get()
            self._ended = answer is None
            if mine.is_set():
                if isinstance(answer, str):
                    self._answers.put(answer)  # the line was typed for the next question
                raise Interrupted
            if isinstance(answer, str):
                return answer
        raise EOFError

    def interrupt(self) -> None:
        """End the pending question, if there is one."""
        with self._lock:
            if self._asking:
                self._asking.set()
                self._answers.put(self._asking)
                self._asking = None
