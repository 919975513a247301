"""Tests of SGF for all board sizes and rulesets: exact round trips, and properties for other programs."""

from __future__ import annotations

import json
import random

import pytest
from finished_sgf import finished_game
from random_games import random_game, rules_of

from littlego.games.clock import Clock
from littlego.games.game import opening
from littlego.games.match import match_rules
from littlego.match.referee import Game, Player, Reply, record_json
from littlego.records.main_line import game_sgf
from littlego.records.records import RecordError, game_json, game_record
from littlego.records.sgf import read_games, text_value, unescape
from littlego.records.sgf_writing import record_sgf
from littlego.rules.position import BLACK, PASS, RESIGN, WHITE, from_boards
from littlego.rules.ruleset import LITTLE_GO

SIZES = range(5, 20)


def check_round_trips(size, games, seed=0):
    rng = random.Random(f"{size}:{seed}")
    for number in range(games):
        for ruleset in rules_of(size, rng):
            record = random_game(ruleset, rng)
            about, date = rng.choice(["", "Game 3 of a series.\nWith a second line."]), rng.choice(["", "2026-11-22"])
            text = record_sgf(record, about, date=date)
            read = finished_game(text)
            assert record_sgf(*read) == text, (size, number, ruleset.name)
            assert (read.about, read.date, read.record.ruleset) == (about, date, ruleset)
            assert [move.move for move in read.record.moves] == [move.move for move in record.moves]
            assert (read.record.winner, read.record.fault, read.record.why, read.record.lead2) == (
                (record.winner, record.fault, record.why, record.lead2)
            )
            assert (read.record.prisoners, read.record.flagged) == (record.prisoners, record.flagged)
            check_positions(text, record)


def check_positions(text, record):
    positions = game_sgf(text).positions()
    position = opening(record.ruleset)
    for found, move in zip(positions, record.moves, strict=False):
        assert (found.black, found.white, found.colour) == (position.black, position.white, position.colour)
        position = position if move.move == RESIGN else position.play(move.move)


@pytest.mark.parametrize("size", SIZES)
def test_games_come_back_byte_for_byte(size):
    check_round_trips(size, 2)


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_many_games_come_back_byte_for_byte(size):
    check_round_trips(size, 200, seed=1)


@pytest.mark.parametrize("size", [5, 9, 19])
def test_games_come_back_from_json(size):
    rng = random.Random(size)
    for _ in range(5):
        for ruleset in rules_of(size, rng):
            record = random_game(ruleset, rng)
            value = json.loads(json.dumps(record_json(record)))
            assert game_record(value) == record
            if record.fault == 0 and record.moves[-1].move != RESIGN:
                assert len(game_json(json.dumps(value)).positions()) == len(record.moves)


class Scripted(Player):
    name = "Ada"

    def __init__(self, moves):
        self.moves = list(moves)

    def choose(self, turn):
        return Reply(self.moves.pop(0), reason="so")


