"""Tests of label statistics for a drawing: points with an interval, and facts that distinguish wins."""

from __future__ import annotations

import re
from dataclasses import replace
from math import log

import numpy as np
import pytest
from boards import position as drawn_position
from hypothesis import given, settings
from hypothesis import strategies as st
from knowledge_files import YAML
from scipy.optimize import brentq
from scipy.special import log_expit
from scipy.stats import chi2
from small_knowledge import CUT, CUTTING

from littlego.editor.authoring.entries import Draft, entry_text
from littlego.editor.authoring.scaffold import matches, smallest_drawing
from littlego.editor.authoring.suggest import NO_FIT, CellFits, Fit, Suggestion, fit_cells, fit_points, suggest
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.expressions import parse
from littlego.knowledge.files import book_of_lines, read_knowledge
from littlego.knowledge.firing import moves_fired
from littlego.knowledge.model import KnownPattern
from littlego.knowledge.programs import postfix
from littlego.knowledge.textfile import book_for
from littlego.learning.mining.table import Scores, Table
from littlego.paths import LABELS
from littlego.rules.position import PASS
from littlego.rules.positionkey import unpack
from littlego.truth.labels.labels import load, save
from littlego.truth.labels.positions import at_stake, load_positions


def table(wins: list[bool], behind: int = 0, priority: int = 500) -> Table:
    """Return a Table of positions with two moves each. The pattern fires only for the first move.

    wins: for each position, whether the first move wins; otherwise the second move wins.

    behind: the first move's points minus the second's. priority: the priority of the second move.
    """
    size = len(wins)
    rows = np.arange(2 * size)
    one = np.tile([True, False], size)
    scores = Scores(
        np.where(one, 500, priority),
        np.where(one, 40 + behind, 40),
        np.full(2 * size, 3),
        np.ones(2 * size, bool),
        np.zeros(2 * size, bool),
    )
    kept = np.repeat(np.array(wins), 2) == one
    no = np.zeros(size, np.int64)
    return Table(no, no, np.arange(0, 2 * size + 1, 2), rows // 2, rows % 2, kept, scores, 0 * rows, rows[::2])


def fit(*args, **others) -> Fit:
    found = table(*args, **others)
    return fit_points(found, found.move == 0)


def test_points_are_the_logarithm_of_the_odds():
    wins = [True] * 30 + [False] * 10
    found = fit(wins)
    assert (found.points, found.positions) == (round(10 * log(3)), 40)

    def beyond(points: float) -> float:
        share = 1 / (1 + np.exp(-points / 10))
        return 30 * log(share) + 10 * log(1 - share) - 30 * log(0.75) - 10 * log(0.25) + 3.841 / 2

    low, high = brentq(beyond, -50, 10), brentq(beyond, 12, 80)
    assert low <= found.low <= low + 1 and high - 1 <= found.high <= high
    assert str(found) == f"11 ({found.low} to {found.high} with 95% confidence)"


def test_they_come_on_top_of_what_the_others_say():
    wins = [True] * 30 + [False] * 10
    assert fit(wins, behind=-20).points == 20 + fit(wins).points
    assert fit(wins, behind=20).points == fit(wins).points - 20


def test_more_positions_make_them_surer():
    few, many = fit([True, True, True, False]), fit([True, True, True, False] * 50)
    assert few.points == many.points
    assert few.low < many.low < many.points < many.high < few.high


@pytest.mark.parametrize("other", [600, 1000])
def test_positions_that_another_priority_decides_tell_nothing(other):
    assert fit([True] * 5, priority=other).positions == 0
    assert fit([True] * 5, priority=400).positions == 5


def test_nor_do_moves_that_are_vetoed_or_all_alike():
    found = table([True, True, False])
    vetoed = replace(found, scores=found.scores._replace(free=found.position > 0))
    assert fit_points(vetoed, found.move == 0).positions == 2
    assert fit_points(found, found.move >= 0).positions == 0
    assert fit_points(replace(found, wins=np.ones(6, bool)), found.move == 0).positions == 0
    assert fit_points(found, found.move < 0) == Fit(0, 0, 0, 0)


def test_without_an_upper_limit_the_advice_is_what_is_certain():
    found = fit([True] * 30)
    assert (found.points, found.high) == (100, 100) and 0 < found.low < 100
    assert found.advised == found.low and "to 100 or more with 95% confidence" in str(found)


@pytest.mark.parametrize(
    ("found", "advised"),
    [
        (Fit(12, 5, 19, 40), 12),
        (Fit(-7, -12, -3, 40), 0),
        (Fit(0, 0, 0, 0), 10),
        (Fit(100, -100, 100, 1), 10),
        (Fit(100, -5, 100, 3), 0),
    ],
)
def test_the_points_to_begin_with(found, advised):
    assert found.advised == advised


# --- by colour and phase

PHASES = {"opening": 13, "late": 5, "end": 1}
LEFTS = (24, 14, 11, 6, 3)  # moves left: Black opening twice, White late, Black late, White end
Wins = dict[int, tuple[int, int]]  # {moves left: (positions in which the first move wins, in which the second wins)}


def game(counts: Wins) -> Table:
    """Return the Table of `table` with these numbers of positions for each number of moves left."""
    lefts = np.repeat([*counts], [sum(pair) for pair in counts.values()])
    made = table([index < first for first, second in counts.values() for index in range(first + second)])
    return replace(made, codes=lefts.astype(np.int64) << 56)


def fits(counts: Wins, phases=PHASES) -> CellFits:
    made = game(counts)
    return fit_cells(made, made.move == 0, phases)


def counted(first: int, second: int, cells: int) -> Fit:
    """Return the fit of a cell by trying every number; the limits of all `cells` hold together with 95%."""
    tried = np.arange(-100, 101)
    likely = first * log_expit(tried / 10) + second * log_expit(-tried / 10)
    inside = tried[2 * (likely.max() - likely) <= chi2.ppf(1 - 0.05 / cells, 1)]
    return Fit(int(tried[likely.argmax()]), int(inside.min()), int(inside.max()), first + second)


def test_a_cell_whose_positions_say_otherwise_has_its_own_number():
    found = fits({24: (50, 10), 14: (50, 10), 11: (15, 15), 6: (10, 10), 3: (3, 1)})
    ours = {"black": [(100, 20), (10, 10), (0, 0)], "white": [(0, 0), (15, 15), (3, 1)]}
    assert list(found.cells) == [counted(*one, 6) if sum(one) else NO_FIT for row in ours.values() for one in row]
    assert found.whole == counted(128, 46, 1)
    assert found.advised.line == "{black: [16, 10, 10], white: [10, 0, 10]}"
    assert found.advised.bounds == (13, 5, 1)


cell_counts = st.dictionaries(st.sampled_from(LEFTS), st.tuples(st.integers(0, 40), st.integers(0, 40)), min_size=1)


@settings(max_examples=60, deadline=None)
@given(cell_counts.filter(lambda counts: any(map(sum, counts.values()))))
def test_every_number_is_that_of_the_cell_or_of_the_whole_game(counts):
    found = fits(counts)
    sums = {
        (colour, phase): np.sum([counts[left] for left in counts if cell_of(left) == (colour, phase)] or [(0, 0)], 0)
        for colour in ("black", "white")
        for phase in PHASES
    }
    whole = counted(*np.sum([*counts.values()], 0).tolist(), 1)
    expected = []
    for first, second in sums.values():
        fit_ = counted(int(first), int(second), 6)
        apart = first + second >= 20 and not fit_.low <= whole.advised <= fit_.high
        expected.append(fit_.advised if apart else whole.advised)
    assert (found.whole, found.numbers) == (whole, expected)
    assert bool(found.advised.rows) == (len(set(expected)) > 1)
    if not found.advised.rows:
        assert found.advised.line == str(expected[0])
    said = [int(re.search(r"  (\d+) position", line)[1]) for line in [*found.lines()][1:]]
    assert said == [first + second for first, second in sums.values()]


def cell_of(left: int) -> tuple[str, str]:
    phase = "opening" if left >= 13 else "late" if left >= 5 else "end"
    return ("white" if left % 2 else "black"), phase


def test_without_phases_there_is_one_number():
    found = fits({24: (50, 10), 11: (10, 50)}, {})
    assert (found.advised.line, list(found.lines())) == (str(found.whole.advised), [])


def test_positions_that_points_cannot_decide_count_for_no_cell():
    made = game({24: (30, 0), 11: (0, 30)})
    vetoed = replace(made, scores=made.scores._replace(free=(made.codes >> 56 == 11)[made.position]))
    found = fit_cells(vetoed, vetoed.move == 0, PHASES)
    assert [cell.positions for cell in found.cells] == [0, 0, 0, 0, 30, 0]
    assert fit_cells(made, made.move < 0, PHASES) == CellFits(NO_FIT)


def test_the_cells_are_listed_with_their_positions():
    assert list(fits({24: (100, 20), 11: (15, 15), 3: (3, 1)}).lines()) == [
        "  by colour and phase: 12, or the best fit (at least 0) if 20 or more positions give an interval excluding 12",
        "    black, opening   12  120 positions; best fit 16 (11 to 23)",
        "    black, late      12  0 positions",
        "    black, end       12  0 positions",
        "    white, opening   12  0 positions",
        "    white, late       0  30 positions; best fit 0 (-9 to 9)",
        "    white, end       12  4 positions; best fit 11 (-16 to 57)",
    ]


@pytest.mark.parametrize("name", ["meet-one-stone", "keep-them-apart", "where-they-would-give-atari"])
def test_the_points_that_a_pattern_has_are_found_again_without_it(name):
    knowledge = read_knowledge(YAML)
    pattern = knowledge.known[name]
    rest = book_of_lines(tuple(line for line in knowledge.lines if not line.startswith(f"{name}\t")))
    known = load_positions(LABELS)
    stake = known.where(at_stake(known.codes, known.winning))
    position = pattern.examples[0].position()
    fitted = suggest(pattern, position, pattern.examples[0].move, rest, LABELS, {}).fits.whole
    assert stake.codes.size > fitted.positions > 300
    assert fitted.low <= int(pattern.points) <= fitted.high and fitted.high - fitted.low < 15


def test_facts_keep_as_many_moves_as_the_player_says(tmp_path):
    position = drawn_position(CUT, left=18)
    draft = Draft("new", "cut", smallest_drawing(position, 6), position, 6)
    [pattern] = compiled(entry_text(draft, labelled=True))
    known = load_positions(LABELS)
    stake = known.where(at_stake(known.codes, known.winning))
    some = stake.where(np.arange(0, stake.codes.size, 40))
    boards = [unpack(code) for code in some.codes.tolist()]
    fires = np.array([bool(matches(draft.drawing.rows(), one.own, one.theirs, 5)) for one in boards])
    save(some.where(fires), tmp_path / "labels.npz")
    found = suggest(pattern, position, 6, book_of_lines(()), tmp_path / "labels.npz", {})
    assert (found.winning, found.missing) == counts(pattern, some.where(fires))
    assert found.differences and found.stake == fires.sum() > 10
    for one in found.differences:
        asked = replace(pattern, when=[postfix(parse(one.text))])
        assert (one.winning, one.missing) == counts(asked, some.where(fires))
        assert 6 in moves_fired(asked, position)


def compiled(entry: str) -> list[KnownPattern]:
    return compile_text("ruleset: little-go\npatterns:\n" + entry + "\n", "new.yaml")[2].patterns


def counts(pattern: KnownPattern, labels) -> tuple[int, int]:
    """Return the numbers of winning and of losing moves for which a pattern fires, by the player's engine."""
    book = book_for([pattern], drawn_position(CUT).ruleset)
    wins = [
        bool(winning >> move & 1)
        for code, winning in zip(labels.codes.tolist(), labels.winning.tolist(), strict=True)
        for move in moves_fired(pattern, unpack(code), book)
        if move != PASS
    ]
    return wins.count(True), wins.count(False)


def test_positions_of_the_test_part_are_never_looked_at(tmp_path):
    save(load("test").where(slice(50)), tmp_path / "labels.npz")
    [pattern, *_] = compile_text(CUTTING, "p.yaml")[2].patterns
    with pytest.raises(ValueError, match="no position of the working part is labelled"):
        suggest(pattern, pattern.examples[0].position(), 11, book_of_lines(()), tmp_path / "labels.npz", {})


@pytest.mark.parametrize(
    ("winning", "missing", "told"),
    [
        (5, 0, "facts: nothing to separate, because the pattern fires for 5 moves, and each wins"),
        (0, 5, "facts: nothing to separate, because the pattern fires for 5 moves, and none wins"),
        (5, 1, "facts: no fact that holds here distinguishes between 5 winning moves and 1 near miss"),
    ],
)
def test_where_no_fact_helps_that_is_said(winning, missing, told):
    assert described(Fit(3, -1, 7, 8), winning, missing)[3:] == [told]


FITTED = "fitted to 8 of 20 labelled positions where the pattern fires"


@pytest.mark.parametrize(
    ("fit_", "lines"),
    [
        (Fit(33, 31, 36, 8), [f"points: 33 (31 to 36 with 95% confidence), {FITTED}"]),
        (
            Fit(100, 12, 100, 8),
            [
                f"points: 100 (12 to 100 or more with 95% confidence), {FITTED}",
                "  start with 12: no position sets an upper limit",
            ],
        ),
        (
            Fit(-6, -13, 1, 8),
            [
                "points: 0 to start with; the pattern as drawn may add nothing to the other patterns",
                f"  best fit -6 (-13 to 1 with 95% confidence), {FITTED}",
                "  add a fact below under `when:`, or draw more of the board (--region), and run `new` again",
            ],
        ),
        (
            Fit(-16, -23, -9, 8),
            [
                "points: 0, because the pattern fires for moves that the other patterns overrate",
                f"  best fit -16 (-23 to -9 with 95% confidence), {FITTED}",
                "  narrow the pattern with a fact below, or make it a warning: class avoid, priority -20, points -16",
            ],
        ),
        (
            Fit(0, 0, 0, 0),
            [
                "points: the pattern fires in 20 of 90 labelled positions, but its points decide none of these "
                "positions; 10 is a guess",
                "  before you choose other points, play games and run `littlego diff` to see the changed decisions",
            ],
        ),
    ],
)
def test_the_points_are_what_the_entry_has_and_what_to_do_follows(fit_, lines):
    assert described(fit_)[: len(lines)] == lines


def described(fit_: Fit, winning: int = 0, missing: int = 0) -> list[str]:
    return Suggestion(CellFits(fit_), 90, 20, winning, missing, []).lines({})
