"""The command `littlego submit`."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import click

from littlego.cli.arguments import FINDINGS, FINE, ArgumentError
from littlego.cli.commandline import command
from littlego.engines.books import book_in
from littlego.judging.stale import stale_after
from littlego.knowledge.files import read_knowledge
from littlego.match.referee import COLOURS
from littlego.paths import HOME
from littlego.players.named_books import program_with
from littlego.rules.position import BLACK, WHITE
from littlego.sandbox.interpreters import Interpreter, InterpreterError, interpreters
from littlego.submission.folder import (
    OVERRIDES,
    PATTERNS,
    SubmissionError,
    check_patterns,
    check_target,
    handed_in,
    put_in_place,
)
from littlego.submission.proof import (
    AS_PROCESSES,
    ENOUGH,
    RIVAL,
    SEED,
    ProofError,
    prove_agreement,
    prove_game,
    prove_processes,
    prove_statics,
    repository_moves,
)
from littlego.submission.turns import Given, override_turns, played_turns, real_turns

PLAYED_GAMES = 10
EVERY = 3  # every third turn of the real games is tested
OVERRIDDEN = 200  # maximum number of tested turns that overrides decide


@command("submit", example="littlego submit handed-in")
@click.argument("folder", metavar="[FOLDER]", default="submission", type=click.Path(path_type=Path))
def submit(folder: Path) -> int:
    """Build a submission in FOLDER, and test that it plays the same moves as your player.

    FOLDER defaults to `submission`. The command creates FOLDER, or replaces it if it is empty or contains an earlier
    submission. The submission has no subfolders. The player in FOLDER uses patterns.txt and any overrides.txt from the
    current folder. If there is no patterns file there, the player uses the shipped patterns.txt and overrides.txt. The
    test runs in a new folder that contains only the submission, with the Python that runs this command and, if
    installed, also with Python 3.7. If the exit status is 1, FOLDER is unchanged.
    """
    out = Path(os.path.abspath(folder))
    try:
        build_submission(*_sources(), out)
    except (SubmissionError, ProofError, InterpreterError, ArgumentError) as error:
        click.echo(f"littlego submit: {error}\nNothing was written.", err=True)
        return FINDINGS
    except OSError as error:
        click.echo(f"littlego submit: cannot write {out}: {error.strerror or error}", err=True)
        return FINDINGS
    return FINE


def _sources() -> tuple[Path, Path]:
    """Return (the folder of the player to submit, the folder of the player's patterns.yaml).

    Raise SubmissionError or ArgumentError for unusable patterns in the current folder.
    """
    source = Path.cwd()
    if source == HOME:
        return HOME, HOME
    if not any((source / name).is_file() for name in (PATTERNS, "patterns.yaml")):
        click.echo(f"littlego: no {PATTERNS} in this folder; submitting {HOME / PATTERNS}", err=True)
        return HOME, HOME
    check_patterns(source)
    overrides = OVERRIDES if (source / OVERRIDES).is_file() else f"no {OVERRIDES}"
    click.echo(f"littlego: submitting {PATTERNS} and {overrides} from this folder", err=True)
    return Path(program_with(str(source / PATTERNS))).parent, source


def build_submission(root: Path, source: Path, out: Path) -> None:
    """Build the submission in `out` if the proof succeeds; print the manifest and warn about stale files.

    `root` is the player's folder; `source` is the folder of the player's patterns.yaml. If SubmissionError, ProofError,
    InterpreterError or OSError is raised, `out` is unchanged.
    """
    check_target(out)
    files = handed_in(root, source)
    prove(root, files, interpreters())
    stale = stale_after(source, read_knowledge(root / PATTERNS), None)
    put_in_place(files, out)
    click.echo(manifest(files))
    click.echo(f"\n{len(files)} files in {out}")
    for fault in stale:
        click.echo(str(fault))


def prove(root: Path, files: dict[str, bytes], pythons: list[Interpreter]) -> None:
    """Run the proof and print each step; raise ProofError at the first step that fails."""
    prove_statics(files)
    click.echo("accepted by the course: file types and size, Python 3.7 syntax, imports from the standard library")
    if not any(python.version == "3.7" for python in pythons):
        click.echo("Python 3.7 is not installed: the syntax was checked, but the player was not run with Python 3.7")
    turns = real_turns()[::EVERY] + played_turns(book_in(str(root / PATTERNS)), PLAYED_GAMES, SEED)
    turns += override_turns(root / OVERRIDES, OVERRIDDEN)
    if len(turns) < ENOUGH:
        raise ProofError(f"only {len(turns)} positions to compare; expected at least {ENOUGH}")
    moves = repository_moves(root, turns)
    for python in pythons:
        _prove_with(python, root, files, turns, moves)


def _prove_with(python: Interpreter, root: Path, files: dict[str, bytes], turns: list[Given], moves: list[int]) -> None:
    slowest = 0.0
    for colour in (BLACK, WHITE):
        record = prove_game(files, python, colour)
        slowest = max([slowest] + [move.cpu for move in record.moves if move.colour == colour])
        result = "won" if record.winner == colour else "not won"
        click.echo(
            f"Python {python.version}: a whole game as {COLOURS[colour]} against {RIVAL}: {result}, {record.why}"
        )
    longest = prove_agreement(files, python, turns, moves)
    click.echo(
        f"Python {python.version}: the same decisions as the player in all {len(turns):,} positions; "
        f"the slowest decision took {longest:.1f} ms of CPU time"
    )
    some = turns[:: len(turns) // AS_PROCESSES][:AS_PROCESSES]
    prove_processes(files, root, python, some)
    click.echo(f"Python {python.version}: the same output.txt in {len(some)} turns, each in a new process")
    click.echo(
        f"Python {python.version}: the slowest turn of both games took {1000 * slowest:.0f} ms of "
        "CPU time, including the start of Python"
    )


def manifest(files: dict[str, bytes]) -> str:
    """Return a text with a line for each file: SHA-256, size in bytes and name."""
    return "".join(f"\n{hashlib.sha256(data).hexdigest()}  {len(data):>9,}  {name}" for name, data in files.items())
