"""Tests of the match's 13 rules and edge cases, numbered as in the original rules and docs/match.md.

In the drawings, `*`, `a`, `b` and `k` are empty points that a test plays at or queries.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from boards import drawn
from hypothesis import given, settings
from hypothesis import strategies as st
from random_boards import SEEDS
from random_matches import random_match

from littlego.games.boards import board_rows, parse_board
from littlego.games.game import margin2, opening, why_illegal, winner_of
from littlego.games.kinds import Score
from littlego.games.match import MatchPosition, match_rules
from littlego.games.sizes import MATCH_SIZES
from littlego.match.referee import Game, GameRecord, Player, Reply
from littlego.rules.geometry import count, points_of
from littlego.rules.position import BLACK, PASS, RESIGN, WHITE, chains, liberties

OCCUPIED, SUICIDE = "there is a stone already", "it is suicide"
AT_ONCE, REPEATS = "it retakes a ko at once", "it repeats an earlier board"


class Given:
    """The drawn start position of a match, and the drawing's marked points."""

    def __init__(self, text: str, colour: int = BLACK, prisoners: tuple[int, int] = (0, 0), **rules: object) -> None:
        board = drawn(text)
        self.position = match_rules(board.size, **rules).start((board.own, board.theirs), colour, prisoners)
        self.points = {mark: points_of(mask)[0] for mark, mask in board.marks.items() if mark in "*abk"}
        self.points["-"] = PASS

    def after(self, moves: str) -> MatchPosition:
        """Return the position after legal moves, each a mark, or `-` for a pass."""
        position = self.position
        for mark in moves:
            assert self.why(mark, position) == ""
            position = position.play(self.points[mark])
        return position

    def why(self, mark: str, position: MatchPosition | None = None) -> str:
        """Return the reason why a move at a mark is illegal, or '' if the move is legal."""
        return why_illegal(position or self.position, self.points[mark])


def board_of(position: MatchPosition) -> str:
    """Return the rows of a board, with a space between points."""
    return " ".join(board_rows(position.ruleset.size, position.black, position.white))


def score_of(text: str, **rules: object) -> Score:
    """Return the score of a drawn board without prisoners."""
    return Given(text, **rules).position.score()


class Scripted(Player):
    """A player that plays a list of moves."""

    def __init__(self, *moves: int) -> None:
        self.moves = list(moves)

    def choose(self, turn):
        return Reply(self.moves.pop(0))


def played_by(black: list[int], white: list[int], size: int = 5, **rules: object) -> GameRecord:
    """Return the game in which two players play lists of moves."""
    return Game((Scripted(*black), Scripted(*white)), match_rules(size, **rules)).play()


# Rule 1: the board


def test_rule_1_the_board_has_19_lines_each_way_and_stones_lie_on_points_alone():
    match = match_rules()
    assert (match.size, *MATCH_SIZES) == (19, 5, 19, 19)
    position = match.opening()
    assert position.legal() == (1 << 361) - 1
    assert [why_illegal(position, point) for point in (0, 360, 361, 1000, -3)] == ["", "", *["off the board"] * 3]


@pytest.mark.parametrize("size", range(5, 20))
def test_rule_1_a_match_can_be_played_on_any_board_of_5_to_19(size):
    assert count(match_rules(size).opening().legal()) == size * size


@pytest.mark.parametrize("size", [-1, 0, 2, 4, 20, 361])
def test_rule_1_no_other_board_is_taken(size):
    with pytest.raises(ValueError, match=f"a match on a board of size {size}: expected 5 to 19"):
        match_rules(size)


# Rule 2: liberties of a stone. White's stone has one liberty left, `*`, so Black captures it there.

LONE_STONES = {
    "in the middle it has four": ". . . . . / . . X . . / . X O * . / . . X . . / . . . . .",
    "on the edge it has three": "X . . . . / O X . . . / * . . . . / . . . . . / . . . . .",
    "in the corner it has two": "O X . . . / * . . . . / . . . . . / . . . . . / . . . . .",
}


@pytest.mark.parametrize("text", LONE_STONES.values(), ids=LONE_STONES)
def test_rule_2_a_stone_goes_with_its_last_liberty(text):
    start = Given(text.replace(" / ", "\n"))
    before, after = start.position, start.after("*")
    gone = before.white & ~after.white
    assert count(gone) == 1 and after.prisoners == (1, 0)
    assert count(liberties(gone, before.black | before.white, before.grid)) == 1


