"""Tests of the reasons why a pattern does not fire.

An independent implementation checks the failing cells and conditions.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from boards import position
from drawn_patterns import FILE, changed
from knowledge_files import compiled
from slow_matching import slow_matches

from littlego.games.boards import board_rows
from littlego.judging.recorded import read_decisions
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.firing import firings_for, near_misses
from littlego.knowledge.programs import infix
from littlego.rules.position import BLACK, PASS, Position

PUT = {"X": "X", "O": "O", ".": ".", "*": ".", "x": ".", "o": "."}  # a stone or empty point that the symbol accepts


def pattern_of(text: str):
    return compile_text(text, "patterns.yaml", with_examples=False)[2].patterns[0]


def first_failure(board: str, move: int, text: str = FILE, **situation) -> str:
    return near_misses(pattern_of(text), position(board, **situation), move)[0].failed


def test_the_failing_cell_is_named_in_the_frame_of_the_board():
    board = """
        . . . . .
        . . . . .
        . . . . .
        . . . . .
        . . . . X"""
    [best, *others] = near_misses(pattern_of(FILE), position(board), 23)
    assert best.failed == "cell 3,3 is . instead of O" and (best.place, best.conditions) == (18, ())
    assert [miss.cells for miss in others] == [((22, "O", "."),), ((24, "O", "X"),)]
    assert first_failure(board, 24) == "cell 4,4 is X instead of *"


def test_a_false_condition_is_nearer_than_a_failing_cell_and_tells_its_facts():
    board = """
        . . . . .
        . . . . .
        . O . . .
        . . . . .
        . . . . ."""
    assert first_failure(board, 12) == "`liberties(A) == 1` is false: liberties(A) is 4"
    text = changed("liberties(A) == 1", "liberties(A) < size(A) + lead and not passed")
    [miss] = [miss for miss in near_misses(pattern_of(text), position(board, passed=True), 12) if not miss.cells]
    assert miss.conditions == (
        "`not passed` is false: passed is 1",
        "`liberties(A) < size(A) + lead` is false: liberties(A) is 4, size(A) is 1, lead is -1",
    )


def test_an_illegal_move_is_told_where_all_else_holds():
    board = """
        O k O X .
        . O X . .
        . . . . .
        . . . . .
        . . . . ."""
    text = changed("      - liberties(A) == 1\n", "      - size(A) == 1\n")
    assert first_failure(board, 1, text) == "the move is illegal"


def test_nothing_is_missed_where_it_fires_or_never_can():
    board = """
        O X . . .
        . . . . .
        . . . . .
        . . . . .
        . . . . ."""
    pattern = pattern_of(FILE)
    assert near_misses(pattern, position(board), 5) == []
    assert near_misses(pattern, position(board), PASS) == []


@pytest.mark.parametrize("seed", range(4))
def test_shipped_patterns_on_recorded_positions(seed):
    chance = random.Random(seed)
    for record in chance.sample(read_decisions(), 4):
        found = record.position
        for pattern in chance.sample(compiled().base.patterns, 12):
            fired = firings_for(pattern, found)
            for move in [*chance.sample(range(25), 3), record.move]:
                misses = near_misses(pattern, found, move)
                assert not (misses and move in fired)
                for miss in misses:
                    check(pattern, found, move, miss)


def check(pattern, found: Position, move: int, miss) -> None:
    """Assert that the diagram fits after the failing cells are corrected, and not before."""
    own, theirs = found.own, found.theirs
    symbols = list("".join(board_rows(5, own, theirs)))
    assert all(symbols[point] == finds != PUT[wants] for point, wants, finds in miss.cells)
    if pattern.passes and not pattern.rows:
        return
    lies_before = move_at(pattern, symbols, miss, move)
    for point, wants, _ in miss.cells:
        symbols[point] = PUT[wants]
    assert move_at(pattern, symbols, miss, move) and lies_before == (not miss.cells)


def move_at(pattern, symbols: list[str], miss, move: int) -> bool:
    rows = ["".join(symbols[at : at + 5]) for at in range(0, 25, 5)]
    matches = slow_matches(pattern.rows, pattern.label_rows, rows, 5)
    return (miss.symmetry, miss.place, move) in {match[:3] for match in matches}


def test_every_condition_that_is_not_told_holds():
    """Without the conditions that are reported as false, the pattern fires if the move is legal."""
    base = compiled().base
    for record in random.Random(1).sample(read_decisions(), 6):
        for pattern in base.patterns:
            for miss in near_misses(pattern, record.position, record.move)[:1]:
                if miss.conditions:
                    kept = len(pattern.when) - len(miss.conditions)
                    lighter = without(pattern, miss)
                    assert len(lighter.when) == kept
                    legal = record.move == PASS or record.position.legal() >> record.move & 1
                    assert (record.move in firings_for(lighter, record.position)) == bool(legal)


def without(pattern, miss):
    false = {text.split("` is false")[0][1:] for text in miss.conditions}
    return replace(pattern, when=[program for program in pattern.when if infix(program) not in false])


def test_white_is_drawn_as_the_mover_too():
    black = position(". . . . .\n" * 2 + ". X . . .\n" + ". . . . .\n" * 2, colour=BLACK)
    white = Position(black.ruleset, black.white, black.black, 2, 0, False, 10)
    pattern = pattern_of(FILE)
    assert near_misses(pattern, black, 12) == near_misses(pattern, white, 12)
