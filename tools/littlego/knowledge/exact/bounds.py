"""Bounds of fact values on a partial board (see the module `partial`).

The bounds of a fact are a range that contains the fact's value for every legal completion of the board. A View narrows
the bounds by assumptions, for example from a pattern's condition. If the content of every point is known, the View
computes exact values for the facts that have arguments and an entry in BOUNDS. Bounds may be wider than necessary. Wide
bounds make a search slower, but not wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import NamedTuple

from littlego.engines.large.vocabulary import small_facts
from littlego.knowledge.exact.partial import (
    AFTER_A_MOVE,
    AFTER_A_PASS,
    Partial,
    colour_to_move,
    single_points,
    state_of,
    unknown_position,
)
from littlego.rules.facts import State, mirrors
from littlego.rules.geometry import Mask, around, count, edges_at, flood, line_of
from littlego.rules.life import corners_of
from littlego.rules.position import BLACK, chains
from littlego.rules.programs import FAR
from littlego.rules.ruleset import Ruleset

FACTS = small_facts()
Range = tuple[int, int]
ANYTHING = (-FAR, FAR)
Key = tuple[str, Mask, tuple[Mask, ...]]  # a fact, its move, and a mask for each argument: see View.key
LONGEST_CAUGHT = 2  # liberties; if the opponent moves next, no ladder catches a chain of the mover with more liberties
MIRRORS = {name: other for name, other in mirrors().items() if name in FACTS}
ABOUT_CHAINS = frozenset(name for name, fact in FACTS.items() if "chain" in fact.kinds)
NEEDS_A_LEGAL_MOVE = frozenset(
    ("captures", "own_liberties", "ko", "atari", "saves", "threatens", "snapback", "makes_life")
    + ("takes_in_3", "guards_in_3", "played_out")
)  # facts that are 0 if the move is illegal


class Term(NamedTuple):
    """A fact applied to points of the board."""

    name: str
    move: int  # the mask of the move for a fact about the board after the move; 0 for a pass or another fact
    arguments: tuple[tuple[bool, int], ...]  # (whether the argument is a chain, mask of its points)


class Chains(NamedTuple):
    """The chains that a label names, as far as their stones are known."""

    low: int  # stones that certainly belong to the chains
    up: int  # points that may belong to the chains
    is_own: bool  # whether the chains are the mover's
    is_one: bool  # whether `low` is a single chain, certainly or by assumption


# -- a partial board -----------------------------------------------------------------------------------------


class ContradictionError(Exception):
    """Raised if no completion of the board meets the assumptions."""


class View:
    """A partial board with assumptions about the values of facts."""

    __slots__ = ("board", "grid", "assumed", "truths", "joined", "answers", "_chains", "_other", "_is_mirror")

    def __init__(
        self, board: Partial, assumed: dict[Key, Range], joined: tuple[Mask, ...] = (), is_mirror: bool = False
    ):
        self.board = board
        self.grid = board.grid
        self.assumed = assumed  # the assumed range of answers, by the key of a term
        self.truths: dict[object, int] = {}  # the assumed truth of programs, by the key from placed.key_of
        self.joined = joined  # masks of stones, each assumed to be a single chain
        self.answers: dict[Key, Range] = {}
        self._chains: dict[Mask, Chains | None] = {}
        self._other: View | None = None
        self._is_mirror = is_mirror

    def other_side(self) -> View:
        """Return the same view from the opponent's side."""
        if self._other is None:
            self._other = View(self.board.swap(), self.assumed, self.joined, is_mirror=True)
        return self._other

    def key(self, term: Term) -> Key | None:
        """Return a term's cache key, or None if the chains of an argument are unknown (see `chains`).

        Terms with equal keys always have equal values.
        """
        about: list[Mask] = []
        for is_chain, points in term.arguments:
            chains = self.chains(points) if is_chain else None
            if is_chain and chains is None:
                return None
            about.append(chains.low if chains else points)
        return term.name, term.move, tuple(about)

    def chains(self, points: int) -> Chains | None:
        """Return the chains through the points, or None if the chains are unknown.

        The chains are unknown if the content of a point is unknown or the stones belong to both sides. points: a mask.
        """
        if points not in self._chains:
            self._chains[points] = self._chains_at(points)
        return self._chains[points]

    def _chains_at(self, points: int) -> Chains | None:
        board, grid = self.board, self.grid
        if points & board.open:
            return None
        own, theirs = points & board.known_own, points & board.known_theirs
        if own and theirs:
            return None
        if not own and not theirs:
            return Chains(0, 0, True, False)
        known, may_be = (board.known_own, board.own) if own else (board.known_theirs, board.theirs)
        stones = own or theirs
        low = self._join_assumed(stones, known)
        is_one = self._join_assumed(stones & -stones, known) == low
        return Chains(low, flood(low, may_be, grid), bool(own), is_one)

    def _join_assumed(self, stones: int, known: int) -> int:
        """Return a mask of the stones that belong to the chains of `stones`, certainly or by assumption."""
        low = flood(stones, known, self.grid)
        for group in self.joined:
            if group & low and group & ~low:
                low = flood(low | group, known, self.grid)
        return low

    def join(self, stones: int) -> None:
        """Assume that the given stones belong to one chain. stones: a mask."""
        if stones & (stones - 1) and stones not in self.joined:
            self.joined = (*self.joined, stones)
            self._chains = {}
            self.forget()

    def chain(self, point: Mask) -> Chains:
        """Return the chain of the known stone at a point. point: a mask of one point."""
        chains = self.chains(point)
        assert chains is not None
        return chains

    def ask(self, term: Term) -> Range:
        """Return the bounds of a term's value. Raise ContradictionError if no value is possible."""
        key = self.key(term)
        if key is None:
            return self._answer_or_declared(term)
        answers = self.answers.get(key)
        if answers is None:
            answers = self._narrow(key, self._answer(term, key))
            if answers[0] > answers[1]:
                raise ContradictionError
            self.answers[key] = answers
        return answers

    def _answer(self, term: Term, key: Key) -> Range:
        bound = BOUNDS.get(term.name)
        if bound is None and term.name in NEEDS_A_LEGAL_MOVE and key[2][0] and not self.about("legal", key[2][0])[1]:
            return 0, 0
        if bound is None or term.arguments and not self.board.open:
            return self._answer_or_declared(term)
        if not term.arguments:
            return bound(self.board)
        if 0 in key[2]:
            return 0, 0  # a label that names a chain is on empty points
        return bound(
            self, term.move, *[self.chains(points) if is_chain else points for is_chain, points in term.arguments]
        )

    def _answer_or_declared(self, term: Term) -> Range:
        """Return a fact's exact value as a range, or the range of all possible values if the value is unknown.

        A fact in BOUNDS that has arguments depends only on the stones and the ko. A fact outside BOUNDS may depend on
        the whole position.
        """
        board = self.board
        if term.name in BOUNDS and not board.open:
            state = State(board.known_own, board.known_theirs, board.ko, 1, 1, BLACK, 0, 0, self.grid)
        elif term.name not in BOUNDS and not self._is_mirror and board.is_settled():
            state = state_of(board.position())
        else:
            return FACTS[term.name].bounds(count(self.grid[1]))
        answer = ask_fact(term, state)
        return answer, answer

    def _narrow(self, key: Key, answers: Range) -> Range:
        if self._is_mirror:
            key = MIRRORS.get(key[0], ""), *key[1:]
        low, high = self.assumed.get(key, answers)
        low, high = max(answers[0], low), min(answers[1], high)
        if key[0] == "margin2":  # a stone counts as two half points
            low, high = low + (low - self.board.ruleset.komi2) % 2, high - (high - self.board.ruleset.komi2) % 2
        return low, high

    def forget(self) -> None:
        """Clear the cached bounds after a new assumption."""
        self.answers = {}
        self._other = None

    # -- questions for the functions of bounds ------------------------------------------------------------------

    def about(self, name: str, *points: int) -> Range:
        """Return the bounds of a fact. points: a mask for each argument; for a chain, the mask of its known stones."""
        return self.ask(Term(name, 0, tuple((name in ABOUT_CHAINS, point) for point in points)))


