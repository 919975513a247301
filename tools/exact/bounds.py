"""The bounds of every fact on a partial board: the smallest and the largest answer of any legal completion.

Wider is sound, only slower. `view.about` narrows by what is assumed of other facts, so that one implies another.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tools.exact import bounds_chains as chains
from tools.exact import bounds_game as game
from tools.exact import bounds_moves as moves
from tools.exact import bounds_points as points
from tools.exact.terms import Range

if TYPE_CHECKING:
    from tools.exact.view import View


def their(name: str) -> Callable[[View, int, int], Range]:
    """Return the bounds of a fact about their move, given the name of the same fact about ours."""

    def bounds(view: View, move: int, point: int) -> Range:
        return view.other_side().about(name, point)

    return bounds


ABOUT_CHAINS = {
    "size": chains.size,
    "liberties": chains.liberties,
    "in_atari": chains.in_atari,
    "shared_liberties": chains.shared_liberties,
    "eyes": chains.eyes,
    "alive": chains.alive,
    "doomed": chains.doomed,
    "ladder": chains.ladder,
    "liberties_after": chains.liberties_after,
}
ABOUT_POINTS = {
    "legal": moves.legal,
    "captures": moves.captures,
    "own_liberties": moves.own_liberties,
    "joins": moves.joins,
    "cuts": moves.cuts,
    "ko": moves.ko,
    "atari": moves.atari,
    "saves": moves.saves,
    "threatens": moves.threatens,
    "snapback": moves.snapback,
    "makes_life": moves.makes_life,
    "their_legal": their("legal"),
    "their_captures": their("captures"),
    "their_liberties": their("own_liberties"),
    "their_atari": their("atari"),
    "their_saves": their("saves"),
    "their_life": their("makes_life"),
    "eye": points.eye,
    "false_eye": points.false_eye,
    "their_eye": their("eye"),
    "region": points.region,
    "enclosed": points.enclosed,
    "their_enclosed": their("enclosed"),
    "line": points.line,
    "edge": points.edge,
    "own_near": points.own_near,
    "their_near": their("own_near"),
    "empty_near": points.empty_near,
}
ABOUT_THE_GAME = {
    "moves_left": game.moves_left,
    "move_number": game.move_number,
    "colour": game.colour,
    "lead": game.lead,
    "margin2": game.margin2,
    "passed": game.passed,
    "ko_ban": game.ko_ban,
}
BOUNDS = ABOUT_CHAINS | ABOUT_POINTS
