"""The command `new`, which creates a patterns.yaml entry from a position and a move.

The author adds the summary.
"""

from __future__ import annotations

import re
import sys
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING

import click

from littlego.cli.arguments import FINE, ArgumentError, default_patterns
from littlego.cli.commandline import colour_option, command, encoding_option, patterns_option
from littlego.editor.authoring.entries import POINTS, CounterexampleError, Draft, entry_text
from littlego.editor.authoring.scaffold import Drawing, Region, count_others, draw_region, smallest_drawing
from littlego.engines.books import overrides_beside
from littlego.engines.choosing import engine_for
from littlego.files import short_name
from littlego.games.boards import move_text
from littlego.games.game import game_named, why_illegal
from littlego.games.little_go import game_of
from littlego.judging.explain.cli import POSITIONS
from littlego.knowledge.files import read_book, read_knowledge
from littlego.knowledge.keys import RULESETS
from littlego.knowledge.model import CLASSES
from littlego.knowledge.problems import plural
from littlego.knowledge.tables import Phases
from littlego.match.ruleset_options import read_ruleset_option
from littlego.paths import LABELS
from littlego.records.inputs import move_at, point_at, position_at
from littlego.rules.geometry import Point
from littlego.rules.overrides import Overrides
from littlego.rules.patternfile import Book
from littlego.rules.position import PASS, Position
from littlego.rules.ruleset import Ruleset

if TYPE_CHECKING:
    from littlego.editor.authoring.suggest import Suggestion

HELP = f"""Create a pattern from a position and a move, and print it or, with --write, add it to patterns.yaml.

The pattern has an example that matches and an example that does not match. The diagram is the smallest box with which
the pattern fires for this move and for no other move in the position. If no box excludes all other moves, the diagram
is the largest box, up to 4 lines from the move. The command fits the pattern's points to positions whose winning moves
are known. If the positions show that the points should differ by colour or phase, the command writes a table of points.
The command also prints a confidence interval for the points, and facts that distinguish winning moves from other moves
for which the pattern fires. For the match ruleset, no winning moves are known, so a pattern gets {POINTS} points, which
`littlego dev fit` can later fit to games.

{POSITIONS}"""
_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


@command(
    "new",
    help=HELP,
    example="littlego new board.txt --move 2,2\nlittlego new game.sgf:7 --move 2,3 --id stand-between --class cut",
)
@click.argument("file", metavar="FILE")
@click.option(
    "--move",
    metavar="ROW,COLUMN",
    help="Move for which the pattern fires.  [default: the move that the player chooses]",
)
@click.option(
    "--region",
    metavar="R,C:R,C",
    help="Use the box with these two corners as the diagram.  [default: the smallest box with which the pattern "
    "fires for no other move; without such a box, the largest box]",
)
@click.option(
    "--id", "name", metavar="ID", help="Id of the pattern, lower-case words joined by -.  [default: new-pattern]"
)
@click.option(
    "--class",
    "kind",
    type=click.Choice(list(CLASSES)),
    default="shape",
    show_default=True,
    metavar="CLASS",
    help="Class of the pattern, such as capture, escape or eye.",
)
@colour_option(help="Colour to move on a drawn board.  [default: black]")
@click.option(
    "--left",
    type=int,
    metavar="N",
    help="Moves left, including the next move.  [default: as in the game; for a drawn board or an input.txt, the "
    "maximum]",
)
@click.option("--previous", metavar="FILE", help="Drawn board before the last move, to detect a pass or a ko.")
@read_ruleset_option
@encoding_option
@patterns_option(by_position=True)
@click.option(
    "--write", is_flag=True, help="Add the pattern to the patterns file, after the other patterns of its class."
)
@click.option(
    "--labels",
    type=click.Path(path_type=Path),
    default=LABELS,
    metavar="FILE",
    help="Fit the points to the labels in FILE: positions with their winning moves.  [default: "
    "tools/littlego/truth/labels/labels.npz]",
)
@click.option("--no-fit", is_flag=True, help=f"Save time: use {POINTS} points instead of fitting the points.")
def new(
    file: str,
    move: str | None,
    region: str | None,
    name: str | None,
    kind: str,
    colour: str | None,
    left: int | None,
    previous: str | None,
    ruleset: str | None,
    encoding: str | None,
    patterns: str | None,
    write: bool,
    labels: Path,
    no_fit: bool,
) -> int:
    """Print the entry, or add the entry to the file and print `FILE:LINE: ID`. Print notes to standard error."""
    position = _read_position(file, colour, left, previous, ruleset, encoding)
    patterns = patterns or str(default_patterns(ruleset=position.ruleset.name))
    if write:
        _check_rewritable(Path(patterns))
    book = _read_book(patterns, position.ruleset)
    point = _choose_move(position, move, book, overrides_beside(patterns, position.ruleset))
    drawing = _draw(position, point, region)
    draft = Draft(choose_name(name, {pattern.id for pattern in book.patterns}), kind, drawing, position, point)
    try:
        entry = entry_text(draft)
    except CounterexampleError:
        box = f"--region {region}" if region else "the smallest box"
        raise ArgumentError(f"{box}: the pattern would fire nearly everywhere; choose a larger --region") from None
    notes = [f"littlego: {_describe_reach(draft, write)}"]
    if not (no_fit or game_of(position.ruleset).unsolved):  # only solved positions have labels
        found = _suggest(draft, book, labels, read_knowledge(patterns).phases)
        entry = entry_text(draft, found.fits.advised)
        notes += found.lines(draft.letters)
    print(_write(Path(patterns), draft, entry) if write else entry, flush=True)
    print(*notes, sep="\n", file=sys.stderr)
    return FINE


