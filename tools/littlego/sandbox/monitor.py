"""The shell that watches a program from inside its sandbox, and the report that it gives. Runs on Python 3.7."""

from __future__ import annotations

import re
import socket
from contextlib import suppress
from typing import NamedTuple

# The shell starts the program and waits for it. Then it says how many processes are left, once they had a moment to
# end, what they have had of the CPU, what it took itself, and how the program has ended. Its own status is 0: any
# other one means that the shell was ended.
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
LONGEST = 4096  # bytes of a report that are read: one of more is none


class Outcome(NamedTuple):
    """What the shell says: processes that were left running, their CPU seconds, its own, the program's status."""

    left: int
    spent: float
    own: float
    status: int


class Report:
    """The way from the shell to the host: a socket, since a pipe can be opened again in /proc by whoever is inside."""

    def __init__(self) -> None:
        self._ours, self._theirs = socket.socketpair()
        self.end = self._theirs.fileno()  # the shell's standard output

    def passed_on(self) -> None:
        """Close the end that was only to be passed on."""
        self._theirs.close()

    def read(self) -> Outcome | None:
        """Return what the shell has said, once it has ended; None where it said nothing, or not this and only this."""
        with suppress(OSError):  # nothing is there
            said = self._ours.recv(LONGEST, socket.MSG_DONTWAIT)
            exact = re.fullmatch(rb"(\d{1,9}) (\d{1,18}) (\d{1,18}) (\d{1,3})\n", said)
            if exact:
                left, spent, own, status = map(int, exact.groups())
                return Outcome(left, spent / 1e9, own / 1e9, status)
        return None

    def close(self) -> None:
        """Give both ends back."""
        self._theirs.close()
        self._ours.close()
