"""What an edit of the patterns does: what two files say differently, key by key, and which decisions change.

Two files are compared, or a file and the decisions on record: with the patterns that made these, where they can be
found. Of each decision that changes the truth may say whether it got better or worse.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rules.patternfile import Pattern
from rules.position import Position
from tools.arguments import ArgumentError, trying_to
from tools.cache import Cache
from tools.data import PATTERNS_TXT, REAL_GAMES
from tools.draw.boards import board_rows, move_text
from tools.effects.changes import (
    Change,
    changes_between,
    changes_since,
    differing,
    moves_of,
    recall_patterns,
    remember_patterns,
)
from tools.effects.recorded import Recorded, position_text, read_decisions
from tools.files import short_name
from tools.knowledge.files import Knowledge, read_knowledge
from tools.knowledge.model import Example
from tools.knowledge.programs import infix
from tools.labels.verdicts import verdicts
from tools.match.recorded_games import recorded_positions

ADDED, REMOVED, CHANGED = "added", "removed", "changed"
IDLE_FIELDS = (1, 9)  # class and summary, by place in a line of patterns.txt: no decision depends on them
REAL, RECORDED = "real", "recorded"  # corpora by name
SNAPSHOT = "snapshot"  # in the place of the old file: the decisions on record
COMMITTED = "HEAD:patterns.txt"
CACHE = "effects"


@dataclass(frozen=True)
class Edit:
    """A pattern that two files differ in. keys: key -> (old text, new text), '' where it is missing; for a changed
    pattern only those that differ. decisive: whether a decision can depend on it."""

    id: str
    kind: str
    keys: dict[str, tuple[str, str]]
    decisive: bool


def find_edits(old: Knowledge, new: Knowledge) -> list[Edit]:
    """Return what two files say differently, by id."""
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
    """Return the fields of a line of patterns.txt that decisions depend on."""
    fields = line.split("\t")
    fields[4] = fields[4].replace("r", "").replace("p", "").replace("-", "")  # rare; a pass shows in the rows
    return [field for place, field in enumerate(fields) if place not in IDLE_FIELDS]


def _lines_by_id(knowledge: Knowledge) -> dict[str, str]:
    return {line.partition("\t")[0]: line for line in knowledge.lines}


def _texts_of_both(
    name: str, old: Knowledge, new: Knowledge, before: dict[str, str], after: dict[str, str]
) -> tuple[dict[str, str], dict[str, str]]:
    """Return what both files say of a pattern: as the author wrote it where both can tell, else as compiled."""
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
        "points": infix(pattern.points),
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
        "points": pattern.points_text,
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


@dataclass(frozen=True)
class Diff:
    """The result. old: None where only the moves on record are known; edits: then None too.

    verdicts: what the truth says of changes, by the index of the position; nothing where it is not known. names: of a
    match, what each position is called.
    """

    old: Knowledge | None
    new: Knowledge
    edits: list[Edit] | None
    positions: list[Position]
    changes: list[Change]
    verdicts: dict[int, str] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Return the whole result as plain values."""
        return {
            "old": self.old.name if self.old else None,
            "new": self.new.name,
            "positions": len(self.positions),
            "edits": None if self.edits is None else [vars(edit) for edit in self.edits],
            "changes": [self.change_json(change) for change in self.changes],
        }

    def change_json(self, change: Change) -> dict[str, Any]:
        """Return one of the changes as plain values."""
        position = self.positions[change.number]
        size = position.ruleset.size
        return {
            "position": self.names[change.number] if self.names else position_text(position),
            "before": move_text(change.before, size),
            "after": move_text(change.after, size),
            "before_by": list(change.before_by),
            "after_by": list(change.after_by),
            "why": change.why,
            "responsible": list(change.responsible),
            "verdict": self.verdicts.get(change.number),
        }


def _compare(
    old: Knowledge, new: Knowledge, positions: list[Position], numbers: list[int], jobs: int, cache: Cache
) -> Diff:
    """Return what differs between two files. numbers: of the positions in which their decisions differ."""
    edits = find_edits(old, new)
    decisive = [edit.id for edit in edits if edit.decisive]
    return Diff(old, new, edits, positions, changes_between(old, new, decisive, positions, numbers, jobs, cache))


