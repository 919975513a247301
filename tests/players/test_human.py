"""Tests of a person at the terminal: entries, mistakes, hints, and undo."""

import io
import re

import pytest
from brute_force import moves, playout, winning
from small_books import book as small_book
from small_books import pattern as small_pattern

from littlego.cli.terminal import MOST_COLUMNS
from littlego.engines.draw.decisions import hint_lines, why_lines
from littlego.engines.reasons.contrast import contrast
from littlego.games.boards import move_text
from littlego.match.protocol import Turn
from littlego.match.referee import Game
from littlego.players.human import HumanPlayer
from littlego.players.ours import decide_at
from littlego.players.roles.table import RolePlayer
from littlego.rules.engine import decide
from littlego.rules.position import PASS, RESIGN, opening
from littlego.rules.ruleset import LITTLE_GO

START = opening(LITTLE_GO)


def person(*entries):
    """Return (a HumanPlayer whose whole input is these entries, its output)."""
    waiting = list(entries)

    def ask(prompt):
        if not waiting:
            raise EOFError
        return waiting.pop(0)

    out = io.StringIO()
    return HumanPlayer(ask, out), out


def answer(*entries, moves=()):
    position, before = opening(LITTLE_GO), (0, 0)
    for move in moves:
        before = position.black, position.white
        position = position.play(move)
    player, out = person(*entries)
    return player.choose(Turn(position, before)).move, out.getvalue()


def test_a_move_is_row_and_column():
    assert answer("2,3")[0] == 13
    assert answer(" 2 , 3 ")[0] == 13


@pytest.mark.parametrize("entry", ["2 3", "2  3", "2.3", "2;3", "2/3", "2:3", "(2,3)", "2, 3", "2，3", "２,３"])
def test_two_numbers_are_a_move_whatever_stands_between_them(entry):
    assert answer(entry, "0,0")[0] == 13


NO_MOVES = {
    "": "An empty line is not a move; to pass, enter pass. Enter row,column",
    "   ": "An empty line is not a move",
    "c3": "'c3' is not a move: enter numbers, not letters. C3 in Go diagrams is 2,2. Enter row,column",
    "A1": "'a1' is not a move: enter numbers, not letters. A1 in Go diagrams is 4,0.",
    "e5": "E5 in Go diagrams is 0,4.",
    "c9": "'c9' is not a move. Enter row,column",
    "j1": "'j1' is not a move. Enter row,column",
    "i1": "'i1' is not a move. Enter row,column",
    "23": "'23' is not a move: a point needs two numbers, its row and its column. Enter row,column",
    "2 3 4": "'2 3 4' is not a move. Enter row,column",
}


@pytest.mark.parametrize(("entry", "said"), NO_MOVES.items())
def test_what_is_no_move_is_told_by_what_is_wrong_with_it(entry, said):
    move, shown = answer(entry, "0,0")
    assert move == 0 and said in " ".join(shown.split())


@pytest.mark.parametrize("entry", ["?", "help", "H"])
def test_help_tells_every_entry(entry):
    move, shown = answer(entry, "0,0")
    assert move == 0 and "no move" not in shown
    told = [line[2:11].strip() for line in shown.splitlines() if re.match(r"  [^ ].{7} [^ ]", line)]
    assert told == ["2,3", "pass", "undo", "hint", "why", "why 2,3", "why all", "exit", "?"]


def test_a_row_below_0_is_off_the_board():
    assert "-1,2 is off the board: rows and columns go from 0 to 4." in answer("-1,2", "0,0")[1]


def test_words():
    assert answer("pass")[0] == PASS
    assert answer("PASS")[0] == PASS
    assert answer("exit")[0] == RESIGN
    assert answer("resign")[0] == RESIGN


def test_the_end_of_the_input_resigns():
    assert answer()[0] == RESIGN


def test_a_wrong_entry_says_what_is_wrong_and_asks_again():
    move, shown = answer("hello", "2", "1,2,3", "7,7", "2,2", "2,3", moves=(12,))
    assert move == 13
    assert shown.count("is not a move") == 3 and " ".join(shown.split()).count("Enter row,column") == 4
    assert "7,7 is off the board: rows and columns go from 0 to 4." in shown
    assert "2,2 is not legal: there is a stone already." in shown


