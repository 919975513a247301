"""Grades as the terminal shows them: the player's wrong moves, what each pattern did, and the worst boards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from rules.geometry import points_of
from rules.patternfile import Pattern
from rules.position import BLACK, PASS
from tools.compiled.board import FULL, PASSED
from tools.compiled.states import unpack, unpack_move
from tools.draw.boards import board_text, move_text
from tools.grades.grades import (
    COLOURS,
    DECIDED,
    DECIDED_FREE,
    DECIDED_KEPT,
    DECIDED_LOST,
    DECIDED_THREW,
    FIRED,
    JUDGED,
    MEASURES,
    ONLY,
    PHASES,
    RIGHT,
    Graded,
    blamed,
    blunder_rate,
    blunders,
    worst,
)
from tools.grades.grading import Report
from tools.grades.rates import rate
from tools.knowledge.problems import counted

LEGEND = (
    "fired: positions where it applies. right: of the moves that it then speaks for or forbids, with a win at stake, "
    "those that win. decided: its moves. kept, threw: those that kept or gave away a win at stake; only: threw, where "
    "one move alone won. free, lost: decided where every move wins, or none."
)


def shown(report: Report, ids: Sequence[str], most: int, boards: int) -> Iterator[RenderableType]:
    """Yield what to print: the whole report, or just some patterns in detail.

    most: rows of a table of patterns, 0 for all. boards: drawn, of each pattern asked for or in all.
    """
    patterns = report.everything.book.patterns
    if not ids:
        yield player_text(report.player, report.patched, report.name)
        yield Text()
        yield blamed_text(blamed(report.player), most)
        yield Text()
        yield patterns_text(patterns, report.counts, most)
        yield boards_text(report.player, worst(report.player, boards))
    for index, pattern in enumerate(patterns):
        if pattern.id in ids:
            decided = report.everything.where(report.everything.deciders == index)
            yield pattern_text(pattern, report.counts[index])
            yield boards_text(decided, worst(decided, boards))


def player_text(plain: Graded, patched: Graded | None, name: str) -> RenderableType:
    """Draw how often the player gives wins away, by moves left and colour. patched: the same with overrides."""
    parts: list[RenderableType] = [Text(f"The player on {name}", style="bold"), _blunders_table(plain, patched), Text()]
    parts += [Text(line) for line in means(plain, "patterns alone")]
    if patched:
        parts += [Text(line) for line in means(patched, "with overrides")]
    return Group(*parts)


def means(found: Graded, name: str) -> list[str]:
    """Say in a line for each colour how often a win is given away."""
    rows = blunders(found)
    lines = []
    for colour in COLOURS:
        counted_rows = [row for row in rows if row.colour == colour and row.won]
        if counted_rows:
            won, threw = sum(row.won for row in counted_rows), sum(row.threw for row in counted_rows)
            lines.append(
                f"{colour.capitalize()}, {name}: {blunder_rate(rows, colour)} given away, mean over "
                f"{counted(len(counted_rows), 'number')} of moves left; {threw} of {won} in all."
            )
    return lines


def _blunders_table(plain: Graded, patched: Graded | None) -> Table:
    rows = zip(blunders(plain), blunders(patched or plain), strict=True)
    extra = ["patched"] if patched else []
    found = plain_table("left", "to move", "at stake", "threw", *extra, "% (95% interval)", "free", "lost")
    for row, mended in rows:
        found.add_row(
            str(row.left),
            row.colour,
            str(row.won),
            _loud(row.threw),
            *([_loud(mended.threw)] if patched else []),
            str(row.rate).replace("%", "") if row.won else "-",
            str(row.free),
            str(row.lost),
        )
    return found


def blamed_text(blame: dict[str, int], most: int) -> RenderableType:
    """Draw who gave the wins away."""
    if not blame:
        return Text("No win is given away.")
    found = plain_table("pattern", "threw")
    for name, count in list(blame.items())[: most or None]:
        found.add_row(name, str(count))
    return Group(Text("To blame", style="bold"), found)


def patterns_text(patterns: Sequence[Pattern], counts: np.ndarray, most: int) -> RenderableType:
    """Draw a row for each pattern, those first that threw most; most: rows, 0 for all."""
    total = counts.sum(axis=(1, 2))
    found = plain_table("pattern", "fired", "right", "decided", "kept", "threw", "only", "free", "lost")
    order = sorted(range(len(patterns)), key=lambda index: (-total[index][MEASURES.index(DECIDED_THREW)], index))
    shown = order[: most or None]
    for index in shown:
        found.add_row(patterns[index].id, *_cells(total[index]))
    rest = [Text(f"{counted(len(order) - len(shown), 'more pattern')}: --most 0 shows all.")] if shown != order else []
    return Group(Text("Patterns", style="bold"), found, *rest, Text(), Text(LEGEND))


def pattern_text(pattern: Pattern, counts: np.ndarray) -> RenderableType:
    """Draw one pattern, and what it did by phase and colour. counts: [phase, colour, measure]."""
    found = plain_table("phase, to move", "fired", "right", "decided", "kept", "threw", "only", "free", "lost")
    for number, (phase, least, most) in enumerate(PHASES):
        for colour, name in enumerate(COLOURS):
            if counts[number, colour].any():
                found.add_row(f"{phase} ({most} to {least} left), {name}", *_cells(counts[number, colour]))
    found.add_row("all", *_cells(counts.sum(axis=(0, 1))))
    diagram = "\n".join(["", *(" ".join(row) for row in pattern.rows), ""])
    return Group(Text(pattern.id, style="bold"), Text(pattern.summary), Text(diagram), found, Text(), Text(LEGEND))


def _cells(counts: np.ndarray) -> list[Text | str]:
    count = dict(zip(MEASURES, counts.tolist(), strict=True))
    judged = count[JUDGED]
    right = f"{100 * rate(count[RIGHT], judged).share:.1f}%" if judged else "-"
    shown = (DECIDED, DECIDED_KEPT), (DECIDED_THREW, ONLY), (DECIDED_FREE, DECIDED_LOST)
    kept, threw, rest = ([count[name] for name in names] for names in shown)
    return [_number(count[FIRED]), right, *map(_number, kept), *map(_loud, threw), *map(_number, rest)]


def boards_text(found: Graded, indices: Sequence[int]) -> RenderableType:
    """Draw decisions: the move played in parentheses, `+` where a move would have kept the win."""
    if not indices:
        return Text()
    return side_by_side([_board(found, index) for index in indices])


def side_by_side(drawn: Sequence[Text]) -> RenderableType:
    """Draw boards with decisions, and what their marks mean."""
    return Group(Columns(drawn, padding=(1, 4)), Text("\n( ) was played, + would have won."))


def _board(found: Graded, index: int) -> Text:
    labels = found.labels
    return decision_text(labels.codes[index], found.moves[index], int(labels.winning[index]), found.by(index))


def decision_text(code: int, move: int, winning: int, by: str) -> Text:
    """Draw a move on its board, and the moves that would have won. move: 25 a pass; by: who decided."""
    position, move = unpack(code), unpack_move(move)
    size = position.ruleset.size
    lines = board_text(size, position.black, position.white, move if move != PASS else None).splitlines()
    for point in points_of(winning & FULL):
        row, column = divmod(point, size)
        line = lines[row + 1]
        lines[row + 1] = f"{line[: 3 + 2 * column]}+{line[4 + 2 * column :]}"
    mover = "Black (X)" if position.colour == BLACK else "White (O)"
    marks = (f", ko {move_text(position.ko.bit_length() - 1, size)}" if position.ko else "") + (
        ", after a pass" if position.passed else ""
    )
    played = f"{by} played {move_text(move, size)}"
    also = ["a pass would have won"] if winning >> PASSED & 1 else []
    return Text("\n".join([f"{mover}, {position.left} left{marks}", *lines, played, *also]))


def plain_table(*heads: str) -> Table:
    """Return a table without lines: the first column and `to move` to the left, numbers to the right."""
    found = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold")
    for number, head in enumerate(heads):
        right = number and head != "to move"
        found.add_column(head, justify="right" if right else "left", overflow="fold", no_wrap=bool(number))
    return found


def _number(count: int) -> str:
    return str(count) if count else "-"


def _loud(count: int) -> Text:
    return Text(_number(count), style="bold red" if count else "")
