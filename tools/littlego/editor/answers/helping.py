"""Answers for the text editor: completion, the list of facts, hover help."""

from __future__ import annotations

from typing import Any

from littlego.cli.arguments import ArgumentError
from littlego.editor import help as helping
from littlego.editor.answers.firing import position_of
from littlego.editor.methods import ask
from littlego.editor.session import Session
from littlego.records.inputs import move_at
from littlego.rules.position import Position

At = tuple[int, int] | None


def _board(
    session: Session, position: str | None, symmetry: int | None, place: str | None
) -> tuple[Position | None, At]:
    """Return the position that facts are asked of, and the placement's symmetry and place where they are named."""
    if position is None:
        return None, None
    board = position_of(session, position)
    if symmetry is None or place is None:
        return board, None
    if not 0 <= symmetry < 8:
        raise ArgumentError(f"symmetry {symmetry}; expected 0 to 7")
    return board, (symmetry, move_at(place, board.ruleset.size, "place"))


@ask("complete")
def complete(
    session: Session, *, offset: int, position: str | None = None, symmetry: int | None = None, place: str | None = None
) -> dict[str, Any]:
    """Return what may stand at a character of the text: see help.complete. symmetry, place: of the placement whose
    facts are wanted, one that fires or comes nearest where they are left out."""
    return helping.complete(session.entries, offset, *_board(session, position, symmetry, place))


@ask("facts")
def facts(session: Session) -> dict[str, Any]:
    """Return the facts that a condition may ask for: fact, usage and text (what it promises); see help.facts."""
    return {"facts": helping.facts(session.entries), "command": "littlego facts"}


@ask("hover")
def hover(
    session: Session, *, offset: int, position: str | None = None, symmetry: int | None = None, place: str | None = None
) -> dict[str, Any]:
    """Return what stands at a character of the text: see help.hover, and complete for the rest."""
    return helping.hover(session.entries, offset, *_board(session, position, symmetry, place))
