"""A pattern as its author could have drafted it otherwise: its parts as texts, and the reader's word on them."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from tools.knowledge.compiler import read
from tools.knowledge.expressions import tokens
from tools.knowledge.model import KnownPattern
from tools.knowledge.source import Source

_BOARD = "|\n" + "            . . . . .\n" * 5
_EXAMPLES = f"""\
    examples:
      matches:
        - move: MOVE
          board: {_BOARD}
      no_match:
        - board: {_BOARD}
"""  # the reader wants some; those of the pattern are kept as they were read


@dataclass(frozen=True)
class Draft:
    """What a pattern says, as texts; whether it makes sense is for the reader to say.

    rows, label_rows: the diagram and its labels, a string a row, without spaces. when: the conditions, one for
    each part that a top-level `and` joins.
    """

    rows: tuple[str, ...]
    label_rows: tuple[str, ...]
    when: tuple[str, ...]
    points: str
    priority: int
    passes: bool
    sacrifice: bool
    forbid: bool


def draft_of(pattern: KnownPattern) -> Draft:
    """Return a pattern as a draft."""
    return Draft(
        tuple(pattern.rows),
        tuple(pattern.label_rows),
        tuple(text for item in pattern.when_text for _, text in conjuncts(item)),
        pattern.points_text,
        pattern.priority,
        pattern.passes,
        pattern.sacrifice,
        pattern.forbid,
    )


def conjuncts(text: str) -> list[tuple[int, str]]:
    """Return (where it starts, text) of each part of a condition that a top-level `and` joins."""
    return [(0, text)] if len(split(text, "or")) > 1 else split(text, "and")


def split(text: str, word: str) -> list[tuple[int, str]]:
    """Return (where it starts, text) of each part of an expression between the `word`s outside parentheses."""
    depth, begin, found = 0, 0, []
    for token in tokens(text):
        depth += (token.text == "(") - (token.text == ")")
        if token.kind == "end" or token.text == word and not depth:
            part = text[begin : token.at]
            found.append((begin + len(part) - len(part.lstrip()), part.strip()))
            begin = token.at + len(word)
    return found


def read_back(draft: Draft, pattern: KnownPattern) -> KnownPattern | None:
    """Return the pattern as the draft says it, its examples kept, or None where the reader refuses the draft."""
    source = Source(_text(draft, pattern), "draft")
    patterns = read(source).patterns
    if source.problems or len(patterns) != 1:
        return None
    kept = {key: getattr(pattern, key) for key in ("examples", "rare", "line", "column")}
    return replace(patterns[0], **kept)


def _text(draft: Draft, pattern: KnownPattern) -> str:
    """Return a patterns file with just this draft."""
    values = {"id": pattern.id, "class": pattern.kind, "summary": pattern.summary, "points": draft.points}
    lines = [f"    {key}: {json.dumps(value)}" for key, value in values.items()]
    lines.append(f"    priority: {draft.priority}")
    flags = (("move: pass", draft.passes), ("sacrifice: true", draft.sacrifice), ("forbid: true", draft.forbid))
    lines += [f"    {text}" for text, is_set in flags if is_set]
    for key, rows in (("diagram", draft.rows), ("labels", draft.label_rows)):
        lines += [f"    {key}: |", *(f"      {row}" for row in rows)] if rows else []
    if draft.when:
        lines += ["    when:", *(f"      - {json.dumps(condition)}" for condition in draft.when)]
    lines[0] = "  -" + lines[0][3:]
    examples = _EXAMPLES.replace("MOVE", "pass" if draft.passes else "0,0")
    return "\n".join(["ruleset: little-go", "patterns:", *lines, examples])
