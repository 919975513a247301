"""The 2-ply safety check, which examines the mover's move and the opponent's worst reply.

`Check.vet` counts the stones that the worst reply costs the mover. With 3 to PLAYED_OUT moves left, `vet` first plays
the game out to see whether the mover still wins. `outcome` returns the exact result of a move with at most two moves
left.
"""

from __future__ import annotations

from .geometry import around, count
from .life import alive_stones, atari_chains, captured_in_ladder, rescues
from .position import PASS, captured_by, chains, ko_after, legal_moves, played

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .facts import State
    from .geometry import Grid, Mask, Point

LOST_GAME = 100  # larger than any loss in stones
LOST_END = 50  # loss of a move whose playout does not win the game, in addition to the stones lost
PLAYED_OUT = 7  # maximum number of moves left at which each reply is played out to the end


class Verdict:
    """The cost of the worst reply to a move.

    loss: the number of the mover's lost stones minus the number of stones that the move captures. The stones that the
    worst reply captures or puts beyond rescue count as lost, except stones that were beyond rescue before the move. If
    the move gives up the unconditional life of more stones than the worst reply costs, the given-up stones count as
    lost instead. If a playout shows that the mover wins, no stones count as lost. If a playout shows no win, LOST_END
    is added to the loss, or replaces a negative loss. If the mover passes without being ahead, the loss is LOST_GAME,
    because this pass or the opponent's next pass ends the game. A loss above 0 vetoes the move; for the exceptions, see
    rules.engine.is_vetoed.

    reply: the worst reply, a point or PASS. The reply is None if a playout shows that the mover wins, if the move
    itself ends the game or, without a playout, if no reply costs a stone. If the move gives up the life of stones, the
    reply without a playout is a point next to these stones, or None if no such point is legal. reason: the loss in
    words, for a veto.
    """

    __slots__ = ("loss", "reply", "reason")

    def __init__(self, loss: int, reply: Point | None = None, reason: str = "") -> None:
        self.loss = loss
        self.reply = reply
        self.reason = reason


