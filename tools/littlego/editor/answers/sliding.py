"""Effects of the studio's sliders for priority and points: the decisions that would change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import Any, NamedTuple

from littlego.cli.arguments import jobs
from littlego.editor.answers.firing import position_of
from littlego.editor.methods import SLOW, Refusal, ask, job
from littlego.editor.positions import explain_command
from littlego.editor.session import Session
from littlego.editor.versions import COPY, edited
from littlego.engines.choosing import engine_for
from littlego.engines.draw.decisions import reason_line
from littlego.engines.draw.tables import heads
from littlego.judging.mutation.mutants import draft_of, read_draft
from littlego.knowledge.answers import WhatIf, what_if_json
from littlego.knowledge.files import Knowledge
from littlego.knowledge.model import KnownPattern
from littlego.knowledge.tables import ROWS, Points
from littlego.rules.position import Position

Events = Generator[dict[str, Any], None, dict[str, Any]]
MOST = 36  # maximum number of changes in an answer; all changes are counted


@ask("slide", lane=SLOW)
def slide(
    session: Session,
    *,
    pattern: str,
    priority: int | None = None,
    more: int = 0,
    row: str = "",
    phase: int | None = None,
    points: str | None = None,
    without: bool = False,
    position: str = "",
    most: int = MOST,
) -> dict[str, Any]:
    """Return how a changed or removed pattern affects the recorded decisions and one position.

    priority: a new priority, or null. points: a new expression for the points, or null. more: a number to add to the
    points if `points` is null. If the points are a table, `more` is added to the cells in `row` and `phase`. row:
    black, white, or '' for both rows. phase: the zero-based index of a phase, or null for all phases. without: whether
    to remove the pattern. most: the maximum number of listed changes.

    `table` is the changed table (see _table_json), or null if the pattern is removed or its points are not a table.
    `count` of the `positions` recorded decisions change. `verdicts` maps each verdict to the number of changed
    decisions with this verdict. For `changes`, see comparing.change_json. For match patterns, `count` is null,
    `positions` is missing, and `verdicts` and `changes` are empty: use the job `flips`. `set` maps the entry's changed
    keys to their new values. `here` is the effect in `position` (see `_here`), or null.
    """
    knowledge = edited(session)
    cells = Cells(row, phase)
    new, values = _slid(knowledge, pattern, priority, more, cells, points, without)
    told: dict[str, Any] = {"count": None, "verdicts": {}, "changes": [], "here": None}
    told |= {"set": values, "without": without, "table": _table_json(new.known.get(pattern))}
    from littlego.editor.comparing import record_of

    if not record_of(knowledge.ruleset, session.folder).is_slow:
        told |= _flips(knowledge, new, session.folder, most)
    if position:
        words = f"without {pattern}" if without else f"with {pattern}, changed: {' and '.join(values) or 'nothing'}"
        told["here"] = _here(position_of(session, position), knowledge, new, words)
    told["command"] = _command(session, pattern, without, position)
    return told


@job("flips", lasting=True)
def flips(
    session: Session,
    *,
    pattern: str,
    priority: int | None = None,
    more: int = 0,
    row: str = "",
    phase: int | None = None,
    points: str | None = None,
    without: bool = False,
    most: int = MOST,
) -> Events:
    """Yield the progress and the recorded decisions that would change; for the parameters, see `slide`.

    A result is a change (see comparing.change_json) or, after the first `most` changes, null. The answer has `count`
    (the number of changed decisions) and `command` (an equivalent shell command).
    """
    from littlego.editor.comparing import flips as flips_of

    knowledge = edited(session)
    new, _ = _slid(knowledge, pattern, priority, more, Cells(row, phase), points, without)
    count = 0
    for done, of, some in flips_of(knowledge, new, session.folder, jobs()):
        for one in some:
            count += 1
            yield {"result": one if count <= most else None}
        yield {"progress": [done, of]}
    return {"count": count, "command": _command(session, pattern, without, "")}


class Cells(NamedTuple):
    """The cells that a slider changes in a table of points.

    row: black, white, or '' for both rows. phase: the zero-based index of a phase, or None for all phases.
    """

    row: str
    phase: int | None

    def added(self, points: Points, more: int) -> Points:
        """Return the points with `more` added to the numbers in these cells. Raise Refusal for an unknown cell."""
        phases = range(len(points.bounds)) if self.phase is None else [self.phase]
        if self.row not in ("", *ROWS) or not set(phases) <= set(range(len(points.bounds))):
            raise Refusal(
                "invalid",
                f"found row '{self.row}', phase {self.phase}; expected row {' or '.join(ROWS)}, phase 0 to "
                f"{len(points.bounds) - 1}",
            )
        for index, name in enumerate(ROWS):
            for phase in phases if self.row in ("", name) else ():
                points = points.with_cell(index, [phase], points.rows[index][phase] + more)
        return points


def _table_json(pattern: KnownPattern | None) -> dict[str, Any] | None:
    """Return a table of points as a JSON object, or None if the points are not a table.

    The keys are `heads` (the moves left in each phase), `black` and `white` (the points in each phase).
    """
    if pattern is None or not pattern.table:
        return None
    points = Points.of(pattern.points_text, pattern.table)
    return {
        "heads": [*heads(points.bounds)],
        **{row: [*numbers] for row, numbers in zip(ROWS, points.rows, strict=True)},
    }


def _slid(
    knowledge: Knowledge,
    pattern: str,
    priority: int | None,
    more: int,
    cells: Cells,
    points: str | None,
    without: bool,
) -> tuple[Knowledge, dict[str, Any]]:
    """Return (the new Knowledge, {changed key of the pattern's entry: new value}).

    In the new Knowledge, one pattern is changed or removed. The dict is empty for a removed pattern.
    """
    knowledge.check_ids([pattern])
    known = knowledge.known[pattern]
    if without:
        return knowledge.with_pattern(pattern, None), {}
    text = points
    if points is None and more:
        old = Points.of(known.points_text, known.table)
        text = cells.added(old, more).line if known.table else added_points(known.points_text, more)
    other, values = _changed(known, knowledge.ruleset, priority, text)
    return knowledge.with_pattern(pattern, other), values


def _changed(
    known: KnownPattern, ruleset: str, priority: int | None, points: str | None
) -> tuple[KnownPattern, dict[str, Any]]:
    """Return (a copy of a pattern with new priority and points, {changed key: new value}).

    Raise Refusal for a move of a sequence, and for values that the file reader rejects.
    """
    if known.sequence:
        raise Refusal(
            "invalid", f"the moves of a sequence, such as {known.id}, share priority and points: edit the entry's text"
        )
    other = slid(known, ruleset, priority, points)
    if other is None:
        said = f"priority {priority if priority is not None else known.priority}, points {points or known.points_text}"
        raise Refusal("invalid", f"{known.id} cannot have {said}; `littlego check` would reject these values")
    wanted = {"priority": other.priority, "points": other.points_text}
    had = {"priority": known.priority, "points": known.points_text}
    return other, {key: value for key, value in wanted.items() if value != had[key]}


def _flips(old: Knowledge, new: Knowledge, folder: Path, most: int) -> dict[str, Any]:
    from littlego.editor.comparing import flips as flips_of
    from littlego.editor.comparing import record_of

    found = [one for *_, some in flips_of(old, new, folder, 1) for one in some]
    positions = len(record_of(old.ruleset, folder).names)
    verdicts = Counter(one["verdict"] for one in found)
    return {"count": len(found), "positions": positions, "verdicts": verdicts, "changes": found[:most]}


def _here(position: Position, old: Knowledge, new: Knowledge, words: str) -> dict[str, Any]:
    """Return the decisions of the old and the new patterns in a position.

    words: a description of the change. The answer has the keys of what_if_json and the key `reasons`: a list with the
    reason for the old move and the reason for the new move.
    """
    engine = engine_for(position.ruleset)
    now, then = (engine.decide(position, one.book, complete=True) for one in (old, new))
    answer = what_if_json(WhatIf(words[0].upper() + words[1:], now, then))
    return {**answer, "reasons": [reason_line(now), reason_line(then)]}


def _command(session: Session, pattern: str, without: bool, position: str) -> str:
    if without and position:
        return explain_command(position_of(session, position), session.filename, f"--without {pattern} --no-overrides")
    return f"littlego diff {COPY} {quote(session.filename)} --most 0"


def slid(pattern: KnownPattern, ruleset: str, priority: int | None, points: str | None) -> KnownPattern | None:
    """Return the pattern with the given priority and points.

    priority, points: None to keep the pattern's value. The result is None if the file reader rejects these values.
    """
    draft = draft_of(pattern)
    if priority is not None:
        draft = replace(draft, priority=priority)
    if points is not None:
        draft = replace(draft, points_text=points)
    return read_draft(draft, ruleset)


def added_points(points: str, more: int) -> str:
    """Return an expression for `points` plus `more`, or the sum as text if `points` is a number."""
    text = points.strip() or "0"
    if text.lstrip("-").isdigit():
        return str(int(text) + more)
    if not more:
        return points
    return f"{text} {'+' if more > 0 else '-'} {abs(more)}"
