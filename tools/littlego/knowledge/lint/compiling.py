"""The command `compile`: patterns.yaml to the patterns.txt that the player reads, or all that keeps it from that."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from littlego.cli.arguments import FINDINGS, FINE, ArgumentError, read_file, trying_to
from littlego.cli.commandline import command, output_option, patterns_argument, patterns_ruleset_option
from littlego.files import short_name
from littlego.knowledge import overrides
from littlego.knowledge.problems import plural
from littlego.knowledge.stale import PATTERNS, Files, stale_at_once
from littlego.paths import patterns_name
from littlego.rules import patternfile
from littlego.rules.overrides import OverridesError

if TYPE_CHECKING:
    from littlego.knowledge.model import KnowledgeBase
    from littlego.knowledge.problems import Problem


@command("compile", example="littlego compile\nlittlego compile my.yaml -o my.txt\nlittlego compile --check")
@patterns_argument
@patterns_ruleset_option
@output_option("Output file.  [default: beside FILE, patterns.txt or patterns.match.txt]")
@click.option("--check", is_flag=True, help="Write nothing, and fail if the output is stale.")
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
    """Return where the compiled patterns of a file go: beside it, by the name of its ruleset."""
    return patterns.with_name(patterns_name(base.ruleset.name, "txt"))


def stale_lines(output: Path, lines: Iterable[str]) -> list[str]:
    """Return what no longer holds of a player with these patterns; nothing where no player reads a file of that name.

    lines: of a patterns.txt. Raise ArgumentError where a file beside it cannot be read.
    """
    if output.name != PATTERNS:
        return []
    with trying_to(f"read the files in {short_name(output.parent)}"):
        return [str(one) for one in stale_at_once(Files(output.parent, list(lines)))]


def _tell_problems(source: bytes, problems: list[Problem], base: KnowledgeBase, output: Path) -> int:
    """Say what is wrong, in the words of `check`."""
    from littlego.knowledge.lint.check import find_causes, problem_lines
    from littlego.knowledge.lint.proofs import lints_of

    causes = find_causes(source, problems, base, lints_of)
    for problem in causes:
        print(*problem_lines(problem), sep="\n", file=sys.stderr)
    print(f"{plural(len(causes), 'problem')}; {short_name(output)} is left as it was", file=sys.stderr)
    return FINDINGS


def write_compiled(data: bytes, output: Path) -> None:
    """Write a patterns.txt, which the player must be able to read; raise ArgumentError, and leave the old one."""
    from littlego.knowledge.textfile import write

    try:
        with trying_to(f"write {short_name(output)}"):
            write(data, output)
    except patternfile.PatternFileError as error:
        raise ArgumentError(f"cannot write {short_name(output)}: {error}") from None


def _check_output(data: bytes, output: Path) -> int:
    """Say whether the file on disk is what compiling gives now."""
    try:
        if output.read_bytes() == data:
            print(f"{short_name(output)} is up to date")
            return FINE
        patternfile.load(str(output))
        reason = "does not fit its source"
    except FileNotFoundError:
        reason = "is missing"
    except OSError as error:
        raise ArgumentError(f"cannot read {short_name(output)}: {error.strerror}") from None
    except patternfile.PatternFileError as error:
        reason = f"is damaged ({str(error).partition(': ')[2]})"
    print(f"{short_name(output)} {reason}: run `littlego compile`", file=sys.stderr)
    return FINDINGS


def _check_overrides(path: Path) -> int:
    """Say whether every override beside the patterns is in order; nothing where there are none."""
    if not path.exists():
        return FINE
    name = short_name(path)
    try:
        with trying_to(f"read {name}"):
            moves = overrides.read(path)
    except OverridesError as error:
        print(f"{name} is damaged ({error}): make it anew", file=sys.stderr)
        return FINDINGS
    print(f"{name} is in order: {plural(len(moves), 'override')}")
    return FINE
