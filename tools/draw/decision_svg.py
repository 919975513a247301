"""A Decision as a picture: the candidates numbered from the best down, the vetoed ones crossed out."""

from __future__ import annotations

from rules.engine import Decision
from rules.position import PASS
from tools.draw.reasons import reason_line
from tools.draw.svg import board


def decision_svg(decision: Decision, size_px: int = 400) -> str:
    """Return an `<svg>`: each move's number, 1 the best, tinted by its points if it has the chosen one's priority.

    The chosen move is a disc; a cross is a vetoed move; the title, shown on hovering, says why the move was chosen.
    A pass is nowhere on the board, and takes no number.
    """
    position, chosen = decision.position, decision.chosen
    open_moves = [one for one in decision.candidates if one.move != PASS and (not one.veto or one is chosen)]
    crossed = [one.move for one in decision.candidates if one.move != PASS and one.veto and one is not chosen]
    peers = [one for one in open_moves if one.priority == chosen.priority and one.points > 0]
    most = max((one.points for one in peers), default=1)
    return board(
        position.ruleset.size,
        position.black,
        position.white,
        move=None if decision.move == PASS else decision.move,
        labels={one.move: str(number) for number, one in enumerate(open_moves, 1)},
        marks=dict.fromkeys(crossed, "cross"),
        heat={one.move: one.points / most for one in peers},
        title=reason_line(decision),
        size_px=size_px,
    )
