"""What a position on record protects from: the line by which the move that the patterns prefer is refuted.

overrides.txt has the move and no reason. The reason is in the game's tree, and the solver reads it out: a line that the
other side wins, to the end of the game.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from littlego.cli.terminal import wrap_text
from littlego.games.boards import move_text
from littlego.match.referee import COLOURS
from littlego.rules.engine import Decision
from littlego.rules.geometry import Point
from littlego.rules.position import Position, winner_of

READ_UP_TO = 14  # moves left: beyond, the solver takes longer than a reader waits


class Refutation(NamedTuple):
    """What follows the move that an override replaces.

    line: that move, and moves after it to the end of the game, of which those of the side that can win keep the win.
    winner: that side's colour.
    """

    position: Position
    line: list[Point]
    winner: int


def refute(decision: Decision) -> Refutation | None:
    """Return what the override of a decision protects from; None where there is none, or too much to read is left."""
    position = decision.position
    if decision.overruled is None or position.left > READ_UP_TO:
        return None
    from littlego.rules.positionkey import pack
    from littlego.truth.solver.answers import HINT_BITS, best_line  # these load numba
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
    """Return for a terminal what the record protects from, '' where no override decided."""
    if decision.overruled is None:
        return ""
    size = decision.position.ruleset.size
    instead = move_text(decision.overruled.move, size)
    if found is None:
        left = decision.position.left
        said = f"with {left} moves left it is not read out why. `littlego solve` tells who wins after {instead}."
        return wrap_text(f"On record instead of {instead}: ", said)
    from littlego.truth.solver.answers import line_text

    colour = found.position.colour
    said = f"{line_text(found.line, colour)}: {COLOURS[found.winner]} wins."
    if found.winner == colour:
        return wrap_text(f"On record, though {instead} wins too: ", said)
    return wrap_text(f"On record because {instead} loses: ", said)


def refutation_json(found: Refutation | None) -> dict[str, Any] | None:
    """Return line (moves, `row,column` or PASS) and winner; None where nothing was read."""
    if found is None:
        return None
    size = found.position.ruleset.size
    moves = [move_text(move, size) for move in found.line]
    return {"line": moves, "winner": COLOURS[found.winner]}
