"""The role championship: a search in plain Python within the course's time limit. This module runs on Python 3.7.

The first moves come from a table. If at most READ_OUT moves are left, the role tries to search to the end of the game.
In a won position, the role chooses at random among the moves that are proved to win. In a lost position, the role
chooses among the moves after which the opponent has the fewest winning replies. If the result remains unknown, the role
searches as deep as its node limit allows and chooses at random among the moves with the highest value.

The role counts nodes, not seconds, so that a game replays exactly from its seed. On a slow machine, the limit of
SECONDS of CPU time may end the search first; the move's reason then mentions this limit.

The role real-championship plays the recorded replies of the course's championship player. In positions without a
record, real-championship plays like championship. Symmetric positions share their records. If several replies are
recorded, the role chooses among them at random, weighted by their recorded frequencies.

For speed, this module reimplements functions of rules/geometry and caches the chains of each set of stones.
"""

from __future__ import annotations

import os
import random
import time
from typing import Dict, NamedTuple, Tuple

from littlego.players.roles.replies import find_replies
from littlego.rules.geometry import make_grid
from littlego.rules.position import PASS, Position

SIZE = 5
GRID = make_grid(SIZE)
_, FULL, NOT_FIRST, NOT_LAST = GRID
PASS_MASK = 1 << SIZE * SIZE  # a pass; other moves are masks of one point
EDGE = FULL & ~(0b01110 << 5 | 0b01110 << 10 | 0b01110 << 15)
MOST_KEPT = 200_000  # sets of stones whose chains are cached: about 60 MB

Child = Tuple[int, int, int, int, int]  # own, theirs, ko, stones won, move: see `children`


def around(mask: int) -> int:
    """Return the points adjacent to at least one point of the mask."""
    return (mask << 5 | mask >> 5 | (mask & NOT_LAST) << 1 | (mask & NOT_FIRST) >> 1) & FULL


class Chains(Dict[int, Tuple[Tuple[int, int, int], ...]]):
    """A lazy cache: {set of stones: ((chain, adjacent points, number of stones), ...)}."""

    def __missing__(self, stones: int) -> tuple[tuple[int, int, int], ...]:
        chains, rest = [], stones
        while rest:
            chain = rest & -rest
            while True:
                wider = (chain | around(chain)) & stones
                if wider == chain:
                    break
                chain = wider
            rest ^= chain
            chains.append((chain, around(chain) & ~chain, bin(chain).count("1")))
        if len(self) >= MOST_KEPT:
            self.clear()
        self[stones] = tuple(chains)
        return self[stones]


CHAINS = Chains()


def search_key(own: int, theirs: int, ko: int, passed: bool) -> int:
    """Return a key that is unique among positions with the same number of moves left."""
    key = own << 25 | theirs
    if ko:
        return key | ko << 50
    return key | 1 << 75 if passed else key


def ko_after(move: int, taken: int, own: int, theirs: int) -> int:
    """Return the mask of the point that the ko rule forbids for the reply, or 0.

    own, theirs: the stones after the move.
    """
    if taken & (taken - 1):
        return 0
    empty = FULL & ~(own | theirs)
    retaken = 0
    for chain, near, _ in CHAINS[own]:
        if near & empty == taken:
            retaken |= chain
    return taken if retaken == move else 0


