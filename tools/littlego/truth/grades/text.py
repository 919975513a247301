"""Terminal output of grades.

The output shows the player's blunders, each pattern's counts and worth, and the boards of the worst blunders.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from littlego.cli.terminal import new_table
from littlego.engines.compiled.board import FULL
from littlego.engines.compiled.roles import ROLE, SUPPORTS
from littlego.games.boards import board_text, mark_points, move_text
from littlego.knowledge.overrides import EXACT
from littlego.knowledge.problems import plural
from littlego.rules.geometry import points_of
from littlego.rules.patternfile import Pattern
from littlego.rules.position import BLACK, PASS
from littlego.rules.positionkey import PASS_POINT, unpack, unpack_move
from littlego.truth.grades.grades import (
    COLOURS,
    DECIDING,
    FIRED,
    JUDGED,
    MEAN_TO,
    MEASURES,
    ONLY,
    PHASES,
    RIGHT,
    SAID_BLUNDERED,
    SAID_FREE,
    SAID_KEPT,
    SAID_LOST,
    SUPPORTING,
    Graded,
    Report,
    Worth,
    blunder_rate,
    count_blamed,
    count_blunders,
    rate,
    rows_in_mean,
    worst_blunders,
)

HEADS = "fired", "right", "decides", "supports", "kept", "blundered", "only", "free", "lost"
LEGEND = (
    "fired: positions where the pattern fires. right: share of winning moves among the pattern's moves, in positions "
    "with a win at stake. decides: another move would be played without the pattern; supports: the pattern belongs to "
    "a smallest set of patterns that together decide the move. The other columns count the moves that the pattern "
    "decides or supports, by outcome. kept, blundered: a win at stake was kept or given away; only: the only winning "
    "move was not played; free, lost: every move wins, or no move wins."
)
WORTH_HEADS = "decides", "at stake", "given away", "regained", "worth", "95% interval"
WORTH_LEGEND = (
    "Positions that change if only this pattern is removed. decides: another move is played; at stake: of these, "
    "positions where some moves win and others lose; given away, regained: wins that the removal gives away or "
    "regains. worth: given away minus regained."
)


def draw_report(report: Report, ids: Sequence[str], most: int, boards: int) -> Iterator[RenderableType]:
    """Yield the parts of the printed report. If `ids` is not empty, the report covers only these patterns, in detail.

    most: the maximum number of rows in a table of patterns, 0 for all. boards: the maximum number of boards, in total
    or, with `ids`, for each pattern.
    """
    patterns = report.everything.book.patterns
    if not ids:
        yield player_text(report.player, report.patched, report.name)
        yield Text()
        yield blamed_text(count_blamed(report.player), most)
        yield Text()
        yield patterns_text(patterns, report.counts, most)
        yield boards_text(report.player, worst_blunders(report.player, boards))
    if report.worths is not None:
        yield worths_text({name: one for name, one in report.worths.items() if not ids or name in ids}, most)
    for index, pattern in enumerate(patterns):
        if pattern.id in ids:
            supported = report.everything.where(report.everything.roles[:, index] & ROLE >= SUPPORTS)
            yield pattern_text(pattern, report.counts[index])
            yield boards_text(supported, worst_blunders(supported, boards))


def player_text(plain: Graded, patched: Graded | None, name: str) -> RenderableType:
    """Draw the player's blunder rates by moves left and colour. patched: the decisions with overrides."""
    lines = means(plain, "patterns alone") + (means(patched, "with overrides") if patched else [])
    head = Text(f"The player on {name}", style="bold")
    return Group(head, _blunders_table(plain, patched), Text(), *map(Text, [*lines, *refusals(plain)]))


def means(graded: Graded, name: str) -> list[str]:
    """Return, for each colour with rows in rows_in_mean, a line with the colour's mean blunder rate."""
    rows = count_blunders(graded)
    lines = []
    for colour in COLOURS:
        counted_rows = rows_in_mean(rows, colour)
        if counted_rows:
            won, blundered = sum(row.won for row in counted_rows), sum(row.blundered for row in counted_rows)
            lines.append(
                f"{colour.capitalize()}, {name}: {blunder_rate(rows, colour)} of wins given away, averaged over "
                f"{plural(len(counted_rows), 'number')} of moves left (at most {MEAN_TO}); "
                f"{blundered} of {won} wins in total."
            )
    return lines


def refusals(graded: Graded) -> list[str]:
    """Return a line for each colour with the share of positions where every winning move is refused.

    The share is taken over the positions at stake (some moves win and others lose) with more than EXACT moves left. A
    colour without such positions is omitted.
    """
    lines = []
    for colour in COLOURS:
        rows = [row for row in count_blunders(graded) if row.colour == colour and row.left > EXACT]
        won, refused, blundered = (
            sum(getattr(row, name) for row in rows) for name in ("won", "refused", "refused_blundered")
        )
        if won:
            lines.append(
                f"{colour.capitalize()}: in {refused} of {won} positions at stake (more than {EXACT} moves left), "
                f"every winning move is vetoed: {rate(refused, won)}. In {blundered} of these, the win is given away."
            )
    return lines


def _blunders_table(plain: Graded, patched: Graded | None) -> Table:
    rows = (
        (
            str(row.left),
            row.colour,
            str(row.won),
            _format_wrong(row.blundered),
            *([_format_wrong(mended.blundered)] if patched else []),
            str(row.rate).replace("%", "") if row.won else "-",
            str(row.refused),
            str(row.free),
            str(row.lost),
        )
        for row, mended in zip(count_blunders(plain), count_blunders(patched or plain), strict=True)
    )
    blundered = ["blundered", "patched"] if patched else ["blundered"]
    return new_table("left", "to move", "at stake", *blundered, "% (95% interval)", "vetoed", "free", "lost", rows=rows)


