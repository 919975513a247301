"""Lines of play from readings: captures in a few moves, ladders, fights and final playouts.

A reading is a search. Each LineReader calls the same functions as the facts, so it returns the moves by which the facts
proved the capture. A `Walk` follows these moves to the capture. All moves and boards are masks in the orientation of
the engine's view; 0 is a pass.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from littlego.engines.large.tactics import one_point_masks
from littlego.rules.captures import capture, liberties_near
from littlego.rules.geometry import around, flood
from littlego.rules.life import rescue_tries, search_ladder
from littlego.rules.playout import lead_at_end
from littlego.rules.position import is_legal, played

if TYPE_CHECKING:
    from littlego.engines.large.tactics import Search
    from littlego.rules.captures import Known
    from littlego.rules.facts import State
    from littlego.rules.geometry import Grid, Mask
    from littlego.rules.life import Board

    Moves = tuple[Mask, ...]


class LineReader(Protocol):
    """A reading that proves the capture of a chain, the target, against any defence.

    own: the stones of the side to move, which is the attacker in `attack` and the owner in the other methods. budget:
    the number of moves that the reading still allows the attacker; each LineReader defines which moves count.
    """

    def attack(self, target: Mask, own: Mask, theirs: Mask, ko: Mask, budget: int) -> Mask:
        """Return the move by which the attacker captures the target or continues the capture.

        The result is 0 if the reading finds no capture.
        """

    def spend(self, target: Mask, own: Mask, theirs: Mask, budget: int) -> int:
        """Return the budget after the attacker's move. own, theirs: the stones after this move."""

    def answers(self, target: Mask, own: Mask, theirs: Mask, ko: Mask, budget: int) -> list[Mask]:
        """Return a non-empty list of the owner's moves that the reading refutes. 0 is a pass or any move elsewhere."""


class Captures:
    """The LineReader for captures read by rules.captures. budget: the maximum number of the attacker's moves."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.known: Known = {}

    def attack(self, target: Mask, own: Mask, theirs: Mask, ko: Mask, budget: int) -> Mask:
        return capture(target, own, theirs, ko, budget, self.grid, self.known)

    def spend(self, target: Mask, own: Mask, theirs: Mask, budget: int) -> int:
        return budget - 1

    def answers(self, target: Mask, own: Mask, theirs: Mask, ko: Mask, budget: int) -> list[Mask]:
        free = around(target, self.grid) & ~(own | theirs)
        tries = one_point_masks(free | liberties_near(target, own, theirs, budget, self.grid))
        best = self.attack(target, theirs, own, 0, budget)  # is_safe also tries the attacker's best move first
        tries.sort(key=lambda move: move != best)
        return [move for move in tries if is_legal(move, own, theirs, ko, self.grid)] + [0]


class _Proof(set["Board"]):
    """The boards on which a capture is proved. rank: {board: zero-based index in the order of the proofs}."""

    def __init__(self) -> None:
        super().__init__()
        self.rank: dict[Board, int] = {}

    def add(self, board: Board) -> None:
        self.rank[board] = len(self.rank)
        super().add(board)


class Ladders:
    """The LineReader for ladders read by rules.life.

    The budget is ignored, because each move leads to a board on which the capture was proved earlier.
    """

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self._proof = _Proof()

    def prove(self, target: Mask, own: Mask, theirs: Mask, ko: Mask) -> bool:
        """Return whether the mover captures the target (see rules.life.catches); keep the proof for `attack`."""
        known = -1
        while known < len(self._proof):
            known = len(self._proof)
            if search_ladder(target, own, theirs, ko, self.grid, self._proof, set(), 0):
                return True
        return False

    def prove_answers(self, target: Mask, own: Mask, theirs: Mask, ko: Mask) -> None:
        """Prove the capture after each answer of the owner, who moves first; keep the proofs for `attack`."""
        for answer in self.answers(target, own, theirs, ko, 0):
            if answer:
                self.prove(*self._answered(answer, target, own, theirs))

    def attack(self, target: Mask, own: Mask, theirs: Mask, ko: Mask, budget: int) -> Mask:
        free = around(target, self.grid) & ~(own | theirs)
        first = free & -free
        if first == free or self._works(first, target, own, theirs, ko):
            return first
        return free ^ first

    def spend(self, target: Mask, own: Mask, theirs: Mask, budget: int) -> int:
        return budget

    def answers(self, target: Mask, own: Mask, theirs: Mask, ko: Mask, budget: int) -> list[Mask]:
        last = around(target, self.grid) & ~(own | theirs)
        return one_point_masks(rescue_tries(target, last, own, theirs, ko, self.grid)) or [0]

    def _works(self, move: Mask, target: Mask, own: Mask, theirs: Mask, ko: Mask) -> bool:
        """Return whether a move is legal, leaves the target at most one liberty, and refutes every answer.

        A move refutes an answer if the answer leads to an immediate capture, or to a board on which the capture was
        proved earlier."""
        if not is_legal(move, own, theirs, ko, self.grid):
            return False
        rank = self._proof.rank[own, theirs, ko]
        stones, rest, _, next_ko = played(move, own, theirs, self.grid)
        last = around(target, self.grid) & ~(stones | rest)
        if last & (last - 1):
            return False
        answers = one_point_masks(rescue_tries(target, last, rest, stones, next_ko, self.grid))
        return all(self._is_lost(*self._answered(answer, target, rest, stones), rank) for answer in answers)

    def _is_lost(self, target: Mask, own: Mask, theirs: Mask, ko: Mask, rank: int) -> bool:
        free = around(target, self.grid) & ~(own | theirs)
        if not free & (free - 1):
            return is_legal(free, own, theirs, ko, self.grid)
        return self._proof.rank.get((own, theirs, ko), rank) < rank

    def _answered(self, answer: Mask, target: Mask, own: Mask, theirs: Mask) -> tuple[Mask, Mask, Mask, Mask]:
        """Return (target, attacker's stones, owner's stones, ko) after the owner's move; the target may grow."""
        stones, rest, _, ko = played(answer, own, theirs, self.grid)
        return flood(target, stones, self.grid), rest, stones, ko