def children(own: int, theirs: int, ko: int, liked: dict[int, int], first: int = 0) -> list[Child]:
    """Return the children of a position: (own, theirs, ko, stones won, move) for each placement.

    In a child, `own` are the stones of the opponent, who moves next. stones won: the increase of the mover's lead.

    The search order is: `first`, captures, rescues, ataris, other placements, placements in eyes of the mover. Larger
    captures come before smaller captures. Within each other kind, moves with higher scores in `liked` come first,
    because these moves succeeded elsewhere in the search.
    """
    empty = FULL & ~(own | theirs)
    takes: dict[int, int] = {}
    chased = 0
    for chain, near, _ in CHAINS[theirs]:
        free = near & empty
        more = free & (free - 1)
        if not more:
            takes[free] = takes.get(free, 0) | chain
        elif not more & (more - 1):
            chased |= free
    legal, saving = around(empty), 0
    for _, near, _ in CHAINS[own]:
        free = near & empty
        if free & (free - 1):
            legal |= free
        else:
            saving |= free
    legal &= empty & ~ko
    placements: list[Child] = []
    if takes:
        for move in sorted(takes, key=lambda move: -bin(takes[move]).count("1")) if len(takes) > 1 else takes:
            if move != ko:
                taken = takes[move]
                after, left = own | move, theirs & ~taken
                placements.append((left, after, ko_after(move, taken, after, left), 1 + bin(taken).count("1"), move))
                legal &= ~move
    _add_quiet(placements, own, theirs, legal, saving, chased, liked)
    if first:
        placements.sort(key=lambda child: child[4] != first)
    return placements


def _add_quiet(
    placements: list[Child], own: int, theirs: int, legal: int, saving: int, chased: int, liked: dict[int, int]
) -> None:
    """Add the placements without captures: rescues, ataris, others, then placements in the mover's eyes."""
    eyes = ~around(FULL & ~own)
    quiet = legal & ~(saving | chased)
    for moves in (legal & saving, legal & chased & ~saving, quiet & ~eyes, quiet & eyes):
        some = []
        while moves:
            move = moves & -moves
            moves ^= move
            some.append(move)
        if len(some) > 1:
            some.sort(key=liked.__getitem__, reverse=True)
        for move in some:
            placements.append((theirs, own | move, 0, 1, move))


NEED = 3, -2  # the lead in stones that wins for Black and for White; index: moves left & 1
PROBED = 4  # with this many moves left or more, look up all replies in the cache before searching a reply


class SearchLimitError(Exception):
    """Raised if the search exceeds its node or time limit."""


class Meter:
    """Limits of a search.

    nodes: the number of nodes left. deadline: the process's CPU time, in seconds, at which the search must end.
    """

    def __init__(self, nodes: int, seconds: float):
        self.nodes = nodes
        self.deadline = time.process_time() + seconds
        self.late = False

    def count(self) -> None:
        """Count one node; raise SearchLimitError if a limit is exceeded."""
        self.nodes -= 1
        if self.nodes < 0:
            raise SearchLimitError
        if not self.nodes & 1023 and time.process_time() > self.deadline:
            self.late = True
            raise SearchLimitError


