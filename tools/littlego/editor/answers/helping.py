"""Answers for the text editor: completion, the list of facts, and hover help."""

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
    """Return (the position in which to evaluate facts, the pattern's placement).

    The position is None if `position` is None. The placement is None if any of the three parameters is None. Raise
    ArgumentError for an invalid position, symmetry or place.
    """
    if position is None:
        return None, None
    board = position_of(session, position)
    if symmetry is None or place is None:
        return board, None
    if not 0 <= symmetry < 8:
        raise ArgumentError(f"found symmetry {symmetry}; expected a number from 0 to 7")
    return board, (symmetry, move_at(place, board.ruleset.size, "place"))


@ask("complete")
def complete(
    session: Session, *, offset: int, position: str | None = None, symmetry: int | None = None, place: str | None = None
) -> dict[str, Any]:
    """Return the completions at an offset in the text: see help.complete.

    position: the position in which to evaluate facts. symmetry, place: the pattern's placement in this position. The
    default is the pattern's first firing or, if the pattern does not fire, the placement that is nearest to firing.
    """
    return helping.complete(session.entries, offset, *_board(session, position, symmetry, place))


@ask("facts")
def facts(session: Session) -> dict[str, Any]:
    """Return the facts for conditions, each with the keys fact, usage and text (one line); see help.facts."""
    return {"facts": helping.facts(session.entries), "command": "littlego facts"}


@ask("hover")
def hover(
    session: Session, *, offset: int, position: str | None = None, symmetry: int | None = None, place: str | None = None
) -> dict[str, Any]:
    """Return the hover help at an offset in the text: see help.hover. The parameters are as in `complete`."""
    return helping.hover(session.entries, offset, *_board(session, position, symmetry, place))
