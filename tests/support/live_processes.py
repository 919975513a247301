"""Queries about running processes in Linux's /proc, for tests that check for leftover processes."""

from __future__ import annotations

from pathlib import Path


def is_alive(pid: int) -> bool:
    """Return whether a process exists and is not a zombie."""
    try:
        return _fields(pid)[0] != "Z"
    except OSError:
        return False


def descendants(pid: int) -> set[int]:
    """Return the ids of all descendants of a process."""
    parents = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(folder.name)] = int(_fields(int(folder.name))[1])
        except OSError:  # the process has ended in the meantime
            continue
    found, before = {pid}, set()
    while found != before:
        before = set(found)
        found |= {child for child, parent in parents.items() if parent in found}
    return found - {pid}


def _fields(pid: int) -> list[str]:
    """Return the fields in /proc/PID/stat after the name: the state, the parent's id and so on."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def memory(pid: int) -> int:
    """Return the proportional set size (PSS) of a process in bytes.

    Each shared page is divided by the number of processes that share the page.
    """
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return 1024 * int(line.split()[1])
    raise AssertionError(f"no Pss of {pid}")
