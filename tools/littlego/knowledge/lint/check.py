"""The checker of patterns files: it reports compile errors, failing examples and lints in one run.

Results are formatted as text for people, or as JSON, SARIF 2.1.0 or GitHub annotations for programs.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from urllib.parse import quote

from littlego.files import json_text
from littlego.knowledge.codes import CODES, ERROR, NOTE, SEVERITIES, WARNING
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.examples import Outcome, problem_of, run_examples
from littlego.knowledge.lint.texts import text_lints, twin_lints
from littlego.knowledge.model import KnowledgeBase
from littlego.knowledge.problems import COLUMNS, Problem, plural
from littlego.knowledge.source import Source
from littlego.parallel import with_progress

OF_THE_WHOLE_FILE = ("L233",)  # codes of faults without a line in the file
FAILING = "P070"  # the code of an example in which the pattern must fire but does not
NEVER_FIRES = ("L201", "L202", "L211")  # codes of patterns that never fire

ExactLints = Callable[[KnowledgeBase, list[str]], Iterable[Problem]]
MOST_SHOWN = 100  # maximum number of problems of one code in printed text
GITHUB = {ERROR: "error", WARNING: "warning", NOTE: "notice"}
PROBLEM_KEYS = ("file", "line", "column", "message", "expected", "hint", "excerpt", "drawing")  # in JSON
SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


@dataclass(frozen=True)
class Checked:
    """The result of checking a patterns file: the problems and the undecided questions."""

    file: str
    patterns: int  # number of patterns
    problems: list[Problem]  # in file order
    undecided: list[str] = field(default_factory=list)  # undecided questions, each of which may hide a fault

    def count(self, severity: str) -> int:
        """Return the number of problems with the given severity."""
        return sum(problem.severity == severity for problem in self.problems)

    @property
    def has_findings(self) -> bool:
        """Whether any problem is worse than a note."""
        return bool(self.count(ERROR) + self.count(WARNING))


def check_text(data: bytes, filename: str, exact_lints: ExactLints | None = None, notes: bool = False) -> Checked:
    """Return the result of checking the bytes of a patterns file.

    exact_lints: a function that yields further problems of the valid patterns and appends undecided questions to its
    second argument. notes: whether to include problems of the severity note.
    """
    _, problems, base = compile_text(data, filename, with_examples=False)
    outcomes = with_progress(run_examples(base), sum(len(pattern.examples) for pattern in base.patterns), "example")
    return check_base(Source(data.decode("utf-8", "replace"), filename), problems, base, outcomes, exact_lints, notes)


def check_base(
    source: Source,
    problems: list[Problem],
    base: KnowledgeBase,
    outcomes: Iterable[Outcome],
    exact_lints: ExactLints | None = None,
    notes: bool = False,
) -> Checked:
    """Return the result of checking a compiled file, given the results of its examples.

    outcomes: the results of the file's examples. problems, base: see compile_text. exact_lints, notes: see check_text.
    """
    filename, undecided = source.filename, list[str]()
    doubts = [*_failing(outcomes, filename), *text_lints(base), *twin_lints(base)]
    settled = {(doubt.line, doubt.column) for doubt in doubts if doubt.code == "L209"}
    if exact_lints:
        doubts += [one for one in exact_lints(base, undecided) if (one.line, one.column) not in settled]
    doubts = [
        doubt if doubt.code in OF_THE_WHOLE_FILE else replace(doubt, excerpt=source.line(doubt.line))
        for doubt in doubts
    ]
    told = problems + [doubt for doubt in doubts if notes or doubt.severity != NOTE]
    return Checked(filename, len(base.patterns), sorted(_drop_consequences(told, base)), undecided)


def _failing(outcomes: Iterable[Outcome], filename: str) -> Iterator[Problem]:
    yield from filter(None, (problem_of(outcome, filename) for outcome in outcomes))


def find_causes(data: bytes, problems: list[Problem], base: KnowledgeBase, exact_lints: ExactLints) -> list[Problem]:
    """Return the problems; proofs replace the failing examples that the proofs explain.

    A proof that a pattern never fires replaces the pattern's failing `matches` examples. problems, base: as
    compile_text returns them.
    """
    owner = _owner_of(base)
    owners = {owner(problem) for problem in problems if problem.code == FAILING}
    failing = [pattern for pattern in base.patterns if (pattern.line, pattern.column) in owners]
    if not failing:
        return problems
    proven = [one for one in exact_lints(replace(base, patterns=failing), []) if one.code in NEVER_FIRES]
    source = Source(data.decode("utf-8", "replace"), base.filename)
    causes = [replace(one, excerpt=source.line(one.line)) for one in proven]
    return sorted(_drop_consequences(problems + causes, base))


def _drop_consequences(problems: list[Problem], base: KnowledgeBase) -> list[Problem]:
    """Return the problems without the failing `matches` examples of patterns that provably never fire."""
    owner = _owner_of(base)
    dead = {owner(problem) for problem in problems if problem.code in NEVER_FIRES}
    return [problem for problem in problems if not (problem.code == FAILING and owner(problem) in dead)]


def _owner_of(base: KnowledgeBase) -> Callable[[Problem], tuple[int, int]]:
    """Return a function that maps a problem to the (line, column) of the pattern with the problem.

    The function returns (0, 0) for a problem before the first pattern.
    """
    starts = sorted((pattern.line, pattern.column) for pattern in base.patterns)

    def owner(problem: Problem) -> tuple[int, int]:
        before = bisect_right(starts, (problem.line, problem.column))
        return starts[before - 1] if before else (0, 0)

    return owner


def as_text(checked: Checked) -> str:
    """Return the problems, the undecided questions and a summary as text.

    The text shows at most MOST_SHOWN problems of each code.
    """
    lines = [line for problem in shown_problems(checked) for line in problem_lines(problem)]
    return "\n".join([*lines, *left_out_lines(checked), *undecided_lines(checked), summary(checked)]) + "\n"


def shown_problems(checked: Checked) -> list[Problem]:
    """Return the problems to print as text: the first MOST_SHOWN problems of each code."""
    numbered: Counter[str] = Counter()
    shown = []
    for problem in checked.problems:
        numbered[problem.code] += 1
        shown += [problem] if numbered[problem.code] <= MOST_SHOWN else []
    return shown


def left_out_lines(checked: Checked) -> list[str]:
    """Return a line for each code with more than MOST_SHOWN problems: the number of problems not shown."""
    counts = Counter(problem.code for problem in checked.problems)
    return [
        f"{code}: {count - MOST_SHOWN:,} more not shown; correct the first problems, or list all with --json"
        for code, count in sorted(counts.items())
        if count > MOST_SHOWN
    ]


def problem_lines(problem: Problem) -> list[str]:
    """Return the lines of a problem: its place, code and text, then the source line and the drawing."""
    return [" ".join(head(problem)), *below(problem)]


def head(problem: Problem) -> tuple[str, str, str]:
    """Return a problem's place, code and text; for a warning or note, the severity follows the code."""
    code = problem.code if problem.severity == ERROR else f"{problem.code} {problem.severity}:"
    return f"{problem.file}:{problem.line}:{problem.column}", code, problem.text