@pytest.mark.parametrize(("point", "free"), [(12, 4), (10, 3), (2, 3), (0, 2), (24, 2)])
def test_rule_2_alone_a_stone_has_four_liberties_three_or_two(point, free):
    position = match_rules(5).opening().play(point)
    assert count(liberties(position.black, position.black, position.grid)) == free


def test_rule_2_diagonal_points_do_not_count():
    start = Given(
        """
        . . . . .
        . X . X .
        . . O . .
        . X . * .
        . . . . .
        """
    )
    assert start.after("*").white == start.position.white
    occupied = start.position.black | start.position.white
    assert count(liberties(start.position.white, occupied, start.position.grid)) == 4


# Rule 3: liberties of a group


def test_rule_3_the_liberties_of_a_group_are_those_of_all_its_stones():
    start = Given(
        """
        . X X . .
        X O O X .
        X O X . .
        . * . . .
        . . . . .
        """
    )
    occupied = start.position.black | start.position.white
    assert liberties(start.position.white, occupied, start.position.grid) == 1 << start.points["*"]
    assert start.after("*").white == 0
    assert start.after("*").prisoners == (3, 0)


@settings(max_examples=30)
@given(SEEDS, st.sampled_from([5, 6, 9]))
def test_rule_3_no_group_without_liberties_is_ever_on_the_board(seed, size):
    for position in random_match(seed, size, plies=60):
        occupied = position.black | position.white
        for group in chains(position.black, position.grid) + chains(position.white, position.grid):
            assert liberties(group, occupied, position.grid)


# Rules 4 and 5: the start


@pytest.mark.parametrize("size", [5, 13, 19])
def test_rule_4_the_board_is_empty_and_nobody_holds_prisoners(size):
    position = opening(match_rules(size))
    assert isinstance(position, MatchPosition)
    assert (position.black, position.white, position.prisoners, position.number) == (0, 0, (0, 0), 1)


def test_rule_4_stones_never_run_out():
    position = match_rules(5).opening()
    for _ in range(500):
        position = position.play(PASS)
    assert position.prisoners == (250, 250)
    assert why_illegal(position, 12) == "" and why_illegal(position, PASS) == ""


@pytest.mark.parametrize("size", [5, 19])
def test_rule_5_black_begins_and_then_they_take_turns(size):
    positions = random_match(3, size, plies=20)
    assert [position.colour for position in positions] == [BLACK, WHITE] * 10 + [BLACK]
    assert [position.number for position in positions] == list(range(1, 22))


# Rule 6: resign, pass, or place a stone


def test_rule_6a_whoever_resigns_loses_even_if_ahead():
    black = played_by([12, RESIGN], [PASS])
    white = played_by([12], [RESIGN], komi2=100)
    assert (black.winner, black.why, black.fault, black.lead2 > 0) == (WHITE, "Black resigned", 0, True)
    assert (white.winner, white.why, white.fault, white.lead2 < 0) == (BLACK, "White resigned", 0, True)


def test_rule_6a_resignation_is_always_allowed_and_leaves_the_score_as_it_stands():
    record = played_by([12, 11, RESIGN], [0, PASS])
    stones, territory_of_black, handed_over = 2 - 1, 0, 1
    assert record.lead2 == 2 * (stones + territory_of_black + handed_over) - 13
    assert (record.black, record.white) == (1 << 12 | 1 << 11, 1)


def test_rule_6b_a_pass_hands_a_stone_to_the_opponent():
    start = Given(". . . . .\n" * 5, prisoners=(2, 5))
    assert start.after("-").prisoners == (2, 6)
    assert start.after("--").prisoners == (3, 6)


def test_rule_6b_on_the_server_a_pass_costs_nothing():
    start = Given(". . . . .\n" * 5, prisoners=(2, 5), pass_stones=False)
    assert start.after("--").prisoners == (2, 5)


def test_rule_6b_it_leaves_the_board_and_gives_the_turn_away():
    start = Given("X . . . .\n. . . . .\n. . O . .\n. . . . .\n. . . . .")
    after = start.after("-")
    assert board_of(after) == board_of(start.position)
    assert (after.colour, after.passed, start.position.passed) == (WHITE, True, False)


