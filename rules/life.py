"""Reading that facts and safety share: ladders, eyes and unconditional life. Plain functions of masks."""

from rules.geometry import around, count, flood
from rules.position import chains, is_legal, played

LADDER_ROUNDS = 120  # a round is an atari and its answer; ladders across 19x19 have about 40


def rescues(prey, own, theirs, ko, grid):
    """Return the moves, as a mask, with which own to move saves its chain `prey` from a ladder.

    The moves tried are the prey's own last liberty and captures of attackers in atari next to it. A prey
    with two liberties or more needs no move now; for it the answer is every empty point.
    """
    empty = grid[1] & ~(own | theirs)
    last = around(prey, grid) & empty
    if last & (last - 1):
        return empty
    tries = _rescue_tries(prey, last, own, theirs, ko, grid)
    saving = 0
    while tries:
        move = tries & -tries
        tries ^= move
        stones, rest, _, next_ko = played(move, own, theirs, grid)
        if not catches(flood(prey, stones, grid), rest, stones, next_ko, grid):
            saving |= move
    return saving


def catches(prey, own, theirs, ko, grid):
    """Return whether own to move captures their chain `prey` in a ladder: now, or by atari after atari.

    Exact, also through kos: a line that comes back to an earlier board is an escape. Such a line is cut where
    it closes, which may refute other boards too early, so the search is repeated until it proves nothing new.
    """
    proved = set()
    while True:
        before = len(proved)
        if _catches(prey, own, theirs, ko, grid, proved, set(), 0):
            return True
        if len(proved) == before:
            return False


def _catches(prey, own, theirs, ko, grid, proved, visited, depth):
    free = around(prey, grid) & ~(own | theirs)
    first = free & -free
    second = free ^ first
    if second & (second - 1):
        return False
    if not second:
        return is_legal(first, own, theirs, ko, grid)
    board = own, theirs, ko
    if board in proved:
        return True
    if board in visited or depth == LADDER_ROUNDS:
        return False
    visited.add(board)
    for move in (first, second):
        if is_legal(move, own, theirs, ko, grid) and _holds(move, prey, own, theirs, grid, proved, visited, depth):
            proved.add(board)
            return True
    return False


def _holds(move, prey, own, theirs, grid, proved, visited, depth):
    """Return whether the atari that own gives at `move` leaves the prey no escape."""
    stones, rest, _, ko = played(move, own, theirs, grid)
    last = around(prey, grid) & ~(stones | rest)
    if last & (last - 1):
        return False
    tries = _rescue_tries(prey, last, rest, stones, ko, grid)
    while tries:
        answer = tries & -tries
        tries ^= answer
        defence, attack, _, next_ko = played(answer, rest, stones, grid)
        grown = flood(prey, defence, grid)
        if not _catches(grown, attack, defence, next_ko, grid, proved, visited, depth + 1):
            return False
    return True


def _rescue_tries(prey, last, own, theirs, ko, grid):
    """Return the legal ones among the prey's last liberty and the captures of attackers in atari next to it."""
    empty = grid[1] & ~(own | theirs)
    tries = last
    attackers = around(prey, grid) & theirs
    while attackers:
        chain = flood(attackers & -attackers, theirs, grid)
        attackers &= ~chain
        free = around(chain, grid) & empty
        if not free & (free - 1):
            tries |= free
    legal = 0
    while tries:
        move = tries & -tries
        tries ^= move
        if is_legal(move, own, theirs, ko, grid):
            legal |= move
    return legal


def caught(own, theirs, ko, grid):
    """Return own stones in atari that own, to move, cannot save, as a mask."""
    lost = 0
    for chain in atari_chains(own, theirs, grid):
        if not rescues(chain, own, theirs, ko, grid):
            lost |= chain
    return lost


def atari_chains(own, theirs, grid):
    """Return own chains with exactly one liberty, as a list of masks."""
    empty = grid[1] & ~(own | theirs)
    found = []
    for chain in chains(own, grid):
        free = around(chain, grid) & empty
        if not free & (free - 1):
            found.append(chain)
    return found


def corners_of(point, grid):
    """Return the up to four points diagonally next to a one-point mask."""
    size, full, not_first, not_last = grid
    level = (point & not_last) << 1 | (point & not_first) >> 1
    return (level << size | level >> size) & full


def is_eye(point, own, theirs, grid):
    """Return whether an empty one-point mask is a real eye of own: see the fact `eye`."""
    sides = around(point, grid)
    if point & (own | theirs) or sides & ~own:
        return False
    if not sides & ~flood(sides & -sides, own, grid):
        return True
    diagonals = corners_of(point, grid)
    lost = diagonals & theirs
    return not lost or (count(diagonals) == 4 and not lost & (lost - 1))


def alive_stones(own, theirs, grid):
    """Return own stones that live even if own passes for ever (Benson 1976), as a mask.

    A chain lives if two regions enclosed by living chains consist, in their empty points, of its liberties only.
    """
    outside = grid[1] & ~own
    region = flood(outside & -outside, outside, grid) if outside else 0
    if region == outside:  # one region: nothing can have two eyes
        return 0
    regions = [region] + chains(outside ^ region, grid)
    living = [(chain, around(chain, grid)) for chain in chains(own, grid)]
    while living:
        alive = 0
        for chain, _ in living:
            alive |= chain
        regions = [region for region in regions if not around(region, grid) & own & ~alive]
        kept = []
        for chain, near in living:
            vital = 0
            for region in regions:
                if near & region and not region & ~theirs & ~near:
                    vital += 1
            if vital >= 2:
                kept.append((chain, near))
        if len(kept) == len(living):
            return alive
        living = kept
    return 0
