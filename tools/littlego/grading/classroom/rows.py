"""The results of a class as JSON and CSV, with a row for each student.

Each row gives the reasons for all lost points.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from textwrap import shorten
from typing import Any, NamedTuple

from littlego.cli.arguments import ArgumentError
from littlego.files import LARGEST_SERIES, read_limited, short_name
from littlego.grading.classroom.playing import Prepared
from littlego.grading.classroom.roster import Entry, due, lateness
from littlego.grading.classroom.submissions import key_of
from littlego.grading.games import ROLES, GradedGame, Outcome
from littlego.grading.marks import Mark, RoleMark, StageMark, best, marks
from littlego.grading.report import format_fault, format_number
from littlego.knowledge.problems import plural
from littlego.match.series import count_kinds
from littlego.printable import printable

FORMAT = "littlego grade-class 1"
GRADED, INCOMPLETE, NOT_GRADED, MISSING = "graded", "incomplete", "not graded", "missing"  # values of `status`
MOST_FAULTS = 3  # maximum kinds of faults listed in a reason
MOST_POINTS = 10**6  # more than a grading can give
MOST_TEXT = 120  # maximum characters shown of a fault or a program's message
_TIME = re.compile(r"used (?:up its|[\d.]+ s of) CPU time; the limit is ([\d.]+ s).*")
Row = dict[str, Any]


class Graded(NamedTuple):
    """A student's data: the class entry, the prepared program, the finished games and the planned games."""

    entry: Entry
    prepared: Prepared
    outcomes: Sequence[Outcome]
    plan: Sequence[GradedGame]


def row_of(graded: Graded, deadline: datetime | None) -> Row:
    """Return a student's row of the results as a JSON value. deadline: the class's deadline, or None.

    The row's entries include `status` (GRADED, INCOMPLETE, NOT_GRADED or MISSING), `problem` (why there are no points),
    and `lost` (a list of {where, points, reason}; `where` names a role or a stage). `points` and the lost points add up
    to `most`, the maximum.
    """
    submission, student = graded.entry
    submitted = (student and student.submitted) or (submission and submission.submitted)
    until = due(student, deadline)
    row: Row = {
        "key": submission.key if submission else key_of(student.id if student else ""),
        "id": student.id if student else "",
        "name": student.name if student else submission.name if submission else "",
        "submission": submission.name if submission else "",
        "status": MISSING if not submission else NOT_GRADED,
        "problem": "no submission" if not submission else submission.problem or graded.prepared.problem,
        "remarks": list(submission.remarks) if submission else [],
        "submitted": submitted.isoformat(timespec="minutes") if submitted else "",
        "due": until.isoformat(timespec="minutes") if until else "",
        "late": lateness(submitted, until),
        "points": 0.0,
        "most": 0,
        "stages": [],
        "roles": {},
        "lost": [],
        "before": None,
    }
    if graded.prepared.program and not row["problem"]:
        row |= _grading_of(graded)
        row["remarks"] += graded.prepared.program.remarks
    return row


def _grading_of(graded: Graded) -> Row:
    """Return the additional entries for the row of a graded program."""
    program, hashes = graded.prepared.program, graded.prepared.hashes
    assert program
    repetitions = marks(graded.plan, graded.outcomes)
    mark = best(repetitions)
    counted = [outcome for outcome in graded.outcomes if outcome.game.repetition == mark.repetition]
    roles = [(stage.stage, role) for stage in mark.stages for role in stage.roles]
    return {
        "status": GRADED if all(one.complete for one in repetitions) else INCOMPLETE,
        "program": program.name,
        "runs": program.runs,
        "held": sorted({outcome.held for outcome in counted if outcome.held}),
        "sha256": hashes.get(program.name, ""),
        "files": hashes,
        "files_sha256": _digest_files(hashes),
        "points": float(mark.points),
        "most": mark.most,
        "repetition": mark.repetition,
        "repetitions": [float(one.points) for one in repetitions],
        "stages": [
            {"stage": stage.stage, "points": float(stage.points), "most": stage.most, "late": stage.late}
            for stage in mark.stages
        ],
        "roles": {
            role.role: {
                "stage": stage,
                "wins": sum(role.wins.values()),
                "games": role.played,
                "points": float(role.points),
                "most": role.most,
            }
            for stage, role in roles
        },
        "cpu_seconds": round(sum(role.seconds for _, role in roles), 1),
        "slowest_move": round(max((role.slowest for _, role in roles), default=0.0), 3),
        "lost": list(lost_points(mark, counted)),
    }


