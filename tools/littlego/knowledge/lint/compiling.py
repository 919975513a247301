"""The command `compile`, which writes patterns.txt or reports the problems of patterns.yaml."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from littlego.cli.arguments import FINDINGS, FINE, ArgumentError, read_file, trying_to
from littlego.cli.commandline import command, output_option, patterns_argument, patterns_ruleset_option
from littlego.engines.choosing import load_book
from littlego.files import short_name
from littlego.knowledge import overrides
from littlego.knowledge.problems import plural
from littlego.knowledge.stale import PATTERNS, Files, stale_at_once
from littlego.paths import patterns_name
from littlego.rules import patternfile
from littlego.rules.overrides import OverridesError
from littlego.rules.turn import as_written

if TYPE_CHECKING:
    from littlego.knowledge.model import KnowledgeBase
    from littlego.knowledge.problems import Problem


@command("compile", example="littlego compile\nlittlego compile my.yaml -o my.txt\nlittlego compile --check")
@patterns_argument
@patterns_ruleset_option
@output_option("Output file.  [default: patterns.txt or patterns.match.txt beside FILE]")
@click.option("--check", is_flag=True, help="Write nothing; fail if the output is stale or overrides.txt is damaged.")
@click.option("--no-examples", is_flag=True, help="Do not run the examples.")
def compile_command(patterns: Path, output: Path | None, check: bool, no_examples: bool) -> int:
    """Compile patterns.yaml to patterns.txt, which the player reads. Errors go to standard error."""
    from littlego.knowledge.compiler import compile_text
    from littlego.knowledge.textfile import pattern_line

    source = read_file(patterns)
    if output and output.exists() and output.samefile(patterns):
        raise ArgumentError(f"cannot write {short_name(output)}: it is the source; expected another file after -o")
    data, problems, base = compile_text(source, short_name(patterns), not no_examples)
    output = output or output_of(patterns, base)
    if data is None:
        return _tell_problems(source, problems, base, output)
    if check:
        status = max(_check_output(data, output), _check_overrides(output.with_name(overrides.NAME)))
    else:
        write_compiled(data, output)
        print(f"{short_name(output)}: {plural(len(base.ranked()), 'pattern')}, {len(data):,} bytes")
        status = FINE
    for line in stale_lines(output, map(pattern_line, base.ranked())) if status == FINE else ():
        print(f"littlego: {line}", file=sys.stderr)
    return status


def output_of(patterns: Path, base: KnowledgeBase) -> Path:
    """Return the default output path for a patterns.yaml: in the same folder, named after the ruleset."""
    return patterns.with_name(patterns_name(base.ruleset.name, "txt"))


def stale_lines(output: Path, lines: Iterable[str]) -> list[str]:
    """Return warnings about a player's stale files, or [] if the output is not named patterns.txt.

    lines: the pattern lines of patterns.txt. Raise ArgumentError for an unreadable file beside the output.
    """
    if output.name != PATTERNS:
        return []
    with trying_to(f"read the files in {short_name(output.parent)}"):
        return [str(one) for one in stale_at_once(Files(output.parent, list(lines)))]


def _tell_problems(source: bytes, problems: list[Problem], base: KnowledgeBase, output: Path) -> int:
    """Print the problems in the format of `check`. Return the exit status."""
    from littlego.knowledge.lint.check import find_causes, problem_lines
    from littlego.knowledge.lint.proofs import lints_of

    causes = find_causes(source, problems, base, lints_of)
    for problem in causes:
        print(*problem_lines(problem), sep="\n", file=sys.stderr)
    print(f"{plural(len(causes), 'problem')}; {short_name(output)} is not changed", file=sys.stderr)
    return FINDINGS


def write_compiled(data: bytes, output: Path) -> None:
    """Write a patterns.txt.

    Raise ArgumentError if the player cannot read the data or the file cannot be written. After an error, the old file
    is unchanged.
    """
    from littlego.knowledge.textfile import write

    try:
        with trying_to(f"write {short_name(output)}"):
            write(data, output)
    except patternfile.PatternFileError as error:
        raise ArgumentError(f"cannot write {short_name(output)}: {error}") from None


def _check_output(data: bytes, output: Path) -> int:
    """Print whether the file on disk equals the compiled patterns, and return the exit status."""
    try:
        present = as_written(output.read_bytes())
        if present == data:
            print(f"{short_name(output)} is up to date")
            return FINE
        load_book(present, str(output))
        reason = "is stale"
    except FileNotFoundError:
        reason = "is missing"
    except OSError as error:
        raise ArgumentError(f"cannot read {short_name(output)}: {error.strerror}") from None
    except patternfile.PatternFileError as error:
        reason = f"is damaged ({str(error).partition(': ')[2]})"
    print(f"{short_name(output)} {reason}: run `littlego compile`", file=sys.stderr)
    return FINDINGS


def _check_overrides(path: Path) -> int:
    """Print whether an overrides.txt is valid, or nothing if the file is missing. Return the exit status."""
    if not path.exists():
        return FINE
    name = short_name(path)
    try:
        with trying_to(f"read {name}"):
            moves = overrides.read(path)
    except OverridesError as error:
        print(f"{name} is damaged ({error}): restore or rebuild the file", file=sys.stderr)
        return FINDINGS
    print(f"{name} is valid: {plural(len(moves), 'override')}")
    return FINE
