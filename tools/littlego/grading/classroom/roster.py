"""The roster of a class (a CSV file with a line for each student), and the lateness of submissions.

Columns, in any order: `id` and `name`, and optionally `deadline` (a time), `extension` (hours after the deadline of the
class) and `submitted` (the time of submission, as recorded by the course's system). Other columns are ignored.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from littlego.cli.arguments import ArgumentError, read_file
from littlego.files import short_name
from littlego.grading.classroom.submissions import Submission

TIME = "a time such as 2025-03-14T23:59 or 2025-03-14T23:59-08:00"
MOST_HOURS = 10_000.0  # maximum hours of an extension
MOST_LINES = 5_000


class Student(NamedTuple):
    """A line of the roster.

    deadline: the student's own deadline, or None. extension: hours added to the class's deadline. submitted: the time
    of submission, as recorded by the course's system, or None.
    """

    id: str
    name: str
    deadline: datetime | None = None
    extension: float = 0.0
    submitted: datetime | None = None


class Entry(NamedTuple):
    """A row of the class's table: a submission, a student, or both; None replaces a missing part."""

    submission: Submission | None
    student: Student | None


def time_at(text: str) -> datetime:
    """Return the time in an ISO 8601 text; raise ValueError for an invalid text.

    A text without a UTC offset is in local time.
    """
    time = datetime.fromisoformat(text.strip())
    if not 1971 <= time.year <= 9998:  # the system cannot convert other years to local time
        raise ValueError(text)
    return time.astimezone()


def read_roster(path: Path) -> list[Student]:
    """Return the students in a CSV file; raise ArgumentError with the file and line of a mistake."""
    name = short_name(path)
    try:
        text = read_file(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ArgumentError(f"{name}:{line}: not UTF-8; expected a CSV file saved as 'CSV UTF-8'") from None
    head = text.partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=head.count), strict=True)
    try:
        lines = [(reader.line_num, [cell.strip() for cell in cells]) for cells in reader]
    except csv.Error as error:
        raise ArgumentError(f"{name}:{reader.line_num}: {error}; expected a CSV file") from None
    lines = [(number, cells) for number, cells in lines if any(cells)]
    columns = _columns_of(name, lines[0][1] if lines else [])
    if len(lines) > MOST_LINES:
        raise ArgumentError(f"{name}: {len(lines):,} lines; expected at most {MOST_LINES:,}")
    students = [_read_student(f"{name}:{number}", columns, cells) for number, cells in lines[1:]]
    _refuse_twins(name, [number for number, _ in lines[1:]], students)
    return students


def _columns_of(name: str, heads: Sequence[str]) -> dict[str, int]:
    columns = {head.lower(): place for place, head in reversed(list(enumerate(heads)))}
    if missing := [column for column in ("id", "name") if column not in columns]:
        found = ", ".join(heads) or "no columns"
        raise ArgumentError(f"{name}:1: no column {' and '.join(missing)}; expected id,name,...; found {found}")
    return columns


def _read_student(where: str, columns: dict[str, int], cells: Sequence[str]) -> Student:
    def cell(column: str) -> str:
        place = columns.get(column, len(cells))
        return cells[place] if place < len(cells) else ""

    def time(column: str) -> datetime | None:
        try:
            return time_at(cell(column)) if cell(column) else None
        except (ValueError, OverflowError):
            raise ArgumentError(f"{where}: {column} is {cell(column)!r}; expected {TIME}, or nothing") from None

    if not cell("id"):
        raise ArgumentError(f"{where}: id is empty; expected the student's id")
    try:
        extension = float(cell("extension") or 0)
    except ValueError:
        extension = -1.0
    if not 0 <= extension <= MOST_HOURS:
        raise ArgumentError(f"{where}: extension is {cell('extension')!r}; expected hours from 0 to {MOST_HOURS:,.0f}")
    return Student(cell("id"), cell("name") or cell("id"), time("deadline"), extension, time("submitted"))


def _refuse_twins(name: str, numbers: Sequence[int], students: Sequence[Student]) -> None:
    seen: dict[str, int] = {}
    for number, student in zip(numbers, students, strict=True):
        if (first := seen.setdefault(student.id.lower(), number)) != number:
            raise ArgumentError(f"{name}:{number}: id {student.id!r} is already on line {first}; expected each id once")


def match_roster(submissions: Sequence[Submission], students: Sequence[Student]) -> list[Entry]:
    """Return one Entry for each submission, and one for each student without a submission.

    The entries are in roster order; submissions that match no student come last. A submission belongs to the student
    whose id or name equals the submission's name, ignoring case and punctuation. Otherwise the submission belongs to
    the student whose id is a word of the submission's name, as in `doe_jane_4711_late`. Each rule applies only if
    exactly one student matches; if neither applies, the submission belongs to no student.
    """
    found = {submission.key: _student_of(submission.name, students) for submission in submissions}
    entries = [Entry(submission, found[submission.key]) for submission in submissions]
    there = {student.id for student in found.values() if student}
    entries += [Entry(None, student) for student in students if student.id not in there]
    order = {student.id: number for number, student in enumerate(students)}
    return sorted(entries, key=lambda entry: order[entry.student.id] if entry.student else len(order))


def _student_of(name: str, students: Sequence[Student]) -> Student | None:
    exact = [student for student in students if _plain(name) in (_plain(student.id), _plain(student.name))]
    words = {word.lower() for word in re.split(r"[\W_]+", name)}
    near = [student for student in students if student.id.lower() in words]
    return next((group[0] for group in (exact, near) if len(group) == 1), None)


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", " ", text).strip().lower()


def due(student: Student | None, deadline: datetime | None) -> datetime | None:
    """Return the due time of a student's program, or None if there is no deadline.

    The due time is the student's deadline, else the class's deadline plus the student's extension.
    """
    if student and student.deadline:
        return student.deadline
    return deadline + timedelta(hours=student.extension if student else 0) if deadline else None


def lateness(submitted: datetime | None, deadline: datetime | None) -> str:
    """Return how late a submission is, such as `1 d 2:05 h`, or '' if it is on time or a time is unknown."""
    if not submitted or not deadline or submitted <= deadline:
        return ""
    minutes = -(-(submitted - deadline).total_seconds() // 60)
    days, rest = divmod(int(minutes), 24 * 60)
    return f"{f'{days} d ' if days else ''}{rest // 60}:{rest % 60:02} h"