def test_the_board_is_drawn_with_who_moves():
    _, shown = answer("0,0", moves=(12, 6))
    assert " 1 . O . . .\n 2 . . X . ." in shown
    assert "You are Black (X), 22 moves left, White leads by 2.5 after komi." in shown


def test_undo_needs_something_to_take_back():
    move, shown = answer("undo", "2,2")
    assert move == 12 and "Nothing to take back" in shown


def test_a_hint_gives_the_move_of_our_player_with_its_reason():
    move, shown = answer("hint", "2,2")
    told = " ".join(shown.split())
    assert move == 12 and " ".join(hint_lines(decide_at(opening(LITTLE_GO)))) in told
    assert "2,2: The first stone belongs in the centre" in told
    assert told.index("The first stone belongs") < told.index("open-in-the-centre (priority 950")


def taught(*entries):
    """Return `person(*entries)`, where the opponent's hints and reasons come from the patterns BESIDE."""
    player, out = person(*entries)
    player.decide_theirs = lambda before: decide(before, BESIDE, complete=True)
    return player, out


BESIDE = small_book(
    small_pattern("middle", "????/????/??*?", 5), small_pattern("beside", "X*", 20), small_pattern("touch", "O*", 30)
)


def turns_of(player, position, *replies):
    """Ask a person for moves, with the opponent's replies between them; return the last position."""
    for reply in [*replies, None]:
        move = player.choose(Turn(position, (0, 0))).move
        if reply is not None:
            position = position.play(move).play(reply)
    return position


def reply_to(position, move):
    return decide(position.play(move), BESIDE).move


def test_why_tells_the_reason_of_the_opponent_s_last_move():
    player, out = taught("2,2", "why", "exit")
    turns_of(player, START, reply_to(START, 12))
    shown = out.getvalue()
    assert "Chosen: 1,2 rather than " in shown and ": touch +30" in shown and "in your place" not in shown
    assert "\n* 1,2         500 " in shown and "all with their patterns: why all\n" in shown


def test_why_tells_the_reason_of_the_first_move_of_the_game():
    first = decide(START, BESIDE).move
    player, out = taught("why", "exit")
    player.choose(Turn(START.play(first), (0, 0)))
    assert f"Chosen: {move_text(first, 5)} rather than " in out.getvalue() and "in your place" not in out.getvalue()


def test_why_tells_the_reason_of_a_pass():
    player, out = person("2,2", "why", "why 1,1", "exit")
    enough = small_pattern("enough", "", flags="ps", priority=900, points=1)
    player.decide_theirs = lambda before: decide(before, small_book(enough), complete=True)
    turns_of(player, START, PASS)
    assert "Chosen: PASS rather than " in out.getvalue() and "enough (priority 900 before 0)" in out.getvalue()
    assert "Why not 1,1: PASS rather than 1,1: enough (priority 900 before 0)" in " ".join(out.getvalue().split())


def test_after_undo_why_tells_of_the_move_before():
    player, out = taught("2,2", "4,4", "undo", "why", "exit")
    after = START.play(12).play(reply_to(START, 12))
    turns_of(player, START, reply_to(START, 12), reply_to(after, 24))
    assert player.choose(Turn(after, (0, 0))).move == RESIGN
    shown = out.getvalue()
    assert "Chosen: 1,2 rather than " in shown and "in your place" not in shown


def test_why_of_a_move_that_our_player_would_not_have_made_tells_its_own_in_your_place():
    player, out = taught("2,2", "why", "exit")
    turns_of(player, START, 0)
    in_place = "\n".join(why_lines(contrast(decide_at(START.play(12).play(0), complete=True)), "why all"))
    assert f"Our player's decision in your place:\n{in_place}\n" in out.getvalue()


def test_why_of_an_opponent_that_is_not_our_player_tells_ours_in_your_place():
    _, shown = answer("why", "why 1,1", "why 2,2", moves=(12,))
    assert shown.count("Our player's decision in your place:") == 3 and "\n  and 22 other moves, all with" in shown
    chosen = move_text(decide_at(START.play(12)).move, 5)
    assert f"Chosen: {chosen} rather than " in shown
    assert "2,2 is illegal in that position: there is a stone already." in shown


