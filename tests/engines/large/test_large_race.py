"""Tests that counted races agree with fights played out on the board and with the textbook's rules."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from boards import chains_at, drawn

from littlego.engines.large.race import captures_first, first_captures
from littlego.rules.geometry import points_of
from littlego.rules.position import chains, legal_moves, liberties, played

HEIGHT = 4


def fight(mine: int, yours: int, shared: int, my_eye: bool = False, your_eye: bool = False) -> str:
    """Return a drawn fight between X in column 1, marked x, and O in column 3, marked o, in living walls.

    mine, yours: the liberties in columns 0 and 4, from the top. shared: the liberties in column 2. An eye is a point at
    the top of column 0 or 4, closed by a stone below it.
    """
    rows = [["O", "x", "O", "o", "X", "X", ".", ".", "."] for _ in range(HEIGHT)]
    for row in range(shared):
        rows[row][2] = "."
    first = 2 if my_eye else 0
    if my_eye:
        rows[0][0], rows[1][0] = ".", "X"
    for row in range(first, first + mine):
        rows[row][0] = "."
    first = 2 if your_eye else 0
    if your_eye:
        rows[0][4], rows[1][4], rows[0][5], rows[1][5] = ".", "O", "O", "O"
        rows[0][6] = rows[1][6] = "X"
    for row in range(first, first + yours):
        rows[row][4] = "."
    below = ["O O X X X X . . .", "O O O O O O . . .", *[". . . . . . . . ."] * 3]
    return "\n".join([*(" ".join(row) for row in rows), *below])


class Fight(NamedTuple):
    """A fight: masks of both chains, and of the points at which each side may play.

    Neither side may fill its own exclusive liberties.
    """

    prey: int
    hunter: int
    hunter_plays: int
    prey_plays: int
    grid: tuple


def is_captured(own: int, theirs: int, fought: Fight) -> bool:
    """Return whether the hunter, whose stones are `own`, captures the prey if the hunter moves first."""
    for move in points_of(legal_moves(own, theirs, 0, fought.grid) & fought.hunter_plays):
        stones, rest, _, _ = played(1 << move, own, theirs, fought.grid)
        if not fought.prey & rest or not holds(rest, stones, fought):
            return True
    return False


def holds(own: int, theirs: int, fought: Fight) -> bool:
    """Return whether the prey, whose stones are `own`, survives if the prey moves first."""
    if not is_captured(theirs, own, fought):
        return True  # it may pass
    for move in points_of(legal_moves(own, theirs, 0, fought.grid) & fought.prey_plays):
        stones, rest, _, _ = played(1 << move, own, theirs, fought.grid)
        if not fought.hunter & rest or not is_captured(rest, stones, fought):
            return True
    return False


FIGHTS = [
    *((mine, yours, shared, False, False) for mine in range(4) for yours in range(4) for shared in range(4)),
    *((mine, yours, shared, True, False) for mine in range(3) for yours in range(4) for shared in range(3)),
    *((mine, yours, shared, False, True) for mine in range(4) for yours in range(3) for shared in range(3)),
    *((mine, yours, shared, True, True) for mine in range(3) for yours in range(3) for shared in range(3)),
]


def test_races_are_those_played_out():
    answers = []
    for mine, yours, shared, my_eye, your_eye in FIGHTS:
        drawing = fight(mine, yours, shared, my_eye, your_eye)
        if not mine + shared + my_eye or not yours + shared + your_eye or mine + yours + shared > 6:
            continue
        board = drawn(drawing)
        hunter, prey = chains_at(board, "x"), chains_at(board, "o")
        free = [liberties(chain, board.own | board.theirs, board.grid) for chain in (prey, hunter)]
        fought = Fight(prey, hunter, *free, board.grid)
        expected = is_captured(board.own, board.theirs, fought)
        assert captures_first(hunter, prey, board.own, board.theirs, board.grid) == expected, drawing
        answers.append(expected)
    assert {True, False} == set(answers)


@pytest.mark.parametrize("shared", range(6))
def test_races_without_eyes_are_those_of_the_textbook(shared):
    """The mover needs as many exclusive liberties as the opponent, plus all shared liberties but one."""
    for mine in range(9):
        for yours in range(9):
            if mine + shared and yours + shared:
                wins = mine >= yours + max(0, shared - 1)
                assert first_captures((mine, 0), (yours, 0), shared) == (wins or yours + shared == 1)


def test_an_eye_against_none_takes_the_common_liberties():
    assert first_captures((0, 1), (3, 0), 3)
    assert not first_captures((3, 0), (0, 1), 3)
    assert not first_captures((0, 1), (9, 0), 3)


def test_chains_that_do_not_touch_run_no_race():
    board = drawn(
        """
        . x . o .
        . . . . .
        . . . . .
        . . . . .
        . . . . .
        """
    )
    mine, yours = chains(board.own, board.grid)[0], chains(board.theirs, board.grid)[0]
    assert not captures_first(mine, yours, board.own, board.theirs, board.grid)