def test_rule_6c_a_stone_may_go_on_any_empty_point_that_no_other_rule_denies():
    start = Given(
        """
        . X O . .
        X O k O .
        . X O . .
        . . . . .
        O . . . X
        """
    )
    position = start.position
    occupied = position.black | position.white
    assert position.legal() == position.grid[1] & ~occupied
    assert {why_illegal(position, point) for point in points_of(occupied)} == {OCCUPIED}


# Rule 7: captures and suicide


def test_rule_7_all_groups_without_liberties_are_captured_and_become_prisoners():
    start = Given(
        """
        . X O X .
        . X O X .
        X O * O X
        . X O X .
        . . X . .
        """
    )
    after = start.after("*")
    assert board_of(after) == ".X.X. .X.X. X.X.X .X.X. ..X.."
    assert after.prisoners == (5, 0)


def test_rule_7_captures_come_before_suicide():
    start = Given(
        """
        * O X . .
        O X . . .
        X . . . .
        . . . . .
        . . . . .
        """
    )
    after = start.after("*")
    assert board_of(after) == "X.X.. .X... X.... ..... ....."
    assert after.prisoners == (2, 0)


SUICIDES = {
    "one stone": "* O . . . / O . . . . / . . . . . / . . . . . / . . . . .",
    "two stones": "X * O . . / O O . . . / . . . . . / . . . . . / . . . . .",
    "a big group": "X X X O . / X * X O . / X X X O . / O O O . . / . . . . .",
    "one point in the middle": ". . . . . / . . O . . / . O * O . / . . O . . / . . . . .",
}


@pytest.mark.parametrize("text", SUICIDES.values(), ids=SUICIDES)
@pytest.mark.parametrize("prisoners", [(0, 0), (3, 1)])
def test_rule_7_suicide_of_any_size_is_refused(text, prisoners):
    start = Given(text.replace(" / ", "\n"), prisoners=prisoners)
    assert start.why("*") == SUICIDE
    assert not start.position.legal() >> start.points["*"] & 1


def test_rule_7_a_stone_is_suicide_where_the_opponents_group_keeps_a_liberty():
    refused = Given("* O . . .\nO X X . .\n. . . . .\n. . . . .\n. . . . .")
    taken = Given("* O X . .\nO X X . .\nX . . . .\n. . . . .\n. . . . .")
    assert (refused.why("*"), taken.why("*")) == (SUICIDE, "")


def test_rule_7_what_is_told_of_a_placement_is_first_occupied_then_suicide_then_superko():
    start = Given(
        """
        * O . . .
        O X . . .
        . . . . .
        . . . . .
        . . . . .
        """,
        prisoners=(1, 1),
    )
    position = start.after("--")  # two passes, so that the current board has already occurred with White to move
    assert start.why("*", position) == SUICIDE
    assert why_illegal(position, 1) == why_illegal(position, 6) == OCCUPIED


# Rule 8: superko. In KO the player without a stone in the ko captures by `*`; the opponent recaptures by `k`.

KO = """
    . X O . b
    X k * O .
    . X O . .
    . . . . .
    . . . . a
    """
BLACK_TAKES = KO.replace("k", "O")  # Black captures at *
WHITE_TAKES = KO.replace("*", "X")  # White captures at k


def test_rule_8_a_ko_may_not_be_retaken_at_once():
    start = Given(BLACK_TAKES)
    after = start.after("*")
    assert board_of(after) == ".XO.. X.XO. .XO.. ..... ....."
    assert why_illegal(after, 6) == AT_ONCE
    assert not after.legal() >> 6 & 1


def test_rule_8_it_may_be_retaken_once_both_have_played_elsewhere():
    start = Given(BLACK_TAKES)
    after = start.after("*ab")
    assert why_illegal(after, 6) == ""


def test_rule_8_a_start_that_was_set_up_counts_with_prisoners_and_white_to_move():
    start = Given(WHITE_TAKES, WHITE, prisoners=(4, 7))
    after = start.after("k")
    assert (after.prisoners, after.colour) == ((4, 8), BLACK)
    assert why_illegal(after, 7) == AT_ONCE  # the recapture would repeat the start


def test_rule_8_states_that_passes_make_count():
    start = Given(BLACK_TAKES, WHITE)
    after = start.after("-*")  # White's pass creates the state that White's recapture would repeat
    assert (start.position.black, start.position.white, BLACK) in after.seen
    assert why_illegal(after, 6) == AT_ONCE


