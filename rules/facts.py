"""What a pattern may ask of a position: one small function a fact, declared in vocabulary.

Every fact is called as fact(state, move, *arguments). `state` is the tuple that make_state returns, `move`
the one-point mask of the pattern's move (0 for a pass), and an argument is a mask: for a chain argument the
stones of the labelled chain or chains (0 if the label's point is empty), for a point argument the labelled
point itself. A fact that asks "if own played at P" answers 0 where P is not legal. Facts return ints.
"""

from rules.geometry import around, count, edges_at, flood, line_of
from rules.life import alive_stones, atari_chains, catches, is_eye, rescues
from rules.position import captured_by, chains, is_legal, played

OWN, THEIRS, KO, LEFT, NUMBER, COLOUR, BONUS2, PASSED, GRID = range(9)


def make_state(own, theirs, ko, left, number, colour, bonus2, passed, grid):
    """Return what facts read: masks of stones and ko point, moves left and made, the mover's colour,
    the komi in half points as the mover sees it (negative for Black), whether a pass ends the game, the grid."""
    return own, theirs, ko, left, number, colour, bonus2, int(passed), grid


# -- chains --------------------------------------------------------------------------------------------------


def size(state, move, chain):
    return count(chain)


def liberties(state, move, chain):
    return count(around(chain, state[GRID]) & ~(state[OWN] | state[THEIRS]))


def in_atari(state, move, chain):
    if not chain:
        return 0
    free = around(chain, state[GRID]) & ~(state[OWN] | state[THEIRS])
    return int(not free & (free - 1))


def shared_liberties(state, move, chain, other):
    grid = state[GRID]
    return count(around(chain, grid) & around(other, grid) & ~(state[OWN] | state[THEIRS]))


def eyes(state, move, chain):
    own, theirs, grid = state[OWN], state[THEIRS], state[GRID]
    if chain & theirs:
        own, theirs = theirs, own
    near = around(chain, grid) & ~(own | theirs)
    found = 0
    while near:
        point = near & -near
        near ^= point
        found += is_eye(point, own, theirs, grid)
    return found


def alive(state, move, chain):
    if not chain:
        return 0
    own, theirs = state[OWN], state[THEIRS]
    if chain & theirs:
        own, theirs = theirs, own
    return int(not chain & ~alive_stones(own, theirs, state[GRID]))


def doomed(state, move, chain):
    if not chain or not in_atari(state, move, chain):
        return 0
    own, theirs = state[OWN], state[THEIRS]
    if chain & theirs:
        return int(not rescues(chain, theirs, own, 0, state[GRID]))
    return int(not rescues(chain, own, theirs, state[KO], state[GRID]))


def ladder(state, move, chain):
    grid = state[GRID]
    after = _after(state, move)
    if after is None or not chain:
        return 0
    own, theirs, ko = after
    for prey in chains(chain & own, grid):
        if not catches(flood(prey, own, grid), theirs, own, ko, grid):
            return 0
    for prey in chains(chain & theirs, grid):
        if rescues(prey, theirs, own, ko, grid):
            return 0
    return 1


def liberties_after(state, move, chain):
    after = _after(state, move)
    if after is None or not chain:
        return 0
    own, theirs, _ = after
    stones = own if chain & own else theirs
    grid = state[GRID]
    return count(around(flood(chain & stones, stones, grid), grid) & ~(own | theirs)) if chain & stones else 0


# -- a move --------------------------------------------------------------------------------------------------


def _after(state, point):
    """Return (own, theirs, ko) once own has played at the point mask (0 passes), or None where it is illegal."""
    own, theirs, grid = state[OWN], state[THEIRS], state[GRID]
    if not point:
        return own, theirs, 0
    if not is_legal(point, own, theirs, state[KO], grid):
        return None
    own, theirs, _, ko_point = played(point, own, theirs, grid)
    return own, theirs, ko_point


def legal(state, move, point):
    return int(is_legal(point, state[OWN], state[THEIRS], state[KO], state[GRID]))


def captures(state, move, point):
    after = _after(state, point)
    return 0 if after is None else count(state[THEIRS]) - count(after[1])


def own_liberties(state, move, point):
    after = _after(state, point)
    if after is None:
        return 0
    own, theirs, _ = after
    grid = state[GRID]
    return count(around(flood(point, own, grid), grid) & ~(own | theirs))


def joins(state, move, point):
    return len(_chains_at(point, state[OWN], state[GRID]))


def cuts(state, move, point):
    return len(_chains_at(point, state[THEIRS], state[GRID]))


def _chains_at(point, stones, grid):
    """Return the different chains of `stones` next to the point."""
    found = []
    near = around(point, grid) & stones
    while near:
        chain = flood(near & -near, stones, grid)
        near &= ~chain
        found.append(chain)
    return found