def ask_fact(term: Term, state: State) -> int:
    """Return the value of a fact in a fully known state."""
    own, theirs, grid = state.own, state.theirs, state.grid
    masks = [
        flood(points & own, own, grid) | flood(points & theirs, theirs, grid) if is_chain else points
        for is_chain, points in term.arguments
    ]
    return FACTS[term.name].function(state, term.move, *masks)


# Each function `bound_NAME` below returns the range of a fact on a partial board. Facts with such a bound read only the
# stones and the ko, except for facts about the game. A function for a fact without arguments takes the Partial. All
# others take a View, the pattern's move (0 for a pass) and the fact's arguments, chains as Chains and points as masks.
# `view.about` makes use of assumptions about other facts. The functions are called only for chains with stones. For a
# chain without stones, every fact with a bound is 0.


# -- chains --------------------------------------------------------------------------------------------------


def bound_size(view: View, move: int, chain: Chains) -> Range:
    return count(chain.low), count(chain.up)


def bound_liberties(view: View, move: int, chain: Chains) -> Range:
    sure = count(around(chain.low, view.grid) & view.board.known_empty)
    return max(1, sure), count(around(chain.up, view.grid) & view.board.empty)


def bound_in_atari(view: View, move: int, chain: Chains) -> Range:
    low, high = view.about("liberties", chain.low)
    return int(high == 1), int(low == 1)


