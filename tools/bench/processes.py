"""CPU time of child processes: user plus system time as the kernel accounts it, no launcher between."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
from pathlib import Path
from typing import NamedTuple

FLAGS = ("-S", "-E")


class Failed(Exception):
    """A measured process that did not end as it should; the text holds its exit status and standard error."""


def cpu_of(command: list[str], folder: Path) -> float:
    """Run a command in a folder and return its CPU seconds, user plus system; raise Failed unless it exits with 0.

    Standard error goes to a file in the folder's parent, which a failure quotes.
    """
    trouble = folder.parent / f"{folder.name}.stderr"
    with trouble.open("wb") as errors:
        child = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stderr=errors)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode or trouble.stat().st_size:
        said = trouble.read_text(encoding="utf-8", errors="replace").strip()
        raise Failed(f"{' '.join(command)}: exit status {child.returncode}: {said}")
    return usage.ru_utime + usage.ru_stime


def forget_compiled(folder: Path) -> None:
    """Remove what Python keeps compiled in a folder, so that the next start there is a cold one."""
    shutil.rmtree(folder / "__pycache__", ignore_errors=True)


class Spread(NamedTuple):
    """Some measurements, in milliseconds: how many, their median and quartiles."""

    count: int
    median: float
    low: float
    high: float


def spread(seconds: list[float]) -> Spread:
    """Return the spread of at least one measurement in seconds."""
    low, _, high = statistics.quantiles(seconds, n=4, method="inclusive") if len(seconds) > 1 else seconds * 3
    return Spread(len(seconds), 1000 * statistics.median(seconds), 1000 * low, 1000 * high)
