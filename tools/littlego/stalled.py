"""The error for a turn that does not count because other work used up a resource of the machine.

This module runs on Python 3.7.
"""

from __future__ import annotations


class StalledError(RuntimeError):
    """Raised for a turn that does not count.

    The whole game is then discarded, and no player loses. A program's turn does not count if every attempt at it is
    discarded. A GTP engine's turn does not count if the engine fails while the disk is full or the process limit is
    used up.

    The cause is other work on the machine, which used up CPU time, disk space or the user's process limit. The message
    names the program and says what to do.
    """
