"""Tests of a person in a match and on large boards: points in both notations, prisoners, clocks, undo."""

import io

import pytest
from boards import stones
from hypothesis import given, settings
from hypothesis import strategies as st

from littlego.cli.terminal import MOST_COLUMNS
from littlego.games.boards import move_text_both
from littlego.games.clock import Times
from littlego.games.match import match_rules
from littlego.match.protocol import Turn
from littlego.match.referee import TIME_UP, Game
from littlego.players import human
from littlego.players.human import HumanPlayer
from littlego.players.keyboard import TimeoutReached
from littlego.players.ours import decide_at
from littlego.players.roles.table import RolePlayer
from littlego.rules.position import BLACK, PASS, RESIGN, WHITE, opening
from littlego.rules.ruleset import LITTLE_GO, little_go

FAST = match_rules(5)


def person(*entries):
    """Return (a HumanPlayer whose whole input is these entries, its output)."""
    waiting, out = list(entries), io.StringIO()

    def ask(prompt):
        out.write(f"{prompt}\n")
        if not waiting:
            raise EOFError
        return waiting.pop(0)

    return HumanPlayer(ask, out), out


def answer(*entries, position, previous=(0, 0), times=None):
    player, out = person(*entries)
    return player.choose(Turn(position, previous, times)).move, out.getvalue()


def after(ruleset, *moves):
    position = ruleset.opening()
    for move in moves:
        position = position.play(move)
    return position


@pytest.mark.parametrize("entry", ["3,15", "Q16", "q16", "q 16", "Ｑ１６"])
@pytest.mark.parametrize("start", [match_rules(19).opening(), opening(little_go(19))])
def test_a_point_of_a_large_board_has_two_spellings(entry, start):
    assert answer(entry, position=start)[0] == 3 * 19 + 15


@given(st.integers(10, 19), st.data())
@settings(max_examples=40, deadline=None)
def test_both_spellings_of_any_point_are_one_point(size, data):
    point = data.draw(st.integers(0, size * size - 1))
    named, lettered = move_text_both(point, size).rstrip(")").split(" (")
    for entry in (named, lettered, lettered.lower()):
        assert answer(entry, position=match_rules(size).opening())[0] == point


def test_letters_are_taken_in_a_match_of_any_size_and_in_little_go_on_boards_drawn_with_them():
    assert answer("c3", position=FAST.opening())[0] == 12
    assert answer("c3", position=opening(little_go(10)))[0] == 7 * 10 + 2
    for ruleset in (LITTLE_GO, little_go(9)):
        move, shown = answer("c3", "0,0", position=opening(ruleset))
        assert move == 0 and "enter numbers, not letters. C3 in Go diagrams is" in shown


WRONG = {
    "i5": "I5 is off the board: columns are A to T without I, rows 1 to 19 from the bottom.",
    "t20": "T20 is off the board: columns are A to T without I, rows 1 to 19 from the bottom.",
    "a0": "A0 is off the board",
    "z3": "Z3 is off the board",
    "19,0": "19,0 is off the board: rows and columns go from 0 to 18.",
    "9" * 5000 + ",1": "is not a move. Enter a point",
    "16q": "'16q' is not a move. Enter a point (such as 2,3 or D17), pass",
    "q": "'q' is not a move. Enter a point",
    "": "An empty line is not a move; to pass, enter pass. Enter a point",
}


@pytest.mark.parametrize(("entry", "said"), WRONG.items())
def test_what_is_no_point_of_a_large_board_is_told_by_what_is_wrong(entry, said):
    move, shown = answer(entry, "resign", position=match_rules(19).opening())
    assert move == RESIGN and said in " ".join(shown.split())


def test_columns_before_i_are_listed_without_a_word_of_it():
    assert "columns are A to H, rows 1 to 8 from" in answer("z1", position=match_rules(8).opening())[1]
    assert "columns are A to J without I, rows" in answer("z1", position=match_rules(9).opening())[1]


def test_a_taken_point_is_named_both_ways():
    _, shown = answer("q16", position=after(match_rules(19), 3 * 19 + 15))
    assert "3,15 (Q16) is not legal: there is a stone already." in shown


def test_the_board_shows_the_last_stone_and_who_has_what():
    black, white = stones("""
        X O . . .
        . X . . .
        . . . . .
        . . . . .
        . . . . .""")
    start = FAST.start((black, white), BLACK, (2, 1))
    played = start.play(2)
    _, shown = answer(position=played, previous=(black, white), times=Times(61.2, 599.5))
    assert shown.startswith("""
   0 1 2 3 4
 0 X .(X). .
 1 . X . . .
 2 . . . . .
 3 . . . . .
 4 . . . . .
You are White (O), move 2. As it stands: Black leads by 20.5 after komi.
Prisoners: Black 3, White 1. Clocks: Black 1:02, White 10:00.
""")
    assert "moves left" not in shown


def test_a_pass_is_told_and_no_stone_is_marked():
    position = after(FAST, 12, PASS)
    _, shown = answer(position=position, previous=(position.black, position.white))
    assert "Prisoners: Black 1, White 0.\nThe opponent passed; a second pass ends the game.\n" in shown
    assert "(X)" not in shown.splitlines()[3] and " . . X . ." in shown


