"""The commands that make something of the declarations and of patterns.yaml: `compile`, `facts` and `schema`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from rules import patternfile
from rules.facts import FACTS
from rules.overrides import OverridesError
from tools.arguments import FINDINGS, FINE, ArgumentError, read_file, trying_to
from tools.commandline import command, output_option, patterns_argument
from tools.files import short_name, write_text
from tools.knowledge import overrides
from tools.knowledge.problems import plural

CHECK = "Write nothing; fail if the output is not up to date."


@command("compile", example="littlego compile\nlittlego compile my.yaml -o my.txt\nlittlego compile --check")
@patterns_argument
@output_option("Default: patterns.txt beside the patterns.yaml.")
@click.option("--check", is_flag=True, help=CHECK)
@click.option("--no-examples", is_flag=True, help="Do not run the patterns' examples.")
def compile_command(patterns: Path, output: Path | None, check: bool, no_examples: bool) -> int:
    """Make patterns.txt from patterns.yaml: what the player reads. Problems go to standard error."""
    from tools.knowledge.compiler import compile_text

    output = output or patterns.with_name("patterns.txt")
    source = read_file(patterns)
    if output.exists() and output.samefile(patterns):
        raise ArgumentError(f"cannot write {short_name(output)}: it is the source; expected another file after -o")
    data, problems, base = compile_text(source, short_name(patterns), not no_examples)
    if data is None:
        print(*problems, sep="\n", file=sys.stderr)
        print(f"{plural(len(problems), 'problem')}; {short_name(output)} is left as it was", file=sys.stderr)
        return FINDINGS
    if not check:
        return _write_output(data, output, len(base.patterns))
    return max(_check_output(data, output), _check_overrides(output.with_name(overrides.NAME)))


def _write_output(data: bytes, output: Path, count: int) -> int:
    from tools.knowledge.textfile import write

    try:
        with trying_to(f"write {short_name(output)}"):
            write(data, output)
    except patternfile.PatternFileError as error:
        raise ArgumentError(f"cannot write {short_name(output)}: {error}") from None
    print(f"{short_name(output)}: {plural(count, 'pattern')}, {len(data):,} bytes")
    return FINE


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


@command("facts", example="littlego facts")
def facts_command() -> int:
    """List the facts that `when` and `points` may use: how each is called, and what it promises."""
    from tools.draw.terminal import wrap_text
    from tools.knowledge.programs import usage

    width = max(len(usage(name)) for name in FACTS)
    for name, fact in FACTS.items():
        head = f"{usage(name):{width}}  "
        print(wrap_text(head, fact.promise) if sys.stdout.isatty() else head + fact.promise)
    print("\n" + wrap_text("", "A and B are labels of chains, P is the label of a point, or `*` for the move."))
    return FINE


@command("schema", example="littlego schema --check\nlittlego schema -o patterns.schema.json")
@output_option("Default: the file that the shipped patterns.yaml names.")
@click.option("--check", is_flag=True, help=CHECK)
def schema_command(output: Path | None, check: bool) -> int:
    """Make the JSON Schema with which editors complete and explain the keys of patterns.yaml."""
    from tools.knowledge.reference import SCHEMA, schema_text

    output = output or SCHEMA
    text, name = schema_text(), short_name(output)
    if check:
        with trying_to(f"read {name}"):
            fresh = output.exists() and output.read_bytes() == text.encode("utf-8")
        if fresh:
            print(f"{name} is up to date")
            return FINE
        print(f"{name} does not fit the declared keys: run `littlego schema`", file=sys.stderr)
        return FINDINGS
    with trying_to(f"write {name}"):
        write_text(output, text)
    print(f"{name}: {len(text.encode()):,} bytes")
    return FINE