def _digest_files(hashes: Mapping[str, str]) -> str:
    """Return the SHA-256 of the lines that `sha256sum *` prints for a program's files."""
    return sha256("".join(f"{value}  {name}\n" for name, value in sorted(hashes.items())).encode()).hexdigest()


def lost_points(mark: Mark, outcomes: Sequence[Outcome]) -> Iterator[Row]:
    """Yield {where, points, reason} for each stage over its CPU limit and each role that cost points.

    The roles of a stage over its limit are omitted. outcomes: the outcomes of the mark's repetition.
    """
    for stage in mark.stages:
        if stage.late:
            yield {"where": f"stage {stage.stage}", "points": float(stage.most), "reason": _reason_of_late(stage)}
            continue
        for role in stage.roles:
            lost = role.most - role.points
            if lost:
                games = [outcome for outcome in outcomes if outcome.game.role == role.role and not outcome.won]
                yield {"where": role.role, "points": float(lost), "reason": _reason_of(role, lost, games)}


def _reason_of_late(stage: StageMark) -> str:
    return f"-{stage.most}: out of time, {stage.seconds:,.0f} CPU s of {stage.limit:,} allowed"


def _reason_of(role: RoleMark, lost: Fraction, games: Sequence[Outcome]) -> str:
    """Return a one-line reason for the points that a program lost against a role.

    games: the games that the program did not win.
    """
    faults = count_kinds(_fault_of(outcome) for outcome in games if outcome.fault)
    faults.sort(key=lambda kind: -kind[1])
    causes = [f"{count} through a fault: {printable(text)}" for text, count in faults[:MOST_FAULTS]]
    if more := sum(count for _, count in faults[MOST_FAULTS:]):
        causes.append(f"{more} through other faults")
    if on_board := sum(not outcome.fault and not outcome.tie for outcome in games):
        causes.append(f"{on_board} on the board")
    if ties := sum(outcome.tie for outcome in games):
        causes.append(plural(ties, "tie"))
    if missing := role.planned - role.played:
        causes.append(f"{missing} not played yet")
    won = f"won {sum(role.wins.values())} of {role.planned}"
    return f"-{format_number(lost)}: {won}" + (f"; lost {', '.join(causes)}" if causes else "")


def _fault_of(outcome: Outcome) -> str:
    """Return the fault that lost a game, with the program's last message, for example an exception.

    If the program exceeded a time limit, the text omits the measured time and does not say whether the host or the
    kernel enforced the limit, because both differ from run to run.
    """
    text = shorten(_TIME.sub(r"used more CPU time than \1", format_fault(outcome)), MOST_TEXT)
    return f"{text} ({shorten(outcome.notes[-1], MOST_TEXT)})" if outcome.notes else text


def class_value(rows: Sequence[Row], settings: Row, pairs: Iterable[Any]) -> Row:
    """Return a class's results as a JSON value.

    settings: the options that determine the games. pairs: the pairs of similar programs, as similar.Pair.
    """
    return {
        "format": FORMAT,
        "settings": settings,
        "complete": all(row["status"] != INCOMPLETE for row in rows),
        "rows": list(rows),
        "similar": [pair._asdict() for pair in pairs],
    }


def read_earlier(path: Path) -> Row | None:
    """Return the JSON value of an earlier grading from a file; None if the file does not exist.

    Raise ArgumentError if the file is unreadable or not a grading, so that the command does not overwrite it.
    """
    try:
        value = json.loads(read_limited(path, LARGEST_SERIES))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ArgumentError(f"cannot read {short_name(path)}: {error.strerror}") from None
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict) or value.get("format") != FORMAT or not isinstance(value.get("rows"), list):
        raise ArgumentError(
            f"{short_name(path)} is not the result of `littlego grade-class`; name another --output or remove the file"
        )
    return value


