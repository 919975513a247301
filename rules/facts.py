"""What a pattern may ask of a position: one small function a fact, declared where it is written.

Every fact is called as fact(state, move, *arguments). `state` is a State, `move` the one-point mask of the
pattern's move (0 for a pass), and an argument is a mask: for a chain argument the stones of the labelled chain
or chains (0 if the label's point is empty), for a point argument the labelled point itself. A fact that asks
"if own played at P" answers 0 where P is not legal. Facts return ints.

Vocabulary, docs, the numbers that compiled code knows facts by and the tests' universes follow from FACTS.
"""

from __future__ import annotations

from rules.geometry import around, count, edges_at, flood, line_of
from rules.life import alive_stones, atari_chains, catches, is_eye, rescues
from rules.position import captured_by, chains, is_legal, played

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Optional, Tuple, TypeVar

    from rules.geometry import Grid, Mask

    AnyFact = TypeVar("AnyFact", bound=Callable[..., int])
    Answers = Optional[Tuple[int, int]]

FLAG = 0, 1  # the answers of a fact that says no or yes
ITSELF = "itself"


class State:
    """A position as facts see it, from the mover's side.

    own, theirs, ko: masks of the stones and of the point that the ko rule denies. left, number: moves left and the
    number of the next one, itself included. colour: BLACK or WHITE, who moves. bonus2: the komi in half points as
    the mover sees it, negative for Black. passed: 1 if a pass ends the game, else 0.
    """

    __slots__ = ("own", "theirs", "ko", "left", "number", "colour", "bonus2", "passed", "grid")

    def __init__(
        self,
        own: Mask,
        theirs: Mask,
        ko: Mask,
        left: int,
        number: int,
        colour: int,
        bonus2: int,
        passed: int,
        grid: Grid,
    ) -> None:
        self.own = own
        self.theirs = theirs
        self.ko = ko
        self.left = left
        self.number = number
        self.colour = colour
        self.bonus2 = bonus2
        self.passed = int(passed)
        self.grid = grid


class Fact:
    """A fact as it is declared; its name is its function's, and what it promises is the function's docstring.

    kinds: of its arguments, "chain" or "point". cost: about microseconds. answers: the smallest and the largest, or
    None for the usual ones (see bounds). after_the_move: whether it asks of a chain once the pattern's move is made.
    mirror: the fact that answers the same from the other side, the fact ITSELF, or None.
    """

    __slots__ = ("name", "function", "kinds", "cost", "answers", "after_the_move", "mirror")

    def __init__(
        self,
        function: Callable[..., int],
        kinds: tuple[str, ...],
        cost: int,
        answers: Answers,
        after_the_move: bool,
        mirror: Callable[..., int] | str | None,
    ) -> None:
        self.name = function.__name__
        self.function = function
        self.kinds = kinds
        self.cost = cost
        self.answers = answers
        self.after_the_move = after_the_move
        self.mirror = mirror

    @property
    def promise(self) -> str:
        """What the answer says, in one line."""
        return " ".join((self.function.__doc__ or "").split())

    def bounds(self, points: int) -> tuple[int, int]:
        """Return the smallest and the largest answer that it can give on a board of so many points.

        Unless declared otherwise, a fact about chains or points counts points, and one about the game may be any int.
        """
        return self.answers or ((0, points) if self.kinds else (-1 << 40, 1 << 40))


FACTS: dict[str, Fact] = {}  # by name, in the order of their numbers


def fact(
    *kinds: str,
    cost: int,
    answers: Answers = None,
    after_the_move: bool = False,
    mirror: Callable[..., int] | str | None = None,
) -> Callable[[AnyFact], AnyFact]:
    """Declare a function to be a fact: see Fact."""

    def declared(function: AnyFact) -> AnyFact:
        FACTS[function.__name__] = Fact(function, kinds, cost, answers, after_the_move, mirror)
        return function

    return declared


