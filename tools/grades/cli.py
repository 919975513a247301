"""The command `grade-patterns`: the player and each of its patterns against the truth."""

from __future__ import annotations

from pathlib import Path

import click

from tools.arguments import FINDINGS, FINE, ArgumentError, write_results
from tools.commandline import NATURAL, command, json_option, labels_option, patterns_option
from tools.files import STANDARD_OUTPUT
from tools.labels import PARTS, SOURCES, TEST, WORKING

MOST, DRAWN = 20, 3
CENTRE_GAMES = "centre"
EPILOG = """The rate of the player is that of the positions in which it can give a win away and does: the unweighted
mean over 2 to 14 moves left, with 95% intervals. With more left, where fewer positions are labelled, the rows stand
beside it. Boards of the test part are not drawn: no pattern may be made with them in view.

Exit status: 0 done, 1 a rate is above --fail-over, 2 could not run."""


@command(
    "grade-patterns",
    example="littlego grade-patterns\nlittlego grade-patterns take-the-last-liberty --worst 6",
    epilog=EPILOG,
    renamed={"--file": "--patterns", "--exceptions": "--overrides"},
)
@click.argument("ids", nargs=-1, metavar="[ID]...")
@patterns_option()
@click.option(
    "--part",
    type=click.Choice(PARTS),
    default=WORKING,
    show_default=True,
    help="The positions to learn from, or those that no pattern is tuned on.",
)
@click.option(
    "--source",
    type=click.Choice([*(name for name in SOURCES if name != CENTRE_GAMES), "all"]),
    help="Where the positions were met.  [default: met for the player, all for the patterns]",
)
@click.option(
    "--openings",
    type=click.Choice([CENTRE_GAMES]),
    help="Just positions met as Black after opening in the centre.",
)
@click.option(
    "--worst",
    type=NATURAL,
    metavar="N",
    help=f"Draw N boards where a win was given away.  [default: 0; {DRAWN} for patterns in detail]",
)
@click.option(
    "--most",
    type=NATURAL,
    default=MOST,
    show_default=True,
    metavar="N",
    help="Rows of the tables of patterns, 0 for all.",
)
@click.option(
    "--fail-over",
    type=click.FloatRange(0),
    default=100.0,
    metavar="PERCENT",
    help="Fail if either colour gives away a larger share of its wins.",
)
@labels_option
@click.option(
    "--overrides",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Measure with these as well.  [default: overrides.txt, if there is one]",
)
@json_option
def grade_patterns(
    ids: tuple[str, ...],
    patterns: str,
    part: str,
    source: str | None,
    openings: str | None,
    worst: int | None,
    most: int,
    fail_over: float,
    labels: Path,
    overrides: Path | None,
    json: str | None,
) -> int:
    """Judge what the player decides, and each of its patterns, by the labels of `littlego label`.

    With IDs, show just these patterns, in detail.
    """
    if openings and source:
        raise ArgumentError("--openings is about the positions that our player met: leave --source out")
    if worst and part == TEST:
        raise ArgumentError("boards of the test part are not drawn: no pattern may be made with them in view")
    from tools.draw.terminal import console
    from tools.grades.grades import exceeds, grade
    from tools.grades.text import draw_report
    from tools.knowledge.files import read_solvable
    from tools.labels.decider import load_overrides

    knowledge = read_solvable(patterns)
    knowledge.check_ids(ids)
    report = grade(knowledge.book, part, openings or source, labels, load_overrides(overrides))
    write_results(json, lambda: {"patterns_file": knowledge.name, **report.as_json()})
    if json != STANDARD_OUTPUT:
        boards = DRAWN if worst is None and ids and part == WORKING else worst or 0
        console().print(*draw_report(report, ids, most, boards), sep="\n")
    return FINDINGS if exceeds(report, fail_over) else FINE
