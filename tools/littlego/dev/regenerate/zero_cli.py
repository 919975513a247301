"""The command `dev measure-zero`, which measures the learning player for docs/results.md."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import click

from littlego.cli.arguments import FINE, ArgumentError, read_file, trying_to
from littlego.cli.commandline import NATURAL, command, jobs_option
from littlego.files import short_name, write_json
from littlego.learning.zero.cli import read_network
from littlego.paths import INSTALLED
from littlego.players.zero.player import WEIGHTS
from littlego.truth.grades.cli import part_option

KEPT_KEYS = ("about", "plan", "measured", "games")


@command(
    "measure-zero",
    example="littlego dev measure-zero --most 20 --roles 5 -o trial.json\n"
    "littlego arena gauntlet zero random greedy --pairs 400 --json games.json\n"
    "littlego dev measure-zero --part test --games games.json",
    epilog="""Each measurement is saved as soon as it ends. A later run reuses the settings and the measurements in FILE
(see -o). The defaults of a first run are --part working, --most 0, --roles 500 and --regret 100.

Exit status: 0 for success; 1 if the section cannot be rebuilt; 2 if the command could not run.""",
)
@click.argument("weights", metavar="[WEIGHTS]", default=WEIGHTS)
@part_option(None)
@click.option(
    "--most", type=NATURAL, metavar="N", help="Measure at most N positions for each number of moves left; 0 for all."
)
@click.option(
    "--roles",
    "role_most",
    type=NATURAL,
    metavar="N",
    help="Like --most, but for the players qlearning and championship; both players together take about 3 * N CPU "
    "seconds.",
)
@click.option(
    "--regret",
    type=NATURAL,
    metavar="N",
    help="Compute how many stones the learning player's move loses compared with the best move, in at most N positions "
    "for each number of moves left up to 8; 0 for none.",
)
@click.option(
    "--games",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="FILE",
    help="Add the tournament results in FILE, written by `arena gauntlet --json FILE`; repeatable.",
)
@click.option(
    "--mined",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="Also grade the patterns in FILE, such as patterns.yaml with the proposals of `dev mine`.",
)
@click.option("--fresh", is_flag=True, help="Discard the measurements and games stored by earlier runs.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="File of the measurements.  [default: docs/results/zero.json]",
)
@jobs_option
def measure_zero(
    weights: str,
    games: tuple[Path, ...],
    mined: Path | None,
    fresh: bool,
    output: Path | None,
    jobs: int,
    **options: Any,
) -> int:
    """Measure the learning player and other players.

    Without -o, the command also rebuilds the learning player's section in docs/results.md.

    WEIGHTS is a file of the learning player's weights, not a checkpoint of `zero train`; the default is the shipped
    weights file.
    """
    if INSTALLED and not output:
        raise ArgumentError("an installed package has no page of results: name a file with -o, or run in a checkout")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from littlego.dev.regenerate.cli import make
    from littlego.dev.regenerate.figures import RUNS
    from littlego.dev.regenerate.products import PRODUCTS

    path = output or RUNS / "zero.json"
    tournaments = [_read_games(game) for game in games]
    kept = _load_or_begin(path, weights, {name: value for name, value in options.items() if value is not None}, fresh)
    for tournament in tournaments:
        _add_games(kept, tournament)
    _measure(kept, weights, path, jobs, mined)
    return FINE if output else make(PRODUCTS["figures"], True)


def _load_or_begin(path: Path, weights: str, settings: dict[str, Any], fresh: bool) -> dict[str, Any]:
    """Return a file's measurements, or an empty collection if the file is missing or `fresh` is true.

    Raise ArgumentError if the file is damaged, or if `fresh` is false and the file's weights or settings differ.
    """
    from littlego.learning.zero.results import Plan, provenance

    about, kept = provenance(read_network(weights)), _load(path)
    begun = {"about": about, "plan": Plan(**settings)._asdict(), "measured": {}, "games": []}
    if kept is None or fresh:
        return begun
    differing = [f"{name} {kept['plan'][name]}" for name, value in settings.items() if kept["plan"][name] != value]
    if kept["about"]["sha256"] != about["sha256"]:
        differing.append(f"weights {kept['about']['sha256'][:8]}")
    if differing:
        found = ", ".join(differing)
        raise ArgumentError(
            f"{short_name(path)} has measurements with other settings ({found}): use --fresh to replace the "
            "measurements, or -o FILE to write another file"
        )
    return kept


def _load(path: Path) -> dict[str, Any] | None:
    from littlego.learning.zero.results import Plan

    if not path.exists():
        return None
    try:
        kept: dict[str, Any] = json.loads(read_file(path))
        if set(kept) != set(KEPT_KEYS) or set(kept["plan"]) != set(Plan._fields) or "sha256" not in kept["about"]:
            raise ValueError(f"expected an object with {', '.join(KEPT_KEYS)}")
    except (ValueError, TypeError) as error:
        raise ArgumentError(f"{short_name(path)} contains no measurements of the player zero: {error}") from None
    return kept


def _read_games(path: Path) -> list[dict[str, Any]]:
    from littlego.learning.zero.results import games_of

    try:
        return games_of(json.loads(read_file(path)))
    except (ValueError, KeyError, TypeError) as error:
        raise ArgumentError(f"{short_name(path)} is not the output of `arena gauntlet --json`: {error}") from None


def _add_games(kept: dict[str, Any], games: list[dict[str, Any]]) -> None:
    """Add games, and remove earlier games of the same players with the same openings."""
    identities = {(game["player"], game["opponent"], game["openings"]) for game in games}
    others = [game for game in kept["games"] if (game["player"], game["opponent"], game["openings"]) not in identities]
    kept["games"] = others + games


def _measure(kept: dict[str, Any], weights: str, path: Path, jobs: int, mined: Path | None) -> None:
    """Run the missing measurements, and save the file after each measurement.

    mined: a patterns file, or None. The patterns in this file are graded even if the measurements already contain a
    grade of mined patterns.
    """
    from littlego.knowledge.files import read_solvable
    from littlego.learning.zero.results import MINED, Plan, grade_rules, measurements
    from littlego.paths import PATTERNS_TXT
    from littlego.truth.labels.decider import Decider

    decider = Decider(read_solvable(str(PATTERNS_TXT)).book, {})
    plan = Plan(**kept["plan"])
    tasks = measurements(read_network(weights), decider, plan, jobs)
    if mined:
        book = read_solvable(str(mined)).book
        tasks[MINED] = lambda: {"patterns": len(book.patterns), **grade_rules(Decider(book, {}), plan)}
        kept["measured"].pop(MINED, None)
    for name, task in tasks.items():
        if name not in kept["measured"]:
            began = time.monotonic()
            kept["measured"][name] = task()
            _save(path, kept)
            print(f"{name}: {time.monotonic() - began:.0f} s", file=sys.stderr)
    _save(path, kept)


def _save(path: Path, kept: dict[str, Any]) -> None:
    with trying_to(f"write {short_name(path)}"):
        write_json(path, kept)
