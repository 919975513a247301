"""Tests of a game over GTP: turns, setup, the end, undo, komi, clocks, and calls of the player."""

import pytest
from gtp_talk import Talk
from hypothesis import given, settings
from hypothesis import strategies as st

from littlego.games.boards import board_text, parse_board
from littlego.games.game import margin2, why_illegal
from littlego.games.match import match_rules
from littlego.games.vertices import parse_vertex, vertex_text
from littlego.match.referee import Player, Reply
from littlego.rules.position import BLACK, PASS, RESIGN, WHITE
from littlego.rules.ruleset import LITTLE_GO

MATCH = match_rules(5)


class Scripted(Player):
    """A player that plays replies in order and records its turns."""

    name = "scripted"

    def __init__(self, *replies):
        self.replies = list(replies)
        self.turns = []

    def choose(self, turn):
        self.turns.append(turn)
        return self.replies.pop(0)


def point(vertex):
    return parse_vertex(vertex, 5)


def test_moves_in_turn_are_a_game():
    talk = Talk()
    assert talk.ask_all("play b c3\nplay w b2\nplay b pass") == ["=", "=", "="]
    now = talk.session.position
    assert board_text(5, now.black, now.white) == (
        "   0 1 2 3 4\n 0 . . . . .\n 1 . . . . .\n 2 . . X . .\n 3 . O . . .\n 4 . . . . ."
    )
    assert (now.colour, now.left, now.passed) == (WHITE, 21, True)
    assert talk.said == []


def test_a_move_out_of_turn_sets_the_position_up():
    talk = Talk()
    talk.ask_all("play b c3\nplay b c2\nplay b c1")
    now = talk.session.position
    assert (now.colour, now.left) == (WHITE, LITTLE_GO.length - 5)  # three black stones: moves 1, 3 and 5
    assert talk.said == [
        "Black plays out of turn: the game continues from a set-up position with at most 22 moves left",
        "Black plays out of turn: the game continues from a set-up position with at most 20 moves left",
    ]


def test_a_move_may_be_generated_out_of_turn():
    player = Scripted(Reply(point("A1")))
    talk = Talk(player=player)
    talk.ask("play b c3")
    assert talk.ask("genmove b") == "= A1"
    turn = player.turns[0]
    assert (turn.position.colour, turn.position.left, turn.previous) == (BLACK, 22, (0, 0))


KO = "play b b2\nplay w b3\nplay b a3\nplay w c2\nplay b b4\nplay w d3\nplay b e5\nplay w c4\nplay b c3\n"


def test_a_ko_stands_in_turn_and_not_in_a_position_that_was_set_up():
    """Black's stone at C3 captured White's stone at B3, and B3 is now the only liberty of C3.

    . . . . X
    . X O . .
    X . X O .
    . X O . .
    . . . . .
    """
    for rules in (LITTLE_GO, MATCH):
        talk = Talk(rules)
        assert set(talk.ask_all(KO)) == {"="}
        assert talk.ask("play w b3") == "? illegal move"
        talk.ask("play b pass")  # out of turn
        assert talk.ask("play w b3") == "="


def test_suicide_and_taken_points_are_illegal():
    talk = Talk()
    talk.ask_all("play b a2\nplay b b1")
    assert talk.ask("play w a1") == "? illegal move"
    assert talk.ask("play b a2") == "? illegal move"
    assert talk.ask("play b a1") == "="


def test_little_go_is_over_after_its_last_ply_and_the_score_stays():
    talk = Talk()
    for ply in range(LITTLE_GO.length):
        assert not talk.session.over and talk.session.position.left == LITTLE_GO.length - ply
        talk.ask(f"genmove {'bw'[ply % 2]}")
    assert talk.session.over and "The game is over" in talk.ask("showboard")
    end, score = talk.session.counted(), talk.ask("final_score")
    assert talk.ask_all("genmove b\ngenmove b\ngenmove w") == ["= pass"] * 3
    # Black is to move in the final position
    assert talk.ask(f"play b {vertex_text(end.legal().bit_length() - 1, 5)}") == "="
    assert talk.session.position.black != end.black and talk.session.counted() is end
    assert talk.ask("final_score") == score
    talk.ask_all("undo\n" * 4)
    assert talk.session.over and talk.session.position is end
    talk.ask("undo")
    assert not talk.session.over and talk.session.position.left == 1


