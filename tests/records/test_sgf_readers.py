"""Tests that three third-party readers read the same boards, results and comments from our SGF."""

from __future__ import annotations

import random

import pytest
from npm_packages import needs_node
from random_games import random_game, rules_of
from sgf_readers import pysgf_read, sabaki_read, sabaki_trees, sgfmill_read

from littlego.games.boards import board_rows
from littlego.records.sgf import point_value, read_games
from littlego.records.sgf_writing import record_sgf
from littlego.rules.position import RESIGN

SIZES = range(5, 20)
SYMBOLS = str.maketrans("XO", "bw")


def games_of(size, games, seed):
    rng = random.Random(f"readers:{size}:{seed}")
    records = [random_game(ruleset, rng) for _ in range(games) for ruleset in rules_of(size, rng)]
    return [(record, record_sgf(record, "About [it] [all] \\.")) for record in records]


def check(read, record, text):
    ours = read_games(text)[0]
    size = record.ruleset.size
    assert read.board() == [row.translate(SYMBOLS) for row in board_rows(size, record.black, record.white)]
    played = [move for move in record.moves if move.move != RESIGN]
    assert [value for _, value in read.moves] == [point_value(move.move, size) for move in played]
    assert (read.result, read.about) == (ours.text("RE"), ours.text("GC")) and "(it) (all)" in read.about
    assert read.komi == record.ruleset.komi2 / 2
    assert read.comments == [node.text("C") for node in ours.main_line()]


@pytest.mark.parametrize("size", SIZES)
def test_sgfmill_agrees(size):
    for record, text in games_of(size, 1, 0):
        check(sgfmill_read(text), record, text)


@pytest.mark.parametrize("size", SIZES)
def test_pysgf_agrees(size):
    for record, text in games_of(size, 1, 0):
        check(pysgf_read(text), record, text)


@needs_node
def test_sabaki_agrees():
    games = [game for size in SIZES for game in games_of(size, 1, 0)]
    for (record, text), tree in zip(games, sabaki_trees([text for _, text in games]), strict=True):
        check(sabaki_read(tree), record, text)


@needs_node
@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_all_three_agree_on_many_games(size):
    games = games_of(size, 100, 1)
    trees = sabaki_trees([text for _, text in games])
    for (record, text), tree in zip(games, trees, strict=True):
        for read in (sgfmill_read(text), pysgf_read(text), sabaki_read(tree)):
            check(read, record, text)
