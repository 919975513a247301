"""The facts that a pattern's conditions use: each is a small function with the decorator `fact`.

Every fact is called as fact(state, move, *arguments) and returns an int. `state` is a State. `move` is the one-point
mask of the pattern's move, 0 for a pass; only facts declared with `after_the_move` read `move`. Each argument is a
mask. A chain argument contains the stones of the labelled chain or chains, and is 0 if the label's point is empty. A
point argument contains the labelled point. A fact about the mover's move at P returns 0 if this move is illegal.

Most primitives below use flood fills. littlego.engines.large replaces these primitives with functions that read a table
of chains. littlego.engines.compiled compiles the facts, and has its own version of each fact that numba cannot compile.

The vocabulary of conditions, the docs and the fact numbers in compiled code are derived from FACTS.
"""

from __future__ import annotations

from .captures import capturable, indefensible
from .geometry import around, count, edges_at, flood, line_of
from .life import alive_stones, atari_chains, catches, is_eye, rescues
from .position import captured_by, is_legal, played

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Optional, Tuple, TypeVar

    from .geometry import Grid, Mask

    AnyFact = TypeVar("AnyFact", bound=Callable[..., int])
    Answers = Optional[Tuple[int, int]]

FLAG = 0, 1  # the answers of a yes-or-no fact
ITSELF = "itself"
OWN, THEIRS = 0, 1
PASSES_KEPT = 8
LIMITED = 24  # maximum number of moves left at which `played_out` plays the game to its end


class State:
    """A position from the mover's side, the input of every fact.

    own, theirs: masks of the mover's and of the opponent's stones. ko: a mask of the point that the ko rule forbids, or
    0. left: the number of moves left, including the next move, or 1 << 20 in a game without a limit. number: the number
    of the next move, counted from 1, or 0 in a game without a limit. colour: the mover, BLACK or WHITE. bonus2: the
    komi in half points, positive if the mover is White, negative if the mover is Black. passed: 1 if a pass ends the
    game, else 0.
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
    """A declared fact, named like its function; `promise` is the function's docstring.

    kinds: the kind of each argument, "chain" or "point". cost: the approximate time of a call in microseconds. answers:
    the smallest and the largest answer, or None for the defaults (see bounds). after_the_move: whether the fact
    describes the chain after the pattern's move. mirror: the fact with the same meaning for the other side, ITSELF for
    a fact that is its own mirror, or None if there is no mirror. Only one fact of a pair names the other as `mirror`
    (see mirrors).
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
        """The fact's docstring, joined into one line; the docstring states the meaning of the value."""
        return " ".join((self.function.__doc__ or "").split())

    def bounds(self, points: int) -> tuple[int, int]:
        """Return the smallest and the largest possible answer on a board with `points` points.

        Without declared `answers`, a fact about chains or points has the bounds 0 and `points`. A fact about the game
        has the bounds -2**40 and 2**40.
        """
        return self.answers or ((0, points) if self.kinds else (-1 << 40, 1 << 40))


FACTS: dict[str, Fact] = {}  # by name, in the order of the fact numbers


def fact(
    *kinds: str,
    cost: int,
    answers: Answers = None,
    after_the_move: bool = False,
    mirror: Callable[..., int] | str | None = None,
) -> Callable[[AnyFact], AnyFact]:
    """Return a decorator that declares a function as a fact; Fact describes the arguments."""

    def declared(function: AnyFact) -> AnyFact:
        FACTS[function.__name__] = Fact(function, kinds, cost, answers, after_the_move, mirror)
        return function

    return declared


def mirrors() -> dict[str, str]:
    """Return {name of a fact: name of its mirror} for all facts that have a mirror, in both directions."""
    pairs = {}
    for name, one in FACTS.items():
        if one.mirror is not None:
            other = name if isinstance(one.mirror, str) else one.mirror.__name__
            pairs[name], pairs[other] = other, name
    return pairs


# -- primitives, which an engine may replace --------------------------------------------------------------------


def other_side(state: State) -> State:
    """Return the state from the opponent's side, without a ko point.

    `left`, `number` and `passed` keep their values.
    """
    colour = 3 - state.colour
    return State(state.theirs, state.own, 0, state.left, state.number, colour, -state.bonus2, state.passed, state.grid)


