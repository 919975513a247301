"""Tests of mutants' outcomes, compared with small books of known results and with full decisions."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from knowledge_files import YAML, compiled
from mutation_files import RECORDED, TAKE, WAIT, keep_in

from littlego.cache import Cache
from littlego.judging.mutation import trial
from littlego.judging.mutation.evidence import ExactEvidence
from littlego.judging.mutation.lines import lines_of
from littlego.judging.mutation.trial import (
    DECISION,
    EXAMPLE,
    PROVED,
    SAME,
    SURVIVED,
    Laboratory,
    Request,
    Setup,
    try_mutants,
)
from littlego.knowledge.examples import outcome_of
from littlego.knowledge.textfile import pattern_line
from littlego.rules.engine import decide
from littlego.rules.patternfile import Book, Pattern, book_of

# (mutants of the shipped file, recorded positions) for which the tests decide every position in full
QUICK, THOROUGH = (12, 25), (60, 300)


def outcomes(folder, text: str, recorded: str = RECORDED, pattern: str = "take", cached: bool = False):
    path = folder / "decisions.txt"
    path.write_text(recorded)
    setup = Setup.read(text, "patterns.yaml", "little-go", path, cached)
    return {one.name: one for one in try_mutants(Request(setup, pattern))}


def test_examples_and_decisions_kill_and_the_rest_survives(tmp_path):
    found = {name: one.result for name, one in outcomes(tmp_path, TAKE + WAIT).items()}
    assert found == {
        "cell 0,0 O->o": PROVED,  # an empty point is not a chain, so it has no liberties
        "cell 0,0 O->?": SURVIVED,
        "cell 0,0 O->X": EXAMPLE,
        "edge top drawn": SURVIVED,  # both examples are in the corner
        "edge bottom drawn": SAME,  # the mirror image of the previous one
        "edge left drawn": SURVIVED,
        "edge right drawn": EXAMPLE,
        "when[0] dropped": EXAMPLE,
        "when[0] 1->2": EXAMPLE,
        "when[0] 1->0": EXAMPLE,
        "points 100->110": SURVIVED,
        "points 100->90": DECISION,
    }


def test_says_what_killed(tmp_path):
    found = outcomes(tmp_path, TAKE + WAIT)
    assert found["cell 0,0 O->X"].by == 0 and found["when[0] dropped"].by == 1
    assert found["points 100->90"].by == 0


def test_without_the_recorded_position_nothing_holds_the_points(tmp_path):
    elsewhere = RECORDED.replace("OX", "XO").replace("1,0", "2,2")
    assert outcomes(tmp_path, TAKE + WAIT, elsewhere)["points 100->90"].result == SURVIVED


def test_an_example_that_fails_already_kills_nothing(tmp_path):
    text = TAKE.replace("          move: 1,0", "          move: 4,4")
    found = outcomes(tmp_path, text)
    assert found["cell 0,0 O->X"].result != EXAMPLE
    assert found["when[0] dropped"].result == EXAMPLE  # the other example kills this mutant


def test_results_are_kept_and_an_edited_example_revives(tmp_path, monkeypatch):
    keep_in(tmp_path, monkeypatch)
    first = outcomes(tmp_path, TAKE, cached=True)
    tried = []
    monkeypatch.setattr(trial._Trial, "_failing", lambda self, lines: tried.append(lines))
    monkeypatch.setattr(trial._Trial, "_find_changed", lambda self, mutants: tried.extend(mutants) or {})
    moved = TAKE.replace("patterns:\n", "patterns:\n  # a line more\n")
    assert outcomes(tmp_path, moved, cached=True) == first and not tried
    other = TAKE.replace("            O X . . .\n", "            O X . . X\n")
    assert outcomes(tmp_path, other, cached=True) != first
    assert len(set(tried)) == len(first) - 1  # two of the mutants are equal, so one trial serves both


def test_a_kept_witness_is_proved_again_when_the_book_changes(tmp_path, monkeypatch):
    keep_in(tmp_path, monkeypatch)
    assert outcomes(tmp_path, TAKE + WAIT, cached=True)["points 100->90"].result == DECISION
    cheaper = WAIT.replace("points: 95", "points: 85")
    assert outcomes(tmp_path, TAKE + cheaper, cached=True)["points 100->90"].result == SURVIVED
    assert outcomes(tmp_path, TAKE + cheaper, cached=True) == outcomes(tmp_path, TAKE + cheaper)


def test_shares_together_see_every_position(tmp_path):
    path = tmp_path / "decisions.txt"
    path.write_text(RECORDED + RECORDED.splitlines()[1].replace("20", "18") + "\n")
    setup = Setup.read(TAKE + WAIT, "patterns.yaml", "little-go", path, cached=False)
    shares = [try_mutants(Request(setup, "take", share, 2)) for share in range(2)]
    killed = [{one.name: one.by for one in found if one.result == DECISION} for found in shares]
    assert killed == [{"points 100->90": 0}, {"points 100->90": 1}]


# -- the shipped file: fast results against slow ones -----------------------------------------------------------


@pytest.fixture(scope="module")
def lab():
    return Laboratory(Setup.read(YAML.read_text(), YAML.name, "little-go"))


def sample(lab, patterns: int, each: int) -> list[tuple]:
    """Return random mutants of random shipped patterns as (pattern, mutant, mutated pattern)."""
    chance = random.Random(5)
    # sampled patterns only: making all mutants of all patterns would take most of the time
    some = chance.sample(list(lab.patterns.values()), patterns)
    return [(pattern, *one) for pattern in some for one in chance.sample(lab.mutants(pattern.id), each)]


def slow_book(known) -> Book:
    """Return the book of patterns.yaml with one pattern replaced by `known`, made from the file's lines."""
    base = compiled().base
    patterns = [known if known.id == pattern.id else pattern for pattern in base.patterns]
    lines = [pattern_line(pattern) for pattern in replace(base, patterns=patterns).ranked()]
    return book_of("little-go", 5, [Pattern(line) for line in lines])


