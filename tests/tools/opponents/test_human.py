"""A person at the terminal: entries, mistakes, hints, undo."""

import io

import pytest
from brute_force import moves, playout, winning

from rules.position import PASS, RESIGN, opening
from rules.ruleset import LITTLE_GO
from tools.draw.boards import move_text
from tools.match.protocol import Turn
from tools.match.referee import UNDO, Game
from tools.opponents.human import HumanPlayer
from tools.opponents.roles.table import RolePlayer


def person(*entries):
    """Return a HumanPlayer that types these entries and then ends the input, and what it was shown."""
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
    "": "An empty line is no move; to pass, write pass. Enter row,column",
    "   ": "An empty line is no move",
    "c3": "'c3' is no move: there are no letters here. What Go diagrams call C3 is 2,2. Enter row,column",
    "A1": "'a1' is no move: there are no letters here. What Go diagrams call A1 is 4,0.",
    "e5": "What Go diagrams call E5 is 0,4.",
    "c9": "'c9' is no move. Enter row,column",
    "j1": "'j1' is no move. Enter row,column",
    "i1": "'i1' is no move. Enter row,column",
    "23": "'23' is no move: it is one number, and a point needs two, its row and its column. Enter row,column",
    "2 3 4": "'2 3 4' is no move. Enter row,column",
}


@pytest.mark.parametrize(("entry", "said"), NO_MOVES.items())
def test_what_is_no_move_is_told_by_what_is_wrong_with_it(entry, said):
    move, shown = answer(entry, "0,0")
    assert move == 0 and said in shown


@pytest.mark.parametrize("entry", ["?", "help", "H"])
def test_help_tells_every_entry(entry):
    move, shown = answer(entry, "0,0")
    assert move == 0 and "no move" not in shown
    told = [line.split()[0] for line in shown.splitlines() if line.startswith("  ") and "   " in line.strip()]
    assert told == ["2,3", "pass", "undo", "hint", "why", "exit", "?"]


def test_a_row_below_0_is_off_the_board():
    assert "-1,2 is off the board: rows and columns go from 0 to 4." in answer("-1,2", "0,0")[1]


def test_words():
    assert answer("pass")[0] == PASS
    assert answer("PASS")[0] == PASS
    assert answer("exit")[0] == RESIGN
    assert answer("undo", moves=(12, 6))[0] == UNDO


def test_the_end_of_the_input_resigns():
    assert answer()[0] == RESIGN


def test_a_wrong_entry_says_what_is_wrong_and_asks_again():
    move, shown = answer("hello", "2", "1,2,3", "7,7", "2,2", "2,3", moves=(12,))
    assert move == 13
    assert shown.count("is no move") == 3 and shown.count("Enter row,column") == 4
    assert "7,7 is off the board: rows and columns go from 0 to 4." in shown
    assert "2,2 is not legal: there is a stone already." in shown


def test_the_board_is_drawn_with_who_moves():
    _, shown = answer("0,0", moves=(12, 6))
    assert " 1 . O . . .\n 2 . . X . ." in shown
    assert "You are Black (X), 22 moves left, White leads by 2.5 after komi." in shown


def test_undo_needs_something_to_take_back():
    move, shown = answer("undo", "2,2")
    assert move == 12 and "Nothing to take back" in shown


def test_hint_and_why_give_the_engines_reasons():
    move, shown = answer("hint", "why", "2,2")
    assert move == 12
    assert " by " in shown and "[priority" in shown
    assert "Chosen: " in shown and "verdict" in shown


def near_the_end(wanted):
    """Return a position with four moves left, and its winning moves; wanted: whether there are any."""
    for seed in range(100):
        for position in playout(seed, 0):
            if position.left == 4 and bool(mask := winning(position, 3, {})) == wanted:
                return position, mask
    raise AssertionError


def hint(position):
    player, out = person("hint", "exit")
    player.choose(Turn(position, (0, 0)))
    return [line for line in out.getvalue().splitlines() if "exact play" in line][-1]


def test_a_hint_near_the_end_names_the_winning_moves():
    position, mask = near_the_end(True)
    named = [f"{point // 5},{point % 5}" for point in range(25) if mask >> point & 1] + ["PASS"] * (mask >> 25)
    legal = bin(position.legal()).count("1") + 1
    assert hint(position) == f"By exact play: {len(named)} of {legal} moves win: {' '.join(named)}"


def test_a_hint_where_all_is_lost_names_the_traps():
    position, _ = near_the_end(False)
    shown = hint(position)
    assert "By exact play: No move wins, of " in shown
    named = shown.rpartition(": ")[2].split()
    replies = {move: bin(winning(position.play(move), 3, {})).count("1") for move in moves(position)}
    fewest = [move for move in replies if replies[move] == min(replies.values())]
    assert named == [move_text(move, 5) for move in fewest]


def test_a_hint_far_from_the_end_says_when_there_will_be_more():
    assert hint(opening(LITTLE_GO)) == "(The moves that win by exact play: with 14 moves left or fewer.)"


def test_undo_in_a_game_takes_back_the_reply_too():
    player, _ = person("2,2", "undo", "0,0", "exit")
    record = Game((player, RolePlayer("random", 1)), LITTLE_GO).play()
    assert record.moves[0].move == 0 and record.why == "Black resigned"
    assert len(record.moves) == 3
