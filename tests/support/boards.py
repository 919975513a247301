"""Drawn boards for tests: X and O stones, with marks for chains and points."""

from __future__ import annotations

from typing import NamedTuple

from littlego.engines.large.vocabulary import small_facts
from littlego.games.boards import parse_board
from littlego.rules.facts import State
from littlego.rules.geometry import flood, make_grid
from littlego.rules.position import BLACK, WHITE, Position, chains, liberties
from littlego.rules.ruleset import little_go

MARKED_STONES = {"x": "X", "y": "X", "o": "O", "q": "O"}  # x, o: the first marked chain; y, q: the second
MARKED_POINTS = "*abk"  # *: the move; k: the ko point; a, b: other points; all of these are empty
FACT = {name: (fact.function, fact.kinds) for name, fact in small_facts().items()}


class Drawn(NamedTuple):
    """A drawn board: the masks of X (`own`, Black), of O (`theirs`, White), and of each mark."""

    size: int
    grid: tuple
    own: int
    theirs: int
    marks: dict


def drawn(text: str) -> Drawn:
    """Parse a drawing of `X O .`, marked stones `x y o q` and marked empty points `* a b k`."""
    rows = ["".join(line.split()) for line in text.strip().splitlines()]
    marks: dict = {}
    for row, cells in enumerate(rows):
        for column, symbol in enumerate(cells):
            if symbol in MARKED_STONES or symbol in MARKED_POINTS:
                marks[symbol] = marks.get(symbol, 0) | 1 << len(rows) * row + column
    plain = "\n".join(rows)
    for mark, stone in MARKED_STONES.items():
        plain = plain.replace(mark, stone)
    for mark in MARKED_POINTS:
        plain = plain.replace(mark, ".")
    size, own, theirs = parse_board(plain)
    grid = make_grid(size)
    for chain in chains(own, grid) + chains(theirs, grid):
        assert liberties(chain, own | theirs, grid), f"a chain without liberties is drawn:\n{plain}"
    return Drawn(size, grid, own, theirs, marks)


def stones(text: str) -> tuple[int, int]:
    """Return a drawn board's (black, white) masks."""
    return drawn(text)[2:4]


def state_of(board: Drawn, left=10, number=15, colour=BLACK, bonus2=-5, passed=False) -> State:
    """Return the State that facts read, with X to move and the mark k as the ko point."""
    ko = board.marks.get("k", 0)
    return State(board.own, board.theirs, ko, left, number, colour, bonus2, passed, board.grid)


def chains_at(board: Drawn, marks: str) -> int:
    """Return the stones of all chains with one of the marks."""
    marked = sum(board.marks.get(mark, 0) for mark in marks)
    return flood(marked & board.own, board.own, board.grid) | flood(marked & board.theirs, board.theirs, board.grid)


def ask(fact: str, text: str, **situation) -> int:
    """Return the value of a fact on a drawn board.

    A chain argument consists of the chains marked x or o (a second chain argument: y or q). A point argument is the
    first of the marks a, *, k, x and o that is on the board. `*` is the move; without this mark X passes.
    """
    board = drawn(text)
    function, kinds = FACT[fact]
    arguments = []
    for number, kind in enumerate(kinds):
        if kind == "chain":
            arguments.append(chains_at(board, ("xo", "yq")[number]))
        else:
            arguments.append(next(board.marks[mark] for mark in "a*kxo" if mark in board.marks))
    return function(state_of(board, **situation), board.marks.get("*", 0), *arguments)


def position(text: str, colour=BLACK, left=10, passed=False, ruleset=None) -> Position:
    """Return the Position of a drawn board, with the mark k as the ko point."""
    board = drawn(text)
    ruleset = ruleset or little_go(board.size)
    return Position(ruleset, board.own, board.theirs, colour, board.marks.get("k", 0), passed, left)


def swap_colours(text: str) -> str:
    """Return a drawn board with the colours of all stones swapped."""
    return text.translate(str.maketrans("XOxoyq", "OXoxqy"))


def other(colour: int) -> int:
    """Return the other colour."""
    return BLACK + WHITE - colour
