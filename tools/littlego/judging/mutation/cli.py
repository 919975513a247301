"""The command `mutate`, which reports pattern changes that no example or recorded decision detects."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

import click

from littlego.cli.arguments import FINDINGS, FINE, ArgumentError, read_file, trying_to, write_results
from littlego.cli.commandline import (
    command,
    decisions_option,
    jobs_option,
    json_option,
    more_positions_option,
    patterns_option,
    patterns_ruleset_option,
    scheduler_option,
)
from littlego.cli.terminal import console
from littlego.files import STANDARD_OUTPUT, short_name
from littlego.judging.corpora import corpora_of
from littlego.judging.corpus import spelled
from littlego.judging.mutation.findings import Findings, as_json
from littlego.judging.mutation.mutants import POINTS, PRIORITY
from littlego.judging.mutation.report import print_report
from littlego.judging.mutation.scores import (
    can_be_seen,
    equivalents_of,
    excuse_listed,
    find_stale_entries,
    read_equivalents,
    score_of,
    within_reach,
)
from littlego.judging.mutation.trial import (
    SURVIVED,
    Laboratory,
    Outcome,
    Setup,
    fewest_pins,
    find_pins,
    laboratory,
    try_all_mutants,
)
from littlego.judging.recorded import add_decisions, copy_record
from littlego.knowledge.files import compile_yaml
from littlego.knowledge.model import Example
from littlego.knowledge.problems import no_such, plural
from littlego.knowledge.splice import add_examples, check_rewritable, rewrite

THRESHOLD = 90.0
FILE = click.Path(path_type=Path)
HELP = """Change each pattern slightly, and report the changes that no example or recorded decision detects.

Each change makes a mutant. An example or recorded decision that detects the change kills the mutant. A mutant that is
not killed is equivalent if its change has no effect; otherwise it is a survivor. The score is the percentage of mutants
that are killed, not counting equivalent mutants. ID is a pattern's id and may contain *. Without ID the command tries
all patterns.

