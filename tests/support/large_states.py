"""States of large boards for tests, drawn by hand or taken from random matches."""

from __future__ import annotations

import random

from boards import chains_at, drawn
from hypothesis import strategies as st

from littlego.engines.large import facts  # noqa: F401 - registers the facts
from littlego.engines.large.state import LargeState
from littlego.engines.large.vocabulary import LargeFact
from littlego.games.match import MatchPosition, match_rules
from littlego.rules.facts import FACTS
from littlego.rules.geometry import points_of
from littlego.rules.position import BLACK, PASS

LARGE_FACTS = {name: fact for name, fact in FACTS.items() if isinstance(fact, LargeFact)}


def large_state(own, theirs, grid, ko=0, colour=BLACK, **more) -> LargeState:
    """Return the state of a board, with X to move."""
    return LargeState(own, theirs, ko, 1 << 20, 1, colour, 0, 0, grid, **more)


def drawn_state(text: str, **more) -> LargeState:
    """Return the state of a drawn board. The mark k is the ko point; the marks a and b are empty points."""
    board = drawn(text)
    return large_state(board.own, board.theirs, board.grid, board.marks.get("k", 0), **more)


def ask_large(fact: str, text: str, **more) -> int:
    """Return the value of a fact on a drawn board, whose marks give the arguments as in boards.ask."""
    board, declared = drawn(text), FACTS[fact]
    arguments = []
    for number, kind in enumerate(declared.kinds):
        if kind == "chain":
            arguments.append(chains_at(board, ("xo", "yq")[number]))
        else:
            arguments.append(next(board.marks[mark] for mark in "a*xo" if mark in board.marks))
    return declared.function(drawn_state(text, **more), board.marks.get("*", 0), *arguments)


@st.composite
def match_positions(draw, sizes=(7, 9, 13), longest=150) -> MatchPosition:
    """Draw a position of a random match in which many moves touch stones, so that there are fights."""
    seed = random.Random(draw(st.integers(0, 2**32 - 1)))
    position = match_rules(seed.choice(sizes)).opening()
    size = position.ruleset.size
    for _ in range(seed.randint(2, min(longest, size * size))):
        options = points_of(position.legal())
        if not options or (position.passed and seed.random() < 0.9):
            break
        near = [one for one in seed.sample(options, min(8, len(options))) if _beside(one, position)]
        position = position.play(seed.choice(near or options) if seed.random() > 0.02 else PASS)
    return position


def _beside(point: int, position: MatchPosition) -> bool:
    size, stones = position.ruleset.size, position.own | position.theirs
    row, column = divmod(point, size)
    return any(
        0 <= r < size and 0 <= c < size and stones >> r * size + c & 1
        for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1), (row - 1, column + 1))
    )
