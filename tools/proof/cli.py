"""The command `prove`: walk every position that the player can meet and check each decision, or a certificate."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tools.cache import FOLDER
from tools.commandline import NATURAL, command, jobs_option, json_option, patterns_option

BITS = 26
WALKS = FOLDER / "proof"
MOST, DRAWN = 20, 4
SAMPLES = 10_000
SEARCHED_FROM = 22  # moves left
EPILOG = """Stopped at any time, it goes on where it was when it is started again. Who wins a position is kept for every
later walk, whoever plays: after an edit of the patterns only positions never met before are solved. The layers of a
walk are kept too, of Black's in 0.5 GB: --edit starts from them, takes minutes, and keeps no walk itself.

Exit status: 0 complete and without failure, 1 failures, or not walked to the end, 2 could not run."""
EXAMPLE = """
littlego prove --black --certificate black.json
littlego prove --black --edit
littlego prove --check black.json
littlego prove --white --down-to 12
"""
FilePath = click.Path(path_type=Path)


@command(
    "prove",
    example=EXAMPLE,
    epilog=EPILOG,
    renamed={
        "--file": "--patterns",
        "--exceptions": "--overrides",
        "--no-exceptions": "--no-overrides",
        "--exceptions-out": "--overrides-out",
    },
)
@click.option("--black", "colours", flag_value="black", multiple=True, help="The player is Black, from the start.")
@click.option("--white", "colours", flag_value="white", multiple=True, help="It is White, after any first move.")
@click.option("--check", type=FilePath, metavar="CERTIFICATE", help="Look at samples of a walk again, in a second way.")
@click.option(
    "--samples",
    type=NATURAL,
    default=SAMPLES,
    show_default=True,
    metavar="N",
    help="Of each layer, for --check and --positions-out.",
)
@click.option(
    "--vectors",
    type=click.Path(exists=True, dir_okay=False),
    metavar="FILE",
    help="Known values that --check holds the walk and the solver to.",
)
@click.option("--edit", is_flag=True, help="Judge only what an edit changes on the walk that was kept last.")
@click.option(
    "--uncounted",
    is_flag=True,
    help="Count what Black gives away on its walk where it can keep no count of the moves.",
)
@patterns_option()
@click.option("--overrides", type=FilePath, metavar="FILE", help="[default: overrides.txt, if there is one]")
@click.option("--no-overrides", is_flag=True, help="The player without its overrides.")
@click.option(
    "--overrides-out",
    type=FilePath,
    metavar="FILE",
    help="Write the overrides, and one more for each failure: with them there will be none.",
)
@click.option(
    "--only-needed",
    is_flag=True,
    help="With --overrides-out: leave out those of this colour that the walk does not meet, or that change nothing.",
)
@click.option(
    "--positions-out",
    type=FilePath,
    metavar="FILE",
    help="Write positions of the walk with all their winning moves, for `fit` and `mine`: of each layer with 14 moves "
    "left or fewer those that need an override, and N others.",
)
@click.option(
    "--down-to", type=NATURAL, default=0, metavar="LEFT", help="Stop after the layer with so many moves left."
)
@click.option(
    "--certificate",
    type=FilePath,
    metavar="FILE",
    help="Write the certificate here as well; it also lies beside the layers.",
)
@click.option(
    "--most",
    type=NATURAL,
    default=MOST,
    show_default=True,
    metavar="N",
    help="Rows of the table of patterns, 0 for all.",
)
@click.option("--boards", type=NATURAL, default=DRAWN, show_default=True, metavar="N", help="Failures drawn.")
@click.option(
    "--bits",
    type=click.IntRange(14, 32),
    default=BITS,
    show_default=True,
    help="The solver's table holds 2**BITS words of eight bytes.",
)
@click.option("--checkpoint", type=FilePath, metavar="FILE", help="Begin with what a solver has proved there.")
@click.option(
    "--checkpoint-out",
    type=FilePath,
    metavar="FILE",
    help="Keep what the solver knows there, at the end and after Ctrl-C.",
)
@click.option(
    "--folder",
    type=FilePath,
    default=WALKS,
    metavar="DIR",
    help="Where walks and values are kept.  [default: .cache/proof]",
)
@click.option(
    "--search",
    type=NATURAL,
    default=SEARCHED_FROM,
    show_default=True,
    metavar="LEFT",
    help="With so many moves left, find out by search whether a decision fails before walking on from it.",
)
@click.option("--fresh", is_flag=True, help="Decide anew also where an earlier run has decided.")
@jobs_option
@json_option
def prove(
    colours: tuple[str, ...], check: Path | None, edit: bool, uncounted: bool, json: str | None, **options: Any
) -> int:
    """Prove that the player never gives a win away, or find every position where it does.

    Every position that it can meet is walked, whatever the opponent plays, and each decision checked by the solver.
    """
    asked = [*dict.fromkeys(colours), *([check] if check else [])]
    if len(asked) != 1:
        raise click.UsageError("say one of --black, --white and --check CERTIFICATE")
    writes = options["certificate"] or options["positions_out"]
    if edit and (check or writes):
        raise click.UsageError(
            "--edit judges a colour's walk, and neither makes a certificate nor gathers positions: leave out --check, "
            "--certificate, --positions-out"
        )
    if uncounted and (check or edit or writes or "white" in colours):
        raise click.UsageError("--uncounted is about Black's walk, and makes no certificate: give --black alone")
    if options["only_needed"] and (not options["overrides_out"] or edit or uncounted or options["down_to"]):
        raise click.UsageError(
            "--only-needed is about the --overrides-out of a whole walk: say that too, and leave out --edit, "
            "--uncounted, --down-to"
        )
    if options["vectors"] and not check:
        raise click.UsageError("--vectors are what --check holds a walk to: say --check CERTIFICATE")
    if check and writes:
        raise click.UsageError("--check writes neither a certificate nor positions: leave those out")
    from tools.proof.judging import judge_edit  # this loads the compiled engine, as the next line does
    from tools.proof.proving import Settings, check_certificate, prove_colour

    settings = Settings(**options)
    if check:
        return check_certificate(check, settings, json)
    if uncounted:
        from tools.proof.uncounted import count_uncounted

        return count_uncounted(settings, json)
    return judge_edit(colours[0], settings, json) if edit else prove_colour(colours[0], settings, json)
