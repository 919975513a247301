"""Makes the championship player's opening table: `python -m tools.opponents.championship_openings`.

Black's moves are those of our own player, which is proved to win as Black against every reply (docs/truth.md): the
first ones of that proof. White, which has lost if Black begins in the centre and plays on right, takes what this same
search finds with many more nodes; where Black begins elsewhere, it searches at the board. What the table holds
already is kept, so that stopping costs nothing; without the file all is made afresh.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator

from rules.geometry import points_of
from rules.position import BLACK, PASS, WHITE, Position, opening
from rules.ruleset import LITTLE_GO
from tools.files import write_text
from tools.match.referee import COLOURS
from tools.opponents import championship
from tools.opponents.ours import decided
from tools.opponents.replies import key_of, read, to_text, turned

BLACK_MOVES, WHITE_MOVES = 4, 2  # how many moves of each side the table holds
NODES = 400_000
CENTRE = 12
KEPT_EVERY = 20  # positions after which the file is written
ABOUT = """The championship player's opening table; see replies.py.
Made by `python -m tools.opponents.championship_openings`."""


def to_fill(colour: int, moves: int, known: dict) -> Iterator[Position]:
    """Yield the positions, modulo symmetry, that a colour meets in its first moves when it plays by the table.

    known: the table, which the caller fills in as the positions come.
    """
    start = opening(LITTLE_GO)
    layer = [start if colour == BLACK else start.play(CENTRE)]
    for number in range(moves):
        layer = list({key_of(position)[0]: position for position in layer}.values())
        yield from layer
        if number + 1 < moves:
            layer = _after_any([after for position in layer for after in _by_table(position, known)])


def _after_any(layer: list[Position]) -> list[Position]:
    return [
        position.play(move)
        for position in layer
        for move in [*points_of(position.legal()), PASS]
        if not position.ends_with(move)
    ]


def _by_table(position: Position, known: dict) -> list[Position]:
    key, table = key_of(position)
    images = {turned(move, table): move for move in [*points_of(position.legal()), PASS]}
    return [position.play(images[move]) for move in known[key]]


def best_moves(position: Position) -> list[int]:
    """Return what the table is to hold for a position."""
    if position.colour == BLACK:
        return [decided(position).move]
    return championship.searched(position, NODES)


def fill(path: str) -> None:
    """Add what is missing to the table in a file; write it now and then."""
    known = read(path) if os.path.exists(path) else {}
    for colour, moves in ((BLACK, BLACK_MOVES), (WHITE, WHITE_MOVES)):
        for number, position in enumerate(to_fill(colour, moves, known), 1):
            key, table = key_of(position)
            if key not in known:
                known[key] = {turned(move, table): 1 for move in best_moves(position)}
                if number % KEPT_EVERY == 0:
                    write_text(path, to_text(known, ABOUT))
                    print(f"{COLOURS[colour]}: {number} positions", file=sys.stderr)
    write_text(path, to_text(known, ABOUT))


def main(argv: list[str] | None = None) -> int:
    """Make the table, or go on making it."""
    parser = argparse.ArgumentParser(prog="python -m tools.opponents.championship_openings", description=main.__doc__)
    parser.add_argument("file", nargs="?", default=championship.OPENINGS, help="default: the player's own")
    fill(parser.parse_args(argv).file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
