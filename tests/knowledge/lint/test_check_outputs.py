"""Tests that all output formats of `check` (text, JSON, SARIF, GitHub) contain the same problems."""

from __future__ import annotations

import io
import json
import re

import jsonschema
import pytest
from checking import checked
from drawn_patterns import FILE, changed
from rich.console import Console

from littlego.knowledge.codes import CODES
from littlego.knowledge.lint.check import FORMATS, Checked
from littlego.knowledge.lint.terminal import colour_problem, show, show_codes, show_page
from littlego.knowledge.problems import Problem

TEXT = {
    "type": "object",
    "required": ["text"],
    "properties": {"text": {"type": "string"}},
    "additionalProperties": False,
}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
POSITIVE = {"type": "integer", "minimum": 1}


def strict(required: str, **properties) -> dict:
    """Return the schema of an object that allows only these properties and requires those in `required`."""
    return {
        "type": "object",
        "required": required.split(),
        "properties": properties,
        "additionalProperties": False,
    }


def many(schema: dict) -> dict:
    return {"type": "array", "items": schema}


# The part of the SARIF 2.1.0 schema (OASIS, sarif-schema-2.1.0.json) for the objects that we write.
REGION = strict("", startLine=POSITIVE, startColumn=POSITIVE, snippet=TEXT)
PLACE = strict("", artifactLocation=strict("", uri={"type": "string", "format": "uri-reference"}), region=REGION)
HELP = strict("text", text={"type": "string"}, markdown={"type": "string"})
RULE = strict(
    "id", id={"type": "string"}, shortDescription=TEXT, help=HELP, defaultConfiguration=strict("", level=LEVEL)
)
RESULT = strict(
    "message",
    ruleId={"type": "string"},
    ruleIndex={"type": "integer"},
    level=LEVEL,
    message=TEXT,
    locations=many(strict("", physicalLocation=PLACE)),
)
RUN = strict(
    "tool",
    tool=strict("driver", driver=strict("name", name={"type": "string"}, rules=many(RULE))),
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    results=many(RESULT),
    invocations=many(
        strict(
            "executionSuccessful",
            executionSuccessful={"type": "boolean"},
            toolExecutionNotifications=many(strict("message", level=LEVEL, message=TEXT)),
        )
    ),
)
SARIF = strict("version runs", **{"$schema": {"type": "string"}}, version={"enum": ["2.1.0"]}, runs=many(RUN))

ODD = Problem("a folder/p,1:%.yaml", 3, 7, "L203", "50% of\nit", "a, b: c", "see", " 0 1\n 0 .", "points: 1 # zwölf")


@pytest.fixture(scope="module")
def found() -> Checked:
    text = changed("      - liberties(A) == 1\n", "      - liberties(A) == 1\n      - line(*) > 0\n")
    found = checked(changed("class: capture", "class: capture\n    doubt: unsure", text), notes=True)
    return Checked(found.file, found.patterns, [*found.problems, ODD], ["take: can it fire?"])


def test_text_gives_place_code_message_line_and_caret():
    text = changed("      - liberties(A) == 1\n", "      - liberties(A) == 1 and line(*) > 0\n")
    said = FORMATS["text"](checked(text))
    assert said == (
        "patterns.yaml:13:31 L210 warning: `line(*) > 0` is always true where the diagram of `take` matches; "
        "remove it\n"
        "    - liberties(A) == 1 and line(*) > 0\n"
        "                            ^\n"
        "patterns.yaml: 1 pattern, 1 warning\n"
    )
    assert FORMATS["text"](checked(FILE)) == "patterns.yaml: 1 pattern, no fault\n"


def test_text_says_what_is_not_decided(found):
    *_, heading, line, summary = FORMATS["text"](found).splitlines()
    assert heading.startswith("Undecided questions") and line == "    take: can it fire?"
    assert summary == "patterns.yaml: 1 pattern, 2 warnings, 2 notes"


