"""Gradescope's results.json, and templates for Gradescope, GitHub Classroom and a container."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from markupsafe import Markup

from littlego.cli.arguments import ArgumentError, trying_to
from littlego.cli.page import render_template
from littlego.files import write_text
from littlego.grading.classroom.rows import Row, reason_of

# {template: path in the folder that write_templates fills}. Gradescope runs setup.sh once and run_autograder for each
# submission.
TEMPLATES = {
    "setup.sh": "gradescope/setup.sh",
    "run_autograder": "gradescope/run_autograder",
    "classroom.yml": "github/.github/workflows/classroom.yml",
    "Containerfile": "container/Containerfile",
}
PROGRAMS = ("setup.sh", "run_autograder")  # written with execute permission


def results_value(row: Row) -> dict[str, Any]:
    """Return the content of Gradescope's results.json for a student: the score, and a test for each role.

    Source: section "Output Format" of https://gradescope-autograders.readthedocs.io/en/latest/specs/.
    """
    reasons: Mapping[str, str] = {part["where"]: part["reason"] for part in row["lost"]}
    late = {stage["stage"] for stage in row["stages"] if stage["late"]}
    tests = [
        {
            "name": role,
            "score": 0.0 if mark["stage"] in late else mark["points"],
            "max_score": mark["most"],
            "output": reasons.get(f"stage {mark['stage']}" if mark["stage"] in late else role, "no points lost"),
        }
        for role, mark in row["roles"].items()
    ]
    return {
        "score": row["points"],
        "output": "\n".join(filter(None, [_heading(row), reason_of(row)])),
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": tests,
    }


def _heading(row: Row) -> str:
    if not row["most"]:
        return f"{row['status'].capitalize()}."
    return f"{row['points']:g} of {row['most']} points; {row['program']}, run by {row['runs']}."


def write_templates(folder: Path, options: Mapping[str, object]) -> list[Path]:
    """Write the templates and return their paths.

    Raise ArgumentError if a file already exists or cannot be written.

    options: the options of `littlego grade-class` that determine the games, such as {"--games": 20}.
    """
    words = [str(word) for option in options.items() for word in option]
    values = {
        "version": version("littlego"),
        "options": " ".join(words),
        "words": Markup(", ".join(f'"{word}"' for word in words)),
    }
    written = []
    for template, place in TEMPLATES.items():
        path = folder / place
        if path.exists():
            raise ArgumentError(f"{path} exists; name another folder for the templates or remove the file")
        with trying_to(f"write {path}"):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_text(path, render_template("littlego.grading", template, **values))
            if template in PROGRAMS:
                path.chmod(0o755)
        written.append(path)
    return written
