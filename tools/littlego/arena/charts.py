"""SVG charts for a tournament's web page: ratings, margins, game lengths and CPU time per move.

Matplotlib draws the charts; the page's style sheet, templates/report.css, sets the colours for light and dark mode.
Equal results give byte-identical charts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from html import escape
from io import StringIO
from typing import TYPE_CHECKING, Any

from littlego.arena.ratings import Rating
from littlego.arena.results import Result, Tallies, total_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH, ROW = 6.4, 0.34  # inches: the width of a chart and the height of a player's row
# Matplotlib draws with placeholder colours; COLOURS maps each placeholder to a colour of the style sheet.
INK, GRID, FIRST, SECOND = "#010203", "#040506", "#070809", "#0a0b0c"
COLOURS = {INK: "var(--text)", GRID: "var(--rule)", FIRST: "var(--first)", SECOND: "var(--second)"}
_SETTINGS: dict[Any, object] = {
    "svg.fonttype": "none",
    "font.size": 10,
    "font.family": "sans-serif",
    "text.color": INK,
    "axes.edgecolor": GRID,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "grid.color": GRID,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.titlesize": 10,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "legend.frameon": False,
    "hatch.color": INK,
}
_IDS, _SIZE = re.compile(r'<g id="[^"]*"'), re.compile(r' (?:width|height)="[\d.]+pt"')
# Matplotlib's style element, removed because it would apply to the whole page; report.css has its rules for charts.
_STYLE = re.compile(r"<style.*?</style>", re.DOTALL)


def rating_chart(rated: Sequence[Rating]) -> str:
    """Return an SVG chart of ratings with their intervals, one row per rating, in the given order.

    An arrow marks an unbounded end of an interval.
    """

    def draw(axes: Axes) -> None:
        beyond = 0.08 * max(1.0, max(rating.rating for rating in rated) - min(rating.rating for rating in rated))
        for row, rating in enumerate(rated):
            ends = [
                (rating.rating - beyond, "<") if rating.low is None else (rating.low, "|"),
                (rating.rating + beyond, ">") if rating.high is None else (rating.high, "|"),
            ]
            axes.plot([end for end, _ in ends], [row, row], color=FIRST, linewidth=2)
            for end, mark in ends:
                axes.plot(end, row, mark, color=FIRST, markersize=9, markeredgewidth=2)
        axes.plot([rating.rating for rating in rated], range(len(rated)), "o", color=INK)
        _name_rows(axes, [rating.name for rating in rated])
        axes.set_xlabel("Elo, with 95% intervals")

    return _draw_svg(draw, "ratings", "Ratings with intervals", len(rated))


def margin_chart(leads: Mapping[str, Sequence[float]]) -> str:
    """Return an SVG histogram of the leads at the ends of games.

    leads: {label of a series: leads after komi, in points}, with one or two series.
    """

    def draw(axes: Axes) -> None:
        everything = [lead for values in leads.values() for lead in values]
        _draw_bars(axes, leads, round(min(everything) - 0.5), round(max(everything) + 0.5))
        axes.axvline(0, color=INK, linewidth=1)
        axes.set_xlabel("lead after komi, in points")

    return _draw_svg(draw, "margins", "Margins", 7)


def length_chart(lengths: Mapping[str, Sequence[int]]) -> str:
    """Return an SVG histogram of game lengths.

    lengths: {label of a series: numbers of moves in the games}, with one or two series.
    """

    def draw(axes: Axes) -> None:
        everything = [length for values in lengths.values() for length in values]
        _draw_bars(axes, lengths, min(everything) - 1, max(everything) + 1)
        axes.set_xlabel("moves of a game, including the opening")

    return _draw_svg(draw, "lengths", "Game lengths", 7)


def cpu_chart(totals: Tallies, names: Sequence[str]) -> str:
    """Return an SVG chart of each player's mean and maximum CPU time per move, on a logarithmic scale.

    Return '' if no player's CPU time is known.
    """
    played = {name: total_of(totals, name) for name in names}
    timed = {name: tally for name, tally in played.items() if tally.cpu_a_move}

    def draw(axes: Axes) -> None:
        from matplotlib.ticker import LogLocator, NullLocator

        rows = range(len(timed))
        means = [1000 * (tally.cpu_a_move or 0) for tally in timed.values()]
        slowest = [1000 * tally.slowest for tally in timed.values()]
        axes.hlines(rows, means, slowest, color=GRID)
        axes.plot(means, rows, "o", color=FIRST, label="mean")
        axes.plot(slowest, rows, "D", color=SECOND, label="slowest")
        axes.set_xscale("log")
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
        axes.xaxis.set_minor_locator(NullLocator())
        _name_rows(axes, list(timed))
        axes.set_xlabel("CPU time of a move, in ms")
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, 1.25), ncols=2)

    return _draw_svg(draw, "cpu", "CPU time of a move", len(timed) + 1) if timed else ""


def leads_of(results: Sequence[Result], name: str) -> list[float]:
    """Return a player's leads after komi, in points, at the ends of games without a fault."""
    return [
        (result.lead2 if result.black == name else -result.lead2) / 2
        for result in results
        if not result.fault and name in (result.black, result.white)
    ]


def _draw_bars(axes: Axes, values: Mapping[str, Sequence[float]], low: int, high: int) -> None:
    """Draw a histogram of one or two series, with the bars side by side. low, high: the limits of the x axis."""
    width = 0.8 / len(values)
    for place, (name, occurring) in enumerate(values.items()):
        counts = Counter(occurring)
        axes.bar(
            [value + width * (place - (len(values) - 1) / 2) for value in counts],
            list(counts.values()),
            width,
            label=name,
            color=(FIRST, SECOND)[place],
            hatch=("", "//")[place],
            linewidth=0,
        )
    axes.set_xlim(low, high)
    axes.set_ylabel("games")
    axes.grid(axis="y")
    axes.locator_params(integer=True)
    if len(values) > 1:
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, 1.2), ncols=2)


def _name_rows(axes: Axes, names: Sequence[str]) -> None:
    axes.set_yticks(range(len(names)), [name if len(name) <= 28 else f"{name[:25]}..." for name in names])
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.grid(axis="x")


def _draw_svg(draw: Callable[[Axes], None], name: str, title: str, rows: int) -> str:
    """Return a chart as an `<svg>` element.

    name: the chart's name, unique on the page. rows: the number of rows, which determines the chart's height.
    """
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context({**_SETTINGS, "svg.hashsalt": name}):
        figure = Figure(figsize=(WIDTH, 0.9 + ROW * rows), layout="constrained")
        draw(figure.add_subplot())
        written = StringIO()
        figure.savefig(written, format="svg", metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
    text = written.getvalue()
    return _fit_for_page(text[text.index("<svg") :], title)


def _fit_for_page(svg: str, title: str) -> str:
    """Return the chart `svg` with a title and the page's colours.

    The result has no size, no style element and no group ids.
    """
    head, rest = svg.split(">", 1)
    for drawn, shown in COLOURS.items():
        rest = rest.replace(drawn, shown)
    head = f'{_SIZE.sub("", head)} class="chart" role="img"><title>{escape(title)}</title>'
    return head + _IDS.sub("<g", _STYLE.sub("", rest, count=1))