def below(problem: Problem, columns: int = COLUMNS) -> list[str]:
    """Return the lines below a problem's first line: the source line with a caret, and the drawing.

    A blank line separates the source line and the drawing. columns: the maximum width of the source line.
    """
    _, *lines = problem.lines(columns)
    first = len(lines) - len(problem.drawing.splitlines())
    return [*lines[:first], *([""] if 0 < first < len(lines) else []), *lines[first:]]


def undecided_lines(checked: Checked) -> list[str]:
    """Return a heading and a line for each undecided question, or [] if no question is undecided."""
    heads = ["Undecided questions, each of which may hide a fault:"] if checked.undecided else []
    return [*heads, *map("    {}".format, checked.undecided)]


def summary(checked: Checked) -> str:
    """Return one line: the file, the number of patterns, and the number of problems of each severity."""
    counts = [plural(checked.count(severity), severity) for severity in SEVERITIES if checked.count(severity)]
    return f"{checked.file}: {plural(checked.patterns, 'pattern')}, {', '.join(counts) or 'no fault'}"


def as_json(checked: Checked) -> str:
    """Return the result as JSON text: file, number of patterns, problems and undecided questions."""
    return json_text(
        {
            "file": checked.file,
            "patterns": checked.patterns,
            "problems": [problem_json(problem) for problem in checked.problems],
            "undecided": checked.undecided,
        }
    )


