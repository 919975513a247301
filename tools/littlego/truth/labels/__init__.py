"""Positions with what the solver knows of their moves, gathered and kept; and what they say of a decision."""

from __future__ import annotations

# Here and not beside what reads them, for the options of commands: these load neither numpy nor the compiled engine.
WORKING, TEST = PARTS = ("working", "test")
# Where a position was met; the numbers are bits of a tag.
REAL, RECORDED, ERRS_0, ERRS_10, ERRS_30, CENTRE, ASTRAY, TREE = (1 << bit for bit in range(8))
MET = ERRS_0 | ERRS_10 | ERRS_30
SOURCES = {
    "met": MET,  # by our player, against opponents of whose moves 0, 10 or 30% are random
    "centre": CENTRE,  # the same as Black, from the start: who began in the centre
    "astray": ASTRAY,  # in games in which our side errs as well
    "tree": TREE,  # by our player, against any moves at all, passes included
    "real": REAL,  # by both sides of the real games
    "recorded": RECORDED,  # in tools/littlego/records/decisions.txt
}
