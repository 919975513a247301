"""Tests of a match server's move log: exact round trips, and logs that other servers or people wrote."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from littlego.games.boards import board_text, parse_board
from littlego.games.match import match_rules
from littlego.match.matchlog import (
    Ending,
    LoggedMove,
    MatchLog,
    MatchLogError,
    log_json,
    log_text,
    parse_log,
    parse_protocol_move,
    parse_time,
    read_log,
)
from littlego.rules.geometry import points_of
from littlego.rules.position import BLACK, PASS, RESIGN, WHITE

KO = """
. X O . .
X O . O .
. X O . .
. . . . .
. . . . .
"""


def played_log(size: int, seed: int, plies: int) -> MatchLog:
    """Return the log of a random game with random times, names and ending."""
    rng = random.Random(seed)
    rules = match_rules(size, rng.choice([13, 0, -5]), rng.random() < 0.5)
    position = start = rules.start((0, 0), rng.choice([BLACK, WHITE]), (rng.randrange(3), 0))
    moves = []
    while len(moves) < plies and not (moves and moves[-1].move == RESIGN):
        choices = [*points_of(position.legal()), PASS]
        move = RESIGN if rng.random() < 0.01 else rng.choice(choices)
        moves.append(LoggedMove(move, rng.randrange(5000)))
        if position.ends_with(move):
            break
        position = position.play(move)
    ending = Ending("resign", BLACK, (rng.randrange(300) / 2, 6.5), 7) if rng.random() < 0.5 else None
    return MatchLog(start, (900_000, 60_000), tuple(moves), ending, rng.randrange(99), 0, 50, ("A b", "ü"))


def as_values(log: MatchLog) -> tuple:
    """Return a log as comparable values, since a position is equal only to itself."""
    start = log.start
    return (start.ruleset.name, start.black, start.white, start.colour, start.prisoners, *log[1:])


@given(st.integers(5, 19), st.integers(0, 10**6), st.integers(0, 60))
@settings(max_examples=40, deadline=None)
def test_a_log_is_read_back_as_it_was(size, seed, plies):
    log = played_log(size, seed, plies)
    text = log_text(log)
    again = parse_log(text)
    assert as_values(again) == as_values(log) and log_text(again) == text
    assert again.positions()[-1].seen == log.positions()[-1].seen


def test_a_long_game_with_captures_is_read_back(tmp_path):
    log = played_log(9, 4, 400)
    path = tmp_path / "checkpoint.json"
    path.write_text(log_text(log))
    assert sum(log.positions()[-1].prisoners) > 20 and log_text(read_log(path)) == path.read_text()


def original(**changes):
    """Return an archive in the format of the original server's first version, with some keys changed."""
    return {
        "initialState": {
            "turn": "B",
            "players": {
                "B": {"remainingTime": 900000, "prisoners": 0},
                "W": {"remainingTime": 900000, "prisoners": 0},
            },
            "board": [["."] * 19 for _ in range(19)],
        },
        "moveLog": [
            {"move": {"type": "place", "point": {"row": 18, "column": 0}}, "deltaTime": 14620},
            {"move": {"type": "pass"}, "deltaTime": 3504},
            {"move": {"type": "pass"}, "deltaTime": 1467},
            {"end": {"reason": "pass", "scores": {"B": 362, "W": 7.5}, "winner": "B"}, "deltaTime": 0},
        ],
        "komi": 6.5,
        "ko": True,
        "scoringMethod": "area",
        "prisonerScore": 1,
        "idleDeltaTime": 0,
        **changes,
    }


def test_an_archive_of_the_original_server_is_read():
    log = parse_log(json.dumps(original(passAddsToPrisoners=True)))
    assert [entry.move for entry in log.moves] == [18 * 19, PASS, PASS]
    assert log.ending == Ending("pass", BLACK, (362, 7.5)) and log.remaining() == (900000 - 14620 - 1467, 900000 - 3504)
    score = log.positions()[-1].score()
    assert (sum(side[0] for side in score), sum(side[1] for side in score) + 6.5) == log.ending.scores
    assert log.other_rules == ("simple ko instead of superko",)


def test_a_configuration_that_people_write_is_read():
    players = {"B": {"remainingTime": "15:00"}, "W": {"remainingTime": "00:01.500"}}
    value = {"initialState": {"board": 9, "players": players, "turn": "W"}, "superko": True}
    log = parse_log(json.dumps(value))
    assert log.times == (900_000, 1500) and log.start.colour == WHITE and log.start.ruleset.size == 9
    assert not log.start.ruleset.pass_stones and not log.other_rules and log.names == ("", "")


@pytest.mark.parametrize(
    "text, milliseconds",
    [("15:00", 900_000), ("0:01.5", 1500), ("7", 7000), ("-01:00.001", -60_001), (12.4, 12), (" 2.25 ", 2250)],
)
def test_times(text, milliseconds):
    assert parse_time(text) == milliseconds


def test_idle_time_and_that_of_the_end_are_taken_from_whoever_is_to_move():
    moves = (LoggedMove(3, 100), LoggedMove(PASS, 20), LoggedMove(RESIGN, 1))
    start = match_rules(5).opening()
    assert MatchLog(start, (1000, 1000), moves[:1], idle=5).remaining() == (900, 995)
    assert MatchLog(start, (1000, 1000), moves[:2], Ending("timeout", WHITE, (0, 6.5), 900)).remaining() == (0, 980)
    assert MatchLog(start, (1000, 1000), moves, Ending("resign", WHITE, (0, 6.5))).remaining() == (899, 980)