@pytest.mark.parametrize("rules", [LITTLE_GO, MATCH], ids=["little-go", "match"])
def test_two_passes_end_a_game_and_what_follows_does_not_count(rules):
    talk = Talk(rules)
    talk.ask_all("play b c3\nplay w pass\nplay b pass")
    score = talk.ask("final_score")
    assert talk.session.over and talk.ask("genmove w") == "= pass"
    assert talk.ask_all("play w a1\nplay b b2\nplay b b3") == ["=", "=", "="]
    assert talk.ask("final_score") == score
    assert talk.ask_all("undo\n" * 4) == ["="] * 4 and talk.session.over  # the passes remain
    talk.ask("undo")
    assert not talk.session.over and talk.session.position.passed


def test_a_pass_as_the_first_move_ends_little_go_alone():
    for rules, over in ((LITTLE_GO, True), (MATCH, False)):
        talk = Talk(rules)
        talk.ask("play b pass")
        assert talk.session.over is over


def test_more_stones_than_moves_can_set_leave_no_move_and_are_no_end():
    talk = Talk()
    vertices = [f"{column}{row}" for row in "135" for column in "ABCDE"]
    for vertex in vertices[:13]:
        assert talk.ask(f"play b {vertex}") == "="
    assert talk.session.over and talk.ask("genmove w") == "= pass"
    talk.ask("undo")
    assert talk.ask("play w a2") == "="
    assert talk.ask("final_score") == "= B+9.5"  # 13 - 1 - 2.5, counted on the current board


def test_undo_goes_back_to_the_start_and_no_further():
    talk = Talk()
    assert talk.ask("undo") == "? cannot undo"
    talk.ask_all("play b c3\nplay w c2\nundo\nundo")
    assert not talk.session.position.black and talk.ask("undo") == "? cannot undo"
    talk.ask("fixed_handicap 2")
    assert talk.ask("undo") == "? cannot undo"


VERTICES = st.sampled_from([vertex_text(move, 5) for move in (*range(25), PASS)])
MOVES = st.lists(st.tuples(st.sampled_from("bw"), VERTICES), max_size=40)


@settings(max_examples=60)
@given(MOVES, st.sampled_from([LITTLE_GO, MATCH]))
def test_undo_undoes_just_what_was_played(moves, rules):
    talk = Talk(rules)
    states = [talk.session.state]
    for colour, vertex in moves:
        before = talk.session.position_for(1 if colour == "b" else 2)
        legal = not why_illegal(before, point(vertex))
        assert talk.ask(f"play {colour} {vertex}") == ("=" if legal else "? illegal move")
        if legal:
            states.append(talk.session.state)
    while states:
        assert talk.session.state is states.pop()
        assert talk.ask("undo") == ("=" if states else "? cannot undo")


@settings(max_examples=60)
@given(MOVES, st.sampled_from([LITTLE_GO, MATCH]))
def test_a_generated_move_is_legal_and_changes_nothing_else(moves, rules):
    talk = Talk(rules)
    for colour, vertex in moves:
        talk.ask(f"play {colour} {vertex}")
        if vertex[0] in "AB":
            over, before = talk.session.over, talk.session.position_for(1 if colour == "b" else 2)
            vertex = talk.ask(f"genmove {colour}").removeprefix("= ")
            assert not why_illegal(before, point(vertex))
            assert vertex == "pass" if over else talk.session.state.colour == (1 if colour == "b" else 2)


def test_komi_counts_in_the_score_before_boardsize_and_after():
    talk = Talk()
    for komi, score in (("6.5", "W+6.5"), ("0", "0"), ("-3", "B+3.0"), ("0.25", "W+0.25"), ("1e9", "W+1000000000.0")):
        assert talk.ask_all(f"komi {komi}\nboardsize 5\nclear_board\nfinal_score") == ["=", "=", "=", f"= {score}"]
    assert talk.said == ["final_score uses komi 6.5; the player's decisions use komi 2.5"]
    assert talk.session.ruleset is LITTLE_GO  # the patterns and overrides were made for this ruleset's komi


