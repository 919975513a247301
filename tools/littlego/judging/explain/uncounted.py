"""Explanations of the assumed number of moves left, for positions in which the number is unknown."""

from __future__ import annotations

from typing import Any

from littlego.cli.terminal import wrap_text
from littlego.games.boards import move_text
from littlego.match.referee import COLOURS
from littlego.rules.uncounted import Uncounted

MOST, ON_RECORD = "the most that the stones allow", "an override exists for {} moves left"
FEW = 3  # maximum count of numbers that are listed in full


def is_ordinary(found: Uncounted) -> bool:
    """Return whether the decision assumes the maximum number of moves left and rejects no move."""
    return found.refused is None and found.decision.position.left == found.lefts[0]


def left_text(found: Uncounted) -> str:
    """Return a text about the possible numbers of moves left, the assumed number, and any rejected move."""
    position = found.decision.position
    said = f"{_listed(found.lefts)}; the board does not show which. Assumed: {position.left} ({_why_believed(found)})."
    if found.refused is not None:
        refused = move_text(found.refused.move, position.ruleset.size)
        said += f" With {position.left} moves left the player would play {refused}; with {found.lefts[-1]} left,"
        said += f" as {COLOURS[position.colour]}'s last move, that move gives the win away."
    return wrap_text("Moves left: ", said + " `--left N` sets the number.")


def left_json(found: Uncounted) -> dict[str, Any] | None:
    """Return the possible and assumed numbers of moves left for JSON; None if the number is known.

    possible: the possible numbers, in descending order; the largest number is the likeliest. believed, why: the assumed
    number, and the reason for the assumption. refused: the best move for `possible[0]` moves left if the player
    rejected it, else null. The player rejects a move that would lose a won game if the smallest possible number of
    moves were left.
    """
    if len(found.lefts) == 1:
        return None
    position, refused = found.decision.position, found.refused
    return {
        "possible": found.lefts,
        "believed": position.left,
        "why": _why_believed(found),
        "refused": None if refused is None else move_text(refused.move, position.ruleset.size),
    }


def _why_believed(found: Uncounted) -> str:
    left = found.decision.position.left
    return MOST if left == found.lefts[0] else ON_RECORD.format(left)


def _listed(lefts: list[int]) -> str:
    first = [str(left) for left in (lefts[:-1] if len(lefts) <= FEW else lefts[: FEW - 1])]
    return ", ".join(first) + (" or " if len(lefts) <= FEW else ", ... or ") + str(lefts[-1])
