"""Tests that the compiled engine has the same moves and reasons as rules.engine, with any book."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import numpy as np
import pytest
from compiled_checks import (
    assert_same_candidates,
    assert_same_decisions,
    in_any_phase,
    random_games,
    walks,
)
from drawn_patterns import FILE
from hypothesis import given, settings
from hypothesis import strategies as st
from knowledge_files import TXT, book
from random_books import random_book
from small_books import book as book_of
from small_books import pattern

from littlego.engines.compiled import engine, scoring
from littlego.engines.compiled.engine import ALLOWED, VETOED, compile_book, decide_many, scores_many
from littlego.judging.recorded import read_decisions
from littlego.judging.role_games import positions_against
from littlego.knowledge.compiler import compile_text
from littlego.parallel import each
from littlego.players.roles.table import corpus_roles
from littlego.rules.engine import Candidate, Firing, best, rank
from littlego.rules.patternfile import load
from littlego.rules.position import Position
from littlego.rules.positionkey import PASS_POINT, pack, unpack


@pytest.fixture(scope="module")
def positions() -> list[Position]:
    """Return positions of random games and walks, and the same boards with other clocks, kos and passes."""
    return met(games=40, seed=1)


def met(games: int, seed: int) -> list[Position]:
    codes = np.concatenate([random_games(games, seed), walks(games, seed, compile_book(book()))])
    both = np.concatenate([codes, in_any_phase(random.Random(seed), codes)])
    return [unpack(code) for code in both]


def test_positions_of_games_and_walks(positions):
    assert len(positions) > 2500
    assert_same_decisions(positions[::9], book())  # the slow tests compare a hundred thousand positions
    assert_same_candidates(positions[1::40], book())


def test_recorded_positions_in_any_phase():
    codes = np.array([pack(one.position) for one in read_decisions()[::16]])
    assert_same_decisions([unpack(code) for code in in_any_phase(random.Random(2), codes)], book())


def test_what_is_rare_is_met(positions):
    program = compile_book(book())
    codes = np.array([pack(position) for position in positions])
    moves, deciders = decide_many(codes, program)
    _, against = scores_many(codes, program)
    assert (moves == PASS_POINT).sum() > 20 and (deciders < 0).sum() > 3
    assert (against == VETOED).sum() > 500 and (~(against == ALLOWED).any(axis=1)).sum() > 20
    assert sum(position.left <= 2 for position in positions) > 200
    assert sum(position.ko != 0 for position in positions) > 200


@pytest.mark.parametrize("seed", range(16))
def test_other_books(positions, seed):
    some = random.Random(seed).sample(positions, 30)
    other = random_book(seed)
    assert_same_decisions(some, other)
    assert_same_candidates(some[:8], other)


def test_a_book_without_patterns(positions):
    assert_same_candidates(positions[::120], book_of())


def test_a_book_as_an_author_writes_it(positions, tmp_path):
    data, _, _ = compile_text(FILE.encode(), "patterns.yaml", with_examples=False)
    path = tmp_path / "patterns.txt"
    path.write_bytes(data)
    assert_same_candidates(positions[::120], load(str(path)))


def test_forbid_and_sacrifice_decide(positions):
    forbidding = book_of(pattern("no", "*", flags="f", priority=900), pattern("pass", "", flags="p", priority=-50))
    careless = book_of(pattern("near", "X*", points="@* own_liberties", flags="s"))
    for other in (forbidding, careless):
        assert_same_candidates(positions[::120], other)
        assert_same_decisions(positions[::60], other)


def test_a_table_adds_the_number_of_the_colour_and_the_phase(positions):
    table = "13 7 5 1/4 19 23 13/-2 13 17 7"
    other = book_of(
        pattern("near", "X*", points="@* own_liberties", table=table),
        pattern("far", "O*", points="3", table="8 1/4 19/-2 13"),
        pattern("many", "*", points="3 @* line * @* own_near +", table="1/5/6"),
    )
    assert_same_candidates(positions[::60], other)
    assert_same_decisions(positions[::60], other)


def test_a_pattern_is_an_answer_and_no_code_of_its_own(positions):
    codes = np.array([pack(position) for position in positions[:20]])
    decide_many(codes, compile_book(book()))
    known = len(engine._decide_many.signatures)
    decide_many(codes, compile_book(random_book(99)))
    assert len(engine._decide_many.signatures) == known == 1


def test_threads_share_a_program(positions):
    program = compile_book(book())
    parts = np.array_split(np.array([pack(position) for position in positions]), 4)
    with ThreadPoolExecutor(2) as threads:
        found = list(threads.map(lambda part: decide_many(part, program)[0].tolist(), parts * 3))
    assert found == [decide_many(part, program)[0].tolist() for part in parts] * 3


def test_codes_of_any_array(positions):
    codes = np.array([pack(position) for position in positions[:40]])
    program = compile_book(book())
    assert decide_many(codes[::2], program)[0].tolist() == decide_many(codes, program)[0][::2].tolist()
    assert decide_many(codes[:0], program)[0].size == 0


def test_books_that_cannot_be_compiled():
    with pytest.raises(ValueError, match="only a book for 5x5"):
        compile_book(book_of(size=7))
    with pytest.raises(ValueError, match="65 steps; expected at most 64"):
        compile_book(book_of(pattern("long", "*", points="1" + " 1 +" * 32)))


def check_games(task: tuple[str, int]) -> int:
    """Compare the decisions in many games of one kind, and return the number of positions."""
    kind, seed = task
    known = load(str(TXT))
    if kind == "met":
        positions = met(games=280, seed=seed)
        assert_same_decisions(positions, known)
        return len(positions)
    positions = list(positions_against(kind, known, games=60, seed=seed, noise=0.15))
    assert_same_decisions(positions, known)
    return len(positions)


@pytest.mark.slow
def test_a_hundred_thousand_positions():
    tasks = [("met", seed) for seed in range(100, 106)] + [(role.name, 8) for role in corpus_roles()]
    counts = [count for _, count in each(check_games, tasks, jobs=2)]
    assert sum(counts) >= 100_000


SCORES = st.tuples(*[st.integers(-2, 2)] * 3)  # priority, points, specificity


def candidate(move: int, score: tuple[int, int, int], barred: bool = True) -> Candidate:
    one = Candidate(move, [])
    one.priority, one.points, one.specificity = score
    one.barred = barred
    return one


@settings(deadline=None)  # the first example may compile the engine
@given(SCORES, SCORES)
def test_moves_rank_as_in_the_engine(score, other):
    assert scoring.outranks(*score, *other) == (rank(candidate(1, score)) < rank(candidate(0, other)))


@settings(deadline=None)
@given(st.integers(0, 2), st.booleans(), st.integers(0, 2), st.booleans())
def test_of_moves_that_are_all_vetoed_the_engine_plays_the_same(loss, barred, other_loss, other_barred):
    first, second = candidate(0, (1, 0, 0), other_barred), candidate(1, (0, 0, 0), barred)
    losses = {first: 1 + other_loss, second: 1 + loss}
    chosen = best([first, second], losses.get)
    assert scoring.is_less_bad(1 + loss, barred, 1 + other_loss, other_barred) == (chosen is second)


@settings(deadline=None)
@given(SCORES, SCORES)
def test_the_same_firing_decides_as_in_the_engine(score, other):
    before, after = (
        Firing(SimpleNamespace(priority=priority, specificity=specificity, id="", risk=False), 0, 0)
        for priority, _, specificity in (other, score)
    )
    decides = scoring.decides(score[0], score[2], other[0], other[2])
    assert decides == (Candidate(0, [before, after]).firings[0] is after)