def test_rule_8_a_pass_is_never_refused_even_if_it_brings_a_state_back():
    start = Given(BLACK_TAKES)
    once = start.after("*")
    again = once.play(PASS).play(PASS)
    assert (again.black, again.white, again.colour) == (once.black, once.white, once.colour)
    assert why_illegal(once.play(PASS), PASS) == why_illegal(again, PASS) == ""
    assert again.seen == once.play(PASS).seen  # passing back to a known state adds no state


# White sacrifices two stones and then captures one: the board repeats after three moves with the other side to move.

SEND_TWO = """
    a O b O .
    X X O O .
    . X X O .
    . . X O .
    . . X O .
    """


def test_rule_8_the_same_board_with_the_other_player_to_move_is_another_state():
    start = Given(SEND_TWO, WHITE)
    two_sent = start.after("a")
    taken = two_sent.play(2)
    assert (count(taken.white), taken.prisoners) == (count(start.position.white) - 1, (2, 0))
    assert why_illegal(taken, 1) == ""
    back = taken.play(1)
    assert (back.black, back.white) == (start.position.black, start.position.white)
    assert (back.colour, start.position.colour) == (BLACK, WHITE)


def test_rule_8_sending_two_to_return_one_goes_round_once_only():
    start = Given(SEND_TWO, WHITE)
    round_once = start.after("ab").play(1).play(PASS)  # Black's pass repeats the start, which is legal for a pass
    assert (round_once.black, round_once.white, round_once.colour) == (
        start.position.black,
        start.position.white,
        WHITE,
    )
    assert why_illegal(round_once, 0) == REPEATS
    assert round_once.ko == 0


TRIPLE_KO = """
    . X O . . . .
    X O . O . . .
    . X O . . . .
    . X O . . . .
    X O . O . . .
    . X O . . . .
    . X O . . . .
    X . X O . . .
    . X O . . . .
    """


def three_kos() -> MatchPosition:
    """Return a position with three kos, in which White holds two kos and Black is to move."""
    rows = [line + " . ." for line in TRIPLE_KO.strip().splitlines()]
    return Given("\n".join(rows)).position


def test_rule_8_three_kos_may_not_go_round():
    position = three_kos()
    start = position
    first, second, third = 9 + 1, 36 + 1, 63 + 1  # White's stone in each ko; Black's stone is one point to the right
    for move in (first + 1, third, second + 1, first, third + 1):
        assert why_illegal(position, move) == ""
        position = position.play(move)
    assert position.colour == WHITE and position.prisoners == (3, 2)
    assert why_illegal(position, third) == AT_ONCE
    assert why_illegal(position, second) == REPEATS
    assert position.play(second).seen == position.seen  # this board is the start position
    assert start.ko == 0


# Rule 9: the end


def test_rule_9_two_passes_in_a_row_end_the_match_and_the_score_decides():
    record = played_by([12, PASS], [0, PASS])
    assert (record.why, len(record.moves)) == ("two passes", 4)
    assert record.winner == WHITE and record.lead2 == -13


def test_rule_9_passes_with_a_move_between_them_do_not():
    record = played_by([PASS, 12, PASS], [0, PASS])
    assert [move.move for move in record.moves] == [PASS, 0, 12, PASS, PASS]


def test_rule_9_a_first_pass_does_not_end_the_match_but_two_do():
    position = match_rules().opening()
    assert not position.ends_with(PASS)
    assert position.play(PASS).ends_with(PASS)
    assert not position.play(PASS).play(60).ends_with(PASS)


SEVEN_AHEAD = """
    . . X O .
    . . X O .
    . . X O .
    . . X O O
    . . X X O
    """


def test_rule_9_the_stones_of_the_last_passes_count():
    start = Given(SEVEN_AHEAD, komi2=12)
    assert [margin2(start.after(passes)) for passes in ("", "-", "--")] == [2, 0, 2]
    start = Given(SEVEN_AHEAD, WHITE, komi2=14)
    assert [winner_of(start.after(passes)) for passes in ("", "-", "--")] == [0, BLACK, 0]


# Rule 10: the score


def test_rule_10_stones_territory_prisoners_and_komi_add_up():
    start = Given(
        """
        . X O . .
        . X O . .
        . X O O .
        X X X O .
        X . X O .
        """,
        prisoners=(3, 1),
    )
    score = start.position.score()
    assert score == Score(stones=(8, 6), territory=(4, 7), prisoners=(3, 1))
    assert score.margin2(13) == margin2(start.position) == 2 * (8 + 4 + 3) - 2 * (6 + 7 + 1) - 13