def chain_of(state: State, stones: Mask) -> Mask:
    """Return a mask of the chains that contain `stones`; all these stones must have the same colour."""
    return flood(stones, state.own if stones & state.own else state.theirs, state.grid)


def chains_near(state: State, point: Mask, stones: Mask) -> list[Mask]:
    """Return the distinct chains of `stones` adjacent to the point, as a list of masks.

    stones: state.own or state.theirs.
    """
    different = []
    near = around(point, state.grid) & stones
    while near:
        chain = flood(near & -near, stones, state.grid)
        near &= ~chain
        different.append(chain)
    return different


def chains_in_atari(state: State, stones: Mask) -> list[Mask]:
    """Return the chains of `stones` with exactly one liberty, as a list of masks.

    stones: state.own or state.theirs.
    """
    return atari_chains(stones, (state.own | state.theirs) & ~stones, state.grid)


def liberties_of(state: State, chain: Mask) -> Mask:
    """Return the liberties of a chain, or of several chains, as a mask."""
    return around(chain, state.grid) & ~(state.own | state.theirs)


def region_at(state: State, point: Mask) -> tuple[Mask, Mask]:
    """Return (region, border) at a point, as masks.

    region: the empty points connected to the point. border: the stones adjacent to these points. Both are 0 if the
    point is occupied.
    """
    empty = state.grid[1] & ~(state.own | state.theirs)
    region = flood(point, empty, state.grid) if point & empty else 0
    return region, around(region, state.grid)


def may_play(state: State, point: Mask) -> bool:
    """Return whether the mover may play at a point; 0 is a pass, which is always allowed."""
    return not point or is_legal(point, state.own, state.theirs, state.ko, state.grid)


def after(state: State, point: Mask) -> State:
    """Return the state after the mover's legal move, still from the mover's side.

    Only the stones and the ko point change. The ko rule forbids the opponent to recapture at the new ko point.
    """
    own, theirs, ko_point = state.own, state.theirs, 0
    if point:
        own, theirs, _, ko_point = played(point, own, theirs, state.grid)
    return State(own, theirs, ko_point, state.left, state.number, state.colour, state.bonus2, state.passed, state.grid)


def taken_by(state: State, point: Mask) -> Mask:
    """Return a mask of the stones that the mover captures by a move at a point.

    The mask is 0 for an illegal move.
    """
    if point & (state.own | state.theirs | state.ko):
        return 0
    return captured_by(point, state.own, state.theirs, state.grid)


def liberties_then(state: State, point: Mask, stones: Mask) -> Mask:
    """Return a mask of a chain's liberties after the mover's move, which may extend or merge the chain.

    point: the move, 0 for a pass. stones: the stones of the chain, or of several chains of one colour; or `point`, for
    the chain that contains the new stone. The mask is 0 if the chain is captured or the move is illegal.
    """
    if not may_play(state, point):
        return 0
    own, theirs, grid = state.own | point, state.theirs, state.grid
    theirs &= ~captured_by(point, own, theirs, grid)
    colour = own if stones & own else theirs
    return around(flood(stones & colour, colour, grid), grid) & ~(own | theirs)


def alive_of(state: State) -> Mask:
    """Return the mover's stones that are unconditionally alive (Benson), as a mask."""
    return alive_stones(state.own, state.theirs, state.grid)


def life_made(state: State, point: Mask) -> Mask:
    """Return a mask of the mover's stones that a move at a point makes unconditionally alive."""
    if not may_play(state, point):
        return 0
    made = alive_of(after(state, point))
    return made & ~alive_of(state) if made else 0


_passed: dict[tuple[Mask, Mask, int, int, Grid], int] = {}  # recent answers of fallen_after_pass


def fallen(state: State, side: int, moves: int) -> int:
    """Return how many stones of a side can be captured if the mover's opponent moves next.

    See rules.captures. side: OWN or THEIRS. moves: the maximum number of moves by the capturing side.
    """
    if side == OWN:
        return count(capturable(state.theirs, state.own, state.ko, moves, state.grid, {}))
    return count(indefensible(state.theirs, state.own, state.ko, moves, state.grid, {}))


