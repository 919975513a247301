"""Mutants of patterns for large boards that are proved to be as good as their patterns, by what conditions say already.

No position is looked at. Three things are known of any: a fact about a chain is 0 where no stone is; the opponent's
last move is a stone of theirs; and how far a cell lies from another. So a condition may leave a labelled cell no choice
but the stone that is drawn there, or say of a move that a pattern of the whole board fires for it too.
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

STONES = {"X": {"x": ".", "?": ".O"}, "O": {"o": ".", "?": ".X"}}  # drawn -> instead -> what is then allowed too
NEAR = "last_distance"
DISTANCES = (*range(2 * MATCH.size - 1), UNKNOWN)  # its answers on the largest board
Answer = Callable[[list[str]], "int | None"]  # a call, its arguments first, as `~A size` -> what it says if it is known


def value(program: str, answer: Answer) -> int | None:
    """Return what a postfix program comes to, None where that takes an answer that is not known."""
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
    """Return whether two patterns differ in a cell alone that conditions leave no choice but what the old one draws."""
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
    """Yield (symbol, that of the new pattern, label or `.`) of the cells in which two drawings of one size differ."""
    for rows in zip(old.rows, new.rows, old.label_rows, strict=True):
        for one, other, letter in zip(*rows, strict=True):
            if one != other:
                yield one, other, letter


def _is_alike_but_for_cells(old: Pattern, new: Pattern) -> bool:
    """Return whether two patterns fire alike wherever both match; their drawings are of one size."""
    shapes = [list(map(len, one.rows)) for one in (old, new)]
    said = [(one.label_rows, one.when, one.points, one.priority, flags_of(one)) for one in (old, new)]
    return shapes[0] == shapes[1] and said[0] == said[1] and bool(old.label_rows)


def _of_no_chain(call: Sequence[str], letter: str) -> int | None:
    """Return what a fact says of a label that stands on no stone, None for any other call."""
    return 0 if list(call[:-1]) == [f"~{letter}"] else None


def priority_is_implied(old: Pattern, new: Pattern, patterns: Sequence[Pattern]) -> bool:
    """Return whether no move's priority depends on which of two priorities a pattern has: wherever it fires, so does
    another one for the same move, with a priority as high as both. patterns: all of the book.

    Sacrifices may not have these priorities: which firing leads would then count.
    """
    if [old.rows, old.when, old.points] != [new.rows, new.when, new.points] or old.passes:
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
    """Return how far from the opponent's last move a label's point may be, as conditions and drawing tell."""
    possible = [distance for distance in DISTANCES if _allows(pattern, label, distance)]
    if label == MOVE:
        possible = [distance for distance in possible if distance]  # there stands their stone
    points = {letter: place for place, letter in _labelled(pattern)}
    for other, (row, column) in points.items():
        if label in points and other != label and [one for one in DISTANCES if _allows(pattern, other, one)] == [0]:
            steps = abs(row - points[label][0]) + abs(column - points[label][1])
            possible = [distance for distance in possible if distance == steps]
    return possible


def _labelled(pattern: Pattern) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield the places of the move and of the labels in the drawing, each with its name in conditions."""
    for rows, named in ((pattern.rows, MOVE), (pattern.label_rows, "")):
        for row, cells in enumerate(rows):
            for column, letter in enumerate(cells):
                if letter == named or not named and letter != ".":
                    yield (row, column), letter


def _allows(pattern: Pattern, label: str, distance: int) -> bool:
    """Return whether no condition forbids that the point of a label is so far from the opponent's last move."""
    return all(
        value(condition, lambda call: distance if call == [f"@{label}", NEAR] else None) != 0
        for condition in pattern.when
    )
