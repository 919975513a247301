"""The training curve as text and as a web page, and the provenance for a weights file."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Sequence
from itertools import groupby
from typing import Any, NamedTuple

from littlego.cli.page import render_page, render_template
from littlego.learning.zero.checkpoint import START, Point, State
from littlego.paths import revision

WIDTH, HEIGHT = 640, 200  # size of a chart in pixels
PARTS_OF_DOUBLING = 4  # rows of the curve per doubling of the number of games


class Row(NamedTuple):
    """A row of the curve in the report, for one or more rounds.

    games, cpu: the total games and CPU seconds at the end of the last round. speed: games per second of elapsed time.
    policy, value, owners: mean losses of these rounds, in nats.
    """

    games: int
    cpu: float
    speed: float
    policy: float
    value: float
    owners: float


def rows_of(curve: Sequence[Point]) -> list[Row]:
    """Return the curve's rows: at most PARTS_OF_DOUBLING rows for each doubling of the number of games.

    The rows omit rounds without learning.
    """
    learning = (number for number, point in enumerate(curve) if point.policy)
    groups = groupby(learning, lambda number: _part_of(curve[number].games))
    rows = []
    for _, numbers in groups:
        first, *_, last = [*numbers] * 2
        points = curve[first : last + 1]
        before = curve[first - 1] if first else START
        means = (sum(point[column] for point in points) / len(points) for column in range(4, 7))
        rows.append(Row(points[-1].games, points[-1].cpu, _speed(before, points[-1]), *means))
    return rows


def _part_of(games: int) -> int:
    """Return the number of the row to which a round belongs. games: the total games at the end of the round."""
    doublings = games.bit_length() - 1
    return PARTS_OF_DOUBLING * doublings + (games - (1 << doublings)) * PARTS_OF_DOUBLING // (1 << doublings)


def _speed(before: Point, after: Point) -> float:
    """Return the games per elapsed second between two points of the curve."""
    return (after.games - before.games) / max(1e-9, after.clock - before.clock)


HEADS = ("games", "CPU s", "games/s", "policy", "value", "owners")


def format_row(row: Row) -> str:
    """Return a row of the curve as a line of text, aligned with the heading of `format_heads`."""
    return f"{row.games:11,}{row.cpu:9,.0f}{row.speed:9.1f}{row.policy:9.3f}{row.value:9.3f}{row.owners:9.3f}"


def format_heads() -> str:
    """Return the heading of a curve's rows as a line of text."""
    return f"{HEADS[0]:>11}" + "".join(f"{head:>9}" for head in HEADS[1:])


def time_left(state: State, games: int | None, hours: float | None) -> float:
    """Return the estimated seconds until training reaches `games` games or `hours` hours.

    If both limits are given, the shorter estimate is returned. If neither is given, the estimate is infinite.
    """
    last = state.last
    recent = state.curve[max(0, len(state.curve) - 20)]
    speed = _speed(START if recent is last else recent, last)
    by_games = (games - last.games) / speed if games else float("inf")
    by_hours = 3600 * hours - last.clock if hours else float("inf")
    return max(0.0, min(by_games, by_hours))


def render_curve(name: str, state: State, status: str, is_running: bool) -> str:
    """Return a web page with the training curve; during training, the page reloads itself."""
    from markupsafe import Markup

    rows = rows_of(state.curve)
    charts = [(head, Markup(_chart([row[3 + index] for row in rows]))) for index, head in enumerate(HEADS[3:])]
    body = render_template(
        "littlego.learning",
        "zero.html",
        name=name,
        status=status,
        plan=state.plan._asdict(),
        charts=charts,
        heads=HEADS,
        rows=[format_row(row).split() for row in rows],
    )
    script = "setTimeout(() => location.reload(), 20000);" if is_running else ""
    return render_page(f"Training of {name}", body, script=script)


def _chart(values: Sequence[float]) -> str:
    """Return an SVG line chart of values at equal horizontal distances.

    The vertical axis ranges from 0 to the largest value.
    """
    most = max(values, default=1.0) or 1.0
    steps = max(1, len(values) - 1)
    points = " ".join(
        f"{WIDTH * index / steps:.1f},{HEIGHT * (1 - value / most):.1f}" for index, value in enumerate(values)
    )
    return (
        f'<svg viewBox="0 -4 {WIDTH} {HEIGHT + 8}" width="{WIDTH}" role="img">'
        f'<polyline points="{points}" fill="none" stroke="currentColor" stroke-width="2"/></svg>'
    )


def provenance_of(state: State, command: str) -> dict[str, Any]:
    """Return the provenance of a network as JSON values, for the weights file."""
    from importlib.metadata import version

    content = hashlib.sha256()
    for name, layer in sorted(state.layers.items()):
        content.update(name.encode() + layer.weights.tobytes() + layer.bias.tobytes())
    last = state.last
    return {
        **state.plan._asdict(),
        "command": command,
        "revision": revision(),
        "games_played": last.games,
        "cpu_seconds": round(last.cpu),
        "clock_seconds": round(last.clock),
        "sha256": content.hexdigest(),
        "versions": {
            "python": platform.python_version(),
            **{name: version(name) for name in ("jax", "numpy", "optax")},
        },
        "curve": [[row.games, *(round(number, 4) for number in row[1:])] for row in rows_of(state.curve)],
    }
