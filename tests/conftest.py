"""Plugins of the whole suite, and which tests pay the cost of line tracing."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

pytest_plugins = ["pattern_coverage"]

TESTS = Path(__file__).parent
TRACED = "rules", "test_my_player3_"  # the tests of what has a coverage floor: rules/

# What a process that was forked has traced is thrown away with it. Worse: a signal may reach it while coverage holds
# its lock, and whoever then cleans up waits for that lock for ever.
os.register_at_fork(after_in_child=lambda: sys.settrace(None))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Stop the tracing of lines, which makes Python three times as slow, where no floor needs it: in tests of other
    code, their fixtures included, and in those marked `untraced`."""
    if is_traced(item):
        return (yield)
    tracer = sys.gettrace()
    sys.settrace(None)
    try:
        return (yield)
    finally:
        sys.settrace(tracer)


def is_traced(item: pytest.Item) -> bool:
    """Return whether coverage watches a test."""
    name = item.path.relative_to(TESTS).as_posix() if item.path.is_relative_to(TESTS) else ""
    return name.startswith(TRACED) and item.get_closest_marker("untraced") is None