def diff_of(old: str, new: str, corpus: str, snapshot: Path, jobs: int) -> Diff:
    """Return what differs between two files, by name, over a corpus; old: or SNAPSHOT for the decisions on record.

    What the truth says of the changes is with them. Raise ArgumentError for what cannot be read.
    """
    cache = Cache(CACHE)
    if old == SNAPSHOT:
        recorded = _read_record_of(corpus, snapshot)
        diff = _compare_with_record(recorded, short_name(snapshot), read_knowledge(new), jobs, cache)
    else:
        before, after, positions = read_knowledge(old), read_knowledge(new), _read_corpus(corpus, snapshot)
        moves = zip(moves_of(before.book, positions), moves_of(after.book, positions), strict=True)
        numbers = [number for number, (one, other) in enumerate(moves) if one != other]
        diff = _compare(before, after, positions, numbers, jobs, cache)
    diff.verdicts.update(_judge(diff.changes, diff.positions))
    return diff


def _judge(changes: Sequence[Change], positions: Sequence[Position]) -> dict[int, str]:
    """Return what the truth says of changes, where it is known, by the index of the position."""
    asked = [(positions[change.number], change.before, change.after) for change in changes]
    answers = verdicts(asked) if asked else []
    return {change.number: answer for change, answer in zip(changes, answers, strict=True) if answer}


def _compare_with_record(recorded: list[Recorded], name: str, new: Knowledge, jobs: int, cache: Cache) -> Diff:
    """Compare with the decisions in a file of this name: with the patterns that made them, where those can be found."""
    positions = [one.position for one in recorded]
    numbers = differing(recorded, new.book)
    maker = find_maker(recorded, name, cache)
    if maker is not None:
        return _compare(maker, new, positions, numbers, jobs, cache)
    if not numbers:
        remember_patterns(recorded, new, cache)
    return Diff(None, new, None, positions, changes_since(recorded, new, numbers, jobs, cache))


def find_maker(recorded: list[Recorded], name: str, cache: Cache) -> Knowledge | None:
    """Return the patterns that made the decisions in a file of this name, where they can be found."""
    return next((one for one in _likely_makers(recorded, name, cache) if not differing(recorded, one.book)), None)


def _likely_makers(recorded: list[Recorded], name: str, cache: Cache) -> Iterator[Knowledge]:
    """Yield patterns that may have made the decisions on record: those committed, the player's, those kept as such."""
    for known in (COMMITTED, PATTERNS_TXT):
        with suppress(ArgumentError):  # no git here, or nothing committed
            yield read_knowledge(known)
    if lines := recall_patterns(recorded, cache):
        yield Knowledge(name, lines, {})


def read_record(path: Path) -> list[Recorded]:
    """Return the decisions on record in a file; raise ArgumentError."""
    with trying_to(f"read {short_name(path)}"):
        return read_decisions(path)


def _read_record_of(corpus: str, snapshot: Path) -> list[Recorded]:
    """Return the decisions on record in a corpus, which has a name; raise ArgumentError."""
    recorded = read_record(snapshot)
    if corpus == RECORDED:
        return recorded
    if corpus != REAL:
        raise ArgumentError(f"--corpus {corpus}: the snapshot has moves for its own positions only: name OLD too")
    real = {position_text(position) for position in recorded_positions()}
    return [one for one in recorded if position_text(one.position) in real]


def _read_corpus(name: str, snapshot: Path) -> list[Position]:
    """Return the positions of a corpus by its name, or those in a file of games or of decisions."""
    if name == RECORDED:
        return [one.position for one in read_record(snapshot)]
    path = REAL_GAMES if name == REAL else Path(name)
    with trying_to(f"read {short_name(path)}"):
        with open(path, "rb") as file:
            head = file.read(1000).lstrip()[:1]
        if head in b"{[":
            return recorded_positions(path)
        return [one.position for one in read_decisions(path)]