def known_result(own: int, theirs: int, left: int, lead: int) -> bool | None:
    """Return whether the mover wins, or None if the answer needs a search. lead: see Node.

    In the remaining moves, a side can place one stone per move and capture only chains that have no more liberties than
    the side has moves. If the sum of these gains is too small, the side loses even against an opponent that only
    passes.
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
    """An exact solver with a cache. tables[moves left][key]: a winning move, or 0 if the position is lost."""

    def __init__(self, meter: Meter):
        self.meter = meter
        self.tables: list[dict[int, int]] = [{} for _ in range(26)]
        self.liked = [dict((1 << point, 0) for point in range(25)) for _ in range(2)]

    def winning_move(self, own: int, theirs: int, ko: int, passed: bool, left: int, lead: int) -> int:
        """Return a winning move in a position for which `wins` has returned True."""
        return self.tables[left].get(search_key(own, theirs, ko, passed)) or PASS_MASK

    def wins(self, own: int, theirs: int, ko: int, passed: bool, left: int, lead: int) -> bool:
        """Return whether the mover wins; raise SearchLimitError if a limit is exceeded. lead: see Node."""
        if passed and lead >= NEED[left & 1]:
            return True
        known = known_result(own, theirs, left, lead)
        if known is not None:
            return known
        key, table = search_key(own, theirs, ko, passed), self.tables[left]
        move = table.get(key)
        if move is None:
            self.meter.count()
            table[key] = move = self._winning_move(own, theirs, ko, passed, left, lead, key)
        return move != 0

    def _winning_move(self, own: int, theirs: int, ko: int, passed: bool, left: int, lead: int, key: int) -> int:
        """Return a winning move, PASS_MASK for the pass, or 0 if no move wins."""
        liked = self.liked[left & 1]
        if left == 1:
            need = NEED[1]
            for _, _, _, gain, move in children(own, theirs, ko, liked):
                if lead + gain >= need:
                    return move
            return PASS_MASK if lead >= need else 0
        replies = children(own, theirs, ko, liked)
        if left >= PROBED:
            table, kept = self.tables[left - 1], []
            for child in replies:
                known = table.get(search_key(child[0], child[1], child[2], False))
                if known == 0:
                    return child[4]
                if known is None:
                    kept.append(child)
            replies = kept
        for his, mine, denied, gain, move in replies:
            if not self.wins(his, mine, denied, False, left - 1, -lead - gain):
                liked[move] += 1 << left
                return move
        return PASS_MASK if not passed and not self.wins(theirs, own, 0, True, left - 1, -lead) else 0


WON = 10_000  # a proved win; a proved loss is -WON
EXACTLY, AT_LEAST, AT_MOST = range(3)  # meaning of a value in the table
# In hundredths of a stone. A logistic fit to the winners of 11,300 solved positions with 10 to 14 moves left: positions
# of labels.npz, and positions after winning and losing moves in them. On 3,764 other positions the fit predicts the
# winner in 89 of 100 positions; stones alone predict the winner in 77.
STONE, LIBERTY, ON_EDGE, EYE = 100, 9, -45, 21
# For each stone of a chain with one liberty, and with two liberties: (the mover's stone, the opponent's stone).
IN_ATARI, CHASED = (-63, -117), (-19, -29)
TO_MOVE, KOMI = 124, 151  # komi is 2.5 stones at the end, and worth less before the end
QUANTUM = 8  # unit of `evaluate`: smaller differences do not count


def evaluate(own: int, theirs: int, left: int, lead: int) -> int:
    """Return the mover's advantage in units of 0.08 stones; a positive number means a likely win. lead: see Node."""
    empty = FULL & ~(own | theirs)
    komi = KOMI if left & 1 else -KOMI
    return (STONE * lead + komi + TO_MOVE + _side_value(own, empty, 0) - _side_value(theirs, empty, 1)) // QUANTUM


