"""What `littlego dev fit` prints: agreement before and after, each class beside it, and the change of every point."""

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
        "of class: held-out moves for which one of its patterns fires. proposed: the patterns speak for the move that "
        "was played. first, first 5: they put it first, or among the first five, before and after. surprise: mean of "
        "-ln of its chance, over the moves that points decide about."
    ),
    "position": (
        "of class: held-out positions in which one of its patterns fires for a move that wins. proposed: patterns "
        "speak for such a move, and nothing against it. first, first 5: they put one first, or among the first five, "
        "before and after. surprise: mean of -ln of the chance that one is chosen, where points decide."
    ),
}
WIDE = 15  # columns that an expression may have before it folds
CHANGES_LEGENDS = {
    "move": "fires: moves that are fitted to, in which it tells options apart; played: for the one that was played. ",
    "position": "fires: positions fitted to, in which it tells options apart; right: for how many winning moves. ",
}
ERROR_LEGEND = "+-: one standard error, too small where patterns fire together. *: the factor of an expression."


def fit_report(fit: Fit, wanted: Sequence[Change], most: int) -> Iterator[RenderableType]:
    """Yield what to print. wanted: changes that are asked about. most: how many to show, the largest first; 0 all."""
    name, of = short_name(fit.base.filename), fit.table.of
    yield Text(f"{name}: {plural(len(fit.changes), 'weight')} fitted to {fit.learned}", style="bold")
    yield Text(f"Before any {'game' if of == 'move' else of}: {fit.belief}.")
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
    """Yield the lists of patterns that were not fitted, at most so many of each, 0 for all."""
    for head, ids in (
        ("without weight, to drop or to rework", fit.weightless),
        ("never met where points decide, and left as they are", fit.idle),
    ):
        if ids:
            yield Text()
            shown = ids[:most] if most else ids
            more = f" and {len(ids) - len(shown)} more: --most 0 shows all" if len(ids) > len(shown) else ""
            yield Text(f"{len(ids)} {head}: {', '.join(shown)}{more}")


def _size(change: Change) -> tuple[float, int, str]:
    """Return a key that sorts by the change that can be expected of a decision."""
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
    """Return a table of changes, one line each; of expressions the factor. of: see Table."""
    rows = []
    for one in changes:
        fitted, error = (
            (one.new, f"{one.error:.1f}") if is_number(one.old) else (f"*{one.fitted:.2f}", f"*{one.error:.2f}")
        )
        rows.append((one.entry, one.old, fitted, error, f"{one.moves:,}", f"{one.played:,}"))
    table = new_table("pattern", "points", "fitted", "+-", "fires", "played" if of == "move" else "right", rows=rows)
    table.columns[0].no_wrap = True  # expressions fold in their place
    table.columns[1].min_width = max((min(len(one.old), WIDE) for one in changes), default=0)
    for column in table.columns[2:]:
        column.no_wrap = True
    return table