def test_json_has_every_problem_with_its_parts(found):
    read = json.loads(FORMATS["json"](found))
    assert (read["file"], read["patterns"], read["undecided"]) == ("patterns.yaml", 1, ["take: can it fire?"])
    assert [(one["line"], one["column"], one["code"], one["severity"]) for one in read["problems"]] == [
        (1, 1, "L233", "note"),
        (5, 12, "L234", "note"),
        (15, 9, "L210", "warning"),
        (3, 7, "L203", "warning"),
    ]
    assert read["problems"][-1]["message"] == "50% of\\nit" and read["problems"][-1]["title"] == CODES["L203"].title


def test_sarif_is_what_its_schema_asks_for(found):
    read = json.loads(FORMATS["sarif"](found))
    jsonschema.validate(read, SARIF)
    run = read["runs"][0]
    for result, problem in zip(run["results"], found.problems, strict=True):
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == problem.code
        assert result["level"] == problem.severity
    assert (
        run["results"][-1]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        == "a%20folder/p%2C1%3A%25.yaml"
    )
    assert run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"].endswith("take: can it fire?")


def test_sarif_of_an_absolute_path_is_a_file_uri():
    problem = Problem("/tmp/a b.yaml", 1, 1, "P005", "an empty file")
    read = json.loads(FORMATS["sarif"](Checked(problem.file, 0, [problem])))
    place = read["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "file:///tmp/a%20b.yaml" and "snippet" not in place["region"]


def test_github_gets_one_line_each_that_it_can_take_apart(found):
    lines = FORMATS["github"](found).splitlines()
    assert len(lines) == len(found.problems)
    commands = [re.fullmatch(r"::(error|warning|notice) ([^:]*)::(.*)", line) for line in lines]
    assert [command[1] for command in commands] == ["notice", "notice", "warning", "warning"]
    properties = dict(pair.split("=", 1) for pair in commands[-1][2].split(","))
    assert properties == {
        "file": "a folder/p%2C1%3A%25.yaml",
        "line": "3",
        "col": "7",
        "title": f"L203 {CODES['L203'].title}",
    }
    assert commands[-1][3] == "50%25 of\\nit; expected a, b: c; see%0A 0 1%0A 0 ."


def test_a_terminal_gets_the_same_words_with_the_caret_in_its_place(found):
    console = Console(record=True, width=2000, file=io.StringIO(), force_terminal=True)
    show(found, console)
    shown = re.sub(r"\n+", "\n", console.export_text(styles=False))
    for line in FORMATS["text"](found).splitlines():
        assert line.rstrip() in shown
    assert "--explain" in shown


@pytest.mark.parametrize("columns", [40, 80])
def test_a_narrow_terminal_cuts_the_source_around_the_caret(columns):
    line = "points: " + " + ".join(["10 * size(A)"] * 20) + " + sice(A)"
    problem = Problem("p.yaml", 1, line.index("sice") + 1, "P045", "unknown fact `sice`", excerpt=line)
    console = Console(record=True, width=columns, file=io.StringIO(), force_terminal=True)
    show(Checked("p.yaml", 1, [problem]), console)
    rows = console.export_text().splitlines()
    caret = next(number for number, row in enumerate(rows) if row.strip() == "^")
    assert rows[caret - 1][rows[caret].index("^") :].startswith("sice(A)")
    assert max(map(len, rows)) <= columns


def test_pages_and_the_list_of_codes_can_be_shown_on_a_terminal():
    console = Console(record=True, width=80, file=io.StringIO(), force_terminal=True)
    show_page(CODES["L203"], console)
    show_codes(console)
    shown = console.export_text()
    assert "Why it matters" in shown and "P012  malformed name" in shown and "```" not in shown


def test_a_place_with_a_space_is_bold_as_a_whole_and_a_board_stands_apart_from_the_caret():
    problem = Problem("my own.yaml", 3, 7, "L203", "never fires", drawing="0 1\n. X", excerpt="  - id: take")
    text = colour_problem(problem, 80)
    assert [text.plain[span.start : span.end] for span in text.spans] == [
        "my own.yaml:3:7",
        "L203 warning:",
        "\n        ^",
    ]
    assert text.plain.endswith("^\n\n    0 1\n    . X")
