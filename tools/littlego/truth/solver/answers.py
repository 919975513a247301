"""The solver's answers about one position, as values, text and JSON."""

from __future__ import annotations

from typing import NamedTuple

from littlego.cli.terminal import wrap_text
from littlego.engines.compiled.states import after, ends
from littlego.engines.draw.decisions import SIGNS, signed_moves
from littlego.games.boards import board_text, mark_points, move_text
from littlego.match.referee import COLOURS
from littlego.rules.position import BLACK, PASS, WHITE, Position
from littlego.rules.positionkey import pack, unpack_move
from littlego.rules.ruleset import LITTLE_GO
from littlego.truth.solver.leads import Leads, best_moves, fewest_winning_replies
from littlego.truth.solver.solver import Solver, moves_of

HINT_BITS = 20  # bits of a hint's table: 8 MiB, enough for short searches
WINS = "*"  # mark of a winning move in a drawing


class Answer(NamedTuple):
    """The solver's results for a position. A result that was not requested is None (0 for `legal`).

    winner: BLACK or WHITE. winning: the winning moves of the side to move, points or PASS. legal: the number of legal
    moves. lead: Black's stones minus White's at the end of best play. line: moves of best play to the end.
    """

    position: Position
    winner: int
    winning: list[int] | None = None
    legal: int = 0
    lead: int | None = None
    line: list[int] | None = None


def answer(position: Position, solver: Solver, leads: Leads | None, with_line: bool) -> Answer:
    """Return the Answer for a position: the winner, the winning moves and the number of legal moves.

    The answer includes the lead if `leads` is given, and a best line if `with_line` is true.
    """
    code, legal = pack(position), moves_of(pack(position))
    winning = [unpack_move(move) for move in legal if solver.keeps(code, move)]
    winner = position.colour if winning else BLACK + WHITE - position.colour
    lead = leads.lead(code) if leads else None
    line = best_line(code, solver, leads or Leads(solver)) if with_line else None
    return Answer(position, winner, winning, len(legal), lead, line)


def best_line(code: int, solver: Solver, leads: Leads) -> list[int]:
    """Return the moves of best play to the end of the game, each the first move that best_moves returns."""
    line = []
    while True:
        move = best_moves(code, solver, leads)[0]
        line.append(unpack_move(move))
        if ends(code, move):
            return line
        code = int(after(code, move))


def hint_text(position: Position) -> str:
    """Return a text with the winning moves or, if no move wins, with the best losing moves.

    The best losing moves leave the opponent the fewest winning replies.
    """
    solver = Solver(HINT_BITS)
    result = answer(position, solver, None, False)
    if result.winning:
        return _winning_text(result)
    tries = [unpack_move(move) for move in fewest_winning_replies(pack(position), solver)]
    return wrap_text(f"None of {result.legal} moves wins. Hardest to answer: ", moves_text(tries))


def answer_text(found: Answer) -> str:
    """Return the answer as text: the board with the winning moves, and sentences with the other results."""
    position = found.position
    who = f"{COLOURS[position.colour]} ({SIGNS[position.colour]})"
    lines = [
        f"{who} to play move {position.number} ({position.left} left, including this move): "
        f"{COLOURS[found.winner]} wins.",
        marked_board(position, found.winning or []),
    ]
    if found.winning is not None:
        lines.append(_winning_text(found))
    if found.lead is not None:
        lines.append(_lead_text(found.lead))
    if found.line is not None:
        lines.append(wrap_text("Best line: ", line_text(found.line, position.colour)))
    return "\n".join(lines)


def marked_board(position: Position, moves: list[int]) -> str:
    """Return a drawing of a position's board, with a mark on each move except a pass."""
    drawn = board_text(position.ruleset.size, position.black, position.white)
    return mark_points(drawn, (move for move in moves if move != PASS), WINS)


def moves_text(moves: list[int]) -> str:
    """Return moves as text, each as `row,column` or PASS."""
    return " ".join(move_text(move, LITTLE_GO.size) for move in moves)


def _winning_text(found: Answer) -> str:
    if not found.winning:
        return f"None of {found.legal} moves wins."
    verb = "wins" if len(found.winning) == 1 else "win"
    return wrap_text(f"{len(found.winning)} of {found.legal} moves {verb}: ", moves_text(found.winning))


def _lead_text(lead: int) -> str:
    margin2 = 2 * lead - LITTLE_GO.komi2
    stones = f"Black has {lead} more stones" if lead > 0 else f"White has {-lead} more stones" if lead else "even"
    winner = COLOURS[BLACK if margin2 > 0 else WHITE]
    return f"Best play ends with a lead of {lead:+d} for Black ({stones}): {winner} wins by {abs(margin2) / 2:g}."


def line_text(line: list[int], colour: int) -> str:
    """Return a line of moves as text, each move with its player's sign, X or O. colour: the first mover's colour."""
    return "  ".join(signed_moves(line, colour, LITTLE_GO.size))


def answer_json(found: Answer) -> dict[str, object]:
    """Return the answer as plain JSON values, with each move as `row,column` or PASS."""

    def words(moves: list[int] | None) -> list[str] | None:
        return None if moves is None else [move_text(move, LITTLE_GO.size) for move in moves]

    return {
        "code": pack(found.position),
        "colour": COLOURS[found.position.colour],
        "left": found.position.left,
        "winner": COLOURS[found.winner],
        "winning": words(found.winning),
        "legal": found.legal,
        "lead": found.lead,
        "line": words(found.line),
    }
