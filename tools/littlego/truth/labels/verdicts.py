"""Verdicts on changed decisions for `diff`: better or worse, by the labels or by solving the position.

Verdicts on positions of the test part are hidden, because authors of patterns read the output.
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
# Keys: (whether the old move wins, whether the new move wins).
VERDICTS = {(False, True): BETTER, (True, False): WORSE, (True, True): BOTH_WIN, (False, False): BOTH_LOSE}
SOLVED_UP_TO = 10  # maximum moves left to solve, a few milliseconds per position
TABLE_BITS = 18
Asked = tuple[Position, int, int]  # a position, the old move and the new move


def verdicts(asked: Sequence[Asked]) -> list[str]:
    """Return a verdict for each change: BETTER, WORSE, BOTH_WIN, BOTH_LOSE, HIDDEN or UNKNOWN.

    HIDDEN: the position is in the test part. UNKNOWN: not labelled and more than SOLVED_UP_TO moves left, or a position
    of another game. Raise ModuleNotFoundError without numba.
    """
    import numpy as np

    from littlego.engines.compiled.states import TABLES, canonical
    from littlego.rules.positionkey import PASS_POINT, pack
    from littlego.truth.labels.labels import in_test

    result = [UNKNOWN] * len(asked)
    turned = {}
    for index, (position, _, _) in enumerate(asked):
        try:
            turned[index] = canonical(np.int64(pack(position)))
        except ValueError:  # the position is impossible or not of Little-Go
            continue
    codes = np.array([int(code) for code, _ in turned.values()], dtype=np.int64)
    hidden = in_test(codes).tolist()
    winning = iter(_known_winning(codes[~np.array(hidden, dtype=bool)]))
    for (index, (_, symmetry)), is_hidden in zip(turned.items(), hidden, strict=True):
        mask = None if is_hidden else next(winning)
        if is_hidden:
            result[index] = HIDDEN
        elif mask is not None:
            turned_moves = (PASS_POINT if move == PASS else TABLES[symmetry][move] for move in asked[index][1:])
            before, after = (bool(mask >> move & 1) for move in turned_moves)
            result[index] = VERDICTS[before, after]
    return result


def _known_winning(codes: np.ndarray) -> list[int | None]:
    """Return the masks of the winning moves of canonical images, None for unknown masks."""
    from littlego.rules.positionkey import LEFT_AT
    from littlego.truth.labels.labels import load_known, look_up
    from littlego.truth.solver.solver import Solver

    labels, solver = load_known(LABELS), Solver(TABLE_BITS)
    results: list[int | None] = []
    for code, place in zip(codes.tolist(), look_up(codes, labels).tolist(), strict=True):
        if place >= 0:
            results.append(int(labels.winning[place]))
        else:
            results.append(int(solver.winning(code)) if code >> LEFT_AT <= SOLVED_UP_TO else None)
    return results
