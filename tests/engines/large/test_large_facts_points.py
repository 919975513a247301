"""Tests of the facts about points and about the game on large boards.

Each answer of each fact has a board.
"""

from __future__ import annotations

import pytest
from large_states import ask_large

from littlego.engines.large.state import make_state
from littlego.games.little_go import game_of
from littlego.games.match import match_rules
from littlego.rules.facts import FACTS
from littlego.rules.position import PASS

OPEN = """
. . . . . . . . .
. . . . . . . . .
. . X . . . O . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . X . . . . . .
. . . . . . . . .
. . . . . . . . .
"""
# Black has two eyes and the left side; White has the right side with a dead black stone; neutral points lie between
# them.
ENDED = """
. . . X . O . . .
. . . X . O . . .
. . . X . O . . .
. X X X . O O O .
. . X . X O . O O
X X X . . O O X O
. . X X X O . . O
. . X . . O O O O
. . X . . O . . O
"""


def at(text: str, row: int, column: int) -> str:
    """Return the drawing with one point marked: `x` or `o` for a stone, `a` for an empty point."""
    rows = [list(line.split()) for line in text.strip().splitlines()]
    rows[row][column] = {".": "a", "X": "x", "O": "o"}[rows[row][column]]
    return "\n".join(" ".join(row) for row in rows)


def asked(fact: str, row: int, column: int, text: str = OPEN, **more) -> int:
    return ask_large(fact, at(text, row, column), **more)


def test_game_facts_read_the_state():
    assert ask_large("board_size", OPEN) == 9
    assert ask_large("stones", OPEN) == 3
    assert ask_large("prisoner_lead", OPEN, prisoners=(2, 5)) == -3
    assert ask_large("score2", OPEN, score2=-7) == -7
    assert [ask_large("pass_cost", OPEN, pass_cost=cost) for cost in (0, 1)] == [0, 1]


@pytest.mark.parametrize("pass_stones", [True, False])
def test_game_facts_of_a_match(pass_stones):
    position = match_rules(9, pass_stones=pass_stones).opening().play(40).play(PASS).play(41)
    # White to move: Black has two stones, the whole board as territory, and the prisoner for White's pass
    state = make_state(position)

    def asked_of_it(fact):
        return FACTS[fact].function(state, 0)

    given = int(pass_stones)
    assert asked_of_it("stones") == 2
    assert asked_of_it("prisoner_lead") == -given
    assert asked_of_it("score2") == -2 * (81 + given) + 13
    assert asked_of_it("pass_cost") == given


def test_far_line_is_that_of_the_other_edge():
    assert [asked("far_line", *place) for place in ((2, 3), (3, 2), (0, 4), (4, 4), (8, 8))] == [4, 4, 5, 5, 1]


def test_shape_is_high_for_a_hane_and_low_for_a_corner():
    hane = """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . O . . . .
        . . . . O X . . .
        . . . X X O . . .
        . . . . . a . . .
        . . . . . . . . .
        . . . . . . . . .
    """
    corner = hane.replace("a", ".").replace("X X O .", "X X O a")
    assert ask_large("shape", hane) >= 20
    assert ask_large("shape", corner) != ask_large("shape", hane)
    assert ask_large("shape", OPEN.replace(". . . . . . . . .", "a . . . . . . . .", 1)) <= -20
    last = 1 << 5 * 9 + 5  # the stone that the move blocks
    assert ask_large("answer", hane, last=last) >= 5
    assert ask_large("answer", corner, last=last) < ask_large("answer", hane, last=last)
    assert ask_large("answer", hane, last=1 << 3 * 9 + 4) != ask_large("answer", hane, last=last)
    assert ask_large("answer", hane) == 0


def test_last_distance_counts_steps():
    last = 1 << 2 * 9 + 6
    assert asked("last_distance", 4, 3, last=last) == 5
    assert asked("last_distance", 2, 7, last=last) == 1
    assert asked("last_distance", 2, 7) == 99


def test_own_last_distance_counts_steps_from_the_movers_move():
    moves = {"last": 1 << 2 * 9 + 6, "own_last": 1 << 4 * 9 + 4}
    assert asked("own_last_distance", 4, 3, **moves) == 1
    assert asked("own_last_distance", 2, 7, **moves) == 5
    assert asked("own_last_distance", 2, 7, last=moves["last"]) == 99


