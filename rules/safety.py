"""The 2-ply safety check: our move and every reply to it.

`vet` says what the worst reply costs in stones; `outcome` plays the last two moves of a game out exactly.
"""

from rules.geometry import around, count
from rules.life import alive_stones, atari_chains, caught, rescues
from rules.position import PASS, captured_by, chains, ko_after, legal_moves

LOST_GAME = 100  # a loss no number of stones reaches


class Verdict:
    """What the worst reply to a move costs.

    loss: net stones lost (what the reply takes, puts beyond rescue or makes alive, less what the move
    captures); above 0 the move is vetoed. reply: the refuting reply, a point, PASS, or None where the move
    needs none to be bad. reason: the same in words, '' if nothing is lost.
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
    own, theirs, _, left, _, _, bonus2, passed, grid = check.state
    if move == PASS:
        return _vet_pass(check)
    bit = 1 << move
    taken = captured_by(bit, own, theirs, grid)
    own, theirs = own | bit, theirs & ~taken
    ko = ko_after(bit, taken, own, theirs, grid)
    given_up = _life_given_up(check, own, theirs)
    worst = _worst_reply(check, own, theirs, ko)
    gain = count(taken)
    if given_up and given_up >= worst.loss:
        return Verdict(given_up - gain, None, "gives up the life of %d" % given_up)
    return Verdict(worst.loss - gain, worst.reply, worst.reason if worst.loss > gain else "")


def _vet_pass(check):
    own, theirs, _, _, _, _, bonus2, passed, _ = check.state
    behind = 2 * (count(own) - count(theirs)) + bonus2 <= 0
    if behind:  # their pass would end the game, or ours already does
        return Verdict(LOST_GAME, None if passed else PASS, "ends the game behind")
    if passed:
        return Verdict(0)
    return _worst_reply(check, own, theirs, 0)


def _life_given_up(check, own, theirs):
    """Return how many own stones were unconditionally alive, are no longer, and can be captured in time."""
    if not check.own_alive:
        return 0
    left, grid = check.state[3], check.state[-1]
    given_up = check.own_alive & ~alive_stones(own, theirs, grid)
    return count(_within_reach(given_up, own, own | theirs, left // 2, grid))


def _worst_reply(check, own, theirs, ko):
    """Return the Verdict of the reply that costs most, in stones that were not lost before our move."""
    bonus2, grid = check.state[6], check.state[-1]
    short = _short_of_liberties(own, theirs, grid)
    lead2 = 2 * (count(own) - count(theirs)) + bonus2
    worst = Verdict(0)
    replies = legal_moves(theirs, own, ko, grid)
    while replies:
        reply = replies & -replies
        replies ^= reply
        taken = 0
        if reply & short:
            taken = captured_by(reply, theirs, own, grid)
            verdict = _cost(check, reply, taken, own & ~taken, theirs | reply)
            if verdict.loss > worst.loss:
                worst = verdict
        if lead2 - 2 - 2 * count(taken) <= 0:
            life = _life_made(check, reply, own & ~taken, theirs | reply)
            if life > worst.loss:
                worst = Verdict(life, reply.bit_length() - 1, "%d stones of theirs live and lead" % life)
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


def _cost(check, reply, taken, own, theirs):
    """Return the Verdict of one reply: own stones it has captured, and those it puts beyond rescue."""
    left, grid, doomed = check.state[3], check.state[-1], check.doomed
    captured = count(taken & ~doomed)
    beyond = 0
    if left > 3:  # they need one more move to capture what we cannot rescue
        ko = ko_after(reply, taken, theirs, own, grid)
        beyond = _beyond_rescue(own & ~doomed, own, theirs, ko, grid)
    words = ["captures %d" % captured] if captured else []
    if beyond:
        words.append("puts %d beyond rescue" % beyond)
    return Verdict(captured + beyond, reply.bit_length() - 1, " and ".join(words))


def _beyond_rescue(counted, own, theirs, ko, grid):
    """Return how many of the counted own stones are in atari and cannot all be saved with one move."""
    lost = 0
    saved = []
    for chain in atari_chains(own, theirs, grid):
        stones = count(chain & counted)
        if stones:
            ways = rescues(chain, own, theirs, ko, grid)
            if ways:
                saved.append((stones, ways))
            else:
                lost += stones
    if len(saved) < 2:
        return lost
    common = saved[0][1]
    for _, ways in saved:
        common &= ways
    if common:
        return lost
    sizes = [stones for stones, _ in saved]
    return lost + sum(sizes) - max(sizes)


def _life_made(check, reply, own, theirs):
    """Return how many stones of theirs the reply, already on the board, has made unconditionally alive.

    Stones that could not be captured in the moves left anyway are not counted.
    """
    left, grid = check.state[3], check.state[-1]
    made = alive_stones(theirs, own, grid) & ~(check.their_alive | reply)
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
        bit = 1 << move
        taken = captured_by(bit, own, theirs, grid)
        own, theirs = own | bit, theirs & ~taken
        ko = ko_after(bit, taken, own, theirs, grid)
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
