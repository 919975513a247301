"""The command `weigh`, which measures and prints how many given-away wins a fact could save."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import RenderableType
from rich.text import Text

from littlego.cli.arguments import FINE, ArgumentError, write_results
from littlego.cli.commandline import (
    command,
    did_you_mean,
    json_option,
    labels_option,
    more_positions_option,
    patterns_option,
)
from littlego.cli.terminal import console, new_table
from littlego.files import STANDARD_OUTPUT
from littlego.knowledge.problems import plural
from littlego.parallel import with_progress

if TYPE_CHECKING:
    from littlego.learning.mining.weighing import Gain, Telling, Weighed, Weighing

LEGEND = (
    "more: two counts, A / B. A: positions where the player gives the win away and the fact is larger for a winning "
    "move than for the move played. B: other positions where the fact is larger for a losing move than for the move "
    "played. less: the same counts for smaller values of the fact. Black, White: effect of a pattern "
    "`*` with the best points for the fact, on the held-out boards: + wins kept, - wins given away, of N wins given "
    "away without the pattern."
)
EPILOG = """FACT is a fact about a move's point (`littlego facts`), or a tactical reading: falls_in_2, falls_in_3,
falls_in_4, stands_for_2, stands_for_3, stands_for_4, lives, denies_life, joined, severed, fills, blocks, outlasts.
Without FACT the command measures all facts and readings. For each fact, the command tries a pattern whose diagram is
`*` and whose `points` are a constant times the fact's value. The command chooses the constant that keeps the most wins
on two thirds of the boards, separately for each side and each phase of the patterns file. The gain is measured on the
remaining third. For a reading, the value is the reading after the move minus the reading after a pass.

Exit status: 0 for success; 2 if the command could not run."""
EXAMPLE = """
littlego dev weigh
littlego dev weigh falls_in_3 stands_for_3 saves
"""


def _names(ctx: click.Context, param: click.Parameter, begun: str) -> list[str]:
    from littlego.learning.mining.weighing import all_names

    return [name for name in all_names() if name.startswith(begun)]


@command("weigh", example=EXAMPLE, epilog=EPILOG)
@click.argument("names", metavar="[FACT]...", nargs=-1, shell_complete=_names)
@patterns_option()
@labels_option
@more_positions_option(what_for="Also use")
@json_option
def weigh(names: tuple[str, ...], patterns: str, labels: Path, extra: tuple[Path, ...], json: str | None) -> int:
    """Measure how many of the player's blunders a fact could fix, before you implement or use the fact."""
    from littlego.learning.mining.weighing import all_names, as_json

    wanted = list(dict.fromkeys(names)) or all_names()
    for name in wanted:
        if name not in all_names():
            hint = did_you_mean(name, all_names()) or " See `littlego facts` and `littlego dev weigh --help`."
            raise ArgumentError(f"`{name}` is neither a fact about a move nor a reading.{hint}")
    weighing = _weighing(patterns, labels, extra)
    weighed = [*with_progress(map(weighing.weigh, wanted), len(wanted), "fact")]
    write_results(json, lambda: as_json(weighed))
    if json != STANDARD_OUTPUT:
        console().print(*draw_weighed(weighed, weighing.given, weighing.beyond), sep="\n")
        if names:
            console().print(*(f"{one.name}: {one.promise}" for one in weighed), sep="\n")
    return FINE


def _weighing(patterns: str, labels: Path, extra: Sequence[Path]) -> Weighing:
    """Return a Weighing of a patterns file on solved positions; raise ArgumentError for an invalid file."""
    from littlego.knowledge.files import read_solvable  # these load the compiled engine
    from littlego.learning.fitting.solved import solved_positions
    from littlego.learning.mining.weighing import Weighing

    return Weighing(read_solvable(patterns), solved_positions(labels, extra)[0])


def draw_weighed(weighed: Sequence[Weighed], given: int, beyond: int) -> Iterator[RenderableType]:
    """Yield the parts of the report; facts with the largest gain on the held-out boards come first.

    given, beyond: see Weighing.
    """
    order = sorted(weighed, key=lambda one: -sum(gain.kept - gain.lost for gain in one.held))
    rows = [(one.name, _telling(one.more), _telling(one.less), *map(_gain, one.held)) for one in order]
    vetoed = f"; in {beyond:,} of these positions, every winning move is vetoed, so that points have no effect"
    yield Text(f"wins given away in {plural(given, 'position')}{vetoed if beyond else ''}", style="bold")
    yield new_table("fact", "more", "less", "Black", "White", rows=rows)
    yield Text(LEGEND, style="dim")


def _telling(telling: Telling) -> str:
    return f"{telling.mends:,} / {telling.misleads:,}"


def _gain(gain: Gain) -> str:
    return f"+{gain.kept} -{gain.lost} of {gain.given:,}"
