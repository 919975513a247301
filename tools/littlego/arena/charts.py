"""Charts of a tournament as SVG for a page: ratings, margins, lengths of games, CPU a move.

Matplotlib draws them; the page's style sheet, templates/report.css, colours them, by day and by night. Equal results
give equal bytes.
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

WIDTH, ROW = 6.4, 0.34  # inches: of a chart, and of a player's row in it
# What is drawn in a colour of the left takes the style sheet's on the right.
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
_STYLE = re.compile(r"<style.*?</style>", re.DOTALL)  # for all of the page: report.css has it for charts alone


def rating_chart(rated: Sequence[Rating]) -> str:
    """Draw ratings with their intervals, the strongest on top; an arrow where an interval has no end."""

    def draw(axes: Axes) -> None:
        beyond = 0.08 * max(1.0, max(one.rating for one in rated) - min(one.rating for one in rated))
        for row, one in enumerate(rated):
            ends = [
                (one.rating - beyond, "<") if one.low is None else (one.low, "|"),
                (one.rating + beyond, ">") if one.high is None else (one.high, "|"),
            ]
            axes.plot([end for end, _ in ends], [row, row], color=FIRST, linewidth=2)
            for end, mark in ends:
                axes.plot(end, row, mark, color=FIRST, markersize=9, markeredgewidth=2)
        axes.plot([one.rating for one in rated], range(len(rated)), "o", color=INK)
        _name_rows(axes, [one.name for one in rated])
        axes.set_xlabel("Elo, with 95% intervals")

    return _draw_svg(draw, "ratings", "Ratings with intervals", len(rated))


def margin_chart(leads: Mapping[str, Sequence[float]]) -> str:
    """Draw how often games ended with which lead. leads: what is drawn, one or two of them -> leads after komi."""

    def draw(axes: Axes) -> None:
        everything = [lead for values in leads.values() for lead in values]
        _draw_bars(axes, leads, round(min(everything) - 0.5), round(max(everything) + 0.5))
        axes.axvline(0, color=INK, linewidth=1)
        axes.set_xlabel("lead after komi, in points")

    return _draw_svg(draw, "margins", "Margins", 7)


def length_chart(lengths: Mapping[str, Sequence[int]]) -> str:
    """Draw how often games had how many moves."""

    def draw(axes: Axes) -> None:
        everything = [length for values in lengths.values() for length in values]
        _draw_bars(axes, lengths, min(everything) - 1, max(everything) + 1)
        axes.set_xlabel("moves of a game, the opening's included")

    return _draw_svg(draw, "lengths", "Lengths of games", 7)


def cpu_chart(totals: Tallies, names: Sequence[str]) -> str:
    """Draw each player's mean CPU time of a move, and its slowest move's, on a logarithmic scale."""
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
    """Return a player's leads after komi, in points, of the games that nobody lost by a fault."""
    return [
        (one.lead2 if one.black == name else -one.lead2) / 2
        for one in results
        if not one.fault and name in (one.black, one.white)
    ]


def _draw_bars(axes: Axes, values: Mapping[str, Sequence[float]], low: int, high: int) -> None:
    """Draw bars side by side for every whole or half number from low to high that occurs."""
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
    """Return a chart as an `<svg>` element. name: of its own on a page. rows: its height."""
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
    """Return a chart without ids that others on the page have too, in the page's colours, with a title."""
    head, rest = svg.split(">", 1)
    for drawn, shown in COLOURS.items():
        rest = rest.replace(drawn, shown)
    head = f'{_SIZE.sub("", head)} class="chart" role="img"><title>{escape(title)}</title>'
    return head + _IDS.sub("<g", _STYLE.sub("", rest, count=1))
