"""Methods and jobs that misbehave, for tests of the processes that run methods and jobs."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from typing import Any

from littlego.cli.arguments import ArgumentError
from littlego.editor.methods import SLOW, ask, job
from littlego.editor.session import Session

FOREVER = 600.0  # seconds


@ask("test-pid")
def pid(session: Session) -> dict[str, Any]:
    return {"pid": os.getpid()}


@ask("test-environment")
def environment(session: Session) -> dict[str, Any]:
    return dict(os.environ)


@ask("test-blocked")
def blocked(session: Session) -> dict[str, Any]:
    return {"signals": [number.name for number in signal.pthread_sigmask(signal.SIG_BLOCK, [])]}


@ask("test-echo", channel="test")
def echo(session: Session, *, value: int, wait: float = 0.0) -> dict[str, Any]:
    time.sleep(wait)
    return {"value": value, "length": len(session.text)}


@ask("test-slow", channel="test", lane=SLOW)
def slow(session: Session, *, value: int, wait: float = 0.0) -> dict[str, Any]:
    until = time.monotonic() + wait
    while time.monotonic() < until:
        time.sleep(0.01)
    return {"value": value}


@ask("test-die")
def die(session: Session) -> dict[str, Any]:
    os._exit(3)


@ask("test-fail")
def fail(session: Session, *, kind: str) -> dict[str, Any]:
    raise ArgumentError("found a, expected b") if kind == "argument" else ValueError("a fault")


@job("test-count")
def count(session: Session, *, to: int, wait: float = 0.0) -> Iterator[dict[str, Any]]:
    for n in range(to):
        time.sleep(wait)
        yield {"progress": [n + 1, to]}
    return to


@job("test-children")
def children(session: Session, *, marker: str) -> Iterator[dict[str, Any]]:
    """Start a child process, yield its id, and write a file when asked to end."""
    with subprocess.Popen(["sleep", str(FOREVER)]) as process:
        try:
            yield {"result": process.pid}
            time.sleep(FOREVER)
        finally:
            open(marker, "w").close()
            process.kill()


@job("test-stubborn")
def stubborn(session: Session) -> Iterator[dict[str, Any]]:
    yield {"result": os.getpid()}
    while True:
        try:
            time.sleep(FOREVER)
        except SystemExit:
            continue


@job("test-unstoppable", lasting=True)
def unstoppable(session: Session) -> Iterator[dict[str, Any]]:
    """Ignore KeyboardInterrupt, as a compilation does; end on SystemExit."""
    yield {"result": os.getpid()}
    while True:
        try:
            time.sleep(FOREVER)
        except KeyboardInterrupt:
            continue


@job("test-job-fails")
def job_fails(session: Session, *, kind: str) -> Iterator[dict[str, Any]]:
    yield {"result": 1}
    if kind == "die":
        os._exit(1)
    raise ArgumentError("found a, expected b") if kind == "argument" else ValueError("a fault")


@job("test-lasting", lasting=True)
def lasting(session: Session, *, wait: float = 0.0) -> Iterator[dict[str, Any]]:
    yield {"result": os.getpid()}
    time.sleep(wait)
