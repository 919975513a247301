"""Tests that the counts in the grades of a player with known faults are exact."""

from __future__ import annotations

import numpy as np
import pytest
from boards import position as drawn
from labelled_games import FARTHER, solved_with_blunders
from small_books import book, pattern

from littlego.engines.compiled.engine import fired_many
from littlego.engines.compiled.reasons import DECIDES, PRESENT
from littlego.engines.reasons.contrast import roles_of
from littlego.knowledge.model import NO_PATTERN
from littlego.rules.engine import decide
from littlego.rules.position import BLACK, WHITE, Position
from littlego.rules.positionkey import pack, pack_move, unpack, unpack_move
from littlego.rules.ruleset import LITTLE_GO
from littlego.truth.grades.grades import (
    AN_OVERRIDE,
    BLUNDERED,
    FREE,
    KEPT,
    LOST,
    MEASURES,
    PHASES,
    Blunders,
    Graded,
    blunder_rate,
    count_blamed,
    count_blunders,
    grade_decisions,
    pattern_counts,
    rate,
    worst_blunders,
)
from littlego.truth.labels.decider import Decider
from littlego.truth.labels.labels import Labels, legal_many, moves_left

BOARD = """
    . X . O .
    . X . O .
    X X . O .
    . X . O O
    . X . O .
"""
BOOK = book(pattern("fill-the-gap", "X * O"), pattern("stay-home", "*"))
GAP, HOME = 0, 1


def at_board(left: int) -> Position:
    return drawn(BOARD, colour=BLACK if left % 2 == 0 else WHITE, left=left, ruleset=LITTLE_GO)


def mask(*points: int) -> int:
    return sum(1 << point for point in points)


ANY_MOVE = int(legal_many(np.array([pack(at_board(10))], dtype=np.int64))[0])
# (moves left, winning moves, move played (a point), decider, moves that fill-the-gap fires for)
CASES = [
    (10, ANY_MOVE, 2, GAP, mask(2, 7)),  # free
    (10, mask(2, 7), 2, GAP, mask(2, 7)),  # kept
    (10, mask(7), 2, GAP, mask(2, 7, 17)),  # gave the win away; only one move wins
    (10, mask(2, 17), 7, GAP, mask(7)),  # blundered
    (10, 0, 2, GAP, mask(2)),  # lost
    (9, mask(2, 7, 12), 0, HOME, mask(2, 7)),  # blundered
    (9, mask(0), 0, HOME, 0),  # kept
    (12, mask(25), 2, -1, mask(22)),  # gave the win away; only the pass wins
    (12, mask(25), 25, -1, 0),  # kept
    (20, mask(2), 2, GAP, mask(2)),  # kept
]


def fired_in(cases):
    """Return a function that returns masks of the moves for which each pattern fires in the cases."""

    def fired(codes):
        assert codes.size == len(cases)
        return np.array([[case[4], mask(0, 1)] for case in cases], dtype=np.int32)

    return fired


def codes_of(cases) -> np.ndarray:
    """Return a distinct code for each case; the codes differ in ko points, which do not matter."""
    codes = []
    for index, (left, *_) in enumerate(cases):
        codes.append(pack(at_board(left)) | (2 + index) << 50)
    return np.array(codes, dtype=np.int64)


def known() -> tuple[list, Graded]:
    """Return the cases and the Graded of a faulty player, both in ascending order of codes."""
    order = np.argsort(codes_of(CASES))
    cases = [CASES[index] for index in order]
    codes = codes_of(CASES)[order]
    winning = np.array([case[1] for case in cases], dtype=np.int32)
    winning[winning == ANY_MOVE] = legal_many(codes)[winning == ANY_MOVE]
    labels = Labels(codes, winning, np.ones(len(cases), dtype=np.uint8))
    moves, nobody = np.array([case[2] for case in cases], dtype=np.int8), np.zeros(len(cases), dtype=bool)
    roles = np.array([[DECIDES if case[3] == one else PRESENT for one in (GAP, HOME)] for case in cases], dtype=np.int8)
    refused = np.array([case[1] in (mask(7), mask(0), 0) for case in cases])
    return cases, Graded(BOOK, labels, moves, nobody, refused, roles)


def test_what_became_of_each_decision():
    _, found = known()
    by_case = {int(code): fate for code, fate in zip(found.labels.codes, found.outcomes, strict=True)}
    fates = [by_case[int(code)] for code in codes_of(CASES)]
    assert fates == [FREE, KEPT, BLUNDERED, BLUNDERED, LOST, BLUNDERED, KEPT, BLUNDERED, KEPT, KEPT]


