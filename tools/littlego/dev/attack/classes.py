"""Fuzzing targets for the files of a class: rosters, submitted zip files and earlier gradings."""

from __future__ import annotations

import io
import json
import shutil
import zipfile
from collections.abc import Sequence
from pathlib import Path

from littlego.cli.arguments import ArgumentError
from littlego.dev.attack.targets import Target, Violation
from littlego.grading.classroom.roster import read_roster
from littlego.grading.classroom.rows import FORMAT, add_changes, change_of, read_earlier
from littlego.grading.classroom.submissions import find_submissions
from littlego.printable import printable

TOLD = "unpacked"  # folder of extracted files, in the folder of the results


def rosters() -> list[bytes]:
    """Return CSV and TSV rosters in the formats of spreadsheet programs."""
    lines = ["id,name,deadline,extension,submitted", "1,Ada,2025-03-14T23:59,,", "2,Bo,,48,2025-03-15 01:00+01:00"]
    text = "\n".join([*lines, '3,"Cy, jr",,,', ""])
    return [text.encode(), text.replace(",", ";").replace("\n", "\r\n").encode("utf-8-sig"), b"id\tname\n1\tAda\n"]


def read_roster_bytes(data: bytes) -> str:
    """Read a roster from bytes; return the students as text, or the error message of `grade-class`."""
    path = Path("roster.csv")
    path.write_bytes(data)
    try:
        return printable("\n".join(map(repr, read_roster(path))), lines=True)
    except ArgumentError as error:
        return printable(str(error), lines=True)
    finally:
        path.unlink()


def archives() -> list[bytes]:
    """Return the bytes of valid zip files with submissions."""
    made = []
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        for names in (["my_player3.py"], ["hw/my_player3.py", "hw/data.txt", "hw/report.pdf"]):
            file = io.BytesIO()
            with zipfile.ZipFile(file, "w", method) as archive:
                for name in names:
                    archive.writestr(name, "print('PASS')\n" * 20)
            made.append(file.getvalue())
    return made


def read_archive(data: bytes) -> str:
    """Return the messages of `grade-class` about a zip file.

    Raise Violation if extraction creates files outside the results folder.
    """
    home = Path("class")
    home.mkdir(exist_ok=True)
    (home / "student.zip").write_bytes(data)
    before = {path for path in Path().rglob("*") if path.parts[0] != "results"}
    try:
        (found,) = find_submissions([str(home)], Path("results").absolute() / TOLD)
        if outside := {path for path in Path().rglob("*") if path.parts[0] != "results"} - before:
            raise Violation(f"extracted files outside the results folder: {sorted(map(str, outside))[:3]}")
        return printable(f"{found.problem} {found.remarks} {found.submitted}", lines=True)
    except ArgumentError as error:
        return printable(str(error), lines=True)
    finally:
        shutil.rmtree("results", ignore_errors=True)
        (home / "student.zip").unlink()


def earlier_values() -> list[bytes]:
    """Return the bytes of valid class.json files in the format of `grade-class`."""
    row = {"key": "ada", "status": "graded", "problem": "", "points": 45.5, "files_sha256": "ab", "before": None}
    value = {"format": FORMAT, "settings": {}, "complete": True, "rows": [row], "similar": []}
    return [json.dumps(value).encode(), json.dumps({**value, "rows": [{**row, "before": row}]}).encode()]


def compare_earlier(data: bytes) -> str:
    """Compare a grading with an earlier class.json, and return the report of `grade-class`.

    If class.json is invalid, the result is the error message of `grade-class`. data: the bytes of class.json.
    """
    path = Path("class.json")
    path.write_bytes(data)
    row = {"key": "ada", "status": "graded", "problem": "", "points": 50.0, "files_sha256": "cd", "before": None}
    try:
        add_changes([row], {}, read_earlier(path))
        return printable(change_of(row))
    except ArgumentError as error:
        return printable(str(error), lines=True)
    finally:
        path.unlink()


CLASSES: Sequence[Target] = (
    Target("roster", "a roster of `grade-class`", rosters, read_roster_bytes, (b'"', b";", b"1e999", b"9999-12-31")),
    Target("zip", "a submitted zip file", archives, read_archive, (b"PK\x01\x02", b"PK\x05\x06", b"../", b"\xff" * 4)),
    Target("class", "class.json of `grade-class`", earlier_values, compare_earlier, (b"null", b"[]", b"{}", b"1e999")),
)
