"""What facts may answer on a partial board: the smallest and the largest answer of any legal completion.

A View puts together two sources: the bounds of each fact (see bounds), and what was assumed, for example because
a pattern's condition says so. On a board without open points the fact itself is asked.
"""

from __future__ import annotations

from rules.facts import make_state
from rules.geometry import count, flood
from rules.position import BLACK
from rules.vocabulary import FACTS
from tools.exact import bounds
from tools.exact.partial import Partial
from tools.exact.terms import Chains, Range, Term

FUNCTIONS = {name: function for name, function, _, _, _ in FACTS}
_PAIRS = (
    ("captures", "their_captures"),
    ("own_liberties", "their_liberties"),
    ("atari", "their_atari"),
    ("saves", "their_saves"),
    ("makes_life", "their_life"),
    ("eye", "their_eye"),
    ("enclosed", "their_enclosed"),
    ("own_near", "their_near"),
    ("joins", "cuts"),
    ("legal", "their_legal"),
)
SAME_FOR_BOTH = ("size", "liberties", "in_atari", "shared_liberties", "eyes", "alive", "region", "empty_near")
OTHER_SIDE = {a: b for pair in _PAIRS for a, b in (pair, pair[::-1])} | {name: name for name in SAME_FOR_BOTH}


class Contradiction(Exception):
    """What is assumed can hold on no completion of the board."""


class View:
    """A partial board being asked about.

    assumed: ranges by what `key` returns, and truths by programs.key_of. joined: masks of stones assumed to be one
    chain each.
    """

    __slots__ = ("board", "grid", "assumed", "joined", "answers", "_chains", "_other", "_is_mirror")

    def __init__(self, board: Partial, assumed: dict, joined: tuple[int, ...] = (), is_mirror: bool = False):
        self.board = board
        self.grid = board.grid
        self.assumed = assumed
        self.joined = joined
        self.answers: dict = {}
        self._chains: dict = {}
        self._other: View | None = None
        self._is_mirror = is_mirror

    def other_side(self) -> View:
        """Return the view as the opponent has it."""
        if self._other is None:
            self._other = View(self.board.swapped(), self.assumed, self.joined, is_mirror=True)
        return self._other

    def key(self, term: Term) -> tuple | None:
        """Return what tells apart the questions that facts can answer differently, None where a label is open."""
        found = []
        for is_chain, points in term.arguments:
            chains = self.chains(points) if is_chain else None
            if is_chain and chains is None:
                return None
            found.append(chains.low if is_chain else points)
        return (term.name, term.move, *found)

    def chains(self, points: int) -> Chains | None:
        """Return the chains through the points, None where it is open whose stones they are."""
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
        low = self._joined(stones, known)
        is_one = self._joined(stones & -stones, known) == low
        return Chains(low, flood(low, may_be, grid), bool(own), is_one)

    def _joined(self, stones: int, known: int) -> int:
        """Return the stones with all that are known, or assumed, to be of the same chains."""
        low = flood(stones, known, self.grid)
        for group in self.joined:
            if group & low and group & ~low:
                low = flood(low | group, known, self.grid)
        return low

    def join(self, stones: int) -> None:
        """Assume that the stones are one chain."""
        if stones & (stones - 1) and stones not in self.joined:
            self.joined = (*self.joined, stones)
            self._chains = {}
            self.forget()

    def chain(self, point: int) -> Chains:
        """Return the chain of the known stone on a one-point mask."""
        found = self.chains(point)
        assert found is not None
        return found

    def ask(self, term: Term) -> Range:
        """Return the smallest and the largest answer; raise Contradiction where no answer is left."""
        key = self.key(term)
        if key is None:
            return (0, count(self.grid[1])) if self.board.open else (self._fact(term),) * 2
        found = self.answers.get(key)
        if found is None:
            found = self._narrowed(key, self._answer(term))
            if found[0] > found[1]:
                raise Contradiction
            self.answers[key] = found
        return found

    def _answer(self, term: Term) -> Range:
        if not term.arguments:
            return bounds.ABOUT_THE_GAME[term.name](self.board)
        if not self.board.open:
            answer = self._fact(term)
            return answer, answer
        arguments = [self.chains(points) if is_chain else points for is_chain, points in term.arguments]
        return bounds.BOUNDS[term.name](self, term.move, *arguments)

    def _narrowed(self, key: tuple, found: Range) -> Range:
        if self._is_mirror:
            name = OTHER_SIDE.get(key[0])
            key = (name, *key[1:])
        low, high = self.assumed.get(key, found)
        low, high = max(found[0], low), min(found[1], high)
        if key[0] == "margin2":  # every stone counts two half points
            low, high = low + (low - self.board.ruleset.komi2) % 2, high - (high - self.board.ruleset.komi2) % 2
        return low, high

    def _fact(self, term: Term) -> int:
        board, masks = self.board, []
        for is_chain, points in term.arguments:
            own, theirs = points & board.known_own, points & board.known_theirs
            chains = flood(own, board.known_own, self.grid) | flood(theirs, board.known_theirs, self.grid)
            masks.append(chains if is_chain else points)
        state = make_state(board.known_own, board.known_theirs, board.ko, 1, 1, BLACK, 0, 0, self.grid)
        return FUNCTIONS[term.name](state, term.move, *masks)

    def forget(self) -> None:
        """Forget the answers: something more is assumed."""
        self.answers = {}
        self._other = None

    # -- what the bounds ask one another ------------------------------------------------------------------------

    def about(self, name: str, *points: int) -> Range:
        """Return the range of a fact about points, or about the chains of known stones on them."""
        kinds = [name in bounds.ABOUT_CHAINS] * len(points)
        return self.ask(Term(name, 0, tuple(zip(kinds, points, strict=True))))
