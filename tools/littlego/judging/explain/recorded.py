"""The reason for an override: best play after the move that the patterns would choose.

The file overrides.txt contains the override's move, but no reason. The solver computes the reason, a line of best play
from the patterns' move to the end of the game. Usually the mover loses the game in this line.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from littlego.cli.terminal import wrap_text
from littlego.games.boards import move_text
from littlego.match.referee import COLOURS
from littlego.rules.engine import Decision
from littlego.rules.geometry import Point
from littlego.rules.position import Position, winner_of

READ_UP_TO = 14  # maximum number of moves left: with more, the user would wait too long for the solver


class Refutation(NamedTuple):
    """The refutation of the move that an override replaces.

    line: the replaced move, then best play to the end of the game. winner: the colour that wins at the end of the line.
    """

    position: Position
    line: list[Point]
    winner: int


def refute(decision: Decision) -> Refutation | None:
    """Return the refutation of the move that an override replaced.

    Return None if there is no override, or if more than READ_UP_TO moves are left.
    """
    position = decision.position
    if decision.overruled is None or position.left > READ_UP_TO:
        return None
    from littlego.rules.positionkey import pack
    from littlego.truth.solver.answers import HINT_BITS, best_line  # lazy: these load numba
    from littlego.truth.solver.leads import Leads
    from littlego.truth.solver.solver import Solver

    line, after = [decision.overruled.move], position.play(decision.overruled.move)
    if not position.ends_with(line[0]):
        solver = Solver(HINT_BITS)
        for move in best_line(pack(after), solver, Leads(solver)):
            line.append(move)
            after = after.play(move)
    return Refutation(position, line, winner_of(after))


def refutation_text(found: Refutation | None, decision: Decision) -> str:
    """Return the refutation, or why there is none, as text for a terminal; '' if there is no override."""
    if decision.overruled is None:
        return ""
    size = decision.position.ruleset.size
    instead = move_text(decision.overruled.move, size)
    if found is None:
        left = decision.position.left
        said = (
            f"with {left} moves left the refutation is not computed. `littlego solve` shows who wins after {instead}."
        )
        return wrap_text(f"Override of {instead}: ", said)
    from littlego.truth.solver.answers import line_text

    colour = found.position.colour
    said = f"{line_text(found.line, colour)}: {COLOURS[found.winner]} wins."
    if found.winner == colour:
        return wrap_text(f"Override although {instead} wins too: ", said)
    return wrap_text(f"Override because {instead} loses: ", said)


def refutation_json(found: Refutation | None) -> dict[str, Any] | None:
    """Return a JSON object with `line` and `winner`, or None if `found` is None.

    line: the moves as `row,column` or PASS. winner: `Black` or `White`.
    """
    if found is None:
        return None
    size = found.position.ruleset.size
    moves = [move_text(move, size) for move in found.line]
    return {"line": moves, "winner": COLOURS[found.winner]}
