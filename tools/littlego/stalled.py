"""The error for a turn that does not count because the machine was busy or the disk was full.

This module runs on Python 3.7.
"""

from __future__ import annotations


class StalledError(RuntimeError):
    """Raised if every attempt at a turn is discarded; the game is then also discarded, and no player loses.

    The cause is other work on the machine, which used up CPU time, disk space or the user's process limit. The message
    names the program and says what to do.
    """
