"""What `diff` says of a changed decision: whether it got better or worse, by the labels or by solving it.

Of positions that belong to the test part it says nothing: who edits patterns reads it.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.position import PASS, Position
from tools.data import LABELS

BETTER, WORSE, BOTH_WIN, BOTH_LOSE, UNKNOWN = "better", "worse", "won both ways", "lost both ways", ""
# By whether the move before and the move after win.
VERDICTS = {(False, True): BETTER, (True, False): WORSE, (True, True): BOTH_WIN, (False, False): BOTH_LOSE}
SOLVED_UP_TO = 10  # moves left: a few milliseconds a position
TABLE_BITS = 18
Asked = tuple[Position, int, int]  # a position, the move before and the move after


def verdicts(asked: Sequence[Asked]) -> list[str]:
    """Return BETTER, WORSE, BOTH_WIN, BOTH_LOSE or UNKNOWN for each; raise ModuleNotFoundError without numba."""
    import numpy as np

    from rules.positionkey import PASS_POINT, pack
    from tools.compiled.states import TABLES, canonical

    found = [UNKNOWN] * len(asked)
    turned = {}
    for index, (position, _, _) in enumerate(asked):
        try:
            turned[index] = canonical(np.int64(pack(position)))
        except ValueError:  # another game than Little-Go, or no position of it
            continue
    winning = _known_winning([int(code) for code, _ in turned.values()])
    for (index, (_, symmetry)), mask in zip(turned.items(), winning, strict=True):
        if mask is not None:
            turned_moves = (PASS_POINT if move == PASS else TABLES[symmetry][move] for move in asked[index][1:])
            before, after = (bool(mask >> move & 1) for move in turned_moves)
            found[index] = VERDICTS[before, after]
    return found


def _known_winning(codes: Sequence[int]) -> list[int | None]:
    """Return the masks of the winning moves of canonical images, None where they are not known or not to be told."""
    import numpy as np

    from rules.positionkey import LEFT_AT
    from tools.labels.labels import in_test, load_known, look_up
    from tools.solver.solver import Solver

    wanted, labels, solver = np.array(codes, dtype=np.int64), load_known(LABELS), Solver(TABLE_BITS)
    found: list[int | None] = []
    for code, place, hidden in zip(codes, look_up(wanted, labels).tolist(), in_test(wanted).tolist(), strict=True):
        if hidden:
            found.append(None)
        elif place >= 0:
            found.append(int(labels.winning[place]))
        else:
            found.append(int(solver.winning(code)) if code >> LEFT_AT <= SOLVED_UP_TO else None)
    return found
