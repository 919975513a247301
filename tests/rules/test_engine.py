"""Tests of the priority engine with small books: the deciding pattern, vetoes, and the built-in play."""

from __future__ import annotations

import pytest
from boards import position, swap_colours
from small_books import book, candidate_at, decision, fired, pattern

from littlego.rules.engine import BUILT_IN, Search, canonical, decide
from littlego.rules.position import BLACK, PASS, WHITE, opening
from littlego.rules.ruleset import little_go
from littlego.rules.safety import LOST_END, LOST_GAME, PLAYED_OUT, Verdict

QUIET = """
    . . . . .
    . . . . .
    . . X . .
    . . . . O
    . . . O O"""
BESIDE, ANYWHERE = "X*", "*"  # on QUIET, BESIDE matches at four points, and ANYWHERE at all points


def order(made, *moves):
    """Return the given moves, sorted in the order of the candidates."""
    return [candidate.move for candidate in made.candidates if candidate.move in moves]


# -- conflict resolution ------------------------------------------------------------------------------------------


def test_the_higher_priority_decides_whatever_the_points():
    made = decision(QUIET, pattern("high", "?X?/?*?", priority=600), pattern("low", ANYWHERE, points=9999))
    assert made.chosen.firings[0].pattern.id == "high"
    assert made.chosen.priority == 600
    assert made.move in (7, 11, 13, 17)


def test_the_priority_of_a_move_is_the_highest_among_its_firings():
    made = decision(QUIET, pattern("high", BESIDE, priority=600), pattern("low", ANYWHERE, priority=-300))
    assert [(candidate.priority, len(candidate.firings)) for candidate in made.candidates[:4]] == [(600, 2)] * 4
    assert candidate_at(made, 0).priority == -300


def test_points_decide_within_a_priority():
    made = decision(QUIET, pattern("line", ANYWHERE, points="@* line"), pattern("edge", ANYWHERE, points="@* edge neg"))
    ranks = {candidate.move: candidate.points for candidate in made.candidates if candidate.move != PASS}
    assert ranks[0] == 1 - 2 and ranks[1] == 1 - 1 and ranks[6] == 2
    assert made.chosen.points == 2


def test_points_are_the_sum_over_firings_of_every_priority_negative_ones_too():
    made = decision(
        QUIET,
        pattern("high", BESIDE, points=50, priority=600),
        pattern("low", "?X?/?*?", points=7, priority=100),
        pattern("minus", ANYWHERE, points=-20, priority=-100),
    )
    assert {candidate.points for candidate in made.candidates if candidate.priority == 600} == {50 + 7 - 20}
    assert candidate_at(made, 0).points == -20


def test_what_a_lower_priority_takes_away_can_turn_the_choice():
    both = [pattern("high", BESIDE, points=10), pattern("low", "*.O", points=-1, priority=-50)]
    assert decision(QUIET, both[0]).chosen.points == 10
    made = decision(QUIET, *both)
    assert candidate_at(made, 13).points == candidate_at(made, 17).points == 9
    assert made.move in (7, 11) and made.chosen.points == 10


def test_a_pattern_counts_once_for_a_move_with_its_best_firing():
    board = """
        . . . . .
        . . . . .
        . . . X X
        . X * . .
        . . X . ."""
    made = decision(board, pattern("touch", "X*", labels="A .", points="10 ~A size *"))
    assert candidate_at(made, 17).points == 10
    longer = board.replace(". . . X X", ". . X X X")
    made = decision(longer, pattern("touch", "X*", labels="A .", points="10 ~A size *"))
    assert candidate_at(made, 17).points == 30
    assert [firing.pattern.id for firing in candidate_at(made, 17).firings] == ["touch"]
    assert fired(made, "touch").count(17) == 1


def test_the_best_firing_is_the_best_among_those_whose_conditions_hold():
    board = """
        . . . . .
        . . . . .
        . . X X X
        . X * . .
        . . . . ."""
    made = decision(board, pattern("touch", "X*", labels="A .", points="10 ~A size *", when="~A size 3 <"))
    assert candidate_at(made, 17).points == 10


def test_at_equal_points_the_more_specific_deciding_firing_wins():
    made = decision(QUIET, pattern("vague", ANYWHERE, specificity=1), pattern("exact", "?O/?*", specificity=3))
    assert made.chosen.specificity == 3
    assert made.move in fired(made, "exact")


def test_the_deciding_firing_is_the_most_specific_of_the_highest_priority():
    made = decision(
        QUIET,
        pattern("low", BESIDE, specificity=9, priority=400),
        pattern("vague", BESIDE, specificity=1),
        pattern("exact", BESIDE, specificity=3),
    )
    assert [firing.pattern.id for firing in made.chosen.firings] == ["exact", "low", "vague"]
    assert made.chosen.specificity == 3


