"""Positions labelled with the solver's winning moves, and verdicts on decisions.

The verdicts follow from these labels or, for an unlabelled position, from the solver.
"""

from __future__ import annotations

from littlego.rules.positionkey import WHITE_AT

# These constants are defined here because command options use them and must not load numpy or the compiled engine.
WORKING, TEST = PARTS = ("working", "test")
TEST_ONE_IN = 3  # one class of boards in this many belongs to the test part
FACTORS = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB  # constants of splitmix64, see labels.scatter
# Sources of positions; the numbers are bits of a tag.
REAL, RECORDED, ERRS_0, ERRS_10, ERRS_30, CENTRE, ASTRAY, TREE = (1 << bit for bit in range(8))
MET = ERRS_0 | ERRS_10 | ERRS_30
SOURCES = {
    "met": MET,  # met by our player, against opponents with 0, 10 or 30% random moves
    "centre": CENTRE,  # met by our player as Black in games whose first move is in the centre
    "astray": ASTRAY,  # met in games in which our side also makes errors
    "tree": TREE,  # met by our player, against random moves only, passes included
    "real": REAL,  # met by both sides in recorded games
    "recorded": RECORDED,  # in tools/littlego/records/decisions.txt
}


def is_in_test(own: int, theirs: int) -> bool:
    """Return whether a board is in the test part: see labels.in_test.

    own, theirs: the masks of the two sides' stones on the canonical image.
    """
    word = own | theirs << WHITE_AT
    for shift, factor in zip((30, 27), FACTORS, strict=True):
        word = (word ^ word >> shift) * factor & (1 << 64) - 1
    return (word ^ word >> 31) % TEST_ONE_IN == 0
