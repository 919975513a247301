"""Tests of the corpora: our games against erring roles, reproducible by seed, and recorded positions."""

from __future__ import annotations

from knowledge_files import book

from littlego.judging import role_games as corpora
from littlego.judging.recorded import read_decisions, read_record
from littlego.judging.role_games import extend_record, gather_positions, positions_against
from littlego.paths import DECISIONS
from littlego.records.positions import position_text
from littlego.rules.position import PASS


def moves(noise, seed=3):
    return [position.black for position in positions_against("greedy", book(), 2, seed, noise)]


def test_noise_makes_other_games_and_the_same_ones_again():
    assert moves(0.0) == moves(0.0)
    assert moves(0.5) == moves(0.5) != moves(0.0)
    assert moves(0.5) != moves(0.5, seed=4)


def test_with_noise_alone_the_role_does_not_matter():
    random_only = [
        [position.black for position in positions_against(role, book(), 2, 3, 1.0)] for role in ("greedy", "aggressive")
    ]
    assert random_only[0] == random_only[1]


def test_gathering_takes_real_positions_and_a_sample_of_others(monkeypatch):
    monkeypatch.setattr(corpora, "RECORD_GAMES", 1)
    monkeypatch.setattr(corpora, "MOST_RECORDED", 10)
    monkeypatch.setattr(corpora, "NOISE", (0.3,))
    positions = gather_positions(book())
    texts = [position_text(one) for one in positions]
    assert len(texts) == len(set(texts)) == 3223 + 10
    assert texts == [position_text(one) for one in gather_positions(book())]
    assert texts[:3223] == [position_text(one.position) for one in read_decisions()[:3223]]


def test_what_is_on_record_stays_as_it_is_when_positions_are_added(monkeypatch):
    monkeypatch.setattr(corpora, "gather_positions", lambda _: [one.position for one in read_decisions()[600:604]])
    record = read_record(DECISIONS)
    known, others = record.only([601, 602]).with_moves([PASS, PASS]), record.only([600, 603])
    found = extend_record(known, book())
    assert found.only([0, 1]) == known and found.only([2, 3]) == others and len(found.names) == 4
