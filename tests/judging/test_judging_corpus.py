"""Tests of both games' corpora: names and parts are correct, moves and answers equal the engine's."""

from __future__ import annotations

import pickle

import pytest
from knowledge_files import book

from littlego.engines.choosing import engine_for, engine_of
from littlego.engines.reasons.contrast import roles_of
from littlego.judging.changes import ChangesTask
from littlego.judging.corpora import REAL, RECORDED, corpora_of
from littlego.judging.corpus import Corpus, spelled
from littlego.judging.recorded import RecordError, parse_record, read_record
from littlego.knowledge.files import book_with, read_knowledge
from littlego.paths import DECISIONS, MATCH_DECISIONS, MATCH_TXT

EVERY = {"little-go": 900, "match": 225}  # use every nth recorded decision


def some_of(ruleset: str) -> Corpus:
    record = read_record(corpora_of(ruleset).record)
    return record.only(range(0, len(record.names), EVERY[ruleset]))


@pytest.fixture(params=EVERY)
def corpus(request) -> Corpus:
    return some_of(request.param)


def test_parts_and_choices_have_the_positions_that_their_names_say(corpus):
    assert [name for part in corpus.parts() for name in part.names] == list(corpus.names)
    assert [move for part in corpus.parts() for move in part.moves] == list(corpus.moves)
    chosen = corpus.only([3, 1])
    assert list(chosen.names) == [corpus.names[3], corpus.names[1]]
    assert [one.black for one in chosen.positions()] == [corpus.positions()[number].black for number in (3, 1)]
    assert chosen.with_moves([7, 8]).moves == (7, 8) and chosen.with_moves([7, 8]).names == chosen.names


def test_another_process_gets_the_same(corpus):
    assert pickle.loads(pickle.dumps(corpus)) == corpus


@pytest.mark.parametrize("ruleset", EVERY)
def test_what_is_asked_of_a_corpus_is_what_the_engine_says_of_each_position(ruleset):
    corpus, whole = some_of(ruleset), {"little-go": book(), "match": read_knowledge(MATCH_TXT).book}[ruleset]
    engine = engine_for(corpus.positions()[0].ruleset)
    decisions = [engine.decide(position, whole) for position in corpus.positions()]
    assert corpus.decide(whole) == [one.move for one in decisions] == list(corpus.moves)
    name = decisions[1].candidates[0].firings[0].pattern.id
    few = book_with(whole, frozenset([name]))
    assert corpus.fires(few) == [bool(engine.firings(position, few)) for position in corpus.positions()]
    roles = {number: role for role, number, _ in corpus.roles(whole, name) if role != "vetoed"}
    expected = {number: roles_of(one).get(name) for number, one in enumerate(decisions)}
    assert roles == {number: role for number, role in expected.items() if role}
    assert corpus.survey(whole).positions == len(decisions)


def test_both_records_are_in_one_format():
    for ruleset, path in (("little-go", DECISIONS), ("match", MATCH_DECISIONS)):
        lines = path.read_text(encoding="utf-8").splitlines()
        assert lines[0] == DECISIONS.read_text(encoding="utf-8").splitlines()[0]
        record = corpora_of(ruleset).on_record(RECORDED, path)
        assert [line.rpartition(" ")[0] for line in lines[1:]] == list(record.names)


def test_names_of_two_kinds_in_one_file_are_refused():
    lines = [path.read_text(encoding="utf-8").splitlines()[1] for path in (DECISIONS, MATCH_DECISIONS)]
    for text in ("\n".join(lines), "\n".join(reversed(lines))):
        with pytest.raises(RecordError, match="x.txt:2: not a recorded decision"):
            parse_record(text, "x.txt")


def test_the_real_games_of_a_match_are_a_sample_of_the_kept_ones():
    corpora = corpora_of("match")
    assert corpora.named(REAL, MATCH_DECISIONS).names == read_record(MATCH_DECISIONS).names


def test_cached_results_depend_on_the_engine_that_is_imported_by_name(monkeypatch):
    """The cache key includes the engine's signature, since `meaning_of` misses modules imported by name."""
    task = ChangesTask(None, (), "match", (), (), spelled([]))
    before = task.key("code")
    monkeypatch.setattr(type(engine_of("match")), "signature", lambda engine: "another engine")
    assert task.key("code") != before
