"""The options of the commands that play by either ruleset: `--ruleset`, `--size`, `--komi`, `--no-pass-stones`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

import click

from littlego.cli.arguments import ArgumentError
from littlego.cli.commandline import Function, PositiveNumber
from littlego.games.game import game_named
from littlego.games.match import NAME as MATCH
from littlego.games.sizes import LITTLE_GO_SIZES, MATCH_SIZES, Sizes
from littlego.match.series import PLIES
from littlego.rules.ruleset import LITTLE_GO, Ruleset

LONGEST = 24 * 60  # minutes
MOST_PLIES = 10_000


def ruleset_options(function: Function) -> Function:
    """Give a command the four options; it gets them as one argument, `ruleset`."""

    @click.option(
        "--ruleset",
        "game",
        type=click.Choice([LITTLE_GO.name, MATCH]),
        default=LITTLE_GO.name,
        show_default=True,
        help="Ruleset: little-go as in the course, or match with area scoring, prisoners and superko.",
    )
    @_board_options(f"Board size.  [default: {LITTLE_GO_SIZES.usual}; match: {MATCH_SIZES.usual}]")
    @wraps(function)
    def with_ruleset(
        *args: Any, game: str, size: int | None, komi: float | None, no_pass_stones: bool, **options: Any
    ) -> Any:
        return function(*args, ruleset=_ruleset_with(game, size, komi, not no_pass_stones), **options)

    return cast(Function, with_ruleset)


def match_options(function: Function) -> Function:
    """Give a command that plays matches alone the options but `--ruleset`; it gets them as `ruleset`."""

    @_board_options(f"Board size.  [default: {MATCH_SIZES.usual}]", MATCH_SIZES)
    @wraps(function)
    def with_ruleset(*args: Any, size: int | None, komi: float | None, no_pass_stones: bool, **options: Any) -> Any:
        return function(*args, ruleset=_ruleset_with(MATCH, size, komi, not no_pass_stones), **options)

    return cast(Function, with_ruleset)


def _ruleset_with(game: str, size: int | None, komi: float | None, pass_stones: bool) -> Ruleset:
    """Return the rules of a game with options; raise ArgumentError where they do not fit together."""
    try:
        return game_named(game).with_options(size, komi, pass_stones)
    except ValueError as error:
        raise ArgumentError(str(error)) from None


def _board_options(size_help: str, sizes: Sizes = LITTLE_GO_SIZES) -> Callable[[Function], Function]:
    """Return what gives a command `--size`, `--komi` and `--no-pass-stones`."""
    options = (
        click.option("--size", type=click.IntRange(sizes.smallest, sizes.largest), metavar="N", help=size_help),
        click.option("--komi", type=float, metavar="K", help="Komi of a match.  [default: 6.5]"),
        click.option("--no-pass-stones", is_flag=True, help="In a match, a pass costs no stone."),
    )

    def give(function: Function) -> Function:
        for option in reversed(options):
            function = option(function)
        return function

    return give


# `--plies N`: after how many moves a game without a limit of its own is scored as it stands; None for the default.
plies_option = click.option(
    "--plies",
    type=click.IntRange(1, MOST_PLIES),
    metavar="N",
    help=f"Score a match after N moves.  [default: {PLIES}]",
)


def plies_for(ruleset: Ruleset, asked: int | None) -> int | None:
    """Return after how many moves a game is scored as it stands; None in the course's game, which has its own end."""
    if not ruleset.length:
        return asked or PLIES
    if asked is not None:
        raise ArgumentError(f"--plies belongs to --ruleset {MATCH}; {ruleset.name} ends after {ruleset.length} moves")
    return None


# `--ruleset NAME` of a command that reads games: the rules of one that names none of ours; None for what fits.
read_ruleset_option = click.option(
    "--ruleset",
    type=click.Choice([LITTLE_GO.name, MATCH]),
    help="Ruleset of an SGF game that names none (docs/records.md).  [default: by board size]",
)


# `--minutes M`: an absolute clock for each player; None without one.
minutes_option = click.option(
    "--minutes",
    type=PositiveNumber(LONGEST),
    metavar="M",
    help="Minutes that each player has for the whole game.",
)
