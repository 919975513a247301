"""Tests of the ends of our matches; GNU Go finds dead stones and plays resigned games to the end.

With all games, the tests take hours. LITTLEGO_ENDINGS and LITTLEGO_RESIGNED set the number of games for each size, for
example 9:20,13:4. `-s` prints the results.
"""

import os
import time
from contextlib import closing
from itertools import cycle

import pytest
from gnugo import needs_gnugo

from littlego.games.game import margin2, opening
from littlego.games.match import match_rules
from littlego.games.vertices import parse_vertex
from littlego.match.series import Pairing, play_game
from littlego.players.cli import player_without_reasons
from littlego.players.gtp_player import COLOUR_WORDS, Engine, komi_for, stones_of
from littlego.players.registry import parse
from littlego.rules.geometry import count, points_of
from littlego.rules.life import alive_stones
from littlego.rules.position import BLACK, PASS, RESIGN, WHITE


def numbers_by_size(variable, default):
    """Return [(size, number of games)] from an environment variable or, if it is not set, from `default`."""
    parts = os.environ.get(variable, default).split(",")
    return [(int(size), int(number)) for size, number in (part.split(":") for part in parts)]


FINISHED = numbers_by_size("LITTLEGO_ENDINGS", "9:140,13:40,19:20")
RESIGNED = numbers_by_size("LITTLEGO_RESIGNED", "9:70,13:20,19:10")
OPPONENTS = ("silly", "greedy", "aggressive", "random", "gnugo", "gnugo:1")
ENGINE = ["--mode", "gtp", "--level", "0", "--chinese-rules", "--capture-all-dead", "--forbid-suicide"]
PATIENCE = 60.0  # timeout in seconds for GNU Go's answers
LONGEST = 4  # maximum plies of a game per point of the board; in longer games the players fill their own territory
DRAWN = 2  # plies of each game's random opening; from the empty board, GNU Go would always play the same game
TRIES = 20  # number of games against GNU Go per game that we must resign

pytestmark = [pytest.mark.slow, needs_gnugo]


def positions_of(record):
    """Return all positions of a game, including the final position. A resignation adds no position."""
    positions = [opening(record.ruleset)]
    for move in record.moves:
        if move.move != RESIGN:
            positions.append(positions[-1].play(move.move))
    return positions


def engine():
    return Engine([parse("gnugo").files[0], *ENGINE])


def set_up(gnugo, position):
    """Set up a position in GNU Go, with a komi that compensates for prisoners."""
    until = time.monotonic() + PATIENCE
    size = position.ruleset.size
    for command in (f"boardsize {size}", "clear_board", f"komi {komi_for(position):g}"):
        gnugo.ask(command, until)
    for colour, point in stones_of(position):
        gnugo.ask(f"play {COLOUR_WORDS[colour]} {'ABCDEFGHJKLMNOPQRST'[point % size]}{size - point // size}", until)


def dead_stones(gnugo, position):
    """Return a mask of the stones that GNU Go considers dead."""
    set_up(gnugo, position)
    said = gnugo.ask("final_status_list dead", time.monotonic() + PATIENCE).split()
    return sum(1 << parse_vertex(vertex, position.ruleset.size) for vertex in said)


def lead2(position, colour):
    return margin2(position) if colour == BLACK else -margin2(position)


def gains_on_a_pass(position):
    """Return the points where a risk-free move scores more for the mover than a pass.

    A move is risk-free if its stone is then unconditionally alive, and no other stone of the mover loses unconditional
    life.
    """
    passed, alive = (
        lead2(position.play(PASS), position.colour),
        alive_stones(position.own, position.theirs, position.grid),
    )
    better = []
    for point in points_of(position.legal()):
        after = position.play(point)
        lives = alive_stones(after.theirs, after.own, after.grid)
        if lead2(after, position.colour) > passed and lives >> point & 1 and not alive & ~lives:
            better.append(point)
    return better


def longest(size):
    return LONGEST * size * size


def games(number, size):
    """Yield (our colour, record) of `number` games on a board size. Opponents and colours alternate."""
    for index, opponent in zip(range(number), cycle(OPPONENTS)):
        rules = match_rules(size, pass_stones=index // len(OPPONENTS) % 2 == 0)
        ours = BLACK if index // 2 % 2 == 0 else WHITE
        players = ("ours", opponent) if ours == BLACK else (opponent, "ours")
        yield ours, play(index, players, rules)


def play(index, players, rules):
    game = Pairing(index, *players, index, DRAWN, ruleset=rules.name, plies=longest(rules.size))
    return play_game(game, player_without_reasons)


@pytest.mark.parametrize("size, number", FINISHED)
def test_nothing_dead_is_left_and_no_pass_loses_points(size, number):
    left, costly, finished = [], [], 0
    gnugo = engine()
    with closing(gnugo.talk):
        for ours, record in games(number, size):
            if record.why != "two passes":
                continue
            finished += 1
            positions = positions_of(record)
            last = positions[-1]
            dead = dead_stones(gnugo, last) & (last.white if ours == BLACK else last.black)
            if dead:
                left.append((record.seed, record.players, count(dead)))
            for position, move in zip(positions, record.moves, strict=False):
                if move.move == PASS and position.colour == ours and gains_on_a_pass(position):
                    costly.append((record.seed, record.players, move.number, gains_on_a_pass(position)[:3]))
    print(f"{finished} of {number} games on {size}x{size} ended with two passes")
    assert finished >= number // 3
    assert not left and not costly, (left, costly)


def played_on(position, gnugo):
    """Let GNU Go play on for both sides; return the mover's lead in half points, ±1 after a resignation."""
    set_up(gnugo, position)
    resigner, size = position.colour, position.ruleset.size
    for _ in range(longest(size)):
        said = gnugo.ask(f"genmove {COLOUR_WORDS[position.colour]}", time.monotonic() + PATIENCE)
        if said.lower() == "resign":
            return -1 if position.colour == resigner else 1
        move = parse_vertex(said, size)
        over = position.ends_with(move)
        position = position.play(move)
        if over:
            break
    return lead2(position, resigner)


def resigned_games(number, size):
    """Yield up to `number` games that our player resigns to GNU Go. Colours and pass stones alternate."""
    seen = 0
    for index in range(TRIES * number):
        rules = match_rules(size, pass_stones=index % 2 == 0)
        players = ("ours", "gnugo") if index % 4 < 2 else ("gnugo", "ours")
        record = play(index, players, rules)
        last = record.moves[-1]
        if last.move == RESIGN and players[last.colour - 1] == "ours":
            seen += 1
            yield record
        if seen == number:
            break


@pytest.mark.parametrize("size, number", RESIGNED)
def test_resigned_games_were_lost(size, number):
    won, seen = [], 0
    gnugo = engine()
    with closing(gnugo.talk):
        for record in resigned_games(number, size):
            seen += 1
            if played_on(positions_of(record)[-1], gnugo) > 0:
                won.append((record.seed, record.players, record.ruleset.name, len(record.moves)))
    print(f"{seen} games resigned on {size}x{size}, {len(won)} won when played on: {won}")
    assert seen == number
    assert 100 * len(won) <= seen, won
