"""Outcomes of decisions in labelled positions, and a decision as a JSON object."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from littlego.games.boards import move_text
from littlego.records.positions import position_text
from littlego.rules.positionkey import unpack, unpack_move

# Outcomes of a decision. LOST: no move wins. FREE: every move wins, including the pass. If some moves win and others
# lose, the outcome is KEPT for a winning move and BLUNDERED for a losing move.
LOST, FREE, KEPT, BLUNDERED = range(4)
NAMED = 2  # maximum number of patterns named for one decision


def outcome_of(winning: Any, legal: Any, move: Any) -> Any:
    """Return the outcome of one decision (from ints) or of many decisions (from arrays of ints).

    winning: the mask of the winning moves. legal: the mask of all legal moves. move: the played move, 25 for a pass.
    """
    return (winning != 0) * (FREE + (winning != legal) * (BLUNDERED - FREE - (winning >> move & 1)))


def names_text(names: Sequence[str]) -> str:
    """Return at most NAMED pattern ids as text, followed by the number of omitted ids, if any."""
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more


def decision_json(code: int, winning: int, move: int, by: str) -> dict[str, Any]:
    """Return a decision as a JSON object with the position, the played move and the winning moves.

    by: the deciding patterns as text.
    """
    position = unpack(code)
    size = position.ruleset.size
    return {
        "code": code,
        "position": position_text(position),
        "played": move_text(unpack_move(move), size),
        "winning": [move_text(unpack_move(one), size) for one in range(26) if winning >> one & 1],
        "by": by,
    }