def bound_shared_liberties(view: View, move: int, chain: Chains, other: Chains) -> Range:
    grid, board = view.grid, view.board
    sure = around(chain.low, grid) & around(other.low, grid) & board.known_empty
    most = count(around(chain.up, grid) & around(other.up, grid) & board.empty)
    return count(sure), min(most, *(view.about("liberties", one.low)[1] for one in (chain, other)))


def bound_eyes(view: View, move: int, chain: Chains) -> Range:
    fact = "eye" if chain.is_own else "their_eye"
    sure = sum(view.about(fact, point)[0] for point in single_points(around(chain.low, view.grid)))
    most = sum(view.about(fact, point)[1] for point in single_points(around(chain.up, view.grid)))
    return sure, min(most, view.about("liberties", chain.low)[1])


def bound_alive(view: View, move: int, chain: Chains) -> Range:
    """Return the bounds of the fact `alive`.

    The fact is 0 for a chain in atari, because a living chain has at least two liberties.
    """
    return 0, int(view.about("liberties", chain.low)[1] >= 2)


def bound_doomed(view: View, move: int, chain: Chains) -> Range:
    return 0, int(view.about("liberties", chain.low)[0] == 1)


def bound_ladder(view: View, move: int, chain: Chains) -> Range:
    """Return the bounds of the fact `ladder`.

    A ladder catches a chain of the mover only if at most two liberties remain after the move, and a chain of the
    opponent only if at most one liberty remains.
    """
    if not may_move(view, move):
        return 0, 0
    low, high = view.ask(Term("liberties_after", move, ((True, chain.low),)))
    possible = int(not chain.is_one or low <= (LONGEST_CAUGHT if chain.is_own else 1))
    if not must_move(view, move):
        return 0, possible
    if not chain.is_own:
        return int(high == 0), possible
    no_ko = not move or view.about("captures", move)[1] == 0  # no ko keeps the opponent from the last liberty
    return int(high == 1 and no_ko), possible


def bound_liberties_after(view: View, move: int, chain: Chains) -> Range:
    if not may_move(view, move):
        return 0, 0
    low, high = _bound_after_move(view, move, chain)
    return (low if must_move(view, move) else 0), high


def _bound_after_move(view: View, move: int, chain: Chains) -> Range:
    """Return the bounds of a chain's liberty count after a legal move."""
    low, high = view.about("liberties", chain.low)
    if not move:
        return low, high
    surely, maybe = around(chain.low, view.grid) & move, around(chain.up, view.grid) & move
    if not chain.is_own:  # the chain loses at most the move's point: the move captures no stone beside the chain
        return low - bool(maybe), high - bool(surely)
    if not chain.is_one:
        return 1, count(view.grid[1])
    if surely:
        low, high = view.about("own_liberties", move)
        return max(1, low), high
    sure, targets = targets_of(view, move)
    high += count(around(chain.up, view.grid) & targets)
    if maybe:
        return 1, max(high, liberties_there(view, move)[1])
    return low + count(around(chain.low, view.grid) & sure), high


