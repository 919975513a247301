"""Reasons in compiled code (numba): the role of each pattern in the decisions in many positions.

numba compiles the search of littlego.engines.reasons.choice unchanged; the compiled engine fills the search's Table.
tests/engines/compiled/test_compiled_reasons.py compares the answers with littlego.engines.reasons.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from littlego.engines.compiled.board import compiled_source, first_point, jit, jit_inlined, legal_moves
from littlego.engines.compiled.engine import best_endings, canonical_state, undone
from littlego.engines.compiled.programs import (
    FIRING_CELLS,
    FIRING_MOVE,
    FIRING_PATTERN,
    FIRING_POINTS,
    FIRING_ROW,
    FORBID,
    HOW_MANY,
    PATTERN_ROW,
    PATTERNS,
    PRIORITY,
    RISK,
    SACRIFICE,
    SPECIFICITY,
)
from littlego.engines.compiled.reading import address, begin, firings_of, new_scratch
from littlego.engines.compiled.roles import DECIDES, PRESENT, ROLE, ROLE_NAMES, SUPPORTS, VETOED
from littlego.engines.compiled.safety import checked, loss_of
from littlego.engines.compiled.scoring import BARRED, SUM, TOP, of, pay, price_of, score_all, score_built_in
from littlego.engines.compiled.states import image
from littlego.engines.reasons import choice
from littlego.engines.reasons.choice import Table, Work
from littlego.engines.reasons.contrast import ALONE, KINDS, RESULT
from littlego.rules.positionkey import PASS_POINT, POINTS

_SOURCE = compiled_source(choice, {})
_choose, _find_patterns, _kind_between, _standing, _outranks = (
    _SOURCE[name] for name in ("choose", "find_patterns", "kind_between", "standing", "outranks")
)
MOVES = POINTS + 1
_RESULT, _ALONE = KINDS.index(RESULT), KINDS.index(ALONE)


class Reasons(NamedTuple):
    """The moves chosen in many positions, with the reasons, the patterns' roles and the firings.

    moves: the chosen moves as int8, where 25 is a pass. kinds: the kinds of difference between each chosen move and its
    rival, as int8 indexes into littlego.engines.reasons.contrast.KINDS. roles: int8 [position, pattern], one of ABSENT
    to DECIDES, with or without VETOED. The other fields have one element for each firing for a legal move: at (the
    position's index), turn (the symmetry that gives the position's canonical image), pattern, and cells (the placement
    on the canonical image, see rules.matching).
    """

    moves: np.ndarray
    kinds: np.ndarray
    roles: np.ndarray
    at: np.ndarray
    turn: np.ndarray
    pattern: np.ndarray
    cells: np.ndarray

    def of_pattern(self, pattern: int) -> list[int]:
        """Return the list of a pattern's roles, one for each position."""
        roles: list[int] = self.roles[:, pattern].tolist()
        return roles

    def of_position(self, number: int) -> list[int]:
        """Return the list of the patterns' roles in a position."""
        roles: list[int] = self.roles[number].tolist()
        return roles

    def count_roles(self) -> dict[str, list[int]]:
        """Return the number of positions in which each pattern has each role.

        The result is {role name or `vetoed`: [number of positions for each pattern]}.
        """
        roles = self.roles & ROLE
        counts = {name: (roles == role).sum(axis=0).tolist() for name, role in ROLE_NAMES.items()}
        return counts | {"vetoed": (self.roles & VETOED != 0).sum(axis=0).tolist()}

    def count_said(self, patterns: Sequence[int] | None = None) -> int:
        """Return the number of positions in which any of the given patterns decides or supports the move.

        patterns: the patterns' indexes; None means all patterns.
        """
        return int(self.has_a_say(patterns).sum())

    def has_a_say(self, patterns: Sequence[int] | None = None) -> np.ndarray:
        """Return, for each position, whether at least one of the given patterns decides or supports the move.

        The result is an array of bool. patterns: the patterns' indexes; None means all patterns.
        """
        roles = self.roles & ROLE if patterns is None else self.roles[:, patterns] & ROLE
        answer: np.ndarray = (roles >= SUPPORTS).any(axis=1)
        return answer

    def placements(self, mask: int) -> list[tuple[int, int, int]]:
        """Return the distinct triples (pattern, turn, cells & mask) of all firings. mask: an int of at most 29 bits."""
        seen = np.unique(self.pattern << 32 | self.turn << 29 | self.cells & mask)
        parts = (seen >> 32, seen >> 29 & 7, seen & mask)
        return list(zip(*(part.tolist() for part in parts), strict=True))


def reasons_many(codes: np.ndarray, program: np.ndarray, with_firings: bool = True) -> Reasons:
    """Return the Reasons for positions given as codes; with_firings=False omits the firings."""
    moves, kinds, roles, firings = _reasons_many(np.ascontiguousarray(codes, np.int64), program, with_firings)
    return Reasons(moves, kinds, roles, *firings.T)