def problem_json(problem: Problem) -> dict[str, object]:
    """Return a problem as a dictionary for JSON: its code, severity, title and the fields in PROBLEM_KEYS."""
    head = {"code": problem.code, "severity": problem.severity, "title": CODES[problem.code].title}
    return head | {name: getattr(problem, name) for name in PROBLEM_KEYS}


def as_github(checked: Checked) -> str:
    """Return GitHub workflow commands that show each problem beside its source line."""
    return "".join(_annotate(problem) + "\n" for problem in checked.problems)


def _annotate(problem: Problem) -> str:
    where = {
        "file": problem.file,
        "line": problem.line,
        "col": problem.column,
        "title": f"{problem.code} {CODES[problem.code].title}",
    }
    properties = ",".join(f"{name}={_escape(str(value), ':,')}" for name, value in where.items())
    return f"::{GITHUB[problem.severity]} {properties}::{_escape(_draw_below(problem))}"


def _draw_below(problem: Problem) -> str:
    """Return a problem's text, with the drawing on the lines below."""
    return "\n".join(filter(None, [problem.text, problem.drawing]))


def _escape(text: str, more: str = "") -> str:
    """Return a text for a workflow command, with `%`, CR, LF and the characters of `more` percent-encoded."""
    return "".join(f"%{ord(character):02X}" if character in "%\r\n" + more else character for character in text)


def as_sarif(checked: Checked) -> str:
    """Return a SARIF 2.1.0 log with one run, in which each reported code is a rule."""
    codes = sorted({problem.code for problem in checked.problems})
    run = {
        "tool": {"driver": {"name": "littlego check", "rules": [_sarif_rule(code) for code in codes]}},
        "columnKind": "unicodeCodePoints",
        "results": [_sarif_result(problem, codes.index(problem.code)) for problem in checked.problems],
        "invocations": [
            {
                "executionSuccessful": True,
                "toolExecutionNotifications": [
                    {"level": "note", "message": {"text": f"not decided exactly: {line}"}} for line in checked.undecided
                ],
            }
        ],
    }
    return json_text({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]})


def _sarif_rule(code: str) -> dict[str, object]:
    page = CODES[code].page()
    return {
        "id": code,
        "shortDescription": {"text": CODES[code].title},
        "help": {"text": page, "markdown": page},
        "defaultConfiguration": {"level": CODES[code].severity},
    }


def _sarif_result(problem: Problem, rule: int) -> dict[str, object]:
    region: dict[str, object] = {"startLine": problem.line, "startColumn": problem.column}
    if problem.excerpt:
        region["snippet"] = {"text": problem.excerpt}
    path = PurePath(problem.file)
    uri = path.as_uri() if path.is_absolute() else quote(path.as_posix())
    return {
        "ruleId": problem.code,
        "ruleIndex": rule,
        "level": problem.severity,
        "message": {"text": _draw_below(problem)},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}}],
    }


FORMATS = {"text": as_text, "json": as_json, "sarif": as_sarif, "github": as_github}