def fallen_after_pass(state: State, side: int, moves: int) -> int:
    """Return `fallen` for the position after the mover passes."""
    question = state.own, state.theirs, side, moves, state.grid
    answer = _passed.get(question)
    if answer is None:
        if len(_passed) >= PASSES_KEPT:
            _passed.clear()
        answer = _passed[question] = fallen(after(state, 0), side, moves)
    return answer


def played_to_the_end(state: State) -> int:
    """Return the mover's final lead in stones, without komi, after a playout.

    The opponent moves first. `state.left` still includes the move that the mover has just made, as in the states that
    `after` returns.
    """
    from .playout import lead_at_end  # rules.turn imports it earlier

    return -lead_at_end(state.theirs, state.own, state.ko, state.left - 1, state.grid)


# -- chains --------------------------------------------------------------------------------------------------


@fact("chain", cost=1, mirror=ITSELF)
def size(state: State, move: Mask, chain: Mask) -> int:
    """Stones in the chain A."""
    return count(chain)


@fact("chain", cost=1, mirror=ITSELF)
def liberties(state: State, move: Mask, chain: Mask) -> int:
    """Liberties of the chain A, or of all the chains that A labels."""
    return count(liberties_of(state, chain))


@fact("chain", cost=1, answers=FLAG, mirror=ITSELF)
def in_atari(state: State, move: Mask, chain: Mask) -> int:
    """1 if the chain A has exactly one liberty."""
    if not chain:
        return 0
    free = liberties_of(state, chain)
    return int(not free & (free - 1))


@fact("chain", "chain", cost=2, mirror=ITSELF)
def shared_liberties(state: State, move: Mask, chain: Mask, other: Mask) -> int:
    """Liberties that A and B share."""
    return count(liberties_of(state, chain) & liberties_of(state, other))


@fact("chain", cost=5, mirror=ITSELF)
def eyes(state: State, move: Mask, chain: Mask) -> int:
    """Eyes of the owner of A (see `eye`) adjacent to the chain A."""
    own, theirs, grid = state.own, state.theirs, state.grid
    if chain & theirs:
        own, theirs = theirs, own
    near = liberties_of(state, chain)
    number = 0
    while near:
        point = near & -near
        near ^= point
        number += is_eye(point, own, theirs, grid)
    return number


@fact("chain", cost=40, answers=FLAG, mirror=ITSELF)
def alive(state: State, move: Mask, chain: Mask) -> int:
    """1 if A is unconditionally alive (Benson): A lives even if its owner always passes."""
    if not chain:
        return 0
    owner = other_side(state) if chain & state.theirs else state
    return int(not chain & ~alive_of(owner))


@fact("chain", cost=20, answers=FLAG)
def doomed(state: State, move: Mask, chain: Mask) -> int:
    """1 if A is in atari and its owner, moving now, cannot save A. The moves tried are A's last liberty and captures of
    adjacent attackers in atari. A move saves A if no ladder then captures A."""
    if not in_atari(state, move, chain):
        return 0
    owner = other_side(state) if chain & state.theirs else state
    return int(not rescues(chain, owner.own, owner.theirs, owner.ko, owner.grid))


@fact("chain", cost=30, answers=FLAG, after_the_move=True)
def ladder(state: State, move: Mask, chain: Mask) -> int:
    """1 if the move captures the chain A or leaves A no way out of a ladder (atari after atari). The opponent moves
    next. If A labels several chains, the move must catch each chain. 0 if the move is illegal."""
    if not chain or not may_play(state, move):
        return 0
    while chain:
        one = chain_of(state, chain & -chain)
        chain &= ~one
        if not _is_caught(state, move, one):
            return 0
    return 1


def _is_caught(state: State, move: Mask, chain: Mask) -> bool:
    """Return whether the mover's legal move captures the chain or leaves it no way out of a ladder.

    The opponent moves next.
    """
    free = liberties_then(state, move, chain)
    rest = free & (free - 1)
    if rest & (rest - 1) or (rest and chain & state.theirs):
        return False
    then = after(state, move)
    if chain & state.theirs:
        return not chain & then.theirs or not rescues(chain, then.theirs, then.own, then.ko, then.grid)
    return catches(chain_of(then, chain), then.theirs, then.own, then.ko, then.grid)


