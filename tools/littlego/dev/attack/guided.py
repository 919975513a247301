"""Coverage-guided fuzzing of any target with Atheris.

    python -m littlego.dev.attack.guided FORMAT INPUTS SEED FOLDER

This module is a separate program, because libFuzzer, the engine of Atheris, ends its own process. The fuzzer saves the
first input with each kind of fault in FOLDER/faults. It saves the corpus, with which the next run starts, in
FOLDER/corpus. After the first input, after every 100 further inputs, and about once a second, the fuzzer writes the
results so far to FOLDER/report.json.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

from littlego.files import write_bytes, write_json

WATCHED = (
    "littlego.arena",
    "littlego.engines.draw",
    "littlego.grading",
    "littlego.knowledge",
    "littlego.knowledge.lint",
    "littlego.match",
    "littlego.records",
    "littlego.rules",
    "yaml",
)
CORPUS, FAULTS, REPORT = "corpus", "faults", "report.json"
LARGEST = 32_768  # maximum size of an input in bytes


def run_guided(name: str, inputs: int, seed: int, folder: Path) -> None:
    """Run the fuzzer on `inputs` inputs of one format, in a separate process.

    Raise ModuleNotFoundError if Atheris is not installed.
    """
    import_module("atheris")
    command = [sys.executable, "-m", __spec__.name, name, str(inputs), str(seed), str(folder)]
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


def fuzz(name: str, inputs: int, seed: int, folder: Path) -> None:
    """Run the fuzzer, which ends this process."""
    atheris: Any = import_module("atheris")
    with atheris.instrument_imports(include=list(WATCHED), enable_loader_override=False):
        attacking = import_module("littlego.dev.attack.attacking")
    for part in (CORPUS, FAULTS):
        (folder / part).mkdir(parents=True, exist_ok=True)
    seeds = attacking.seeds_of(name)
    for number, data in enumerate(seeds):
        write_bytes(folder / CORPUS / f"seed-{number}", data)
    options = [f"-runs={inputs}", f"-seed={seed or 1}", f"-max_len={LARGEST}", "-verbosity=0", "-timeout=0"]
    run = _counting(attacking, name, folder)
    with attacking.scratch():
        atheris.Setup(
            ["littlego", *options, str(folder / CORPUS)], run, custom_mutator=_mutator(atheris, attacking, name)
        )
        atheris.Fuzz()


def _mutator(atheris: Any, attacking: Any, name: str) -> Callable[[bytes, int, int], bytes]:
    """Return a function that mutates an input with `mutate` or Atheris's mutator.

    The returned function often applies the target's `repair` to the mutated input.
    """
    target, seeds = attacking.TARGETS[name], attacking.seeds_of(name)

    def change(data: bytes, most: int, seed: int) -> bytes:
        rng = Random(seed)
        if rng.random() < 0.4:
            data = bytes(atheris.Mutate(data, most))
        else:
            data = attacking.mutate(data, rng, target.words, rng.choice(seeds))
        if target.repair and rng.random() < 0.7:
            data = target.repair(data)
        return data[:most]

    return change


def _counting(attacking: Any, name: str, folder: Path) -> Callable[[bytes], None]:
    """Return a function that tests an input and updates the report.

    The returned function saves each input with a new kind of fault.
    """
    report: dict[str, Any] = {"inputs": 0, "seconds": 0.0, "longest": 0.0, "faults": {}}
    shown, kinds = time.monotonic(), set()

    def run(data: bytes) -> None:
        nonlocal shown
        began = time.thread_time()
        what = attacking.fault_in(name, data)
        seconds = time.thread_time() - began
        report["inputs"] += 1
        report["seconds"] += seconds
        report["longest"] = max(report["longest"], seconds)
        if what and attacking.kind_of(what) not in kinds:
            kinds.add(attacking.kind_of(what))
            fault = attacking.Fault(name, "guided", what, data)
            write_bytes(folder / FAULTS / attacking.file_name(fault), data)
            report["faults"][what] = attacking.file_name(fault)
        if time.monotonic() - shown > 1 or report["inputs"] % 100 == 1:
            shown = time.monotonic()
            write_json(folder / REPORT, report)

    return run


if __name__ == "__main__":
    fuzz(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]))
