"""Batch decisions for a web page, computed in the browser.

Each public function replaces the function of the same name in littlego.engines.compiled.engine.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable

from littlego.engines.compiled.programs import HOW_MANY, compile_book, scratch_size
from littlego.rules.position import Position
from littlego.rules.positionkey import pack
from littlego.studio.site.in_browser.memory import Numbers, call

__all__ = ["codes_of", "compile_book", "decide_many", "fires_many"]


def codes_of(positions: Iterable[Position]) -> array[int]:
    """Return the codes of positions; raise ValueError for a position without a code: see positionkey.pack."""
    return array("q", map(pack, positions))


def decide_many(codes: array[int], program: array[int]) -> tuple[array[int], array[int]]:
    """Return (moves, deciders) for many codes.

    Move 25 is a pass. Decider -1 means that no pattern decides.
    """
    decided = _asked("decide", codes, program, 2)
    return decided[::2], decided[1::2]


def fires_many(codes: array[int], program: array[int]) -> list[bool]:
    """Return, for each code, whether any pattern fires for at least one legal move."""
    return list(map(bool, _asked("fires", codes, program, 1)))


def _asked(name: str, codes: array[int], program: array[int], width: int) -> array[int]:
    """Return the results of an exported function: `width` numbers for each code."""
    scratch = Numbers(scratch_size(program[HOW_MANY]))
    answers = Numbers(width * len(codes))
    call(name, Numbers.of(codes), len(codes), Numbers.of(program), scratch, answers)
    found: array[int] = answers.values()
    return found
