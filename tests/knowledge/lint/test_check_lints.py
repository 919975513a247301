"""Tests that lints agree with the player's engine.

The tests cover conditions that are always or never true, and drawn witnesses.
"""

from __future__ import annotations

import random
import re
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import pytest
from checking import checked
from knowledge_files import YAML, compiled

from littlego.engines.large.vocabulary import small_facts
from littlego.games.boards import parse_board
from littlego.judging.recorded import read_decisions
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.exact.bounds import zero_on_stones
from littlego.knowledge.firing import firings_for, near_misses
from littlego.knowledge.lint.answers import Answers
from littlego.knowledge.lint.check import Checked, check_text
from littlego.knowledge.lint.proofs import Proofs
from littlego.knowledge.model import KnownPattern
from littlego.rules.engine import canonical
from littlego.rules.geometry import points_of
from littlego.rules.position import BLACK, WHITE, Position
from littlego.rules.ruleset import LITTLE_GO

FAULTY = sorted((Path(__file__).parents[2] / "data" / "faulty_patterns").glob("*.yaml"))
TOGETHER = ("L203", "L204", "L205", "L230", "L231")  # drawn with a move for which both patterns fire


def drawn_position(drawing: str) -> tuple[Position, int]:
    """Return the position in a witness's drawing, and the move that the drawing shows in parentheses."""
    *rows, told = drawing.splitlines()[1:]
    cells = "".join(row[2:] for row in rows)
    size, own, theirs = parse_board("\n".join(re.sub(r"[^XO.]", "", row[2:]) for row in rows))
    move = len(re.sub(r"[^XO.(]", "", cells).partition("(")[0])
    left = int(re.search(r"(\d+) moves left", told)[1])
    ko = re.search(r"denies (\d),(\d)", told)
    ko_mask = 1 << size * int(ko[1]) + int(ko[2]) if ko else 0
    colour = WHITE if "X is White" in told else BLACK
    black, white = (theirs, own) if colour == WHITE else (own, theirs)
    return Position(LITTLE_GO, black, white, colour, ko_mask, "a pass now ends" in told, left), move


@pytest.mark.parametrize("path", FAULTY, ids=lambda path: path.stem)
def test_what_is_drawn_is_so(path):
    data = path.read_bytes()
    known = {pattern.id: pattern for pattern in compile_text(data, path.name, False)[2].patterns}
    for problem in checked(data, path.name, notes=path.stem.startswith("note-")).problems:
        named = [known[name] for name in re.findall(r"`([a-z0-9-]+)`", problem.message) if name in known]
        if problem.code in TOGETHER:
            position, move = drawn_position(problem.drawing)
            assert all(move in firings_for(pattern, position) for pattern in named[:2]) and len(named) >= 2
        elif problem.code == "L202":
            position, move = drawn_position(problem.drawing)
            assert near_misses(named[0], position, move)[0].failed == "the move is illegal"
        elif problem.code == "L212":
            position, move = drawn_position(problem.drawing)
            assert firings_for(named[0], position)[move].points == 0


@lru_cache(maxsize=1)
def shipped() -> tuple[Checked, dict[str, KnownPattern]]:
    """Return the findings in patterns.yaml, and its patterns by id."""

    def exact_lints(base, undecided):
        return Proofs(base, Answers(base), undecided).lints()

    return check_text(YAML.read_bytes(), YAML.name, exact_lints), {one.id: one for one in compiled().base.patterns}


def test_nothing_in_the_shipped_file_is_an_error_or_undecided():
    found, _ = shipped()
    assert [str(problem) for problem in found.problems if problem.severity == "error"] == []
    assert found.undecided == []


def test_no_alarm_on_the_shipped_file_is_false():
    """The test confirms each kind of warning by independent means."""
    found, known = shipped()
    for problem in found.problems:
        pattern = max((one for one in known.values() if one.line <= problem.line), key=lambda one: one.line)
        if problem.code == "L206":
            letter = re.search("`(.)`", problem.message)[1]
            assert not re.search(rf"\b{letter}\b", " ".join([pattern.points_text, *pattern.when_text]))
        elif problem.code == "L207":
            assert not pattern.label_rows
        else:
            assert problem.code == "L210", str(problem)
            assert always_true(pattern, (problem.line, problem.column))


def always_true(pattern: KnownPattern, place: tuple[int, int]) -> bool:
    """Return whether the condition at a place excludes no move in a sample of recorded positions."""
    condition = next(one for number, one in enumerate(pattern.when) if pattern.places[f"when {number}"] == place)
    bare, asking = replace(pattern, when=[]), replace(pattern, when=[condition])
    positions = [record.position for record in random.Random(0).sample(read_decisions(), 60)]
    return all(firings_for(bare, one).keys() == firings_for(asking, one).keys() for one in positions)


def test_which_facts_are_0_where_a_stone_stands():
    asked, positive = set(), set()
    for record in random.Random(2).sample(read_decisions(), 300):
        _, state = canonical(record.position)
        for name, fact in small_facts().items():
            if fact.kinds == ("point",):
                asked.add(name)
                answers = [fact.function(state, 0, 1 << point) for point in points_of(state.own | state.theirs)]
                positive |= {name} if any(answers) else set()
    assert asked - positive == zero_on_stones(LITTLE_GO) and positive
