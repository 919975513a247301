"""Who wins, exactly: the championship player's search to the end of the game, which knows two values only.

Runs on Python 3.7.
"""

from __future__ import annotations

import time

from tools.opponents.championship_board import CHAINS, FULL, PASSED, children, key_of

NEED = 3, -2  # the lead in stones with which Black wins, and White; index: moves left & 1
PROBED = 4  # from this many moves left all replies are looked up before one is searched


class Stopped(Exception):
    """The nodes, or the time, that a search may take are used up."""


class Meter:
    """What a search may cost. nodes: how many are left. deadline: on the clock of CPU time, the last stop."""

    def __init__(self, nodes: int, seconds: float):
        self.nodes = nodes
        self.deadline = time.process_time() + seconds
        self.late = False

    def count(self) -> None:
        """Count one node; raise Stopped."""
        self.nodes -= 1
        if self.nodes < 0:
            raise Stopped
        if not self.nodes & 1023 and time.process_time() > self.deadline:
            self.late = True
            raise Stopped


def settled(own: int, theirs: int, left: int, lead: int) -> bool | None:
    """Return whether the mover wins where that needs no search, else None; lead: own stones less theirs.

    In the moves that are left a side can place one stone a move, and capture only chains with no more liberties
    than it has moves: if that is not enough, it cannot win, and the other side need only pass.
    """
    need, his = NEED[left & 1], left >> 1
    mine = left - his
    if lead - his >= need:
        if lead - his - _in_reach(own, FULL & ~(own | theirs), his) >= need:
            return True
    elif lead + mine < need and lead + mine + _in_reach(theirs, FULL & ~(own | theirs), mine) < need:
        return False
    return None


def _in_reach(stones: int, empty: int, moves: int) -> int:
    return sum([size for _, near, size in CHAINS[stones] if bin(near & empty).count("1") <= moves])


class Exact:
    """Finds who wins. What it finds is kept; tables[moves left][key]: a winning move, or 0 where there is none."""

    def __init__(self, meter: Meter):
        self.meter = meter
        self.tables = [{} for _ in range(26)]
        self.liked = [dict((1 << point, 0) for point in range(25)) for _ in range(2)]

    def winning_move(self, own: int, theirs: int, ko: int, passed: bool, left: int, lead: int) -> int:
        """Return a move with which the mover, who is known to win, wins."""
        return self.tables[left].get(key_of(own, theirs, ko, passed)) or PASSED

    def wins(self, own: int, theirs: int, ko: int, passed: bool, left: int, lead: int) -> bool:
        """Return whether the mover wins; lead: own stones less theirs. Raise Stopped."""
        if passed and lead >= NEED[left & 1]:
            return True
        known = settled(own, theirs, left, lead)
        if known is not None:
            return known
        key, table = key_of(own, theirs, ko, passed), self.tables[left]
        move = table.get(key)
        if move is None:
            self.meter.count()
            table[key] = move = self._winning_move(own, theirs, ko, passed, left, lead, key)
        return move != 0

    def _winning_move(self, own: int, theirs: int, ko: int, passed: bool, left: int, lead: int, key: int) -> int:
        """Return a move that wins, PASSED for the pass, or 0."""
        liked = self.liked[left & 1]
        if left == 1:
            need = NEED[1]
            for _, _, _, gain, move in children(own, theirs, ko, liked):
                if lead + gain >= need:
                    return move
            return PASSED if lead >= need else 0
        replies = children(own, theirs, ko, liked)
        if left >= PROBED:
            table, kept = self.tables[left - 1], []
            for child in replies:
                known = table.get(key_of(child[0], child[1], child[2], False))
                if known == 0:
                    return child[4]
                if known is None:
                    kept.append(child)
            replies = kept
        for his, mine, denied, gain, move in replies:
            if not self.wins(his, mine, denied, False, left - 1, -lead - gain):
                liked[move] += 1 << left
                return move
        if not passed and not self.wins(theirs, own, 0, True, left - 1, -lead):
            return PASSED
        return 0
