"""The command `new`: an entry of patterns.yaml made from a position, with placeholders to edit and two examples."""

from __future__ import annotations

import re
import sys
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rules.geometry import Point
from rules.overrides import Overrides
from rules.patternfile import Book
from rules.position import PASS, Position
from rules.ruleset import LITTLE_GO, Ruleset
from tools.arguments import FINE, KNOWLEDGE, ArgumentError
from tools.authoring.entries import POINTS, CounterexampleError, Draft, entry_text
from tools.authoring.scaffold import Drawing, Region, count_others, draw_region, smallest_drawing
from tools.commandline import colour_option, command
from tools.data import LABELS, game_of
from tools.draw.boards import move_text
from tools.engines.books import overrides_beside
from tools.engines.choosing import engine_for
from tools.explain.cli import DEFAULTS, POSITIONS, patterns_for
from tools.files import short_name
from tools.games.game import why_illegal
from tools.games.match import MatchRuleset
from tools.knowledge.files import read_book
from tools.knowledge.model import CLASSES
from tools.knowledge.problems import plural
from tools.large.vocabulary import SMALLEST
from tools.match.inputs import move_at, point_at, position_at
from tools.match.ruleset_options import read_ruleset_option

if TYPE_CHECKING:
    from tools.authoring.suggest import Suggestion

HELP = f"""Print a new pattern made from a position, ready to edit and paste into patterns.yaml, or write it there.

It fires for one move of the position: it has the smallest diagram that singles the move out there, with an example
that matches and one that does not. Its points are fitted to labelled positions in which it fires; how sure they are,
and which facts tell its winning moves from the others, is told beside it. Of the match nothing is labelled: there its
points are {POINTS}, until `littlego fit` fits them to games.

{POSITIONS}"""
_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


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
@click.option("--previous", metavar="FILE", help="The drawn board before the last move: for a ko or a pass.")
@read_ruleset_option
@click.option("-f", "--patterns", metavar="FILE", help=f"Where the patterns are: {KNOWLEDGE}.  [default: {DEFAULTS}]")
@click.option("--write", is_flag=True, help="Put it into the file, after the others of its class.")
@click.option(
    "--labels", type=click.Path(path_type=Path), default=LABELS, metavar="FILE", help="Other labels to fit points to."
)
@click.option("--no-fit", is_flag=True, help=f"Fit nothing: faster, and the points are {POINTS}.")
def new(
    file: str | None,
    former_file: str | None,
    move: str | None,
    region: str | None,
    name: str | None,
    kind: str,
    colour: str | None,
    left: int | None,
    previous: str | None,
    ruleset: str | None,
    patterns: str | None,
    write: bool,
    labels: Path,
    no_fit: bool,
) -> int:
    """Print the entry, or write it; what one should know of it goes to standard error."""
    position = _read_position(_named_file(file, former_file), colour, left, previous, ruleset)
    patterns = patterns or patterns_for(position.ruleset)
    if write:
        _check_rewritable(Path(patterns))
    book = _read_book(patterns, position.ruleset)
    point = _choose_move(position, move, book, overrides_beside(patterns, position.ruleset))
    drawing = _draw(position, point, region)
    draft = Draft(choose_name(name, {pattern.id for pattern in book.patterns}), kind, drawing, position, point)
    try:
        entry = entry_text(draft)
    except CounterexampleError:
        raise ArgumentError(f"--region {region}: that would fire nearly everywhere; draw a larger box") from None
    notes = [f"littlego: {_describe_reach(draft, write)}"]
    if not no_fit and position.ruleset is LITTLE_GO:
        found = _suggest(draft, book, labels)
        entry = entry_text(draft, found.fit.advised)
        notes += found.lines(draft.letters)
    print(_write(Path(patterns), draft, entry) if write else entry, flush=True)
    print(*notes, sep="\n", file=sys.stderr)
    return FINE


