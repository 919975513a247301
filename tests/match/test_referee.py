"""Tests of the referee: how games end, who wins, and which moves lose at once."""

import json

import pytest

from littlego.match.referee import UNDO, Game, Player, Reply, record_json
from littlego.rules.position import BLACK, PASS, RESIGN, WHITE
from littlego.rules.ruleset import LITTLE_GO, Ruleset, little_go

SIZE = 5


def point(text):
    row, column = text.split(",")
    return SIZE * int(row) + int(column)


class Scripted(Player):
    """A player that plays a list (`row,column`, PASS, a Reply or an error), then the first legal point."""

    def __init__(self, *moves):
        self.moves = list(moves)
        self.turns = []

    def choose(self, turn):
        self.turns.append(turn)
        if not self.moves:
            legal = turn.position.legal()
            return Reply((legal & -legal).bit_length() - 1 if legal else PASS)
        move = self.moves.pop(0)
        if isinstance(move, Exception):
            raise move
        if isinstance(move, Reply):
            return move
        return Reply(PASS if move == "PASS" else point(move))


def play(black, white, ruleset=LITTLE_GO, **options):
    return Game((Scripted(*black), Scripted(*white)), ruleset, **options).play()


def test_two_passes_end_the_game():
    record = play(["2,2", "PASS"], ["1,1", "PASS"])
    assert (record.winner, record.why, len(record.moves)) == (WHITE, "two passes", 4)
    assert record.lead2 == -5


def test_a_pass_after_a_move_does_not():
    record = play(["2,2", "3,3", "PASS"], ["PASS", "1,1"])
    assert len(record.moves) == 24


def test_black_loses_by_passing_first():
    record = play(["PASS"], [])
    assert (record.winner, record.why, len(record.moves)) == (WHITE, "a pass as the first move", 1)


def test_the_game_is_over_after_24_moves():
    record = play([], [])
    assert (len(record.moves), record.why, record.moves[-1].colour) == (24, "24 moves", WHITE)


def test_the_lead_counts_stones_and_komi():
    record = play(["2,2", "1,1", "3,3", "1,3", "PASS"], ["0,0", "PASS", "PASS", "PASS", "PASS"])
    assert (record.lead2, record.winner) == (2 * (4 - 1) - 5, BLACK)


ILLEGAL = [
    (["2,2"], ["2,2"], WHITE, "there is a stone already"),
    (["1,0", "0,1"], ["4,4", "0,0"], WHITE, "it is suicide"),
    ([Reply(25)], [], BLACK, "off the board"),
]


@pytest.mark.parametrize(("black", "white", "loser", "why"), ILLEGAL)
def test_an_illegal_move_loses_with_the_reason(black, white, loser, why):
    record = play(black, white)
    assert record.fault == loser and record.winner == 3 - loser
    assert why in record.why


def test_retaking_a_ko_at_once_loses():
    black = ["0,1", "1,0", "2,1", "1,2"]
    white = ["0,2", "2,2", "1,3", "1,1"]
    record = play(black + ["1,2"], white)  # White captures 1,2 by 1,1; Black recaptures
    assert len(record.moves) == 8 and bin(record.black).count("1") == 3
    assert record.fault == BLACK and "illegal move 1,2: it retakes a ko at once" in record.why


def test_a_ko_may_be_retaken_after_a_move_elsewhere():
    black = ["0,1", "1,0", "2,1", "1,2", "4,4", "1,2"]
    white = ["0,2", "2,2", "1,3", "1,1", "4,0"]
    assert play(black, white).fault == 0


def test_an_illegal_last_move_still_loses():
    first = play([], [])
    moves = [Reply(move.move) for move in first.moves]
    moves[-1] = Reply(moves[-2].move)
    record = play(moves[0::2], moves[1::2])
    assert record.fault == WHITE and len(record.moves) == 23


def test_a_crash_loses_and_says_where():
    record = play([ZeroDivisionError("by hand")], [])
    assert record.fault == BLACK and "crashed in choose line" in record.why and "by hand" in record.why


def test_what_a_player_says_is_kept_as_text_of_one_line():
    painting = "\x1b[2Ja\nb\u202eé"
    shown = "\\x1b[2Ja\\nb\\u202eé"
    record = play([Reply(12, reason=painting, warning=painting, note=painting)], [Reply(None, fault=painting)])
    assert record.moves[0][4:7] == (shown, shown, shown) and record.why == f"White lost: {shown}"
    assert play([ValueError(painting)], []).why.endswith(f"ValueError: {shown}")


def test_a_person_can_stop_the_game():
    with pytest.raises(KeyboardInterrupt):
        Game((_Interrupting(), Scripted()), LITTLE_GO).play()


class _Interrupting(Player):
    def choose(self, turn):
        raise KeyboardInterrupt


def test_too_much_cpu_time_loses():
    record = play(["2,2"], [Reply(0, cpu=10.5)])
    assert record.fault == WHITE and "used 10.50 s of CPU time; the limit is 10 s" in record.why


def test_no_move_loses():
    assert play([Reply(None)], []).fault == BLACK


def test_resigning_loses_without_a_fault():
    record = play(["2,2", Reply(RESIGN)], [])
    assert (record.winner, record.why, record.fault) == (WHITE, "Black resigned", 0)


def test_a_tie_is_possible_where_komi_is_whole():
    even = Ruleset("even", 5, 0, 24)
    record = play(["2,2", "PASS"], ["1,1", "PASS"], even)
    assert record.winner == 0


def test_other_sizes_have_their_own_length():
    record = Game((Scripted(), Scripted()), little_go(4)).play()
    assert len(record.moves) == 15


def test_a_player_sees_the_board_before_the_opponents_move():
    white = Scripted("1,1", "PASS")
    Game((Scripted("2,2", "3,3", "PASS"), white), LITTLE_GO).play()
    first, second = white.turns[:2]
    assert first.previous == (0, 0)
    assert second.previous == (1 << point("2,2"), 1 << point("1,1"))


def test_after_a_pass_both_boards_are_equal():
    black = Scripted("2,2", "3,3")
    Game((black, Scripted("PASS", "1,1")), LITTLE_GO).play()
    second = black.turns[1]
    assert second.previous == (second.position.black, second.position.white) and second.position.passed


def test_undo_takes_back_two_moves_but_not_the_opening():
    given = (point("0,0"), point("0,4"))
    record = play([Reply(UNDO), "2,2", Reply(UNDO), "3,3"], ["1,1", "1,2"], given=given)
    assert [move.move for move in record.moves[:4]] == [*given, point("3,3"), point("1,2")]


def test_the_watcher_sees_every_move():
    seen = []
    record = play(["2,2", "PASS"], ["1,1", "PASS"], watch=lambda *step: seen.append(step))
    assert [move for _, move, _ in seen] == list(record.moves)
    assert seen[0][0].black == 0 and seen[0][2].black == 1 << point("2,2")


def test_a_record_is_plain_json():
    record = play(["2,2", Reply(PASS, 0.5, "", "nothing left")], ["1,1", "PASS"], seed=7)
    value = json.loads(json.dumps(record_json(record)))
    assert value["moves"][2] == {"move": "PASS", "cpu": 0.5, "reason": "nothing left"}
    assert (value["winner"], value["lead"], value["seed"]) == (WHITE, -2.5, 7)