class Ticking:
    """A fake clock that advances a quarter of a second at each reading."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        self.now += 0.25
        return self.now


def test_a_timed_match_says_its_terms_times_and_score():
    rules = match_rules(5, pass_stones=True)
    clock = Clock((60, 60), Ticking())
    text = record_sgf(Game((Scripted([12, PASS]), Scripted([PASS])), rules, clock=clock).play())
    root = read_games(text)[0]
    nodes = list(root.main_line())
    assert root.text("RU") == "match-5" and root.text("KM") == "6.5" and root.text("TM") == "60"
    assert root.text("RE") == "B+18.5"  # 1 stone, 24 points of territory, and one prisoner on each side, minus 6.5
    assert root.text("GC").splitlines() == [
        "Rules match-5: stones, territory and prisoners count, and White gets 6.5; nothing is removed as dead; two "
        "passes end the game; a pass hands a stone over as a prisoner; no stone may recreate an earlier board with "
        "the same player to move (situational superko); no suicide.",
        "Captures: Black took 0; White took 0.",
        "Score: Black stones 1, territory 24, prisoners 1; White stones 0, territory 0, prisoners 1, komi 6.5.",
        "End: two passes",
    ]
    assert [node.text("BL") + node.text("WL") for node in nodes[1:]] == sorted(
        [node.text("BL") + node.text("WL") for node in nodes[1:]], key=float, reverse=True
    )
    assert "DT" not in root.properties


def test_a_flag_is_in_the_result():
    record = Game((Scripted([12]), Scripted([13])), match_rules(5), clock=Clock((0.1, 60), Ticking())).play()
    assert record.flagged and "RE[W+T]" in record_sgf(record)


def test_a_position_that_is_set_up_comes_back_with_its_moves_left():
    start = from_boards(LITTLE_GO, None, (1 << 12, 1 << 7), WHITE, 15)
    record = random_game(LITTLE_GO, random.Random(3), 8, start)
    text = record_sgf(record, "Said of it.", start)
    read = finished_game(text)
    assert (
        "LGML[15]" in text and "GC[Set-up position; 15 moves left.\n" in text and "AB[cc]" in text and "AW[cb]" in text
    )
    assert (read.start.left, read.start.colour, read.start.black) == (15, WHITE, 1 << 12)
    assert record_sgf(*read) == text


def test_a_match_that_is_set_up_comes_back_with_its_prisoners():
    start = match_rules(9).start((1 << 40 | 1 << 42, 0), WHITE, (2, 5))
    record = random_game(match_rules(9), random.Random(3), 30, start)
    text = record_sgf(record, "", start)
    read = finished_game(text)
    assert "HA[2]" in text and "LGPR[2:5]" in text and read.start.prisoners == (2, 5)
    assert record_sgf(*read) == text


def test_a_result_that_the_moves_do_not_come_to_is_refused():
    text = record_sgf(Game((Scripted([12, PASS]), Scripted([PASS])), match_rules(5)).play())
    with pytest.raises(RecordError, match=r"its result is 'W\+3', but its 3 moves give B\+18.5"):
        finished_game(text.replace("RE[B+18.5]", "RE[W+3]"))


WRONG_JSON = {
    "prisoners": ({"prisoners": [0, 7]}, "its prisoners are [0, 7], but its moves give (1, 1)"),
    "time that grows": ({"budgets": [60, 0.1]}, "move 2: 59.5 seconds left, more than before the move"),
    "winner": ({"winner": 2}, "its winner is 2, but its 3 moves give 1"),
    "lead": ({"lead": 1.5}, "its lead is 1.5, but its 3 moves give 18.5"),
    "ruleset": ({"ruleset": "chess"}, "unknown ruleset 'chess'; expected a name such as little-go or match-9"),
}


@pytest.mark.parametrize(("change", "message"), WRONG_JSON.values(), ids=WRONG_JSON)
def test_a_match_that_does_not_add_up_is_refused(change, message):
    clock = Clock((60, 60), Ticking())
    value = record_json(Game((Scripted([12, PASS]), Scripted([PASS])), match_rules(5), clock=clock).play())
    game_record(json.loads(json.dumps(value)))
    with pytest.raises(RecordError) as error:
        game_record({**json.loads(json.dumps(value)), **change})
    assert message in str(error.value)


def test_times_without_budgets_are_refused():
    value = record_json(Game((Scripted([12, PASS]), Scripted([PASS])), match_rules(5), clock=Clock((60, 60))).play())
    del value["budgets"]
    with pytest.raises(RecordError, match="move 1: expected `left` if and only if the game has `budgets`"):
        game_record(json.loads(json.dumps(value)))


@pytest.mark.parametrize("text", ["a", "]", "\\", "[x] [y]", "]\n[", "\\]\\[", "a\\"])
def test_a_text_comes_back_or_has_parentheses_where_a_reader_would_split_it(text):
    glued = any(part.strip() == "" for part in text.split("]")[1:] for part in [part.partition("[")[0]] if "[" in text)
    back = unescape(text_value(text))
    assert back == text or (glued and back == text.replace("[", "(").replace("]", ")"))
    assert "]" not in back or "[" not in back.partition("]")[2].strip()[:1]


def test_our_name_of_the_rules_beats_the_size():
    game = game_sgf("(;SZ[9]RU[match-9-no-pass-stones-komi0];B[];W[])")
    assert game.start.ruleset is match_rules(9, 0, False)


FOREIGN = {
    "5x5": ("(;SZ[5]KM[0.5]RU[Japanese];B[cc])", None, "little-go"),
    "9x9": ("(;SZ[9];B[cc])", None, "match-9-no-pass-stones"),
    "with komi": ("(;SZ[9]KM[7.5]RU[Chinese];B[cc])", None, "match-9-no-pass-stones-komi7.5"),
    "komi with a comma": ("(;SZ[9]KM[2,5];B[cc])", None, "match-9-no-pass-stones-komi2.5"),
    "komi of nothing": ("(;SZ[9]KM[];B[cc])", None, "match-9-no-pass-stones"),
    "no size": ("(;GM[1];B[cc])", None, "match-no-pass-stones"),
    "asked for Little-Go": ("(;SZ[9];B[cc])", "little-go", "little-go-9"),
    "asked for the match": ("(;SZ[5]KM[0];B[cc])", "match", "match-5-komi0"),
    "asked for what it says": ("(;SZ[9]RU[match-9];B[cc])", "match", "match-9"),
}


@pytest.mark.parametrize(("text", "asked", "name"), FOREIGN.values(), ids=FOREIGN)
def test_the_rules_of_a_foreign_game(text, asked, name):
    assert game_sgf(text, asked).start.ruleset.name == name


def test_rules_other_than_the_file_names_are_refused():
    with pytest.raises(RecordError, match="its RU property names the rules match-9"):
        game_sgf("(;SZ[9]RU[match-9];B[cc])", "little-go")


def test_a_handicap_lets_white_begin():
    start = game_sgf("(;SZ[9]HA[2]AB[cc][gg])").start
    assert (start.colour, start.ruleset.name) == (WHITE, "match-9-no-pass-stones")
    assert game_sgf("(;SZ[9]HA[2]AB[cc][gg]PL[B])").start.colour == BLACK
