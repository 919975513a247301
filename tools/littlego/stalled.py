"""The error for a turn that a busy machine or a full disk makes void. Runs on Python 3.7."""

from __future__ import annotations


class StalledError(RuntimeError):
    """Raised if every attempt at a turn is void; the game is then void, too, and no player loses.

    The cause is other work, which kept the machine busy, filled the disk or used up the user's process limit. The
    message names the program and says what to do.
    """
