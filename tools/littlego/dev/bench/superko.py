"""What superko costs in a long match: a move that remembers 500 states against the same move that remembers 50."""

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

FEW, MANY = 50, 500  # states remembered
MOVES = 20  # timed together


class Remembered(NamedTuple):
    """Medians in ms of CPU time of a move with FEW and with MANY states remembered, over so many rounds."""

    rounds: int
    few: float
    many: float

    @property
    def ratio(self) -> float:
        """How many moves with FEW states one with MANY costs."""
        return self.many / self.few


def long_match(moves: int) -> list[MatchPosition]:
    """Return the positions of a random match on 19x19 of so many moves, always the same one."""
    rng = random.Random("superko")
    positions = [match_rules().opening()]
    while len(positions) <= moves:
        points = points_of(positions[-1].legal())
        positions.append(positions[-1].play(rng.choice(points) if points else PASS))
    return positions


def with_states(position: MatchPosition, seen: HashTrieSet[State]) -> MatchPosition:
    """Return the same position with other states behind it, nothing asked of it yet."""
    board = position.black, position.white
    told = position.ko, position.passed, position.prisoners
    return MatchPosition(
        position.ruleset, board, position.colour, *told, seen, position.plies, position.grid, position.last
    )


def measure_superko(rounds: int) -> Remembered:
    """Time both in turn on the last board of one match, a move being what playing it costs and what may follow it."""
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
    """Return the ratio in a line."""
    few, many, ratio = remembered.few, remembered.many, remembered.ratio
    return (
        f"A move of a match that remembers {MANY} states, medians of {remembered.rounds}: {ratio:.2f}x one that "
        f"remembers {FEW} ({many:.3f} against {few:.3f} ms)"
    )


def superko_json(remembered: Remembered) -> dict[str, Any]:
    """Return the figures as plain values, in ms."""
    return {**remembered._asdict(), "ratio": remembered.ratio}