def _suggest(draft: Draft, book: Book, labels: Path) -> Suggestion:
    from tools import compiled  # numba, which no other part of this needs

    if not compiled.is_kept("tools.compiled.engine"):
        print("littlego: compiling the engine, once, in half a minute; --no-fit goes without", file=sys.stderr)
    from tools.authoring.suggest import suggest
    from tools.knowledge.compiler import compile_text

    text = "ruleset: little-go\npatterns:\n" + entry_text(draft, labelled=True) + "\n"
    _, _, base = compile_text(text, draft.name, with_examples=False)
    return suggest(base.patterns[0], draft.position, draft.move, book, labels)


def _check_rewritable(path: Path) -> None:
    from tools.knowledge.splice import check_rewritable  # not for those who only look

    check_rewritable(path)


def _write(path: Path, draft: Draft, entry: str) -> str:
    """Put the entry into a patterns file; return where it is."""
    from tools.knowledge.splice import add_pattern, rewrite

    base = rewrite(path, lambda text, name: add_pattern(text, name, entry, draft.kind))
    line = next(pattern.line for pattern in base.patterns if pattern.id == draft.name)
    return f"{short_name(path)}:{line}: {draft.name}"


def _describe_reach(draft: Draft, written: bool) -> str:
    more = count_others(draft.drawing, draft.position, draft.move)
    reach = (
        f"{plural(more, 'other move')} too" if more else f"{move_text(draft.move, draft.position.ruleset.size)} alone"
    )
    then = f"edit it there, then `littlego test {draft.name}`" if written else "edit it, paste it under `patterns:`"
    return f"{draft.name} fires here for {reach}; {then}"


def _named_file(file: str | None, former: str | None) -> str:
    if former:
        print("littlego: --from FILE is FILE alone now; the old name works for one release", file=sys.stderr)
    where = file or former
    if where is None or file and former:
        raise click.UsageError("expected one FILE: a board, input.txt, game.sgf, game.sgf:MOVE or -")
    return where


def _read_position(
    where: str, colour: str | None, left: int | None, previous: str | None, ruleset: str | None
) -> Position:
    """Return the position; raise ArgumentError where it is of a game that no patterns file is for."""
    position = position_at(where, colour, left, previous, ruleset)
    found = position.ruleset
    if isinstance(found, MatchRuleset) and found.size < SMALLEST:
        raise ArgumentError(f"{where}: a match on a board of {found.size}; patterns for it are for {SMALLEST} to 19")
    if not isinstance(found, MatchRuleset) and found is not LITTLE_GO:
        hint = "" if found.size < SMALLEST else ", or a match: add --ruleset match"
        raise ArgumentError(f"{where}: the board's size is {found.size}; expected {LITTLE_GO.size}{hint}")
    return position


def _read_book(patterns: str, ruleset: Ruleset) -> Book:
    """Return the book of the patterns file; raise ArgumentError where it is for another game."""
    book = read_book(patterns)
    wanted = game_of(ruleset.name)
    if book.ruleset_name != wanted:
        hint = f"expected one with `ruleset: {wanted}`"
        raise ArgumentError(
            f"{short_name(patterns)} is for {book.ruleset_name}, the position is of {ruleset.name}; {hint}"
        )
    return book


def _choose_move(position: Position, asked: str | None, book: Book, overrides: Overrides | None) -> int:
    """Return the point asked for, or the player's own move; raise ArgumentError where no drawing can play it."""
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
            f"--region {text}: expected two corners, as 1,1:3,3, each from 0,0 to {size - 1},{size - 1}"
        )
    rows, columns = zip(*(divmod(corner, size) for corner in corners), strict=True)
    region = Region(min(rows), min(columns), max(rows), max(columns))
    if not region.has(*divmod(move, size)):
        raise ArgumentError(f"--region {text}: the move {move_text(move, size)} is not in it")
    return region


def choose_name(asked: str | None, taken: set[str]) -> str:
    """Return the id asked for, or one that is free; raise ArgumentError for one that no pattern may have."""
    if asked is None:
        numbered = (f"new-pattern-{number}" for number in count(2))
        return next(name for name in chain(["new-pattern"], numbered) if name not in taken)
    if not _ID.fullmatch(asked):
        raise ArgumentError(f"--id {asked}: expected small letters and digits, words joined by `-`")
    if asked in taken:
        raise ArgumentError(f"--id {asked}: there is a pattern of that name; expected an id of its own")
    return asked
