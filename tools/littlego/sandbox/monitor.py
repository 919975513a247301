"""The shell that monitors a program inside the sandbox, and the shell's report. This module runs on Python 3.7."""

from __future__ import annotations

import re
import socket
from contextlib import suppress
from typing import NamedTuple

# The shell starts the program and waits for it. Then the shell gives the other processes a moment to end. The shell
# reports the number of processes left, their CPU time, its own CPU time and the program's exit status. The shell's exit
# status is 0; any other status means that the shell was killed.
WATCH = """
exec 3>&1 4>&2 >/dev/null 2>&1
(exec "$@" 2>&4 3>&- 4>&-); status=$? spent=0
set -- /proc/[0-9]*
if [ $# -gt 2 ]; then
    sleep 0.1; set -- /proc/[0-9]*
    for times in /proc/[0-9]*/task/[0-9]*/schedstat; do
        case $times in /proc/1/*|/proc/$$/*) ;; *) read -r had rest < $times && spent=$((spent + had)) ;; esac
    done
fi
read -r own rest < /proc/self/schedstat
echo "$(($# - 2)) $spent $own $status" >&3
exit 0
"""
LONGEST = 4096  # maximum bytes of a report; a longer report is invalid


class Outcome(NamedTuple):
    """The shell's report about the program's end.

    left: the number of the program's processes that still run. spent: the CPU seconds of these processes. own: the
    shell's CPU seconds. status: the program's exit status.
    """

    left: int
    spent: float
    own: float
    status: int


class Report:
    """A socket through which the shell reports to this process, which runs outside the sandbox.

    A pipe would be unsafe, because a sandboxed process can reopen pipes through /proc.
    """

    def __init__(self) -> None:
        self._ours, self._theirs = socket.socketpair()
        self.end = self._theirs.fileno()  # the shell's standard output

    def passed_on(self) -> None:
        """Close this process's copy of the shell's end of the socket."""
        self._theirs.close()

    def read(self) -> Outcome | None:
        """Return the report, or None if it is missing or malformed.

        Call this method after the shell has ended.
        """
        with suppress(OSError):  # no data
            data = self._ours.recv(LONGEST, socket.MSG_DONTWAIT)
            exact = re.fullmatch(rb"(\d{1,9}) (\d{1,18}) (\d{1,18}) (\d{1,3})\n", data)
            if exact:
                left, spent, own, status = map(int, exact.groups())
                return Outcome(left, spent / 1e9, own / 1e9, status)
        return None

    def close(self) -> None:
        """Close both ends."""
        self._theirs.close()
        self._ours.close()
