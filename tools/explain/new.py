"""The command `new`: an entry of patterns.yaml made from a position, with placeholders to edit and two examples."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from itertools import chain, count
from textwrap import indent

import click

from rules.engine import decide
from rules.geometry import Point, around, points_of
from rules.overrides import Overrides
from rules.patternfile import Book
from rules.position import PASS, Position, chains
from rules.ruleset import LITTLE_GO
from tools.arguments import FINE, ArgumentError
from tools.commandline import colour_option, command, patterns_option
from tools.draw.boards import EMPTY, board_rows, move_text
from tools.effects.books import read_book
from tools.explain.cli import POSITIONS
from tools.explain.scaffold import Drawing, Region, count_others, draw_region, matches, smallest_drawing
from tools.knowledge.model import CLASSES, MATCHES, NO_MATCH, SUMMARY_TO_WRITE, Example, by_colour, most_left
from tools.knowledge.problems import plural
from tools.match.inputs import move_at, point_at, position_at
from tools.match.referee import why_illegal
from tools.opponents.ours import overrides_beside

HELP = f"""Print a new pattern made from a position, ready to edit and paste into patterns.yaml.

It fires for one move of the position: it has the smallest diagram that singles the move out there, with an example
that matches and one that does not.

{POSITIONS}"""
_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_CHANGES = {"X": ".O", "O": ".X", ".": "OX"}  # what a cell becomes in an example that must not match, likeliest first
_INDENT = " " * 8  # of an example


@command(
    "new",
    help=HELP,
    example="littlego new board.txt --move 2,2\nlittlego new game.sgf:7 --move 2,3 --id stand-between --class cut",
    renamed={"--file": "--patterns"},
)
@click.argument("file", metavar="FILE", required=False)
@click.option("--from", "former_file", hidden=True)  # the name that FILE had
@click.option("--move", metavar="ROW,COLUMN", help="The move.  [default: what the player plays]")
@click.option("--region", metavar="R,C:R,C", help="Draw just this box, two corners.  [default: the smallest]")
@click.option("--id", "name", metavar="ID", help="Its name, small words joined by -.  [default: new-pattern]")
@click.option(
    "--class",
    "kind",
    type=click.Choice(list(CLASSES)),
    default="shape",
    show_default=True,
    metavar="CLASS",
    help="capture, escape, eye ...",
)
@colour_option(help="Who moves on a drawn board.  [default: black]")
@click.option("--left", type=int, metavar="N", help="Moves left with this one.  [default: the most possible]")
@patterns_option()
def new(
    file: str | None,
    former_file: str | None,
    move: str | None,
    region: str | None,
    name: str | None,
    kind: str,
    colour: str | None,
    left: int | None,
    patterns: str,
) -> int:
    """Print the entry; what one should know of it goes to standard error."""
    position = _read_position(file, former_file, colour, left)
    book = read_book(patterns)
    point = _choose_move(position, move, book, overrides_beside(patterns, position.ruleset))
    drawing = draw_region(position, point, _read_region(region, point)) if region else smallest_drawing(position, point)
    name = _choose_name(name, {pattern.id for pattern in book.patterns})
    try:
        print(entry_text(name, kind, drawing, position, point))
    except CounterexampleError:
        raise ArgumentError(f"--region {region}: that would fire nearly everywhere; draw a larger box") from None
    more = count_others(drawing, position, point)
    reach = f"{plural(more, 'other move')} too" if more else f"{move_text(point, LITTLE_GO.size)} alone"
    print(f"littlego: {name} fires here for {reach}; edit it, paste it under `patterns:`", file=sys.stderr)
    return FINE


def _read_position(file: str | None, former: str | None, colour: str | None, left: int | None) -> Position:
    if former:
        print("littlego: --from FILE is FILE alone now; the old name works for one release", file=sys.stderr)
    where = file or former
    if where is None or file and former:
        raise click.UsageError("expected one FILE: a board, input.txt, game.sgf, game.sgf:MOVE or -")
    position = position_at(where, colour, left)
    if position.ruleset is not LITTLE_GO:
        raise ArgumentError(f"{where}: the board's size is {position.ruleset.size}; expected {LITTLE_GO.size}")
    return position


def _choose_move(position: Position, asked: str | None, book: Book, overrides: Overrides | None) -> int:
    """Return the point asked for, or the player's own move; raise ArgumentError where no drawing can play it."""
    asked_for = None if asked is None else move_at(asked, LITTLE_GO.size, "--move")
    move = decide(position, book, overrides=overrides).move if asked_for is None else asked_for
    if move == PASS:
        who = "the player passes here" if asked is None else "--move pass"
        raise ArgumentError(f"{who}: a pass has no diagram; give --move ROW,COLUMN, or write `move: pass` by hand")
    illegal = why_illegal(position, move)
    if illegal:
        raise ArgumentError(f"--move {asked}: {illegal}; expected a legal move")
    return move


