"""Plugins of the whole suite, and which tests pay the cost of line tracing."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import pytest
from hypothesis import settings

from littlego import rules
from littlego.sandbox import sandbox

pytest_plugins = ["pattern_coverage"]

TESTS = Path(__file__).parent
TRACED = "rules", "test_my_player3_"  # the tests of what has a coverage floor: rules/
# Tests that need code compiled by numba: one process of xdist runs them all, so that nothing is compiled twice.
COMPILED = (
    "tests/editor/authoring/",
    "tests/engines/compiled/",
    "tests/learning/mining/",
    "tests/truth/",
    "tests/test_pattern_coverage.py",
)

SETTINGS = "_hypothesis_internal_use_settings"  # where Hypothesis keeps a test's; it offers no other way to them

# A test that takes its time on a busy machine is no fault of what it tests: nothing is asserted of time.
settings.register_profile("littlego", deadline=None)
settings.load_profile("littlego")

# What is compiled when it is imported, as tests are collected, in each process of xdist.
COMPILED_AT_ONCE = "littlego.engines.compiled.engine", "littlego.truth.solver.search", "littlego.truth.proof.checker"

# A shell starts what it runs in the background with Ctrl-C ignored, and that is inherited: the programs that tests
# interrupt would go on for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# What a process that was forked has traced is thrown away with it. Worse: a signal may reach it while coverage holds
# its lock, and whoever then cleans up waits for that lock for ever.
os.register_at_fork(after_in_child=lambda: sys.settrace(None))


def pytest_configure(config: pytest.Config) -> None:
    """Compile what all processes of xdist would compile, before they begin: they find it kept then."""
    if config.getoption("numprocesses", None) and not hasattr(config, "workerinput"):
        for name in COMPILED_AT_ONCE:
            import_module(name)


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Collect without tracing, but for the engine, whose lines may be run by its import alone.

    What collection made, some hundred thousand objects that stay to the end, is kept out of the garbage collector's
    rounds: looking at them again and again costs an eighth of all tests.
    """
    for module in iter_modules(rules.__path__, "littlego.rules."):
        import_module(module.name)
    gc.disable()
    try:
        with not_traced():
            return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Stop the tracing of lines, which makes Python three times as slow, where no floor needs it: in tests of other
    code, their fixtures included, and in those marked `untraced`."""
    if is_traced(item):
        return (yield)
    with not_traced():
        return (yield)


@contextmanager
def not_traced() -> Iterator[None]:
    """Stop the tracing of lines meanwhile."""
    tracer = sys.gettrace()
    sys.settrace(None)
    try:
        yield
    finally:
        sys.settrace(tracer)


def is_traced(item: pytest.Item) -> bool:
    """Return whether coverage watches a test."""
    name = item.path.relative_to(TESTS).as_posix() if item.path.is_relative_to(TESTS) else ""
    return name.startswith(TRACED) and item.get_closest_marker("untraced") is None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes longest and cannot be shared out; beside it with the player's tests, which compile nothing:
    commands that other tests start need the same compiled code, and find it kept by then."""
    first = COMPILED, tuple(f"tests/{name}" for name in TRACED)
    items.sort(key=lambda item: [not item.nodeid.startswith(names) for names in first])
    take_more_examples(items, int(os.environ.get("LITTLEGO_EXAMPLES", "1")))


def take_more_examples(items: list[pytest.Item], times: int) -> None:
    """Let each test of Hypothesis try so many times the examples that it asks for.

    The suite takes few, to be done soon; `LITTLEGO_EXAMPLES=10 sh test.sh tests/rules` is the thorough run.
    """
    tests = {id(test): test for item in items if (test := getattr(item, "obj", None)) is not None}
    for test in tests.values():
        known = getattr(test, SETTINGS, None) if times != 1 else None
        if known is not None:
            setattr(test, SETTINGS, settings(known, max_examples=times * known.max_examples))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give a file to one process of xdist: what its fixtures make is made once."""
    from xdist.scheduler import LoadFileScheduling

    class ByFile(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return "compiled" if nodeid.startswith(COMPILED) else super()._split_scope(nodeid)

    config.option.loadscopereorder = False
    return ByFile(config, log)


@pytest.fixture(autouse=True)
def sandbox_mode() -> Iterator[None]:
    """Put the mode of the sandbox back: a cluster's worker keeps the one it was given, and in tests that is we."""
    before = sandbox.asked()
    yield
    sandbox.use(before)