TOUCHED = """
    . . . . . . . . .
    . X X X . . . . .
    . . . O O . . . .
    . . . . . . X . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
"""


@pytest.mark.parametrize(
    ("cell", "mark", "touched"), [((1, 1), "x", 1), ((2, 4), "o", 1), ((3, 6), "x", 0), ((8, 8), ".", 0)]
)
def test_the_last_move_touches_its_own_chain_and_the_chains_beside_it(cell, mark, touched):
    rows = [row.split() for row in TOUCHED.strip().splitlines()]
    rows[cell[0]][cell[1]] = mark
    board = "\n".join(" ".join(row) for row in rows)
    assert ask_large("last_touches", board, last=1 << 2 * 9 + 3) == touched
    assert ask_large("last_touches", board) == 0  # unknown, or a pass
    assert ask_large("own_last_touches", board, last=1 << 2 * 9 + 3) == 0
    assert ask_large("own_last_touches", board, own_last=1 << 2 * 9 + 3) == touched


def test_a_game_tells_the_last_move_of_each_side():
    position = match_rules(9).opening().play(40).play(20)
    assert (make_state(position).last, make_state(position).own_last) == (1 << 20, 1 << 40)
    position = position.play(PASS)
    assert (make_state(position).last, make_state(position).own_last) == (0, 1 << 20)


def test_last_moves_stay_with_a_change_of_komi_and_not_with_a_change_of_side():
    position = match_rules(9).opening().play(40).play(20)
    adopted = game_of(match_rules(9, komi2=1)).adopt(position)
    assert (adopted.last, adopted.own_last) == (20, 40)
    state = make_state(adopted)
    assert (state.after(1 << 5).last, state.after(1 << 5).own_last) == (1 << 20, 1 << 40)
    assert (state.other.last, state.other.own_last) == (0, 0)


def test_own_around_and_their_around_look_three_lines_far():
    assert asked("own_around", 4, 3) == 2
    assert asked("own_around", 3, 5) == 2
    assert asked("own_around", 3, 6) == 0  # four columns away
    assert asked("their_around", 4, 3) == 1
    assert asked("their_around", 6, 6) == 0


def test_own_corner_and_their_corner_share_the_middle_lines():
    assert [asked("own_corner", row, column) for row, column in ((0, 0), (4, 0), (8, 0), (0, 8), (4, 4))] == [
        1,
        2,
        1,
        0,
        2,
    ]
    assert [asked("their_corner", row, column) for row, column in ((0, 8), (8, 8), (4, 8), (0, 4))] == [1, 0, 1, 1]


def test_own_influence_is_what_five_dilations_add():
    lone = ". . . . . . .\n" * 3 + ". . . X . . .\n" + ". . . . . . .\n" * 3
    row = [asked("own_influence", 3, column, lone) for column in range(7)]
    assert row == [5, 10, 14, 128 + 4 * 4, 14, 10, 5]  # the first dilation adds nothing to a lone stone
    # five steps away: the last dilation adds 1 from each of two neighbours
    assert asked("own_influence", 0, 1, lone) == 2
    assert asked("own_influence", 0, 0, lone) == 0  # six steps away
    assert asked("their_influence", 3, 4, lone) == 0


def test_their_influence_keeps_away_from_ours():
    assert asked("their_influence", 2, 7) > 0
    assert asked("own_influence", 2, 7) == 0
    assert asked("own_influence", 2, 1) > 0


def test_own_territory_is_what_walls_enclose():
    assert asked("own_territory", 0, 0, ENDED) == 1
    assert asked("own_territory", 0, 3, ENDED) == 1  # the point holds a stone of the wall
    assert asked("own_territory", 0, 4, ENDED) == 0
    assert asked("their_territory", 0, 8, ENDED) == 1
    assert asked("their_territory", 0, 0, ENDED) == 0
    assert asked("own_territory", 4, 4) == 0


def test_gains_area_of_an_extension():
    assert asked("gains_area", 4, 2) < asked("gains_area", 6, 6)
    assert asked("gains_area", 2, 2) == 0  # the point is occupied