def test_a_match_is_played_by_the_komi_that_is_told():
    talk = Talk(MATCH)
    talk.ask_all("play b c3\nkomi 7")
    assert talk.session.ruleset.name == "match-5-komi7" and talk.said == []
    assert margin2(talk.session.position) == 2 * 25 - 14 and talk.ask("final_score") == "= B+18.0"
    assert talk.ask_all("undo\nkomi 0.3") == ["=", "="] and talk.session.ruleset.name == "match-5-komi7"
    assert talk.said == ["final_score uses komi 0.3; the player's decisions use komi 7"]
    assert talk.ask_all("boardsize 9\nfinal_score") == ["=", "= W+0.3"]
    assert talk.session.ruleset.name == "match-9-komi7"


def test_the_end_of_a_match_keeps_its_board_when_the_komi_changes():
    talk = Talk(MATCH)
    talk.ask_all("play b c3\nplay w pass\nplay b pass\nplay w a1\nkomi 1.5")
    assert talk.ask("final_score") == "= B+23.5"  # 25 points, and one prisoner for each pass


def test_prisoners_stay_when_a_match_is_set_up():
    talk = Talk(MATCH)
    talk.ask_all("play b a2\nplay w a1\nplay b b1\nplay b c3")
    assert talk.session.position.prisoners == (1, 0) and talk.session.position.colour == WHITE


class Now:
    def __init__(self):
        self.seconds = 0.0

    def __call__(self):
        return self.seconds


def test_the_player_is_told_the_times(monkeypatch):
    now = Now()
    monkeypatch.setattr("littlego.games.clock.time.monotonic", now)
    monkeypatch.setattr("littlego.games.clock.Clock.__init__.__defaults__", (now,))
    player = Scripted(*(Reply(point(vertex)) for vertex in ("A1", "A2", "A3", "A4")))
    talk = Talk(player=player)
    talk.ask("genmove b")
    talk.ask_all("time_settings 900 0 0\ntime_left w 60 0\ngenmove w")
    talk.ask_all("time_settings 0 1 0\ntime_left b 5 0")
    talk.ask("genmove b")
    talk.ask_all("time_settings 0 30 5\ngenmove w")
    assert [turn.times for turn in player.turns] == [None, (900, 60), None, (30, 30)]


def test_its_own_clock_runs_while_the_player_thinks(monkeypatch):
    now = Now()
    monkeypatch.setattr("littlego.games.clock.Clock.__init__.__defaults__", (now,))

    class Slow(Scripted):
        def choose(self, turn):
            now.seconds += 7
            return super().choose(turn)

    player = Slow(Reply(point("A1")), Reply(point("A2")), Reply(point("A3")))
    talk = Talk(player=player)
    talk.ask_all("time_settings 100 0 0\ngenmove b\ngenmove w")
    now.seconds += 50  # nobody's
    talk.ask("genmove b")
    assert [turn.times for turn in player.turns] == [(100, 100), (93, 100), (93, 93)]


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (Reply(None, fault="no output.txt was written"), "no output.txt was written"),
        (Reply(None), "no move"),
        (Reply(0), "there is a stone already"),
        (Reply(99), "off the board"),
        (Reply(None, fault="it said \x1b[2J"), "it said \\x1b[2J"),
    ],
)
def test_a_player_that_gives_no_legal_move_is_an_error_and_the_game_stands(reply, why):
    talk = Talk(player=Scripted(reply))
    talk.ask("play b a5")
    before = talk.session.state
    assert talk.ask("genmove w") == f"? scripted gave no legal move: {why}"
    assert talk.session.state is before


def test_what_a_program_says_reaches_standard_error():
    talk = Talk(player=Scripted(Reply(3, warning="a warning", note="a note\nof two lines")))
    talk.ask("genmove b")
    assert talk.said == ["a warning", "a note\\nof two lines"]


def test_a_resignation_is_answered_and_changes_nothing():
    talk = Talk(player=Scripted(Reply(RESIGN)))
    assert talk.ask("genmove b") == "= resign" and len(talk.session.states) == 1


def test_boards_are_drawn_with_letters_from_the_bottom():
    talk = Talk(match_rules(9))
    talk.ask_all("play b a1\nplay w j9\nplay b j8\nplay w e5\nplay b h9")
    shown = talk.ask("showboard").splitlines()
    assert shown[:3] == ["=", "   A B C D E F G H J", " 9 . . . . . . . X . 9"]
    assert shown[-2:] == ["Prisoners: Black (X) 1, White (O) 0", "White to play move 6"]
    now = talk.session.position
    drawn = "\n".join(line[3:-2] for line in shown[2:11])
    assert parse_board(drawn) == (9, now.black, now.white)
