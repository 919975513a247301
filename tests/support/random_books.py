"""Random books for tests of pattern readers, with every symbol, fact, operator and flag."""

from __future__ import annotations

import random

from small_books import book, line

from littlego.engines.large.vocabulary import small_facts
from littlego.rules.patternfile import Book, Pattern
from littlego.rules.programs import OPERATORS

SYMBOLS = "XOxo.??"
LETTERS = "ABC"


def random_book(seed: int, patterns=25) -> Book:
    """Return a book of random patterns for 5x5."""
    draw = random.Random(seed)
    return book(*(random_pattern(draw, number) for number in range(patterns)))


def random_pattern(draw: random.Random, number: int) -> Pattern:
    """Return a random pattern."""
    return Pattern(random_line(draw, number))


def random_line(draw: random.Random, number: int) -> str:
    """Return a random line of patterns.txt with few possible priorities and a small, often matching shape."""
    height, width = draw.choice([(1, 1), (1, 2), (2, 2), (1, 3), (2, 3)])
    cells = [draw.choice(SYMBOLS) for _ in range(height * width)]
    passes = draw.random() < 0.15
    if not passes:
        cells[draw.randrange(len(cells))] = "*"
    letters = [draw.choice("." * 4 + LETTERS) if cell != "*" else "." for cell in cells]
    rows, labels = (_rows(one, width) for one in (cells, letters))
    if draw.random() < 0.3:  # a shape at the edge: a line under the board
        rows, labels = f"{rows}/{'-' * width}", f"{labels}/{'-' * width}"
    arguments = sorted(set(letters) - {"."})
    flags = "".join(flag for flag, odds in (("f", 0.1), ("s", 0.3)) if draw.random() < odds) + "p" * passes
    is_risk = not flags and draw.random() < 0.4
    return line(
        f"pattern-{number}",
        rows,
        points=str(-draw.randrange(1, 40)) if is_risk else expression(draw, arguments, 2),
        when=" ; ".join(condition(draw, arguments) for _ in range(draw.randrange(4))),
        labels=labels,
        priority=draw.choice([-100, -5, 500, 500, 900]),
        specificity=draw.randrange(1, 4),
        flags="k" if is_risk else flags or "-",
    )


def _rows(cells: list[str], width: int) -> str:
    return "/".join("".join(cells[at : at + width]) for at in range(0, len(cells), width))


def condition(draw: random.Random, letters: list[str]) -> str:
    """Return a random postfix condition, usually of a common form that is often true."""
    form = draw.randrange(6)
    if form == 0:
        return expression(draw, letters, 3)
    if form == 1:
        return f"moves_left {draw.randrange(24)} {draw.choice(['<', '<=', '>', '>=', '!='])}"
    if form == 2:
        return f"{call(draw, letters)} not"
    if form == 3:
        return call(draw, letters)
    return f"{call(draw, letters)} {draw.randrange(4)} {draw.choice(['<', '<=', '==', '!=', '>=', '>'])}"


def expression(draw: random.Random, letters: list[str], depth: int) -> str:
    """Return a random postfix program whose operators are nested at most `depth` deep."""
    if depth == 0 or draw.random() < 0.3:
        return str(draw.randrange(-30, 31)) if draw.random() < 0.4 else call(draw, letters)
    if draw.random() < 0.2:
        return f"{expression(draw, letters, depth - 1)} {draw.choice(['not', 'neg'])}"
    first, second = (expression(draw, letters, depth - 1) for _ in range(2))
    return f"{first} {second} {draw.choice(sorted(OPERATORS))}"


def call(draw: random.Random, letters: list[str]) -> str:
    """Return a call of a random fact; chain arguments are letters, point arguments letters or the move."""
    facts = [(name, fact.kinds) for name, fact in small_facts().items() if letters or "chain" not in fact.kinds]
    name, kinds = draw.choice(facts)
    chosen = [f"~{draw.choice(letters)}" if kind == "chain" else f"@{draw.choice(['*', *letters])}" for kind in kinds]
    return " ".join([*chosen, name])