def test_clocks_are_shown_in_little_go_too():
    _, shown = answer(position=opening(LITTLE_GO), times=Times(60, 30))
    said = "You are Black (X), 24 moves left, White leads by 2.5 after komi.\nClocks: Black 1:00, White 0:30.\n"
    assert said in shown and "Your move (1:00 left): " in shown


REPEATS = """
    . X . X O
    X O X X .
    X . O X O
    O O X X X
    X X . O X"""


def test_superko_is_refused_with_its_reason():
    position = FAST.start(stones(REPEATS), WHITE)
    for move in (22, 21, 23):  # White captures two, Black captures two, White captures one
        position = position.play(move)
    move, shown = answer("4,0", "a1", "2,1", position=position)
    assert move == 11 and shown.count("4,0 is not legal: it repeats an earlier board.") == 2


def test_a_ko_is_refused_with_its_reason():
    position = FAST.start(stones(". X O . .\nX . X O .\n. X O . .\n. . . . .\n. . . . ."), WHITE).play(6)
    move, shown = answer("1,2", position=position)
    assert move == RESIGN and "1,2 is not legal: it retakes a ko at once." in shown


def test_undo_takes_back_own_moves_in_a_game_without_a_limit():
    player, out = person("2,2", "1,1", "undo", "undo", "undo", "0,0", "resign")
    record = Game((player, RolePlayer("random", 1)), FAST).play()
    assert [move.number for move in record.moves] == [1, 2, 3] and record.moves[0].move == 0
    assert out.getvalue().count("Nothing to take back: you have not moved yet.") == 1
    assert out.getvalue().count("You are Black (X), move 1. ") == 2


def test_undo_never_takes_back_a_given_opening():
    player, out = person("undo", "resign")
    record = Game((player, RolePlayer("random", 1)), FAST, given=(0, 24, 4, 20)).play()
    assert len(record.moves) == 5 and "Nothing to take back: you have not moved yet." in out.getvalue()


@pytest.mark.parametrize("entry", ["resign", "exit", "quit"])
def test_a_person_resigns(entry):
    player, _ = person(entry)
    assert Game((player, RolePlayer("random", 1)), FAST).play().why == "Black resigned"


def test_a_hint_says_why_the_solver_is_not_asked():
    for start in (FAST.opening(), opening(little_go(6))):
        _, shown = answer("hint", position=start)
        assert "(Exact values are known only in Little-Go on 5x5.)" in shown
        assert " rather than " in shown and "Please wait" not in shown


def test_why_tells_of_our_player_in_a_match():
    player, out = person("c3", "why", "why a1", "why all")
    player.decide_theirs = lambda position: decide_at(position, complete=True)
    start = FAST.opening()
    move = player.choose(Turn(start, (0, 0))).move
    position = start.play(move)
    reply = decide_at(position).move
    player.choose(Turn(position.play(reply), (position.black, position.white)))
    shown = out.getvalue()
    assert f"Chosen: {reply // 5},{reply % 5} rather than " in shown and "in your place" not in shown
    assert f"Why not 4,0: {reply // 5},{reply % 5} rather than 4,0: " in shown


def test_on_a_large_board_a_hint_says_that_it_takes_a_while(monkeypatch):
    monkeypatch.setattr(human, "decide_at", lambda position: None)
    monkeypatch.setattr(human, "hint_lines", lambda decision: ["a reason"])
    _, shown = answer("hint", position=match_rules(13).opening())
    assert shown.index("Please wait: ") < shown.index("a reason")


def test_help_names_what_is_new_in_a_match():
    _, shown = answer("?", position=match_rules(19).opening())
    assert "\n  D17      the same point, as in Go diagrams\n" in shown
    assert "a pass gives the opponent a stone" in shown and "\n  resign   give up the game" in shown
    _, shown = answer("?", position=match_rules(19, pass_stones=False).opening())
    assert "gives the opponent a stone" not in shown


def test_no_line_of_a_match_is_wider_than_a_terminal():
    entries = ("?", "23", "hello", "t20", "19,19", "", "q16", "undo", "why 1,1 1")
    for position in (after(match_rules(19), 72), after(match_rules(19), 72, PASS)):
        _, shown = answer(*entries, position=position, times=Times(86400, 86400))
        assert max(map(len, shown.splitlines())) <= MOST_COLUMNS


def test_the_prompt_counts_down_and_the_flag_ends_the_asking(monkeypatch):
    asked = []

    def ask_within(prompt, seconds):
        asked.append((prompt, seconds))
        if len(asked) == 3:
            raise TimeoutReached
        return "9,9"

    clock = iter([100.0, 100.5, 158.0, 160.0])
    monkeypatch.setattr(human, "ask_within", ask_within)
    monkeypatch.setattr(human.time, "monotonic", lambda: next(clock))
    player = HumanPlayer(out=io.StringIO())
    reply = player.choose(Turn(FAST.opening(), (0, 0), Times(60.0, 5.0)))
    assert reply.move is None and reply.fault == TIME_UP
    assert asked == [
        ("Your move (1:00 left): ", 59.5),
        ("Your move (0:02 left): ", 2.0),
        ("Your move (0:00 left): ", 0.0),
    ]


def test_once_the_game_is_over_nothing_more_is_said():
    player, out = person("hello")
    player.close()
    assert player.choose(Turn(FAST.opening(), (0, 0))).move == RESIGN
    assert out.getvalue() == "Your move: \n" * 2