def firings_many(codes: np.ndarray, program: np.ndarray) -> np.ndarray:
    """Return the firings for legal moves as rows: int64 [firings, 4].

    Columns: the position's index, the move, the pattern's index, the points. Rows are ordered by position, and
    then by the move on the canonical image. A firing of a `risk` pattern is included only if its points count: see
    scoring.pay.
    """
    return np.asarray(_firings_many(np.ascontiguousarray(codes, np.int64), program))


@jit
def _firings_many(codes, program):
    scratch, found, number = new_scratch(program), np.empty((256, 4), np.int64), 0
    for k in range(codes.size):
        state, symmetry = canonical_state(codes[k])
        begin(state, address(program), address(scratch))
        moves = legal_moves(state.own, state.theirs, state.ko) | 1 << PASS_POINT
        score_all(moves, state, address(program), address(scratch))
        paid = _paid_for(moves, state, program, scratch)
        head = firings_of(program)
        while number + scratch[head] > found.shape[0]:
            found = np.concatenate((found, np.empty_like(found)))
        for row in range(head + 1, head + 1 + FIRING_ROW * scratch[head], FIRING_ROW):
            place = program[PATTERNS] + PATTERN_ROW * scratch[row + FIRING_PATTERN]
            if program[place + RISK] and not paid >> scratch[row + FIRING_MOVE] & 1:
                continue
            found[number, 0], found[number, 1] = k, undone(scratch[row + FIRING_MOVE], symmetry)
            found[number, 2], found[number, 3] = scratch[row + FIRING_PATTERN], scratch[row + FIRING_POINTS]
            number += 1
    return found[:number]


@jit
def _paid_for(moves, state, program, scratch):
    """Add the points of `risk` patterns to the scores of the moves for which these points count.

    Return these moves as a mask.
    """
    paid, check = 0, checked(state)
    if 0 < state.left <= 2:
        return paid
    while moves:
        move = first_point(moves)
        moves &= moves - 1
        if price_of(move, address(program), address(scratch)):
            loss = loss_of(state, check, move)
            paid |= int(pay(move, loss, address(program), address(scratch))) << move
    return paid


@jit
def _reasons_many(codes, program, with_firings):
    scratch, store = new_scratch(program), new_store(program)
    patterns = program[HOW_MANY]
    moves, kinds = np.empty(codes.size, np.int8), np.empty(codes.size, np.int8)
    roles = np.zeros((codes.size, patterns), np.int8)
    firings, number = np.empty((256, 4), np.int64), 0
    for k in range(codes.size):
        move, kind, symmetry = reason_one(codes[k], address(program), address(scratch), store, roles[k])
        moves[k], kinds[k] = undone(move, symmetry), kind
        if not with_firings:
            continue
        head = firings_of(program)
        while number + scratch[head] > firings.shape[0]:
            firings = np.concatenate((firings, np.empty_like(firings)))
        for row in range(head + 1, head + 1 + FIRING_ROW * scratch[head], FIRING_ROW):
            firings[number, 0], firings[number, 1] = k, symmetry
            firings[number, 2], firings[number, 3] = scratch[row + FIRING_PATTERN], scratch[row + FIRING_CELLS]
            number += 1
    return moves, kinds, roles, firings[:number]


@jit
def reason_one(code, program, scratch, store, roles):
    """Fill in the patterns' roles in a position; return (move on the canonical image, kind, symmetry)."""
    state, symmetry = canonical_state(code)
    begin(state, program, scratch)
    moves = legal_moves(state.own, state.theirs, state.ko) | 1 << PASS_POINT
    is_last = 0 < state.left <= 2
    considered = best_endings(state, moves) if is_last else moves
    score_all(moves, state, program, scratch)
    patterns = _fill_store(moves, is_last, state, program, scratch, store)
    table, work, numbers = _table(program, store), _work(program, store), _column(NUMBERS, program, store)
    chosen = _choose(table, considered, work.out)
    _, instead = _find_patterns(table, considered, chosen, patterns, work)
    for pattern in range(patterns):
        work.out[pattern] = 0
        roles[numbers[pattern]] = DECIDES if work.decides[pattern] else SUPPORTS if work.found[pattern] else PRESENT
    _mark_vetoed(table, considered, chosen, work, numbers, roles)
    if instead < 0:
        rest = considered & ~(_twins(chosen, state) | 1 << chosen)
        if not rest:
            return chosen, _RESULT if moves != considered else _ALONE, symmetry
        instead = _choose(table, rest, work.out)
    return chosen, _kind_between(table, chosen, instead, work.out), symmetry


# Layout of the store: the columns of a Table, the columns of a Work, the book number of each pattern in the table, and
# the table's row for each book number. Columns are passed as addresses, because numba would count references to a dozen
# arrays at every call.
NUMBERS, ROWS = len(Table._fields) + len(Work._fields), len(Table._fields) + len(Work._fields) + 1
COLUMNS = ROWS + 1


