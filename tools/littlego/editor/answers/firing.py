"""Answers about a pattern on a board.

An answer contains the pattern's firings, the counts for each clause, the reasons why the pattern does not fire, or the
changes that make the pattern fire.
"""

from __future__ import annotations

from typing import Any

from littlego.cli.arguments import ArgumentError
from littlego.editor.badges import badges as badges_of
from littlego.editor.cutting import Entry
from littlego.editor.drafts import drawn
from littlego.editor.edits import Editing
from littlego.editor.entries import NoSuchEntryError
from littlego.editor.fires import fires as fires_of
from littlego.editor.fires import move_name
from littlego.editor.fires import why_not_here as reasons_of
from littlego.editor.methods import Refusal, ask
from littlego.editor.placements import placements_of
from littlego.editor.positions import explain_command, read_position
from littlego.editor.repairs import repairs as repairs_of
from littlego.editor.session import Session
from littlego.knowledge.keys import MATCH
from littlego.knowledge.model import KnownPattern
from littlego.paths import game_of
from littlego.records.inputs import move_at
from littlego.rules.position import Position


def entry_of(session: Session, name: str) -> Entry:
    """Return the entry called `name`; raise Refusal for an unknown name.

    name: the entry's id, its id before a rename, or `#` and the entry's zero-based index.
    """
    try:
        return session.entries.entry(session.now_called(name))
    except NoSuchEntryError as error:
        raise Refusal("unknown", f"{error}; {session.filename} may have been edited; choose another pattern") from None


def patterns_of(session: Session, name: str) -> list[KnownPattern]:
    """Return the patterns that `name` refers to.

    name: an entry (see entry_of), the id of a shared pattern, or the id of one move of a sequence. Return [] if the
    drawing, a condition or the points contain a mistake. Raise Refusal for an unknown name.
    """
    for shared in session.entries.shared:
        if shared.id == name and name not in session.entries.ids:
            return [shared]
    patterns = drawn(session.entries, entry_of(session, name))
    return [pattern for pattern in patterns if pattern.id == name] or patterns


def position_of(session: Session, text: str) -> Position:
    """Return the position that a text describes.

    A text without a ruleset is read with the patterns file's ruleset. Raise ArgumentError if the text is invalid, or if
    its ruleset or (except in a match) its board size differs from the file's.
    """
    ruleset = session.entries.ruleset
    position = read_position(text, ruleset.name)
    found = position.ruleset.name
    if game_of(found) != ruleset.name:
        raise ArgumentError(f"the position is for {found}, but {session.filename} has patterns for {ruleset.name}")
    if ruleset is not MATCH and position.ruleset.size != ruleset.size:
        raise ArgumentError(f"the board has size {position.ruleset.size}; expected size {ruleset.size}")
    return position


@ask("fires")
def fires(session: Session, *, pattern: str, position: str) -> dict[str, Any]:
    """Return the firings of an entry's patterns on a board.

    pattern: the entry's id, `#3` for the fourth entry, the id of a shared pattern, or the id of one move of a sequence.
    `compiles` is true if the entry's drawing, conditions and points are valid; otherwise there are no firings. `count`
    is the number of firings. `patterns` contains the firings of each pattern: see fires.fires. An entry has one
    pattern, or one pattern for each move of its sequence.
    """
    board, patterns = position_of(session, position), patterns_of(session, pattern)
    found = [fires_of(placements_of(one, board)) for one in patterns]
    return {"compiles": bool(patterns), "count": sum(one["count"] for one in found), "patterns": found}


@ask("badges")
def badges(session: Session, *, pattern: str, position: str) -> dict[str, Any]:
    """Return the badges (the counts for each clause) of an entry's patterns on a board; see badges.badges."""
    board, patterns = position_of(session, position), patterns_of(session, pattern)
    found = [{"pattern": one.id, **badges_of(placements_of(one, board))} for one in patterns]
    return {"compiles": bool(patterns), "patterns": found}


@ask("why_not_here")
def why_not_here(session: Session, *, pattern: str, position: str, move: str) -> dict[str, Any]:
    """Return the reasons why an entry does not fire for a move: see fires.why_not_here.

    move: `row,column` or `pass`.
    """
    board, patterns = position_of(session, position), patterns_of(session, pattern)
    point = move_at(move, board.ruleset.size, "move")
    command = explain_command(board, session.filename, f"--why-not {move_name(point, board.ruleset.size)}")
    return {"compiles": bool(patterns), "command": command, **reasons_of(patterns, board, point)}


@ask("repairs")
def repairs(session: Session, *, pattern: str, position: str, move: str) -> dict[str, Any]:
    """Return the smallest changes that make an entry fire for a move: see repairs.repairs.

    The changes are not applied. `repairs` is empty for a sequence, because the moves of a sequence share one drawing.
    """
    board, patterns = position_of(session, position), patterns_of(session, pattern)
    point = move_at(move, board.ruleset.size, "move")
    if len(patterns) != 1 or patterns[0].sequence:
        return {"compiles": bool(patterns), "repairs": []}
    editing = Editing(session.entries, entry_of(session, pattern))
    return {"compiles": True, "repairs": repairs_of(editing, patterns[0], board, point)}
