"""Tests of cached answers, which are stored batch by batch, and recomputed after a pattern changes."""

from __future__ import annotations

import pytest
from checking import watch_questions
from drawn_patterns import FILE, changed

from littlego.cache import Cache
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.exact.questions import NO, UNDECIDED, YES, Answer, Exact
from littlego.knowledge.lint import answers
from littlego.knowledge.lint.answers import CAN_FIRE, CONDITION, IMPLIES, NO_POINTS, Answers, answer_from, as_json

ENTRY = FILE.split("patterns:\n")[1]
TWO = FILE + changed("id: take", "id: take-one", ENTRY).replace("- liberties(A) == 1", "- size(A) == 1 and in_atari(A)")
QUESTIONS = [(CAN_FIRE, 0, 0), (CONDITION, 0, 0), (NO_POINTS, 1, 0), (IMPLIES, 1, 0), (IMPLIES, 0, 1)]


def base_of(text: str):
    return compile_text(text, "patterns.yaml", with_examples=False)[2]


@pytest.fixture
def asked(monkeypatch):
    """Return a list to which each question that the cache cannot answer is appended."""
    return watch_questions(monkeypatch)


def answered(text: str, folder) -> Answers:
    found = Answers(base_of(text), cache=Cache("lint", folder))
    found.ask_all(QUESTIONS, "pattern")
    return found


def plain(found: Answers) -> dict:
    return {question: [as_json(one) for one in told] for question, told in found.known.items()}


def test_what_is_known_is_not_asked_again(tmp_path, asked):
    first = answered(TWO, tmp_path)
    assert sorted(asked) == sorted(QUESTIONS)
    asked.clear()
    second = answered(TWO, tmp_path)
    assert asked == [] and plain(first) == plain(second)
    assert [first.of(*question).verdict for question in QUESTIONS] == [YES, YES, NO, YES, NO]


def test_only_what_a_change_can_matter_to_is_asked_again(tmp_path, asked):
    answered(TWO, tmp_path)
    asked.clear()
    answered(TWO.replace("size(A) == 1 and", "size(A) == 2 and"), tmp_path)
    assert sorted(asked) == sorted(question for question in QUESTIONS if question[0] == IMPLIES or question[1] == 1)


def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path, asked, monkeypatch):
    def interrupted(function, batches, jobs):
        yield batches[0], function(batches[0])
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(answers, "each", interrupted)
        with pytest.raises(KeyboardInterrupt):
            answered(TWO, tmp_path)
    before = set(asked)
    asked.clear()
    answered(TWO, tmp_path)
    assert before and before | set(asked) == set(QUESTIONS) and not before & set(asked)


def test_open_pairs_are_those_that_no_example_refutes(tmp_path):
    found = answered(TWO, tmp_path)
    exact = Exact(found.patterns, found.ruleset)
    pairs = [(0, 1), (1, 0)]
    assert found.open_pairs() == [(p, q) for p, q in pairs if not exact.samples.fires(p, but_not=q)]
    assert answered(TWO, tmp_path).open_pairs() == found.open_pairs()


def test_an_answer_survives_being_kept():
    found = Exact(base_of(FILE).patterns, base_of(FILE).ruleset).can_be_legal(0)
    again = answer_from(as_json(found), base_of(FILE).ruleset)
    assert as_json(again) == as_json(found) and again.witness.own == found.witness.own
    assert answer_from(as_json(Answer(UNDECIDED, nodes=7)), base_of(FILE).ruleset) == Answer(UNDECIDED, nodes=7)
