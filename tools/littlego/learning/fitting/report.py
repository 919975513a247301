"""The printed report of `littlego dev fit`: agreement before and after the fit, and changed points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from littlego.cli.terminal import new_table
from littlego.files import short_name
from littlego.knowledge.problems import plural
from littlego.knowledge.programs import is_number
from littlego.learning.fitting.fitting import Change, Fit
from littlego.learning.fitting.softmax import Flags
from littlego.learning.fitting.table import FIVE

if TYPE_CHECKING:
    from rich.console import RenderableType

PARTS_LEGENDS = {
    "move": (
        "of class: held-out moves for which a pattern of the class fires. proposed: the patterns propose the move "
        "played. first, first 5: the patterns rank the move first, or among the first five, before and after the fit. "
        "surprise: mean of -ln(chance of the move) over the moves that points decide."
    ),
    "position": (
        "of class: held-out positions where a pattern of the class fires for a winning move. proposed: the patterns "
        "propose a winning move, and nothing vetoes the move. first, first 5: the patterns rank a winning move first, "
        "or among the first five, before and after the fit. surprise: mean of -ln(chance of a winning move) over the "
        "positions that points decide."
    ),
}
WIDE = 15  # minimum width of the points column, in which longer expressions wrap
CHANGES_LEGENDS = {
    "move": "fires: moves where the pattern distinguishes options. played: played moves for which the pattern fires. ",
    "position": "fires: positions where the pattern distinguishes options. right: winning moves for which the pattern "
    "fires. ",
}
ERROR_LEGEND = "+-: one standard error, underestimated for patterns that fire together. *: the factor of the points."


def fit_report(fit: Fit, wanted: Sequence[Change], most: int) -> Iterator[RenderableType]:
    """Yield the parts of the printed report.

    wanted: the changes to show. most: the maximum number of changes (the largest come first) and of patterns in each
    list; 0 for all.
    """
    name, of = short_name(fit.base.filename), fit.table.of
    yield Text(f"{name}: {plural(len(fit.changes), 'weight')} fitted to {fit.learned}", style="bold")
    yield Text(f"Assumed before the fit: {fit.belief}.")
    yield Text()
    yield _agreement_table(f"{of}s", fit, fit.parts())
    yield Text()
    yield _agreement_table("of class", fit, fit.classes())
    yield Text(PARTS_LEGENDS[of], style="dim")
    changes = sorted(wanted, key=_size, reverse=True)
    shown = changes[:most] if most else changes
    if shown:
        yield Text()
        yield changes_table(shown, of)
        yield Text(CHANGES_LEGENDS[of] + ERROR_LEGEND, style="dim")
    if len(changes) > len(shown):
        yield Text(f"{len(changes) - len(shown)} smaller changes are not shown: --most 0 shows all.")
    yield from listed(fit, most)


def listed(fit: Fit, most: int) -> Iterator[RenderableType]:
    """Yield lists of the patterns in Fit.weightless and Fit.idle.

    most: the maximum number of patterns in each list; 0 for all.
    """
    for head, ids in (
        ("with points too small to matter (remove or rework these patterns)", fit.weightless),
        ("unchanged, with no effect on choices that points decide", fit.idle),
    ):
        if ids:
            yield Text()
            shown = ids[:most] if most else ids
            more = f" and {len(ids) - len(shown)} more: --most 0 shows all" if len(ids) > len(shown) else ""
            yield Text(f"{len(ids)} {head}: {', '.join(shown)}{more}")


def _size(change: Change) -> tuple[float, int, str]:
    """Return the sort key of a change: (relative change * min(moves, 100), moves, id of the entry)."""
    away = abs(change.fitted - change.start) / max(abs(change.start), 1.0)
    return away * min(change.moves, 100), change.moves, change.entry


def _agreement_table(head: str, fit: Fit, parts: Mapping[str, Flags]) -> RenderableType:
    rows = []
    for name, wanted in parts.items():
        if wanted.any():
            before, after = fit.agreements(wanted)
            rows.append(
                (
                    name,
                    f"{before.moves:,}",
                    _percent(before.proposed, before.moves),
                    _both(before.first, after.first, before.moves),
                    _both(before.five, after.five, before.moves),
                    f"{before.surprise:.3f} > {after.surprise:.3f}" if before.decided else "",
                )
            )
    table = new_table(head, "number", "proposed", "first", f"first {FIVE}", "surprise", gap=2, rows=rows)
    table.columns[0].no_wrap = True
    return table


def _percent(some: int, of: int) -> str:
    return f"{100 * some / of:.1f}%"


def _both(before: int, after: int, of: int) -> str:
    return f"{_percent(before, of)} > {_percent(after, of)}"


def changes_table(changes: Sequence[Change], of: str) -> RenderableType:
    """Return a table with a line for each change.

    of: see Table. For points that are an expression or a table, the line shows the fitted factor.
    """
    rows = []
    for change in changes:
        fitted, error = (
            (change.new, f"{change.error:.1f}")
            if is_number(change.old)
            else (f"*{change.fitted:.2f}", f"*{change.error:.2f}")
        )
        rows.append((change.entry, change.old, fitted, error, f"{change.moves:,}", f"{change.played:,}"))
    table = new_table("pattern", "points", "fitted", "+-", "fires", "played" if of == "move" else "right", rows=rows)
    table.columns[0].no_wrap = True  # expressions wrap in their column
    table.columns[1].min_width = max((min(len(change.old), WIDE) for change in changes), default=0)
    for column in table.columns[2:]:
        column.no_wrap = True
    return table
