"""Tests that the choice of the canonical image depends on the ko point, too."""

from boards import stones

from littlego.rules.engine import canonical
from littlego.rules.position import BLACK, Position
from littlego.rules.positionkey import pack_state
from littlego.rules.ruleset import LITTLE_GO


def test_the_ko_point_is_part_of_the_canonical_image():
    black, white = stones("""
        . O X O .
        O X . X O
        O . . . O
        . . . . .
        . . . . .""")
    states = [canonical(Position(LITTLE_GO, black, white, BLACK, 1 << ko, False, 9))[1] for ko in (0, 4)]
    assert pack_state(states[0]) == pack_state(
        states[1]
    )  # on a symmetric board, the two kos are mirror images of each other
