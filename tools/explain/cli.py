"""The commands `explain` and `new`."""

from __future__ import annotations

import argparse
import os
import re
import sys
from itertools import chain, count

from rules.engine import Decision, decide
from rules.overrides import Overrides
from rules.patternfile import Book
from rules.position import PASS, Position
from rules.ruleset import LITTLE_GO
from tools.arguments import FINE, ArgumentError, add_file, add_json, complaining, positive, trying_to
from tools.draw.boards import move_text
from tools.draw.decisions import decision_json, decision_text
from tools.effects.books import read_knowledge
from tools.explain.books import as_written, without
from tools.explain.entry import NoCounterexample, entry_text
from tools.explain.scaffold import Region, boxed, others, smallest
from tools.explain.whatif import WhatIf, what_if_json, what_if_text
from tools.explain.whynot import why_not, why_not_json, why_not_text
from tools.files import STANDARD_OUTPUT, put_text, write_json
from tools.knowledge.model import CLASSES
from tools.knowledge.problems import plural
from tools.match.inputs import add_position_arguments, move_at, point_at, position_at
from tools.match.referee import why_illegal
from tools.opponents.ours import PATTERNS, overrides_beside, tell_if_stale

MOVED = 1  # exit status
_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_INPUTS = """
FILE is a drawn board (rows of X, O and ., coordinates or not), an input.txt, a game as SGF or as the JSON of
`littlego play`, or - for standard input. FILE:12 is a game before its move 12; without a number it is the position
after the last move, or before it if the game is over.
"""
_EPILOG = """
Exit status: 0; 1 if --what-if or --without change the move; 2 if something cannot be read.
"""


def add_parsers(subparsers) -> None:
    """Add this room's commands to the `littlego` parser."""
    _add_explain(subparsers)
    _add_new(subparsers)


def _add_explain(subparsers) -> None:
    parser = subparsers.add_parser(
        "explain",
        help="show why the engine plays what it plays in a position, and why nothing else",
        description="Show every move with its patterns, points and verdict." + _INPUTS,
        epilog=_EPILOG,
    )
    parser.add_argument("file", metavar="FILE", help="a board, input.txt, game.sgf, game.sgf:MOVE or -")
    add_position_arguments(parser)
    add_file(parser, PATTERNS)
    parser.add_argument(
        "--why-not",
        metavar="MOVE",
        help="ask about one move, `row,column` or `pass`: what speaks against it, and which patterns came near",
    )
    parser.add_argument("--what-if", metavar="FILE", help="decide with this knowledge too, and show what changes")
    parser.add_argument("--without", action="append", default=[], metavar="ID", help="decide without this pattern too")
    parser.add_argument(
        "--no-overrides",
        "--no-exceptions",
        action="store_true",
        help="let the patterns decide alone: do not look into the overrides.txt beside them",
    )
    parser.add_argument(
        "--most",
        type=positive,
        default=10,
        metavar="N",
        help="near misses, or changed moves, to show (default: %(default)s)",
    )
    parser.add_argument("--svg", metavar="FILE", help="also draw the decision to a file, or to stdout for -")
    add_json(parser)
    parser.set_defaults(run=complaining(run_explain))


def _add_new(subparsers) -> None:
    parser = subparsers.add_parser(
        "new",
        help="print a new pattern made from a position, ready to edit and paste into patterns.yaml",
        description="Print a pattern that fires for one move of a position: the smallest diagram that singles the "
        "move out there, with an example that matches and one that does not." + _INPUTS,
    )
    parser.add_argument("--from", dest="file", required=True, metavar="FILE", help="a board, input.txt, game.sgf:MOVE")
    parser.add_argument("--move", metavar="ROW,COLUMN", help="the move (default: what the player plays)")
    parser.add_argument("--region", metavar="R,C:R,C", help="draw just this box, two corners (default: the smallest)")
    parser.add_argument("--id", help="its name, small words joined by - (default: new-pattern)")
    parser.add_argument(
        "--class",
        dest="kind",
        choices=CLASSES,
        default="shape",
        metavar="CLASS",
        help="capture, escape, eye ... (default: %(default)s)",
    )
    add_position_arguments(parser)
    add_file(parser, PATTERNS)
    parser.set_defaults(run=complaining(run_new))


def run_explain(args: argparse.Namespace) -> int:
    """Print the decision in a position, or the answer to the one question asked about it."""
    if args.why_not and (args.what_if or args.without):
        raise ArgumentError("--why-not with --what-if or --without: ask one question at a time")
    if args.json == args.svg == STANDARD_OUTPUT:
        raise ArgumentError("--json and --svg to standard output: give one of them a file")
    position = position_at(args.file, args.colour, args.left)
    book = _book(args.patterns)
    overrides = None if args.no_overrides else overrides_beside(args.patterns, position.ruleset)
    decision = decide(position, book, True, overrides)
    status, text, values = FINE, "", decision_json(decision)
    if args.why_not:
        text, values["why_not"] = _why_not(decision, args)
    elif args.what_if or args.without:
        found = _what_if(decision, book, overrides, args)
        text, values["what_if"] = what_if_text(found, args.most), what_if_json(found)
        status = MOVED if found.moved else FINE
    if args.svg:
        with trying_to(f"write {args.svg}"):
            _write_svg(args.svg, decision)
    if args.json:
        with trying_to(f"write {args.json}"):
            write_json(args.json, values)
    if STANDARD_OUTPUT not in (args.json, args.svg):
        print(text or decision_text(decision))
    return status


