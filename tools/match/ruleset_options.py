"""The options of the commands that play by either ruleset: `--ruleset`, `--size`, `--komi`, `--no-pass-stones`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

import click

from rules.geometry import LARGEST, SMALLEST
from rules.ruleset import LITTLE_GO, Ruleset
from tools.arguments import ArgumentError
from tools.commandline import Function, PositiveNumber
from tools.games.game import little_go_of
from tools.games.match import KOMI2, LARGEST_KOMI, MatchRuleset, komi2_of, match_rules
from tools.games.match import LARGEST as LARGEST_MATCH
from tools.games.match import NAME as MATCH
from tools.games.match import SMALLEST as SMALLEST_MATCH
from tools.match.series import PLIES

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
    @_board_options("Board size.  [default: 5; match: 19]")
    @wraps(function)
    def with_ruleset(
        *args: Any, game: str, size: int | None, komi: float | None, no_pass_stones: bool, **options: Any
    ) -> Any:
        return function(*args, ruleset=ruleset_asked(game, size, komi, not no_pass_stones), **options)

    return cast(Function, with_ruleset)


def match_options(function: Function) -> Function:
    """Give a command that plays matches alone the options but `--ruleset`; it gets them as `ruleset`."""

    @_board_options("Board size.  [default: 19]", SMALLEST_MATCH)
    @wraps(function)
    def with_ruleset(*args: Any, size: int | None, komi: float | None, no_pass_stones: bool, **options: Any) -> Any:
        return function(*args, ruleset=ruleset_asked(MATCH, size, komi, not no_pass_stones), **options)

    return cast(Function, with_ruleset)


def _board_options(size_help: str, smallest: int = SMALLEST) -> Callable[[Function], Function]:
    """Return what gives a command `--size`, `--komi` and `--no-pass-stones`."""
    options = (
        click.option("--size", type=click.IntRange(smallest, LARGEST), metavar="N", help=size_help),
        click.option("--komi", type=float, metavar="K", help="Komi of a match.  [default: 6.5]"),
        click.option("--no-pass-stones", is_flag=True, help="In a match, a pass costs no stone."),
    )

    def give(function: Function) -> Function:
        for option in reversed(options):
            function = option(function)
        return function

    return give


def ruleset_asked(game: str, size: int | None, komi: float | None, pass_stones: bool) -> Ruleset:
    """Return the rules that the options ask for; raise ArgumentError where they do not fit together."""
    if game == MATCH:
        if size is not None and size < SMALLEST_MATCH:
            raise ArgumentError(f"--size {size}: a match is played on boards of {SMALLEST_MATCH} to {LARGEST_MATCH}")
        komi2 = KOMI2 if komi is None else komi2_of(komi)
        if komi2 is None:
            raise ArgumentError(
                f"--komi {komi:g}: expected a whole or a half number, as 6.5, of {LARGEST_KOMI} at most either way"
            )
        return match_rules(size or LARGEST_MATCH, komi2, pass_stones)
    if komi is not None or not pass_stones:
        named = "--komi" if komi is not None else "--no-pass-stones"
        raise ArgumentError(
            f"{named} belongs to --ruleset {MATCH}; {LITTLE_GO.name} has a komi of half the board's size"
        )
    return little_go_of(size or LITTLE_GO.size)


def ruleset_words(ruleset: Ruleset) -> str:
    """Return the options that ask for a ruleset, '' for the course's game on its own board."""
    if not isinstance(ruleset, MatchRuleset):
        return "" if ruleset.size == LITTLE_GO.size else f"--size {ruleset.size}"
    words = [f"--ruleset {MATCH} --size {ruleset.size}"]
    words += [f"--komi {ruleset.komi2 / 2:g}"] * (ruleset.komi2 != KOMI2)
    return " ".join(words + ["--no-pass-stones"] * (not ruleset.pass_stones))


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
