"""The generator of the championship player's opening table: `littlego dev regenerate openings`.

The table contains positions before each of Black's first moves. Black plays like our own player, which has been proved
to win as Black against every reply (docs/truth.md). The table covers all replies of White up to Black's move number
WHOLE, likely replies up to move LIKELY, and replies of strong players up to move DEEP.

The table also contains White's replies to a first move in the centre. These replies come from the championship player's
search with up to NODES nodes, many more than in a game.

A run keeps the file's existing entries, so an interruption loses little work. Without the file, a run rebuilds the
whole table.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator

from littlego.files import write_text
from littlego.players.ours import decide_at
from littlego.players.roles import alphabeta, championship
from littlego.players.roles.championship import WON, Meter, Search, node_of
from littlego.players.roles.replies import fixing_symmetries, format_replies, key_of, load_replies, turn_move
from littlego.players.roles.simple import aggressive_choices
from littlego.rules.geometry import points_of
from littlego.rules.position import BLACK, PASS, Position, opening
from littlego.rules.ruleset import LITTLE_GO

WHOLE, LIKELY, DEEP = 4, 5, 6  # numbers of Black's moves, for all replies, likely replies, strong replies
MOST_LIKELY, PLIES = 8, 2  # number of likely replies, and the depth in plies of the search that ranks them
CENTRE = 12
NODES, GLANCE = 1_000_000, 2_000  # nodes of the search for White's moves, and for a strong reply
UNLIMITED = 1 << 40
KEPT_EVERY = 100  # number of positions between two writes of the file
Known = dict[str, dict[int, int]]  # the table: {position: {move: 1}}
ABOUT = """The championship player's opening table; see replies.py.
Made by `littlego dev regenerate openings`."""


def to_fill(known: Known) -> Iterator[Position]:
    """Yield the positions that the table must contain; some positions occur several times.

    known: the table, which the caller extends during the iteration.
    """
    yield from positions_met(WHOLE, any_reply, known)
    yield from positions_met(LIKELY, likely_replies, known)
    yield from positions_met(DEEP, strong_replies, known)
    yield opening(LITTLE_GO).play(CENTRE)


def positions_met(moves: int, replies: Callable[[Position], list[int]], known: Known) -> Iterator[Position]:
    """Yield the positions before each of Black's first `moves` moves.

    Only one position of each set of symmetric positions is included. Black plays the table's moves, and White plays
    every move that `replies` returns. The caller must add each position to the table before requesting the next
    position.
    """
    layer = [opening(LITTLE_GO)]
    for _ in range(moves):
        yield from layer
        after = [position.play(move) for position in layer for move in _table_moves(position, known)]
        met = [position.play(move) for position in after for move in replies(position)]
        layer = list({key_of(position)[0]: position for position in met}.values())


def _table_moves(position: Position, known: Known) -> list[int]:
    key, table = key_of(position)
    return [move for move in any_reply(position) if turn_move(move, table) in known[key]]


def any_reply(position: Position) -> list[int]:
    """Return all legal moves that do not end the game."""
    return [move for move in [*points_of(position.legal()), PASS] if not position.ends_with(move)]


def likely_replies(position: Position) -> list[int]:
    """Return the replies with the best values in a shallow search, at most MOST_LIKELY, best first."""
    search = Search(Meter(UNLIMITED, float("inf")))
    nodes = {move: node_of(position.play(move)) for move in any_reply(position)}
    values = {move: search.value(*node[:-1], PLIES, -WON, WON) for move, node in nodes.items()}
    return sorted(values, key=values.__getitem__)[:MOST_LIKELY]  # the opponent's values: lower is better


def strong_replies(position: Position) -> list[int]:
    """Return the replies that strong players would choose.

    The replies are our player's move, all choices of the role `alphabeta`, and at most two moves each from the role
    `aggressive` and from a short search by `championship`.
    """
    replies = {decide_at(position).move, *alphabeta.choices(position), *aggressive_choices(position)[:2]}
    return sorted(replies | set(championship.best_moves(position, GLANCE)[:2]))


def best_moves(position: Position) -> list[int]:
    """Return the moves to store for a position.

    For Black, the only move is our player's move. For White, one move represents each set of symmetric best moves.
    """
    if position.colour == BLACK:
        return [decide_at(position).move]
    moves: list[int] = []
    for move in championship.best_moves(position, NODES):
        if not {turn_move(move, table) for table in fixing_symmetries(position)} & set(moves):
            moves.append(move)
    return moves


def fill(path: str) -> None:
    """Add the missing positions to the table in a file; save the file after every KEPT_EVERY positions."""
    known = load_replies(path) if os.path.exists(path) else {}
    for position in to_fill(known):
        key, table = key_of(position)
        if key not in known:
            known[key] = {turn_move(move, table): 1 for move in best_moves(position)}
            if len(known) % KEPT_EVERY == 0:
                write_text(path, format_replies(known, ABOUT))
                print(f"{len(known)} positions", file=sys.stderr)
    write_text(path, format_replies(known, ABOUT))