def test_rule_10_komi_is_six_and_a_half_and_can_be_another():
    assert margin2(match_rules().opening()) == -13
    assert [margin2(match_rules(9, komi2).opening()) for komi2 in (15, 0, -9)] == [-15, 0, 9]


def test_rule_10_a_captured_stone_is_lost_to_one_and_a_prisoner_of_the_other():
    start = Given(". X . . .\nX O * . .\n. X . . .\n. . . . .\n. . . . O", komi2=0)
    before, after = start.position.score(), start.after("*").score()
    assert after.prisoners[0] - before.prisoners[0] == 1
    assert before.stones[1] - after.stones[1] == 1
    assert after.territory[0] - before.territory[0] == 1  # the corner held a black stone before


# Rule 11: who wins


@pytest.mark.parametrize(("komi2", "winner"), [(0, BLACK), (13, BLACK), (14, 0), (15, WHITE)])
def test_rule_11_the_higher_score_wins_and_only_a_whole_komi_lets_them_tie(komi2, winner):
    start = Given(SEVEN_AHEAD, komi2=komi2)
    assert sum(black - white for black, white in start.position.score()) == 7
    assert winner_of(start.position) == winner


@settings(max_examples=30)
@given(SEEDS, st.sampled_from([13, 1, -5]), st.booleans())
def test_rule_11_with_half_a_point_of_komi_nobody_ties(seed, komi2, pass_stones):
    positions = random_match(seed, 5, plies=50, komi2=komi2, pass_stones=pass_stones)
    assert all(winner_of(position) in (BLACK, WHITE) for position in positions)


# Rules 12 and 13: scoring the board as it stands


def test_rule_12_dead_stones_stay_and_spoil_the_territory_around_them():
    alive = """
        . X . . .
        X X . . .
        X . X X X
        X X X . .
        . . X . .
        """
    dead = alive.replace(". . X . .", ". . X . O")
    assert score_of(alive) == Score((11, 0), (14, 0), (0, 0))
    assert score_of(dead) == Score((11, 1), (10, 0), (0, 0))


def test_rule_13_a_region_that_touches_both_colours_is_nobodys():
    score = score_of(
        """
        . X . O .
        X X . O O
        . . . . .
        X X . O O
        . X . O .
        """
    )
    assert score.territory == (2, 2)


def test_rule_13_diagonal_neighbours_do_not_touch():
    score = score_of(
        """
        . X O . .
        X . X O .
        X X X O .
        O O O O .
        . . . . .
        """
    )
    assert score.territory == (2, 10)


@pytest.mark.parametrize("size", [5, 19])
def test_rule_13_the_empty_board_is_nobodys(size):
    position = match_rules(size).opening()
    assert position.score() == Score((0, 0), (0, 0), (0, 0))
    assert winner_of(position) == WHITE  # by komi


@pytest.mark.parametrize(("size", "colour"), [(5, BLACK), (19, BLACK), (19, WHITE)])
def test_rule_13_one_stone_owns_the_whole_board(size, colour):
    position = match_rules(size).start((0, 0), colour).play(7)
    score = position.score()
    assert score.stones[colour - 1] + score.territory[colour - 1] == size * size
    assert score.stones[2 - colour] + score.territory[2 - colour] == 0


# docs/match.md

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "match.md").read_text(encoding="utf-8")


def test_the_page_counts_its_example_right():
    rows = re.findall(r"^\| (?:stones on the board|territory|prisoners) \| (\d+) \| (\d+) \|$", PAGE, re.MULTILINE)
    stones, territory, prisoners = ((int(black), int(white)) for black, white in rows)
    _, black, white = parse_board(PAGE.split("```text\n")[1].split("```")[0])
    position = match_rules(5).start((black, white), BLACK, prisoners)
    assert position.score() == Score(stones, territory, prisoners)
    assert margin2(position) == 2 * (18 - 20.5) and "| score | 18 | 20.5 |" in PAGE
    assert margin2(position.play(20)) == 2 * (21 - 19.5) and "21 to 19.5" in PAGE


def test_the_page_has_a_rule_for_each_number_and_each_has_its_tests():
    numbers = [int(number) for number in re.findall(r"^(\d+)\. \*\*", PAGE, re.MULTILINE)]
    assert numbers == list(range(1, 14))
    tested = {int(number) for number in re.findall(r"def test_rule_(\d+)", Path(__file__).read_text(encoding="utf-8"))}
    assert tested == set(numbers)
