"""Moves of a position that can be read out: those that keep the win, or those that set the most traps.

Runs on Python 3.7.
"""

from __future__ import annotations

from typing import NamedTuple

from rules.position import Position
from tools.opponents.championship_board import PASSED, children
from tools.opponents.championship_exact import NEED, Exact, Meter, Stopped
from tools.opponents.championship_search import evaluate

NEVER = 99  # "winning replies" to a move that ends the game: no reply can go wrong


class Node(NamedTuple):
    """A position in the search's terms. lead: the mover's stones less the other's; over: nobody moves any more."""

    own: int
    theirs: int
    ko: int
    passed: bool
    left: int
    lead: int
    over: bool = False

    def replies(self) -> dict:
        """Return {move: the Node after it}."""
        found = {}
        in_any_order = dict((1 << point, 0) for point in range(25))
        placements = children(self.own, self.theirs, self.ko, in_any_order)
        for own, theirs, ko, gain, move in placements + [(self.theirs, self.own, 0, 0, PASSED)]:
            ends = self.left == 1 or self.passed and move == PASSED
            found[move] = Node(own, theirs, ko, move == PASSED, self.left - 1, -self.lead - gain, ends)
        return found

    def won(self, exact: Exact) -> bool:
        """Return whether the mover wins; raise Stopped."""
        return self.lead >= NEED[self.left & 1] if self.over else exact.wins(*self[:-1])


def node_of(position: Position) -> Node:
    """Return a position of Little-Go in the search's terms."""
    return Node(position.own, position.theirs, position.ko, position.passed, position.left, position.lead())


def read_out(node: Node, meter: Meter) -> tuple | None:
    """Return (moves among which to draw, why), or None where the nodes do not suffice.

    If the mover wins: the moves that keep the win, as many of them as the nodes suffice to find, and the pass only if
    there is no other. If it loses: those
    that leave the fewest winning replies, and of these the ones that look best.
    """
    exact, winning = Exact(meter), []
    try:
        if not node.won(exact):
            return _traps(node, exact)
        winning.append(exact.winning_move(*node[:-1]))
        for move, after in node.replies().items():
            if move != winning[0] and not after.won(exact):
                winning.append(move)
    except Stopped:
        pass
    placements = [move for move in winning if move != PASSED]
    return (placements or winning, "won, read to the end") if winning else None


def _traps(node: Node, exact: Exact) -> tuple:
    """Return (the moves of a lost position that leave the fewest winning replies, why); raise Stopped."""
    costs, least = {}, NEVER
    for move, after in node.replies().items():
        wins = 0 if not after.over else NEVER
        for reply in [] if after.over else after.replies().values():
            wins += not reply.won(exact)
            if wins > least:
                break
        least = min(least, wins)
        costs[move] = wins, evaluate(after.own, after.theirs, after.left, after.lead)
    best = min(costs.values())
    return [move for move in costs if costs[move] == best], f"lost, read to the end; winning replies: {least}"
