"""The command `grade-patterns`: grades of the player and each pattern on labelled positions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from littlego.cli.arguments import FINDINGS, FINE, ArgumentError, write_results
from littlego.cli.commandline import NATURAL, Function, command, json_option, labels_option, patterns_option
from littlego.files import STANDARD_OUTPUT
from littlego.truth.labels import PARTS, SOURCES, TEST, WORKING

MOST, DRAWN = 20, 3
CENTRE_GAMES = "centre"
EPILOG = """A position is at stake if some moves win and others lose. The player's rate is the share of these positions
in which the player blunders. A colour's mean rate is the unweighted mean, with a 95% interval, of its rates for
each number of moves left up to 14. The mean omits positions with more moves left, because few of them are labelled.
The command draws no boards of the test part, because no pattern may be based on them.

Exit status: 0 for success; 1 if a mean rate is above --fail-over; 2 if the command could not run."""


def part_option(default: str | None = WORKING) -> Callable[[Function], Function]:
    """Return a decorator that adds `--part NAME`, passed as `part`."""
    return click.option(
        "--part",
        type=click.Choice(PARTS),
        default=default,
        show_default=True,
        help="Part of the labels: the working part, or the test part, which must not be used to improve a player.",
    )


def source_option(default: str) -> Callable[[Function], Function]:
    """Return a decorator that adds `--source NAME`, passed as `source`.

    default: the text that describes the default in the help.
    """
    return click.option(
        "--source",
        type=click.Choice([*(name for name in SOURCES if name != CENTRE_GAMES), "all"]),
        help="Source of the positions. met: games of our player against opponents with 0, 10 or 30% random moves; "
        "astray: games in which our player also errs; tree: games of our player against random moves only; real: "
        f"recorded games of the course's players; recorded: recorded decisions.  [default: {default}]",
    )


@command(
    "grade-patterns",
    example="littlego dev grade-patterns\nlittlego dev grade-patterns take-the-last-liberty --boards 6\n"
    "littlego dev grade-patterns --worth --most 0",
    epilog=EPILOG,
)
@click.argument("ids", nargs=-1, metavar="[ID]...")
@patterns_option()
@part_option()
@source_option("met for the player, all for the patterns")
@click.option(
    "--openings",
    type=click.Choice([CENTRE_GAMES]),
    help="Use only positions that our player met as Black after a first move in the centre.",
)
@click.option(
    "--worth",
    is_flag=True,
    help="Also show how many wins the removal of each pattern gives away, starting with the least useful pattern.",
)
@click.option(
    "--boards",
    "worst",
    type=NATURAL,
    metavar="N",
    help="Draw at most N blunders; with ID, at most N for each pattern.  [default: 0; with ID: 3]",
)
@click.option(
    "--most",
    type=NATURAL,
    default=MOST,
    show_default=True,
    metavar="N",
    help="Show at most N patterns, 0 for all.",
)
@click.option(
    "--fail-over",
    type=click.FloatRange(0),
    default=100.0,
    metavar="PERCENT",
    help="Fail if the mean rate of either colour is above PERCENT.",
)
@labels_option
@click.option(
    "--overrides",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Also measure the player with these overrides.  [default: any overrides.txt beside the patterns]",
)
@json_option
def grade_patterns(
    ids: tuple[str, ...],
    patterns: str,
    part: str,
    source: str | None,
    openings: str | None,
    worth: bool,
    worst: int | None,
    most: int,
    fail_over: float,
    labels: Path,
    overrides: Path | None,
    json: str | None,
) -> int:
    """Measure how often the player and each pattern err in the labelled positions.

    With ID the command shows only the named patterns, in detail.
    """
    if openings and source:
        raise ArgumentError("--openings uses only positions that our player met: omit --source")
    if worst and part == TEST:
        raise ArgumentError(
            "boards of the test part are not drawn, because no pattern may be based on them: omit --boards"
        )
    from littlego.cli.terminal import console
    from littlego.knowledge.files import read_solvable
    from littlego.knowledge.overrides import load_overrides
    from littlego.truth.grades.grades import exceeds, grade
    from littlego.truth.grades.text import draw_report
    from littlego.truth.labels.decider import overrides_of

    knowledge = read_solvable(patterns)
    knowledge.check_ids(ids)
    moves = load_overrides(overrides or overrides_of(patterns))
    report = grade(knowledge.book, part, openings or source, labels, moves, worth)
    write_results(json, lambda: {"patterns_file": knowledge.name, **report.as_json()})
    if json != STANDARD_OUTPUT:
        boards = DRAWN if worst is None and ids and part == WORKING else worst or 0
        console().print(*draw_report(report, ids, most, boards), sep="\n")
    return FINDINGS if exceeds(report, fail_over) else FINE
