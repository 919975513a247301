"""Plugins of the whole suite, and how long tests are freed of the cost of line tracing."""

from __future__ import annotations

import sys

import pytest

pytest_plugins = ["pattern_coverage"]


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