def _suggest(draft: Draft, book: Book, labels: Path, phases: Phases) -> Suggestion:
    from littlego.engines import compiled  # lazy: loads numba, which only the fit needs

    if not compiled.is_kept("littlego.engines.compiled.engine"):
        print(
            "littlego: compiling the engine once, which takes about half a minute; use --no-fit to skip this step",
            file=sys.stderr,
        )
    from littlego.editor.authoring.suggest import suggest
    from littlego.knowledge.compiler import compile_text

    text = "ruleset: little-go\npatterns:\n" + entry_text(draft, labelled=True) + "\n"
    _, _, base = compile_text(text, draft.name, with_examples=False)
    return suggest(base.patterns[0], draft.position, draft.move, book, labels, phases)


def _check_rewritable(path: Path) -> None:
    from littlego.knowledge.splice import check_rewritable  # only needed for writing

    check_rewritable(path)


def _write(path: Path, draft: Draft, entry: str) -> str:
    """Add the entry to a patterns file; return `FILE:LINE: ID`."""
    from littlego.knowledge.splice import add_pattern, rewrite

    base = rewrite(path, lambda text, name: add_pattern(text, name, entry, draft.kind))
    line = next(pattern.line for pattern in base.patterns if pattern.id == draft.name)
    return f"{short_name(path)}:{line}: {draft.name}"


def _describe_reach(draft: Draft, written: bool) -> str:
    more = count_others(draft.drawing, draft.position, draft.move)
    reach = (
        f"{plural(more, 'other move')} too" if more else f"{move_text(draft.move, draft.position.ruleset.size)} alone"
    )
    then = (
        f"edit the entry, then run `littlego test {draft.name}`"
        if written
        else "edit the entry, and paste it under `patterns:`"
    )
    return f"{draft.name} fires here for {reach}; {then}"


def _read_position(
    where: str, colour: str | None, left: int | None, previous: str | None, ruleset: str | None, encoding: str | None
) -> Position:
    """Return the position that `where` names (see position_at).

    Raise ArgumentError for a board size that patterns do not support.
    """
    position = position_at(where, colour, left, previous, ruleset, encoding)
    game, size = game_of(position.ruleset), position.ruleset.size
    if not game.pattern_sizes.allow(size):
        others = [name for name in RULESETS if game_named(name).pattern_sizes.allow(size)]
        hint = "".join(f" (for {name} patterns, add --ruleset {name})" for name in others)
        raise ArgumentError(f"{where}: the board's size is {size}; expected {game.pattern_sizes.text}{hint}")
    return position


def _read_book(patterns: str, ruleset: Ruleset) -> Book:
    """Return the compiled patterns of a file (a Book).

    Raise ArgumentError for patterns of another ruleset.
    """
    book = read_book(patterns)
    wanted = game_of(ruleset).name
    if book.ruleset_name != wanted:
        hint = f"expected a file with `ruleset: {wanted}`"
        raise ArgumentError(
            f"{short_name(patterns)} is for {book.ruleset_name}, but the position is for {ruleset.name}; {hint}"
        )
    return book


def _choose_move(position: Position, asked: str | None, book: Book, overrides: Overrides | None) -> int:
    """Return the move that `asked` names or, if `asked` is None, the player's move.

    Raise ArgumentError for a pass or an illegal move.
    """
    asked_for = None if asked is None else move_at(asked, position.ruleset.size, "--move")
    move = asked_for
    if move is None:
        move = engine_for(position.ruleset).decide(position, book, overrides=overrides).move
    if move == PASS:
        who = "the player passes here" if asked is None else "--move pass"
        raise ArgumentError(f"{who}: a pass has no diagram; give --move ROW,COLUMN, or write `move: pass` by hand")
    illegal = why_illegal(position, move)
    if illegal:
        raise ArgumentError(f"--move {asked}: {illegal}; expected a legal move")
    return move


def _draw(position: Position, move: Point, region: str | None) -> Drawing:
    if region is None:
        return smallest_drawing(position, move)
    return draw_region(position, move, _read_region(region, move, position.ruleset.size))


def _read_region(text: str, move: Point, size: int) -> Region:
    corners = [point for point in (point_at(corner, size) for corner in text.split(":")) if point is not None]
    if len(corners) != 2 or text.count(":") != 1:
        raise ArgumentError(
            f"--region {text}: expected two corners, such as 1,1:3,3, each from 0,0 to {size - 1},{size - 1}"
        )
    rows, columns = zip(*(divmod(corner, size) for corner in corners), strict=True)
    region = Region(min(rows), min(columns), max(rows), max(columns))
    if not region.has(*divmod(move, size)):
        raise ArgumentError(f"--region {text}: the move {move_text(move, size)} is outside the box")
    return region


def choose_name(asked: str | None, taken: set[str]) -> str:
    """Return `asked`, or an unused id if `asked` is None; raise ArgumentError for an invalid or used id."""
    if asked is None:
        numbered = (f"new-pattern-{number}" for number in count(2))
        return next(name for name in chain(["new-pattern"], numbered) if name not in taken)
    if not _ID.fullmatch(asked):
        raise ArgumentError(f"--id {asked}: expected words of lower-case letters and digits, joined by `-`")
    if asked in taken:
        raise ArgumentError(f"--id {asked}: another pattern has this id; expected an unused id")
    return asked
