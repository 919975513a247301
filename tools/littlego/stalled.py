"""The error of a machine that cannot judge a program's turn: it is too busy or its disk is full. Runs on Python 3.7."""

from __future__ import annotations


class StalledError(RuntimeError):
    """Raised for a turn that is void again and again: the game is void, too, and nobody loses.

    Other work on the machine stalled the turn, or the disk was full. The message names the program and says what to do.
    """
