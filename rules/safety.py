"""The 2-ply safety check: our move and every reply to it.

`vet` says what the worst reply costs in stones; `outcome` plays the last two moves of a game out exactly.
"""

from rules.geometry import around, count
from rules.life import alive_stones, atari_chains, caught, rescues
from rules.position import PASS, captured_by, chains, ko_after, legal_moves, played

LOST_GAME = 100  # a loss no number of stones reaches


class Verdict:
    """What the worst reply to a move costs.

    loss: net stones lost (what the reply takes, puts beyond rescue or makes alive, less what the move
    captures); above 0 the move is vetoed. reply: the refuting reply, a point or PASS (where own life is given up,
    the first attack on it), or None where the move needs none to be bad. reason: the same in words, '' if
    nothing is lost.
    """

    __slots__ = ("loss", "reply", "reason")

    def __init__(self, loss, reply=None, reason=""):
        self.loss = loss
        self.reply = reply
        self.reason = reason


class Check:
    """What is known of the position before the move, computed once a turn and only if a verdict needs it."""

    __slots__ = ("state", "doomed", "own_alive", "their_alive")

    def __init__(self, state):
        own, theirs, ko, grid = state[0], state[1], state[2], state[-1]
        self.state = state
        self.doomed = caught(own, theirs, ko, grid)
        self.own_alive = alive_stones(own, theirs, grid)
        self.their_alive = alive_stones(theirs, own, grid)


def vet(check, move):
    """Return the Verdict on a legal move, a point or PASS."""
    state = check.state
    own, theirs, _, left, _, _, _, _, grid = state
    if move == PASS:
        return _vet_pass(check)
    own, theirs, taken, ko = played(1 << move, own, theirs, grid)
    exposed = life_given_up(check.own_alive, own, theirs, left, grid) if check.own_alive else 0
    given_up = count(exposed)
    worst = worst_reply(state, check.doomed, check.their_alive, own, theirs, ko)
    gain = count(taken)
    if given_up > worst[0]:
        attack = legal_moves(theirs, own, ko, grid) & around(exposed, grid)
        reply = (attack & -attack).bit_length() - 1 if attack else None
        return Verdict(given_up - gain, reply, "gives up the life of %d" % given_up)
    return _verdict(worst, gain)


def _vet_pass(check):
    own, theirs, _, _, _, _, bonus2, passed, _ = check.state
    behind = 2 * (count(own) - count(theirs)) + bonus2 <= 0
    if behind:  # their pass would end the game, or ours already does
        return Verdict(LOST_GAME, None if passed else PASS, "ends the game behind")
    if passed:
        return Verdict(0)
    return _verdict(worst_reply(check.state, check.doomed, check.their_alive, own, theirs, 0), 0)


def _verdict(worst, gain):
    """Return the Verdict that a worst reply amounts to after a move that captured `gain` stones."""
    loss, reply, captured, beyond, life = worst
    if not loss:
        return Verdict(-gain)
    words = []
    if loss > gain:
        if life:
            words.append("%d stones of theirs live and lead" % life)
        if captured:
            words.append("captures %d" % captured)
        if beyond:
            words.append("puts %d beyond rescue" % beyond)
    return Verdict(loss - gain, reply.bit_length() - 1, " and ".join(words))


def life_given_up(alive_before, own, theirs, left, grid):
    """Return the stones that were unconditionally alive, are no longer, and can be captured in time, as a mask."""
    given_up = alive_before & ~alive_stones(own, theirs, grid)
    return _within_reach(given_up, own, own | theirs, left // 2, grid)


def worst_reply(state, doomed, their_alive, own, theirs, ko):
    """Return what the reply that costs most costs: (loss, reply, captured, beyond rescue, made alive).

    own, theirs, ko: the board after our move. doomed, their_alive: own stones beyond rescue and stones of
    theirs unconditionally alive before it, as masks. reply: a one-point mask, 0 if nothing is lost. The other
    three are numbers of stones; the loss is either the life made or the other two together.
    """
    left, bonus2, grid = state[3], state[6], state[-1]
    short = _short_of_liberties(own, theirs, grid)
    lead2 = 2 * (count(own) - count(theirs)) + bonus2
    worst = 0, 0, 0, 0, 0
    replies = legal_moves(theirs, own, ko, grid)
    while replies:
        reply = replies & -replies
        replies ^= reply
        taken = captured_by(reply, theirs, own, grid) if reply & short else 0
        ours, yours = own & ~taken, theirs | reply
        if reply & short:
            captured = count(taken & ~doomed)
            beyond = 0
            if left > 3:  # they need one more move to capture what we cannot rescue
                next_ko = ko_after(reply, taken, yours, ours, grid)
                beyond = _beyond_rescue(ours & ~doomed, ours, yours, next_ko, grid)
            if captured + beyond > worst[0]:
                worst = captured + beyond, reply, captured, beyond, 0
        if lead2 - 2 - 2 * count(taken) <= 0:  # else life does not decide yet
            life = _life_made(their_alive | reply, ours, yours, left, grid)
            if life > worst[0]:
                worst = life, reply, 0, 0, life
    return worst


def _short_of_liberties(own, theirs, grid):
    """Return the points where a reply captures or gives atari: the liberties of own chains with one or two."""
    short = 0
    empty = grid[1] & ~(own | theirs)
    for chain in chains(own, grid):
        free = around(chain, grid) & empty
        rest = free & (free - 1)
        if not rest & (rest - 1):
            short |= free
    return short


def _beyond_rescue(counted, own, theirs, ko, grid):
    """Return how many of the counted own stones are in atari and cannot all be saved with one move."""
    saved, moves = [], 0
    for chain in atari_chains(own, theirs, grid):
        stones = count(chain & counted)
        if stones:
            ways = rescues(chain, own, theirs, ko, grid)
            saved.append((stones, ways))
            moves |= ways
    most = 0
    while moves:
        move = moves & -moves
        moves ^= move
        most = max(most, sum([stones for stones, ways in saved if ways & move]))
    return sum([stones for stones, _ in saved]) - most


def _life_made(alive_before, own, theirs, left, grid):
    """Return how many more stones of theirs are unconditionally alive after their reply than before.

    Stones that could not be captured in the moves left anyway are not counted.
    """
    made = alive_stones(theirs, own, grid) & ~alive_before
    return count(_within_reach(made, theirs, own | theirs, (left - 1) // 2, grid))


def _within_reach(stones, owner, occupied, moves, grid):
    """Return those of the stones whose chain among `owner` has no more liberties than the moves to capture it."""
    reached = 0
    if stones:
        for chain in chains(owner, grid):
            if chain & stones and count(around(chain, grid) & ~occupied) <= moves:
                reached |= chain & stones
    return reached


def outcome(state, move):
    """Return the exact result of a legal move when at most two moves are left, and the reply that brings it.

    The result is the mover's final lead after komi in half points under the opponent's best reply.
    """
    own, theirs, _, left, _, _, bonus2, passed, grid = state
    ko = 0
    if move != PASS:
        own, theirs, _, ko = played(1 << move, own, theirs, grid)
    lead2 = 2 * (count(own) - count(theirs)) + bonus2
    if left == 1 or (move == PASS and passed):
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
