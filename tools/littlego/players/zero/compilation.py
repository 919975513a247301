"""Compilation of array loops with numba. If numba is not installed, the loops run as plain Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def jit(function: Callable[..., Any]) -> Any:
    """Return the function, compiled at its first call if numba is installed."""
    try:
        import numba  # noqa: F401 - a program on Python 3.7 has numpy at most
    except ImportError:
        return function
    from littlego.engines.compiled.board import jit as compiled

    return compiled(function)
