"""The mutants of a pattern: small changes, each of which an example or a recorded decision should notice.

What is changed, and into what, is fixed here, so that the same pattern has the same mutants everywhere:

    cell        X to x ? O, O to o ? X, `.` to x o ?, x to X . ?, o to O . ?; a `?` asks nothing and is left alone
    star        the move to each `.` of the diagram, and `.` where it stood
    edge        each drawn edge of the board removed, or one line further out; each other edge drawn
    condition   dropped, each alternative of an `or` dropped; `<` to `<=` and back where no number is compared
    number      each number that is compared, one more and one less
    points      each number in `points`, one step of 10 (a tenth of a stone) up and down
    priority    to the next higher and the next lower value in the file
    flag        `sacrifice` or `forbid` dropped
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from tools.knowledge.diagrams import MOVE
from tools.knowledge.expressions import COMPARISONS, Token, tokens
from tools.knowledge.model import KnownPattern
from tools.mutation.drafts import Draft, draft_of, split
from tools.mutation.edges import edge_changes

CELL, STAR, EDGE, CONDITION, NUMBER, POINTS, PRIORITY, FLAG = KINDS = (
    "cell",
    "star",
    "edge",
    "condition",
    "number",
    "points",
    "priority",
    "flag",
)
SYMBOLS = {"X": "x?O", "O": "o?X", ".": "xo?", "x": "X.?", "o": "O.?"}
STEP = 10  # points
STRICTER = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}


@dataclass(frozen=True)
class Mutant:
    """One change of a pattern.

    name: unique in the pattern, the same as long as the pattern is. key, row, column: where it is in the pattern:
    a cell of its `diagram`, or a condition (row) of its `when` and the offset in it, or the offset in `points`.
    """

    name: str
    kind: str
    draft: Draft
    key: str
    row: int = 0
    column: int = 0


def mutants_of(pattern: KnownPattern, priorities: Iterable[int]) -> list[Mutant]:
    """Return all mutants of a pattern, those included that the reader refuses. priorities: those of its file."""
    draft = draft_of(pattern)
    found = [
        *_cells(draft),
        *_stars(draft),
        *(Mutant(name, EDGE, changed, "diagram", *at) for name, changed, at in edge_changes(draft)),
        *_conditions(draft),
        *_points(draft, pattern),
        *_priorities(draft, priorities),
        *_flags(draft),
    ]
    return _named_apart(found)


def _named_apart(mutants: list[Mutant]) -> list[Mutant]:
    """Return the mutants with `, again` after a name that another one has already."""
    seen: set[str] = set()
    found = []
    for mutant in mutants:
        name = mutant.name
        while name in seen:
            name += ", again"
        seen.add(name)
        found.append(replace(mutant, name=name))
    return found


def _with_cell(rows: tuple[str, ...], row: int, column: int, symbol: str) -> tuple[str, ...]:
    line = rows[row]
    return (*rows[:row], line[:column] + symbol + line[column + 1 :], *rows[row + 1 :])


def _cells(draft: Draft) -> Iterator[Mutant]:
    for row, line in enumerate(draft.rows):
        for column, symbol in enumerate(line):
            for other in SYMBOLS.get(symbol, ""):
                changed = replace(draft, rows=_with_cell(draft.rows, row, column, other))
                yield Mutant(f"cell {row},{column} {symbol}->{other}", CELL, changed, "diagram", row, column)


def _stars(draft: Draft) -> Iterator[Mutant]:
    places = [(row, column) for row, line in enumerate(draft.rows) for column in range(len(line))]
    star = next((place for place in places if draft.rows[place[0]][place[1]] == MOVE), None)
    for row, column in places if star else ():
        if draft.rows[row][column] == ".":
            rows = _with_cell(_with_cell(draft.rows, *star, "."), row, column, MOVE)
            yield Mutant(f"star to {row},{column}", STAR, replace(draft, rows=rows), "diagram", *star)


def _conditions(draft: Draft) -> Iterator[Mutant]:
    for index, text in enumerate(draft.when):
        name = f"when[{index}]"
        yield Mutant(f"{name} dropped", CONDITION, _with_condition(draft, index), "when", index)
        parts = split(text, "or")
        for number, (at, _) in enumerate(parts) if len(parts) > 1 else ():
            rest = " or ".join(part for k, (_, part) in enumerate(parts) if k != number)
            changed = _with_condition(draft, index, rest)
            yield Mutant(f"{name} alternative {number} dropped", CONDITION, changed, "when", index, at)
        for kind, token, other in _compared(tokens(text)):
            changed = _with_condition(draft, index, _with_token(text, token, other))
            yield Mutant(f"{name} {token.text}->{other}", kind, changed, "when", index, token.at)


def _with_condition(draft: Draft, index: int, *instead: str) -> Draft:
    return replace(draft, when=(*draft.when[:index], *instead, *draft.when[index + 1 :]))


def _with_token(text: str, token: Token, other: str) -> str:
    return text[: token.at] + other + text[token.at + len(token.text) :]


def _compared(found: list[Token]) -> Iterator[tuple[str, Token, str]]:
    """Yield (kind, token, what to write instead) for the comparisons of a condition."""
    for index, token in enumerate(found):
        if token.text not in COMPARISONS:
            continue
        numbers = [number for number in (_number_before(found, index), _number_after(found, index)) if number]
        for number in numbers:
            for other in (int(number.text) + 1, int(number.text) - 1):
                yield NUMBER, number, str(other)
        if not numbers and token.text in STRICTER:
            yield CONDITION, token, STRICTER[token.text]


def _number_before(found: list[Token], index: int) -> Token | None:
    """Return the number that is all that stands before a comparison, or None."""
    alone = index == 1 or index >= 2 and found[index - 2].text in ("(", "and", "or", "not")
    return found[index - 1] if alone and found[index - 1].kind == "number" else None


def _number_after(found: list[Token], index: int) -> Token | None:
    """Return the number that is all that stands after a comparison, its sign aside, or None."""
    first = index + 1 + (found[index + 1].text == "-")
    alone = found[first].kind == "number" and found[first + 1].text not in ("+", "-", "*")
    return found[first] if alone else None


def _points(draft: Draft, pattern: KnownPattern) -> Iterator[Mutant]:
    if pattern.points == "0":
        return
    for token in tokens(draft.points):
        if token.kind == "number":
            for other in (int(token.text) + STEP, int(token.text) - STEP):
                changed = replace(draft, points=_with_token(draft.points, token, str(other)))
                yield Mutant(f"points {token.text}->{other}", POINTS, changed, "points", 0, token.at)


def _priorities(draft: Draft, priorities: Iterable[int]) -> Iterator[Mutant]:
    higher = sorted(value for value in priorities if value > draft.priority)[:1]
    lower = sorted(value for value in priorities if value < draft.priority)[-1:]
    for other in higher + lower:
        name = f"priority {draft.priority}->{other}"
        yield Mutant(name, PRIORITY, replace(draft, priority=other), "priority")


def _flags(draft: Draft) -> Iterator[Mutant]:
    for key in ("sacrifice", "forbid"):
        if getattr(draft, key):
            yield Mutant(f"{key} dropped", FLAG, replace(draft, **{key: False}), key)
