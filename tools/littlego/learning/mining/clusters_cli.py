"""The command `clusters`, which groups overrides by cause and prints the groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.columns import Columns
from rich.console import RenderableType
from rich.text import Text

from littlego.cli.arguments import FINE, ArgumentError, write_results
from littlego.cli.commandline import (
    NATURAL,
    POSITIVE,
    command,
    json_option,
    labels_option,
    more_positions_option,
    patterns_option,
)
from littlego.cli.terminal import console, new_table
from littlego.files import STANDARD_OUTPUT
from littlego.parallel import with_progress

if TYPE_CHECKING:
    from littlego.learning.mining.clusters import Cluster, Records

LOOKED_AT, TOP, DRAWN = 400, 12, 6
LEGEND = (
    "records: overrides that overrule this class of patterns. largest, median: sizes of the clusters of the examined "
    "overrides. needed: estimated number of parts of boards that together cover all overrides of the class."
)
TOP_LEGEND = (
    "new: overrides that no row above covers. points: number of points in the cluster's part of the board. overruled: "
    "the pattern that decides without the override. right: held-out positions where the move wins / that match the "
    "part."
)
EPILOG = """All overrides of a cluster have the same colour to move and the same number of moves left, and overrule
patterns of the same class. The overrides of a cluster also have the same move and agree on a part of the board.
The command tests each cluster in known positions: the working part of the labels, and the positions of --from
(`littlego dev walk`). The command holds out one third of the boards. On the other boards, the cluster's move never
loses where the cluster's part of the board matches. This part is minimal: without any one of its points, it would also
match a position where the move loses. If the move is also right on the held-out boards, a pattern is missing.

Exit status: 0 for success; 2 if the command could not run."""
EXAMPLE = """
littlego dev clusters
littlego dev clusters --from black.npz --from white.npz --records 2000
"""


@command("clusters", example=EXAMPLE, epilog=EPILOG)
@patterns_option()
@click.option(
    "--overrides",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="File of overrides.  [default: overrides.txt]",
)
@labels_option
@more_positions_option()
@click.option(
    "--records",
    "number",
    type=POSITIVE,
    default=LOOKED_AT,
    show_default=True,
    metavar="N",
    help="Examine at most N overrides, drawn at random; find the cluster of each.",
)
@click.option(
    "--seed", type=NATURAL, default=0, show_default=True, metavar="S", help="Seed for the choice of overrides."
)
@click.option(
    "--most", "top", type=POSITIVE, default=TOP, show_default=True, metavar="N", help="Show at most N clusters."
)
@click.option("--boards", type=NATURAL, default=DRAWN, show_default=True, metavar="N", help="Draw at most N clusters.")
@json_option
def clusters(
    patterns: str,
    overrides: Path | None,
    labels: Path,
    extra: tuple[Path, ...],
    number: int,
    seed: int,
    top: int,
    boards: int,
    json: str | None,
) -> int:
    """Group overrides by their common cause, a missing pattern.

    An override is a winning move for a position in which the patterns alone would give away the win.
    """
    from littlego.knowledge.files import read_solvable  # these load the compiled engine
    from littlego.knowledge.overrides import load_overrides
    from littlego.learning.mining.clusters import Records, best_first, find_clusters
    from littlego.truth.labels.decider import overrides_of
    from littlego.truth.labels.positions import at_stake, load_positions

    known = load_positions(labels, extra)
    moves = load_overrides(overrides or overrides_of(patterns))
    if not moves:
        raise ArgumentError("there are no overrides to group: choose another file with --overrides")
    records = Records(moves, known.where(at_stake(known.codes, known.winning)), read_solvable(patterns).book)
    result = list(with_progress(find_clusters(records, number, seed), min(number, len(moves)), "record"))
    best = best_first(result, max(top, boards))
    write_results(json, lambda: _as_json(records, result, best))
    if json != STANDARD_OUTPUT:
        console().print(*draw_clusters(records, result, best, top, boards), sep="\n")
    return FINE


def _as_json(records: Records, found: Sequence[Cluster], best: Sequence[tuple[Cluster, int]]) -> dict[str, object]:
    from littlego.learning.mining.clusters import shares

    return {
        "records": int(records.codes.size),
        "looked_at": len(found),
        "classes": [one._asdict() for one in shares(records, found)],
        "clusters": [{**one.as_json(), "new": new} for one, new in best],
    }


def draw_clusters(
    records: Records, found: Sequence[Cluster], best: Sequence[tuple[Cluster, int]], top: int, boards: int
) -> Iterator[RenderableType]:
    """Yield the parts of the printed report: two tables with legends, and drawings of clusters.

    best: a result of best_first. top: the maximum number of clusters in the table. boards: the maximum number of
    drawings.
    """
    from littlego.learning.mining.clusters import shares

    yield Text(f"{records.codes.size:,} overrides, of which {len(found):,} are examined", style="bold")
    rows = [(one.kind, *(f"{number:,}" for number in one[1:])) for one in shares(records, found)]
    yield new_table("class", "records", "examined", "largest", "median", "needed", rows=rows)
    yield Text(f"{LEGEND}\n", style="dim")
    yield new_table(
        "records", "new", "left", "class", "overruled", "points", "right", rows=(_row(*one) for one in best[:top])
    )
    yield Text(TOP_LEGEND, style="dim")
    if drawn := [_drawn(one) for one, _ in best[:boards]]:
        yield Text()
        yield Columns(drawn, padding=(1, 4))
        yield Text("\nX is to move and should play *; ? may be anything.")


def _row(cluster: Cluster, new: int) -> tuple[str, ...]:
    right = f"{cluster.right}/{cluster.known}" if cluster.known else "-"
    size, points = len(cluster.members), cluster.points.bit_count()
    return (f"{size:,}", f"{new:,}", str(cluster.left), cluster.kind, cluster.by, str(points), right)


def _drawn(cluster: Cluster) -> Text:
    head = f"{len(cluster.members):,} records, {cluster.left} left"
    move = [] if any("*" in row for row in cluster.rows()) else ["* is a pass"]
    return Text("\n".join([head, *(" ".join(row) for row in cluster.rows()), *move]))
