"""Tests of the engine and the book that our player chooses by ruleset, board size, and named file."""

from __future__ import annotations

import os
from binascii import crc32
from collections import Counter

import pytest
from random_matches import random_match

from littlego import paths
from littlego.engines.books import book_in
from littlego.engines.choosing import engine_for
from littlego.engines.draw.decisions import reason_line
from littlego.engines.large.engine import ENGINE as LARGE
from littlego.engines.large.search import LargeDecision
from littlego.engines.small.engine import ENGINE as SMALL
from littlego.games.game import opening
from littlego.games.little_go import little_go_of
from littlego.games.match import match_rules
from littlego.match.protocol import Turn
from littlego.match.referee import Game
from littlego.match.series import Pairing, play_game
from littlego.paths import PATTERNS_TXT
from littlego.players.ours import OursPlayer, decide_at
from littlego.players.registry import make_player, player_for
from littlego.rules.engine import Decision, decide
from littlego.rules.patternfile import PatternFileError
from littlego.rules.position import BLACK
from littlego.rules.ruleset import LITTLE_GO

CENTRE = "the-centre\topening\t500\t1\t\t-----/--.--/.*./.../...\t\t1\t\t\tThe first line."
ANYWHERE = "anywhere\topening\t500\t1\t\t*\t\t10 @* line *\t\t\tHigh is good."


def write_match_book(path, *lines):
    """Write a patterns.txt for matches in the compiler's format, without placements."""
    body = "".join(f"{line}\n" for line in lines) + "\n" * len(lines) + "end\n"
    head = f"littlego-patterns 2 match {crc32(body.encode()):08x} {'0' * 64} {len(lines)} 19\n"
    path.write_text(head + body)
    return str(path)


@pytest.fixture
def match_book(tmp_path):
    return write_match_book(tmp_path / "mine.txt", ANYWHERE)


@pytest.fixture
def shipped(tmp_path, monkeypatch):
    """Enter a folder with a patterns.match.txt of one pattern, and return the path of this file."""
    path = write_match_book(tmp_path / "patterns.match.txt", ANYWHERE)
    monkeypatch.chdir(tmp_path)
    return path


def test_every_match_and_large_boards_of_the_course_s_game_are_decided_apart():
    assert [engine_for(match_rules(size)) for size in (5, 9, 19)] == [LARGE] * 3
    assert [engine_for(little_go_of(size)) for size in (5, 7, 8, 19)] == [SMALL, SMALL, LARGE, LARGE]
    for ruleset in (little_go_of(7), little_go_of(8)):
        assert isinstance(OursPlayer().decide(opening(ruleset)), LargeDecision) == (engine_for(ruleset) is LARGE)


def test_up_to_7x7_the_course_s_game_is_decided_as_by_rules():
    book = book_in(str(PATTERNS_TXT))
    for size in (5, 6, 7):
        position = opening(little_go_of(size)).play(0)
        decision, plain = OursPlayer(with_overrides=False).decide(position), decide(position, book.for_size(size))
        assert type(decision) is Decision
        assert (decision.move, reason_line(decision)) == (plain.move, reason_line(plain))


def test_a_match_is_played_by_its_own_patterns_where_there_are_some(shipped):
    player = OursPlayer()
    assert player.book_for(match_rules(9)).ruleset_name == "match"
    assert [one.id for one in player.book_for(match_rules(5)).patterns] == ["anywhere"]
    assert player.book_for(little_go_of(9)) is player.book_for(LITTLE_GO) is book_in(str(PATTERNS_TXT))
    assert decide_at(match_rules(9).opening()).move == player.decide(match_rules(9).opening()).move == 40


def test_without_them_it_is_played_by_those_of_the_course_s_game(monkeypatch, tmp_path):
    monkeypatch.setattr(paths, "HOME", tmp_path)
    monkeypatch.chdir(tmp_path)
    assert OursPlayer().book_for(match_rules(9)) is book_in(str(PATTERNS_TXT))


def test_a_named_file_plays_everywhere_by_what_it_has(shipped, match_book):
    by_name = make_player(f"ours:{PATTERNS_TXT}", 1)
    assert by_name.book_for(match_rules(9)) is book_in(str(PATTERNS_TXT)) and by_name.name == f"ours:{PATTERNS_TXT}"
    assert make_player("ours", 1).book_for(match_rules(9)).ruleset_name == "match"
    player = make_player(f"ours:{match_book}", 1)
    assert player.decide(match_rules(19).opening()).move == 180
    assert player.decide(opening(little_go_of(9))).move == 40


def test_patterns_of_a_match_do_not_play_the_course_s_game(match_book):
    player = OursPlayer(match_book)
    with pytest.raises(PatternFileError, match="mine.txt: these patterns are for match, not for little-go"):
        player.decide(opening(LITTLE_GO))
    with pytest.raises(PatternFileError, match="these patterns are for match, not for little-go"):
        player.prepare(LITTLE_GO)


def test_a_damaged_book_of_a_match_is_told(tmp_path):
    path = write_match_book(tmp_path / "bad.txt", ANYWHERE)
    (tmp_path / "bad.txt").write_text((tmp_path / "bad.txt").read_text().replace("High", "Low"))
    with pytest.raises(PatternFileError, match="checksum"):
        OursPlayer(path)


def test_reasons_come_with_the_moves_of_a_match():
    player = OursPlayer()
    for position in random_match(3, 9, plies=30)[5::8]:
        turn = Turn(position, (0, 0))
        reply, decision = player.choose(turn), player.decide(position)
        assert (reply.move, reply.reason) == (decision.move, reason_line(decision))


@pytest.mark.parametrize("size", [5, 9])
def test_whole_games_against_random_play_are_won_by_legal_moves(size):
    players = OursPlayer(), make_player("random", size)
    record = Game(players, match_rules(size), seed=size, plies=3 * size * size).play()
    assert not record.fault and record.winner == BLACK, record.why


@pytest.mark.slow
def test_a_thousand_whole_games_have_no_illegal_move_no_exception_and_no_flag():
    """The games cover all board sizes, self-play, play against `random`, both colours and both pass rules.

    LITTLEGO_WHOLE_GAMES selects a part of the games, such as 0-99; -s prints the results.
    """
    first, _, last = os.environ.get("LITTLEGO_WHOLE_GAMES", "0-999").rpartition("-")
    sizes = Counter()
    for number in range(int(first), int(last) + 1):
        rules = match_rules(5 + number % 15, pass_stones=number // 15 % 2 == 0)
        players = ("ours", ("ours", "random")[number // 30 % 2])[:: 1 if number // 60 % 2 else -1]
        plan = Pairing(number, *players, number, 2, ruleset=rules.name, minutes=15, plies=3 * rules.size**2)
        record = play_game(plan, player_for)
        assert not record.fault, (number, record.why, record.note)
        sizes[rules.size] += 1
    print(f"\nno fault in {sizes.total()} games: {dict(sorted(sizes.items()))}")
