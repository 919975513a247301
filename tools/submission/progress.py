"""A progress bar for long commands."""

from __future__ import annotations

import sys


class Progress:
    """A progress bar on standard error, where that is a terminal and tqdm is installed."""

    def __init__(self, total: int, what: str):
        self.total = total
        self.what = what
        self.bar = None

    def __enter__(self) -> Progress:
        try:
            from tqdm import tqdm

            self.bar = tqdm(total=self.total, desc=self.what, file=sys.stderr, leave=False, disable=None)
        except ImportError:
            pass
        return self

    def advance(self) -> None:
        """Count one more."""
        if self.bar is not None:
            self.bar.update()

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.close()