def test_gains_area_counts_what_the_other_side_loses():
    lone = ". . . . . . .\n" * 3 + ". . . O . . .\n" + ". . . . . . .\n" * 3
    assert ask_large("gains_area", at(". . . . . . .\n" * 7, 3, 3)) == 45  # all points except the four corners: 49 - 4
    assert asked("gains_area", 2, 3, lone) > asked("gains_area", 0, 0, lone)


def test_own_safe_and_their_safe_are_areas_of_strong_groups():
    assert [asked("own_safe", *place, ENDED) for place in ((0, 0), (5, 1), (0, 4), (0, 8))] == [1, 0, 0, 0]
    assert [asked("their_safe", *place, ENDED) for place in ((0, 8), (5, 7), (0, 4), (0, 0))] == [1, 1, 0, 0]


def test_own_safe_needs_groups_that_live():
    alive = """
    . X . X O . .
    X X X X O . .
    O O O O O . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    """
    assert asked("own_safe", 0, 0, alive) == 1
    assert asked("own_safe", 0, 0, alive.replace(". X . X O", ". . . X O")) == 0  # one eye of three points


def test_neutral_lies_between_the_living():
    assert [asked("neutral", *place, ENDED) for place in ((0, 4), (8, 3), (0, 2), (0, 7), (0, 3))] == [1, 1, 0, 0, 0]


def test_neutral_waits_until_all_beside_live():
    assert asked("neutral", 8, 8) == 0  # nothing is settled
    settled = ". . X . O . .\n" * 7
    assert [asked("neutral", row, 3, settled) for row in (0, 6)] == [1, 1]
    one_eyed = "X X X . O . .\n" * 3 + ". X X . O . .\n" + "X X X . O . .\n" * 3
    assert [asked("neutral", row, 3, one_eyed) for row in (0, 6)] == [0, 0]


def test_neutral_needs_two_liberties():
    pocket = ". . . X O . . . .\n" * 4 + ". . X . . O . . .\n" + ". . . X O . . . .\n" * 4
    assert asked("neutral", 4, 3, pocket) == 1
    assert asked("neutral", 4, 4, pocket) == 0  # in atari


def test_dame_left_counts_them():
    drawn_points = sum(asked("neutral", row, column, ENDED) for row in range(9) for column in range(9))
    assert ask_large("dame_left", ENDED) == drawn_points == 10


def test_undecided_is_what_is_neither_safe_nor_neutral():
    assert ask_large("undecided", ENDED) == 1  # the point where Black may have to connect once White plays beside it
    opened = ENDED.replace(". . X . . O . . O\n", ". . . . . . . . .\n")
    assert ask_large("undecided", opened) == 1 + 6 + 3  # both corners at the bottom are open
    assert ask_large("undecided", ". . . . . . .\n" * 7) == 49


def test_hopeless_is_in_their_area():
    assert [asked("hopeless", *place, ENDED) for place in ((1, 7), (6, 6), (0, 4), (1, 1))] == [1, 1, 0, 0]


def test_hopeless_is_no_capture():
    text = """
    . X . X O . .
    O O X X O . .
    O O X O O . .
    X X X O . . .
    O O O O . . .
    . . . . . . .
    . . . . . . .
    """
    assert asked("hopeless", 0, 0, text) == 0  # four points are needed, so nothing there is settled
    assert asked("hopeless", 0, 2, text.replace("O O X", ". O X")) == 1


FOUR = """
. . . . X O .
X X X X X O .
O O O O O O .
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
"""


def test_spare_leaves_two_eyes():
    # a move at an end leaves three points in a row, which make only one eye
    assert [asked("spare", 0, column, FOUR) for column in range(4)] == [0, 1, 1, 0]
    three = FOUR.replace(". . . . X", "X . . . X")
    # the group may die, so its area is not safe
    assert [asked("spare", 0, column, three) for column in (1, 2, 3)] == [0, 0, 0]
    two = FOUR.replace(". . . . X", ". X . . X")
    assert [asked("spare", 0, column, two) for column in (0, 2, 3)] == [0, 1, 1]


def test_spares_are_all_but_two_eyes():
    assert ask_large("spares", FOUR) == 2
    assert ask_large("spares", FOUR.replace(". . . . X", ". X . . X")) == 1
    assert ask_large("their_spares", FOUR) == 4 * 7 + 3 - 2  # the wall's area has no two eyes
    assert ask_large("spares", OPEN) == 0


