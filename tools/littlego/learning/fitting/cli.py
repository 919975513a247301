"""The command `fit`, which fits points to games or solved positions and writes accepted changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from littlego.cli.arguments import FINDINGS, FINE, ArgumentError, default_patterns, read_file, write_results
from littlego.cli.commandline import (
    POSITIVE,
    PositiveNumber,
    accepted_of,
    command,
    jobs_option,
    json_option,
    more_positions_option,
    points_options,
)
from littlego.cli.terminal import console
from littlego.files import STANDARD_OUTPUT, short_name
from littlego.games.match import NAME as MATCH
from littlego.paths import ENGINE_GAMES, LABELS, OWN_GAMES
from littlego.rules.ruleset import LITTLE_GO

if TYPE_CHECKING:
    from littlego.knowledge.model import KnowledgeBase
    from littlego.learning.fitting.fitting import Change, Fit, Settings

SHOWN = 40  # changes
GAMES, SOLVED = "games", "solved positions"  # training data
FITTED_TO = {LITTLE_GO.name: SOLVED, MATCH: GAMES}  # by ruleset
OPTIONS = {
    GAMES: "--games-from, --size, --moves, --loser",
    SOLVED: "--labels, --from",
}  # options by training data
MOVES, LOSER = 40, 0.5
ZERO, PRESENT = "zero", "present"  # centres of the prior
EXAMPLE = """
littlego dev fit
littlego dev fit --size 9 --most 0
littlego dev fit --accept --id keep-the-ladder --id hane-at-the-head
littlego dev fit --games-from mine.xz --accept --interactive
littlego dev fit patterns.yaml --from failures.json
"""
STATUS = """Exit status: 0 if no points change or all changes were written; 1 if changes were not written; 2 if the
command could not run."""


@command("fit", example=EXAMPLE, epilog=STATUS)
@click.argument("patterns", metavar="[FILE]", required=False, type=click.Path(path_type=Path))
@click.option(
    "--games-from",
    "files",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="PATH",
    help="Fit to the games in PATH: a file of `littlego dev selfplay`, an SGF file, a folder of SGF files, or a list "
    "of games (docs/fitting.md); repeatable.  [default: tools/littlego/records/engine_games.xz and own_games.xz]",
)
@click.option(
    "--size", "sizes", type=POSITIVE, multiple=True, metavar="N", help="Use only games of board size N; repeatable."
)
@click.option("--moves", type=POSITIVE, metavar="N", help="Use at most N moves per game.  [default: 40]")
@click.option(
    "--loser",
    type=click.FloatRange(0, 1),
    metavar="W",
    help="Weight of a move by an engine or a person that lost; a move by the winner has weight 1.  [default: 0.5]",
)
@click.option(
    "--labels",
    type=click.Path(path_type=Path),
    metavar="LABELS",
    help="Fit Little-Go patterns to the labels in LABELS.  [default: the working part of "
    "tools/littlego/truth/labels/labels.npz]",
)
@more_positions_option()
@click.option(
    "--prior",
    type=PositiveNumber(),
    metavar="P",
    help="Standard deviation of the prior distribution of points.  [default: chosen by cross-validation]",
)
@click.option(
    "--around",
    type=click.Choice([ZERO, PRESENT]),
    help="Centre of the prior distribution of points.  [default: chosen by cross-validation]",
)
@click.option(
    "--softness",
    type=PositiveNumber(),
    default=1.0,
    show_default=True,
    metavar="S",
    help="Scale of the fitted points: in the model, 10 * S more points make a move e = 2.72 times as likely. A larger "
    "S moves the points of each pattern away from 0.",
)
@points_options(SHOWN)
@jobs_option
@json_option
def fit(
    patterns: Path | None,
    ids: tuple[str, ...],
    accept: bool,
    interactive: bool,
    most: int,
    json: str | None,
    **options: Any,
) -> int:
    """Fit the points of patterns to games or solved positions, by a softmax over the proposed moves.

    FILE defaults to patterns.match.yaml. The command fits match patterns to the moves of recorded games, and Little-Go
    patterns to the winning moves of solved positions. The command changes only points, not priorities. The
    command skips patterns that forbid moves, have a priority above 500 or share their points with another ruleset, and
    patterns whose `points` contain a term without a numeric factor. To measure the improvement, the command holds out
    one game in five, or a third of the boards.
    """
    path = patterns or default_patterns(ruleset=MATCH)
    text = read_file(path)
    result = _fit(path, **options)
    changes = _chosen(result, ids)
    write_results(json, result.as_json)
    if json != STANDARD_OUTPUT:
        from littlego.learning.fitting.report import fit_report

        console().print(*fit_report(result, changes, 0 if interactive or ids else most), sep="\n")
    if not accept:
        return FINDINGS if changes else FINE
    confirmed = result.table.of if interactive else None
    return _accept(path, text.decode("utf-8"), changes, confirmed, say=json != STANDARD_OUTPUT)


def _fit(
    path: Path,
    files: Sequence[Path],
    sizes: Sequence[int],
    moves: int | None,
    loser: float | None,
    labels: Path | None,
    extra: Sequence[Path],
    prior: float | None,
    around: str | None,
    softness: float,
    jobs: int,
) -> Fit:
    """Return the fit of match patterns to games, or of Little-Go patterns to solved positions."""
    from littlego.knowledge.files import read_patterns_file
    from littlego.learning.fitting.fitting import Settings  # numpy takes time to load

    base = read_patterns_file(path).base
    if base is None:
        raise ArgumentError(f"{short_name(path)} is compiled; expected the YAML file from which it was compiled")
    given = {GAMES: (files, sizes, moves, loser is not None), SOLVED: (labels, extra)}
    fitted_to = FITTED_TO[base.ruleset.name]
    for other, words in OPTIONS.items():
        if other != fitted_to and any(given[other]):
            what = f"{short_name(path)} is for {base.ruleset.name}, so it is fitted to {fitted_to}"
            raise ArgumentError(f"{what}; omit {words}")
    from_present = None if around is None else around == PRESENT
    settings = Settings(moves or MOVES, LOSER if loser is None else loser, prior, from_present, softness)
    fits = {
        GAMES: lambda: _fit_games(base, files or (ENGINE_GAMES, OWN_GAMES), sizes, settings, jobs),
        SOLVED: lambda: _fit_solved(base, labels or LABELS, extra, settings),
    }
    return fits[fitted_to]()


def _fit_games(base: KnowledgeBase, files: Sequence[Path], sizes: Sequence[int], settings: Settings, jobs: int) -> Fit:
    from littlego.learning.fitting.fitting import fit_points, games_of
    from littlego.records.training_games import read_training_games

    read = read_training_games(*files)
    fit = fit_points(base, games_of(files, read.games, sizes), settings, jobs)
    return replace(fit, learned="; ".join([fit.learned, *read.reports]))


def _fit_solved(base: KnowledgeBase, labels: Path, extra: Sequence[Path], settings: Settings) -> Fit:
    from littlego.learning.fitting.fitting import fit_solved
    from littlego.learning.fitting.solved import solved_positions  # loads the compiled engine

    return fit_solved(base, solved_positions(labels, extra), settings)


def _chosen(result: Fit, ids: Sequence[str]) -> list[Change]:
    """Return the changed points of the patterns with the given ids or, if `ids` is empty, of all patterns.

    Patterns whose points stay the same are omitted. Raise ArgumentError for an id without points to fit.
    """
    from littlego.knowledge.problems import no_such

    known = {change.entry: change for change in result.changes}
    for name in ids:
        if name not in known:
            raise ArgumentError(no_such("pattern with points to fit", name, known))
    return [change for change in result.changes if change.differs and (not ids or change.entry in ids)]


def _show(change: Change, of: str) -> None:
    from littlego.learning.fitting.report import changes_table

    console().print(changes_table([change], of), f"{change.old}  becomes  {change.new}")


def _accept(path: Path, text: str, changes: Sequence[Change], asked: str | None, say: bool) -> int:
    """Write changes to the file; return the exit status.

    text: the content on which the fit is based; a file with different content is not changed. asked: the kind of choice
    (see Table.of) if the user is asked to confirm each change, else None.
    """
    from littlego.knowledge.splice import rewrite, set_points
    from littlego.learning.fitting.fitting import accepted

    wanted = list(accepted_of(changes, partial(_show, of=asked))) if asked else changes
    if wanted:
        rewrite(path, partial(set_points, points=accepted(wanted)), text)
    if say:
        print(f"{short_name(path)}: wrote {len(wanted)} of {len(changes)} changes to points")
    return FINE if len(wanted) == len(changes) else FINDINGS
