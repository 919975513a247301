"""Which positions `littlego solve` is asked about: files, codes, and openings from the empty board."""

from __future__ import annotations

import argparse
import os
import re

from rules.geometry import around
from rules.position import Position, chains, opening
from rules.ruleset import LITTLE_GO
from tools.arguments import ArgumentError
from tools.draw.boards import move_text
from tools.match.inputs import move_at, position_at
from tools.match.referee import why_illegal

_CODE = re.compile(r"\d{7,19}")


def positions_asked(args: argparse.Namespace) -> list[Position]:
    """Return the positions that the command line names; raise ArgumentError."""
    if args.opening is not None:
        if args.positions or args.colour or args.previous or args.left is not None:
            raise ArgumentError("--opening says it all: give no other position, --colour, --left or --previous")
        return [opened(args.opening)]
    if not args.positions:
        raise ArgumentError("no position: give a board, an input.txt, a game, a code, or --opening ROW,COLUMN")
    return [_position(where, args) for where in args.positions]


def _position(where: str, args: argparse.Namespace) -> Position:
    if _CODE.fullmatch(where) and not os.path.exists(where):
        if args.colour or args.previous or args.left is not None:
            raise ArgumentError(f"{where}: a code says itself who moves, with how many left, and what was before")
        return coded(where)
    position = position_at(where, args.colour, args.left, args.previous)
    if position.ruleset != LITTLE_GO:
        raise ArgumentError(f"{where}: the board's size is {position.ruleset.size}; expected {LITTLE_GO.size}")
    return position


def coded(text: str) -> Position:
    """Return the position with a code; raise ArgumentError where there is none."""
    from rules.positionkey import pack, unpack

    position = unpack(int(text))
    stones = position.black | position.white
    sound = 1 <= position.left <= LITTLE_GO.length and not position.black & position.white
    if not sound or position.ko & (stones | ~position.grid[1]) or pack(position) != int(text):
        raise ArgumentError(f"{text}: no position has this code")
    for chain in chains(position.black, position.grid) + chains(position.white, position.grid):
        if not around(chain, position.grid) & ~stones:
            raise ArgumentError(f"{text}: no position has this code: a chain has no liberty")
    return position


def opened(text: str) -> Position:
    """Return the position after these moves on the empty board: `2,2 1,2`; raise ArgumentError."""
    position = opening(LITTLE_GO)
    for number, word in enumerate(text.split(), 1):
        move = move_at(word, LITTLE_GO.size, "--opening")
        wrong = why_illegal(position, move) or ("the game is over with it" if position.ends_with(move) else "")
        if wrong:
            raise ArgumentError(f"--opening {text}: move {number}, {move_text(move, LITTLE_GO.size)}: {wrong}")
        position = position.play(move)
    return position
