"""The bounds of each fact on a partial board: one small function a fact, in three tables at the end.

Each takes a View, the pattern's move (0: a pass) and the fact's arguments, chains as Chains and points as masks,
and returns the smallest and the largest answer that any legal completion of the board may give. Wider is sound,
only slower. `view.about` narrows by what is assumed of other facts, so that one implies another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.geometry import around, count, edges_at, flood, line_of
from rules.life import corners_of
from rules.position import BLACK
from tools.lint.exact.partial import NOT_PASSED, PASSED, Partial, colour_to_move, single_points
from tools.lint.exact.terms import Chains, Range, Term

if TYPE_CHECKING:
    from tools.lint.exact.view import View

LONGEST_CAUGHT = 2  # an own chain with more liberties than this is caught by no ladder when theirs moves next


# -- chains --------------------------------------------------------------------------------------------------


def size(view: View, move: int, chain: Chains) -> Range:
    return count(chain.low), count(chain.up)


def liberties(view: View, move: int, chain: Chains) -> Range:
    if not chain.low:
        return 0, 0
    sure = count(around(chain.low, view.grid) & view.board.known_empty)
    return max(1, sure), count(around(chain.up, view.grid) & view.board.empty)


def in_atari(view: View, move: int, chain: Chains) -> Range:
    if not chain.low:
        return 0, 0
    low, high = view.about("liberties", chain.low)
    return int(high == 1), int(low == 1)


def shared_liberties(view: View, move: int, chain: Chains, other: Chains) -> Range:
    grid, board = view.grid, view.board
    sure = around(chain.low, grid) & around(other.low, grid) & board.known_empty
    most = count(around(chain.up, grid) & around(other.up, grid) & board.empty)
    for one in (chain, other):
        most = min(most, view.about("liberties", one.low)[1] if one.low else 0)
    return count(sure), most


def eyes(view: View, move: int, chain: Chains) -> Range:
    fact = "eye" if chain.is_own else "their_eye"
    sure = sum(view.about(fact, point)[0] for point in single_points(around(chain.low, view.grid)))
    most = sum(view.about(fact, point)[1] for point in single_points(around(chain.up, view.grid)))
    return sure, min(most, view.about("liberties", chain.low)[1] if chain.low else 0)


def alive(view: View, move: int, chain: Chains) -> Range:
    """Two vital regions hold a liberty each: a chain in atari is not alive."""
    return 0, int(chain.low != 0 and view.about("liberties", chain.low)[1] >= 2)


def doomed(view: View, move: int, chain: Chains) -> Range:
    return 0, int(chain.low != 0 and view.about("liberties", chain.low)[0] == 1)


def ladder(view: View, move: int, chain: Chains) -> Range:
    """An own chain is caught with two liberties at most, one of theirs with one at most."""
    if not chain.low or not _may_move(view, move):
        return 0, 0
    low, high = view.ask(Term("liberties_after", move, ((True, chain.low),)))
    possible = int(not chain.is_one or low <= (LONGEST_CAUGHT if chain.is_own else 1))
    if not _must_move(view, move):
        return 0, possible
    if not chain.is_own:
        return int(high == 0), possible
    no_ko = not move or view.about("captures", move)[1] == 0  # theirs is not kept from the last liberty
    return int(high == 1 and no_ko), possible


def liberties_after(view: View, move: int, chain: Chains) -> Range:
    if not chain.low or not _may_move(view, move):
        return 0, 0
    low, high = _after(view, move, chain)
    return (low if _must_move(view, move) else 0), high


def _after(view: View, move: int, chain: Chains) -> Range:
    """Return the bounds of the chain's liberties after a legal move."""
    low, high = view.about("liberties", chain.low)
    if not move:
        return low, high
    surely, maybe = around(chain.low, view.grid) & move, around(chain.up, view.grid) & move
    if not chain.is_own:  # loses at most the move's point; what else is captured was no neighbour
        return low - bool(maybe), high - bool(surely)
    if not chain.is_one:
        return 1, count(view.grid[1])
    if surely:
        return _own_liberties(view, move)
    sure, prey = _prey(view, move)
    high += count(around(chain.up, view.grid) & prey)
    if maybe:
        return 1, max(high, _own_liberties(view, move)[1])
    return low + count(around(chain.low, view.grid) & sure), high


