"""The suite's pytest plugins and hooks, including the selection of tests that run with line tracing."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
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
TRACED = "rules", "test_my_player3_"  # the tests of rules/, which has a coverage floor
# Tests that need code compiled by numba: one process of xdist runs them all, so that no code is compiled twice.
COMPILED = (
    "tests/editor/authoring/",
    "tests/engines/compiled/",
    "tests/learning/mining/",
    "tests/truth/",
    "tests/test_pattern_coverage.py",
)

SETTINGS = "_hypothesis_internal_use_settings"  # the private attribute in which Hypothesis stores a test's settings

# Tests may be slow on a busy machine, so no test asserts a time limit.
settings.register_profile("littlego", deadline=None)
settings.load_profile("littlego")

# Modules that are compiled on import. Each process of xdist imports them during collection.
COMPILED_AT_ONCE = "littlego.engines.compiled.engine", "littlego.truth.solver.search", "littlego.truth.proof.checker"

# A shell starts background commands with Ctrl-C ignored, and child processes inherit this, so the programs that tests
# interrupt would never end.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The trace of a forked process is discarded anyway. Moreover, if a signal arrived while coverage has acquired its lock,
# the cleanup would wait for this lock for ever.
os.register_at_fork(after_in_child=lambda: sys.settrace(None))


def pytest_configure(config: pytest.Config) -> None:
    """Compile shared code before xdist starts its processes, so that the processes load cached code."""
    if config.getoption("numprocesses", None) and not hasattr(config, "workerinput"):
        for name in COMPILED_AT_ONCE:
            import_module(name)


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Collect tests without line tracing, after importing rules/ with line tracing.

    Some lines of rules/ run only during the import. Collection creates a hundred thousand objects. These objects
    are frozen, because scanning them in each garbage collection would take an eighth of the suite's time.
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
    """Suspend line tracing in tests that do not count towards the minimum coverage of rules/.

    Only tests of rules/ without the mark `untraced` count. Tracing makes Python three times as slow.
    """
    if is_traced(item):
        return (yield)
    with not_traced():
        return (yield)


@contextmanager
def not_traced() -> Iterator[None]:
    """Suspend line tracing during the `with` block, also in threads that start meanwhile."""
    tracer, of_threads = sys.gettrace(), threading.gettrace()
    sys.settrace(None)
    threading.settrace(None)  # type: ignore[arg-type]
    try:
        yield
    finally:
        threading.settrace(of_threads)  # type: ignore[arg-type]
        sys.settrace(tracer)


def is_traced(item: pytest.Item) -> bool:
    """Return whether coverage traces a test."""
    name = item.path.relative_to(TESTS).as_posix() if item.path.is_relative_to(TESTS) else ""
    return name.startswith(TRACED) and item.get_closest_marker("untraced") is None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests that need compiled code first, the player's tests second, and all others last.

    The tests that need compiled code take longest and share one process; meanwhile other processes run the player's
    tests, which need no compiled code. By the time the other tests start commands, the cache contains the compiled
    code.
    """
    first = COMPILED, tuple(f"tests/{name}" for name in TRACED)
    items.sort(key=lambda item: [not item.nodeid.startswith(names) for names in first])
    take_more_examples(items, int(os.environ.get("LITTLEGO_EXAMPLES", "1")))


def take_more_examples(items: list[pytest.Item], times: int) -> None:
    """Multiply the number of examples of each Hypothesis test by `times`.

    By default the suite tries few examples, to be quick. `LITTLEGO_EXAMPLES=10 sh test.sh tests/rules` runs thorough
    tests.
    """
    tests = {id(test): test for item in items if (test := getattr(item, "obj", None)) is not None}
    for test in tests.values():
        known = getattr(test, SETTINGS, None) if times != 1 else None
        if known is not None:
            setattr(test, SETTINGS, settings(known, max_examples=times * known.max_examples))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Run all tests of a file in one process of xdist, so that each module-scoped fixture is created once.

    One process runs all tests that need compiled code.
    """
    from xdist.scheduler import LoadFileScheduling

    class ByFile(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return "compiled" if nodeid.startswith(COMPILED) else super()._split_scope(nodeid)

    config.option.loadscopereorder = False
    return ByFile(config, log)


@pytest.fixture(autouse=True)
def sandbox_mode() -> Iterator[None]:
    """Restore the sandbox mode after a test.

    A cluster's worker changes the mode, and in tests this process may be the worker.
    """
    before = sandbox.asked()
    yield
    sandbox.use(before)
