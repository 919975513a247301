"""Test vectors (positions with known values), and the comparison of the solver with these vectors."""

from __future__ import annotations

import time
from statistics import median
from typing import Any, NamedTuple

from littlego.cli.arguments import ArgumentError, trying_to
from littlego.parallel import with_progress
from littlego.rules.position import BLACK, WHITE, Position, from_boards
from littlego.rules.positionkey import LEFT_AT, PASS_POINT, pack
from littlego.rules.ruleset import LITTLE_GO
from littlego.truth.solver.solver import Solver

SMALL, LARGE, LARGE_FROM = 20, 24, 13  # bits of a table: 8 MiB, and 128 MiB from 13 moves left


class Vector(NamedTuple):
    """A test vector: a position with its known value.

    winning: the mask of the mover's winning moves, with bit 25 for the pass.
    """

    line: int
    position: Position
    winner: int
    winning: int

    @property
    def left(self) -> int:
        """The number of moves left."""
        return self.position.left

    @property
    def mover_wins(self) -> bool:
        """Whether the side to move wins."""
        return self.winner == self.position.colour


class Outcome(NamedTuple):
    """The solver's result for a vector. seconds: the CPU time, with a table that is empty at the start."""

    vector: Vector
    agrees: bool
    seconds: float
    nodes: int


def read_vectors(path: str) -> list[Vector]:
    """Return the test vectors in a file with lines of the form `LEFT BOARD PREVIOUS WINNER MOVES`.

    BOARD and PREVIOUS are boards of 25 digits: 0 is empty, 1 is Black and 2 is White. WINNER is 1 or 2. MOVES are
    numbers from 0 to 25, joined by commas, or `-` for no move. 25 is the pass. Blank lines and lines that begin with
    `#` are skipped. Raise ArgumentError with the line number for any other line.
    """
    with trying_to(f"read {path}"), open(path, encoding="utf-8", errors="replace") as file:
        lines = list(enumerate(file, 1))
    vectors = []
    for number, line in lines:
        if line.strip() and not line.startswith("#"):
            try:
                vectors.append(_parse_vector(number, *line.split()))
            except (TypeError, ValueError):
                raise ArgumentError(
                    f"{path}:{number}: expected LEFT BOARD PREVIOUS WINNER MOVES; found {line.strip()[:60]!r}"
                ) from None
    return vectors


def _parse_vector(number: int, left: str, current: str, previous: str, winner: str, moves: str) -> Vector:
    colour = BLACK if int(left) % 2 == 0 else WHITE
    position = from_boards(LITTLE_GO, _masks(previous), _masks(current), colour, int(left))
    winning = 0 if moves == "-" else sum(1 << int(move) for move in moves.split(","))
    lefts = range(1, LITTLE_GO.length + 1)
    if not (int(left) in lefts and int(winner) in (BLACK, WHITE) and winning < 2 << PASS_POINT):
        raise ValueError
    return Vector(number, position, int(winner), winning)


def _masks(digits: str) -> tuple[int, int]:
    if len(digits) != PASS_POINT or set(digits) - set("012"):
        raise ValueError
    black, white = (sum(1 << point for point, digit in enumerate(digits) if digit == colour) for colour in "12")
    return black, white


def check(vectors: list[Vector], bits: int | None = None) -> list[Outcome]:
    """Return the Outcome of each vector.

    For each vector, the solver starts with an empty table and computes all winning moves. bits: the table has 2**bits
    entries; by default, the size depends on the vector's number of moves left.
    """
    Solver(SMALL).winning(2 << LEFT_AT)  # compiles, or loads the compiled code
    return list(with_progress(map(lambda vector: _solve(vector, bits), vectors), len(vectors), "position"))


def _solve(vector: Vector, bits: int | None) -> Outcome:
    solver = Solver(bits or (LARGE if vector.left >= LARGE_FROM else SMALL))
    began = time.process_time()
    winning = solver.winning(pack(vector.position))
    seconds = time.process_time() - began
    return Outcome(vector, winning == vector.winning and bool(winning) == vector.mover_wins, seconds, solver.nodes)


def outcome_text(outcomes: list[Outcome]) -> str:
    """Return a text with a table by moves left, the solver's speed, and the line numbers of wrong results."""
    figures = outcome_json(outcomes)
    return "\n".join(
        [
            f"{'left':>4}{'positions':>11}{'agree':>7}{'median s':>10}{'slowest s':>11}{'median nodes':>14}",
            *("{:4}{:11}{:7}{:10.3f}{:11.2f}{:14,}".format(*row.values()) for row in figures["by_left"]),
            f"{figures['million_nodes_a_second']:.2f} million nodes per second of CPU time, one thread",
            *(f"line {line}: different value" for line in figures["disagreeing_lines"]),
        ]
    )


def outcome_json(outcomes: list[Outcome]) -> dict[str, Any]:
    """Return statistics of the outcomes, and the line numbers of wrong results, as plain JSON values."""
    seconds = sum(one.seconds for one in outcomes)
    return {
        "by_left": [
            {
                "left": left,
                "positions": len(group),
                "agree": sum(one.agrees for one in group),
                "median_seconds": median(one.seconds for one in group),
                "slowest_seconds": max(one.seconds for one in group),
                "median_nodes": int(median(one.nodes for one in group)),
            }
            for left in sorted({one.vector.left for one in outcomes})
            for group in [[one for one in outcomes if one.vector.left == left]]
        ],
        "million_nodes_a_second": sum(one.nodes for one in outcomes) / 1e6 / max(seconds, 1e-9),
        "disagreeing_lines": [one.vector.line for one in outcomes if not one.agrees],
    }