@fact("chain", cost=4, after_the_move=True)
def liberties_after(state: State, move: Mask, chain: Mask) -> int:
    """Liberties of the chain A (grown or merged) after the move.

    0 if A is captured or the move is illegal.
    """
    return count(liberties_then(state, move, chain))


# -- a move --------------------------------------------------------------------------------------------------


@fact("point", cost=2, answers=FLAG)
def legal(state: State, move: Mask, point: Mask) -> int:
    """1 if the mover may play at P."""
    return int(point != 0 and may_play(state, point))


@fact("point", cost=3)
def captures(state: State, move: Mask, point: Mask) -> int:
    """Stones that the mover captures by playing at P."""
    return count(taken_by(state, point))


@fact("point", cost=4)
def own_liberties(state: State, move: Mask, point: Mask) -> int:
    """Liberties of the mover's chain at P after the mover plays at P."""
    return count(liberties_then(state, point, point))


@fact("point", cost=2, answers=(0, 4))
def joins(state: State, move: Mask, point: Mask) -> int:
    """The mover's chains adjacent to P."""
    return len(chains_near(state, point, state.own))


@fact("point", cost=2, answers=(0, 4), mirror=joins)
def cuts(state: State, move: Mask, point: Mask) -> int:
    """The opponent's chains adjacent to P. An opposing stone at P would join these chains."""
    return len(chains_near(state, point, state.theirs))


@fact("point", cost=4, answers=FLAG)
def ko(state: State, move: Mask, point: Mask) -> int:
    """1 if the mover takes a ko by playing at P: the simple ko rule then forbids the immediate recapture."""
    return int(taken_by(state, point) != 0 and after(state, point).ko != 0)


@fact("point", cost=5)
def atari(state: State, move: Mask, point: Mask) -> int:
    """Opposing stones in chains adjacent to P that have exactly one liberty after the mover plays at P."""
    stones = 0
    for chain in chains_near(state, point, state.theirs):
        free = liberties_of(state, chain) & ~point
        if free and not free & (free - 1):
            stones += count(chain)
    return stones if stones and may_play(state, point) else 0


@fact("point", cost=25)
def saves(state: State, move: Mask, point: Mask) -> int:
    """The mover's stones, now in atari, that the mover saves from capture in a ladder by playing at P."""
    saved = 0
    for chain in chains_in_atari(state, state.own):
        # A move that neither fills the last liberty nor captures leaves that liberty to the opponent.
        helps = liberties_of(state, chain) & point | taken_by(state, point)
        if helps and may_play(state, point) and not _is_caught(state, point, chain):
            saved += count(chain)
    return saved


@fact("point", cost=10)
def threatens(state: State, move: Mask, point: Mask) -> int:
    """Largest number of stones that the mover, after playing at P, could capture with a second move."""
    lasts = 0
    for chain in chains_in_atari(state, state.theirs):
        lasts |= liberties_of(state, chain)
    for chain in chains_near(state, point, state.theirs):
        free = liberties_of(state, chain) & ~point
        if not free & (free - 1):
            lasts |= free
    lasts &= ~point
    if not lasts or not may_play(state, point):
        return 0
    most = 0
    while lasts:
        last = lasts & -lasts
        lasts ^= last
        stones = 0
        for chain in chains_near(state, last, state.theirs):
            if liberties_of(state, chain) & ~point == last:
                stones += count(chain)
        most = max(most, stones)
    return most


@fact("point", cost=10)
def snapback(state: State, move: Mask, point: Mask) -> int:
    """Net gain of the mover, in stones, from a snapback at P.

    The opponent at once captures the chain at P, and the mover then captures the capturing chain. 0 if the mover gains
    nothing.
    """
    last = liberties_then(state, point, point)
    if not last or last & (last - 1):
        return 0
    grid = state.grid
    own, theirs, _, ko_point = played(point, state.own, state.theirs, grid)
    if not is_legal(last, theirs, own, ko_point, grid):
        return 0
    theirs, own, taken, next_ko = played(last, theirs, own, grid)
    best = 0
    chain = flood(last, theirs, grid)
    free = around(chain, grid) & ~(own | theirs)
    if not free & (free - 1) and is_legal(free, own, theirs, next_ko, grid):
        best = count(captured_by(free, own, theirs, grid)) - count(taken)
    return max(best, 0)