def mirrors() -> dict[str, str]:
    """Return, by name, the fact that answers each fact's question from the other side; none where there is none."""
    pairs = {}
    for name, one in FACTS.items():
        if one.mirror is not None:
            other = name if isinstance(one.mirror, str) else one.mirror.__name__
            pairs[name], pairs[other] = other, name
    return pairs


# -- chains --------------------------------------------------------------------------------------------------


@fact("chain", cost=1, mirror=ITSELF)
def size(state: State, move: Mask, chain: Mask) -> int:
    """Stones in the chain A."""
    return count(chain)


@fact("chain", cost=1, mirror=ITSELF)
def liberties(state: State, move: Mask, chain: Mask) -> int:
    """Liberties of the chain A; of all of them together if A labels several."""
    return count(around(chain, state.grid) & ~(state.own | state.theirs))


@fact("chain", cost=1, answers=FLAG, mirror=ITSELF)
def in_atari(state: State, move: Mask, chain: Mask) -> int:
    """1 if the chain A has exactly one liberty."""
    if not chain:
        return 0
    free = around(chain, state.grid) & ~(state.own | state.theirs)
    return int(not free & (free - 1))


@fact("chain", "chain", cost=2, mirror=ITSELF)
def shared_liberties(state: State, move: Mask, chain: Mask, other: Mask) -> int:
    """Points that are a liberty of A and of B."""
    grid = state.grid
    return count(around(chain, grid) & around(other, grid) & ~(state.own | state.theirs))


@fact("chain", cost=5, mirror=ITSELF)
def eyes(state: State, move: Mask, chain: Mask) -> int:
    """Eyes (see `eye`, for the chain's own colour) next to the chain A."""
    own, theirs, grid = state.own, state.theirs, state.grid
    if chain & theirs:
        own, theirs = theirs, own
    near = around(chain, grid) & ~(own | theirs)
    number = 0
    while near:
        point = near & -near
        near ^= point
        number += is_eye(point, own, theirs, grid)
    return number


@fact("chain", cost=40, answers=FLAG, mirror=ITSELF)
def alive(state: State, move: Mask, chain: Mask) -> int:
    """1 if A is unconditionally alive (Benson): it lives though its owner always passes."""
    if not chain:
        return 0
    own, theirs = state.own, state.theirs
    if chain & theirs:
        own, theirs = theirs, own
    return int(not chain & ~alive_stones(own, theirs, state.grid))


@fact("chain", cost=20, answers=FLAG)
def doomed(state: State, move: Mask, chain: Mask) -> int:
    """1 if A is in atari and its owner, moving now, cannot save it: last liberty and captures of attackers in atari
    next to it are read out as ladders."""
    if not chain or not in_atari(state, move, chain):
        return 0
    own, theirs = state.own, state.theirs
    if chain & theirs:
        return int(not rescues(chain, theirs, own, 0, state.grid))
    return int(not rescues(chain, own, theirs, state.ko, state.grid))


@fact("chain", cost=30, answers=FLAG, after_the_move=True)
def ladder(state: State, move: Mask, chain: Mask) -> int:
    """1 if, after the move, the chain A is caught: gone, or captured by atari after atari (ladder) with the
    opponent of the mover to move; each of them if A labels several; 0 if illegal."""
    grid = state.grid
    after = _after(state, move)
    if after is None or not chain:
        return 0
    own, theirs, ko = after
    for target in chains(chain & own, grid):
        if not catches(flood(target, own, grid), theirs, own, ko, grid):
            return 0
    for target in chains(chain & theirs, grid):
        if rescues(target, theirs, own, ko, grid):
            return 0
    return 1


@fact("chain", cost=4, after_the_move=True)
def liberties_after(state: State, move: Mask, chain: Mask) -> int:
    """Liberties of the chain A (grown or merged) after the move; 0 if gone."""
    after = _after(state, move)
    if after is None or not chain:
        return 0
    own, theirs, _ = after
    stones = own if chain & own else theirs
    grid = state.grid
    return count(around(flood(chain & stones, stones, grid), grid) & ~(own | theirs)) if chain & stones else 0