# -- a move of the mover -------------------------------------------------------------------------------------


def may_move(view: View, move: int) -> bool:
    return not move or view.about("legal", move)[1] == 1


def must_move(view: View, move: int) -> bool:
    return not move or view.about("legal", move)[0] == 1


def targets_of(view: View, point: int) -> tuple[int, int]:
    """Return masks (stones that a move certainly captures, stones that the move may capture)."""
    board, grid = view.board, view.grid
    sure = maybe = 0
    for stone in single_points(around(point, grid) & board.theirs):
        if stone & board.known_theirs:
            low, high = view.about("liberties", stone)
            chain = view.chain(stone).low
            if high == 1 and point & board.known_empty:
                sure |= chain
        else:
            low, chain = 1, flood(stone, board.known_theirs, grid)
        if low == 1 and not around(chain, grid) & board.known_empty & ~point:
            maybe |= flood(stone, board.theirs, grid)
    return sure, maybe


def bound_legal(view: View, move: int, point: int) -> Range:
    board, grid = view.board, view.grid
    if not point & board.empty or point & board.ko:
        return 0, 0
    sure, maybe = targets_of(view, point)
    if not maybe and not _reach(view, point, board.own, board.empty):
        return 0, 0
    if not point & board.known_empty:
        return 0, 1
    stays = sure or _reach(view, point, board.known_own, board.known_empty)
    beside = single_points(around(point, grid) & board.known_own)
    return int(bool(stays) or any(view.about("liberties", stone)[0] >= 2 for stone in beside)), 1


def bound_captures(view: View, move: int, point: int) -> Range:
    low, high = view.about("legal", point)
    sure, maybe = targets_of(view, point)
    near = around(point, view.grid)
    fewest = low * count(sure)
    if low and not _reach(view, point, view.board.own, view.board.empty):  # no suicide, so the move must capture
        sizes = [view.about("size", stone)[0] for stone in single_points(near & maybe & view.board.known_theirs)]
        fewest = max(fewest, 1 if near & maybe & view.board.open else min(sizes, default=1))
    return fewest, high * count(maybe)


def bound_own_liberties(view: View, move: int, point: int) -> Range:
    low, high = view.about("legal", point)
    fewest, most = liberties_there(view, point)
    return low * fewest, high * most


def liberties_there(view: View, point: int) -> Range:
    """Return bounds for the number of liberties of the chain that a legal move at `point` forms."""
    board = view.board
    sure, maybe = targets_of(view, point)
    free = _reach(view, point, board.known_own, board.known_empty)
    freed = count(_reach(view, point, board.known_own, sure))
    if view.about("captures", point)[0]:  # each captured neighbour becomes a liberty
        freed = max(1, freed)
    return max(1, count(free) + freed), count(_reach(view, point, board.own, board.empty | maybe))


def _reach(view: View, point: int, own: int, room: int) -> int:
    """Return a mask of the points of `room` beside the chain that a new stone at `point` would form.

    The chain consists of the new stone and the stones of `own` that are connected to it.
    """
    return around(flood(point, own, view.grid), view.grid) & room & ~point


def bound_joins(view: View, move: int, point: int) -> Range:
    return _chains_beside(view, point, view.board.known_own, view.board.own)


def bound_cuts(view: View, move: int, point: int) -> Range:
    return _chains_beside(view, point, view.board.known_theirs, view.board.theirs)


def _chains_beside(view: View, point: int, known: int, may_be: int) -> Range:
    """Return bounds for the number of chains of one colour that touch a point."""
    near = around(point, view.grid)
    fewest, most = (len(chains(flood(near & known, stones, view.grid), view.grid)) for stones in (may_be, known))
    return fewest, most + count(near & may_be & ~known)


def bound_ko(view: View, move: int, point: int) -> Range:
    """Return the bounds of the fact `ko`.

    `ko` is true if the new stone joins no chain, has one liberty and captures one stone.
    """
    wanted = {"legal": 1, "captures": 1, "own_liberties": 1, "joins": 0}
    answers = [(*view.about(name, point), answer) for name, answer in wanted.items()]
    sure = all(low == high == answer for low, high, answer in answers)
    return int(sure), int(all(low <= answer <= high for low, high, answer in answers))


