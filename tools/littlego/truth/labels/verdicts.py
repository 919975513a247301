"""What `diff` says of a changed decision: whether it got better or worse, by the labels or by solving it.

Of positions that belong to the test part it says only that: who edits patterns reads it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from littlego.paths import LABELS
from littlego.rules.position import PASS, Position

if TYPE_CHECKING:
    import numpy as np

BETTER, WORSE, BOTH_WIN, BOTH_LOSE = "better", "worse", "won both ways", "lost both ways"
HIDDEN, UNKNOWN = "not shown", ""
# By whether the move before and the move after win.
VERDICTS = {(False, True): BETTER, (True, False): WORSE, (True, True): BOTH_WIN, (False, False): BOTH_LOSE}
SOLVED_UP_TO = 10  # moves left: a few milliseconds a position
TABLE_BITS = 18
Asked = tuple[Position, int, int]  # a position, the move before and the move after


def verdicts(asked: Sequence[Asked]) -> list[str]:
    """Return BETTER, WORSE, BOTH_WIN, BOTH_LOSE, HIDDEN or UNKNOWN for each; raise ModuleNotFoundError without numba.

    HIDDEN: of the test part. UNKNOWN: there is no label, and it has more than SOLVED_UP_TO moves left or is of another
    game.
    """
    import numpy as np

    from littlego.engines.compiled.states import TABLES, canonical
    from littlego.rules.positionkey import PASS_POINT, pack
    from littlego.truth.labels.labels import in_test

    found = [UNKNOWN] * len(asked)
    turned = {}
    for index, (position, _, _) in enumerate(asked):
        try:
            turned[index] = canonical(np.int64(pack(position)))
        except ValueError:  # another game than Little-Go, or no position of it
            continue
    codes = np.array([int(code) for code, _ in turned.values()], dtype=np.int64)
    hidden = in_test(codes).tolist()
    winning = iter(_known_winning(codes[~np.array(hidden, dtype=bool)]))
    for (index, (_, symmetry)), is_hidden in zip(turned.items(), hidden, strict=True):
        mask = None if is_hidden else next(winning)
        if is_hidden:
            found[index] = HIDDEN
        elif mask is not None:
            turned_moves = (PASS_POINT if move == PASS else TABLES[symmetry][move] for move in asked[index][1:])
            before, after = (bool(mask >> move & 1) for move in turned_moves)
            found[index] = VERDICTS[before, after]
    return found


def _known_winning(codes: np.ndarray) -> list[int | None]:
    """Return the masks of the winning moves of canonical images, None where they are not known."""
    from littlego.rules.positionkey import LEFT_AT
    from littlego.truth.labels.labels import load_known, look_up
    from littlego.truth.solver.solver import Solver

    labels, solver = load_known(LABELS), Solver(TABLE_BITS)
    found: list[int | None] = []
    for code, place in zip(codes.tolist(), look_up(codes, labels).tolist(), strict=True):
        if place >= 0:
            found.append(int(labels.winning[place]))
        else:
            found.append(int(solver.winning(code)) if code >> LEFT_AT <= SOLVED_UP_TO else None)
    return found
