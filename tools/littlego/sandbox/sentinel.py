"""A sentinel process, which measures the load of the machine's cores while a child runs.

The system reports how long a child waits for a core, but the child can inflate this time with sleeping threads. The
system schedules the sentinel like the child, so only other work lowers the sentinel's share. The sentinel computes for
5% of the time. This module runs on Python 3.7, only on POSIX systems.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress

BURST, PAUSE = 0.05, 0.95  # seconds of CPU time of a measurement, and of sleep between two measurements
START = 1.0  # seconds for the sentinel's start that do not count as time without a core
# Writes the CPU seconds and the wall seconds of each measurement. A delay after the pause counts as wall time.
_PROGRAM = """
import sys, time
while True:
    began, had = time.monotonic(), time.process_time()
    while time.process_time() - had < {burst}: pass
    time.sleep({pause})
    spent = time.process_time() - had
    sys.stdout.write('%.6f %.6f\\n' % (spent, time.monotonic() - began - {pause}))
    sys.stdout.flush()
"""


class Sentinel:
    """A running sentinel, which ends on `close` or with this process."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._read = b""
        self._child: subprocess.Popen[bytes] | None = None
        text = _PROGRAM.format(burst=BURST, pause=PAUSE)
        with suppress(OSError):  # a machine without room for a process is busy
            self._child = subprocess.Popen(
                [sys.executable or "python3", "-S", "-E", "-c", text],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # like the child, because a scheduler may divide the cores among sessions
            )

    def share(self) -> float:
        """Return the share of a core, 0 to 1, that the sentinel gets while it computes.

        The share is 1 until the first measurement is due, and 0 while that measurement is late.
        """
        self._read_lines()
        samples = [tuple(map(float, line.split())) for line in self._read.decode("ascii").split("\n")[:-1]]
        if not samples:  # the first measurement takes a second
            return 1.0 if time.monotonic() - self._began < START + BURST + PAUSE else 0.0
        return min(1.0, sum(cpu for cpu, _ in samples) / max(sum(wall for _, wall in samples), BURST))

    def _read_lines(self) -> None:
        """Read the available measurements."""
        pipe = self._child.stdout if self._child else None
        while pipe is not None and select.select([pipe], [], [], 0)[0]:
            chunk = os.read(pipe.fileno(), 4096)
            self._read += chunk
            if not chunk:
                return

    def close(self) -> None:
        """End the sentinel."""
        if self._child is not None:
            with suppress(OSError):
                os.kill(self._child.pid, signal.SIGKILL)
            self._child.wait()
            assert self._child.stdout is not None
            self._child.stdout.close()