@fact("point", cost=250, answers=(-361, 361))
def takes_in_3(state: State, move: Mask, point: Mask) -> int:
    """Opposing stones that fall after the mover plays at P, minus the stones that fall after a pass. Stones fall if the
    move at P captures them, or if the mover can capture them with at most 3 further moves although the opponent moves
    next. The moves tried are liberties of the attacked chain and of its attackers, and captures that take an attacker
    out of atari. Negative if fewer stones fall than after a pass."""
    if not may_play(state, point):
        return 0
    taken = count(taken_by(state, point)) if point else 0
    return taken + fallen(after(state, point), THEIRS, 3) - fallen_after_pass(state, THEIRS, 3)


@fact("point", cost=250, answers=(-361, 361))
def guards_in_3(state: State, move: Mask, point: Mask) -> int:
    """The mover's stones that fall after a pass, minus the mover's stones that fall after the move at P.

    Stones fall if the opponent, moving next, can capture them with at most 3 moves; see `takes_in_3` for the moves
    tried. Negative if more stones fall than after a pass.
    """
    if not may_play(state, point):
        return 0
    return fallen_after_pass(state, OWN, 3) - fallen(after(state, point), OWN, 3)


@fact("point", cost=200, answers=(-1 << 16, 1 << 16))
def played_out(state: State, move: Mask, point: Mask) -> int:
    """The mover's final lead after komi, in half points, if the mover plays at P.

    After the move at P, both sides follow fixed rules (docs/patterns.md, The last moves). The mover wins if the lead is
    positive. The value is 0 if the move is illegal or if more than 24 moves are left, as in a game without a limit.
    """
    if state.left > LIMITED or not may_play(state, point):
        return 0
    return state.bonus2 + 2 * played_to_the_end(after(state, point))


@fact("point", cost=60)
def makes_life(state: State, move: Mask, point: Mask) -> int:
    """The mover's stones that become unconditionally alive (Benson) if the mover plays at P."""
    return count(life_made(state, point))


# -- moves of the opponent ---------------------------------------------------------------------------------------


@fact("point", cost=2, answers=FLAG, mirror=legal)
def their_legal(state: State, move: Mask, point: Mask) -> int:
    """1 if the opponent could play at P now, regardless of ko."""
    return legal(other_side(state), 0, point)


@fact("point", cost=3, mirror=captures)
def their_captures(state: State, move: Mask, point: Mask) -> int:
    """Stones that the opponent would capture by playing at P, regardless of ko."""
    return captures(other_side(state), 0, point)


@fact("point", cost=4, mirror=own_liberties)
def their_liberties(state: State, move: Mask, point: Mask) -> int:
    """Liberties of the opponent's chain at P after an opposing move at P; 0 if this move is illegal."""
    return own_liberties(other_side(state), 0, point)


@fact("point", cost=6, mirror=atari)
def their_atari(state: State, move: Mask, point: Mask) -> int:
    """The mover's stones in chains adjacent to P that would have one liberty if the opponent played at P."""
    return atari(other_side(state), 0, point)


@fact("point", cost=26, mirror=saves)
def their_saves(state: State, move: Mask, point: Mask) -> int:
    """Opposing stones, now in atari, that an opposing move at P would save from capture in a ladder."""
    return saves(other_side(state), 0, point)


@fact("point", cost=60, mirror=makes_life)
def their_life(state: State, move: Mask, point: Mask) -> int:
    """Opposing stones that would become unconditionally alive (Benson) if the opponent played at P."""
    return makes_life(other_side(state), 0, point)


# -- points ---------------------------------------------------------------------------------------------------


@fact("point", cost=3, answers=FLAG)
def eye(state: State, move: Mask, point: Mask) -> int:
    """1 if P is an eye of the mover. P must be empty, and all its neighbours must be stones of the mover. Either these
    stones form one chain, or the opponent holds at most one point diagonal to P (none if P is on the edge)."""
    return int(is_eye(point, state.own, state.theirs, state.grid))


