"""A slow walk of a proof that uses only rules/, as an independent check of the fast walk."""

from __future__ import annotations

from dataclasses import dataclass, field

from override_files import situations

from littlego.rules.engine import canonical, decide, rank
from littlego.rules.geometry import points_of
from littlego.rules.patternfile import Book
from littlego.rules.position import PASS, Position, winner_of
from littlego.rules.positionkey import pack_state, unpack


def roots(left: int, number: int, seed: int = 1) -> list[int]:
    """Return the codes of at most `number` canonical positions from random games, with `left` moves left."""
    found = [code for code in sorted(situations(3000, seed)) if code >> 56 == left]
    return found[:: max(1, len(found) // number)][:number]


def image_of(position: Position) -> int:
    """Return the code of a position's canonical image."""
    return pack_state(canonical(position)[1])


def moves_of(position: Position) -> list[int]:
    """Return the legal moves and the pass."""
    return [*points_of(position.legal()), PASS]


class Truth:
    """An exhaustive search for the winner, which caches positions."""

    def __init__(self):
        self.known: dict[int, bool] = {}

    def keeps(self, position: Position, move: int) -> bool:
        """Return whether a move is a winning move."""
        after = position.play(move)
        if position.ends_with(move):
            return winner_of(after) == position.colour
        return not self.wins(after)

    def wins(self, position: Position) -> bool:
        """Return whether the mover wins."""
        code = image_of(position)
        if code not in self.known:
            self.known[code] = any(self.keeps(position, move) for move in moves_of(position))
        return self.known[code]


@dataclass
class SlowLayer:
    """The positions of a walk with the same number of moves left.

    moves: code -> the move that the walk plays. won: the codes of won positions. failing: the code of a position in
    which the player gives the win away -> the player's move.
    """

    moves: dict[int, int] = field(default_factory=dict)
    won: set[int] = field(default_factory=set)
    failing: dict[int, int] = field(default_factory=dict)


def slow_walk(codes: list[int], book: Book, truth: Truth, is_cut=lambda code: False) -> list[SlowLayer]:
    """Return the layers from the given canonical positions down to three or four moves left.

    is_cut: a function that returns, for a position's code, whether the walk skips the position.
    """
    layers, waiting = [], {code for code in codes if not is_cut(code)}
    while waiting and max(waiting) >> 56 > 2:
        layer, following = SlowLayer(), set()
        for code in sorted(waiting):
            position = unpack(code)
            move = _walked(position, code, book, truth, layer)
            after = position.play(move)
            if not position.ends_with(move):
                replies = [reply for reply in moves_of(after) if not after.ends_with(reply)]
                following.update(image_of(after.play(reply)) for reply in replies)
        layers.append(layer)
        waiting = {code for code in following if not is_cut(code)}
    return layers


def _walked(position: Position, code: int, book: Book, truth: Truth, layer: SlowLayer) -> int:
    """Return the move to continue with, and record the position in its layer."""
    move = decide(position, book).move
    winning = [one for one in moves_of(position) if truth.keeps(position, one)]
    if winning:
        layer.won.add(code)
        if move not in winning:
            layer.failing[code] = move
            candidates = decide(position, book, complete=True).candidates
            move = min((one for one in candidates if one.move in winning), key=_order).move
    layer.moves[code] = move
    return move


def _order(candidate) -> tuple:
    """Return a sort key: allowed moves, then vetoed moves, then barred moves, each group by rank."""
    against = 2 if candidate.barred else 1 if candidate.veto else 0
    return against, rank(candidate)
