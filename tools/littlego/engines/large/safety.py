"""The safety check for large boards: a two-ply search of a move and of nearby replies to the move.

rules.safety tries every reply to every move. This check tries replies only at the liberties of the chain that contains
the move, and only if this chain has at most two liberties. For the mover's other chains, the check reads each ladder
once per position, and again only if the move is in the ladder's zone (the points that the ladder depends on) or
captures stones there. If the move is in an eye of living stones, the check also tests whether these stones stay
unconditionally alive.

In games with territory, the check reads not only ladders but also fights, in which some moves give no atari. The
patterns, not the check, decide whether to save endangered stones elsewhere. A move that leaves stones in danger is
vetoed only if the loss exceeds a limit: see LINES_FOR_A_STONE. Stones that no nearby move saves count as already lost
and cause no veto.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from littlego.engines.large.enclosure import own_settled, their_settled
from littlego.engines.large.ladders import Ladder, read_capture, read_rescue
from littlego.engines.large.life import living, regions_of
from littlego.engines.large.primitives import alive_of, regions
from littlego.engines.large.state import LargeState
from littlego.engines.large.tactics import MOST_LIBERTIES, attack_on, own_fights
from littlego.rules.geometry import Mask, around, count
from littlego.rules.position import PASS, legal_moves
from littlego.rules.safety import LOST_GAME, Verdict, stones_in_words, verdict_of, within_reach

if TYPE_CHECKING:
    from littlego.engines.large.chaintable import ChainTable
    from littlego.rules.geometry import Point

    Worst = tuple[int, Mask, int, int]  # as returned by rules.safety.worst_reply

LINES_FOR_A_STONE = 4  # a move elsewhere is worth one endangered stone for each four lines of the board
NOTHING: Worst = (0, 0, 0, 0)


class Danger(NamedTuple):
    """A chain of the mover that the opponent can capture by moving first.

    If the chain is in atari or the game has territory, the mover can save it by moving first. Otherwise, no search has
    tested whether the mover can save the chain. reply: the opponent's first move. saving: moves that save the chain.
    For a chain in atari, `saving` contains every saving move; otherwise, other moves in `zone` (the points that the
    capture depends on) may also save the chain. in_fight: whether littlego.engines.large.tactics, not
    littlego.engines.large.ladders, found the capture.
    """

    chain: Mask
    reply: Mask
    in_atari: bool
    saving: Mask
    zone: Mask
    in_fight: bool = False


class LargeCheck:
    """The safety check of one position; its values are computed on demand and cached.

    lost: the mover's stones in atari that cannot be saved from capture or a ladder; in games with territory, instead,
    the stones that are lost in a fight or dead in the opponent's safe area. The loss of these stones does not count
    against a move. spare: the number of stones elsewhere that a move may leave in danger. look: a function that is
    called repeatedly; an exception from `look` ends the check.
    """

    def __init__(self, state: LargeState, look: Callable[[], None] | None = None) -> None:
        self.state = state
        self.spare = state.grid[0] // LINES_FOR_A_STONE if state.by_area else 0
        self._look = look or (lambda: None)

    @property
    def lost(self) -> Mask:
        """The mover's stones that are already lost, as a mask."""
        return self._lost_and_dangers[0]

    @property
    def dangers(self) -> list[Danger]:
        """The mover's endangered chains, each as a Danger."""
        return self._lost_and_dangers[1]

    def vet(self, move: Point) -> Verdict:
        """Return the Verdict on a move, which must be a legal point or PASS."""
        self._look()
        if move == PASS:
            return self._vet_pass()
        bit = 1 << move
        after = self.state.after(bit).table
        gain = count(after.taken)
        exposed = self._life_given_up(bit, after)
        worst = max(self._worst_here(after, after.chain_at[move]), self._worst_elsewhere(after, bit, self.spare))
        given_up = count(exposed)
        if given_up > worst[0]:
            attack = legal_moves(after.theirs, after.own, after.ko, after.grid) & around(exposed, after.grid)
            reply = (attack & -attack).bit_length() - 1 if attack else None
            return Verdict(given_up - gain, reply, "ends the life of " + stones_in_words(given_up))
        return verdict_of(worst, gain)

    def _vet_pass(self) -> Verdict:
        """Return the Verdict on a pass, which is vetoed if the mover is not ahead or would lose stones."""
        state = self.state
        if state.score2 - (2 * state.pass_cost if state.passed else 0) <= 0:
            return Verdict(LOST_GAME, None if state.passed else PASS, "ends the game without a win")
        if state.passed:
            return Verdict(0)
        return verdict_of(self._worst_elsewhere(state.table, 0, 0), 0)

    @cached_property
    def _lost_and_dangers(self) -> tuple[Mask, list[Danger]]:
        state = self.state
        own, theirs, grid = state.own, state.theirs, state.grid
        if state.by_area:
            return self._read_fights()
        lost, dangers = 0, []
        for chain, free in state.table.free.items():
            rest = free & (free - 1)
            if not chain & own & ~lost or rest & (rest - 1):
                continue
            self._look()
            if not rest:
                rescue = read_rescue(chain, own, theirs, state.ko, grid)
                if rescue.caught:
                    lost |= chain
                else:
                    dangers.append(Danger(chain, free, True, rescue.saving, 0))
            else:
                ladder = read_capture(chain, theirs, own, 0, grid)
                if ladder.caught:
                    dangers.append(Danger(chain, ladder.first, False, 0, ladder.zone(grid)))
        return lost, dangers

    def _read_fights(self) -> tuple[Mask, list[Danger]]:
        """Return (lost stones, dangers) in a game with territory; stones that no nearby move saves are lost."""
        lost, dangers = their_settled(self.state).dead, []
        for fight in own_fights(self.state):
            if fight.stones & lost:
                continue
            if fight.defence:
                free = self.state.table.free[fight.stones]
                in_atari = not free & (free - 1)
                reply = fight.attack & -fight.attack
                dangers.append(Danger(fight.stones, reply, in_atari, fight.defence, fight.zone, True))
            else:
                lost |= fight.stones
        return lost, dangers

    def _worst_here(self, after: ChainTable, chain: Mask) -> Worst:
        """Return the costliest reply against the chain that contains the move, as a Worst tuple."""
        free = after.free[chain]
        rest = free & (free - 1)
        worst = self._worst_fight(after, chain) if self.state.by_area else NOTHING
        if rest & (rest - 1):
            return worst
        turned = after.turned()
        while free:
            reply = free & -free
            free ^= reply
            if turned.is_legal(reply, after.ko):
                worst = max(worst, self._cost(after, turned, reply, chain))
        return worst

    def _worst_fight(self, after: ChainTable, chain: Mask) -> Worst:
        """Return the reply that captures the move's chain in a fight, as a Worst tuple.

        The result is NOTHING if there is no such reply, if all stones of the chain are in `lost`, or if at most three
        moves are left.
        """
        stones = count(chain & ~self.lost)
        if not stones or count(after.free[chain]) > MOST_LIBERTIES or self.state.left <= 3:
            return NOTHING
        self._look()
        reply = attack_on(chain, after.theirs, after.own, after.ko, after.grid)
        return (stones, reply, 0, stones) if reply else NOTHING

    def _cost(self, after: ChainTable, turned: ChainTable, reply: Mask, chain: Mask) -> Worst:
        """Return a reply's cost in stones of the mover, as a Worst tuple.

        The cost counts the mover's stones that are captured or cannot be saved, but only stones of chains adjacent to
        the reply. Up to `spare` stones of chains that were already in danger are subtracted. The result is NOTHING
        unless the cost is positive.
        """
        near = after.chains_near(reply, after.own)
        then = turned.played(reply)
        captured, standing, threatened = 0, 0, []
        for neighbour in near:
            free = after.free[neighbour]
            stones = count(neighbour & ~self.lost)
            if neighbour != chain and self._was_in_danger(neighbour):
                standing += stones
            if free == reply:
                captured += stones
            elif stones and then.free[neighbour] & (then.free[neighbour] - 1) == 0:
                self._look()
                ladder = read_rescue(neighbour, then.theirs, then.own, then.ko, then.grid)
                threatened.append((stones, ladder))
        unsaved = _unsaved(threatened) if self.state.left > 3 else 0  # the opponent needs one more move to capture them
        loss = captured + unsaved - min(standing, self.spare)
        return (loss, reply, captured, unsaved) if loss > 0 else NOTHING

    def _was_in_danger(self, chain: Mask) -> bool:
        return any(danger.chain == chain for danger in self.dangers)

    def _worst_elsewhere(self, after: ChainTable, bit: Mask, spare: int) -> Worst:
        """Return the costliest reply against an endangered chain, as a Worst tuple.

        Chains that the move changes are ignored. The cost is the number of the chain's stones minus `spare`. The result
        is NOTHING if no reply has a positive cost.
        """
        worst = NOTHING
        for danger in self.dangers:
            stones = count(danger.chain)
            if stones - spare <= worst[0] or danger.chain not in after.free:
                continue
            reply = self._threat(danger, after, bit)
            if reply and danger.in_atari:
                worst = stones - spare, reply, stones, 0
            elif reply and self.state.left > 3:
                worst = stones - spare, reply, 0, stones
        return worst

    def _threat(self, danger: Danger, after: ChainTable, bit: Mask) -> Mask:
        """Return the reply that starts the capture of an endangered chain, or 0 if no reply captures it.

        The mover's move must leave the chain unchanged. bit: the one-point mask of this move, 0 for a pass.
        """
        if danger.in_atari or danger.saving & bit:
            return 0 if danger.saving & bit else danger.reply
        if not danger.zone & (bit | after.taken):
            return danger.reply
        self._look()
        if danger.in_fight:
            return attack_on(danger.chain, after.theirs, after.own, after.ko, after.grid)
        return read_capture(danger.chain, after.theirs, after.own, after.ko, after.grid).first

    def _life_given_up(self, bit: Mask, after: ChainTable) -> Mask:
        """Return the mover's stones that lose unconditional life and can be captured before the game ends.

        Stones can lose unconditional life only by a move inside one of their eyes. In games with territory, capturing
        dead stones in an eye does not give up the life of groups that remain strong (see enclosure). The space left by
        the capture may be an eye, even if it does not meet Benson's definition.
        """
        alive = alive_of(self.state)
        region = next(region for region in regions(self.state) if region.points & bit)
        if not any(chain & alive for chain in region.vital):
            return 0
        given_up = alive & ~living(after, regions_of(after))
        if given_up and after.taken and self.state.by_area:
            given_up &= ~own_settled(self._state_of(after)).strong
        return within_reach(given_up, after.own, after.own | after.theirs, self.state.left // 2, after.grid)

    def _state_of(self, after: ChainTable) -> LargeState:
        """Return the state after the mover's move, as the argument for own_settled."""
        s = self.state
        return LargeState(after.own, after.theirs, after.ko, s.left, s.number, s.colour, s.bonus2, 0, after.grid)


def _unsaved(threatened: list[tuple[int, Ladder]]) -> int:
    """Return the number of stones in atari that the best single move does not save."""
    ways = 0
    for _, ladder in threatened:
        ways |= ladder.saving
    most = 0
    while ways:
        move = ways & -ways
        ways ^= move
        most = max(most, sum(stones for stones, ladder in threatened if ladder.saving & move))
    return sum(stones for stones, _ in threatened) - most