The exit status is 1 if the score is below --fail-under, or if the list of equivalent mutants has a stale entry. For
--fail-under, survivors for which no killing example is found do not count."""
EXAMPLE = """
littlego mutate
littlego mutate 'take-*' --survivors
littlego mutate crosscut --write
littlego mutate --record
"""


@command("mutate", help=HELP, example=EXAMPLE)
@click.argument("ids", nargs=-1, metavar="[ID]...")
@patterns_option("a patterns.yaml", by_ruleset=True)
@patterns_ruleset_option
@jobs_option
@scheduler_option
@click.option(
    "--survivors", is_flag=True, help="Draw each survivor and, if found, a board that would kill the survivor."
)
@click.option(
    "--write",
    is_flag=True,
    help="Add boards that would kill survivors to the patterns file as examples; review each board.",
)
@click.option("--record", is_flag=True, help="Record positions that detect changed points and priorities.")
@more_positions_option(what_for="With --record: also use")
@click.option("--list", "only_list", is_flag=True, help="List the mutants, and test nothing.")
@click.option(
    "--fail-under",
    "threshold",
    type=click.FloatRange(0, 100),
    default=THRESHOLD,
    metavar="PERCENT",
    show_default=True,
    help="Fail if the score is below PERCENT.",
)
@click.option(
    "--equivalent",
    type=FILE,
    metavar="FILE",
    help="File of equivalent mutants.  [default: the shipped file, for the shipped patterns.yaml only]",
)
@decisions_option
@click.option("--fresh", is_flag=True, help="Ignore the results of earlier runs.")
@json_option
def mutate(
    ids: tuple[str, ...],
    patterns: str,
    jobs: int,
    scheduler: str | None,
    survivors: bool,
    write: bool,
    record: bool,
    extra: tuple[Path, ...],
    only_list: bool,
    threshold: float,
    equivalent: Path | None,
    snapshot: Path | None,
    fresh: bool,
    json: str | None,
) -> int:
    """Try the mutants of patterns, report the survivors, and return the exit status."""
    if only_list and (write or record):
        raise ArgumentError(f"--{'write' if write else 'record'} together with --list: choose one")
    lab = _read_laboratory(patterns, write, record, snapshot, not fresh)
    names = _choose_ids(ids, list(lab.patterns))
    if only_list:
        _list_mutants(lab, names, json)
        return FINE
    equivalent = equivalent or equivalents_of(Path(patterns))
    outcomes, stale = _try(lab, names, jobs, scheduler, equivalent)
    left = [outcome for outcome in outcomes if outcome.result == SURVIVED]
    is_pinned, reached = bool(survivors or json or write), score_of(within_reach(outcomes)).percent
    pins = _find_pins(lab, left, jobs, scheduler) if is_pinned or reached < threshold else None
    findings = Findings(lab, outcomes, left if is_pinned or ids else [], pins, stale)
    status = _report(findings, equivalent, threshold, survivors, json)
    if write:
        _write_pins(findings, Path(patterns), json)
    if record:
        _record_witnesses(lab, left, extra, snapshot or corpora_of(lab.ruleset).record_of(Path(patterns).parent), json)
    return status


def _read_laboratory(path: str, write: bool, record: bool, snapshot: Path | None, cached: bool) -> Laboratory:
    """Return the Laboratory of a patterns file; raise ArgumentError if the file or an option is unusable.

    write: whether the run adds examples to the file; the command must then be able to rewrite the file. record: whether
    the run records positions, which only Little-Go supports. snapshot: the file of recorded decisions; by default the
    record in the patterns' folder or, if there is none, the shipped record.
    """
    data, name = read_file(Path(path)), short_name(path)
    _, base = compile_yaml(data, name)
    if write:
        check_rewritable(Path(path))
    text = data.decode("utf-8")
    snapshot = snapshot or corpora_of(base.ruleset.name).record_for(Path(path).parent)
    with trying_to(f"read {short_name(snapshot)}"):
        lab = laboratory(Setup.read(text, name, base.ruleset.name, snapshot, cached))
    if record:
        lab.evidence.check_record()
    return lab


def _choose_ids(wanted: Sequence[str], known: list[str]) -> list[str]:
    """Return the known ids that match an id or glob in `wanted`, in file order.

    If `wanted` is empty, return all ids. Raise ArgumentError for an id or glob that matches no known id.
    """
    for word in wanted:
        if not any(fnmatchcase(name, word) for name in known):
            raise ArgumentError(no_such("pattern", word, known))
    return [name for name in known if not wanted or any(fnmatchcase(name, word) for word in wanted)]


def _list_mutants(lab: Laboratory, ids: list[str], json: str | None) -> None:
    rows = []
    for name in ids:
        places = lab.places(name)
        for mutant, _ in lab.mutants(name):
            line, column = places.of(mutant)
            rows.append({"pattern": name, "mutant": mutant.name, "kind": mutant.kind, "line": line, "column": column})
    if json:
        write_results(json, lambda: rows)
    else:
        for row in rows:
            print(f"{lab.setup.filename}:{row['line']}:{row['column']}: {row['pattern']}: {row['mutant']}")


def _try(
    lab: Laboratory,
    ids: list[str],
    jobs: int,
    scheduler: str | None,
    equivalent: Path | None,
) -> tuple[list[Outcome], list[str]]:
    """Return the outcomes of the mutants, and a message for each stale entry in the file `equivalent`."""
    equivalents = read_equivalents(equivalent) if equivalent else {}
    outcomes = try_all_mutants(lab.setup, ids, jobs, scheduler)
    stale = find_stale_entries(outcomes, equivalents, lab.patterns)
    return excuse_listed(outcomes, equivalents), stale


def _find_pins(
    lab: Laboratory, survivors: list[Outcome], jobs: int, scheduler: str | None
) -> dict[tuple[str, str], Example]:
    """Return {(pattern, mutant): example that would kill the mutant} for the survivors.

    Survivors for which the search finds no example are omitted.
    """
    return find_pins(lab.setup, list(filter(can_be_seen, survivors)), jobs, scheduler)


def _write_pins(findings: Findings, path: Path, json: str | None) -> None:
    """Add examples that kill survivors to the patterns file, and print the place of each new example."""
    lab, name = findings.lab, short_name(path)
    pins = findings.pins or {}
    wanted = fewest_pins(lab, findings.shown, pins)
    if wanted:
        base = rewrite(path, lambda text, name: add_examples(text, name, wanted), read=lab.setup.text)
        added = [
            f"{name}:{example.line}: {pattern.id}: {example.kind}"
            for pattern in base.patterns
            for example in pattern.examples
            if example.asked in [one.asked for one in wanted.get(pattern.id, ())]
        ]
    else:
        added = []
    boardless = len(findings.shown) - len(pins)
    lines = [
        *added,
        f"{name}: {plural(len(added), 'example')} added" + ("; review each example" if added else ""),
        *([f"no board was found for {plural(boardless, 'other survivor')}"] if boardless else []),
    ]
    print(*lines, sep="\n", file=sys.stderr if json == STANDARD_OUTPUT else sys.stdout)


def _record_witnesses(
    lab: Laboratory, survivors: list[Outcome], extra: Sequence[Path], target: Path, json: str | None
) -> None:
    """Record positions that detect surviving changes to points and priorities, and print a summary.

    extra: files of positions to search in addition to the labelled positions.
    """
    from littlego.judging.mutation.witnesses import (  # lazy: few runs need the compiled engine
        fewest_witnesses,
        find_witnesses,
    )

    found = find_witnesses(lab, [outcome for outcome in survivors if outcome.kind in (POINTS, PRIORITY)], extra)
    positions, name = fewest_witnesses(found), short_name(target)
    added = spelled(positions)
    copy_record(Path(lab.setup.snapshot), target)
    add_decisions(added.with_moves(added.decide(lab.book)), target)
    told = sum(codes.size > 0 for codes in found.values())
    line = f"{name}: {plural(len(positions), 'position')} added to detect {told} of {plural(len(found), 'survivor')}"
    print(f"{line} with changed points or priorities", file=sys.stderr if json == STANDARD_OUTPUT else sys.stdout)


def _report(findings: Findings, equivalent: Path | None, threshold: float, drawn: bool, json: str | None) -> int:
    """Print the findings, or write them as JSON; return the exit status."""
    if json:
        write_results(json, lambda: as_json(findings))
    else:
        print_report(console(), findings, drawn)
    for complaint in findings.stale:
        print(f"{equivalent}: {complaint}", file=sys.stderr)
    return FINDINGS if findings.stale or findings.reachable.percent < threshold else FINE