def _put_in_atari(view: View, point: int) -> tuple[list[Chains], int]:
    """Return (chains that a legal move certainly puts in atari, mask of stones that it may put in atari).

    Only a move that takes one of a chain's last two liberties can put the chain in atari.
    """
    board, grid = view.board, view.grid
    sure, maybe = [], 0
    for stone in single_points(around(point, grid) & board.theirs):
        chain = view.chain(stone) if stone & board.known_theirs else None
        low, high = view.about("liberties", stone) if chain else (1, 2)
        if chain and low == high == 2:
            sure.append(chain)
        stones = chain.low if chain else flood(stone, board.known_theirs, grid)
        if low <= 2 <= high and count(around(stones, grid) & board.known_empty & ~point) <= 1:
            maybe |= flood(stone, board.theirs, grid)
    return sure, maybe


def bound_atari(view: View, move: int, point: int) -> Range:
    low, high = view.about("legal", point)
    sure, maybe = _put_in_atari(view, point)
    stones = 0
    for chain in sure:
        stones |= chain.low
    return low * count(stones), high * count(maybe)


def bound_saves(view: View, move: int, point: int) -> Range:
    """Return the bounds of the fact `saves`.

    No ladder catches a chain of the mover that has more than two liberties after the move.
    """
    board, grid = view.board, view.grid
    low, high = view.about("legal", point)
    if not high:
        return 0, 0
    maybe = board.own & ~board.known_own
    for stone in single_points(board.known_own):
        if view.about("liberties", stone)[0] == 1:
            maybe |= view.chain(stone).up
    rescued = 0
    if low and liberties_there(view, point)[0] > LONGEST_CAUGHT:
        for stone in single_points(around(point, grid) & board.known_own):
            if view.about("liberties", stone)[1] == 1:
                rescued |= view.chain(stone).low
    return count(rescued), count(maybe)


def bound_threatens(view: View, move: int, point: int) -> Range:
    low, high = view.about("legal", point)
    sure, _ = _put_in_atari(view, point)
    sizes = [view.about("size", chain.low & -chain.low)[0] for chain in sure]
    return low * max(sizes, default=0), high * count(view.board.theirs)


def bound_snapback(view: View, move: int, point: int) -> Range:
    fewest, most = view.about("own_liberties", point)
    return 0, count(view.board.theirs) if fewest <= 1 <= most else 0


def bound_makes_life(view: View, move: int, point: int) -> Range:
    return 0, view.about("legal", point)[1] * count(view.board.own | point)


def bound_takes_in_3(view: View, move: int, point: int) -> Range:
    most = view.about("legal", point)[1] * count(view.board.theirs)
    return -most, most


def bound_guards_in_3(view: View, move: int, point: int) -> Range:
    may_play = view.about("legal", point)[1]
    return -may_play * count(view.board.own | point), may_play * count(view.board.own)


# -- single points --------------------------------------------------------------------------------------------


def _is_closed(view: View, point: int) -> tuple[bool, bool]:
    """Return (whether a point is certainly closed, whether the point may be closed).

    A closed point is empty, and all points beside it contain stones of the mover.
    """
    board, sides = view.board, around(point, view.grid)
    sure = bool(point & board.known_empty) and not sides & ~board.known_own
    return sure, bool(point & board.empty) and not sides & ~board.own


def _is_real_eye(view: View, point: int) -> tuple[bool, bool]:
    """Return (whether a closed point is certainly a real eye, whether the point may be a real eye).

    See rules.life.is_eye.
    """
    board, sides = view.board, around(point, view.grid)
    first, corners = sides & -sides, corners_of(point, view.grid)
    spared = 1 if count(corners) == 4 else 0
    one_chain = not sides & ~flood(first, board.known_own, view.grid)
    may_join = not sides & ~flood(first, board.own, view.grid)
    sure = one_chain or count(corners & board.theirs) <= spared
    return sure, may_join or count(corners & board.known_theirs) <= spared


def bound_eye(view: View, move: int, point: int) -> Range:
    closed, may_close = _is_closed(view, point)
    real, may_be_real = _is_real_eye(view, point)
    return int(closed and real), int(may_close and may_be_real)