@fact("point", cost=3, answers=FLAG)
def false_eye(state: State, move: Mask, point: Mask) -> int:
    """1 if P is empty, all its neighbours are stones of the mover, and P is not an `eye`."""
    own, theirs, grid = state.own, state.theirs, state.grid
    closed = not point & (own | theirs) and not around(point, grid) & ~own
    return int(closed and not is_eye(point, own, theirs, grid))


@fact("point", cost=3, answers=FLAG, mirror=eye)
def their_eye(state: State, move: Mask, point: Mask) -> int:
    """1 if P is an `eye` of the opponent."""
    return int(is_eye(point, state.theirs, state.own, state.grid))


@fact("point", cost=2, mirror=ITSELF)
def region(state: State, move: Mask, point: Mask) -> int:
    """Empty points connected to P through empty points, P included; 0 if P is occupied."""
    return count(region_at(state, point)[0])


@fact("point", cost=3)
def enclosed(state: State, move: Mask, point: Mask) -> int:
    """`region(P)` if only the mover's stones border the region, else 0."""
    inside, border = region_at(state, point)
    return count(inside) if border & state.own and not border & state.theirs else 0


@fact("point", cost=3, mirror=enclosed)
def their_enclosed(state: State, move: Mask, point: Mask) -> int:
    """`region(P)` if only the opponent's stones border the region, else 0."""
    inside, border = region_at(state, point)
    return count(inside) if border & state.theirs and not border & state.own else 0


@fact("point", cost=1, mirror=ITSELF)
def line(state: State, move: Mask, point: Mask) -> int:
    """Distance of P from the nearest edge, 1 on the edge."""
    return line_of(point.bit_length() - 1, state.grid[0])


@fact("point", cost=1, answers=(0, 2), mirror=ITSELF)
def edge(state: State, move: Mask, point: Mask) -> int:
    """Number of board edges at P: 2 in a corner, 1 on a side, 0 inside."""
    return edges_at(point.bit_length() - 1, state.grid[0])


@fact("point", cost=1, answers=(0, 4))
def own_near(state: State, move: Mask, point: Mask) -> int:
    """The mover's stones adjacent to P."""
    return count(around(point, state.grid) & state.own)


@fact("point", cost=1, answers=(0, 4), mirror=own_near)
def their_near(state: State, move: Mask, point: Mask) -> int:
    """The opponent's stones adjacent to P."""
    return count(around(point, state.grid) & state.theirs)


@fact("point", cost=1, answers=(0, 4), mirror=ITSELF)
def empty_near(state: State, move: Mask, point: Mask) -> int:
    """Empty points adjacent to P."""
    return count(around(point, state.grid) & ~(state.own | state.theirs))


# -- the game -------------------------------------------------------------------------------------------------


@fact(cost=0)
def moves_left(state: State, move: Mask) -> int:
    """Moves left in the game, including the next move; 1048576 in a game without a limit."""
    return state.left


@fact(cost=0)
def move_number(state: State, move: Mask) -> int:
    """Number of the next move, from 1; 0 in a game without a limit."""
    return state.number


@fact(cost=0, answers=(1, 2))
def colour(state: State, move: Mask) -> int:
    """1 if the mover is Black, 2 if White (X in a diagram is always the mover)."""
    return state.colour


@fact(cost=1)
def lead(state: State, move: Mask) -> int:
    """The mover's stones minus the opponent's stones, without komi."""
    return count(state.own) - count(state.theirs)


@fact(cost=1)
def margin2(state: State, move: Mask) -> int:
    """The mover's lead in stones after komi, in half points. In Little-Go, a lead above 0 wins if the game ends now."""
    return 2 * lead(state, move) + state.bonus2


@fact(cost=0, answers=FLAG)
def passed(state: State, move: Mask) -> int:
    """1 if a pass now ends the game."""
    return state.passed


@fact(cost=0, answers=FLAG)
def ko_ban(state: State, move: Mask) -> int:
    """1 if the ko rule now forbids the mover to play at some point."""
    return int(state.ko != 0)
