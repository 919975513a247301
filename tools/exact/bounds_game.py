"""Bounds of the facts about the game as a whole: the clock, the score, the past."""

from __future__ import annotations

from rules.geometry import count
from rules.position import BLACK
from tools.exact.partial import NOT_PASSED, PASSED, Partial, colour_to_move, single_points
from tools.exact.terms import Range


def moves_left(board: Partial) -> Range:
    return (board.clock & -board.clock).bit_length() - 1, board.clock.bit_length() - 1


def move_number(board: Partial) -> Range:
    fewest, most = moves_left(board)
    return board.ruleset.length - most + 1, board.ruleset.length - fewest + 1


def colour(board: Partial) -> Range:
    found = {colour_to_move(board.ruleset, bit.bit_length() - 1) for bit in single_points(board.clock)}
    return min(found), max(found)


def lead(board: Partial) -> Range:
    return count(board.known_own) - count(board.theirs), count(board.own) - count(board.known_theirs)


def margin2(board: Partial) -> Range:
    behind, ahead = lead(board)
    first, last = colour(board)
    komi2 = board.ruleset.komi2
    return 2 * behind + (-komi2 if first == BLACK else komi2), 2 * ahead + (-komi2 if last == BLACK else komi2)


def passed(board: Partial) -> Range:
    return int(not board.passes & NOT_PASSED), int(board.passes & PASSED != 0)


def ko_ban(board: Partial) -> Range:
    return int(board.ko != 0), int(board.ko != 0)
