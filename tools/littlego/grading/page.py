"""A grading as a web page, from the output of `littlego grade --json`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from littlego.cli.arguments import ArgumentError, read_file
from littlego.cli.page import render_page, render_template
from littlego.files import short_name
from littlego.match.referee import COLOURS
from littlego.printable import printable


def read_grading(path: Path) -> dict[str, Any]:
    """Return the grading in a file written by `littlego grade --json FILE`: see report.grading_value.

    Raise ArgumentError if the file cannot be read or does not contain a grading.
    """
    try:
        value = json.loads(read_file(path))
    except (ValueError, RecursionError) as error:
        raise ArgumentError(f"{short_name(path)} is not JSON: {printable(str(error))}") from None
    wanted = {"program", "points", "most", "repetitions", "outcomes", "best", "games", "complete"}
    if not isinstance(value, dict) or wanted - value.keys():
        raise ArgumentError(f"{short_name(path)} is not a grading; expected the output of `littlego grade --json FILE`")
    return value


def grading_page(value: dict[str, Any]) -> str:
    """Return the HTML page of a grading, with a link `games/outcome-NUMBER` to each game that was not won.

    NUMBER: the game's place in `outcomes`, from 1. Raise ArgumentError if the grading is damaged.
    """
    try:
        lost = [
            (number, outcome, COLOURS[outcome["game"]["colour"]])
            for number, outcome in enumerate(value["outcomes"], 1)
            if not outcome["won"]
        ]
        title = f"Grading of {value['program']['name']}"
        points = f"{value['points']:.2f}".rstrip("0").rstrip(".")
        body = render_template("littlego.grading", "grading.html", title=title, value=value, points=points, lost=lost)
    except (KeyError, TypeError, ValueError) as error:
        text = f"the grading is damaged: {printable(repr(error))}; write it again with `littlego grade --json FILE`"
        raise ArgumentError(text) from None
    return render_page(title, body)