def add_changes(rows: Sequence[Row], settings: Row, earlier: Row | None) -> None:
    """Set `before` of each row to the student's result in an earlier grading with the same settings.

    A result consists of the status, the problem, the points and the digest of the files. If the result has not changed,
    or the earlier row is incomplete, the function copies `before` from the earlier row.
    """
    if not earlier or earlier.get("settings") != settings:
        return
    there = {str(row.get("key")): row for row in earlier["rows"] if isinstance(row, dict)}
    for row in rows:
        old = there.get(row["key"])
        if old and (old.get("status") == INCOMPLETE or _identity(old) == _identity(row)):
            old = old.get("before")  # after an interrupted grading, the grading before it is compared
        row["before"] = _identity(old) if isinstance(old, dict) else None


def _identity(row: Row) -> Row:
    points = row.get("points")
    texts = {key: str(row.get(key, "")) for key in ("status", "problem", "files_sha256")}
    if not isinstance(points, int | float) or not abs(points) <= MOST_POINTS:  # the file may be edited or damaged
        points = 0.0
    return {**texts, "points": float(points)}


def change_of(row: Row) -> str:
    """Describe how a student's result has changed since the earlier grading.

    Example: `another program: 45.5 before`. Return '' if no change is known.
    """
    old = row["before"]
    if not old or row["status"] == INCOMPLETE or old == _identity(row):
        return ""
    what = "another program" if old["files_sha256"] != row.get("files_sha256", "") else "the same program"
    before = f"{old['points']:g}" if old["status"] == GRADED else old["status"]
    return f"{what}: {before} before"


def table_text(value: Row) -> str:
    """Return a class's results as CSV: a line of column names, then a line for each student."""
    similar = similar_of(value)
    stages = sorted({stage["stage"] for row in value["rows"] for stage in row["stages"]})
    roles = [role for role in ROLES if any(role in row["roles"] for row in value["rows"])]
    heads = ["id", "name", "submission", "status", "points", "most", *(f"stage_{stage}" for stage in stages)]
    heads += [f"{role}_wins" for role in roles] + [f"{role}_games" for role in roles]
    heads += ["cpu_seconds", "slowest_move", "submitted", "late", "points_before", "change", "similar"]
    heads += ["program", "runs", "sha256", "files_sha256", "reason"]
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(heads)
    for row in value["rows"]:
        cells = {**row, "change": change_of(row), "reason": reason_of(row)}
        cells["similar"] = "; ".join(f"{name} {percent}%" for name, percent in similar.get(row["key"], ()))
        cells |= {f"stage_{stage['stage']}": stage["points"] for stage in row["stages"]}
        cells |= {f"{role}_wins": mark["wins"] for role, mark in row["roles"].items()}
        cells |= {f"{role}_games": mark["games"] for role, mark in row["roles"].items()}
        cells["points_before"] = row["before"]["points"] if change_of(row) else ""
        writer.writerow([_cell(cells.get(head, "")) for head in heads])
    return file.getvalue()


def reason_of(row: Row) -> str:
    """Return a row's problem, the reasons for its lost points, and its remarks, in one line."""
    lost = [f"{part['where']} {part['reason']}" for part in row["lost"]]
    return "; ".join(filter(None, [" ".join(row["problem"].split()), *lost, *row["remarks"]]))


def brief_reason_of(row: Row) -> str:
    """Return a row's problem, shortened; without a problem, return the points lost per role or stage."""
    lost = ", ".join(f"{part['where']} -{part['points']:g}" for part in row["lost"])
    return shorten(row["problem"], MOST_TEXT) or lost


def similar_of(value: Row) -> dict[str, list[tuple[str, int]]]:
    """Return {student's key: [(name of a similar program's author, percent)]}."""
    names = {row["key"]: row["name"] for row in value["rows"]}
    found: dict[str, list[tuple[str, int]]] = {}
    for pair in value["similar"]:
        for key, other in ((pair["first"], pair["second"]), (pair["second"], pair["first"])):
            found.setdefault(key, []).append((names[other], pair["percent"]))
    return found


def _cell(value: object) -> object:
    """Return a cell's value, with a quote before text that a spreadsheet would evaluate as a formula."""
    if not isinstance(value, str):
        return value
    text = printable(value)
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text
