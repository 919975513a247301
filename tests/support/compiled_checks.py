"""Comparison of the compiled rules with rules/, position by position."""

from __future__ import annotations

import random
from collections.abc import Iterable

import numpy as np

from littlego.engines.compiled.engine import (
    BARRED_MOVE,
    ILLEGAL,
    VETOED,
    compile_book,
    decide_many,
    fired_many,
    scores_many,
)
from littlego.engines.compiled.states import after, ends, parts
from littlego.rules.engine import Candidate, Decision, decide
from littlego.rules.geometry import points_of
from littlego.rules.patternfile import Book
from littlego.rules.position import PASS, Position
from littlego.rules.positionkey import KO_AT, LEFT_AT, PASSED_AT, pack, pack_move, unpack

OPENING = 24 << LEFT_AT | 1 << PASSED_AT


def decisions(positions: Iterable[Position], book: Book) -> list[tuple[int, int]]:
    """Return (move, index of the deciding pattern or -1) for each position, by rules.engine."""
    return [_decided(decide(position, book), book) for position in positions]


def _decided(decision: Decision, book: Book) -> tuple[int, int]:
    firings = decision.chosen.firings
    return pack_move(decision.move), book.patterns.index(firings[0].pattern) if firings else -1


def compiled_decisions(codes: np.ndarray, program: np.ndarray) -> list[tuple[int, int]]:
    """Return (move, index of the deciding pattern or -1) for each position, by decide_many."""
    moves, deciders = decide_many(codes, program)
    return list(zip(moves.tolist(), deciders.tolist(), strict=True))


def assert_same_decisions(positions: list[Position], book: Book) -> None:
    """Assert that both engines choose the same move by the same deciding pattern."""
    codes = np.array([pack(position) for position in positions])
    found, expected = compiled_decisions(codes, compile_book(book)), decisions(positions, book)
    assert found == expected, next(
        (int(code), one, other) for code, one, other in zip(codes, found, expected, strict=True) if one != other
    )


def assert_same_candidates(positions: list[Position], book: Book) -> None:
    """Assert that both engines agree on all firings and on the score and veto of every move."""
    program = compile_book(book)
    codes = np.array([pack(position) for position in positions])
    fired = fired_many(codes, program)
    scores, against = scores_many(codes, program)
    for number, position in enumerate(positions):
        candidates = decide(position, book, complete=True).candidates
        legal = {pack_move(candidate.move) for candidate in candidates}
        assert {move for move in range(26) if against[number, move] != ILLEGAL} == legal
        for index, pattern in enumerate(book.patterns):
            moves = sum(1 << pack_move(one.move) for one in candidates if _fires(one, pattern))
            assert fired[number, index] == moves, (pattern.id, int(codes[number]))
        for one in candidates:
            move = pack_move(one.move)
            assert tuple(scores[number, move]) == (one.priority, one.points, one.specificity), int(codes[number])
            assert against[number, move] == (BARRED_MOVE if one.barred else VETOED if one.veto else 0)


def _fires(candidate: Candidate, pattern) -> bool:
    return any(firing.pattern is pattern for firing in candidate.all_firings)


def random_games(games: int, seed: int) -> np.ndarray:
    """Return the codes of positions in random games with frequent captures and occasional passes."""
    draw = random.Random(seed)
    return _codes_of([lambda _, position: _random_move(draw, position)] * 2, games)


def walks(games: int, seed: int, program: np.ndarray) -> np.ndarray:
    """Return the codes of positions in games of the book's player against a random player."""
    draw = random.Random(seed)

    def ours(code, _):
        return decide_many(np.array([code]), program)[0][0]

    def anything(_, position):
        return _random_move(draw, position)

    half = games // 2
    return np.concatenate([_codes_of([ours, anything], half), _codes_of([anything, ours], games - half)])


def _codes_of(players: list, games: int) -> np.ndarray:
    """Return the distinct codes of the positions in games between two players.

    A player is a function from a code and its position to a packed move."""
    found = {}
    for _ in range(games):
        code = OPENING
        for number in range(24):
            found[code] = None
            move = int(players[number % 2](code, unpack(code)))
            if ends(code, move):
                break
            code = after(code, move)
    return np.array(list(found))


def _random_move(draw: random.Random, position: Position) -> int:
    options = points_of(position.legal())
    if not options or draw.random() < 0.06:
        return pack_move(PASS)
    best = [point for point in options if position.play(point).own.bit_count() < position.theirs.bit_count()]
    return draw.choice(best if best and draw.random() < 0.5 else options)


def in_any_phase(draw: random.Random, codes: np.ndarray) -> np.ndarray:
    """Return the codes of the given boards with random kos, passes and numbers of moves left.

    The number of moves left implies the mover.
    """
    found = []
    for code in codes.tolist():
        board = code & (1 << KO_AT) - 1
        empty = points_of(~(board | board >> 25) & (1 << 25) - 1)
        ko = draw.choice(empty) + 1 if empty and draw.random() < 0.3 else 0
        passed = int(not ko and draw.random() < 0.3)
        found.append(board | ko << KO_AT | passed << PASSED_AT | draw.randint(1, 24) << LEFT_AT)
    return np.array(found)


def left_of(codes: np.ndarray) -> list[int]:
    """Return the number of moves left in each position."""
    return [parts(code)[4] for code in codes.tolist()]
