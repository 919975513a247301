"""A terminal report on the differences between two patterns files.

The report shows the edits, then the changed decisions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import unified_diff

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from littlego.engines.choosing import engine_for
from littlego.games.boards import board_text, move_text
from littlego.judging.changes import ALONE, DECIDES, TOGETHER, Change, group_changes
from littlego.judging.changes import Group as ChangeGroup
from littlego.judging.diff import Diff
from littlego.judging.diff_words import edits_summary, old_reasons, reason_against, responsible_text, verdicts_text
from littlego.knowledge.edits import ADDED, REMOVED, Edit
from littlego.knowledge.problems import plural
from littlego.rules.geometry import Point
from littlego.rules.position import BLACK, Position

SIGNS = {ADDED: "+", REMOVED: "-"}
STYLES = {"+": "green", "-": "red", "~": "magenta"}
SIDE_BY_SIDE = 13  # largest board size, in points on a side, at which two boards are drawn side by side
OLD_STYLE, NEW_STYLE = "red", "green"


def diff_report(diff: Diff, drawn: int | None) -> Iterator[RenderableType]:
    """Yield the parts of the report: the edits, the number of changes, and the changes by pattern.

    If the old patterns are unknown, a note replaces the edits. If the game has verdicts and a decision changes, a text
    about the verdicts follows the number of changes. drawn: the maximum number of changes to draw for each pattern; 0
    for no limit, None to draw no changes.
    """
    if diff.edits is None:
        yield Text(
            f"{diff.new.name} compared with the recorded moves, whose patterns are unknown; to see which edits "
            "are responsible, name the old file, for example: littlego diff HEAD:patterns.yaml"
        )
    else:
        yield edits_text(diff.edits)
    yield Text(f"\n{len(diff.changes)} of {len(diff.positions)} decisions change.", style="bold")
    if diff.changes and diff.verdicts is not None:
        yield Text(verdicts_text(diff.verdicts, len(diff.changes)))
    for group in group_changes(diff.changes):
        count = len(group.changes)
        most = count if drawn is None else min(drawn or count, count)
        yield group_text(group, most)
        for number, change in enumerate(() if drawn is None else group.changes[:most], 1):
            yield change_text(number, change, diff)


def edits_text(edits: Sequence[Edit]) -> RenderableType:
    """Return the edits between two files for the terminal.

    The text consists of a summary, then each edited pattern. A pattern that both files define is followed by its
    changed keys.
    """
    if not edits:
        return Text("Both files define every pattern identically.")
    lines: list[RenderableType] = [Text(edits_summary(edits), style="bold")]
    for edit in edits:
        sign = SIGNS.get(edit.kind, "~")
        idle = "" if edit.decisive else "  (affects no decision)"
        lines.append(Text(f"{sign} {edit.id}{idle}", style=STYLES[sign]))
        if edit.kind not in SIGNS:
            lines += [Padding(_key_text(key, *pair), (0, 0, 0, 4), expand=False) for key, pair in edit.keys.items()]
    return Group(*lines)


def _key_text(key: str, old: str, new: str) -> Text:
    """Return a key's old and new text for the terminal: on one line if both are short, else as a diff."""
    if "\n" not in old + new and len(old + new) < 50:
        return Text.assemble(f"{key}: ", (old or "(none)", OLD_STYLE), " -> ", (new or "(none)", NEW_STYLE))
    drawn = Text(f"{key}:")
    for line in list(unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=1))[2:]:
        if not line.startswith("@@"):
            drawn.append(f"\n  {line[0]} {line[1:]}", style={"-": OLD_STYLE, "+": NEW_STYLE}.get(line[0], ""))
    return drawn


def group_text(group: ChangeGroup, most: int) -> Text:
    """Return a group's heading for the terminal: the responsible patterns, and the number of decisions.

    most: the maximum number of changes to draw; the heading names this number if the group has more changes.
    """
    names = {
        ALONE: group.pattern,
        DECIDES: f"{group.pattern or 'no pattern'}, now deciding",
        TOGETHER: "several edits together",
    }
    count = len(group.changes)
    drawn = f", {most} drawn" if most < count else ""
    return Text(f"{names[group.why]}: {plural(count, 'decision')}{drawn}", style="bold")


def change_text(number: int, change: Change, diff: Diff) -> RenderableType:
    """Return a changed decision for the terminal: the moves, boards, reasons and responsible patterns.

    For boards larger than SIDE_BY_SIDE, the function draws only the move after the edit.
    """
    position, verdict = diff.positions[change.number], (diff.verdicts or {}).get(change.number, "")
    mover = "Black (X)" if position.colour == BLACK else "White (O)"
    extra = (["ko"] if position.ko else []) + (["a pass ends the game"] if position.passed else [])
    extra = [f"{position.left} left" if position.left else diff.corpus.names[change.number], *extra]
    head = ", ".join([f"{number}. {mover} to play", *extra]) + (verdict and f": {verdict}")
    engine = engine_for(position.ruleset)
    after = engine.decide(position, diff.new.book, complete=True)
    before = engine.decide(position, diff.old.book, complete=True) if diff.old else None
    who = Text(responsible_text(change))
    if position.ruleset.size > SIDE_BY_SIDE:
        size = position.ruleset.size
        texts = [
            Text(f"before {move_text(change.before, size)}", style=f"bold {OLD_STYLE}"),
            Text(old_reasons(change.before, change.after, before, after)),
            Text(f"after {move_text(change.after, size)}", style=f"bold {NEW_STYLE}"),
            _draw_board(position, change.after),
            Text(reason_against(change.before, after)),
        ]
        return Padding(Group(Text(head), Padding(Group(*texts), (0, 0, 0, 2)), who), (0, 0, 1, 2), expand=False)
    boards = Table.grid(padding=(0, 3, 0, 0), expand=False)
    for _ in range(2):
        boards.add_column(width=36, overflow="fold")
    size = position.ruleset.size
    boards.add_row(
        *(
            Text(f"{name} {move_text(move, size)}", style=f"bold {style}")
            for name, move, style in (("before", change.before, OLD_STYLE), ("after", change.after, NEW_STYLE))
        )
    )
    boards.add_row(_draw_board(position, change.before), _draw_board(position, change.after))
    boards.add_row(
        Text(old_reasons(change.before, change.after, before, after)), Text(reason_against(change.before, after))
    )
    return Padding(Group(Text(head), Padding(boards, (0, 0, 0, 2), expand=False), who), (0, 0, 1, 2), expand=False)


def _draw_board(position: Position, move: Point) -> Text:
    return Text(board_text(position.ruleset.size, position.black, position.white, move if move >= 0 else None))
