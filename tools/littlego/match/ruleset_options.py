"""Command-line options of the rules, such as `--ruleset`, `--size`, `--komi` and `--plies`."""

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
WITH_MATCH = "With --ruleset match: "  # prefix of the help of an option that only a match allows


def ruleset_options(function: Function) -> Function:
    """Add the ruleset's options to a command function that has the parameter `ruleset`.

    The options are `--ruleset`, `--size`, `--komi` and `--no-pass-stones`.
    """

    @click.option(
        "--ruleset",
        "game",
        type=click.Choice([LITTLE_GO.name, MATCH]),
        default=LITTLE_GO.name,
        show_default=True,
        help="Ruleset: little-go as in the course, or match with area scoring, prisoners and superko.",
    )
    @_board_options(
        f"Board size.  [default: {LITTLE_GO_SIZES.usual}; with --ruleset match: {MATCH_SIZES.usual}]", WITH_MATCH
    )
    @wraps(function)
    def with_ruleset(
        *args: Any, game: str, size: int | None, komi: float | None, no_pass_stones: bool, **options: Any
    ) -> Any:
        return function(*args, ruleset=_ruleset_with(game, size, komi, not no_pass_stones), **options)

    return cast(Function, with_ruleset)


def match_options(function: Function) -> Function:
    """Add `--size`, `--komi` and `--no-pass-stones` to a command that has the parameter `ruleset`.

    The command then always uses the ruleset `match` with these options.
    """

    @_board_options(f"Board size.  [default: {MATCH_SIZES.usual}]", sizes=MATCH_SIZES)
    @wraps(function)
    def with_ruleset(*args: Any, size: int | None, komi: float | None, no_pass_stones: bool, **options: Any) -> Any:
        return function(*args, ruleset=_ruleset_with(MATCH, size, komi, not no_pass_stones), **options)

    return cast(Function, with_ruleset)


def _ruleset_with(game: str, size: int | None, komi: float | None, pass_stones: bool) -> Ruleset:
    """Return the ruleset of a game with these options; raise ArgumentError if the game rejects an option."""
    try:
        return game_named(game).with_options(size, komi, pass_stones)
    except ValueError as error:
        raise ArgumentError(str(error)) from None


def _board_options(size_help: str, prefix: str = "", sizes: Sizes = LITTLE_GO_SIZES) -> Callable[[Function], Function]:
    """Return a decorator that adds `--size`, `--komi` and `--no-pass-stones` to a command.

    prefix: the beginning of the help texts of `--komi` and `--no-pass-stones`.
    """
    free_pass = f"{prefix}a pass costs no stone."
    options = (
        click.option("--size", type=click.IntRange(sizes.smallest, sizes.largest), metavar="N", help=size_help),
        click.option("--komi", type=float, metavar="K", help=f"{prefix}White's komi.  [default: 6.5]"),
        click.option("--no-pass-stones", is_flag=True, help=free_pass[0].upper() + free_pass[1:]),
    )

    def give(function: Function) -> Function:
        for option in reversed(options):
            function = option(function)
        return function

    return give


def plies_option_with(start: str = f"{WITH_MATCH}stop", default: str = str(PLIES)) -> Callable[[Function], Function]:
    """Return a decorator that adds `--plies`. start: the help's first words. default: the default in the help text."""
    return click.option(
        "--plies",
        type=click.IntRange(1, MOST_PLIES),
        metavar="N",
        help=f"{start} and score a game after N moves.  [default: {default}]",
    )


# `--plies N`: number of moves after which a game without a move limit is stopped and scored; None for the default.
plies_option = plies_option_with()


def plies_for(ruleset: Ruleset, asked: int | None) -> int | None:
    """Return the number of moves after which a match is stopped and scored, or None for Little-Go.

    asked: the value of --plies. Raise ArgumentError if --plies is given for Little-Go, which has its own move limit.
    """
    if not ruleset.length:
        return asked or PLIES
    if asked is not None:
        raise ArgumentError(
            f"--plies requires --ruleset {MATCH}; a game of {ruleset.name} ends after {ruleset.length} moves"
        )
    return None


# `--ruleset NAME` of a command that reads games: the ruleset of a game whose file states no ruleset. Without the option
# (None), the board size determines the ruleset.
read_ruleset_option = click.option(
    "--ruleset",
    type=click.Choice([LITTLE_GO.name, MATCH]),
    help="Ruleset of a game or position whose file names no ruleset (docs/records.md).  [default: by board size for a "
    "game, little-go for a drawn board]",
)


def minutes_option_with(default: str) -> Callable[[Function], Function]:
    """Return a decorator that adds `--minutes`. default: the default in the help text."""
    return click.option(
        "--minutes",
        type=PositiveNumber(LONGEST),
        metavar="M",
        help=f"Minutes that each player has for the whole game.  [default: {default}]",
    )


# `--minutes M`: an absolute clock for each player; None for no clock.
minutes_option = minutes_option_with("no clock")