# -- a move --------------------------------------------------------------------------------------------------


def _may_move(view: View, move: int) -> bool:
    return not move or view.about("legal", move)[1] == 1


def _must_move(view: View, move: int) -> bool:
    return not move or view.about("legal", move)[0] == 1


def _prey(view: View, point: int) -> tuple[int, int]:
    """Return the stones of theirs that own playing at the point surely captures, and those that it may capture."""
    board, grid = view.board, view.grid
    sure = maybe = 0
    for stone in single_points(around(point, grid) & board.theirs):
        if stone & board.known_theirs:
            low, high = view.about("liberties", stone)
            chain = view.chain(stone).low
            if high == 1 and point & board.known_empty:
                sure |= chain
        else:
            low, chain = 1, flood(stone, board.known_theirs, grid)
        if low == 1 and not around(chain, grid) & board.known_empty & ~point:
            maybe |= flood(stone, board.theirs, grid)
    return sure, maybe


def legal(view: View, move: int, point: int) -> Range:
    board, grid = view.board, view.grid
    if not point & board.empty or point & board.ko:
        return 0, 0
    sure, maybe = _prey(view, point)
    if not maybe and not _reach(view, point, board.own, board.empty):
        return 0, 0
    if not point & board.known_empty:
        return 0, 1
    stays = sure or _reach(view, point, board.known_own, board.known_empty)
    return int(bool(stays) or any(
        view.about("liberties", stone)[0] >= 2 for stone in single_points(around(point, grid) & board.known_own)
    )), 1  # fmt: skip


def captures(view: View, move: int, point: int) -> Range:
    low, high = view.about("legal", point)
    sure, maybe = _prey(view, point)
    if low and not _reach(view, point, view.board.own, view.board.empty):  # no suicide: it makes its own room
        return max(1, count(sure)), count(maybe)
    return low * count(sure), high * count(maybe)


def own_liberties(view: View, move: int, point: int) -> Range:
    low, high = view.about("legal", point)
    fewest, most = _own_liberties(view, point)
    return low * fewest, high * most


def _own_liberties(view: View, point: int) -> Range:
    """Return the bounds of the liberties of the own chain at the point after a legal move there."""
    board = view.board
    sure, maybe = _prey(view, point)
    fewest = _reach(view, point, board.known_own, board.known_empty | sure)
    return max(1, count(fewest)), count(_reach(view, point, board.own, board.empty | maybe))


def _reach(view: View, point: int, own: int, room: int) -> int:
    """Return the points of `room` that a stone at the point would have as liberties, joined to those stones."""
    return around(flood(point, own, view.grid), view.grid) & room & ~point


def joins(view: View, move: int, point: int) -> Range:
    return _chains_beside(view, point, view.board.known_own, view.board.own)


def cuts(view: View, move: int, point: int) -> Range:
    return _chains_beside(view, point, view.board.known_theirs, view.board.theirs)


def _chains_beside(view: View, point: int, known: int, may_be: int) -> Range:
    """Return the bounds of the number of different chains beside the point."""
    near = around(point, view.grid)
    sure, fewest, most = near & known, 0, count(near & may_be & ~known)
    rest = sure
    while rest:
        rest &= ~flood(rest & -rest, may_be, view.grid)
        fewest += 1
    while sure:
        sure &= ~flood(sure & -sure, known, view.grid)
        most += 1
    return fewest, most


def ko(view: View, move: int, point: int) -> Range:
    """A ko is taken by a lone stone that captures one stone and has no other liberty."""
    wanted = (("legal", 1), ("captures", 1), ("own_liberties", 1), ("joins", 0))
    found = [(view.about(name, point), answer) for name, answer in wanted]
    possible = all(low <= answer <= high for (low, high), answer in found)
    return int(all(low == high == answer for (low, high), answer in found)), int(possible)