def _why_not(decision: Decision, args: argparse.Namespace) -> tuple[str, dict]:
    move = move_at(args.why_not, decision.position.ruleset.size, "--why-not")
    found = why_not(decision, move, as_written(args.patterns))
    return why_not_text(found, args.most), why_not_json(found, args.most)


def _book(path: str) -> Book:
    """Return the book of a file; where it is a patterns.txt that is out of date, say so on standard error."""
    book = read_knowledge(path).book
    tell_if_stale(path)
    return book


def _what_if(decision: Decision, book: Book, overrides: Overrides | None, args: argparse.Namespace) -> WhatIf:
    said = []
    if args.what_if:
        book = read_knowledge(args.what_if).book
        said.append(f"with {os.path.basename(args.what_if)}")
    if args.without:
        book = without(book, dict.fromkeys(args.without))
        said.append("without " + " and ".join(dict.fromkeys(args.without)))
    words = ", ".join(said)
    return WhatIf(words[0].upper() + words[1:], decision, decide(decision.position, book, True, overrides))


def _write_svg(path: str, decision: Decision) -> None:
    from tools.draw.svg import draw_decision  # just for who asks for a picture

    put_text(path, draw_decision(decision) + "\n")


def run_new(args: argparse.Namespace) -> int:
    """Print the entry; what one should know of it goes to standard error."""
    position = position_at(args.file, args.colour, args.left)
    if position.ruleset is not LITTLE_GO:
        raise ArgumentError(f"{args.file}: the board's size is {position.ruleset.size}; expected {LITTLE_GO.size}")
    book = _book(args.patterns)
    move = _move_for(position, args.move, book, overrides_beside(args.patterns, position.ruleset))
    drawing = boxed(position, move, _region(args.region, move)) if args.region else smallest(position, move)
    name = _name(args.id, {pattern.id for pattern in book.patterns})
    try:
        print(entry_text(name, args.kind, drawing, position, move))
    except NoCounterexample:
        raise ArgumentError(f"--region {args.region}: that would fire nearly everywhere; draw a larger box") from None
    more = others(drawing, position, move)
    reach = f"{plural(more, 'other move')} too" if more else f"{move_text(move, LITTLE_GO.size)} alone"
    print(f"littlego: {name} fires here for {reach}; edit it, paste it under `patterns:`", file=sys.stderr)
    return FINE


def _move_for(position: Position, asked: str | None, book: Book, overrides: Overrides | None) -> int:
    """Return the point asked for, or the player's own move; raise ArgumentError where no drawing can play it."""
    played = decide(position, book, overrides=overrides).move if asked is None else None
    move = move_at(asked, LITTLE_GO.size, "--move") if played is None else played
    if move == PASS:
        who = "the player passes here" if asked is None else "--move pass"
        raise ArgumentError(f"{who}: a pass has no diagram; give --move ROW,COLUMN, or write `move: pass` by hand")
    illegal = why_illegal(position, move)
    if illegal:
        raise ArgumentError(f"--move {asked}: {illegal}; expected a legal move")
    return move


def _region(text: str, move: int) -> Region:
    size = LITTLE_GO.size
    corners = [point_at(corner, size) for corner in text.split(":")]
    if len(corners) != 2 or None in corners:
        raise ArgumentError(
            f"--region {text}: expected two corners, as 1,1:3,3, each from 0,0 to {size - 1},{size - 1}"
        )
    rows, columns = zip(*(divmod(corner, size) for corner in corners), strict=True)
    region = Region(min(rows), min(columns), max(rows), max(columns))
    if not region.has(*divmod(move, size)):
        raise ArgumentError(f"--region {text}: the move {move_text(move, size)} is not in it")
    return region


def _name(asked: str | None, taken: set[str]) -> str:
    """Return the id asked for, or one that is free; raise ArgumentError for one that no pattern may have."""
    if asked is None:
        numbered = (f"new-pattern-{number}" for number in count(2))
        return next(name for name in chain(["new-pattern"], numbered) if name not in taken)
    if not _ID.fullmatch(asked):
        raise ArgumentError(f"--id {asked}: expected small letters and digits, words joined by `-`")
    if asked in taken:
        raise ArgumentError(f"--id {asked}: there is a pattern of that name; expected an id of its own")
    return asked
