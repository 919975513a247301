"""Positions that detect mutants with changed points or priorities.

A mutant is a pattern with one small change. A mutant with changed points or a changed priority fires exactly like the
original pattern. Only a recorded decision, not an example, can detect such a mutant. The search tries each such mutant
in the labelled (solved) positions in which the original pattern fires, except positions reserved for tests. The search
also tries boards that differ from one of the pattern's examples in at most one point. The result is a small set of
positions to record, which together detect every mutant that any searched position detects.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from littlego.engines.compiled.engine import compile_book, decide_many, fired_many
from littlego.games.game import all_have_liberties
from littlego.judging.mutation.trial import Laboratory, Outcome, outcomes_of
from littlego.knowledge.model import KnownPattern
from littlego.parallel import with_progress
from littlego.paths import LABELS
from littlego.rules.geometry import Mask, points_of
from littlego.rules.position import Position
from littlego.rules.positionkey import pack_fields, unpack
from littlego.rules.ruleset import LITTLE_GO
from littlego.rules.turn import least_moves_made
from littlego.truth.labels.labels import canonical_many
from littlego.truth.labels.positions import load_positions

Witnesses = dict[tuple[str, str], np.ndarray]  # (pattern, mutant) -> the codes of positions that distinguish them


def find_witnesses(
    lab: Laboratory, survivors: Sequence[Outcome], extra: Sequence[Path] = (), labels: Path = LABELS
) -> Witnesses:
    """Return {(pattern id, mutant name): codes of searched positions where the mutant changes the move}.

    survivors: the outcomes of undetected mutants, each with changed points or a changed priority. extra: files of
    positions to search in addition to the labelled positions. Raise ArgumentError for an unreadable file.
    """
    program, codes = compile_book(lab.book), load_positions(labels, extra).codes
    fired = fired_many(codes, program) != 0
    index = {pattern.id: number for number, pattern in enumerate(lab.book.patterns)}
    wanted = outcomes_of(survivors)
    found: Witnesses = {}
    for name, mutants in with_progress(iter(wanted.items()), len(wanted), "pattern"):
        near = np.union1d(codes[fired[:, index[name]]], _around_examples(lab.patterns[name]))
        moves = decide_many(near, program)[0]
        known = {mutant.name: one for mutant, one in lab.mutants(name)}
        for mutant in mutants:
            others = decide_many(near, compile_book(lab.knowledge.with_pattern(name, known[mutant]).book))[0]
            found[name, mutant] = near[others != moves]
    return found


def _around_examples(pattern: KnownPattern) -> np.ndarray:
    """Return the canonical codes of boards that differ from an example of a pattern in at most one point.

    For each board, the result has one code per possible number of moves left.
    """
    codes = set()
    for example in pattern.examples:
        position = example.position()
        for black, white in _boards_near(position):
            most = LITTLE_GO.length - least_moves_made(black, white, position.colour)
            codes |= {pack_fields(black, white, 0, int(position.passed), left) for left in range(most, 0, -2)}
    images: np.ndarray = canonical_many(np.array(sorted(codes), np.int64))
    return images


def _boards_near(position: Position) -> Iterator[tuple[Mask, Mask]]:
    """Yield the boards (black, white) that differ from a position in at most one point.

    Boards on which a chain has no liberty are omitted.
    """
    grid = position.grid
    for point in points_of(grid[1]):
        bit = 1 << point
        rest = position.black & ~bit, position.white & ~bit
        for black, white in (rest, (rest[0] | bit, rest[1]), (rest[0], rest[1] | bit)):
            if all_have_liberties(black, white, grid):
                yield black, white


def fewest_witnesses(witnesses: Witnesses) -> list[Position]:
    """Return a few positions that together detect every mutant with a code in `witnesses`.

    The function chooses the positions greedily.
    """
    left = {mutant: set(codes.tolist()) for mutant, codes in witnesses.items() if codes.size}
    chosen = []
    while left:
        telling = Counter(code for codes in left.values() for code in codes)
        best = min(telling, key=lambda code: (-telling[code], code))
        chosen.append(unpack(best))
        left = {mutant: codes for mutant, codes in left.items() if best not in codes}
    return chosen
