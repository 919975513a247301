"""The commands of this room: `littlego compile`, `facts`, `schema` and `test`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from rules import patternfile
from rules.overrides import OverridesError
from rules.vocabulary import FACTS
from tools.arguments import FINDINGS, FINE, ArgumentError, add_yaml, complaining, trying_to
from tools.files import short_name, write_text
from tools.knowledge import overrides, testing
from tools.knowledge.problems import counted

SCHEMA = Path(__file__).with_name("patterns.schema.json")


def add_parsers(subparsers) -> None:
    """Add this room's commands to the command line's argparse subparsers."""
    parser = subparsers.add_parser("compile", help="make patterns.txt from patterns.yaml")
    add_yaml(parser)
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="default: patterns.txt beside the patterns.yaml"
    )
    parser.add_argument("--check", action="store_true", help="write nothing; fail if the output is not up to date")
    parser.add_argument("--no-examples", action="store_true", help="do not run the patterns' examples")
    parser.set_defaults(run=complaining(compile_command))
    parser = subparsers.add_parser("facts", help="list the facts that `when` and `points` may use")
    parser.set_defaults(run=facts_command)
    parser = subparsers.add_parser("schema", help="make the JSON Schema with which editors check patterns.yaml")
    parser.add_argument(
        "-o", "--output", type=Path, default=SCHEMA, metavar="FILE", help="default: the file that patterns.yaml names"
    )
    parser.add_argument("--check", action="store_true", help="write nothing; fail if the output is not up to date")
    parser.set_defaults(run=complaining(schema_command))
    parser = subparsers.add_parser("test", help="run the patterns' examples")
    testing.add_arguments(parser)
    parser.set_defaults(run=complaining(testing.test_command))


def compile_command(arguments: argparse.Namespace) -> int:
    """Compile, or check that the output is up to date; problems go to standard error."""
    from tools.knowledge.compiler import compile_text  # the command line says what to install without PyYAML

    output = arguments.output or arguments.yaml.with_name("patterns.txt")
    name = short_name(arguments.yaml)
    with trying_to(f"read {name}"):
        source = arguments.yaml.read_bytes()
    if output.exists() and output.samefile(arguments.yaml):
        raise ArgumentError(f"cannot write {short_name(output)}: it is the source; expected another file after -o")
    data, problems, base = compile_text(source, name, not arguments.no_examples)
    if data is None:
        print(*problems, sep="\n", file=sys.stderr)
        print(f"{counted(len(problems), 'problem')}; {short_name(output)} is left as it was", file=sys.stderr)
        return FINDINGS
    if not arguments.check:
        return _write(data, output, len(base.patterns))
    return max(_check(data, output), _check_overrides(output.with_name(overrides.NAME)))


def _write(data: bytes, output: Path, count: int) -> int:
    from tools.knowledge.textfile import write

    try:
        with trying_to(f"write {short_name(output)}"):
            write(data, output)
    except patternfile.BadPatternFile as error:
        raise ArgumentError(f"cannot write {short_name(output)}: {error}") from None
    print(f"{short_name(output)}: {counted(count, 'pattern')}, {len(data):,} bytes")
    return FINE


def _check(data: bytes, output: Path) -> int:
    """Say whether the file on disk is what compiling gives now."""
    try:
        found = output.read_bytes()
        if found == data:
            print(f"{short_name(output)} is up to date")
            return FINE
        patternfile.load(output)
        reason = "does not fit its source"
    except FileNotFoundError:
        reason = "is missing"
    except OSError as error:
        raise ArgumentError(f"cannot read {short_name(output)}: {error.strerror}") from None
    except patternfile.BadPatternFile as error:
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
            found = overrides.read(path)
    except OverridesError as error:
        print(f"{name} is damaged ({error}): make it anew", file=sys.stderr)
        return FINDINGS
    print(f"{name} is in order: {counted(len(found), 'override')}")
    return FINE


def facts_command(arguments: argparse.Namespace) -> int:
    """Print the table of facts: how each is called, and what it promises."""
    from tools.draw.terminal import wrap_text
    from tools.knowledge.programs import usage

    width = max(len(usage(name)) for name, *_ in FACTS)
    for name, _, _, _, meaning in FACTS:
        head = f"{usage(name):{width}}  "
        print(wrap_text(head, meaning) if sys.stdout.isatty() else head + meaning)
    print("\n" + wrap_text("", "A and B are labels of chains, P is the label of a point, or `*` for the move."))
    return FINE


def schema_command(arguments: argparse.Namespace) -> int:
    """Write the editors' schema, or check that it is up to date."""
    from tools.knowledge.schema import schema_text

    text, name = schema_text(), short_name(arguments.output)
    if arguments.check:
        with trying_to(f"read {name}"):
            fresh = arguments.output.exists() and arguments.output.read_bytes() == text.encode("utf-8")
        if fresh:
            print(f"{name} is up to date")
            return FINE
        print(f"{name} does not fit the declared keys: run `littlego schema`", file=sys.stderr)
        return FINDINGS
    with trying_to(f"write {name}"):
        write_text(arguments.output, text)
    print(f"{name}: {len(text.encode()):,} bytes")
    return FINE
