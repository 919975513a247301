"""Edits: the differences between two patterns files, key by key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from littlego.games.boards import board_rows, move_text
from littlego.knowledge.files import Knowledge
from littlego.knowledge.model import Example
from littlego.knowledge.programs import infix
from littlego.knowledge.tables import Points
from littlego.rules.patternfile import Pattern

ADDED, REMOVED, CHANGED = "added", "removed", "changed"
IDLE_FIELDS = (1, 10)  # indexes of the class and the summary, which affect no decision, in a line of patterns.txt


@dataclass(frozen=True)
class Edit:
    """A pattern that differs between two files."""

    id: str
    kind: str  # ADDED, REMOVED or CHANGED
    keys: dict[str, tuple[str, str]]  # (old text, new text) of each key that differs, '' for a missing key
    decisive: bool  # whether a decision can depend on the edit


def find_edits(old: Knowledge, new: Knowledge) -> list[Edit]:
    """Return the edits that turn `old` into `new`, sorted by pattern id."""
    before, after = _lines_by_id(old), _lines_by_id(new)
    edits = []
    for name in sorted(before.keys() | after.keys()):
        kind = ADDED if name not in before else REMOVED if name not in after else CHANGED
        texts = _texts_of_both(name, old, new, before, after)
        pairs = {key: (texts[0].get(key, ""), texts[1].get(key, "")) for key in {**texts[0], **texts[1]}}
        keys = {key: pair for key, pair in pairs.items() if pair[0] != pair[1]}
        decisive = kind != CHANGED or decisive_fields(before[name]) != decisive_fields(after[name])
        if keys or decisive:
            edits.append(Edit(name, kind, keys, decisive))
    return edits


def decisive_fields(line: str) -> list[str]:
    """Return the fields of a pattern that affect decisions. line: a line of patterns.txt."""
    fields = line.split("\t")
    fields[4] = fields[4].replace("r", "").replace("p", "").replace("-", "")  # `r` has no effect; the rows show a pass
    return [field for place, field in enumerate(fields) if place not in IDLE_FIELDS]


def _lines_by_id(knowledge: Knowledge) -> dict[str, str]:
    return {line.partition("\t")[0]: line for line in knowledge.lines}


def _texts_of_both(
    name: str, old: Knowledge, new: Knowledge, before: dict[str, str], after: dict[str, str]
) -> tuple[dict[str, str], dict[str, str]]:
    """Return a pattern's texts in the old and in the new file, each as {key: text}.

    The texts come from the YAML sources if both are known, else from the compiled lines.
    """
    if (old.known or not before) and (new.known or not after):
        return _text_as_written(name, old), _text_as_written(name, new)
    return _text_as_compiled(name, before), _text_as_compiled(name, after)


def _text_as_compiled(name: str, lines: dict[str, str]) -> dict[str, str]:
    if name not in lines:
        return {}
    pattern = Pattern(lines[name])
    flags = {name: getattr(pattern, name) for name in ("forbid", "sacrifice", "risk", "rare")}
    return {
        "class": pattern.kind,
        "summary": pattern.summary,
        "priority": str(pattern.priority),
        "points": Points.compiled(infix(pattern.points), pattern.table).text,
        "diagram": _space_rows(pattern.rows),
        "labels": _space_rows(pattern.label_rows),
        "when": "\n".join(map(infix, pattern.when)),
        **{key: "true" if is_set else "" for key, is_set in flags.items()},
    }


def _text_as_written(name: str, knowledge: Knowledge) -> dict[str, str]:
    if name not in knowledge.known:
        return {}
    pattern = knowledge.known[name]
    return {
        "class": pattern.kind,
        "summary": pattern.summary,
        "priority": str(pattern.priority),
        "points": Points.of(pattern.points_text, pattern.table).text,
        "move": "pass" if pattern.passes else "",
        "diagram": _space_rows(pattern.rows),
        "labels": _space_rows(pattern.label_rows),
        "when": "\n".join(pattern.when_text),
        "forbid": "true" if pattern.forbid else "",
        "sacrifice": "true" if pattern.sacrifice else "",
        "risk": "true" if pattern.risk else "",
        "rare": pattern.rare,
        "doubt": pattern.doubt,
        "tags": ", ".join(pattern.tags),
        "examples": "\n".join(map(_format_example, pattern.examples)),
    }


def _space_rows(rows: Sequence[str]) -> str:
    return "\n".join(" ".join(row) for row in rows)


def _format_example(example: Example) -> str:
    size = example.ruleset.size
    board = "/".join(board_rows(size, *example.stones))
    previous = "/".join(board_rows(size, *example.previous)) if example.previous else "-"
    move = "any" if example.move is None else move_text(example.move, size)
    return f"{example.kind} {board} {move} previous {previous} left {example.moves_left} colour {example.colour}"