def ko(state, move, point):
    after = _after(state, point)
    return 0 if after is None else int(after[2] != 0)


def atari(state, move, point):
    after = _after(state, point)
    if after is None:
        return 0
    own, theirs, _ = after
    grid = state[GRID]
    empty = grid[1] & ~(own | theirs)
    found = 0
    for chain in _chains_at(point, theirs, grid):
        free = around(chain, grid) & empty
        if not free & (free - 1):
            found += count(chain)
    return found


def saves(state, move, point):
    after = _after(state, point)
    if after is None:
        return 0
    own, theirs, ko_point = after
    grid = state[GRID]
    saved = 0
    for chain in atari_chains(state[OWN], state[THEIRS], grid):
        if not catches(flood(chain, own, grid), theirs, own, ko_point, grid):
            saved += count(chain)
    return saved


def threatens(state, move, point):
    after = _after(state, point)
    if after is None:
        return 0
    own, theirs, _ = after
    grid = state[GRID]
    most = 0
    for chain in atari_chains(theirs, own, grid):
        last = around(chain, grid) & ~(own | theirs)
        most = max(most, count(captured_by(last, own, theirs, grid)))
    return most


def snapback(state, move, point):
    after = _after(state, point)
    if after is None:
        return 0
    own, theirs, ko_point = after
    grid = state[GRID]
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


def makes_life(state, move, point):
    after = _after(state, point)
    if after is None:
        return 0
    grid = state[GRID]
    made = alive_stones(after[0], after[1], grid)
    return count(made & ~alive_stones(state[OWN], state[THEIRS], grid)) if made else 0


# -- what they could do ---------------------------------------------------------------------------------------


def their_legal(state, move, point):
    return int(is_legal(point, state[THEIRS], state[OWN], 0, state[GRID]))


def their_captures(state, move, point):
    return captures(_their_view(state), 0, point)


def their_liberties(state, move, point):
    return own_liberties(_their_view(state), 0, point)


def their_atari(state, move, point):
    return atari(_their_view(state), 0, point)


def their_saves(state, move, point):
    return saves(_their_view(state), 0, point)


def their_life(state, move, point):
    return makes_life(_their_view(state), 0, point)


def _their_view(state):
    """Return the state as the opponent would see it if own passed."""
    own, theirs, _, left, number, colour, bonus2, passed, grid = state
    return theirs, own, 0, left, number, 3 - colour, -bonus2, passed, grid


# -- points ---------------------------------------------------------------------------------------------------


def eye(state, move, point):
    return int(is_eye(point, state[OWN], state[THEIRS], state[GRID]))


def false_eye(state, move, point):
    own, theirs, grid = state[OWN], state[THEIRS], state[GRID]
    closed = not point & (own | theirs) and not around(point, grid) & ~own
    return int(closed and not is_eye(point, own, theirs, grid))


def their_eye(state, move, point):
    return int(is_eye(point, state[THEIRS], state[OWN], state[GRID]))


def region(state, move, point):
    empty = state[GRID][1] & ~(state[OWN] | state[THEIRS])
    return count(flood(point, empty, state[GRID])) if point & empty else 0


def enclosed(state, move, point):
    return _enclosed_by(state[OWN], state[THEIRS], point, state[GRID])


def their_enclosed(state, move, point):
    return _enclosed_by(state[THEIRS], state[OWN], point, state[GRID])


def _enclosed_by(owner, other, point, grid):
    """Return the size of the empty region at the point if it touches stones of the owner only, else 0."""
    empty = grid[1] & ~(owner | other)
    if not point & empty:
        return 0
    inside = flood(point, empty, grid)
    border = around(inside, grid)
    return count(inside) if border & owner and not border & other else 0


def line(state, move, point):
    return line_of(point.bit_length() - 1, state[GRID][0])


def edge(state, move, point):
    return edges_at(point.bit_length() - 1, state[GRID][0])


def own_near(state, move, point):
    return count(around(point, state[GRID]) & state[OWN])


def their_near(state, move, point):
    return count(around(point, state[GRID]) & state[THEIRS])


def empty_near(state, move, point):
    return count(around(point, state[GRID]) & ~(state[OWN] | state[THEIRS]))


# -- the game -------------------------------------------------------------------------------------------------


def moves_left(state, move):
    return state[LEFT]


def move_number(state, move):
    return state[NUMBER]


def colour(state, move):
    return state[COLOUR]


def lead(state, move):
    return count(state[OWN]) - count(state[THEIRS])


def margin2(state, move):
    return 2 * lead(state, move) + state[BONUS2]


def passed(state, move):
    return state[PASSED]


def ko_ban(state, move):
    return int(state[KO] != 0)