def _put_in_atari(view: View, point: int) -> tuple[list[int], int]:
    """Return the chains beside the point that surely have two liberties, it being one, and stones that may be so."""
    board, grid = view.board, view.grid
    sure, maybe = [], 0
    for stone in single_points(around(point, grid) & board.theirs):
        chain = flood(stone, board.known_theirs, grid)
        low, high = view.about("liberties", stone) if stone & board.known_theirs else (1, 2)
        if low == high == 2:
            sure.append(chain)
        if low <= 2 <= high and count(around(chain, grid) & board.known_empty & ~point) <= 1:
            maybe |= flood(stone, board.theirs, grid)
    return sure, maybe


def atari(view: View, move: int, point: int) -> Range:
    low, high = view.about("legal", point)
    sure, maybe = _put_in_atari(view, point)
    stones = 0
    for chain in sure:
        stones |= chain
    return low * count(stones), high * count(maybe)


def saves(view: View, move: int, point: int) -> Range:
    """A chain beside the move that surely has three liberties after it is caught by no ladder."""
    board, grid = view.board, view.grid
    low, high = view.about("legal", point)
    if not high:
        return 0, 0
    maybe = board.own & ~board.known_own
    for stone in single_points(board.known_own):
        if view.about("liberties", stone)[0] == 1:
            maybe |= view.chain(stone).up
    rescued = 0
    if low and _own_liberties(view, point)[0] > LONGEST_CAUGHT:
        for stone in single_points(around(point, grid) & board.known_own):
            if view.about("liberties", stone)[1] == 1:
                rescued |= view.chain(stone).low
    return count(rescued), count(maybe)


def threatens(view: View, move: int, point: int) -> Range:
    low, high = view.about("legal", point)
    if not high:
        return 0, 0
    sure, _ = _put_in_atari(view, point)
    return (max(map(count, sure), default=0) if low else 0), count(view.board.theirs)


def snapback(view: View, move: int, point: int) -> Range:
    fewest, most = view.about("own_liberties", point)
    return 0, count(view.board.theirs) if fewest <= 1 <= most else 0


def makes_life(view: View, move: int, point: int) -> Range:
    return 0, view.about("legal", point)[1] * count(view.board.own | point)


# -- what they could do ---------------------------------------------------------------------------------------


def their(name: str):
    """Return the bounds of a fact about their move, given the name of the same fact about ours."""

    def bounds(view: View, move: int, point: int) -> Range:
        return view.other_side().about(name, point)

    return bounds


# -- points ---------------------------------------------------------------------------------------------------


def _closed(view: View, point: int) -> tuple[bool, bool]:
    """Return whether the point surely is empty with own stones only beside it, and whether it may be."""
    board, sides = view.board, around(point, view.grid)
    sure = bool(point & board.known_empty) and not sides & ~board.known_own
    return sure, bool(point & board.empty) and not sides & ~board.own


def _real(view: View, point: int) -> tuple[bool, bool]:
    """Return whether a closed point is surely a real eye, and whether it may be: see rules.life.is_eye."""
    board, sides = view.board, around(point, view.grid)
    first, corners = sides & -sides, corners_of(point, view.grid)
    spared = 1 if count(corners) == 4 else 0
    one_chain = not sides & ~flood(first, board.known_own, view.grid)
    may_join = not sides & ~flood(first, board.own, view.grid)
    sure = one_chain or count(corners & board.theirs) <= spared
    return sure, may_join or count(corners & board.known_theirs) <= spared


def eye(view: View, move: int, point: int) -> Range:
    closed, may_close = _closed(view, point)
    real, may_be_real = _real(view, point)
    return int(closed and real), int(may_close and may_be_real)


def false_eye(view: View, move: int, point: int) -> Range:
    closed, may_close = _closed(view, point)
    real, may_be_real = _real(view, point)
    return int(closed and not may_be_real), int(may_close and not real)


