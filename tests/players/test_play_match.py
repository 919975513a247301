"""Tests of `littlego play` in matches and on large boards: games, printed boards, scores, and JSON."""

import io
import json
import re
import sys

import pytest
from boards import stones

from littlego.cli.main import main
from littlego.cli.terminal import MOST_COLUMNS, time_text
from littlego.games.boards import parse_board
from littlego.games.match import match_rules
from littlego.match.referee import TIME_UP, Game, GameRecord, Move, Player, Reply, last_position
from littlego.match.series import PLIES, Pairing
from littlego.players import cli
from littlego.players.cli import end_text
from littlego.players.score import game_json
from littlego.players.show import result_text, series_text, watch_game
from littlego.rules.position import BLACK, PASS, RESIGN

FAST = match_rules(5)
MATCH = ["play", "--ruleset", "match"]


@pytest.fixture
def shown_for(monkeypatch, capsys):
    """Return a function that runs `play` with typed entries and returns its output."""

    def play(*words, entries=()):
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{entry}\n" for entry in entries)))
        assert main([*words]) == 0
        return capsys.readouterr().out

    return play


@pytest.mark.parametrize(
    ("words", "heading"),
    [
        (
            [],
            "A match on 19x19, komi 6.5, a pass hands over a stone:\nhuman is Black (X), random is White (O), seed 0.",
        ),
        (["--size", "9", "--komi", "0", "--no-pass-stones", "--minutes", "15"], "A match on 9x9, komi 0, 15 minutes "),
        (["--ruleset", "little-go", "--size", "7"], "Little-Go on 7x7: human is Black (X), "),
        (["--ruleset", "little-go"], "Little-Go: human is Black (X), random is White (O), seed 0."),
    ],
)
def test_the_first_line_says_what_is_played(words, heading, shown_for):
    assert shown_for(*MATCH, "--black", "human", *words, entries=["exit"]).startswith(heading)


def test_our_player_in_this_process_is_black_in_a_match_unless_told_otherwise(shown_for):
    shown = shown_for(*MATCH, "--size", "5", "--brief", "--white", "greedy", "--seed", "1")
    assert "\nours is Black (X), greedy is White (O), seed 1." in shown


class Given(Player):
    """A player that plays a list of moves, and then passes."""

    def __init__(self, *moves):
        self.moves = list(moves)

    def choose(self, turn):
        return Reply(self.moves.pop(0) if self.moves else PASS)


def played(black, white, ruleset, watch=None):
    return Game((Given(*black), Given(*white)), ruleset, watch=watch).play()


WALLS = [row * 5 + 1 for row in range(5)], [row * 5 + 3 for row in range(5)]
COUNTED = """\
   0 1 2 3 4
 0 + X . O -
 1 + X . O -
 2 + X . O -
 3 + X . O -
 4 + X . O -
+ is Black's territory, - White's, . nobody's

                stones  territory  prisoners  komi   sum
Black (player)       5          5          1          11
White (player)       5          5          1   6.5  17.5

White (player) wins by 6.5. (two passes; Black 11, White 11 + 6.5 = 17.5)"""


def test_a_match_is_counted_on_its_last_board():
    record = played(*WALLS, match_rules(5))
    assert end_text(record) == COUNTED
    assert end_text(record, drawn=False) == COUNTED.partition("nobody's\n\n")[2]


@pytest.mark.parametrize(("komi2", "shown"), [(0, "White 10 + 0 = 10"), (-3, "White 10 - 1.5 = 8.5")])
def test_any_komi_is_written_with_its_sign(komi2, shown):
    record = played(*WALLS, match_rules(5, komi2, pass_stones=False))
    assert f"(two passes; Black 10, {shown})" in result_text(record)
    assert ("A tie." in result_text(record)) == (komi2 == 0)


def test_a_lost_game_is_listed_with_the_resignation_instead_of_a_margin():
    record = played([RESIGN], [], match_rules(5))
    shown = series_text([(Pairing(0, *record.players, 11), record)], *record.players)
    assert "  game 1 (Black resigned): littlego play" in shown


def test_a_match_that_was_not_counted_ends_in_a_line():
    resigned = played([12, RESIGN], [6], match_rules(5))
    assert end_text(resigned) == "White (player) wins. (Black resigned; Black 1, White 1 + 6.5 = 7.5)"
    lost = played([12, 12], [6], match_rules(5))
    said = "White (player) wins. Black lost: illegal move 2,2: there is a stone already."
    assert end_text(lost) == f"{said} (as it stood: Black 1, White 1 + 6.5 = 7.5)"


def test_prisoners_of_captures_and_passes_are_counted():
    black, white = [1, 5, PASS, 12], [0, 24, 20, PASS]
    record = played(black, white, match_rules(5))
    assert last_position(record).prisoners == (2, 2)  # one captured stone; Black passes twice, White twice
    assert game_json(record)["score"] == {"stones": [3, 2], "territory": [1, 0], "prisoners": [2, 2]}
    assert game_json(record)["lead"] == (3 + 1 + 2) - (2 + 2) - 6.5


def test_little_go_has_no_score_in_its_json(shown_for, tmp_path):
    for words, has in (([], False), (["--ruleset", "match", "--size", "5"], True)):
        file = tmp_path / "game.json"
        shown_for("play", *words, "--black", "human", "--json", str(file), entries=["2,2", "exit"])
        game = json.loads(file.read_text())
        assert ("score" in game) == has and game["why"] == "Black resigned"