def blamed_text(blame: dict[str, int], most: int) -> RenderableType:
    """Draw a table of the patterns that give wins away. most: the maximum number of rows, 0 for all."""
    if not blame:
        return Text("No win is given away.")
    rows = ((name, str(count)) for name, count in list(blame.items())[: most or None])
    return Group(Text("To blame", style="bold"), new_table("pattern", "blundered", rows=rows))


def patterns_text(patterns: Sequence[Pattern], counts: np.ndarray, most: int) -> RenderableType:
    """Draw a table of patterns, most blunders first. most: the maximum number of rows, 0 for all."""
    total = counts.sum(axis=(1, 2))
    order = sorted(range(len(patterns)), key=lambda index: (-total[index][MEASURES.index(SAID_BLUNDERED)], index))
    top = order[: most or None]
    table = new_table("pattern", *HEADS, rows=((patterns[index].id, *_cells(total[index])) for index in top))
    return Group(Text("Patterns", style="bold"), table, *_describe_rest(len(order), most), Text(), Text(LEGEND))


def worths_text(worths: Mapping[str, Worth], most: int) -> RenderableType:
    """Draw a table with the worth of each pattern, in the given order. most: the maximum number of rows, 0 for all."""
    rows = (
        (
            name,
            *map(_format_count, one),
            str(one.worth),
            "{} to {}".format(*map(round, one.limits)) if any(one[2:]) else "-",
        )
        for name, one in list(worths.items())[: most or None]
    )
    table = new_table("pattern", *WORTH_HEADS, rows=rows)
    rest = _describe_rest(len(worths), most)
    return Group(Text("Worth alone", style="bold"), table, *rest, Text(), Text(WORTH_LEGEND), Text())


def _describe_rest(number: int, most: int) -> list[Text]:
    """Return a list with one line that counts the patterns omitted from a table, or [] if there are none.

    number: the number of patterns. most: the maximum number of rows in the table, 0 for all.
    """
    return [Text(f"{plural(number - most, 'more pattern')}: --most 0 shows all.")] if 0 < most < number else []


def pattern_text(pattern: Pattern, counts: np.ndarray) -> RenderableType:
    """Draw a pattern and its counts by phase and colour. counts: an array [phase, colour, measure]."""
    rows = [
        (f"{phase} ({most}-{least}), {name}", *_cells(counts[number, colour]))
        for number, (phase, least, most) in enumerate(PHASES)
        for colour, name in enumerate(COLOURS)
        if counts[number, colour].any()
    ]
    table = new_table("phase (left), to move", *HEADS, rows=[*rows, ("all", *_cells(counts.sum(axis=(0, 1))))])
    diagram = "\n".join(["", *(" ".join(row) for row in pattern.rows), ""])
    return Group(Text(pattern.id, style="bold"), Text(pattern.summary), Text(diagram), table, Text(), Text(LEGEND))


def _cells(counts: np.ndarray) -> list[Text | str]:
    count = dict(zip(MEASURES, counts.tolist(), strict=True))
    return [
        _format_count(count[FIRED]),
        f"{100 * rate(count[RIGHT], count[JUDGED]).share:.1f}%" if count[JUDGED] else "-",
        _format_count(count[DECIDING]),
        _format_count(count[SUPPORTING]),
        _format_count(count[SAID_KEPT]),
        _format_wrong(count[SAID_BLUNDERED]),
        _format_wrong(count[ONLY]),
        _format_count(count[SAID_FREE]),
        _format_count(count[SAID_LOST]),
    ]


def boards_text(graded: Graded, indices: Sequence[int]) -> RenderableType:
    """Draw decisions on boards, with the played moves and the winning moves.

    Parentheses mark the played move, and `+` marks the moves that keep the win.
    """
    return side_by_side([_draw_decision(graded, index) for index in indices]) if indices else Text()


def side_by_side(drawn: Sequence[Text]) -> RenderableType:
    """Place drawn decisions side by side, with a legend below."""
    return Group(Columns(drawn, padding=(1, 4)), Text("\n( ) was played; + would have won."))


def _draw_decision(graded: Graded, index: int) -> Text:
    code, winning = int(graded.labels.codes[index]), int(graded.labels.winning[index])
    return decision_text(code, int(graded.moves[index]), winning, graded.by(index))


def decision_text(code: int, move: int, winning: int, by: str) -> Text:
    """Draw a move and the winning moves on a board. move: 25 for a pass. by: the names of the deciding patterns."""
    position, move = unpack(code), unpack_move(move)
    size = position.ruleset.size
    drawn = board_text(size, position.black, position.white, move if move != PASS else None)
    drawn = mark_points(drawn, points_of(winning & FULL), "+")
    mover = "Black (X)" if position.colour == BLACK else "White (O)"
    marks = (f", ko {move_text(position.ko.bit_length() - 1, size)}" if position.ko else "") + (
        ", after a pass" if position.passed else ""
    )
    played = f"{by} played {move_text(move, size)}"
    also = ["a pass would have won"] if winning >> PASS_POINT & 1 else []
    return Text("\n".join([f"{mover}, {plural(position.left, 'move')} left{marks}", drawn, played, *also]))


def _format_count(count: int) -> str:
    return str(count) if count else "-"


def _format_wrong(count: int) -> Text:
    return Text(_format_count(count), style="bold red" if count else "")
