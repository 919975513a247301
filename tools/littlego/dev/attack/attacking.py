"""Fuzzing of one format in parts, with time limits, and minimization of the failing inputs."""

from __future__ import annotations

import signal
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any, NamedTuple

from littlego.dev.attack.classes import CLASSES
from littlego.dev.attack.kept import KEPT
from littlego.dev.attack.mutator import mutate
from littlego.dev.attack.studio_requests import STUDIO
from littlego.dev.attack.targets import DOCUMENTS, TooLong, check_shown
from littlego.dev.attack.turns import TURNS
from littlego.paths import HOME
from littlego.studio.processes import LATER, is_called_back, is_delicate

TARGETS = {target.name: target for target in (*TURNS, *DOCUMENTS, *KEPT, *CLASSES, *STUDIO)}
LONGEST = 2.0  # CPU time limit of an answer in seconds
PATIENCE = 30.0  # limit of elapsed time in seconds, after which the fuzzer stops waiting for an answer
PART = 200  # number of inputs in a task
MOST_SHRINKING = 400  # maximum number of inputs tried to minimize a faulty input
LONGEST_SHRINKING = 20.0  # time limit for minimizing in seconds, because a slow input would take minutes


class Part(NamedTuple):
    """A task: `count` inputs of one format and seed, beginning with input number `start`."""

    format: str
    seed: int
    start: int
    count: int  # type: ignore[assignment] # hides tuple.count, which no caller needs


class Fault(NamedTuple):
    """A failing input. key: see key_of. what: a description of the fault, `KIND: details`."""

    format: str
    key: str
    what: str
    data: bytes

    @property
    def kind(self) -> tuple[str, str]:
        """The fault's kind as (format, description without details).

        Faults with one cause usually have the same kind.
        """
        return self.format, kind_of(self.what)


def kind_of(what: str) -> str:
    """Return the part of a fault's description that does not depend on the input."""
    return what.partition(": ")[0]


@dataclass
class Findings:
    """The results of a fuzzing run or of a part of the run."""

    inputs: int = 0  # number of inputs
    seconds: float = 0.0  # CPU seconds of all answers
    longest: float = 0.0  # CPU seconds of the slowest answer
    slowest: str = ""  # key of the slowest input
    faults: list[Fault] = field(default_factory=list)

    def add(self, other: Findings) -> None:
        """Add the results of another part."""
        self.inputs += other.inputs
        self.seconds += other.seconds
        self.faults += other.faults
        if other.longest > self.longest:
            self.longest, self.slowest = other.longest, other.slowest

    def as_json(self) -> dict[str, Any]:
        """Return the results as plain JSON values."""
        faults = [{"key": fault.key, "what": fault.what} for fault in self.faults]
        return {
            "inputs": self.inputs,
            "seconds": round(self.seconds, 3),
            "longest": round(self.longest, 4),
            "slowest": self.slowest,
            "faults": faults,
        }


@cache
def seeds_of(name: str) -> tuple[bytes, ...]:
    """Return the contents of a format's valid files, from which the mutator generates inputs."""
    return tuple(TARGETS[name].seeds())


def attack_part(part: Part) -> Findings:
    """Test the inputs of a part and return the findings."""
    result = Findings()
    with scratch():
        for number in range(part.start, part.start + part.count):
            attack_one(result, part.format, key_of(part.format, part.seed, number))
    return result


def attack_one(found: Findings, name: str, key: str) -> None:
    """Test the input with this key in the current folder, and add the result to `found`.

    The function generates the input from the key. name: the name of the format.
    """
    data = made_from(name, key)
    began = time.thread_time()
    what = fault_in(name, data)
    seconds = time.thread_time() - began
    found.inputs += 1
    found.seconds += seconds
    if seconds > found.longest:
        found.longest, found.slowest = seconds, key
    if what:
        found.faults.append(Fault(name, key, what, data))


def key_of(name: str, seed: int, number: int) -> str:
    """Return the key of an input. The key, the target and the mutator determine the input's bytes."""
    return f"{name}:{seed}:{number}"


def made_from(name: str, key: str) -> bytes:
    """Return the bytes of the input with this key."""
    target, seeds, rng = TARGETS[name], seeds_of(name), Random(key)
    data = mutate(rng.choice(seeds), rng, target.words, rng.choice(seeds))
    return target.repair(data) if target.repair and rng.random() < 0.7 else data


@contextmanager
def scratch() -> Iterator[None]:
    """Run the `with` block in an empty temporary folder, and remove the folder afterwards."""
    with tempfile.TemporaryDirectory(prefix="littlego-attack-") as folder, chdir(folder):
        yield


def fault_in(name: str, data: bytes) -> str:
    """Test an input in the current folder; return the fault in one line, or '' if there is no fault.

    name: the name of the format.
    """
    try:
        with limits():
            check_shown(TARGETS[name].run(data))
    except TooLong as late:
        return str(late)
    except Exception as error:
        return f"{type(error).__name__} at {_place(error)}: {str(error)[:200]!r}"
    return ""


def _place(error: Exception) -> str:
    """Return the innermost traceback line in our code, or in any code if there is none, as FILE:LINE."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if Path(frame.filename).is_relative_to(HOME)]
    last = (ours or list(frames))[-1]
    return f"{Path(last.filename).name}:{last.lineno}"


@contextmanager
def limits() -> Iterator[None]:
    """Raise TooLong if the `with` block exceeds the limit of CPU time or of elapsed time."""

    def late(number: int, frame: FrameType | None) -> None:
        if is_delicate(frame) or is_called_back(frame):  # a half-loaded module would stay, and fail again and again
            signal.setitimer(signal.ITIMER_PROF if number == signal.SIGPROF else signal.ITIMER_REAL, LATER)
            return
        kind = f"{LONGEST:g} s of CPU time" if number == signal.SIGPROF else f"{PATIENCE:g} s"
        raise TooLong(f"no answer within {kind}")

    before = {number: signal.signal(number, late) for number in (signal.SIGPROF, signal.SIGALRM)}
    signal.setitimer(signal.ITIMER_PROF, LONGEST)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            signal.signal(number, handler)


def smallest(fault: Fault) -> Fault:
    """Return a fault of the same kind with the smallest failing input that the search finds."""

    def still(data: bytes) -> bool:
        return kind_of(fault_in(fault.format, data)) == kind_of(fault.what)

    return fault._replace(data=shrink(fault.data, still))


def shrink(data: bytes, still: Callable[[bytes], bool]) -> bytes:
    """Return a smaller input for which `still` returns True, or `data` if the search finds none.

    The function removes pieces of the input, large pieces first. MOST_SHRINKING limits the number of attempts, and
    LONGEST_SHRINKING limits the total time.
    """
    tried, size, until = 0, max(len(data) // 2, 1), time.monotonic() + LONGEST_SHRINKING
    while tried < MOST_SHRINKING and time.monotonic() < until:
        at, smaller = 0, False
        while at < len(data) and tried < MOST_SHRINKING and time.monotonic() < until:
            less, tried = data[:at] + data[at + size :], tried + 1
            if still(less):
                data, smaller = less, True
            else:
                at += size
        if size == 1 and not smaller:
            break
        size = max(size // 2, 1)
    return data


def file_name(fault: Fault) -> str:
    """Return the name of the file for a failing input. The name depends only on the format and on the input's bytes."""
    return f"{fault.format}-{sha256(fault.data).hexdigest()[:12]}"