# -- a move --------------------------------------------------------------------------------------------------


def _after(state: State, point: Mask) -> tuple[Mask, Mask, Mask] | None:
    """Return (own, theirs, ko) once own has played at the point mask (0 passes), or None where it is illegal."""
    own, theirs, grid = state.own, state.theirs, state.grid
    if not point:
        return own, theirs, 0
    if not is_legal(point, own, theirs, state.ko, grid):
        return None
    own, theirs, _, ko_point = played(point, own, theirs, grid)
    return own, theirs, ko_point


@fact("point", cost=2, answers=FLAG)
def legal(state: State, move: Mask, point: Mask) -> int:
    """1 if own may play at P."""
    return int(is_legal(point, state.own, state.theirs, state.ko, state.grid))


@fact("point", cost=3)
def captures(state: State, move: Mask, point: Mask) -> int:
    """Stones that own playing at P captures."""
    after = _after(state, point)
    return 0 if after is None else count(state.theirs) - count(after[1])


@fact("point", cost=4)
def own_liberties(state: State, move: Mask, point: Mask) -> int:
    """Liberties of the own chain at P once own has played there."""
    after = _after(state, point)
    if after is None:
        return 0
    own, theirs, _ = after
    grid = state.grid
    return count(around(flood(point, own, grid), grid) & ~(own | theirs))


@fact("point", cost=2, answers=(0, 4))
def joins(state: State, move: Mask, point: Mask) -> int:
    """Different own chains next to P."""
    return len(_chains_at(point, state.own, state.grid))


@fact("point", cost=2, answers=(0, 4), mirror=joins)
def cuts(state: State, move: Mask, point: Mask) -> int:
    """Different chains of theirs next to P, which a stone of theirs there would join."""
    return len(_chains_at(point, state.theirs, state.grid))


def _chains_at(point: Mask, stones: Mask, grid: Grid) -> list[Mask]:
    """Return the different chains of `stones` next to the point."""
    different = []
    near = around(point, grid) & stones
    while near:
        chain = flood(near & -near, stones, grid)
        near &= ~chain
        different.append(chain)
    return different


@fact("point", cost=4, answers=FLAG)
def ko(state: State, move: Mask, point: Mask) -> int:
    """1 if own playing at P takes a ko: the simple ko rule then forbids to retake at once."""
    after = _after(state, point)
    return 0 if after is None else int(after[2] != 0)


@fact("point", cost=5)
def atari(state: State, move: Mask, point: Mask) -> int:
    """Stones of their chains next to P that have exactly one liberty once own has played there."""
    after = _after(state, point)
    if after is None:
        return 0
    own, theirs, _ = after
    grid = state.grid
    empty = grid[1] & ~(own | theirs)
    stones = 0
    for chain in _chains_at(point, theirs, grid):
        free = around(chain, grid) & empty
        if not free & (free - 1):
            stones += count(chain)
    return stones


@fact("point", cost=25)
def saves(state: State, move: Mask, point: Mask) -> int:
    """Own stones, now in atari, that own playing at P makes safe from capture in a ladder."""
    after = _after(state, point)
    if after is None:
        return 0
    own, theirs, ko_point = after
    grid = state.grid
    saved = 0
    for chain in atari_chains(state.own, state.theirs, grid):
        if not catches(flood(chain, own, grid), theirs, own, ko_point, grid):
            saved += count(chain)
    return saved


@fact("point", cost=10)
def threatens(state: State, move: Mask, point: Mask) -> int:
    """Most stones that a second own move in a row could capture after own plays at P."""
    after = _after(state, point)
    if after is None:
        return 0
    own, theirs, _ = after
    grid = state.grid
    most = 0
    for chain in atari_chains(theirs, own, grid):
        last = around(chain, grid) & ~(own | theirs)
        most = max(most, count(captured_by(last, own, theirs, grid)))
    return most