def test_json_alone_of_a_match(shown_for):
    game = json.loads(shown_for(*MATCH, "--size", "5", "--black", "greedy", "--white", "greedy", "--json"))
    assert game["ruleset"] == "match-5" and sum(map(sum, game["score"].values())) > 0


def boards_of(size, moves, *, every=1, last=False):
    """Return the numbers of the moves after which `play` draws the board."""
    out = io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdout", out)
        watch = watch_game(("a", "b"), every, last)
        played(range(0, 2 * moves, 2), range(1, 2 * moves, 2), match_rules(size), watch)
    number, drawn = 0, []
    for line in out.getvalue().splitlines():
        found = re.match(r" *(\d+)\. ", line)
        number = int(found[1]) if found else number
        if line.startswith("   0 1"):
            drawn.append(number)
    return drawn


def test_boards_are_drawn_as_often_as_asked():
    assert boards_of(9, 3) == list(range(1, 9))
    assert boards_of(13, 20, every=20) == [20, 40] and boards_of(13, 3, every=0) == []
    assert boards_of(9, 3, every=0, last=True) == []  # a match that was scored shows its last board with the score


def test_a_game_on_a_large_board_has_a_board_now_and_then_and_each_move_in_both_spellings(shown_for, monkeypatch):
    def seat(folder):
        return lambda name, game: Given(*range(name == "greedy", 42, 2))

    monkeypatch.setattr(cli, "_seat_players", seat)
    words = ["--size", "10", "--black", "random", "--white", "greedy"]
    shown = shown_for(*MATCH, *words)
    moves = re.findall(r"^ *(\d+)\. .*: (?:\d,\d \([A-K]\d+\)|PASS)$", shown, re.M)
    boards = "\n   A B C D E F G H J K\n"
    assert len(moves) == 44 and shown.count(boards) == 2 * 3  # boards after move 20, after move 40, and at the end
    assert max(map(len, shown.splitlines())) <= MOST_COLUMNS
    assert shown_for(*MATCH, *words, "--brief").count(boards) == 0
    assert shown_for(*MATCH, *words, "--board-every", "9").count(boards) == 2 * 5


def test_brief_and_boards_contradict(capsys):
    assert main([*MATCH, "--brief", "--board-every", "3"]) == 2
    assert capsys.readouterr().err == "littlego: --brief draws no boards: omit --brief or --board-every\n"


def test_a_match_of_programs_is_scored_as_it_stands_where_asked(shown_for):
    words = [*MATCH, "--size", "7", "--white", "greedy", "--seed", "2", "--plies", "9"]
    shown = shown_for(*words, "--black", "greedy")
    assert "+ is Black's territory" in shown and "\n 9. Black" in shown and "\n10. " not in shown
    assert "(scored as it stands after 9 plies; Black " in shown
    assert "(scored as it stands after 9 plies; " in shown_for(*words, "--black", "human", entries=["pass"] * 5)


def test_a_match_with_a_person_has_no_limit_of_moves(monkeypatch, shown_for):
    plans = []
    monkeypatch.setattr(cli, "play_game", lambda game, *_: plans.append(game) or played([RESIGN], [], FAST))
    for black, plies in (("human", None), ("greedy", PLIES)):
        shown_for(*MATCH, "--size", "5", "--black", black)
        assert plans.pop().plies == plies


def test_a_player_that_knows_one_game_alone_is_refused(capsys):
    assert main([*MATCH, "--white", "perfect"]) == 2
    assert "littlego: perfect plays only little-go on 5x5" in capsys.readouterr().err


def test_a_person_plays_a_match_to_its_count(shown_for):
    entries = ["Q16", "undo", "q16", "3,15", "pass", "pass", *["pass"] * 9]
    shown = shown_for(*MATCH, "--black", "human", "--white", "human", "--board-every", "1", entries=entries)
    assert " 1. Black (X, human): 3,15 (Q16)\n" in shown
    assert "Nothing to take back" in shown and "3,15 (Q16) is not legal: there is a stone already." in shown
    counted = shown.rpartition("Your move: ")[2]
    assert counted.count(" A B C D E F G H J K L M N O P Q R S T\n") == 2  # lines above and below the only board
    assert "+ is Black's territory" in counted and "Black (human)       1        360          1        362" in counted


def test_the_territory_s_board_is_the_last_one():
    record = played(*WALLS, match_rules(5))
    drawn = end_text(record).partition("\n+ is")[0].replace("+", ".").replace("-", ".")
    assert parse_board(drawn) == (5, record.black, record.white)


def test_a_game_with_clocks_says_what_is_left(capsys):
    board = stones("X . . . .\n" + ". . . . .\n" * 4)
    before = match_rules(5).opening()
    move = Move(1, BLACK, 0, 0.0, "", "", "", 61.5)
    watch_game(("a", "b"), 0)(before, move, before.play(0))
    assert capsys.readouterr().out == " 1. Black (X, a): 0,0  1:02 left\n"
    assert (before.play(0).black, before.play(0).white) == board


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(900, "15:00"), (899.2, "15:00"), (59.9, "1:00"), (9, "0:09"), (0.1, "0:01"), (0, "0:00"), (-1, "0:00")],
)
def test_the_time_on_a_clock(seconds, text):
    assert time_text(seconds) == text


def test_a_fallen_flag_is_the_end_in_a_line():
    ruleset = match_rules(5)
    record = GameRecord(ruleset, ("a", "b"), 0, 0, (), 2, f"Black lost: {TIME_UP}", -13, BLACK, "", 0, 0)
    assert end_text(record) == "White (b) wins. Black lost: its time is up. (as it stood: Black 0, White 0 + 6.5 = 6.5)"
