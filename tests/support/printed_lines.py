"""Comparison of a command's output with the output that a documentation page shows."""

from __future__ import annotations

import re

from littlego.dev.regenerate.console_blocks import ANY


def fits(wanted: list[str], printed: list[str]) -> bool:
    """Return whether the printed lines match the wanted lines. A wanted line `...` matches any number of lines."""
    parts = ["(?:.*\n)*" if line.strip() == ANY else re.escape(line.rstrip()) + "\n" for line in wanted]
    return re.fullmatch("".join(parts), "".join(line + "\n" for line in printed)) is not None
