"""CPU times of a move under the superko rule, in a long match with 50 or 500 remembered states."""

from __future__ import annotations

import random
import statistics
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from rpds import HashTrieSet

from littlego.games.match import MatchPosition, match_rules
from littlego.parallel import with_progress
from littlego.rules.geometry import points_of
from littlego.rules.position import PASS

if TYPE_CHECKING:
    from littlego.games.match import State

FEW, MANY = 50, 500  # remembered states
MOVES = 20  # moves timed together


class Remembered(NamedTuple):
    """Median CPU times in ms of a move with FEW and with MANY remembered states, over `rounds` rounds."""

    rounds: int
    few: float
    many: float

    @property
    def ratio(self) -> float:
        """The time of a move with MANY states divided by the time with FEW states."""
        return self.many / self.few


def long_match(moves: int) -> list[MatchPosition]:
    """Return the positions of a pseudo-random match on 19x19 with `moves` moves, the same in every run."""
    rng = random.Random("superko")
    positions = [match_rules().opening()]
    while len(positions) <= moves:
        points = points_of(positions[-1].legal())
        positions.append(positions[-1].play(rng.choice(points) if points else PASS))
    return positions


def with_states(position: MatchPosition, seen: HashTrieSet[State]) -> MatchPosition:
    """Return a copy of the position with the remembered states `seen` and without cached results."""
    board = position.black, position.white
    state, moves = (position.ko, position.passed, position.prisoners), (position.last, position.own_last)
    return MatchPosition(position.ruleset, board, position.colour, *state, seen, position.plies, position.grid, *moves)


def measure_superko(rounds: int) -> Remembered:
    """Return the median CPU times of a move in a long match with FEW and with MANY remembered states.

    The moves are played on the match's last board. The time of a move includes the computation of the next legal moves.
    """
    positions = long_match(MANY)
    states = [(position.black, position.white, position.colour) for position in positions]
    last = {number: with_states(positions[-1], HashTrieSet(states[-number:])) for number in (FEW, MANY)}
    points = points_of(positions[-1].legal())[:MOVES]
    times: dict[int, list[float]] = {FEW: [], MANY: []}
    for _ in with_progress(range(rounds), rounds, "round"):
        for number, position in last.items():
            started = time.process_time()
            for point in points:
                position.play(point).legal()
            times[number].append((time.process_time() - started) / len(points))
    few, many = (1000 * statistics.median(times[number]) for number in (FEW, MANY))
    return Remembered(rounds, few, many)


def superko_line(remembered: Remembered) -> str:
    """Return a line of text with both times and their ratio."""
    few, many, ratio = remembered.few, remembered.many, remembered.ratio
    return (
        f"CPU time of a move with {MANY} remembered states, median of {remembered.rounds} rounds: "
        f"{ratio:.2f} times the time with {FEW} ({many:.3f} and {few:.3f} ms)"
    )


def superko_json(remembered: Remembered) -> dict[str, Any]:
    """Return the times in ms, their ratio and the number of rounds, as plain JSON values."""
    return {**remembered._asdict(), "ratio": remembered.ratio}
