"""The command `littlego dev attack`."""

from __future__ import annotations

import json as json_module
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor
from pathlib import Path
from typing import Any

import click

from littlego.cli.arguments import FINDINGS, FINE, ArgumentError, read_file, require_posix, show_results, trying_to
from littlego.cli.commandline import NATURAL, POSITIVE, command, jobs_option, json_option
from littlego.dev.attack.attacking import (
    PART,
    TARGETS,
    Fault,
    Findings,
    Part,
    attack_part,
    fault_in,
    file_name,
    scratch,
    smallest,
)
from littlego.dev.attack.guided import FAULTS, REPORT, run_guided
from littlego.dev.attack.programs import HOSTILE
from littlego.dev.attack.traps import attack_host
from littlego.files import short_name, write_bytes
from littlego.knowledge.problems import plural
from littlego.parallel import each, with_progress
from littlego.sandbox import sandbox

INPUTS = 2_000
INTERRUPTED = 128 + signal.SIGINT


@command(
    "attack",
    example="littlego dev attack\nlittlego dev attack yaml sgf --minutes 30 --seed 7\n"
    "littlego dev attack --guided --inputs 50000\n"
    "littlego dev attack --programs\n"
    "littlego dev attack --replay attack-faults/yaml-0123456789ab",
)
@click.argument("formats", metavar="[FORMAT]...", nargs=-1, type=click.Choice(list(TARGETS)))
@click.option("--inputs", type=POSITIVE, metavar="N", help="Total number of inputs for all formats.  [default: 2,000]")
@click.option(
    "--minutes", type=click.FloatRange(min=0, min_open=True), metavar="M", help="Run for M minutes instead of N inputs."
)
@click.option("--seed", type=NATURAL, default=0, metavar="S", show_default=True, help="Seed of all inputs.")
@click.option(
    "--first",
    "start",
    type=NATURAL,
    default=0,
    metavar="K",
    show_default=True,
    help="Start with input K of each format.",
)
@click.option("--programs", is_flag=True, help="Run hostile programs in the sandbox instead of reading files.")
@click.option("--guided", is_flag=True, help="Let the fuzzer Atheris choose the inputs by code coverage.")
@click.option("--replay", type=click.Path(path_type=Path), metavar="FILE", help="Test only the input in FILE.")
@click.option(
    "--faults",
    type=click.Path(path_type=Path),
    default="attack-faults",
    metavar="FOLDER",
    show_default=True,
    help="Folder in which to save failing inputs.",
)
@jobs_option
@json_option
def attack(
    formats: tuple[str, ...],
    inputs: int | None,
    minutes: float | None,
    seed: int,
    start: int,
    programs: bool,
    guided: bool,
    replay: Path | None,
    faults: Path,
    jobs: int,
    json: str | None,
) -> int:
    """Fuzz every file reader with damaged and hostile files.

    An input fails if its reader raises an unexpected exception, takes more than 2 s of CPU time or 30 s of wall time,
    or prints control characters. A file that the player reads also fails if the player then makes an illegal move or
    leaves an extra file. A request also fails if the studio changes a file outside its folder or sends the content of
    such a file. FORMAT names a file that the player reads (input, count, patterns, overrides), a user's file (yaml,
    json, sgf, drawing, games), a results file (graded, arena), a file of `grade-class` (roster, zip, class) or a
    request to the studio (studio). The default is all formats. The same seed gives the same inputs. The command
    minimizes and saves the first input with each kind of fault. The exit status is 1 if an input fails.

    With --programs, each hostile program plays two turns beside traps: files, a process and sockets that the program
    must not touch. The check of a program fails if the program touches a trap, leaves a process or a folder behind or
    plays far too slowly, or if the host's messages lack the expected text.
    """
    require_posix("attack")
    if programs:
        return _attack_by_programs(jobs, json)
    if replay:
        return _replay(replay, formats)
    names = formats or tuple(TARGETS)
    run = _Run(names, seed, start, faults, None if minutes else inputs or INPUTS, minutes)
    status = run.guided() if guided else run.seeded(jobs)
    show_results(run.text(), json, run.as_json)
    return status or (FINDINGS if run.faults else FINE)


def _attack_by_programs(jobs: int, json: str | None) -> int:
    """Run all hostile programs in the sandbox, and return the exit status."""
    before = sandbox.asked()
    sandbox.use(sandbox.BWRAP)  # without a sandbox, the programs would harm this machine
    try:
        sandbox.is_used()
        results = dict(with_progress(each(attack_host, HOSTILE, jobs), len(HOSTILE), "program"))
    except sandbox.SandboxError as error:
        raise ArgumentError(str(error)) from None
    finally:
        sandbox.use(before)
    ordered = [results[name] for name in HOSTILE]
    lines = [
        f"{'FAILED' if attacked.faults else 'ok':7} {attacked.seconds:5.1f} s  {attacked.name}" for attacked in ordered
    ]
    lines += [f"{attacked.name}: {fault}" for attacked in ordered for fault in attacked.faults]
    broken = sum(bool(attacked.faults) for attacked in ordered)
    lines += ["", *sorted({f"confinement: {attacked.held}" for attacked in ordered})]
    lines.append(f"{plural(len(ordered), 'program')}, {broken or 'none'} of them failed")
    show_results("\n".join(lines), json, lambda: {"programs": [attacked._asdict() for attacked in ordered]})
    return FINDINGS if broken else FINE


