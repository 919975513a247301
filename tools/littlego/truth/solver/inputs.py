"""Positions on the command line of `solve`: drawn boards, records, keys, or opening moves."""

from __future__ import annotations

import os
import re

from littlego.cli.arguments import ArgumentError
from littlego.games.boards import move_text
from littlego.games.game import why_illegal
from littlego.games.little_go import game_of
from littlego.records.inputs import move_at, position_at
from littlego.rules.geometry import around
from littlego.rules.position import Position, chains, opening
from littlego.rules.positionkey import pack, unpack
from littlego.rules.ruleset import LITTLE_GO

_KEY = re.compile(r"\d{7,19}")


def positions_asked(
    places: tuple[str, ...],
    colour: str | None,
    left: int | None,
    previous: str | None,
    moves: str | None,
    encoding: str | None = None,
) -> list[Position]:
    """Return the positions that the command line names.

    Raise ArgumentError for invalid input. moves: the value of --opening.
    """
    if moves is not None:
        if places or colour or previous or left is not None:
            raise ArgumentError("--opening determines the position: omit POSITION, --colour, --left and --previous")
        return [position_after(moves)]
    if not places:
        raise ArgumentError("no position: name a board, an input.txt, a game, a key, or --opening ROW,COLUMN")
    return [_position(where, colour, left, previous, encoding) for where in places]


def _position(where: str, colour: str | None, left: int | None, previous: str | None, encoding: str | None) -> Position:
    if _KEY.fullmatch(where) and not os.path.exists(where):
        if colour or previous or left is not None:
            raise ArgumentError(
                f"{where}: a key includes the side to move, the moves left and the ko: "
                "omit --colour, --left and --previous"
            )
        return position_of_key(where)
    position = position_at(where, colour, left, previous, encoding=encoding)
    if game_of(position.ruleset).unsolved:
        raise ArgumentError(f"{where}: the board's size is {position.ruleset.size}; expected {LITTLE_GO.size}")
    return position


def position_of_key(text: str) -> Position:
    """Return the position whose key is `text`, a number in decimal digits.

    Raise ArgumentError if no position has this key.
    """
    position = unpack(int(text))
    stones = position.black | position.white
    sound = 1 <= position.left <= LITTLE_GO.length and not position.black & position.white
    if not sound or position.ko & (stones | ~position.grid[1]) or pack(position) != int(text):
        raise ArgumentError(f"{text}: no position has this key")
    both = chains(position.black, position.grid) + chains(position.white, position.grid)
    if not all(around(chain, position.grid) & ~stones for chain in both):
        raise ArgumentError(f"{text}: no position has this key: a chain has no liberty")
    return position


def position_after(text: str) -> Position:
    """Return the position after moves such as `2,2 1,2` from the empty board.

    Raise ArgumentError for an illegal move or a move that ends the game.
    """
    position = opening(LITTLE_GO)
    for number, word in enumerate(text.split(), 1):
        move = move_at(word, LITTLE_GO.size, "--opening")
        wrong = why_illegal(position, move) or ("it ends the game" if position.ends_with(move) else "")
        if wrong:
            raise ArgumentError(f"--opening {text}: move {number}, {move_text(move, LITTLE_GO.size)}: {wrong}")
        position = position.play(move)
    return position
