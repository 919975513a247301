"""The lint for patterns that require enclosure, life or death but fire on a nearly empty board.

The lint tests boards with only the stones of the drawing, and boards with one more stone of either side near the corner
farthest from the drawing. A board with at most FEW stones is nearly empty. Each finding is certain: the report shows a
nearly empty board on which the pattern fires. The lint misses patterns that fire only on other nearly empty boards.
"""

from __future__ import annotations

from collections.abc import Iterator

from littlego.games.boards import board_rows, move_text
from littlego.games.little_go import game_of
from littlego.games.match import match_rules
from littlego.knowledge.firing import moves_fired
from littlego.knowledge.lint.large import span_of
from littlego.knowledge.lint.texts import report
from littlego.knowledge.model import KnowledgeBase, KnownPattern
from littlego.knowledge.problems import Problem
from littlego.knowledge.programs import infix
from littlego.rules.geometry import Mask
from littlego.rules.matching import parse_shape
from littlego.rules.position import BLACK, PASS, Position

FEW = 4  # maximum number of stones on a nearly empty board
SIZES = (9, 19)
CLAIMS = {
    *("enclosed", "their_enclosed", "own_safe", "their_safe", "hopeless", "dead_inside"),
    *("alive", "strong", "makes_life", "their_life", "lost"),
}


def open_board_lints(base: KnowledgeBase) -> Iterator[Problem]:
    """Yield a problem for each pattern that requires enclosure, life or death but fires on a tested board.

    The tested boards are nearly empty: see the module's docstring. Passes are ignored.
    """
    for pattern in base.patterns:
        claim = next((number for number, program in enumerate(pattern.when) if _is_claim(program)), None)
        found = None if claim is None else next(_firings(pattern), None)
        if claim is not None and found is not None:
            position, move = found
            size = position.ruleset.size
            said = f"`{infix(pattern.when[claim])}` of `{pattern.id}` holds on a nearly empty board"
            drawing = "\n".join(" ".join(row) for row in board_rows(size, position.own, position.theirs))
            hint = f"the pattern fires for {move_text(move, size)} here"
            yield report(pattern, base.filename, f"when {claim}", "L216", said, "an upper bound", hint, drawing)


def _is_claim(program: str) -> bool:
    call, (low, _) = span_of(program) or ("", (0, 0))
    return bool(call) and call.split()[-1] in CLAIMS and low >= 1


def _firings(pattern: KnownPattern) -> Iterator[tuple[Position, int]]:
    """Yield (position, move) for each firing on the boards from _nearly_empty; omit passes."""
    for size in SIZES:
        for position in _nearly_empty(pattern, size):
            for move in moves_fired(pattern, position):
                if move != PASS:
                    yield position, move


def _nearly_empty(pattern: KnownPattern, size: int) -> Iterator[Position]:
    """Yield nearly empty positions that contain the stones of a pattern's drawing.

    The drawing is placed at the drawn edges; along an axis without a drawn edge, it is centred.
    """
    shape = parse_shape(pattern.rows, pattern.label_rows)
    top, bottom, left, right = shape.edges
    row = 0 if top else size - shape.height if bottom else (size - shape.height) // 2
    column = 0 if left else size - shape.width if right else (size - shape.width) // 2
    own, theirs = (
        sum(1 << size * (row + y) + column + x for y, x, found in shape.cells if found == symbol) for symbol in "XO"
    )
    rules = match_rules(size)
    for more_own, more_theirs in ((0, 0), _far(size, row, column, 0), _far(size, row, column, 1)):
        board: tuple[Mask, Mask] = own | more_own, theirs | more_theirs
        if (board[0] | board[1]).bit_count() <= FEW:
            yield game_of(rules).set_up(board, BLACK, rules.opening())


def _far(size: int, row: int, column: int, side: int) -> tuple[Mask, Mask]:
    """Return masks (own, theirs) of a single stone near the corner that is farthest from a point.

    side: 0 for a stone of the mover, 1 for a stone of the opponent.
    """
    line = size - 3 if row < size // 2 else 2
    stone = 1 << size * line + (size - 3 if column < size // 2 else 2)
    return (stone, 0) if side == 0 else (0, stone)
