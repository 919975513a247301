"""Proofs that mutants of large-board patterns are equivalent to their patterns.

The proofs use only the patterns, not positions, and rely on three rules that hold in every position. A fact about a
chain is 0 at a point without a stone. The point of the opponent's last move contains a stone of the opponent. The
distance between two cells of a drawing is fixed. Therefore a condition may imply that a labelled cell contains the
drawn stone. Conditions may also imply that another pattern, whose drawing contains only the move, fires for the same
move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import neg, not_

from littlego.engines.large.facts import UNKNOWN
from littlego.knowledge.diagrams import MOVE
from littlego.knowledge.keys import MATCH
from littlego.knowledge.model import flags_of
from littlego.rules.facts import FACTS
from littlego.rules.patternfile import Pattern
from littlego.rules.programs import OPERATORS

STONES = {"X": {"x": ".", "?": ".O"}, "O": {"o": ".", "?": ".X"}}  # drawn symbol -> mutated symbol -> additional states
NEAR = "last_distance"
DISTANCES = (*range(2 * MATCH.size - 1), UNKNOWN)  # all distances on the largest board
Answer = Callable[[list[str]], "int | None"]  # a call in postfix order, such as `~A size` -> its value, None if unknown


def value(program: str, answer: Answer) -> int | None:
    """Return the value of a postfix program, or None if the answer to any call in the program is unknown."""
    stack: list[int | None] = []
    arguments: list[str] = []
    for token in program.split():
        if token[0] in "~@":
            arguments.append(token)
        elif token in FACTS:
            stack.append(answer([*arguments, token]))
            arguments = []
        elif token in OPERATORS:
            right, left = stack.pop(), stack.pop()
            stack.append(None if left is None or right is None else int(OPERATORS[token](left, right)))
        elif token in ("not", "neg"):
            operand = stack.pop()
            stack.append(None if operand is None else int(not_(operand) if token == "not" else neg(operand)))
        else:
            stack.append(int(token))
    return stack.pop()


def cell_is_implied(old: Pattern, new: Pattern) -> bool:
    """Return whether two patterns differ only in a cell whose content the conditions already determine."""
    cells = list(_differing_cells(old, new)) if _is_alike_but_for_cells(old, new) else []
    if len(cells) != 1:
        return False
    [(drawn, instead, letter)] = cells
    too = STONES.get(drawn, {}).get(instead)
    if too is None or letter == "." or "".join(old.label_rows).count(letter) != 1:
        return False
    if drawn == "O" and _last_distances(old, letter) == [0]:
        return True
    return too == "." and any(value(one, lambda call: _of_no_chain(call, letter)) == 0 for one in old.when)


def _differing_cells(old: Pattern, new: Pattern) -> Iterator[tuple[str, str, str]]:
    """Yield (old symbol, new symbol, label or `.`) for each differing cell of two equal-sized drawings."""
    for rows in zip(old.rows, new.rows, old.label_rows, strict=True):
        for one, other, letter in zip(*rows, strict=True):
            if one != other:
                yield one, other, letter


def _is_alike_but_for_cells(old: Pattern, new: Pattern) -> bool:
    """Return whether two labelled patterns are equal except for the symbols of their drawings."""
    shapes = [list(map(len, one.rows)) for one in (old, new)]
    said = [(one.label_rows, one.when, one.points, one.table, one.priority, flags_of(one)) for one in (old, new)]
    return shapes[0] == shapes[1] and said[0] == said[1] and bool(old.label_rows)


def _of_no_chain(call: Sequence[str], letter: str) -> int | None:
    """Return 0 (the value at a point without a stone) for a fact about the chain at a label, else None."""
    return 0 if list(call[:-1]) == [f"~{letter}"] else None


def priority_is_implied(old: Pattern, new: Pattern, patterns: Sequence[Pattern]) -> bool:
    """Return whether a change of a pattern's priority provably never changes the priority of a move.

    The change has no effect if, whenever the pattern fires, another pattern with a priority at least as high as the old
    and the new priority fires for the same move. If a sacrifice has the old or the new priority, the function returns
    False, because the change may then decide which pattern leads a move. patterns: all patterns of the book.
    """
    one, other = ([each.rows, each.when, each.points, each.table] for each in (old, new))
    if one != other or old.passes:
        return False
    priorities = old.priority, new.priority
    if old.risk or any(one.sacrifice and one.priority in priorities for one in (*patterns, old, new)):
        return False
    others = [one for one in patterns if one.id != old.id and one.rows == [MOVE] and not one.risk]
    others = [one for one in others if one.priority >= max(priorities)]
    everywhere = [one for one in others if all(_is_about_distance(condition) for condition in one.when)]
    possible = _last_distances(old, MOVE)
    return all(any(_allows(one, MOVE, distance) for one in everywhere) for distance in possible)


def _is_about_distance(condition: str) -> bool:
    return value(condition, lambda call: 0 if call == [f"@{MOVE}", NEAR] else None) is not None


def _last_distances(pattern: Pattern, label: str) -> list[int]:
    """Return the distances that the conditions permit between the opponent's last move and a label."""
    possible = [distance for distance in DISTANCES if _allows(pattern, label, distance)]
    if label == MOVE:
        possible = [distance for distance in possible if distance]  # no stone is on the move's point
    points = {letter: place for place, letter in _labelled(pattern)}
    for other, (row, column) in points.items():
        if label in points and other != label and [one for one in DISTANCES if _allows(pattern, other, one)] == [0]:
            steps = abs(row - points[label][0]) + abs(column - points[label][1])
            possible = [distance for distance in possible if distance == steps]
    return possible


def _labelled(pattern: Pattern) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield (cell, name of the cell in conditions) for the move and for each labelled cell."""
    for rows, named in ((pattern.rows, MOVE), (pattern.label_rows, "")):
        for row, cells in enumerate(rows):
            for column, letter in enumerate(cells):
                if letter == named or not named and letter != ".":
                    yield (row, column), letter


def _allows(pattern: Pattern, label: str, distance: int) -> bool:
    """Return whether the conditions permit `distance` between a label and the opponent's last move."""
    return all(
        value(condition, lambda call: distance if call == [f"@{label}", NEAR] else None) != 0
        for condition in pattern.when
    )