def _side_value(stones: int, empty: int, waits: int) -> int:
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
    """A depth-limited search. Values are in the unit of `evaluate`; only WON and -WON are proved results."""

    def __init__(self, meter: Meter):
        self.meter = meter
        # by moves left: key -> (depth, meaning of the value, value, best move)
        self.tables: list[dict[int, tuple[int, int, int, int]]] = [{} for _ in range(26)]
        self.liked = [dict((1 << point, 0) for point in range(25)) for _ in range(2)]
        self.depth = 0  # depth of the last finished search

    def best(self, own: int, theirs: int, ko: int, passed: bool, left: int, deepest: int = 24) -> tuple[list[int], int]:
        """Return (moves with the highest value, the value).

        The search deepens up to `deepest` plies, and ends earlier if it proves the result or reaches a limit. If a
        limit interrupts the search at one depth, the result comes from the moves already searched at this depth or, if
        there are none, from the previous depth. Each depth begins with the best move of the previous depth.
        """
        lead = bin(own).count("1") - bin(theirs).count("1")
        moves = children(own, theirs, ko, self.liked[left & 1]) + [(theirs, own, 0, 0, PASS_MASK)]
        best, value = [moves[0][4]], -WON
        for depth in range(1, min(left, deepest) + 1):
            values: dict[int, int] = {}
            try:
                for child in moves:
                    top = max(values.values(), default=-WON - 1)
                    values[child[4]] = self._after(child, passed, left, lead, depth, top - 1)
                self.depth = depth
            except SearchLimitError:
                pass
            if values:
                value = max(values.values())
                best = [move for move in values if values[move] == value]
                moves.sort(key=lambda child: -values.get(child[4], -WON - 1))
            if self.depth < depth or abs(value) == WON:
                break
        return best, value

    def _after(self, child: Child, passed: bool, left: int, lead: int, depth: int, alpha: int) -> int:
        """Return the value of a root move: exact if above alpha, else an upper bound."""
        his, mine, ko, gain, move = child
        if move == PASS_MASK and passed:
            return WON if lead >= NEED[left & 1] else -WON
        lead = -lead - gain
        if alpha > -WON - 1:
            value = -self.value(his, mine, ko, move == PASS_MASK, left - 1, lead, depth - 1, -alpha - 1, -alpha)
            if value <= alpha:
                return value
        return -self.value(his, mine, ko, move == PASS_MASK, left - 1, lead, depth - 1, -WON - 1, -alpha)

    def value(
        self, own: int, theirs: int, ko: int, passed: bool, left: int, lead: int, depth: int, alpha: int, beta: int
    ) -> int:
        """Return the value for the mover: exact between alpha and beta, else a bound.

        Raise SearchLimitError if a limit is exceeded.
        """
        if left == 0 or (passed and lead >= NEED[left & 1]):
            return WON if lead >= NEED[left & 1] else -WON
        known = known_result(own, theirs, left, lead)
        if known is not None:
            return WON if known else -WON
        if depth <= 0:
            return evaluate(own, theirs, left, lead)
        key, table = search_key(own, theirs, ko, passed), self.tables[left]
        stored, first = table.get(key), 0
        if stored:
            reached, says, value, first = stored
            if reached >= depth and (
                says == EXACTLY or says == AT_LEAST and value >= beta or says == AT_MOST and value <= alpha
            ):
                return value
        self.meter.count()
        moves = children(own, theirs, ko, self.liked[left & 1], first)
        if not passed:
            moves.append((theirs, own, 0, 0, PASS_MASK))
        best, chosen = self._best_child(moves, left, lead, depth, alpha, beta)
        table[key] = depth, AT_LEAST if best >= beta else EXACTLY if best > alpha else AT_MOST, best, chosen
        return best

    def _best_child(
        self, moves: list[Child], left: int, lead: int, depth: int, alpha: int, beta: int
    ) -> tuple[int, int]:
        """Return (value, move) of the best placement or pass, or of the first move that reaches beta."""
        best, chosen = -WON, 0
        for his, mine, denied, gain, move in moves:
            value, reply = -WON, (his, mine, denied, move == PASS_MASK, left - 1, -lead - gain, depth - 1)
            if chosen:
                value = -self.value(*reply, -alpha - 1, -alpha)
            if not chosen or alpha < value < beta:
                value = -self.value(*reply, -beta, -alpha)
            if value > best or not chosen:
                best, chosen = value, move
                if value > alpha:
                    alpha = value
                    if value >= beta:
                        if move != PASS_MASK:
                            self.liked[left & 1][move] += 1 << depth
                        break
        return best, chosen


NEVER = 99  # stands for the number of winning replies to a move that ends, and thus loses, the game


class Node(NamedTuple):
    """A position in the search. lead: the mover's stones minus the opponent's. over: whether the game has ended."""

    own: int
    theirs: int
    ko: int
    passed: bool
    left: int
    lead: int
    over: bool = False

    def replies(self) -> dict[int, Node]:
        """Return {move: the Node after the move}."""
        nodes = {}
        in_any_order = dict((1 << point, 0) for point in range(25))
        placements = children(self.own, self.theirs, self.ko, in_any_order)
        for own, theirs, ko, gain, move in placements + [(self.theirs, self.own, 0, 0, PASS_MASK)]:
            ends = self.left == 1 or self.passed and move == PASS_MASK
            nodes[move] = Node(own, theirs, ko, move == PASS_MASK, self.left - 1, -self.lead - gain, ends)
        return nodes

    def won(self, exact: Exact) -> bool:
        """Return whether the mover wins; raise SearchLimitError if a limit is exceeded."""
        return self.lead >= NEED[self.left & 1] if self.over else exact.wins(*self[:-1])


def node_of(position: Position) -> Node:
    """Return a Little-Go position as a Node."""
    return Node(position.own, position.theirs, position.ko, position.passed, position.left, position.lead())


