"""A program that is told something and answers, again and again: started once, held, and ended for certain. POSIX only.

What holds it is what holds the programs of one turn: the sandbox and the control group where the machine has them
(littlego.sandbox.supervise). What it says on standard error is read, so that it is never held up, and its end is kept.
"""

from __future__ import annotations

import os
import select
import subprocess
import tempfile
import threading
import time
from contextlib import ExitStack, closing, suppress
from typing import IO

from littlego.match.host import FILLED, SHOWN, make_below
from littlego.sandbox import cgroups
from littlego.sandbox.limited import CHUNK, KEPT, MEMORY, PROCESSES, start
from littlego.sandbox.processes import spent_by
from littlego.sandbox.sandbox import ENDING
from littlego.sandbox.supervise import BWRAP_SAYS, Boxed, Plain
from littlego.sandbox.workfolder import WorkFolder, describe_excess, remove_tree
from littlego.scratch import prefix
from littlego.signals import signals_held

LOOK = 0.1  # seconds in which somebody who waits for an answer notices that the conversation is ended
END_SECONDS = 1.0  # seconds that a program may take to end once it is asked to


class ConversationError(RuntimeError):
    """The program will not answer any more; the message says what it did, to follow its name."""


class Conversation:
    """A program, started in a fresh folder; raise OSError where it cannot be.

    command: words, run without a shell. sandboxed: whether a sandbox holds it. held: what holds it, in words. One
    thread may talk; any may close.
    """

    def __init__(self, command: list[str], sandboxed: bool) -> None:
        self._errors = b""
        self._errors_open = True
        self._busy = threading.Lock()  # held while a thread uses the pipes
        self._ending = False
        with ExitStack() as stack:
            closed = tempfile.mkdtemp(prefix=prefix("gtp"))
            stack.callback(remove_tree, closed)
            self._work = WorkFolder(make_below(closed))
            stack.callback(self._work.remove)
            group = stack.enter_context(closing(cgroups.open_group(MEMORY, PROCESSES)))
            held = Boxed(command, self._work.path, {}, group, (), watched=False) if sandboxed else None
            self._held = held or Plain(command, self._work.path, {}, group, ())
            stack.enter_context(closing(self._held))
            with signals_held():  # we may be asked to end at any time, and must then know whom to end
                self._child = start(self._held, self._work.path, cpu_limit=None, talks=True)
                stack.callback(self._kill)
                self._held.started(self._child.pid)
            self.held = self._held.name()
            self._given_back = stack.pop_all()

    def say(self, text: str) -> None:
        """Tell the program a text; raise ConversationError where it does not hear any more."""
        with self._busy:
            self._refuse_ended()
            assert self._child.stdin is not None
            try:
                self._child.stdin.write(text.encode())
                self._child.stdin.flush()
            except OSError:
                raise ConversationError(self._describe_end()) from None

    def hear(self, deadline: float) -> bytes:
        """Return what the program says next on standard output; b"" where it says nothing up to the deadline.

        deadline: on the monotonic clock; one in the past takes what is there. Raise ConversationError at its end.
        """
        assert self._child.stdout is not None
        with self._busy:
            while True:
                self._refuse_ended()
                left = deadline - time.monotonic()
                ready = self._ready(max(0.0, min(left, LOOK)))
                if self._child.stdout in ready:
                    if chunk := os.read(self._child.stdout.fileno(), CHUNK):
                        return chunk
                    raise ConversationError(self._describe_end())
                if left <= 0:
                    return b""

    def _ready(self, seconds: float) -> list[IO[bytes]]:
        """Return the pipes that something can be read from; what is on standard error is read here."""
        errors, answers = self._child.stderr, self._child.stdout
        assert errors is not None and answers is not None
        ready: list[IO[bytes]] = select.select([answers, *([errors] if self._errors_open else [])], [], [], seconds)[0]
        if errors in ready:
            chunk = os.read(errors.fileno(), CHUNK)
            self._errors_open = bool(chunk)
            self._errors = (self._errors + chunk)[-KEPT:]
        return ready

    def _refuse_ended(self) -> None:
        if self._ending:
            raise ConversationError("was ended")

    def _describe_end(self) -> str:
        """Return how a program ended that has closed a pipe, and which limit it ran into."""
        with suppress(subprocess.TimeoutExpired):
            self._child.wait(END_SECONDS)
        self._ready(0.0)  # what it said at last
        if self._errors.startswith(BWRAP_SAYS.encode()):
            return f"the sandbox does not start: {self.last_words()}"
        status = self._child.returncode
        status = None if status is None else self._held.plain_status(status)
        how = "closed its standard output" if status is None else f"ended with exit status {status}"
        how = how if status is None or status >= 0 else f"was ended by signal {-status}"
        return "; ".join([how, *self._held.group.refusals()])

    def last_words(self) -> str:
        """Return the last line of what it said on standard error, cut where it is long; '' for nothing."""
        lines = [line.strip() for line in self._errors.decode("utf-8", "replace").splitlines() if line.strip()]
        return "" if not lines else lines[-1] if len(lines[-1]) <= SHOWN else lines[-1][:SHOWN] + " ..."

    def excess(self) -> str:
        """Return what it has done that a program may not, to follow its name: filled its folder; '' for nothing."""
        with suppress(OSError), self._work.open() as folder:
            filled = describe_excess(folder)
            return filled and FILLED.format(filled)
        return ""

    def cpu(self) -> float:
        """Return the CPU seconds that its processes have had, as far as the system tells."""
        counted = self._held.group.cpu()
        if counted is None:
            spent = spent_by(self._child.pid)
            return spent.running if spent else 0.0
        return counted

    def ends_by(self, farewell: str, deadline: float) -> bool:
        """Say a last text and close its input; return whether it ends by itself up to the deadline."""
        assert self._child.stdin is not None
        with self._busy, suppress(OSError):
            self._child.stdin.write(farewell.encode())
            self._child.stdin.close()
        with suppress(ConversationError):
            while self.hear(deadline):
                pass
        with suppress(subprocess.TimeoutExpired):
            self._child.wait(max(0.0, deadline - time.monotonic()))
        return self._child.returncode is not None

    def close(self, farewell: str = "") -> None:
        """End the program and all that it began. farewell: what asks it to end by itself; it has END_SECONDS for it."""
        idle = self._busy.acquire(blocking=False)
        if idle:
            try:
                if farewell and not self._ending:
                    self._part(farewell)
            finally:
                self._busy.release()
        self._ending = True
        self._kill()
        with self._busy:  # whoever waits for an answer has noticed it by now
            for pipe in (self._child.stdin, self._child.stdout, self._child.stderr):
                with suppress(OSError):  # a line that nobody reads any more
                    assert pipe is not None
                    pipe.close()
        self._given_back.close()

    def _part(self, farewell: str) -> None:
        assert self._child.stdin is not None
        with suppress(OSError, subprocess.TimeoutExpired):
            self._child.stdin.write(farewell.encode())
            self._child.stdin.close()
            self._child.wait(END_SECONDS)

    def _kill(self) -> None:
        if self._child.returncode is None:
            self._child.kill()
        self._held.kill()
        with suppress(subprocess.TimeoutExpired):
            self._child.wait(ENDING)
