"""Tests of move annotations: the solver's exact values if available, else the safety check's verdict."""

from __future__ import annotations

import pytest

from littlego.engines.books import book_at
from littlego.games.boards import parse_board
from littlego.games.game import margin2
from littlego.games.vertices import with_vertices
from littlego.judging.annotation.comments import cells_of, judge
from littlego.judging.annotation.exact import Oracle
from littlego.paths import PATTERNS_TXT
from littlego.rules.engine import decide
from littlego.rules.geometry import points_of
from littlego.rules.matching import parse_shape
from littlego.rules.position import BLACK, PASS, WHITE, from_boards
from littlego.rules.ruleset import LITTLE_GO

ATARI = """
. . . . .
. X O . .
. O X O .
. . O . .
. . . . .
"""  # Black to move; no move saves the stone at 2,2
ONLY_ONE_WINS = """
X O . X X
X X X X .
. O . O X
O X X O .
O O O . O
"""  # Black to move, 4 moves left
SEVEN_WIN = """
. O O X X
. X . . O
O . X . X
X X X X O
. X . . .
"""  # Black to move, 4 of eleven moves left
TWO_WIN = """
X X . X .
O O X . X
O X X X X
. O O . O
O X X . O
"""  # White to move, 3 of five moves left
CLOSE = {"one wins": (ONLY_ONE_WINS, BLACK, 4), "seven win": (SEVEN_WIN, BLACK, 4), "two win": (TWO_WIN, WHITE, 3)}
ORACLE = Oracle(8)


def position_of(drawing, colour, left):
    _, black, white = parse_board(drawing)
    return from_boards(LITTLE_GO, None, (black, white), colour, left)


def decide_by_book(position):
    return decide(position, book_at(str(PATTERNS_TXT), LITTLE_GO), complete=True)


def judged(position, move, oracle=ORACLE):
    return judge(position, move, decide_by_book, oracle)


def every_judgement(position):
    return {move: judged(position, move).after.properties for move in [*points_of(position.legal()), PASS]}


@pytest.mark.parametrize("name", CLOSE)
def test_exact_values_are_those_of_a_plain_search(name):
    drawing, colour, left = CLOSE[name]
    position = position_of(drawing, colour, left)
    best = plain_value(position)
    sign = 1 if colour == BLACK else -1
    values = {move: plain_after(position, move) for move in [*points_of(position.legal()), PASS]}
    assert name.startswith({1: "one", 2: "two", 7: "seven"}[len([move for move in values if sign * values[move] > 0])])
    winning = [move for move, value in values.items() if sign * value > 0]
    for move, said in every_judgement(position).items():
        assert said["V"] == said["SBKS"] == [f"{values[move] / 2:g}"]
        assert said["SBKV"] == ["100" if values[move] > 0 else "0"]
        assert ("GB" in said, "GW" in said) == (values[move] > 0, values[move] < 0)
        assert ("BM" in said) == ("HO" in said) == (bool(winning) and move not in winning)
        assert ("TE" in said) == (winning == [move])
        assert ("DO" in said) == (move in winning and winning != [move] and values[move] != best)


def plain_value(position):
    sign = 1 if position.colour == BLACK else -1
    return sign * max(sign * plain_after(position, move) for move in [*points_of(position.legal()), PASS])


def plain_after(position, move):
    after = position.play(move)
    return margin2(after) if position.ends_with(move) else plain_value(after)


def test_a_move_that_gives_the_win_away_names_its_refutation_and_best_play():
    position = position_of(ONLY_ONE_WINS, BLACK, 4)
    said = every_judgement(position)
    bad = [move for move, properties in said.items() if "BM" in properties]
    assert bad, said
    for move in bad:
        found = judged(position, move)
        assert found.better and len(found.better) <= 4 and "gave the win away" in "".join(found.after.lines)
        reply = found.refuting
        assert reply is not None and plain_after(position.play(move), reply) < 0
        end = position
        for step in found.better[:-1]:
            end = end.play(step)
        assert end.ends_with(found.better[-1])


def test_beyond_the_solver_a_vetoed_move_is_doubtful():
    position = position_of(ATARI, BLACK, 14)
    decision = decide_by_book(position)
    vetoed = next(one for one in decision.candidates if one.veto and one.verdict.reply not in (None, PASS))
    found = judged(position, vetoed.move, Oracle(0))
    assert found.after.properties["DO"] == [""] and found.refuting == vetoed.verdict.reply
    assert found.better == [] and not found.after.properties.keys() & {"V", "GB", "GW", "SBKV", "BM", "TE"}
    assert "vetoed" in found.after.lines[0]


def test_our_own_move_names_its_pattern_and_cells():
    position = position_of(ATARI, BLACK, 14)
    move = decide_by_book(position).move
    after = judged(position, move, Oracle(0)).after
    assert after.lines[0].startswith("Our move too: ") and after.properties["N"]
    assert not after.properties.keys() & {"DO", "CR"}


def test_the_marked_cells_hold_the_stones_that_the_pattern_wants():
    position = position_of(ATARI, BLACK, 14)
    decision = decide_by_book(position)
    seen = 0
    for firing in (firing for candidate in decision.candidates for firing in candidate.firings):
        drawn, cells = [cell[2] for cell in parse_shape(firing.pattern.rows).cells], list(cells_of(firing, decision))
        for symbol, stones in (("X", position.own), ("O", position.theirs)):
            seen += drawn.count(symbol)
            assert sum(stones >> cell & 1 for cell in cells) >= drawn.count(symbol), firing.pattern.id
    assert seen > 20


def test_what_is_said_already_is_not_said_again():
    position = position_of(ATARI, BLACK, 14)
    decision = decide_by_book(position)
    from littlego.engines.draw.decisions import reason_line

    after = judge(position, decision.move, decide_by_book, Oracle(0), f"He said: {reason_line(decision)}").after
    assert after.lines == [] and "N" in after.properties


def test_candidates_stand_on_the_board_before_the_move():
    position = position_of(ATARI, BLACK, 14)
    decision = decide_by_book(position)
    before = judged(position, PASS, Oracle(0)).before
    row, column = divmod(decision.move, 5)
    assert before.properties["LB"][0] == f"{'abcde'[column]}{'abcde'[row]}:A"
    assert before.lines[0].startswith("Candidates of Black: A ")
    assert not set(before.properties.get("SQ", ())) & {value[:2] for value in before.properties["LB"]}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2,2 rather than 1,1", "C3 rather than B4"),
        ("ends +2.5, 0,0 -1", "ends +2.5, A5 -1"),
        ("9,9 is no point, nor 1,234 or 1.5,2", "9,9 is no point, nor 1,234 or 1.5,2"),
        ("by liberties 100 to 3", "by liberties 100 to 3"),
    ],
)
def test_points_are_named_as_go_programs_show_them(text, said):
    assert with_vertices(text, 5) == said