def test_groups_joined_counts_those_beside_and_those_linked():
    text = """
    . . . . . . .
    . X . a . X .
    . . . . . . .
    . . . . . . .
    O . . . . . .
    . . . . . . .
    . . . . . . .
    """
    assert ask_large("groups_joined", text) == 0  # the opponent can cut one-point jumps
    assert ask_large("groups_joined", text.replace(". X . a . X .", ". X X a X . .")) == 2
    assert ask_large("groups_joined", text.replace(". X . a", ". X a .")) == 1
    assert asked("groups_joined", 2, 2, text) == 1  # a diagonal with both sides empty
    assert ask_large("groups_joined", text.replace("X", "O")) == 0


def test_groups_parted_counts_what_theirs_would_link():
    text = """
    . . . . . . .
    . . O a O . .
    . . . X . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    """
    assert ask_large("groups_parted", text) == 2
    linked = text.replace(". . O a O . .", ". . O a O . .", 1).replace(". . . . . . .", ". . O O O . .", 1)
    assert ask_large("groups_parted", linked) == 1  # linked below, the chains are already one group


LADDER = """
. . . . . . . . .
. . O . . . . . .
. O X . . . . . .
. O . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
"""


def test_breaks_ladder_far_away_and_near():
    assert asked("breaks_ladder", 6, 6, LADDER) == 1
    assert asked("breaks_ladder", 2, 3, LADDER) == 1  # the chain can still run there
    assert asked("breaks_ladder", 8, 0, LADDER) == 0
    broken = at(LADDER, 6, 6).replace("a", "X")
    assert asked("breaks_ladder", 5, 5, broken) == 0  # no ladder catches it


def test_breaks_ladder_is_too_late_in_atari():
    late = at(LADDER, 3, 2).replace("a", "O")
    assert asked("breaks_ladder", 6, 6, late) == 0  # the opponent captures at once
    assert asked("breaks_ladder", 2, 3, late) == 1  # the chain may run, here to three liberties


def test_their_gains_area_is_what_their_move_would_bring():
    assert asked("their_gains_area", 6, 6) > asked("their_gains_area", 4, 8) > 0
    turned = OPEN.translate(str.maketrans("XO", "OX"))
    assert asked("their_gains_area", 6, 6) == asked("gains_area", 6, 6, turned)
    assert asked("their_gains_area", 2, 2) == 0  # the point is occupied


# A black chain falls to a ladder that starts at a or b; a move at a saves it.
CAUGHT = """
. . . . . . . . .
. . . . . . . . .
. . O . b a . . .
. . . . X O . . .
. . . O O X . . .
. . . . . X . . .
. . X . . . . . .
. . . . . . . . .
. . . . . . . . .
"""


def recoloured(text: str) -> str:
    return text.translate(str.maketrans("XO", "OX"))


def test_rescues_and_wins_count_the_stones_of_fights():
    """The saving move and the capturing move may differ; here a move between the chains is both."""
    here = CAUGHT.replace("b", ".")
    assert [ask_large(fact, here) for fact in ("rescues", "wins")] == [1, 0]
    assert [ask_large(fact, recoloured(here)) for fact in ("rescues", "wins")] == [0, 1]
    assert asked("rescues", 3, 3, CAUGHT.replace("a", ".").replace("b", ".")) == 1
    assert asked("wins", 3, 3, recoloured(CAUGHT).replace("a", ".").replace("b", ".")) == 0
    assert asked("rescues", 7, 7, CAUGHT.replace("a", ".").replace("b", ".")) == 0


# Five black stones in the middle, enclosed on the left, with a way out between White's stones below.
HUNTED = """
. . . . . . O . .
. . . O O O X O .
. . . . X X X X .
. . . . . . . . .
O O O . . O . X .
O X . . O X X . .
X . X . . . O X .
. . . . X . O O .
. . . . . . . . .
"""


def test_settles_counts_the_stones_that_are_weak_no_more():
    for row, column, least in (4, 4, 3), (4, 6, 3), (8, 0, 0):
        stones = asked("settles", row, column, HUNTED)
        assert stones >= least
        assert bool(stones) == bool(least)
        assert asked("their_settles", row, column, recoloured(HUNTED)) == stones