def test_the_blunder_rate_leaves_out_what_every_move_wins_and_what_is_far_from_the_end():
    _, found = known()
    rows = {row.left: row for row in count_blunders(found)}
    assert list(rows) == [20, 12, 10, 9]
    assert rows[10] == Blunders(10, won=3, blundered=2, free=1, lost=1, refused=1, refused_blundered=1)
    assert rows[9] == Blunders(9, won=2, blundered=1, free=0, lost=0, refused=1, refused_blundered=0)
    assert (rows[10].colour, rows[9].colour) == ("black", "white")
    assert (rows[20].won, rows[20].blundered) == (1, 0)
    assert blunder_rate(list(rows.values()), "black").share == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert blunder_rate(list(rows.values()), "white") == pytest.approx(rate(1, 2))


def test_the_counts_of_each_pattern():
    cases, found = known()
    counts = pattern_counts(found, fired_in(cases))
    total = dict(zip(MEASURES, counts[GAP].sum(axis=(0, 1)).tolist(), strict=True))
    assert total == {
        "fired": 8,
        "moves": 13,
        "judged": 10,
        "right": 6,
        "decides": 6,
        "supports": 0,
        "lost": 1,
        "free": 1,
        "kept": 2,
        "blundered": 2,
        "only": 1,
    }
    phases = [name for name, *_ in PHASES]
    blundered = MEASURES.index("blundered")
    assert counts[GAP, phases.index("end"), 0, blundered] == 2 and counts[GAP, :, :, blundered].sum() == 2
    assert counts[HOME, phases.index("end"), 1, blundered] == 1 and counts[HOME, :, 0, blundered].sum() == 0
    assert counts[GAP, phases.index("opening"), 0, MEASURES.index("kept")] == 1


def test_who_is_to_blame_and_the_worst_boards():
    _, found = known()
    assert count_blamed(found) == {"fill-the-gap": 2, NO_PATTERN: 1, "stay-home": 1}
    winning = [bin(found.labels.winning[index]).count("1") for index in worst_blunders(found, 10)]
    assert winning == [3, 2, 1, 1] and len(worst_blunders(found, 2)) == 2


def test_overrides_replace_decisions_and_are_named():
    labels = solved_with_blunders()
    labels = labels.where(labels.winning != 0)
    found = grade_decisions(Decider(BOOK, {}), labels)
    at = next(index for index in np.flatnonzero(found.outcomes == BLUNDERED) if moves_left(labels.codes)[index] > 2)
    right = next(point for point in range(26) if labels.winning[at] >> point & 1)
    mended = grade_decisions(Decider(BOOK, {int(labels.codes[at]): right}), labels)
    assert mended.outcomes[at] == KEPT and mended.by(at) == AN_OVERRIDE
    assert (mended.outcomes == BLUNDERED).sum() == (found.outcomes == BLUNDERED).sum() - 1


def test_the_engine_and_its_patterns_are_counted_as_a_reader_would():
    patterns = [
        pattern("take", "O *", points="10"),
        pattern("extend", "X *", flags="s"),  # a sacrifice
        pattern("stay-off", "O * O", flags="f"),  # bars the move
    ]
    decider, labels = Decider(book(*patterns), {}), solved_with_blunders()
    found = grade_decisions(decider, labels)
    counts = pattern_counts(found, lambda codes: fired_many(codes, decider.program))
    fired, blundered, refused = [0] * len(patterns), [0] * len(patterns), []
    for index, code in enumerate(labels.codes):
        made = decide(unpack(code), decider.book, complete=True)
        assert unpack_move(found.moves[index]) == made.move
        names = {firing.pattern.id for candidate in made.candidates for firing in candidate.firings}
        winning, legal = int(labels.winning[index]), int(legal_many(labels.codes[index : index + 1])[0])
        vetoed = [one.veto for one in made.candidates if winning >> pack_move(one.move) & 1]
        refused.append(bool(vetoed) and all(vetoed) and made.position.left > 2)
        for number, one in enumerate(patterns):
            fired[number] += one.id in names
            gave = winning not in (0, legal) and not winning >> int(found.moves[index]) & 1
            blundered[number] += gave and roles_of(made).get(one.id) in ("decides", "supports")
    assert counts[:, :, :, MEASURES.index("fired")].sum(axis=(1, 2)).tolist() == fired
    assert counts[:, :, :, MEASURES.index("blundered")].sum(axis=(1, 2)).tolist() == blundered
    assert found.refused.tolist() == refused
    left = moves_left(labels.codes)
    # one number of moves left with which the safety check sees the game's end, and one with which it does not
    few, many = {3, 4}, set(FARTHER)
    at_refused, at_thrown = set(left[found.refused].tolist()), set(left[found.outcomes == BLUNDERED].tolist())
    assert few <= at_refused <= few | many and at_refused & many
    assert many <= at_thrown <= few | many  # the last two moves are exact