@fact("point", cost=10)
def snapback(state: State, move: Mask, point: Mask) -> int:
    """Stones won after own plays at P, if theirs captures that chain at once and own then captures the capturing
    chain: stones then taken less stones given, 0 if none."""
    after = _after(state, point)
    if after is None:
        return 0
    own, theirs, ko_point = after
    grid = state.grid
    bait = flood(point, own, grid)
    last = around(bait, grid) & ~(own | theirs)
    if last & (last - 1) or not is_legal(last, theirs, own, ko_point, grid):
        return 0
    theirs, own, taken, next_ko = played(last, theirs, own, grid)
    best = 0
    chain = flood(last, theirs, grid)
    free = around(chain, grid) & ~(own | theirs)
    if not free & (free - 1) and is_legal(free, own, theirs, next_ko, grid):
        best = count(captured_by(free, own, theirs, grid)) - count(taken)
    return max(best, 0)


@fact("point", cost=60)
def makes_life(state: State, move: Mask, point: Mask) -> int:
    """Own stones that become unconditionally alive (Benson) by own playing at P."""
    after = _after(state, point)
    if after is None:
        return 0
    grid = state.grid
    made = alive_stones(after[0], after[1], grid)
    return count(made & ~alive_stones(state.own, state.theirs, grid)) if made else 0


# -- what they could do ---------------------------------------------------------------------------------------


@fact("point", cost=2, answers=FLAG, mirror=legal)
def their_legal(state: State, move: Mask, point: Mask) -> int:
    """1 if theirs could play at P now, ko aside."""
    return int(is_legal(point, state.theirs, state.own, 0, state.grid))


@fact("point", cost=3, mirror=captures)
def their_captures(state: State, move: Mask, point: Mask) -> int:
    """Stones that theirs playing at P would capture, ko aside."""
    return captures(_their_view(state), 0, point)


@fact("point", cost=4, mirror=own_liberties)
def their_liberties(state: State, move: Mask, point: Mask) -> int:
    """Liberties of their chain at P if they played there; 0 if illegal."""
    return own_liberties(_their_view(state), 0, point)


@fact("point", cost=6, mirror=atari)
def their_atari(state: State, move: Mask, point: Mask) -> int:
    """Own stones next to P that would have exactly one liberty once theirs had played there."""
    return atari(_their_view(state), 0, point)


@fact("point", cost=26, mirror=saves)
def their_saves(state: State, move: Mask, point: Mask) -> int:
    """Stones of theirs, now in atari, that theirs playing at P would make safe from capture in a ladder."""
    return saves(_their_view(state), 0, point)


@fact("point", cost=60, mirror=makes_life)
def their_life(state: State, move: Mask, point: Mask) -> int:
    """Stones of theirs that would become unconditionally alive if they played at P."""
    return makes_life(_their_view(state), 0, point)


def _their_view(state: State) -> State:
    """Return the state as the opponent would see it if own passed."""
    colour = 3 - state.colour
    return State(state.theirs, state.own, 0, state.left, state.number, colour, -state.bonus2, state.passed, state.grid)


# -- points ---------------------------------------------------------------------------------------------------


@fact("point", cost=3, answers=FLAG)
def eye(state: State, move: Mask, point: Mask) -> int:
    """1 if P is empty, all its neighbours are own stones, and they are one chain or theirs holds no diagonal point
    of P (one is allowed off the edge)."""
    return int(is_eye(point, state.own, state.theirs, state.grid))


@fact("point", cost=3, answers=FLAG)
def false_eye(state: State, move: Mask, point: Mask) -> int:
    """1 if P is empty, all its neighbours are own stones, and P is no `eye`."""
    own, theirs, grid = state.own, state.theirs, state.grid
    closed = not point & (own | theirs) and not around(point, grid) & ~own
    return int(closed and not is_eye(point, own, theirs, grid))