@pytest.mark.parametrize(("mutants", "share"), [QUICK, pytest.param(*THOROUGH, marks=pytest.mark.slow)])
def test_agrees_with_deciding_every_position_anew(lab, mutants, share, monkeypatch):
    positions = random.Random(6).sample(lab.positions, share)
    moves = [decide(position, lab.book).move for position in positions]
    monkeypatch.setattr(lab, "positions", positions)
    monkeypatch.setattr(lab, "evidence", ExactEvidence(positions, lab.book, None))
    monkeypatch.setattr(lab, "_foresights", {})
    seen = set()
    for pattern, mutant, known in sample(lab, mutants, 1):
        tried = trial._Trial(lab, Request(replace(lab.setup, cached=False), pattern.id))
        book = slow_book(known)
        changed = [decide(position, book).move != move for position, move in zip(positions, moves, strict=True)]
        lines = lines_of(known)
        looked_at, asked = lab.evidence.may_differ(tried.lines, lines), (*tried.lines, *lines)
        quick = [index in looked_at and bool(tried._changing(index, [lines], asked)) for index in range(share)]
        assert quick == changed, f"{pattern.id}: {mutant.name}"
        seen.update(changed)
    assert seen == {True, False}


def test_examples_fail_as_they_do_for_the_author(lab):
    outcomes = set()
    for pattern, mutant, known in sample(lab, 12, 3):
        tried = trial._Trial(lab, Request(replace(lab.setup, cached=False), pattern.id))
        for index, example in enumerate(pattern.examples):
            passed = outcome_of(known, example).passed
            assert tried._fails(index, lines_of(known)) != passed, f"{pattern.id}: {mutant.name}"
            outcomes.add(passed)
    assert outcomes == {True, False}


def test_the_cache_is_not_asked_where_it_is_not_wanted(tmp_path, monkeypatch):
    monkeypatch.setattr(Cache, "__init__", None)
    assert outcomes(tmp_path, TAKE)