def test_specificity_counts_only_after_points():
    made = decision(QUIET, pattern("vague", BESIDE, specificity=1, points=1), pattern("exact", "?O/?*", specificity=3))
    assert made.chosen.firings[0].pattern.id == "vague"


def test_all_else_equal_the_first_point_of_the_canonical_image_is_played():
    moves = {}
    for symmetry, board in enumerate(turned_boards(QUIET)):
        moves[symmetry] = turned_back(decision(board, pattern("any", ANYWHERE)).move, symmetry)
    assert len({frozenset({move, 5 * (move % 5) + move // 5}) for move in moves.values()}) == 1  # QUIET is symmetric


def turned_boards(text):
    """Yield, as text, the eight images of a drawn board."""
    rows = [line.split() for line in text.strip().splitlines()]
    for symmetry in range(8):
        picture = [list(column) for column in zip(*rows, strict=True)] if symmetry & 4 else [row[:] for row in rows]
        picture = [row[::-1] for row in picture] if symmetry & 1 else picture
        picture = picture[::-1] if symmetry & 2 else picture
        yield "\n".join(" ".join(row) for row in picture)


def turned_back(move, symmetry, size=5):
    """Return a point of an image, mapped back to the original board."""
    row, column = divmod(move, size)
    row = size - 1 - row if symmetry & 2 else row
    column = size - 1 - column if symmetry & 1 else column
    return size * column + row if symmetry & 4 else size * row + column


def test_patterns_of_negative_priority_never_speak_for_a_move_but_count():
    made = decision(QUIET, pattern("dull", BESIDE, points=500, priority=-10))
    assert made.chosen.firings == []  # the built-in play is preferred to a move that a pattern warns of
    assert candidate_at(made, 11).priority == -10 and candidate_at(made, 11).points == 500


# -- vetoes -------------------------------------------------------------------------------------------------------


def test_forbid_vetoes_the_move_whatever_speaks_for_it():
    made = decision(QUIET, pattern("go", BESIDE, priority=900), pattern("stop", "X*", priority=-50, flags="f"))
    assert made.move not in (7, 11, 13, 17)
    assert candidate_at(made, 11).veto == "forbidden by stop"
    assert candidate_at(made, 11).firings[0].pattern.id == "go"


def test_forbid_only_vetoes_where_its_conditions_hold():
    stop = pattern("stop", "X*", flags="f", when="@* line 3 ==")
    assert candidate_at(decision(QUIET, stop), 11).veto == ""
    assert candidate_at(decision(QUIET, pattern("stop", "X*", flags="f", when="@* line 2 ==")), 11).veto != ""


def test_a_pass_can_be_forbidden():
    ahead = """
        . X X . .
        X X X X X
        X X X X X
        X X X X .
        X X X X X"""
    fill = [pattern("eyes", ANYWHERE, flags="f")]
    assert decision(ahead, *fill).move == PASS
    made = decision(ahead, *fill, pattern("no-pass", "", flags="pf"))
    assert candidate_at(made, PASS).veto == "forbidden by no-pass"


SELF_ATARI = """
    . . . . .
    O . . . .
    * O . . X
    X O . . .
    . O . . ."""  # X at * connects its stone into atari, and O captures both


def test_an_unsafe_move_is_vetoed_and_the_veto_names_the_reply():
    bad = pattern("bad", "O/*/X", when="@* line 1 ==")
    made = decision(SELF_ATARI.replace("*", "."), bad)
    unsafe = candidate_at(made, 10)
    assert unsafe.firings[0].pattern.id == "bad"
    assert made.move != 10
    assert unsafe.veto == unsafe.verdict.reason != ""
    assert unsafe.verdict.loss > 0 and unsafe.verdict.reply == 20


def test_a_sacrifice_spares_its_move_the_safety_veto():
    made = decision(SELF_ATARI.replace("*", "."), pattern("gift", "O/*/X", when="@* line 1 ==", flags="s"))
    assert made.move == 10 and made.chosen.veto == "" and made.chosen.verdict.loss > 0


def test_a_sacrifice_that_does_not_decide_spares_nothing():
    gift = pattern("gift", "O/*/X", when="@* line 1 ==", flags="s", priority=400)
    made = decision(SELF_ATARI.replace("*", "."), gift, pattern("other", "O/*/X", when="@* line 1 ==", priority=401))
    assert made.move != 10 and candidate_at(made, 10).veto != ""


def test_a_sacrifice_can_still_be_forbidden():
    gift = pattern("gift", "O/*/X", when="@* line 1 ==", flags="s")
    made = decision(SELF_ATARI.replace("*", "."), gift, pattern("stop", "O/*/X", flags="f"))
    assert made.move != 10 and candidate_at(made, 10).veto == "forbidden by stop"


ONE_STONE = """
    . . . . .
    O . . . .
    * . . . X
    O . . . .
    . . . . ."""  # X at * is a single stone in atari, and O captures it


def risky(price, *others, **kwargs):
    """Return the decision on ONE_STONE, where the pattern `edge` proposes a move that may lose a stone."""
    edge = pattern("edge", "O/*/O", points=50)
    return decision(
        ONE_STONE.replace("*", "."), edge, pattern("risk", ANYWHERE, points=price, flags="k"), *others, **kwargs
    )


def test_a_risk_pays_for_one_stone():
    made = risky(-40, pattern("elsewhere", "X*", points=9))
    assert (made.move, made.chosen.points, made.chosen.veto) == (10, 10, "")
    assert [firing.pattern.id for firing in made.chosen.firings] == ["edge", "risk"] and made.chosen.verdict.loss == 1


def test_a_risk_that_costs_too_much_is_not_taken():
    made = risky(-40, pattern("elsewhere", "X*", points=11))
    assert made.move != 10 and candidate_at(made, 10).points == 10 and not candidate_at(made, 10).veto


def test_a_risk_says_nothing_of_a_move_that_loses_nothing():
    made = risky(-40)
    safe = candidate_at(made, 0)
    assert safe.firings == [] and safe.points > 0
    assert [firing.pattern.id for firing in safe.all_firings] == ["risk"]


def test_a_risk_does_not_reach_above_its_priority():
    high = pattern("high", "O/*/O", priority=900)
    assert candidate_at(risky(-40, high), 10).veto
    assert not candidate_at(risky(-40, pattern("low", "O/*/O", priority=-9)), 10).veto


def test_a_risk_pays_for_no_second_stone():
    gift, price = pattern("gift", "O/*/X", when="@* line 1 =="), pattern("risk", ANYWHERE, points=-1, flags="k")
    made = decision(SELF_ATARI.replace("*", "."), gift, price)
    assert candidate_at(made, 10).verdict.loss == 2 and candidate_at(made, 10).veto


@pytest.mark.parametrize("left", range(PLAYED_OUT, 2, -1))
def test_no_sacrifice_spares_a_move_in_the_last_moves_with_which_the_game_ends_behind(left):
    gift = pattern("gift", "O/*/X", when="@* line 1 ==", flags="s")
    made = decision(SELF_ATARI.replace("*", "."), gift, left=left)
    lost = candidate_at(made, 10)
    assert lost.is_spared and lost.verdict.loss >= LOST_END and "wins by" in lost.veto


@pytest.mark.parametrize("left", [1, 2])
def test_no_sacrifice_with_two_moves_or_fewer_left(left):
    gift = pattern("gift", "O/*/X", when="@* line 1 ==", flags="s")
    made = decision(SELF_ATARI.replace("*", "."), gift, left=left)
    assert (made.move == 10) == (left == 1)  # with one move left, no reply can capture the stone
    best = max(candidate.result2 for candidate in made.candidates)
    assert made.chosen.result2 == best
    if left == 2:
        assert candidate_at(made, 10).result2 == best - 2 * 2


ALL_BAD = """
    . X O . .
    X X O O O
    X X O O .
    X X X O O
    . X X O ."""


def test_if_all_is_vetoed_the_smallest_loss_is_played():
    made = decision(ALL_BAD, pattern("stop", ANYWHERE, flags="f"), left=9)
    assert all(candidate.veto for candidate in made.candidates)
    least = min(candidate.verdict.loss for candidate in made.candidates)
    assert made.chosen.verdict.loss == least


@pytest.mark.parametrize("forbidden, played", [("+-/|*", 2), ("---/X*X", 0)])
def test_of_equal_losses_one_that_no_pattern_forbids_is_played(forbidden, played):
    made = decision(
        """
        . X . X X
        X X X X O
        X X X O O
        O O O O .
        . O . O O""",
        pattern("any", ANYWHERE),
        pattern("stop", forbidden, flags="f"),
    )
    losses = {candidate.move: candidate.verdict.loss for candidate in made.candidates}
    assert losses[0] == losses[2] > 0 and losses[PASS] == LOST_GAME
    assert all(candidate.veto for candidate in made.candidates)
    assert made.move == played


def test_a_pass_is_played_where_every_point_loses_more():
    board = """
        . X X X X
        X X X X X
        X X X X X
        X X X X X
        X X X X ."""
    made = decision(board, pattern("eager", ANYWHERE, priority=900), left=8)
    assert made.move == PASS
    assert candidate_at(made, 0).veto and candidate_at(made, 0).verdict.loss > candidate_at(made, PASS).verdict.loss


# -- the built-in play ----------------------------------------------------------------------------------------------


def test_without_patterns_the_engine_takes_what_it_can():
    made = decision("""
        . . . . .
        . . X . .
        . X O . .
        . . X . .
        . . . . O""")
    assert made.move == 13 and made.chosen.firings == [] and made.chosen.priority == 0


def test_without_patterns_the_engine_keeps_its_eyes():
    made = decision(
        """
        . X . X X
        X X X X O
        X X X O O
        O O O O .
        . . . . .""",
        left=10,
    )
    for eye in (0, 2):
        assert candidate_at(made, eye).veto == "fills an own eye"
    assert made.move not in (0, 2)


def test_without_patterns_the_engine_passes_only_as_a_last_resort():
    made = decision(
        """
        . X . X X
        X X X X X
        X X X X X
        X X X X X
        X X X X X""",
        left=10,
    )
    assert made.move == PASS and made.chosen.priority < -9999
    assert decision(QUIET).move != PASS


@pytest.mark.parametrize("size", [2, 3, 4, 6, 7, 9, *(pytest.param(size, marks=pytest.mark.slow) for size in (13, 19))])
def test_the_engine_plays_on_boards_of_any_size(size):
    before = opening(little_go(size))
    patterns = book(pattern("second", ANYWHERE, when="@* line 2 =="), pattern("corner", "+-/|*", priority=9), size=5)
    made = decide(before, patterns)
    assert made.move >= 0 and before.legal() >> made.move & 1
    if size > 2:
        assert fired(decide(before, patterns, complete=True), "second")


def test_a_position_without_legal_points_gives_a_pass():
    made = decision(
        """
        . O .
        O O O
        . O .""",
        left=1,
    )
    assert made.move == PASS and len(made.candidates) == 1


# -- what patterns can test ------------------------------------------------------------------------------------------


def test_a_pass_pattern_proposes_a_pass():
    enough = pattern("enough", "", flags="p", priority=700, when="passed", points=3)
    made = decision(swap_colours(QUIET), enough, passed=True, colour=WHITE)
    assert made.move == PASS and made.chosen.points == 3 and made.chosen.firings[0].pattern.id == "enough"
    assert fired(decision(swap_colours(QUIET), enough, colour=WHITE), "enough") == []


def test_patterns_are_not_asked_about_illegal_moves():
    board = """
        k X O . .
        X O . O .
        . X O . .
        . . . . .
        . . . . ."""
    assert 0 not in fired(decision(board, pattern("any", ANYWHERE)), "any")
    assert 0 in fired(decision(board.replace("k", "."), pattern("any", ANYWHERE)), "any")


@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_x_is_the_mover_whatever_the_colour(colour):
    before = position(QUIET if colour == BLACK else swap_colours(QUIET), colour=colour)
    made = decide(before, book(pattern("touch", "X*"), pattern("mine", ANYWHERE, when=f"colour {colour} ==")), True)
    assert fired(made, "touch") == [7, 11, 13, 17]
    assert fired(made, "mine")


def test_a_decision_that_is_not_complete_vets_only_what_was_needed():
    patterns = [pattern("high", BESIDE, priority=600), pattern("low", ANYWHERE, priority=100)]
    short, full = (decision(QUIET, *patterns, complete=complete) for complete in (False, True))
    assert (short.complete, full.complete) == (False, True)
    assert sum(candidate.verdict is not None for candidate in short.candidates) == 1
    assert all(candidate.verdict is not None for candidate in full.candidates)
    assert len(full.candidates) == len(short.candidates) == 25 - 4 + 1
    assert short.move == full.move and short.chosen is short.candidates[0]


# -- a custom matcher and check -----------------------------------------------------------------------------------


class FirstRow:
    """A matcher without patterns that ranks points by number, and a check that vetoes point 24."""

    def firings(self, move):
        return []

    def highest_priority(self, move):
        return BUILT_IN

    def built_in_points(self, move):
        return move

    def vet(self, move):
        return Verdict(int(move == 24), None, "the last point" if move == 24 else "")


def test_a_search_is_made_of_any_matcher_and_check():
    at = opening(little_go(5))
    _, state = canonical(at)
    parts = FirstRow()
    search = Search(state, at.legal(), parts, parts)
    chosen = search.choice()
    assert chosen.move == 23 and search.candidate(24).veto == "the last point"
    assert [one.move for one in search.others(chosen)][:2] == [22, 21] and search.others(chosen)[-1].move == 24
