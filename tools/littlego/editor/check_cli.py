"""The command `check`, which reports the problems in a patterns file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from littlego.cli.arguments import FINDINGS, FINE, ArgumentError, read_file, trying_to
from littlego.cli.commandline import (
    command,
    jobs_option,
    json_option,
    output_option,
    patterns_argument,
    patterns_ruleset_option,
)
from littlego.files import STANDARD_OUTPUT, short_name, write_text
from littlego.knowledge.codes import CODES
from littlego.knowledge.problems import no_such

if TYPE_CHECKING:
    from littlego.knowledge.lint.check import Checked, ExactLints

EXAMPLE = """
littlego check
littlego check my.yaml --notes
littlego check --explain L203
"""


def explain(ctx: click.Context, param: click.Parameter, name: str | None) -> None:
    """Print the explanation of a diagnostic code, or all codes with their titles, and exit."""
    if name is None or ctx.resilient_parsing:
        return
    code = CODES.get(name.upper())
    if code is None and name != "all":
        raise ArgumentError(f"{no_such('code', name.upper(), CODES)}; `littlego check --explain all` lists all codes")
    if sys.stdout.isatty():
        from littlego.knowledge.lint.terminal import show_codes, show_page

        show_page(code) if code else show_codes()
    else:
        print(code.page() if code else "\n".join(f"{one.name}  {one.title}" for one in CODES.values()))
    ctx.exit(FINE)


@command("check", example=EXAMPLE)
@patterns_argument
@patterns_ruleset_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "sarif", "github"]),
    default="text",
    show_default=True,
    help="Format of the report.",
)
@json_option
@output_option("Write the report to FILE.")
@click.option("--notes", is_flag=True, help="Also report notes.")
@click.option(
    "--fix",
    is_flag=True,
    help="Before the report, apply the fixes that change no decision: write points as a table, remove unneeded labels "
    "and conditions, and turn passing todo examples into regular examples.",
)
@click.option("--no-exact", is_flag=True, help="Skip the checks that need a search.")
@jobs_option
@click.option(
    "--explain",
    metavar="CODE",
    is_eager=True,
    expose_value=False,
    callback=explain,
    help="Print the explanation of a diagnostic code; `all` lists the codes.",
)
def check(
    patterns: Path,
    form: str,
    json: str | None,
    output: Path | None,
    notes: bool,
    fix: bool,
    no_exact: bool,
    jobs: int,
) -> int:
    """Check a patterns file, and report errors, warnings and, with --notes, notes.

    The exit status is 1 if the file has an error or a warning.
    """
    from littlego.knowledge.lint.check import check_text

    exact_lints = None if no_exact else _exact_lints(jobs, notes)
    if fix:
        _fix(patterns, exact_lints)
    checked = check_text(read_file(patterns), short_name(patterns), exact_lints, notes)
    _deliver(checked, "json" if json else form, str(output or json or STANDARD_OUTPUT))
    return FINDINGS if checked.has_findings else FINE


def _fix(patterns: Path, exact_lints: ExactLints | None) -> None:
    """Apply the safe fixes to a patterns file, and print each fixed problem to standard error."""
    from littlego.editor.fixes import apply_safe_fixes
    from littlego.knowledge.lint.check import check_text
    from littlego.knowledge.problems import Problem
    from littlego.knowledge.splice import rewrite

    fixed: list[Problem] = []

    def edit(text: str, name: str) -> str:
        text, found = apply_safe_fixes(
            text, name, lambda some: check_text(some.encode(), name, exact_lints, True).problems
        )
        fixed.extend(found)
        return text

    rewrite(patterns, edit)
    for problem in fixed:
        print(f"fixed {problem.file}:{problem.line}:{problem.column} {problem.code} {problem.message}", file=sys.stderr)


def _exact_lints(processes: int, notes: bool) -> ExactLints:
    from littlego.knowledge.lint.proofs import lints_of

    return lambda base, undecided: lints_of(base, undecided, processes, notes)


def _deliver(checked: Checked, form: str, place: str) -> None:
    """Write the result in the format `form` to the path `place`, or to standard output if `place` is `-`."""
    from littlego.knowledge.lint.check import FORMATS, summary

    if place != STANDARD_OUTPUT:
        with trying_to(f"write {place}"):
            write_text(place, FORMATS[form](checked))
        print(summary(checked), file=sys.stderr)
    elif form == "text" and sys.stdout.isatty():
        from littlego.knowledge.lint.terminal import show

        show(checked)
    else:
        sys.stdout.write(FORMATS[form](checked))
