"""The command `check`: everything that is wrong or doubtful in a patterns file, in one run."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from tools.arguments import FINDINGS, FINE, ArgumentError, add_jobs, add_json, add_yaml, complaining, trying_to
from tools.files import STANDARD_OUTPUT, short_name, write_text
from tools.knowledge.codes import CODES
from tools.knowledge.problems import no_such

FORMATS = ("text", "json", "sarif", "github")


def add_parsers(subparsers) -> None:
    """Add the command to the `littlego` parser."""
    parser = subparsers.add_parser("check", help="say all that is wrong or doubtful in a patterns file")
    add_yaml(parser)
    parser.add_argument("--format", choices=FORMATS, default="text", help="default: %(default)s")
    add_json(parser)
    parser.add_argument("-o", "--output", metavar="FILE", help="write there instead of to standard output")
    parser.add_argument("--notes", action="store_true", help="notes too: worth knowing, and no fault")
    parser.add_argument("--no-exact", action="store_true", help="leave out what has to be proven by search")
    add_jobs(parser)
    parser.add_argument("--explain", metavar="CODE", help="print the page about a code; `all` lists the codes")
    parser.set_defaults(run=complaining(run_check))


def run_check(args: argparse.Namespace) -> int:
    """Check a file and report; return 1 where something is worse than a note."""
    if args.explain:
        return _explain(args.explain)
    from tools.lint.check import check_text  # the command line says what to install without PyYAML

    name = short_name(args.yaml)
    with trying_to(f"read {name}"):
        data = args.yaml.read_bytes()
    checked = check_text(data, name, None if args.no_exact else _exact_lints(args.jobs, args.notes), args.notes)
    _deliver(checked, args)
    return FINDINGS if checked.has_findings else FINE


def _exact_lints(processes: int, notes: bool) -> Callable:
    from tools.lint.proofs import Answers, Proofs

    return lambda base, undecided: Proofs(base, Answers(base, processes), undecided, notes).lints()


def _deliver(checked, args: argparse.Namespace) -> None:
    """Write the result in the form and to the place that were asked for."""
    from tools.lint import outputs

    form = "json" if args.json else args.format
    place = args.output or args.json or STANDARD_OUTPUT
    if place != STANDARD_OUTPUT:
        with trying_to(f"write {place}"):
            write_text(place, outputs.FORMATS[form](checked))
        print(outputs.summary(checked), file=sys.stderr)
    elif form == "text" and sys.stdout.isatty():
        from tools.lint.terminal import show

        show(checked)
    else:
        sys.stdout.write(outputs.FORMATS[form](checked))


def _explain(name: str) -> int:
    """Print the page about a code, or all codes with their titles."""
    code = CODES.get(name.upper())
    if code is None and name != "all":
        raise ArgumentError(f"{no_such('code', name.upper(), CODES)}; `littlego check --explain all` lists them")
    if sys.stdout.isatty():
        from tools.lint.terminal import show_codes, show_page

        show_page(code) if code else show_codes()
    else:
        print(code.page() if code else "\n".join(f"{one.name}  {one.title}" for one in CODES.values()))
    return FINE
