"""Problems of one entry, found after each keystroke, and problems of the whole file, found on request."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from littlego.editor.cutting import Entry
from littlego.editor.entries import Entries
from littlego.editor.fixes import fix_of, offset_of
from littlego.knowledge.codes import NOTE
from littlego.knowledge.examples import cases
from littlego.knowledge.lint.check import OF_THE_WHOLE_FILE, Checked, ExactLints, check_base, problem_json
from littlego.knowledge.model import KnowledgeBase, KnownPattern
from littlego.knowledge.problems import Problem
from littlego.knowledge.source import Source
from littlego.knowledge.testing import Runner
from littlego.rules.ruleset import Ruleset

_WORD = re.compile(r"[\w-]+|\S")  # the word to underline


def base_of(entries: Entries, patterns: Iterable[KnownPattern], ruleset: Ruleset | None = None) -> KnowledgeBase:
    """Return a knowledge base with the given patterns. ruleset: None means the file's ruleset."""
    phases = entries.head[1].phases
    return KnowledgeBase(entries.filename, ruleset or entries.ruleset, "", list(patterns), phases=phases)


def entry_findings(entries: Entries, entry: Entry, runner: Runner, notes: bool = False) -> list[Problem]:
    """Return the problems of one entry, including failing examples and warnings.

    Problems that concern the whole file are left out.
    """
    known = entries.compiled(entry)
    base = base_of(entries, known.patterns)
    source = entries.cut.excerpt(entry)  # for the quoted lines of problems
    outcomes = [runner.outcome(case) for case in cases(base)]
    checked = check_base(source, known.problems, base, outcomes, None, notes)
    return [problem for problem in checked.problems if problem.code not in OF_THE_WHOLE_FILE]


def file_findings(entries: Entries, runner: Runner, exact_lints: ExactLints | None, notes: bool = False) -> Checked:
    """Return the problems of the whole file, as `littlego check` reports them. exact_lints: see check_base."""
    base, problems = entries.base()
    outcomes = (runner.outcome(case) for case in cases(base))
    return check_base(Source(entries.text, entries.filename), problems, base, outcomes, exact_lints, notes)


def finding_json(entries: Entries, problem: Problem) -> dict[str, Any]:
    """Return a problem as in `littlego check --json`, with its place in the text and its fix.

    `text` is the complete message. `from` and `to` are the bounds of the word to underline, in characters of the file's
    text. `number` and `pattern` are the index and the id of the entry with the problem, or null if the problem is
    outside the entries. For `fix`, see fix_of.
    """
    entry = entries.cut.entry_at(problem.line)
    begin = offset_of(entries, problem)
    word = _WORD.match(entries.text, begin)
    return {
        **problem_json(problem),
        "text": problem.text,
        "from": begin,
        "to": word.end() if word else begin,
        "number": entry.number if entry else None,
        "pattern": entries.ids[entry.number] if entry else None,
        "fix": fix_of(entries, problem),
    }


def findings_json(entries: Entries, problems: Iterable[Problem], notes: bool) -> list[dict[str, Any]]:
    """Return problems as JSON objects. notes: whether to include notes."""
    return [finding_json(entries, problem) for problem in problems if notes or problem.severity != NOTE]