def read_out(node: Node, meter: Meter) -> tuple[list[int], str] | None:
    """Return (candidate moves for a random choice, reason), or None if the result remains unknown.

    In a won position, the candidates are the moves that the search, within its limits, proves to be winning. The pass
    is a candidate only if no other move is proved to win. In a lost position, the candidates are the moves that leave
    the fewest winning replies and, among these moves, have the best evaluation.
    """
    exact, winning = Exact(meter), []
    try:
        if not node.won(exact):
            return _find_traps(node, exact)
        winning.append(exact.winning_move(*node[:-1]))
        for move, after in node.replies().items():
            if move != winning[0] and not after.won(exact):
                winning.append(move)
    except SearchLimitError:
        pass
    placements = [move for move in winning if move != PASS_MASK]
    return (placements or winning, "won, searched to the end of the game") if winning else None


def _find_traps(node: Node, exact: Exact) -> tuple[list[int], str]:
    """Return the result of read_out for a lost position: (candidate moves, reason).

    Raise SearchLimitError if a limit is exceeded.
    """
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
    why = f"lost, searched to the end of the game; winning replies: {least}"
    return [move for move in costs if costs[move] == best], why


NODES = 100_000  # 1.6 s of CPU time on Python 3.11, 2.4 s on 3.7, if all are used; 0.4 s for a game's average move
SECONDS = 6.0  # the course's limit is 10
READ_OUT = 15  # number of moves left at which the player starts to try to read the game out
AT_ONCE = 12  # at this many moves left, reading out rarely fails; earlier, half the nodes are reserved for the search
_HERE = os.path.dirname(os.path.abspath(__file__))
OPENINGS = os.path.join(_HERE, "championship_openings.txt")
RECORDED = os.path.join(_HERE, "recorded_replies.txt")
BY_CLOCK = "; stopped by the clock: a replay may differ"


def choices(position: Position) -> list[int]:
    """Return the moves among which the player chooses at random."""
    return list(find_replies(OPENINGS, position)) or best_moves(position, NODES)


def best_moves(position: Position, nodes: int) -> list[int]:
    """Return the best moves of a search that is limited to `nodes` nodes."""
    return [_move(move) for move in _search_moves(position, Meter(nodes, float("inf")))[0]]


def explain(position: Position, rng: random.Random) -> tuple[int, str]:
    """Return (move, reason for the move)."""
    known = find_replies(OPENINGS, position)
    if known:
        return rng.choice(sorted(known)), "from the opening table"
    meter = Meter(NODES, SECONDS)
    moves, why = _search_moves(position, meter)
    return _move(rng.choice(sorted(moves))), why + (BY_CLOCK if meter.late else "")


def _move(mask: int) -> int:
    return PASS if mask == PASS_MASK else mask.bit_length() - 1


def _search_moves(position: Position, meter: Meter) -> tuple[list[int], str]:
    """Return (candidate moves for a random choice, reason)."""
    if position.left <= READ_OUT:
        kept = 0 if position.left <= AT_ONCE else meter.nodes // 2
        meter.nodes -= kept
        result = read_out(node_of(position), meter)
        if result:
            return result
        meter.nodes = kept
    search = Search(meter)
    moves, value = search.best(position.own, position.theirs, position.ko, position.passed, position.left)
    outlook = {WON: "won", -WON: "lost"}.get(value, f"{value * QUANTUM / 100:+.1f} stones")
    return moves, f"{search.depth} plies deep: {outlook}"


def explain_recorded(position: Position, rng: random.Random) -> tuple[int, str]:
    """Return (move, reason) from the recorded replies or, without a record, from `explain`."""
    known = find_replies(RECORDED, position)
    if not known:
        move, why = explain(position, rng)
        return move, f"no recorded reply; championship chose this move ({why})"
    moves = sorted(known)
    chosen = rng.choices(moves, [known[move] for move in moves])[0]
    return chosen, f"recorded: the course's player chose this move {known[chosen]} of {sum(known.values())} times"
