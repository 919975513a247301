"""The command `fit`: points from games, shown, and written where a person accepts them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tools.arguments import FINDINGS, FINE, ArgumentError, default_patterns, read_file, write_results
from tools.commandline import NATURAL, POSITIVE, PositiveNumber, accepted_of, command, jobs_option, json_option
from tools.data import ENGINE_GAMES
from tools.draw.terminal import console
from tools.files import STANDARD_OUTPUT, short_name
from tools.games.match import NAME as MATCH

if TYPE_CHECKING:
    from tools.fitting.fitting import Change, Fit, Settings

SHOWN = 40  # changes
ZERO, PRESENT = "zero", "present"  # what points may lie around
EXAMPLE = """
littlego fit
littlego fit --size 9 --most 0
littlego fit --accept --id keep-the-ladder --id hane-at-the-head
littlego fit --games mine.xz --accept --interactive
"""
STATUS = "Exit status: 0 no point changes, or all changes were accepted; 1 points would change; 2 could not run."


@command("fit", example=EXAMPLE, epilog=STATUS)
@click.argument("patterns", metavar="[FILE]", required=False, type=click.Path(path_type=Path))
@click.option(
    "--games",
    "files",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="FILE",
    help=f"Games that `littlego selfplay` has kept; may be repeated.  [default: {short_name(ENGINE_GAMES)}]",
)
@click.option("--size", "sizes", type=POSITIVE, multiple=True, metavar="N", help="Only boards of N; may be repeated.")
@click.option("--moves", type=POSITIVE, default=40, show_default=True, metavar="N", help="Of each game at most.")
@click.option(
    "--loser",
    type=click.FloatRange(0, 1),
    default=0.5,
    show_default=True,
    metavar="W",
    help="How much a move of an engine that lost counts; of the side that won 1.",
)
@click.option(
    "--prior",
    type=PositiveNumber(),
    metavar="P",
    help="How far points lie from --around before any game is seen, one standard deviation.  [default: by "
    "cross-validation]",
)
@click.option(
    "--around",
    type=click.Choice([ZERO, PRESENT]),
    help="Around what points lie before any game is seen.  [default: by cross-validation]",
)
@click.option("--id", "ids", multiple=True, metavar="ID", help="Show and accept these patterns alone; repeatable.")
@click.option("--accept", is_flag=True, help="Write the fitted points into FILE.")
@click.option("-i", "--interactive", is_flag=True, help="With --accept: ask for each change.")
@click.option("--most", type=NATURAL, default=SHOWN, show_default=True, metavar="N", help="Changes shown, 0 for all.")
@jobs_option
@json_option
def fit(
    patterns: Path | None,
    files: tuple[Path, ...],
    sizes: tuple[int, ...],
    moves: int,
    loser: float,
    prior: float | None,
    around: str | None,
    ids: tuple[str, ...],
    accept: bool,
    interactive: bool,
    most: int,
    jobs: int,
    json: str | None,
) -> int:
    """Fit the points of patterns to the moves of kept games: a softmax over the moves that the patterns propose.

    FILE is patterns.match.yaml unless another is named. Priorities stay: fitted is what stands at 500 or below, by
    points that are a number or a number times facts. One game in five is held out, and tells whether it helped.
    """
    if interactive and not accept:
        raise ArgumentError("--interactive asks what to accept: say --accept too")
    path = patterns or default_patterns(ruleset=MATCH)
    from tools.fitting.fitting import Settings  # numpy takes its time: usage comes first

    text = read_file(path)
    settings = Settings(moves, loser, prior, None if around is None else around == PRESENT)
    result = _fit(path, files or (ENGINE_GAMES,), sizes, settings, jobs)
    changes = _chosen(result, ids)
    write_results(json, result.as_json)
    if json != STANDARD_OUTPUT:
        from tools.fitting.report import fit_report

        console().print(*fit_report(result, changes, 0 if interactive or ids else most), sep="\n")
    if not accept:
        return FINDINGS if changes else FINE
    return _accept(path, text.decode("utf-8"), changes, interactive, say=json != STANDARD_OUTPUT)


def _fit(path: Path, files: Sequence[Path], sizes: Sequence[int], settings: Settings, jobs: int) -> Fit:
    from tools.fitting.fitting import fit_points, games_of
    from tools.knowledge.named_files import read_patterns_file
    from tools.match.packed_games import read_packed

    base = read_patterns_file(path).base
    if base is None:
        raise ArgumentError(f"{short_name(path)} is compiled; expected the YAML that it is made from")
    if base.ruleset.name != MATCH:
        raise ArgumentError(f"{short_name(path)} is for {base.ruleset.name}; expected patterns for the ruleset {MATCH}")
    games = [game for file in files for game in read_packed(file)]
    return fit_points(base, games_of(files[0], games, sizes), settings, jobs)


def _chosen(result: Fit, ids: Sequence[str]) -> list[Change]:
    """Return the changes that are asked about; raise ArgumentError for an id that has none."""
    from tools.knowledge.problems import no_such

    known = {change.entry: change for change in result.changes}
    for name in ids:
        if name not in known:
            raise ArgumentError(no_such("pattern with points to fit", name, known))
    return [change for change in result.changes if change.differs and (not ids or change.entry in ids)]


def _show(change: Change) -> None:
    from tools.fitting.report import changes_table

    console().print(changes_table([change]), f"{change.old}  becomes  {change.new}")


def _accept(path: Path, text: str, changes: Sequence[Change], interactive: bool, say: bool) -> int:
    """Write changes into the file, all or those that a person accepts; return the exit status. text: as it was read."""
    from tools.fitting.fitting import accepted
    from tools.knowledge.splice import rewrite, set_points

    wanted = list(accepted_of(changes, _show)) if interactive else changes
    if wanted:
        rewrite(path, partial(set_points, points=accepted(wanted)), text)
    if say:
        print(f"{short_name(path)}: the points of {len(wanted)} of {len(changes)} changes are written")
    return FINE if len(wanted) == len(changes) else FINDINGS
