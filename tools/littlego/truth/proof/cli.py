"""The commands `prove`, `judge`, `verify`, and the maintainers' `dev walk` and `dev uncounted`."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from pathlib import Path
from typing import Any, TypeVar

import click

from littlego.cli.commandline import NATURAL, command, jobs_option, json_option, output_option, patterns_option
from littlego.truth.proof.settings import DRAWN, FOLDER_OF_WALKS, MOST, SAMPLED, SEARCHED_FROM, Settings
from littlego.truth.solver.cli import MemorySize

Function = TypeVar("Function", bound=Callable[..., Any])
FilePath = click.Path(path_type=Path)
EXISTING = click.Path(path_type=Path, exists=True, dir_okay=False)
EPILOG = """Run the command again to resume a stopped walk. The command caches the winner of each position, so that
after an edit of the patterns the next walk solves only new positions. The command also saves the walk (0.5 GB for
Black), from which `judge` can start.

Exit status: 0 if the walk is complete and has no failures; 1 if it has failures or is incomplete; 2 if the command
could not run."""
JUDGE_EPILOG = """`judge` needs a complete walk that `prove` saved with the same engine. `judge` takes minutes and saves
no walk.

Exit status: 0 if the edit gives away no additional wins; 1 if the edit gives away additional wins; 2 if the command
could not run."""
VERIFY_EPILOG = """Exit status: 0 if the certificate is valid and proves its claim; 1 otherwise; 2 if the command could
not run."""


def _together(*options: Callable[[Function], Function]) -> Callable[[Function], Function]:
    return lambda function: reduce(lambda decorated, option: option(decorated), reversed(options), function)


colour_argument = click.argument("colour", metavar="black|white", type=click.Choice(["black", "white"]))
player_options = _together(
    patterns_option(),
    click.option(
        "--overrides",
        type=FilePath,
        metavar="FILE",
        help="File of overrides: moves that the player makes instead of the patterns' choice.  [default: "
        "any overrides.txt beside the patterns]",
    ),
    click.option("--no-overrides", is_flag=True, help="Use no overrides."),
)
folder_option = click.option(
    "--folder",
    type=FilePath,
    default=FOLDER_OF_WALKS,
    metavar="FOLDER",
    help="Folder for walks and the cached winners of positions.  [default: .cache/proof]",
)
machine_options = _together(
    click.option(
        "--memory", "bits", type=MemorySize(), default="0.5", show_default=True, help="GiB for the solver's table."
    ),
    folder_option,
    jobs_option,
    json_option,
)
overrides_out_option = click.option(
    "--overrides-out",
    type=FilePath,
    metavar="FILE",
    help="Write the overrides to FILE, with an additional override for each failure; with these overrides the walk has "
    "no failures.",
)
down_to_option = click.option(
    "--down-to",
    type=NATURAL,
    default=0,
    metavar="N",
    help="Stop after the positions with N moves left.  [default: never stop early]",
)
certificate_option = click.option(
    "--certificate", type=FilePath, metavar="FILE", help="Also write a certificate of the proof to FILE, for `verify`."
)
most_option = click.option(
    "--most",
    type=NATURAL,
    default=MOST,
    show_default=True,
    metavar="N",
    help="Show at most N patterns that give away wins; 0 shows all.",
)
boards_option = click.option(
    "--boards", type=NATURAL, default=DRAWN, show_default=True, metavar="N", help="Draw at most N failures."
)
fresh_option = click.option("--fresh", is_flag=True, help="Delete the stored decisions of earlier runs first.")


@command(
    "prove",
    example="littlego prove black --certificate black.json\nlittlego prove white --down-to 12",
    epilog=EPILOG,
)
@colour_argument
@player_options
@overrides_out_option
@certificate_option
@down_to_option
@most_option
@machine_options
def prove(colour: str, json: str | None, **options: Any) -> int:
    """Prove that the player never gives away a win, or count the wins that it gives away.

    The command visits every position that the player can meet, whatever the opponent plays, and checks the player's
    decision there. The set of these positions is called the walk. A failure is a decision that gives away a win. As
    Black the player moves first; as White the player answers any first move. The report draws a few failures; --json
    lists all failures.
    """
    from littlego.truth.proof.proving import prove_colour  # loads the compiled engine

    return prove_colour(colour, Settings(**options), json)


@command("judge", example="littlego judge black\nlittlego judge white -f my.yaml --json", epilog=JUDGE_EPILOG)
@colour_argument
@player_options
@overrides_out_option
@down_to_option
@most_option
@boards_option
@machine_options
def judge(colour: str, json: str | None, **options: Any) -> int:
    """Find the wins that an edit of the patterns gives away, and the wins that it recovers.

    The command starts from the latest complete walk (see `prove`), and recomputes the player's decision only in new
    positions and in positions where the edit can change it.
    """
    from littlego.truth.proof.judge_cli import judge_edit  # loads the compiled engine

    return judge_edit(colour, Settings(**options), json)


@command(
    "verify", example="littlego verify black.json\nlittlego verify black.json --positions 100", epilog=VERIFY_EPILOG
)
@click.argument("certificate", metavar="CERTIFICATE", type=FilePath)
@player_options
@click.option(
    "--positions",
    type=NATURAL,
    default=SAMPLED,
    show_default=True,
    metavar="N",
    help="Verify at most N positions for each number of moves left.",
)
@click.option(
    "--vectors",
    type=click.Path(exists=True, dir_okay=False),
    metavar="FILE",
    help="Also compare the walk and the solver with the known values in FILE.",
)
@click.option(
    "--checkpoint",
    type=EXISTING,
    metavar="FILE",
    help="Load solved positions from FILE, a checkpoint of `littlego solve` or `littlego dev walk`.",
)
@machine_options
def verify(certificate: Path, json: str | None, **options: Any) -> int:
    """Verify a certificate written by `prove`.

    The command checks samples of the walk (see `prove`) by a second, simpler method.
    """
    from littlego.truth.proof.proving import check_certificate  # loads the compiled engine

    return check_certificate(certificate, Settings(**options), json)


@command("walk", example="littlego dev walk white --positions 100000 -o white.npz", epilog=EPILOG)
@colour_argument
@player_options
@overrides_out_option
@click.option(
    "--only-needed",
    is_flag=True,
    help="With --overrides-out: omit each override of this colour that changes nothing, or whose position the walk "
    "does not reach.",
)
@output_option(
    "Write positions with all their winning moves, for `dev fit` and `dev mine`: for each number of moves left up to "
    "14, all positions that need an override, and a sample of the other positions."
)
@click.option(
    "--positions",
    type=NATURAL,
    default=SAMPLED,
    show_default=True,
    metavar="N",
    help="With --output: for each number of moves left, write at most N positions that need no override.",
)
@certificate_option
@down_to_option
@most_option
@boards_option
@click.option(
    "--search",
    type=NATURAL,
    default=SEARCHED_FROM,
    show_default=True,
    metavar="N",
    help="With N or more moves left, search for a refutation of each decision before the walk continues.",
)
@fresh_option
@click.option(
    "--checkpoint",
    type=FilePath,
    metavar="FILE",
    help="Load solved positions from FILE, if FILE exists, and save to FILE the solved positions with many moves left.",
)
@machine_options
def walk_command(colour: str, output: Path | None, json: str | None, **options: Any) -> int:
    """Run `prove` with more settings; with --output, also write training positions."""
    settings = Settings(**options, positions_out=output)
    if settings.only_needed and (not settings.overrides_out or settings.down_to):
        raise click.UsageError(
            "--only-needed requires --overrides-out and a whole walk: add --overrides-out and omit --down-to"
        )
    from littlego.truth.proof.proving import prove_colour  # loads the compiled engine

    return prove_colour(colour, settings, json)


@command(
    "uncounted",
    example="littlego dev uncounted",
    epilog="Exit status: 0 for success; 1 if a position hides more than 8 moves; 2 if the command could not run.",
)
@player_options
@down_to_option
@fresh_option
@click.option(
    "--checkpoint",
    type=EXISTING,
    metavar="FILE",
    help="Load solved positions from FILE, a checkpoint of `littlego solve` or `littlego dev walk`.",
)
@machine_options
def uncounted(json: str | None, **options: Any) -> int:
    """Count the wins that the player gives away as Black without the move count.

    Without the move count, the player does not know how many moves are left. The command evaluates the player's
    decisions in the positions of the proof for Black (docs/proof/black.json). The stones on a board show only the
    minimum number of moves played: the board hides captured stones and passes. The command also checks that no position
    of the proof hides more than 8 moves. The player relies on this limit, and rejects a stored move count that is more
    than 8 above the smallest count that the boards allow.
    """
    from littlego.truth.proof.uncounted import count_uncounted  # loads the compiled engine

    return count_uncounted(Settings(**options), json)