class Check:
    """The safety check of one position; values are computed and cached only when a verdict needs them."""

    __slots__ = ("state", "_lost", "_own_alive")

    def __init__(self, state: State) -> None:
        self.state = state
        self._lost: Mask | None = None
        self._own_alive: Mask | None = None

    @property
    def lost(self) -> Mask:
        """The mover's stones in atari that no move saves from capture in a ladder, as a mask."""
        if self._lost is None:
            state = self.state
            moves = max(state.left // 2, 1)
            self._lost = captured_in_ladder(state.own, state.theirs, state.ko, state.grid, moves)
        return self._lost

    @property
    def own_alive(self) -> Mask:
        """The mover's stones that are unconditionally alive, as a mask."""
        if self._own_alive is None:
            self._own_alive = alive_stones(self.state.own, self.state.theirs, self.state.grid)
        return self._own_alive

    def vet(self, move: Point) -> Verdict:
        """Return the Verdict on a legal move (a point or PASS).

        With 3 to PLAYED_OUT moves left, `vet` also plays out the game after the move: see Verdict.
        """
        state = self.state
        if move == PASS:
            if 2 * (count(state.own) - count(state.theirs)) + state.bonus2 <= 0:
                # The mover's pass ends the game, or the opponent's next pass would end it.
                return Verdict(LOST_GAME, None if state.passed else PASS, "ends the game without a win")
            if state.passed:
                return Verdict(0)
        if not 2 < state.left <= PLAYED_OUT:
            return _vet_stones(self, move)
        from .playout import worst_end  # most turns of a game do not need this import

        own, theirs, taken, ko = _after(state, move)
        lead2, reply = worst_end(own, theirs, ko, state.left - 1, int(move == PASS), state.bonus2, state.grid)
        if lead2 > 0:
            return Verdict(-count(taken))
        lost = max(_vet_stones(self, move).loss, 0)
        return Verdict(LOST_END + lost, reply.bit_length() - 1 if reply else PASS, _ending(lead2))


def _after(state: State, move: Point) -> tuple[Mask, Mask, Mask, Mask]:
    """Return (own, theirs, taken, ko) after a legal move (a point or PASS): see rules.position.played."""
    return (state.own, state.theirs, 0, 0) if move == PASS else played(1 << move, state.own, state.theirs, state.grid)


def _ending(lead2: int) -> str:
    """Return the reason for a veto, in words, after a playout that the mover does not win.

    lead2: the mover's final lead in half points, at most 0.
    """
    if not lead2:
        return "ends the game without a win"
    return "wins by %g point%s" % (-lead2 / 2, "" if lead2 == -2 else "s")


def _vet_stones(check: Check, move: Point) -> Verdict:
    """Return the Verdict on a legal move, based only on the stones lost, without a playout.

    move: a point or PASS.
    """
    state, grid = check.state, check.state.grid
    own, theirs, taken, ko = _after(state, move)
    exposed = life_given_up(check.own_alive, own, theirs, state.left, grid) if check.own_alive else 0
    given_up = count(exposed)
    worst = worst_reply(state, check.lost, own, theirs, ko)
    gain = count(taken)
    if given_up > worst[0]:
        attack = legal_moves(theirs, own, ko, grid) & around(exposed, grid)
        reply = (attack & -attack).bit_length() - 1 if attack else None
        return Verdict(given_up - gain, reply, "ends the life of " + stones_in_words(given_up))
    return verdict_of(worst, gain)


def verdict_of(worst: tuple[int, Mask, int, int], gain: int) -> Verdict:
    """Return the Verdict for a result of `worst_reply`. gain: the number of stones that the move captured."""
    loss, reply, captured, unsaved = worst
    if not loss:
        return Verdict(-gain)
    words = []
    if loss > gain:
        if captured:
            words.append("captures " + stones_in_words(captured))
        if unsaved:
            words.append("puts %s beyond rescue" % stones_in_words(unsaved))
    return Verdict(loss - gain, reply.bit_length() - 1, " and ".join(words))


def stones_in_words(number: int) -> str:
    """Return `1 stone` or, for example, `2 stones`."""
    return "1 stone" if number == 1 else "%d stones" % number


def life_given_up(alive_before: Mask, own: Mask, theirs: Mask, left: int, grid: Grid) -> Mask:
    """Return a mask of the mover's stones that lost unconditional life and can be captured.

    Stones can be captured if their chain has no more liberties than the opponent has moves left. alive_before: the
    mover's stones that were unconditionally alive before the move. own, theirs: the stones after the move. left: the
    number of moves left in the game, counting this move.
    """
    given_up = alive_before & ~alive_stones(own, theirs, grid)
    return within_reach(given_up, own, own | theirs, left // 2, grid)


def worst_reply(state: State, lost: Mask, own: Mask, theirs: Mask, ko: Mask) -> tuple[int, Mask, int, int]:
    """Return (loss, reply, captured, unsaved) for the reply that costs the mover the most stones.

    own, theirs, ko: the board after the mover's move. lost: the mask of the mover's stones that were already lost in a
    ladder before the move and therefore do not count. reply: a one-point mask, 0 if nothing is lost. captured: the
    number of stones that the reply captures. unsaved: the number of stones that the mover can no longer save. loss:
    captured + unsaved.
    """
    left, grid = state.left, state.grid
    worst = 0, 0, 0, 0
    replies = legal_moves(theirs, own, ko, grid) & _short_of_liberties(own, theirs, grid)
    while replies:
        reply = replies & -replies
        replies ^= reply
        taken = captured_by(reply, theirs, own, grid)
        captured, unsaved = count(taken & ~lost), 0
        if left > 3:  # the opponent needs one more move to capture a doomed chain
            ours, yours = own & ~taken, theirs | reply
            next_ko = ko_after(reply, taken, yours, ours, grid)
            unsaved = _unsaved(ours & ~lost, ours, yours, next_ko, (left - 2) // 2, grid)
        if captured + unsaved > worst[0]:
            worst = captured + unsaved, reply, captured, unsaved
    return worst


def _short_of_liberties(own: Mask, theirs: Mask, grid: Grid) -> Mask:
    """Return a mask of the points where a reply captures or gives atari.

    The points are the liberties of the mover's chains with one or two liberties.
    """
    short = 0
    empty = grid[1] & ~(own | theirs)
    for chain in chains(own, grid):
        free = around(chain, grid) & empty
        rest = free & (free - 1)
        if not rest & (rest - 1):
            short |= free
    return short


def _unsaved(counted: Mask, own: Mask, theirs: Mask, ko: Mask, moves: int, grid: Grid) -> int:
    """Return how many `counted` stones in atari the opponent captures after the mover's best move.

    moves: the number of moves that the opponent has left after the mover's move. One move of the opponent captures all
    chains that share their last liberty.
    """
    in_danger, tries = [], 0
    for chain in atari_chains(own, theirs, grid):
        stones = count(chain & counted)
        if stones:
            ways = rescues(chain, own, theirs, ko, grid, moves)
            in_danger.append((stones, ways, around(chain, grid) & ~(own | theirs)))
            tries |= ways
    least = _most_taken(in_danger, 0, moves)
    while tries and least:
        move = tries & -tries
        tries ^= move
        least = min(least, _most_taken(in_danger, move, moves))
    return least


def _most_taken(in_danger: list[tuple[int, Mask, Mask]], move: Mask, moves: int) -> int:
    """Return how many stones the opponent can capture with at most `moves` moves after the mover's `move`.

    in_danger: (number of stones, moves that save the chain, last liberty) for each chain in atari. move: a mask, 0 for
    no move.
    """
    taken: dict[Mask, int] = {}
    for stones, ways, last in in_danger:
        if not ways & move:
            taken[last] = taken.get(last, 0) + stones
    if len(taken) <= moves:
        return sum(taken.values())
    return sum(sorted(taken.values())[-moves:])


def within_reach(stones: Mask, owner: Mask, occupied: Mask, moves: int, grid: Grid) -> Mask:
    """Return a mask of the `stones` that belong to chains of `owner` with at most `moves` liberties."""
    reached = 0
    if stones:
        for chain in chains(owner, grid):
            if chain & stones and count(around(chain, grid) & ~occupied) <= moves:
                reached |= chain & stones
    return reached


def outcome(state: State, move: Point) -> tuple[int, Point | None]:
    """Return (exact result, best reply) for a legal move with at most two moves left.

    The result is the mover's final lead after komi, in half points. The best reply is None if the move ends the game.
    """
    own, theirs, ko, grid = state.own, state.theirs, 0, state.grid
    if move != PASS:
        own, theirs, _, ko = played(1 << move, own, theirs, grid)
    lead2 = 2 * (count(own) - count(theirs)) + state.bonus2
    if state.left == 1 or (move == PASS and state.passed):
        return lead2, None
    most, best = 0, PASS
    replies = legal_moves(theirs, own, ko, grid)
    while replies:
        reply = replies & -replies
        replies ^= reply
        gain = 1 + count(captured_by(reply, theirs, own, grid))
        if gain > most:
            most, best = gain, reply.bit_length() - 1
    return lead2 - 2 * most, best
