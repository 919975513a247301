"""The command `tune`, which tunes points so that the player gives away fewer wins.

`tune` also writes accepted changes to the patterns file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import RenderableType
from rich.text import Text

from littlego.cli.arguments import FINDINGS, FINE, ArgumentError, read_file, write_results
from littlego.cli.commandline import (
    POSITIVE,
    accepted_of,
    command,
    json_option,
    labels_option,
    more_positions_option,
    patterns_option,
    points_options,
)
from littlego.cli.terminal import console, new_table
from littlego.files import STANDARD_OUTPUT, short_name
from littlego.knowledge.problems import plural
from littlego.parallel import with_progress

if TYPE_CHECKING:
    from littlego.learning.mining.tuning import Change, Share, Tuning

SWEEPS, SHOWN = 4, 40
LEGEND = (
    "given away: weighted wins given away per million won positions, before and after tuning. One third of the "
    "boards is held out."
)
CHANGES_LEGEND = (
    "kept, held out: weighted wins that the change keeps minus wins that it gives away, on searched and held-out "
    "boards."
)
EPILOG = """`littlego dev fit` maximizes the likelihood of winning moves; this command minimizes the wins given away.
The command changes the points of one pattern after another in small steps: in all positions, for one side, or for one
side in one phase of the game. Points never change their sign. Each label of the working part has weight 1; a --from
file may contain other weights for its positions.

Exit status: 0 if no points change or all changes were written; 1 if changes were not written; 2 if the command could
not run."""
EXAMPLE = """
littlego dev tune
littlego dev walk white -o white.npz --positions 100000
littlego dev tune --from white.npz --accept
"""


@command("tune", example=EXAMPLE, epilog=EPILOG)
@patterns_option()
@labels_option
@more_positions_option()
@click.option(
    "--sweeps", type=POSITIVE, default=SWEEPS, show_default=True, metavar="N", help="Tune each pattern at most N times."
)
@points_options(SHOWN)
@json_option
def tune(
    patterns: str,
    labels: Path,
    extra: tuple[Path, ...],
    sweeps: int,
    ids: tuple[str, ...],
    accept: bool,
    interactive: bool,
    most: int,
    json: str | None,
) -> int:
    """Tune the points of patterns so that the player gives away fewer wins."""
    path = Path(patterns)
    text = read_file(path)
    tuning = _tuning(patterns, labels, extra)
    tuning.knowledge.check_ids(ids)
    for number in range(sweeps):
        if not sum(with_progress(tuning.sweep(), len(tuning.tunable), f"pattern, sweep {number + 1}")):
            break
    changes = [change for change in tuning.changes() if not ids or change.entry in ids]
    write_results(json, tuning.as_json)
    if json != STANDARD_OUTPUT:
        console().print(*draw_tuning(tuning, [] if interactive else changes, most), sep="\n")
    if not accept:
        return FINDINGS if changes else FINE
    return _accept(path, text.decode("utf-8"), changes, interactive, say=json != STANDARD_OUTPUT)


def _tuning(patterns: str, labels: Path, extra: Sequence[Path]) -> Tuning:
    """Return a Tuning of a patterns file on labelled positions; raise ArgumentError for an invalid file."""
    from littlego.knowledge.files import read_solvable  # these load the compiled engine
    from littlego.learning.fitting.solved import solved_positions
    from littlego.learning.mining.tuning import Tuning

    knowledge = read_solvable(patterns)
    if not knowledge.known:
        raise ArgumentError(f"{knowledge.name} is compiled; expected the YAML file from which it was compiled")
    return Tuning(knowledge, *solved_positions(labels, extra))


def _accept(path: Path, text: str, changes: Sequence[Change], interactive: bool, say: bool) -> int:
    """Write the accepted changes to the file and return the exit status. text: the file's content as read."""
    from littlego.knowledge.splice import rewrite, set_points

    wanted = [*accepted_of(changes, _show)] if interactive else changes
    points = {change.entry: change.new for change in wanted}
    if points:
        rewrite(path, lambda was, name: set_points(was, name, points), text)
    if say:
        print(f"{short_name(path)}: wrote the points of {len(points)} of {plural(len(changes), 'pattern')}")
    return FINE if len(points) == len(changes) else FINDINGS


def _show(change: Change) -> None:
    console().print(f"{change.entry}: {change.old}  becomes  {change.new}")


def draw_tuning(tuning: Tuning, changes: Sequence[Change], most: int) -> Iterator[RenderableType]:
    """Yield the parts of the printed report. most: the maximum number of changes, or 0 for all."""
    shares = tuning.shares()
    number = plural(sum(one.positions for one in shares), "position")
    yield Text(f"{number} with a win at stake; new points for {plural(len(tuning.changes()), 'pattern')}", style="bold")
    yield new_table("positions", "number", "given away", "", rows=[_row(one) for one in shares])
    yield Text(LEGEND, style="dim")
    shown = changes[:most] if most else changes
    if shown:
        yield Text()
        rows = [(one.entry, f"{one.gain:,.1f}", f"{one.held:,.1f}", f"{one.old}  becomes  {one.new}") for one in shown]
        yield new_table("pattern", "kept", "held out", "points", rows=rows)
        yield Text(CHANGES_LEGEND, style="dim")
    if len(changes) > len(shown):
        yield Text(f"{len(changes) - len(shown)} smaller changes are not shown: --most 0 shows all.")


def _row(share: Share) -> tuple[str, ...]:
    before, after = (f"{1e6 * given / share.weight:,.0f}" for given in (share.before, share.after))
    return share.name, f"{share.positions:,}", before, after