class _Run:
    """A fuzzing run on one or more formats, and its results so far."""

    def __init__(
        self, names: Sequence[str], seed: int, start: int, folder: Path, inputs: int | None, minutes: float | None
    ):
        self.names, self.seed, self.start, self.folder = names, seed, start, folder.absolute()
        self.stop = None if inputs is None else start + -(-inputs // len(names))  # the same for each format
        self.until = None if minutes is None else time.monotonic() + 60 * minutes
        self.found = {name: Findings() for name in names}
        self.faults: dict[tuple[str, str], Fault] = {}  # the first fault of each kind
        self.done: set[tuple[str, int]] = set()

    def parts(self) -> Iterator[Part]:
        """Yield the parts of the run: the first part of each format, then the second parts, and so on."""
        at = self.start
        while self.stop is None or at < self.stop:
            for name in self.names:
                if self.until is not None and time.monotonic() > self.until:
                    return
                yield Part(name, self.seed, at, min(PART, (self.stop or at + PART) - at))
            at += PART

    def seeded(self, jobs: int) -> int:
        """Test the inputs that the seed generates; return the exit status of an interrupted run, else 0."""
        number = None if self.stop is None else len(self.names) * -(-(self.stop - self.start) // PART)
        try:
            for part, result in with_progress(each(attack_part, self.parts(), jobs), number, "part"):
                self.found[part.format].add(result)
                self.done.add((part.format, part.start))
                for fault in result.faults:
                    self.keep(fault)
        except (KeyboardInterrupt, SystemExit) as end:  # SystemExit: stopped by a signal such as SIGTERM
            return _stopped(end)
        except BrokenExecutor:
            raise ArgumentError("an input killed its process: run with `-j 1` to find the input") from None
        return 0

    def guided(self) -> int:
        """Let a fuzzer choose inputs for each format; return the exit status of an interrupted run, else 0."""
        if self.stop is None:
            raise ArgumentError("--guided does not support --minutes; use --inputs N")
        try:
            for name in with_progress(self.names, len(self.names), "format"):
                folder = self.folder / "guided" / name
                run_guided(name, self.stop - self.start, self.seed, folder)
                self._read_report(name, folder)
        except (KeyboardInterrupt, SystemExit) as end:
            return _stopped(end)
        return 0

    def _read_report(self, name: str, folder: Path) -> None:
        """Add the results in the fuzzer's report to the run's results, and save the inputs of new faults."""
        if not (folder / REPORT).is_file():
            raise ArgumentError(
                f"the fuzzer did not run; to see why, run `python -m littlego.dev.attack.guided {name} 1 1 {folder}`"
            )
        report = json_module.loads(read_file(folder / REPORT))
        faults = [
            Fault(name, "guided", what, read_file(folder / FAULTS / file)) for what, file in report["faults"].items()
        ]
        self.found[name].add(Findings(report["inputs"], report["seconds"], report["longest"], "guided", faults))
        for fault in faults:
            self.keep(fault)

    def keep(self, fault: Fault) -> None:
        """Save the minimized input of a fault, unless a fault of the same kind was saved before."""
        if fault.kind not in self.faults:
            self.faults[fault.kind] = fault
            with trying_to(f"write into {short_name(self.folder)}"):
                self.folder.mkdir(parents=True, exist_ok=True)
                whole = self.folder / file_name(fault)
                write_bytes(whole, fault.data)  # saved first, because an interrupt may stop the minimizing
                with scratch():
                    fault = self.faults[fault.kind] = smallest(fault)
                write_bytes(self.folder / file_name(fault), fault.data)
                if whole.name != file_name(fault):
                    whole.unlink()

    def next_start(self) -> int:
        """Return the index of the first input that has not yet been tested for all formats."""
        at = self.start
        while all((name, at) in self.done for name in self.names):
            at += PART
        return at if self.stop is None else min(at, self.stop)

    def text(self) -> str:
        """Return the results as text: a table of the formats, a summary, and each kind of fault."""
        lines = [f"{'':10}   inputs per second  longest answer"]
        for name, result in self.found.items():
            rate = result.inputs / result.seconds if result.seconds else 0
            lines.append(f"{name:10} {result.inputs:8,} {rate:10,.0f} {1000 * result.longest:12.1f} ms")
        inputs = sum(result.inputs for result in self.found.values())
        lines.append(f"{inputs:,} inputs (seed {self.seed}, first input {self.start}): {self._summary()}")
        for fault in self.faults.values():
            place = short_name(self.folder / file_name(fault))
            lines += ["", f"{fault.format}: {fault.what}", f"  {fault.key}; littlego dev attack --replay {place}"]
        return "\n".join(lines)

    def _summary(self) -> str:
        if not self.faults:
            return "no faults"
        return plural(sum(len(result.faults) for result in self.found.values()), "fault")

    def as_json(self) -> dict[str, Any]:
        """Return the results as a JSON value.

        `next_start` is the value of --first that continues this run.
        """
        return {
            "seed": self.seed,
            "start": self.start,
            "next_start": self.next_start(),
            "formats": {name: result.as_json() for name, result in self.found.items()},
        }


def _stopped(end: BaseException) -> int:
    """Print that the run was interrupted, and return the exit status."""
    print("\ninterrupted", file=sys.stderr)
    return end.code if isinstance(end, SystemExit) and isinstance(end.code, int) else INTERRUPTED


def _replay(path: Path, formats: tuple[str, ...]) -> int:
    """Run a format's reader on the input saved at `path`, print the fault, and return the exit status."""
    name = formats[0] if formats else path.name.partition("-")[0]
    if len(formats) > 1 or name not in TARGETS:
        raise ArgumentError(f"--replay {path}: expected one FORMAT: {', '.join(TARGETS)}")
    data = read_file(path)
    with scratch():
        what = fault_in(name, data)
    click.echo(f"{name}: {what or 'no fault'}")
    return FINDINGS if what else FINE
