"""The command `annotate`, which adds our player's comments on each move to a game's SGF."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import click

from littlego.cli.arguments import FINE, ArgumentError, check_target, default_patterns, trying_to
from littlego.cli.commandline import command, encoding_option, output_option, patterns_option
from littlego.engines.books import overrides_beside
from littlego.engines.choosing import engine_for
from littlego.files import STANDARD_OUTPUT, put_text, short_name
from littlego.judging.annotation.annotate import Step, annotate
from littlego.judging.annotation.comments import Decide
from littlego.judging.annotation.reading import read_game, shown_name
from littlego.knowledge.files import read_book
from littlego.match.ruleset_options import read_ruleset_option
from littlego.parallel import with_progress
from littlego.printable import printable
from littlego.records.inputs import warn_user
from littlego.records.records import RecordError
from littlego.records.sgf import sgf_text
from littlego.rules.engine import Decision
from littlego.rules.overrides import Overrides
from littlego.rules.patternfile import Book, PatternFileError
from littlego.rules.position import Position
from littlego.rules.ruleset import Ruleset

MOST_EXACT = 14  # maximum number of moves left: a position with more may take minutes
EXACT = 10
ANNOTATED = ".annotated.sgf"  # replaces the file ending of GAME
HELP = f"""Add comments on each move to a game's SGF: the candidates, the reasons, and refutations of bad moves.

GAME is an SGF file, a game as JSON from `littlego play --json`, the move log of a match server, or - for standard
input. By default, game.sgf stays unchanged, and the output file is game.annotated.sgf. Annotating a game again
replaces littlego's own comments and keeps all other comments. For 5x5 Little-Go the command adds exact values
where at most {EXACT} moves are left (`--exact`)."""
EXAMPLE = """
littlego annotate game.sgf
littlego annotate game.sgf --moves 20-40 -o review.sgf
littlego annotate review.sgf --in-place
"""


class MoveRange(click.ParamType[range]):
    """A parameter type for ranges of move numbers: `12`, `12-20`, `12-` or `-20`."""

    name = "A-B"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> range:
        if isinstance(value, range):
            return value
        found = re.fullmatch(r"(\d{0,5})(?:(-)(\d{0,5}))?", str(value))
        if found is None or not (found[1] or found[3]):
            self.fail(f"found {value}; expected moves such as 12, 12-20, 12- or -20", param, ctx)
        first = int(found[1] or 1)
        last = int(found[3]) if found[3] else 99_999 if found[2] else first
        if not 1 <= first <= last:
            self.fail(f"found {value}; expected a range A-B with 1 <= A <= B", param, ctx)
        return range(first, last + 1)


@command("annotate", help=HELP, example=EXAMPLE)
@click.argument("game", metavar="GAME", type=click.Path())
@output_option(
    "Output file, or - for standard output.  [default: GAME with the extension .annotated.sgf; - if GAME is -]"
)
@click.option("--in-place", is_flag=True, help="Replace GAME itself.")
@click.option("--moves", type=MoveRange(), default=range(1, 100_000), help="Annotate only these moves.  [default: all]")
@read_ruleset_option
@encoding_option
@click.option(
    "--exact",
    type=click.IntRange(0, MOST_EXACT),
    default=EXACT,
    show_default=True,
    metavar="N",
    help="Solve positions of 5x5 Little-Go with at most N moves left.",
)
@patterns_option(by_position=True)
def annotate_command(
    game: str,
    output: Path | None,
    in_place: bool,
    moves: range,
    ruleset: str | None,
    encoding: str | None,
    exact: int,
    patterns: str | None,
) -> int:
    """Write a game as SGF with our player's comments."""
    from littlego.judging.annotation.exact import Oracle  # lazy: numba takes a second to load

    target = _target(game, output, in_place)
    root = read_game(game, encoding, only_sgf=in_place)
    root.properties["CA"] = ["UTF-8"]  # set before our notes, so that replacing the notes keeps the order

    def warn(warning: str) -> None:
        warn_user(f"{shown_name(game)}{warning}")

    try:
        done = annotate(root, ruleset, moves, _decide_by(patterns), Oracle(exact), _watch, warn)
    except RecordError as error:
        raise ArgumentError(f"{shown_name(game)}{error}") from None
    except PatternFileError as error:
        raise ArgumentError(str(error)) from None
    if not done:
        raise ArgumentError(f"{shown_name(game)}: no move to annotate: the game is empty, or --moves selects no move")
    with trying_to(f"write {target}"):
        put_text(target, sgf_text(root))
    if target != STANDARD_OUTPUT:
        print(f"{short_name(target)}: {done} moves annotated")
    return FINE


def _decide_by(patterns: str | None) -> Decide:
    """Return a function that returns our player's decision in a position.

    patterns: a patterns file; None for the default file of each position's ruleset.
    """

    @cache
    def book_for(ruleset: Ruleset) -> tuple[Book, Overrides | None]:
        path = patterns or str(default_patterns(ruleset=ruleset.name))
        return read_book(path), overrides_beside(path, ruleset)

    def decide(position: Position) -> Decision:
        book, overrides = book_for(position.ruleset)
        return engine_for(position.ruleset, book, patterns or "patterns").decide(position, book, True, overrides)

    return decide


def _watch(steps: list[Step]) -> Iterator[Step]:
    return with_progress(steps, len(steps), "move")


def _target(game: str, output: Path | None, in_place: bool) -> str:
    """Return the output path, which may be STANDARD_OUTPUT.

    Raise ArgumentError for --in-place with --output or with standard input, for an --output that is GAME itself, and
    for a file that cannot be written. With neither option, also raise ArgumentError if the name of GAME ends with
    ANNOTATED or if the default path exists.
    """
    is_input = game == STANDARD_OUTPUT
    if in_place:
        if output or is_input:
            raise ArgumentError("--in-place replaces GAME: omit --output, and pass a file as GAME")
        target = game
    elif output is not None:
        target = str(output)
        if os.path.exists(target) and os.path.exists(game) and os.path.samefile(target, game):
            raise ArgumentError(f"-o {printable(target)} is GAME itself; use --in-place to replace GAME")
    elif is_input:
        return STANDARD_OUTPUT
    elif game.endswith(ANNOTATED):
        raise ArgumentError(
            f"{shown_name(game)} is already annotated: --in-place replaces our notes; -o FILE keeps GAME unchanged"
        )
    else:
        target = os.path.splitext(game)[0] + ANNOTATED
        if os.path.exists(target):
            raise ArgumentError(
                f"{shown_name(target)} exists: use -o {shown_name(target)} to replace it, or another -o FILE"
            )
    if target != STANDARD_OUTPUT:
        check_target(target)
    return target
