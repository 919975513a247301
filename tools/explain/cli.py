"""The command `explain`."""

from __future__ import annotations

import argparse

from rules.position import BLACK, WHITE, Position, from_boards
from rules.ruleset import LITTLE_GO, little_go
from rules.turn import BadInput, least_moves_made, parse_input
from tools.arguments import BadArgument, complaining
from tools.draw.boards import BadBoard, parse_board
from tools.draw.reasons import decision_text
from tools.opponents.ours import PATTERNS, decided


def add_parsers(subparsers) -> None:
    """Add this room's commands to the `littlego` parser."""
    explain = subparsers.add_parser("explain", help="show why the engine plays what it plays in a position")
    explain.add_argument("file", help="an input.txt, or a board drawn with X, O and . (rows may be spaced)")
    explain.add_argument("--colour", choices=("black", "white"), default="black", help="who moves on a drawn board")
    explain.add_argument("--left", type=int, help="moves left with this one (default: the most the stones allow)")
    explain.add_argument("--patterns", default=PATTERNS, help="another patterns.txt")
    explain.set_defaults(run=complaining(run_explain))


def run_explain(args: argparse.Namespace) -> int:
    """Print the whole decision in a position."""
    try:
        with open(args.file, "rb") as file:
            data = file.read()
    except OSError as error:
        raise BadArgument(f"{args.file}: {error.strerror}") from None
    position = _position(data, args)
    print(decision_text(decided(position, args.patterns, complete=True)))
    return 0


def _position(data: bytes, args: argparse.Namespace) -> Position:
    drawn = data.decode("utf-8", "replace")
    if drawn.lstrip().startswith(("1", "2")):
        try:
            colour, previous, current = parse_input(data, LITTLE_GO.size)
        except BadInput as error:
            raise BadArgument(f"{args.file}: {error}") from None
        ruleset = LITTLE_GO
    else:
        try:
            size, black, white = parse_board(drawn)
        except BadBoard as error:
            line = "" if error.row is None else f", row {error.row}"
            column = "" if error.column is None else f", column {error.column}"
            raise BadArgument(f"{args.file}{line}{column}: {error}") from None
        ruleset, current = (LITTLE_GO if size == LITTLE_GO.size else little_go(size)), (black, white)
        colour = BLACK if args.colour == "black" else WHITE
        previous = None  # a drawing says nothing of the last move
    least = least_moves_made(current[0], current[1], colour)
    left = args.left if args.left is not None else max(1, ruleset.length - least)
    if not 1 <= left <= ruleset.length:
        raise BadArgument(f"--left {left}: expected 1 to {ruleset.length}")
    return from_boards(ruleset, previous, current, colour, left)
