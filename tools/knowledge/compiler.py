"""patterns.yaml to the bytes of patterns.txt, or to the list of all that is wrong with it."""

from __future__ import annotations

from dataclasses import replace

from tools.knowledge.examples import problem_of, run_examples
from tools.knowledge.model import KnowledgeBase
from tools.knowledge.problems import Problem
from tools.knowledge.reader import read
from tools.knowledge.source import Source
from tools.knowledge.textfile import to_bytes


def compile_text(
    text: str | bytes, filename: str, with_examples: bool = True
) -> tuple[bytes | None, list[Problem], KnowledgeBase]:
    """Compile the text of a patterns file.

    Return (patterns.txt, problems by place, the patterns that are in order). There are bytes only if there is
    no problem; a failing example is one, unless with_examples is false.
    """
    source = Source(text if isinstance(text, str) else _decoded(text), filename)
    if isinstance(text, bytes):
        _check_encoding(text, source)
    base = read(source)
    problems = list(dict.fromkeys(source.problems))
    if with_examples:
        problems += filter(None, (problem_of(outcome, filename) for outcome in run_examples(base)))
    problems = sorted(replace(problem, excerpt=source.line(problem.line)) for problem in problems)
    return (None if problems else to_bytes(base)), problems, base


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _check_encoding(data: bytes, source: Source) -> None:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        index = len(data[: error.start].decode("utf-8"))
        source.report(index, "P001", f"the byte 0x{data[error.start]:02x}", "UTF-8 text", "save the file as UTF-8")