def _read_region(text: str, move: Point) -> Region:
    size = LITTLE_GO.size
    corners = [point for point in (point_at(corner, size) for corner in text.split(":")) if point is not None]
    if len(corners) != 2 or text.count(":") != 1:
        raise ArgumentError(
            f"--region {text}: expected two corners, as 1,1:3,3, each from 0,0 to {size - 1},{size - 1}"
        )
    rows, columns = zip(*(divmod(corner, size) for corner in corners), strict=True)
    region = Region(min(rows), min(columns), max(rows), max(columns))
    if not region.has(*divmod(move, size)):
        raise ArgumentError(f"--region {text}: the move {move_text(move, size)} is not in it")
    return region


def _choose_name(asked: str | None, taken: set[str]) -> str:
    """Return the id asked for, or one that is free; raise ArgumentError for one that no pattern may have."""
    if asked is None:
        numbered = (f"new-pattern-{number}" for number in count(2))
        return next(name for name in chain(["new-pattern"], numbered) if name not in taken)
    if not _ID.fullmatch(asked):
        raise ArgumentError(f"--id {asked}: expected small letters and digits, words joined by `-`")
    if asked in taken:
        raise ArgumentError(f"--id {asked}: there is a pattern of that name; expected an id of its own")
    return asked


class CounterexampleError(ValueError):
    """There is no counterexample: a drawing that asks for nothing beside the move fires wherever that is legal."""


def entry_text(name: str, kind: str, drawing: Drawing, position: Position, move: Point) -> str:
    """Return the entry, indented as it stands under `patterns:`; raise CounterexampleError."""
    other = find_counterexample(drawing, position, move)
    lines = [
        f"  - id: {name}",
        f"    class: {kind}",
        f'    summary: "{SUMMARY_TO_WRITE}"',
        "    priority: 500",
        "    points: 10",
        "    diagram: |",
        *(f"      {' '.join(row)}" for row in drawing.rows()),
        "    examples:",
        "      matches:",
        _format_example(MATCHES, position, move),
        "      no_match:",
        _format_example(NO_MATCH, *other),
    ]
    return "\n".join(lines)


def _format_example(kind: str, position: Position, move: Point) -> str:
    stones = position.own, position.theirs
    example = Example(kind, 0, 0, position.ruleset, stones, None, move, position.left, position.colour)
    return indent(example.text(), _INDENT)


def find_counterexample(drawing: Drawing, position: Position, move: Point) -> tuple[Position, int]:
    """Return a position and a legal move there for which the drawing does not fire, as like the given one as can be.

    One cell of the drawing is changed, near the move if that will do; else it is the same board with another move;
    else several cells are changed. Raise CounterexampleError where nothing will do.
    """
    cells = _changeable_points(drawing, move)
    for change in _plainest_changes(cells, position):
        changed = _with_symbol(position, *change)
        if _can_arise(changed, move) and not _ways_to_fit(drawing, changed, move):
            return changed, move
    for point in points_of(position.legal()):
        if not _ways_to_fit(drawing, position, point):
            return position, point
    while ways := _ways_to_fit(drawing, position, move):
        asked = sorted({point for mask in ways for point in points_of(mask)} - {move})
        changes = (_with_symbol(position, *change) for change in _plainest_changes(asked, position))
        fewer = [one for one in changes if _can_arise(one, move) and len(_ways_to_fit(drawing, one, move)) < len(ways)]
        if not fewer:
            raise CounterexampleError
        position = min(fewer, key=lambda one: len(_ways_to_fit(drawing, one, move)))
    return position, move


def _ways_to_fit(drawing: Drawing, position: Position, move: Point) -> list[int]:
    """Return the points asked about, as a mask, of each way in which the drawing fires for a move."""
    fitting = matches(drawing.rows(), position.own, position.theirs, drawing.size)
    return [asked for place, asked in fitting if place == move]


def _plainest_changes(points: Iterable[int], position: Position) -> list[tuple[int, str]]:
    """Return (point, new symbol) of each change of one of the points, a stone gone first: that is the plainest."""
    cells = "".join(board_rows(position.ruleset.size, position.own, position.theirs))
    changes = [(point, symbol) for point in points for symbol in _CHANGES[cells[point]]]
    return sorted(changes, key=lambda change: change[1] != EMPTY)


def _changeable_points(drawing: Drawing, move: Point) -> list[int]:
    """Return the points that the drawing asks about, the nearest to the move first."""
    asked = [point for point in drawing.points() if point != move and point not in drawing.hidden]
    return sorted(asked, key=lambda point: (drawing.distance(point, move), point))


def _with_symbol(position: Position, point: Point, symbol: str) -> Position:
    """Return the position with another symbol on a point, and as many moves left as that allows at most."""
    bit = 1 << point
    own = position.own & ~bit | (bit if symbol == "X" else 0)
    theirs = position.theirs & ~bit | (bit if symbol == "O" else 0)
    left = min(position.left, most_left(position.ruleset, (own, theirs), position.colour))
    stones = by_colour((own, theirs), position.colour)
    return Position(position.ruleset, *stones, position.colour, 0, False, left, (), position.grid)


def _can_arise(position: Position, move: Point) -> bool:
    """Return whether every chain has a liberty, a move is left, and this one is legal."""
    empty = position.grid[1] & ~(position.black | position.white)
    stones = chains(position.black, position.grid) + chains(position.white, position.grid)
    sound = position.left >= 1 and all(around(chain, position.grid) & empty for chain in stones)
    return sound and bool(position.legal() >> move & 1)
