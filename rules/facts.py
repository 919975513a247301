"""What a pattern may ask of a position: one small function a fact, declared in FACTS at the end.

Every fact is called as fact(state, move, *arguments). `state` is the tuple that make_state returns, `move`
the one-point mask of the pattern's move (0 for a pass), and an argument is a mask: for a chain argument the
stones of the labelled chain or chains (0 if the label's point is empty), for a point argument the labelled
point itself. A fact that asks "if own played at P" answers 0 where P is not legal. Facts return ints.
"""

from rules.geometry import around, count, edges_at, flood, line_of
from rules.life import alive_stones, catches, is_eye, rescues
from rules.position import captured_by, chains, is_legal, ko_after

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
    taken = captured_by(point, own, theirs, grid)
    own, theirs = own | point, theirs & ~taken
    return own, theirs, ko_after(point, taken, own, theirs, grid)


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
    empty = grid[1] & ~(state[OWN] | state[THEIRS])
    saved = 0
    for chain in chains(state[OWN], grid):
        free = around(chain, grid) & empty
        if not free & (free - 1) and not catches(flood(chain, own, grid), theirs, own, ko_point, grid):
            saved += count(chain)
    return saved


def threatens(state, move, point):
    after = _after(state, point)
    if after is None:
        return 0
    own, theirs, _ = after
    grid = state[GRID]
    empty = grid[1] & ~(own | theirs)
    most = 0
    for chain in chains(theirs, grid):
        free = around(chain, grid) & empty
        if not free & (free - 1):
            most = max(most, count(captured_by(free, own, theirs, grid)))
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
    taken = captured_by(last, theirs, own, grid)
    theirs, own = theirs | last, own & ~taken
    next_ko = ko_after(last, taken, theirs, own, grid)
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


# name, function, kinds of its arguments, cost (about microseconds), what it promises
FACTS = (
    ("size", size, ("chain",), 1, "Stones in the chain A."),
    ("liberties", liberties, ("chain",), 1, "Liberties of the chain A; of all of them together if A labels several."),
    ("in_atari", in_atari, ("chain",), 1, "1 if the chain A has exactly one liberty."),
    ("shared_liberties", shared_liberties, ("chain", "chain"), 2, "Points that are a liberty of A and of B."),
    ("eyes", eyes, ("chain",), 5, "Eyes (see `eye`, for the chain's own colour) next to the chain A."),
    ("alive", alive, ("chain",), 40, "1 if A is unconditionally alive (Benson): it lives though its owner always passes."),
    ("doomed", doomed, ("chain",), 20, "1 if A is in atari and its owner, moving now, cannot save it: last liberty and "
     "captures of attackers in atari next to it are read out as ladders."),
    ("ladder", ladder, ("chain",), 30, "1 if, after the move, the chain A is caught: gone, or captured by atari after "
     "atari (ladder) with the opponent of the mover to move; each of them if A labels several; 0 if illegal."),
    ("liberties_after", liberties_after, ("chain",), 4, "Liberties of the chain A (grown or merged) after the move; 0 if gone."),
    ("legal", legal, ("point",), 2, "1 if own may play at P."),
    ("captures", captures, ("point",), 3, "Stones that own playing at P captures."),
    ("own_liberties", own_liberties, ("point",), 4, "Liberties of the own chain at P once own has played there."),
    ("joins", joins, ("point",), 2, "Different own chains next to P."),
    ("cuts", cuts, ("point",), 2, "Different chains of theirs next to P, which a stone of theirs there would join."),
    ("ko", ko, ("point",), 4, "1 if own playing at P takes a ko: the simple ko rule then forbids to retake at once."),
    ("atari", atari, ("point",), 5, "Stones of their chains next to P that have exactly one liberty once own has "
     "played there."),
    ("saves", saves, ("point",), 25, "Own stones, now in atari, that own playing at P makes safe from capture in a ladder."),
    ("threatens", threatens, ("point",), 10, "Most stones that a second own move in a row could capture after own plays at P."),
    ("snapback", snapback, ("point",), 10, "Stones won after own plays at P, if theirs captures that chain at once and "
     "own then captures the capturing chain: stones then taken less stones given, 0 if none."),
    ("makes_life", makes_life, ("point",), 60, "Own stones that become unconditionally alive (Benson) by own playing at P."),
    ("their_legal", their_legal, ("point",), 2, "1 if theirs could play at P now, ko aside."),
    ("their_captures", their_captures, ("point",), 3, "Stones that theirs playing at P would capture, ko aside."),
    ("their_liberties", their_liberties, ("point",), 4, "Liberties of their chain at P if they played there; 0 if illegal."),
    ("their_life", their_life, ("point",), 60, "Stones of theirs that would become unconditionally alive if they played at P."),
    ("eye", eye, ("point",), 3, "1 if P is empty, all its neighbours are own stones, and they are one chain or theirs "
     "holds no diagonal point of P (one is allowed off the edge)."),
    ("false_eye", false_eye, ("point",), 3, "1 if P is empty, all its neighbours are own stones, and P is no `eye`."),
    ("their_eye", their_eye, ("point",), 3, "1 if P is an `eye` of theirs."),
    ("region", region, ("point",), 2, "Empty points connected to P through empty points, P included; 0 if P is taken."),
    ("enclosed", enclosed, ("point",), 3, "`region(P)` if only own stones border it, else 0."),
    ("their_enclosed", their_enclosed, ("point",), 3, "`region(P)` if only stones of theirs border it, else 0."),
    ("line", line, ("point",), 1, "Distance of P from the nearest edge, 1 on the edge."),
    ("edge", edge, ("point",), 1, "Edges that P lies on: 2 in a corner, 1 on a side, 0 inside."),
    ("own_near", own_near, ("point",), 1, "Own stones next to P."),
    ("their_near", their_near, ("point",), 1, "Stones of theirs next to P."),
    ("empty_near", empty_near, ("point",), 1, "Empty points next to P."),
    ("moves_left", moves_left, (), 0, "Moves left in the game, the next one included."),
    ("move_number", move_number, (), 0, "Number of the next move, from 1."),
    ("colour", colour, (), 0, "1 if the mover is Black, 2 if White (the diagram's X is the mover either way)."),
    ("lead", lead, (), 1, "Own stones less stones of theirs, komi-free."),
    ("margin2", margin2, (), 1, "The mover's lead after komi in half points: above 0 if the game ending now were a win."),
    ("passed", passed, (), 0, "1 if a pass now ends the game."),
    ("ko_ban", ko_ban, (), 0, "1 if the ko rule denies the mover a point now."),
)

# The facts whose answer depends on the pattern's move and not only on their arguments.
AFTER_THE_MOVE = frozenset(("ladder", "liberties_after"))
