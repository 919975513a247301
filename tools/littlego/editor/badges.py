"""Badges: counts of a pattern's placements on a board, for each clause of the pattern.

A clause is a drawn edge, a cell, the legality of the move, or a condition. The clauses are evaluated in this order: the
drawn edges, the cells in reading order, the legality of the move, and the conditions in the author's order. `survive`
is the number of placements that satisfy a clause and all clauses before it. `without` is the number of placements that
would fire if the pattern lacked the clause. For each number that a condition compares, two more counts show how often
the pattern would fire if the number were one smaller or one larger.
"""

from __future__ import annotations

from typing import Any

from littlego.editor.placements import ANYTHING, Placement, Placements, steps_of
from littlego.judging.mutation.mutants import NUMBER, changed_comparisons
from littlego.knowledge.diagrams import MOVE
from littlego.knowledge.expressions import ExpressionError, parse, tokens
from littlego.knowledge.programs import fold, infix, postfix
from littlego.rules.programs import run


def badges(placements: Placements) -> dict[str, Any]:
    """Return the badges of a pattern on a board.

    `all` is the number of placements before any clause is evaluated, and `hits` is the number of placements that fire.
    Each of the `clauses` has `kind` (edge, cell, legal or condition), `survive` and `without`. `without` is null for
    the move's cell and for `legal`. An edge also has `side`. A cell has `row` and `column` (zero-based in the diagram,
    including its edges), and `symbol`. A condition has `number` (its index in the compiled order), `text`, `line`,
    `column` and `numbers`. Each item of `numbers` has `offset` (in `text`), `value`, and the numbers of firings if the
    value were one smaller (`less`) or one larger (`more`), each null for an invalid condition.
    """
    known = {one.key for one in placements.all}
    tally = _Tally(placements)
    clauses = [*tally.edges(), *tally.cells(), *tally.legal(), *tally.conditions()]
    return {"all": len(known), "hits": len(placements.firing), "clauses": clauses}


class _Tally:
    """A counter of a pattern's placements on a board, for each clause of the pattern."""

    def __init__(self, placements: Placements):
        self.placements = placements
        self.wrong = [(placed, placements.wrong_cells(placed)) for placed in placements.placed]
        fitting = [placed for placed, wrong in self.wrong if not wrong]
        self.legal_ones = [placed for placed in fitting if placements.is_legal(placed)]
        keys = {placed.key for placed in placements.firing}
        self.firing = [placed for placed in placements.all if placed.key in keys and not placed.wrong_edges]
        self.false = [(placed, placements.false_conditions(placed)) for placed in self.legal_ones]

    def edges(self) -> list[dict[str, Any]]:
        """Return the badges of the drawn edges."""
        alive, clauses = list(self.placements.all), []
        fitting = [one for one in alive if not self.placements.failing(one)]
        for side in self.placements.edges:
            alive = [one for one in alive if side not in one.wrong_edges]
            others = (one for one in fitting if set(one.wrong_edges) <= {side})
            fired = {other.key for other in others if self._holds(other)}
            clauses.append(
                {"kind": "edge", "side": side, "survive": len({one.key for one in alive}), "without": len(fired)}
            )
        return clauses

    def _holds(self, placed: Placement) -> bool:
        """Return whether a placement's move is legal and all conditions hold."""
        return self.placements.is_legal(placed) and not self.placements.false_conditions(placed, 1)

    def cells(self) -> list[dict[str, Any]]:
        """Return the badges of the cells other than `?`."""
        first = [wrong[0] if wrong else len(self.placements.cells) for _, wrong in self.wrong]
        only: dict[int, list[Placement]] = {}
        for placed in self.placements.all:  # equal placements of a symmetric drawing may fail at different cells
            if self.placements.failing(placed).bit_count() in (1, 2) and not placed.wrong_edges:
                wrong = self.placements.wrong_cells(placed)
                if len(wrong) == 1:
                    only.setdefault(wrong[0], []).append(placed)
        clauses = []
        for number, cell in enumerate(self.placements.cells):
            if cell.symbol == ANYTHING:
                continue
            fired = [*self.firing, *filter(self._holds, only.get(number, ()) if cell.symbol != MOVE else ())]
            without = len({self.placements.without_cell(placed, number) for placed in fired})
            clauses.append(
                {
                    "kind": "cell",
                    "row": cell.row,
                    "column": cell.column,
                    "symbol": cell.symbol,
                    "survive": sum(one > number for one in first),
                    "without": None if cell.symbol == MOVE else without,
                }
            )
        return clauses

    def legal(self) -> list[dict[str, Any]]:
        """Return the badge of the move's legality, as a list; [] for a pass."""
        is_pass = all(cell.symbol != MOVE for cell in self.placements.cells)
        return [] if is_pass else [{"kind": "legal", "survive": len(self.legal_ones), "without": None}]

    def conditions(self) -> list[dict[str, Any]]:
        """Return the badges of the conditions."""
        pattern, alive, clauses = self.placements.pattern, self.false, []
        for number in self.placements.order:
            alive = [(placed, false) for placed, false in alive if number not in false]
            others = [placed for placed, false in self.false if set(false) <= {number}]
            line, column = pattern.places.get(f"when {number}", (pattern.line, pattern.column))
            clauses.append(
                {
                    "kind": "condition",
                    "number": number,
                    "text": infix(pattern.when[number]),
                    "line": line,
                    "column": column,
                    "survive": len(alive),
                    "without": len(others),
                    "numbers": self._numbers(infix(pattern.when[number]), others),
                }
            )
        return clauses

    def _numbers(self, text: str, others: list[Placement]) -> list[dict[str, Any]]:
        """Return the badges of a condition's compared numbers.

        others: the placements for which all other clauses hold.
        """
        found: dict[int, dict[str, Any]] = {}
        for kind, token, other in changed_comparisons(tokens(text)):
            if kind == NUMBER:
                changed = text[: token.at] + other + text[token.at + len(token.text) :]
                sign = -1 if text[: token.at].rstrip().endswith("-") else 1  # the token lacks the sign
                one = found.setdefault(token.at, {"offset": token.at, "value": sign * int(token.text)})
                one["more" if sign * int(other) > one["value"] else "less"] = self._count(changed, others)
        return list(found.values())

    def _count(self, text: str, others: list[Placement]) -> int | None:
        """Return the number of placements in `others` for which a condition holds.

        text: the condition. The result is None for an invalid condition.
        """
        placements = self.placements
        try:
            program = postfix(fold(parse(text)))
        except ExpressionError:
            return None
        steps = steps_of(program, placements.pattern.letters, placements.board.bits)
        return sum(bool(run(steps, placements.board.reading, placements.word(placed))) for placed in others)