def why(*entries):
    """Return the output for these entries after the moves 2,2 and 1,2."""
    player, out = taught("2,2", *entries, "exit")
    turns_of(player, START, reply_to(START, 12))
    return out.getvalue().rpartition("after komi.")[2]


def test_why_not_another_move():
    shown = " ".join(why("why 2,1", "WHY  4,0", "why 1,2", "why 2,2", "why pass").split())
    assert "Why not 2,1: 1,2 rather than 2,1: equal scores, so a fixed order of the moves decides." in shown
    assert "Why not 4,0: 1,2 rather than 4,0: 4,0 is vetoed: the reply 3,0 puts 1 stone beyond rescue." in shown
    assert "1,2 is the chosen move. 1,2 rather than 0,1: touch +30" in shown
    assert "2,2 is illegal in that position: there is a stone already." in shown
    assert "Why not PASS: 1,2 rather than PASS: " in shown
    assert "in your place" not in shown


def test_why_all_has_every_move_with_its_patterns():
    shown = why("why all")
    assert f"\n    {'touch':30}   +30  at " in shown
    assert len(re.findall(r"^[* ] (\d,\d|PASS) ", shown, re.M)) == 25


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("why not", "'not' is not a move. Enter row,column"),
        ("why 2", "'2' is not a move: a point needs two numbers"),
        ("why c3", "'c3' is not a move: enter numbers, not letters. C3 in Go diagrams is 2,2."),
        ("why 5,0", "5,0 is off the board: rows and columns go from 0 to 4."),
        ("whynot", "'whynot' is not a move. Enter row,column"),
    ],
)
def test_a_wrong_entry_after_why_says_what_is_wrong_and_asks_again(entry, said):
    move, shown = answer(entry, "0,0")
    assert move == 0 and said in " ".join(shown.split()) and "in your place" not in shown


def test_no_line_is_wider_than_a_terminal():
    entries = ("?", "23", "hint", "why", "why all", "why 2,2", "why 4,4", "why pass", "hello", "c3", "why 1,1")
    for position in (START, START.play(PASS), near_the_end(True)[0], near_the_end(False)[0]):
        player, out = person(*entries, "exit")
        player.choose(Turn(position, (0, 0)))
        assert max(map(len, out.getvalue().splitlines())) <= MOST_COLUMNS


def near_the_end(wanted):
    """Return a position with four moves left, and its winning moves. wanted: whether it has winning moves."""
    for seed in range(100):
        for position in playout(seed, 0):
            if position.left == 4 and bool(mask := winning(position, 3, {})) == wanted:
                return position, mask
    raise AssertionError


def hint(position):
    player, out = person("hint", "exit")
    player.choose(Turn(position, (0, 0)))
    return " ".join(re.search(r"^\(?(By exact|The solver's result).*", out.getvalue(), re.M | re.S)[0].split())


def test_a_hint_near_the_end_names_the_winning_moves():
    position, mask = near_the_end(True)
    named = [f"{point // 5},{point % 5}" for point in range(25) if mask >> point & 1] + ["PASS"] * (mask >> 25)
    legal = bin(position.legal()).count("1") + 1
    verb = "wins" if len(named) == 1 else "win"
    assert hint(position) == f"By exact play: {len(named)} of {legal} moves {verb}: {' '.join(named)}"


def test_a_hint_where_all_is_lost_names_the_traps():
    position, _ = near_the_end(False)
    shown = hint(position)
    assert "By exact play: None of " in shown
    named = shown.rpartition(": ")[2].split()
    replies = {move: bin(winning(position.play(move), 3, {})).count("1") for move in moves(position)}
    fewest = [move for move in replies if replies[move] == min(replies.values())]
    assert named == [move_text(move, 5) for move in fewest]


def test_a_hint_far_from_the_end_says_when_there_will_be_more():
    assert hint(opening(LITTLE_GO)) == "(The solver's result is available only with at most 14 moves left.)"


def test_undo_in_a_game_takes_back_the_reply_too():
    player, _ = person("2,2", "undo", "0,0", "exit")
    record = Game((player, RolePlayer("random", 1)), LITTLE_GO).play()
    assert record.moves[0].move == 0 and record.why == "Black resigned"
    assert len(record.moves) == 3