@fact("point", cost=3, answers=FLAG, mirror=eye)
def their_eye(state: State, move: Mask, point: Mask) -> int:
    """1 if P is an `eye` of theirs."""
    return int(is_eye(point, state.theirs, state.own, state.grid))


@fact("point", cost=2, mirror=ITSELF)
def region(state: State, move: Mask, point: Mask) -> int:
    """Empty points connected to P through empty points, P included; 0 if P is taken."""
    empty = state.grid[1] & ~(state.own | state.theirs)
    return count(flood(point, empty, state.grid)) if point & empty else 0


@fact("point", cost=3)
def enclosed(state: State, move: Mask, point: Mask) -> int:
    """`region(P)` if only own stones border it, else 0."""
    return _enclosed_by(state.own, state.theirs, point, state.grid)


@fact("point", cost=3, mirror=enclosed)
def their_enclosed(state: State, move: Mask, point: Mask) -> int:
    """`region(P)` if only stones of theirs border it, else 0."""
    return _enclosed_by(state.theirs, state.own, point, state.grid)


def _enclosed_by(owner: Mask, other: Mask, point: Mask, grid: Grid) -> int:
    """Return the size of the empty region at the point if it touches stones of the owner only, else 0."""
    empty = grid[1] & ~(owner | other)
    if not point & empty:
        return 0
    inside = flood(point, empty, grid)
    border = around(inside, grid)
    return count(inside) if border & owner and not border & other else 0


@fact("point", cost=1, mirror=ITSELF)
def line(state: State, move: Mask, point: Mask) -> int:
    """Distance of P from the nearest edge, 1 on the edge."""
    return line_of(point.bit_length() - 1, state.grid[0])


@fact("point", cost=1, answers=(0, 2), mirror=ITSELF)
def edge(state: State, move: Mask, point: Mask) -> int:
    """Edges that P lies on: 2 in a corner, 1 on a side, 0 inside."""
    return edges_at(point.bit_length() - 1, state.grid[0])


@fact("point", cost=1, answers=(0, 4))
def own_near(state: State, move: Mask, point: Mask) -> int:
    """Own stones next to P."""
    return count(around(point, state.grid) & state.own)


@fact("point", cost=1, answers=(0, 4), mirror=own_near)
def their_near(state: State, move: Mask, point: Mask) -> int:
    """Stones of theirs next to P."""
    return count(around(point, state.grid) & state.theirs)


@fact("point", cost=1, answers=(0, 4), mirror=ITSELF)
def empty_near(state: State, move: Mask, point: Mask) -> int:
    """Empty points next to P."""
    return count(around(point, state.grid) & ~(state.own | state.theirs))


# -- the game -------------------------------------------------------------------------------------------------


@fact(cost=0)
def moves_left(state: State, move: Mask) -> int:
    """Moves left in the game, the next one included."""
    return state.left


@fact(cost=0)
def move_number(state: State, move: Mask) -> int:
    """Number of the next move, from 1."""
    return state.number


@fact(cost=0, answers=(1, 2))
def colour(state: State, move: Mask) -> int:
    """1 if the mover is Black, 2 if White (the diagram's X is the mover either way)."""
    return state.colour


@fact(cost=1)
def lead(state: State, move: Mask) -> int:
    """Own stones less stones of theirs, komi-free."""
    return count(state.own) - count(state.theirs)


@fact(cost=1)
def margin2(state: State, move: Mask) -> int:
    """The mover's lead after komi in half points: above 0 if the game ending now were a win."""
    return 2 * lead(state, move) + state.bonus2


@fact(cost=0, answers=FLAG)
def passed(state: State, move: Mask) -> int:
    """1 if a pass now ends the game."""
    return state.passed


@fact(cost=0, answers=FLAG)
def ko_ban(state: State, move: Mask) -> int:
    """1 if the ko rule denies the mover a point now."""
    return int(state.ko != 0)
