"""The championship player's search far from the end: iterative deepening alpha-beta over a fitted evaluation.

Runs on Python 3.7.
"""

from __future__ import annotations

from tools.opponents.championship_board import CHAINS, EDGE, FULL, PASSED, around, children, key_of
from tools.opponents.championship_exact import NEED, Meter, Stopped, settled

WON = 10_000  # a proved win; a proved loss is -WON
EXACTLY, AT_LEAST, AT_MOST = range(3)  # what a value in the table says
# In hundredths of a stone. A logistic fit to who wins 11,300 solved positions with 10 to 14 moves left: labels of
# tools/data/labels.npz, and positions to which winning and losing moves lead from there. Of 3,764 others it tells the
# winner in 89 of 100; stones alone do so in 77.
STONE, LIBERTY, ON_EDGE, EYE = 100, 9, -45, 21
IN_ATARI, CHASED = (-63, -117), (-19, -29)  # each stone with one liberty, with two; the mover's, the other side's
TO_MOVE, KOMI = 124, 151  # komi is 2.5 stones at the end; before it, it is worth less
QUANTUM = 8  # values this near are equal


def evaluate(own: int, theirs: int, left: int, lead: int) -> int:
    """Return how well the mover stands, in 8/100 of a stone: above 0 it is the likely winner. lead: own less theirs."""
    empty = FULL & ~(own | theirs)
    komi = KOMI if left & 1 else -KOMI
    return (STONE * lead + komi + TO_MOVE + _side(own, empty, 0) - _side(theirs, empty, 1)) // QUANTUM


def _side(stones: int, empty: int, waits: int) -> int:
    value = LIBERTY * bin(around(stones) & empty).count("1") + ON_EDGE * bin(stones & EDGE).count("1")
    eyes = empty & ~around(FULL & ~stones)
    if eyes:
        value += EYE * bin(eyes).count("1")
    for _, near, size in CHAINS[stones]:
        more = near & empty
        more &= more - 1
        if not more:
            value += IN_ATARI[waits] * size
        elif not more & (more - 1):
            value += CHASED[waits] * size
    return value


class Search:
    """Values of moves to a depth, in the units of `evaluate`, or WON and -WON where the game's result is proved."""

    def __init__(self, meter: Meter):
        self.meter = meter
        self.tables = [{} for _ in range(26)]  # by moves left: key -> (depth, what the value says, value, best move)
        self.liked = [dict((1 << point, 0) for point in range(25)) for _ in range(2)]
        self.depth = 0  # of the last search that was finished

    def best(self, own: int, theirs: int, ko: int, passed: bool, left: int, deepest: int = 24) -> tuple:
        """Return (moves of equal and highest value, the value); deepen until the nodes are used up, or to `deepest`.

        A deeper search that is stopped still counts once its first move, the best so far, is done.
        """
        lead = bin(own).count("1") - bin(theirs).count("1")
        moves = children(own, theirs, ko, self.liked[left & 1]) + [(theirs, own, 0, 0, PASSED)]
        best, value = [moves[0][4]], -WON
        for depth in range(1, min(left, deepest) + 1):
            values = {}
            try:
                for child in moves:
                    top = max(values.values(), default=-WON - 1)
                    values[child[4]] = self._after(child, passed, left, lead, depth, top - 1)
                self.depth = depth
            except Stopped:
                pass
            if values:
                value = max(values.values())
                best = [move for move in values if values[move] == value]
                moves.sort(key=lambda child: -values.get(child[4], -WON - 1))
            if self.depth < depth or abs(value) == WON:
                break
        return best, value

    def _after(self, child: tuple, passed: bool, left: int, lead: int, depth: int, alpha: int) -> int:
        """Return the value of a move at the root: exact above alpha."""
        his, mine, ko, gain, move = child
        if move == PASSED and passed:
            return WON if lead >= NEED[left & 1] else -WON
        lead = -lead - gain
        if alpha > -WON - 1:
            value = -self.value(his, mine, ko, move == PASSED, left - 1, lead, depth - 1, -alpha - 1, -alpha)
            if value <= alpha:
                return value
        return -self.value(his, mine, ko, move == PASSED, left - 1, lead, depth - 1, -WON - 1, -alpha)

    def value(
        self, own: int, theirs: int, ko: int, passed: bool, left: int, lead: int, depth: int, alpha: int, beta: int
    ) -> int:
        """Return the value for the mover, exact between alpha and beta, else a bound. Raise Stopped.

        One function in spite of its length: every call costs, and here the time goes.
        """
        if left == 0 or (passed and lead >= NEED[left & 1]):
            return WON if lead >= NEED[left & 1] else -WON
        known = settled(own, theirs, left, lead)
        if known is not None:
            return WON if known else -WON
        if depth <= 0:
            return evaluate(own, theirs, left, lead)
        key, table = key_of(own, theirs, ko, passed), self.tables[left]
        stored, first = table.get(key), 0
        if stored:
            reached, says, value, first = stored
            if reached >= depth and (
                says == EXACTLY or says == AT_LEAST and value >= beta or says == AT_MOST and value <= alpha
            ):
                return value
        self.meter.count()
        liked, best, chosen, floor = self.liked[left & 1], -WON, 0, alpha
        moves = children(own, theirs, ko, liked, first)
        if not passed:
            moves.append((theirs, own, 0, 0, PASSED))
        for his, mine, denied, gain, move in moves:
            value, reply = -WON, (his, mine, denied, move == PASSED, left - 1, -lead - gain, depth - 1)
            if chosen:
                value = -self.value(*reply, -alpha - 1, -alpha)
            if not chosen or alpha < value < beta:
                value = -self.value(*reply, -beta, -alpha)
            if value > best or not chosen:
                best, chosen = value, move
                if value > alpha:
                    alpha = value
                    if value >= beta:
                        if move != PASSED:
                            liked[move] += 1 << depth
                        break
        says = AT_LEAST if best >= beta else EXACTLY if best > floor else AT_MOST
        table[key] = depth, says, best, chosen
        return best