def bound_false_eye(view: View, move: int, point: int) -> Range:
    closed, may_close = _is_closed(view, point)
    real, may_be_real = _is_real_eye(view, point)
    return int(closed and not may_be_real), int(may_close and not real)


def bound_region(view: View, move: int, point: int) -> Range:
    low, high = (flood(point & empty, empty, view.grid) for empty in (view.board.known_empty, view.board.empty))
    return count(low), count(high)


def bound_enclosed(view: View, move: int, point: int) -> Range:
    board, grid = view.board, view.grid
    inside = flood(point & board.known_empty, board.known_empty, grid)
    border = around(inside, grid) & ~inside
    if not point & board.empty or border & board.known_theirs or inside and not border:
        return 0, 0
    is_closed = inside and not border & ~board.known_own
    most = flood(point, board.empty & ~around(board.known_theirs, grid), grid)
    return (count(inside) if is_closed else 0), count(most)


def bound_line(view: View, move: int, point: int) -> Range:
    answer = line_of(point.bit_length() - 1, view.grid[0])
    return answer, answer


def bound_edge(view: View, move: int, point: int) -> Range:
    answer = edges_at(point.bit_length() - 1, view.grid[0])
    return answer, answer


def bound_own_near(view: View, move: int, point: int) -> Range:
    near = around(point, view.grid)
    return count(near & view.board.known_own), count(near & view.board.own)


def bound_empty_near(view: View, move: int, point: int) -> Range:
    near = around(point, view.grid)
    return count(near & view.board.known_empty), count(near & view.board.empty)


# -- the game ------------------------------------------------------------------------------------------------


def bound_moves_left(board: Partial) -> Range:
    return (board.clock & -board.clock).bit_length() - 1, board.clock.bit_length() - 1


def bound_move_number(board: Partial) -> Range:
    fewest, most = bound_moves_left(board)
    return board.ruleset.length - most + 1, board.ruleset.length - fewest + 1


def bound_colour(board: Partial) -> Range:
    colours = {colour_to_move(board.ruleset, bit.bit_length() - 1) for bit in single_points(board.clock)}
    return min(colours), max(colours)


def bound_lead(board: Partial) -> Range:
    return count(board.known_own) - count(board.theirs), count(board.own) - count(board.known_theirs)


def bound_margin2(board: Partial) -> Range:
    behind, ahead = bound_lead(board)
    first, last = bound_colour(board)
    komi2 = board.ruleset.komi2
    return 2 * behind + (-komi2 if first == BLACK else komi2), 2 * ahead + (-komi2 if last == BLACK else komi2)


def bound_passed(board: Partial) -> Range:
    return int(not board.passes & AFTER_A_MOVE), int(board.passes & AFTER_A_PASS != 0)


def bound_ko_ban(board: Partial) -> Range:
    return int(board.ko != 0), int(board.ko != 0)


# -- the table of bounds --------------------------------------------------------------------------------------------


def _bound_by_mirror(name: str, view: View, move: int, point: int) -> Range:
    """Return the bounds of a fact by evaluating the mirror fact `name` from the opponent's side.

    The mirror fact is the same fact with the sides exchanged.
    """
    return view.other_side().about(name, point)


# The function that returns a fact's bounds is `bound_NAME`, or else the function of the mirror fact for the opponent.
# Some facts have no such function.
BOUNDS: dict[str, Callable[..., Range]] = {
    name.removeprefix("bound_"): one for name, one in globals().items() if name.startswith("bound_")
}
BOUNDS = {name: partial(_bound_by_mirror, MIRRORS[name]) for name in FACTS if MIRRORS.get(name) in BOUNDS} | BOUNDS


@cache
def zero_on_stones(ruleset: Ruleset) -> frozenset[str]:
    """Return the names of the facts about a single point that are 0 if the point has a stone."""
    board, names = unknown_position(ruleset), {name for name, fact in FACTS.items() if fact.kinds == ("point",)}
    for point in single_points(board.own):
        for stone in (board.limit(theirs=~point, empty=~point), board.limit(own=~point, empty=~point)):
            view = View(stone, {})
            names = {name for name in names if view.ask(Term(name, 0, ((False, point),))) == (0, 0)}
    return frozenset(names)
