"""Verdicts for `diff` on changed decisions: better or worse, according to the labels or the solver.

Verdicts on positions of the test part are hidden, because authors of patterns read the output.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from littlego.paths import LABELS
from littlego.rules.position import PASS, Position
from littlego.truth.labels import is_in_test

BETTER, WORSE, BOTH_WIN, BOTH_LOSE = "better", "worse", "won both ways", "lost both ways"
HIDDEN, UNKNOWN = "not shown", ""
# Keys: (whether the old move wins, whether the new move wins).
VERDICTS = {(False, True): BETTER, (True, False): WORSE, (True, True): BOTH_WIN, (False, False): BOTH_LOSE}
SOLVED_UP_TO = 10  # maximum moves left to solve, a few milliseconds per position
TABLE_BITS = 18
Asked = tuple[Position, int, int]  # a position, the old move and the new move


def verdicts(asked: Sequence[Asked]) -> list[str]:
    """Return a verdict for each change: BETTER, WORSE, BOTH_WIN, BOTH_LOSE, HIDDEN or UNKNOWN.

    HIDDEN: the position is in the test part. UNKNOWN: the position is impossible, is not a Little-Go position, or has
    no label and more than SOLVED_UP_TO moves left.
    """
    from littlego.engines.compiled.states import TABLES, canonical, parts  # lazy: numba takes a second to load
    from littlego.rules.positionkey import PASS_POINT, pack

    result = [UNKNOWN] * len(asked)
    shown: list[tuple[int, int, int]] = []  # (index, code of the canonical image, its symmetry)
    for index, (position, _, _) in enumerate(asked):
        try:
            code, symmetry = map(int, canonical(pack(position)))
        except ValueError:  # the position is impossible or not a Little-Go position
            continue
        if is_in_test(*map(int, parts(code)[:2])):
            result[index] = HIDDEN
        else:
            shown.append((index, code, symmetry))
    winning = _known_winning([code for _, code, _ in shown])
    for (index, _, symmetry), mask in zip(shown, winning, strict=True):
        if mask is not None:
            turned_moves = (PASS_POINT if move == PASS else TABLES[symmetry][move] for move in asked[index][1:])
            before, after = (bool(mask >> move & 1) for move in turned_moves)
            result[index] = VERDICTS[before, after]
    return result


def _known_winning(codes: list[int]) -> list[int | None]:
    """Return the mask of the winning moves of each canonical image, or None if the mask is unknown."""
    from littlego.rules.positionkey import LEFT_AT
    from littlego.truth.solver.solver import Solver

    solver, labelled = Solver(TABLE_BITS), _labelled(codes)
    return [
        labelled[code] if code in labelled else solver.winning(code) if code >> LEFT_AT <= SOLVED_UP_TO else None
        for code in codes
    ]


def _labelled(codes: list[int]) -> dict[int, int]:
    """Return {code: mask of the winning moves} for the labelled positions among `codes`.

    codes: canonical codes.
    """
    from littlego.truth.labels.labels import load_known

    labels = load_known(LABELS)
    places = [(code, bisect_left(labels.codes, code)) for code in codes]
    known = [(code, at) for code, at in places if at < len(labels.codes) and labels.codes[at] == code]
    return {code: int(labels.winning[at]) for code, at in known}