def with_board(drawn: str, moves: list, **changes):
    size, black, white = parse_board(drawn)
    board = ["".join("BW."[2 if not (black | white) >> p & 1 else white >> p & 1] for p in range(size**2))]
    rows = [board[0][start : start + size] for start in range(0, size**2, size)]
    state = {**original()["initialState"], "board": rows}
    log = [{"move": {"type": "place", "point": {"row": row, "column": column}}} for row, column in moves]
    return original(initialState=state, moveLog=log, **changes)


def test_without_superko_a_log_may_come_back_to_a_board():
    retaken = [(1, 2), (1, 1)]  # Black captures the ko, White recaptures at once
    loose = parse_log(json.dumps(with_board(KO, retaken, ko=False)))
    last = loose.positions()[-1]
    assert board_text(5, last.black, last.white) == board_text(*parse_board(KO)) and last.prisoners == (1, 1)
    assert loose.other_rules == ("no superko",)
    with pytest.raises(MatchLogError, match="move 2, row 1 and column 1, is illegal: it re"):
        parse_log(json.dumps(with_board(KO, retaken, superko=True)))


PLACE = {"type": "place", "point": {"row": 18, "column": 0}}


@pytest.mark.parametrize(
    "changes, said",
    [
        ({"initialState": None}, "initialState: expected an object, found nothing"),
        ({"initialState": {"board": 4}}, "board: expected a size or number of rows from 5 to 19, found 4"),
        ({"initialState": {"board": True}}, "board: expected a size or number of rows from 5 to 19"),
        ({"initialState": {"board": [["."] * 5] * 4 + [["."] * 6]}}, "board: row 4 should have 5 points"),
        ({"initialState": {"board": [["."] * 5] * 4 + [["x\x1b"] * 5]}}, "at 4,0, found 'x.*x1b'"),
        ({"initialState": {"board": ["BBBBB"] * 5, "players": {}}}, "board: no empty point"),
        ({"initialState": {"board": 5, "turn": "."}}, "turn: expected B or W"),
        ({"initialState": {"board": 5, "players": {"B": {"remainingTime": "soon"}, "W": {}}}}, "MM:SS.mmm, found 'so"),
        ({"komi": 6.25}, "komi 6.25: expected a whole or a half number"),
        ({"komi": float("nan")}, "komi: expected a number"),
        ({"superko": 1}, "superko: expected true or false, found 1"),
        ({"moveLog": {}}, "moveLog: expected a list"),
        ({"moveLog": [{"move": {"type": "place", "point": {"row": 1.5, "column": 0}}}]}, "move 1: Invalid point"),
        ({"moveLog": [{"move": {"type": "place", "point": {"row": 19, "column": 0}}}]}, "move 1: Out of Bound"),
        ({"moveLog": [{"move": PLACE}, {"move": PLACE}]}, "move 2, row 18 and column 0, is illegal: there is a stone"),
        ({"moveLog": [{"move": {"type": "pass"}}] * 3}, "move 3: the game ended with move 2"),
        ({"moveLog": [{"move": {"type": "pass"}, "deltaTime": "x"}]}, "deltaTime of move 1: expected milliseconds"),
        ({"moveLog": [{"end": {"reason": "boredom"}}]}, "scores: expected an object"),
        ({"moveLog": [{"end": {"reason": "mercy", "scores": {"B": 1, "W": 1}, "winner": "?"}}]}, "the winner B, W or"),
    ],
)
def test_what_is_wrong_is_named_in_a_line(changes, said):
    with pytest.raises(MatchLogError, match=said) as found:
        parse_log(json.dumps(original(**changes)))
    assert "\n" not in str(found.value) and len(str(found.value)) < 200


@pytest.mark.parametrize(
    "data",
    ["", "[", "[" * 60_000, "nonsense", b"\xff\xfe", "1" * 5000],
    ids=["nothing", "open", "deep", "words", "no UTF-8", "huge"],
)
def test_what_is_no_json_is_named_with_its_file(tmp_path, data):
    path = tmp_path / "checkpoint.json"
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    with pytest.raises(MatchLogError, match="checkpoint.json: expected a move log as JSON, found"):
        read_log(path)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
)


@given(st.sampled_from([*log_json(played_log(5, 1, 9)), "initialState.board", "initialState.players"]), JSON)
@settings(max_examples=150, deadline=None)
def test_whatever_stands_in_a_log_it_is_read_or_refused(key, value):
    whole = log_json(played_log(5, 1, 9))
    at = whole
    *folder, last = key.split(".")
    for name in folder:
        at = at[name]
    at[last] = value
    try:
        parse_log(json.dumps(whole))
    except MatchLogError as error:
        assert str(error).isprintable()


@given(JSON)
@settings(max_examples=100, deadline=None)
def test_whatever_a_move_is_it_is_read_or_refused(value):
    for move in value, {"type": "place", "point": value}, {"type": "place", "point": {"row": value, "column": 0}}:
        try:
            assert -2 <= parse_protocol_move(move, 5) < 25
        except MatchLogError as error:
            assert str(error) in ("Invalid type", "Invalid point", "Out of Bound")
