"""Plugins of the whole suite, and how long tests are freed of the cost of line tracing."""

from __future__ import annotations

import os
import sys

import pytest

pytest_plugins = ["pattern_coverage"]

# What a process that was forked has traced is thrown away with it. Worse: a signal may reach it while coverage holds
# its lock, and whoever then cleans up waits for that lock for ever.
os.register_at_fork(after_in_child=lambda: sys.settrace(None))


@pytest.fixture(autouse=True)
def _tracing(request):
    """Stop the tracing of lines while a test marked `untraced` runs: it makes Python three times as slow."""
    if request.node.get_closest_marker("untraced") is None:
        yield
        return
    tracer = sys.gettrace()
    sys.settrace(None)
    yield
    sys.settrace(tracer)
