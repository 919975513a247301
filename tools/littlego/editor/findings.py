"""Findings about patterns: of one entry after each keystroke, and of the whole file with exact lints."""

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

_WORD = re.compile(r"[\w-]+|\S")  # what is underlined


def base_of(entries: Entries, patterns: Iterable[KnownPattern], ruleset: Ruleset | None = None) -> KnowledgeBase:
    """Return a knowledge base of some patterns of a file."""
    return KnowledgeBase(entries.filename, ruleset or entries.ruleset, "", list(patterns))


def entry_findings(entries: Entries, entry: Entry, runner: Runner, notes: bool = False) -> list[Problem]:
    """Return what is wrong with one entry, its examples run, and what its text alone makes doubtful."""
    known = entries.compiled(entry)
    base = base_of(entries, known.patterns)
    source = entries.cut.excerpt(entry)  # for the lines that problems quote
    outcomes = [runner.outcome(case) for case in cases(base)]
    checked = check_base(source, known.problems, base, outcomes, None, notes)
    return [one for one in checked.problems if one.code not in OF_THE_WHOLE_FILE]


def file_findings(entries: Entries, runner: Runner, exact_lints: ExactLints | None, notes: bool = False) -> Checked:
    """Return what `littlego check` says of the whole file."""
    base, problems = entries.base()
    outcomes = (runner.outcome(case) for case in cases(base))
    return check_base(Source(entries.text, entries.filename), problems, base, outcomes, exact_lints, notes)


def finding_json(entries: Entries, problem: Problem) -> dict[str, Any]:
    """Return a problem as `littlego check --json` has it, and besides: text (all its words), from and to in characters
    of the whole text, number and pattern of its entry (null outside of all), fix (see fix_of) or null."""
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
    """Return problems, notes left out where they are not wanted."""
    return [finding_json(entries, one) for one in problems if notes or one.severity != NOTE]
