"""A long-running program that exchanges text with this process over pipes. POSIX only.

`close` ends the program and all its descendants. The program is confined like a program that runs for one turn (see
littlego.sandbox.supervise). While this process waits for output, it also reads the program's standard error, so that
the program does not block on a full pipe. The last KEPT bytes of standard error are kept.
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

from littlego.match.host import SHOWN, make_below
from littlego.sandbox.limited import CHUNK, KEPT, find_lack, start
from littlego.sandbox.sandbox import ENDING
from littlego.sandbox.supervise import BWRAP_SAYS, confine
from littlego.sandbox.workfolder import WorkFolder, remove_tree
from littlego.scratch import prefix
from littlego.signals import signals_held

LOOK = 0.1  # maximum seconds of a wait, so that `close` takes effect; also the minimum seconds between checks of limits
END_SECONDS = 1.0  # seconds allowed for a program's exit after a request


class ConversationError(RuntimeError):
    """Raised if the program has ended, has closed a pipe or has exceeded a limit.

    The message is a verb phrase about the program, such as `was ended`.
    """


class Conversation:
    """A program that runs in a fresh folder and exchanges text with this process.

    command: the program and its arguments, run without a shell. sandboxed: whether to use the sandbox. Only one thread
    may exchange text; any thread may call `close`. The constructor raises OSError if the program cannot be started.
    """

    def __init__(self, command: list[str], sandboxed: bool) -> None:
        self._errors = b""
        self._errors_open = True
        self._busy = threading.Lock()  # locked while a thread uses the pipes
        self._ending = self._frozen = False
        self._look_at = 0.0
        self.lacked = ""  # as in limited.Run
        with ExitStack() as stack:
            closed = tempfile.mkdtemp(prefix=prefix("gtp"))
            stack.callback(remove_tree, closed)
            self._work = WorkFolder(make_below(closed))
            stack.callback(self._work.remove)
            self._held = stack.enter_context(closing(confine(command, self._work.path, {}, sandboxed, talks=True)))
            with signals_held():  # defer signals until this process knows which child process to end
                self._child = start(self._held, self._work.path, cpu_limit=None, talks=True)
                stack.callback(self._kill)
                self._held.started(self._child.pid)
            self.held = self._held.name()  # the program's confinement in words
            self._given_back = stack.pop_all()

    def rest(self) -> None:
        """Freeze the program until its next input, to prevent thinking during other players' turns."""
        with self._busy:
            if not self._ending:
                self._held.freeze(True)
                self._frozen = True

    def _wake(self) -> None:
        if self._frozen:
            self._frozen = False
            self._held.freeze(False)

    def say(self, text: str) -> None:
        """Send a text to the program; raise ConversationError if the program no longer reads its input."""
        with self._busy:
            self._refuse_ended()
            self._wake()
            assert self._child.stdin is not None
            try:
                self._child.stdin.write(text.encode())
                self._child.stdin.flush()
            except OSError:
                raise ConversationError(self._describe_end()) from None

    def hear(self, deadline: float) -> bytes:
        """Return the program's next output, or b"" if nothing arrives before the deadline.

        `deadline` is a time on the monotonic clock. After the deadline, only output that is already available is
        returned. Raise ConversationError at the end of the program's output, or if the program exceeds a limit.
        """
        assert self._child.stdout is not None
        with self._busy:
            while True:
                self._refuse_ended()
                self._look()
                left = deadline - time.monotonic()
                ready = self._ready(max(0.0, min(left, LOOK)))
                if self._child.stdout in ready:
                    if chunk := os.read(self._child.stdout.fileno(), CHUNK):
                        return chunk
                    raise ConversationError(self._describe_end())
                if left <= 0:
                    return b""

    def _look(self) -> None:
        """Check the program's limits unless a check was recent.

        Raise ConversationError if a limit is exceeded.
        """
        began = time.monotonic()
        if began < self._look_at:
            return
        excess = self._held.look() or self._work.excess()
        self.lacked = self.lacked or find_lack(self._work.path, self._held)
        now = time.monotonic()
        self._look_at = now + max(LOOK, 10 * (now - began))  # a slow check delays the next check
        if excess:
            raise ConversationError(excess)

    def _ready(self, seconds: float) -> list[IO[bytes]]:
        """Wait at most `seconds` for output, store new error output, and return the readable pipes."""
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
        """Return a description of the end of a program that closed a pipe, with the limits that were reached."""
        with suppress(subprocess.TimeoutExpired):
            self._child.wait(END_SECONDS)
        self._ready(0.0)  # reads the end of standard error
        if self._errors.startswith(BWRAP_SAYS.encode()):
            return f"cannot be started: the sandbox does not start: {self.last_words()}"
        status = self._child.returncode
        status = None if status is None else self._held.plain_status(status)
        how = "closed its standard output" if status is None else f"ended with exit status {status}"
        how = how if status is None or status >= 0 else f"was ended by signal {-status}"
        return "; ".join([how, *self._held.group.refusals()])

    def last_words(self) -> str:
        """Return the last line of the program's standard error, shortened if long, or '' if there is no line."""
        lines = [line.strip() for line in self._errors.decode("utf-8", "replace").splitlines() if line.strip()]
        return "" if not lines else lines[-1] if len(lines[-1]) <= SHOWN else lines[-1][:SHOWN] + " ..."

    def excess(self) -> str:
        """Return a verb phrase that describes the exceeded limit, or '' if the program exceeds no limit."""
        return self._held.look() or self._work.excess()

    def cpu(self) -> float:
        """Return the CPU seconds that the program's processes have used, as far as the system reports them."""
        self._held.look()
        return self._held.spent

    def ends_by(self, farewell: str, deadline: float) -> bool:
        """Send a last text, close the program's input, and return whether the program exits in time.

        farewell: the last text. deadline: the latest time of the exit, on the monotonic clock.
        """
        assert self._child.stdin is not None
        with self._busy, suppress(OSError):
            self._wake()
            self._child.stdin.write(farewell.encode())
            self._child.stdin.close()
        with suppress(ConversationError):
            while self.hear(deadline):
                pass
        with suppress(subprocess.TimeoutExpired):
            self._child.wait(max(0.0, deadline - time.monotonic()))
        return self._child.returncode is not None

    def close(self, farewell: str = "") -> None:
        """End the program and all its descendants.

        farewell: a last text that asks the program to exit; not sent while another thread uses the pipes.
        """
        idle = self._busy.acquire(blocking=False)
        if idle:
            try:
                if farewell and not self._ending:
                    self._part(farewell)
            finally:
                self._busy.release()
        self._ending = True
        self._kill()
        with self._busy:  # by now, a waiting thread has noticed the end and released the lock
            for pipe in (self._child.stdin, self._child.stdout, self._child.stderr):
                with suppress(OSError):  # the program may no longer read
                    assert pipe is not None
                    pipe.close()
        self._given_back.close()

    def _part(self, farewell: str) -> None:
        assert self._child.stdin is not None
        with suppress(OSError, subprocess.TimeoutExpired):
            self._wake()
            self._child.stdin.write(farewell.encode())
            self._child.stdin.close()
            self._child.wait(END_SECONDS)

    def _kill(self) -> None:
        if self._child.returncode is None:
            self._child.kill()
        self._held.kill()
        with suppress(subprocess.TimeoutExpired):
            self._child.wait(ENDING)