def region(view: View, move: int, point: int) -> Range:
    board, grid = view.board, view.grid
    low = count(flood(point, board.known_empty, grid)) if point & board.known_empty else 0
    return low, count(flood(point, board.empty, grid)) if point & board.empty else 0


def enclosed(view: View, move: int, point: int) -> Range:
    board, grid = view.board, view.grid
    inside = flood(point & board.known_empty, board.known_empty, grid)
    border = around(inside, grid) & ~inside
    if not point & board.empty or border & board.known_theirs or inside and not border:
        return 0, 0
    is_closed = inside and not border & ~board.known_own
    most = flood(point, board.empty & ~around(board.known_theirs, grid), grid)
    return (count(inside) if is_closed else 0), count(most)


def line(view: View, move: int, point: int) -> Range:
    answer = line_of(point.bit_length() - 1, view.grid[0])
    return answer, answer


def edge(view: View, move: int, point: int) -> Range:
    answer = edges_at(point.bit_length() - 1, view.grid[0])
    return answer, answer


def own_near(view: View, move: int, point: int) -> Range:
    near = around(point, view.grid)
    return count(near & view.board.known_own), count(near & view.board.own)


def empty_near(view: View, move: int, point: int) -> Range:
    near = around(point, view.grid)
    return count(near & view.board.known_empty), count(near & view.board.empty)


# -- the game -------------------------------------------------------------------------------------------------


def moves_left(board: Partial) -> Range:
    return (board.clock & -board.clock).bit_length() - 1, board.clock.bit_length() - 1


def move_number(board: Partial) -> Range:
    fewest, most = moves_left(board)
    return board.ruleset.length - most + 1, board.ruleset.length - fewest + 1


def colour(board: Partial) -> Range:
    found = {colour_to_move(board.ruleset, bit.bit_length() - 1) for bit in single_points(board.clock)}
    return min(found), max(found)


def lead(board: Partial) -> Range:
    return count(board.known_own) - count(board.theirs), count(board.own) - count(board.known_theirs)


def margin2(board: Partial) -> Range:
    behind, ahead = lead(board)
    first, last = colour(board)
    komi2 = board.ruleset.komi2
    return 2 * behind + (-komi2 if first == BLACK else komi2), 2 * ahead + (-komi2 if last == BLACK else komi2)


def passed(board: Partial) -> Range:
    return int(not board.passes & NOT_PASSED), int(board.passes & PASSED != 0)


def ko_ban(board: Partial) -> Range:
    return int(board.ko != 0), int(board.ko != 0)


ABOUT_CHAINS = {
    "size": size, "liberties": liberties, "in_atari": in_atari, "shared_liberties": shared_liberties, "eyes": eyes,
    "alive": alive, "doomed": doomed, "ladder": ladder, "liberties_after": liberties_after,
}  # fmt: skip
ABOUT_POINTS = {
    "legal": legal, "captures": captures, "own_liberties": own_liberties, "joins": joins, "cuts": cuts, "ko": ko,
    "atari": atari, "saves": saves, "threatens": threatens, "snapback": snapback, "makes_life": makes_life,
    "their_legal": their("legal"), "their_captures": their("captures"), "their_liberties": their("own_liberties"),
    "their_atari": their("atari"), "their_saves": their("saves"), "their_life": their("makes_life"),
    "eye": eye, "false_eye": false_eye, "their_eye": their("eye"), "region": region, "enclosed": enclosed,
    "their_enclosed": their("enclosed"), "line": line, "edge": edge, "own_near": own_near,
    "their_near": their("own_near"), "empty_near": empty_near,
}  # fmt: skip
BOUNDS = ABOUT_CHAINS | ABOUT_POINTS
GAME = {
    "moves_left": moves_left, "move_number": move_number, "colour": colour, "lead": lead, "margin2": margin2,
    "passed": passed, "ko_ban": ko_ban,
}  # fmt: skip