class Fights:
    """The LineReader for fights read by engines.large.tactics.

    budget: the number of moves without atari that the attacker may still play. search: a Search that has already proved
    the capture; `attack` returns the moves recorded in the search.
    """

    def __init__(self, search: Search) -> None:
        self.search = search

    def attack(self, target: Mask, own: Mask, theirs: Mask, ko: Mask, budget: int) -> Mask:
        return self.search.attack(target, own, theirs, ko, budget, 0)

    def spend(self, target: Mask, own: Mask, theirs: Mask, budget: int) -> int:
        left = around(target, self.search.grid) & ~(own | theirs)
        return budget - (left & (left - 1) != 0)

    def answers(self, target: Mask, own: Mask, theirs: Mask, ko: Mask, budget: int) -> list[Mask]:
        free = around(target, self.search.grid) & ~(own | theirs)
        tries = [move for move in self.search.defences(target, own, theirs, free) if not move & ko]
        refuted = [move for move in tries if self._is_refuted(move, target, own, theirs, budget)]
        if free & (free - 1) and self.attack(target, theirs, own, 0, budget):
            refuted.append(0)
        return refuted or [0]

    def _is_refuted(self, move: Mask, target: Mask, own: Mask, theirs: Mask, budget: int) -> bool:
        """Return whether a move of the owner is legal (regardless of ko) but does not save the target."""
        stones, rest, ko = self.search.play(move, own, theirs)
        if self.search.is_suicide(move, stones, rest):
            return False
        return bool(self.attack(flood(target, stones, self.search.grid), rest, stones, ko, budget))


class Walk:
    """A builder of lines from a LineReader's moves; in each line, the owner resists as long as possible."""

    def __init__(self, reader: LineReader, grid: Grid) -> None:
        self.reader = reader
        self.grid = grid
        self._known: dict[tuple[Mask, Mask, Mask, Mask, int], Moves] = {}

    def attack(self, target: Mask, own: Mask, theirs: Mask, ko: Mask, budget: int = 0) -> Moves:
        """Return the line by which the mover captures the target. The reading must have found the capture."""
        question = target, own, theirs, ko, budget
        line = self._known.get(question)
        if line is None:
            move = self.reader.attack(*question)
            if not move:
                raise ValueError("the reading finds no capture; expected a target that the reading captures")
            stones, rest, taken, next_ko = played(move, own, theirs, self.grid)
            line = (move,)
            if not taken & target:
                left = self.reader.spend(target, rest, stones, budget)
                line += self.defence(target, rest, stones, next_ko, left)
            self._known[question] = line
        return line

    def defence(self, target: Mask, own: Mask, theirs: Mask, ko: Mask, budget: int = 0) -> Moves:
        """Return the longest line from the owner's move to the capture of the target."""
        lines = []
        for answer in self.reader.answers(target, own, theirs, ko, budget):
            stones, rest, next_ko, grown = own, theirs, 0, target
            if answer:
                stones, rest, _, next_ko = played(answer, own, theirs, self.grid)
                grown = flood(target, stones, self.grid)
            lines.append((answer, *self.attack(grown, rest, stones, next_ko, budget)))
        return max(lines, key=len)


def play_to_end(state: State, moves: Moves) -> Moves:
    """Return the given moves, then the moves that rules.playout plays to the end of the game.

    The playout continues after two passes, because a side that has passed can still play the game's last move. At most
    two passes at the end of the line are kept.
    """
    own, theirs, ko, line = state.own, state.theirs, state.ko, list(moves)
    for move in moves:
        own, theirs, _, ko = played(move, own, theirs, state.grid) if move else (own, theirs, 0, 0)
        own, theirs = theirs, own
    lead_at_end(own, theirs, ko, state.left - len(moves), state.grid, line)
    while line[-3:] == [0, 0, 0]:
        line.pop()
    return tuple(line)