@jit_inlined
def _length(program):
    return MOVES * program[HOW_MANY] + MOVES + 1


@jit
def new_store(program):
    """Return a new store: an array for one thread, with room for all columns of any position."""
    return np.zeros(COLUMNS * _length(program), np.int64)


@jit_inlined
def _column(number, program, store):
    """Return the address of a column of the store."""
    return address(store[number * _length(program) :])


@jit_inlined
def _table(program, store):
    return Table(
        _column(0, program, store),
        _column(1, program, store),
        _column(2, program, store),
        _column(3, program, store),
        _column(4, program, store),
        _column(5, program, store),
        _column(6, program, store),
        _column(7, program, store),
        _column(8, program, store),
        _column(9, program, store),
        _column(10, program, store),
        _column(11, program, store),
        _column(12, program, store),
    )


@jit_inlined
def _work(program, store):
    return Work(
        _column(13, program, store),
        _column(14, program, store),
        _column(15, program, store),
        _column(16, program, store),
    )


@jit
def _fill_store(moves, is_last, state, program, scratch, store):
    """Fill the Table with the scored moves and reset the Work; return the number of patterns in the Table."""
    table, work = _table(program, store), _work(program, store)
    numbers, rows = _column(NUMBERS, program, store), _column(ROWS, program, store)
    patterns = _fill_firings(table, numbers, rows, program, scratch)
    for pattern in range(patterns):
        place = program[PATTERNS] + PATTERN_ROW * numbers[pattern]
        table.priority[pattern] = program[place + PRIORITY]
        table.specificity[pattern] = program[place + SPECIFICITY]
        table.forbids[pattern] = program[place + FORBID]
        table.sacrifice[pattern] = program[place + SACRIFICE]
        table.risk[pattern] = program[place + RISK]
        work.decides[pattern] = work.found[pattern] = work.out[pattern] = 0
    check = checked(state)
    for move in range(MOVES):
        table.place[move], table.loss[move] = move, 0
        if moves >> move & 1:
            if not is_last:
                table.loss[move] = loss_of(state, check, move)
            score_built_in(move, state, scratch)
            table.bare_priority[move] = of(move, TOP, scratch)
            table.bare_points[move] = of(move, SUM, scratch)
            table.bare_barred[move] = of(move, BARRED, scratch)
    return patterns


@jit
def _fill_firings(table, numbers, rows, program, scratch):
    """Fill the Table with the firings, ordered by move; return the number of distinct patterns that fire.

    The patterns of these firings get consecutive new numbers, in the order of the book.
    """
    head = firings_of(program)
    for number in range(program[HOW_MANY]):
        rows[number] = 0
    for k in range(scratch[head]):
        rows[scratch[head + 1 + FIRING_ROW * k + FIRING_PATTERN]] = 1
    patterns = 0
    for number in range(program[HOW_MANY]):
        if rows[number]:
            numbers[patterns], rows[number] = number, patterns
            patterns += 1
    next_move = 0
    for k in range(scratch[head]):
        row = head + 1 + FIRING_ROW * k
        while next_move <= scratch[row + FIRING_MOVE]:
            table.first[next_move] = k
            next_move += 1
        table.pattern[k], table.points[k] = rows[scratch[row + FIRING_PATTERN]], scratch[row + FIRING_POINTS]
    while next_move <= MOVES:
        table.first[next_move] = scratch[head]
        next_move += 1
    return patterns


@jit
def _mark_vetoed(table, moves, chosen, work, numbers, roles):
    """Add VETOED to the role of each pattern that forbids or leads a vetoed move.

    The leading pattern of a move has the highest priority and, on a tie, the highest specificity; on a further tie, the
    first pattern leads. `risk` patterns do not lead. A move counts as vetoed if it is barred, or if it outranks the
    chosen move.
    """
    move = -1
    while moves >> move + 1:
        move += 1
        if not moves >> move & 1:
            continue
        priority, _, specificity, barred, _ = _standing(table, move, work.out)
        if not barred and not (move != chosen and _outranks(table, move, chosen, work.out)):
            continue
        is_led = False
        for k in range(table.first[move], table.first[move + 1]):
            pattern = table.pattern[k]
            alike = table.priority[pattern] == priority and table.specificity[pattern] == specificity
            leads = alike and not is_led and not table.risk[pattern]
            is_led = is_led or leads
            if leads or table.forbids[pattern]:
                roles[numbers[pattern]] |= VETOED


@jit
def _twins(move, state):
    """Return the images of a move under the symmetries of the position, as a mask without the move itself."""
    twins = 0
    if move != PASS_POINT:
        for symmetry in range(1, 8):
            own, theirs, ko = image(state.own, symmetry), image(state.theirs, symmetry), image(state.ko, symmetry)
            if own == state.own and theirs == state.theirs and ko == state.ko:
                twins |= image(1 << move, symmetry)
    return twins & ~(1 << move)
