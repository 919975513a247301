"""Tests of the role `silly`, the match server's example agent: it counts the score after each move."""

import random

from boards import drawn

from littlego.games.game import margin2, opening
from littlego.games.match import match_rules
from littlego.players.roles.simple import silly_choices
from littlego.players.roles.table import ROLES
from littlego.rules.geometry import points_of
from littlego.rules.position import BLACK, PASS, WHITE

CAPTURE = """
. X O O .
. . X X .
. . . . .
. X . . .
O X . . O
"""


def match(text, **options):
    """Return a match on 5x5 from a drawn board, with Black to move."""
    board = drawn(text)
    return match_rules(5, **options).start((board.own, board.theirs), BLACK)


def test_it_takes_the_capture_that_counts_most():
    # the two captures by 4 (row 0) count as board, prisoners and area; the capture in row 3 is worth less
    assert silly_choices(match(CAPTURE)) == [4]


def test_on_the_empty_board_any_point_owns_it_all():
    assert silly_choices(opening(match_rules(5))) == list(range(25))


def test_it_does_not_pass_while_it_is_behind_and_may_when_it_leads():
    behind = match(CAPTURE.replace("X", "."))
    assert PASS not in silly_choices(behind)
    ahead = match("X . X . X\n. X . X .\nX . X . X\n. X . X .\nX . X . X", pass_stones=False)
    assert PASS in silly_choices(ahead)  # filling own territory and passing leave the same area


def test_no_other_move_leads_by_more():
    rng, where = random.Random(5), opening(match_rules(7))
    for _ in range(60):
        sign = 1 if where.colour == BLACK else -1
        best = max(sign * margin2(where.play(point)) for point in points_of(where.legal()))
        move = ROLES["silly"].choose(where, rng)
        assert move == PASS or sign * margin2(where.play(move)) == best
        if where.ends_with(move):
            break
        where = where.play(move)
    assert where.colour in (BLACK, WHITE)
