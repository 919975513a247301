"""The options that determine the games of a grading, shared by `grade` and `grade-class`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

import click

from littlego.cli.commandline import NATURAL, Function, PositiveNumber
from littlego.grading.games import GAMES, MOST_GAMES, MOST_REPETITIONS, REPETITIONS, STAGES


def _check_even(ctx: click.Context, param: click.Parameter, value: int) -> int:
    if value % 2:
        raise click.BadParameter(f"expected an even number, found {value}")
    return value


_PROGRAM_OPTIONS = (
    click.option(
        "--python",
        metavar="PATH",
        default="",
        help="Python interpreter that runs the programs; the programs can import the packages of this interpreter.  "
        "[default: the course's version, without packages]",
    ),
    click.option(
        "--with",
        "packages",
        metavar="PACKAGE,...",
        default="",
        help="Packages, such as numpy, that programs in Python may import; the cache keeps the installed packages.",
    ),
)
_PLAN_OPTIONS = (
    click.option(
        "--factor",
        type=PositiveNumber(),
        default=1.0,
        metavar="F",
        help="Multiply CPU seconds by F, to simulate a grader's machine that is F times slower than this machine.",
    ),
    click.option(
        "--repetitions",
        type=click.IntRange(1, MOST_REPETITIONS),
        default=REPETITIONS,
        metavar="N",
        show_default=True,
        help="Run the grading N times; the best result counts.",
    ),
    click.option(
        "--stage",
        type=click.IntRange(min(STAGES), max(STAGES)),
        metavar="1|2",
        help="Run only this stage.  [default: both stages]",
    ),
    click.option(
        "--games",
        type=click.IntRange(2, MOST_GAMES),
        default=GAMES,
        callback=_check_even,
        metavar="N",
        show_default=True,
        help="Games against each role, an even number; the course plays 20.",
    ),
    click.option("--seed", type=NATURAL, default=0, metavar="S", show_default=True, help="Seed of the roles' choices."),
)


def plan_options(function: Function) -> Function:
    """Add `--factor`, `--repetitions`, `--stage`, `--games` and `--seed` to a command; return the command."""
    return _add(_PLAN_OPTIONS, function)


def program_options(function: Function) -> Function:
    """Add `--python` and `--with` to a command, as its parameters `python` and `packages`: see program_at."""
    return _add(_PROGRAM_OPTIONS, function)


def _add(options: Sequence[Callable[[Function], Function]], function: Function) -> Function:
    return reduce(lambda decorated, option: option(decorated), reversed(options), function)
