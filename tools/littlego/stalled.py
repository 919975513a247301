"""The error of a machine that is too busy to judge a program's turn. Runs on Python 3.7."""

from __future__ import annotations


class StalledError(RuntimeError):
    """Raised for a turn that other work on the machine stalls again and again: its game is void, and nobody loses it.

    The message names the program and says what to do.
    """
