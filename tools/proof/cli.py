"""The command `prove`: walk every position that the player can meet and check each decision, or a certificate."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import zip_longest
from pathlib import Path
from shutil import rmtree
from typing import Any, NamedTuple

import click
from rich.console import Group, RenderableType
from rich.text import Text

from tools.arguments import FINDINGS, FINE, ArgumentError, trying_to, write_results
from tools.cache import FOLDER, digest
from tools.commandline import NATURAL, command, jobs_option, json_option, patterns_option
from tools.data import OVERRIDES
from tools.draw.terminal import console, new_table
from tools.effects.books import Knowledge, read_knowledge
from tools.files import STANDARD_OUTPUT, short_name, write_json
from tools.grades.text import blamed_text, decision_text, side_by_side
from tools.knowledge.problems import plural
from tools.labels.decider import Decider, load_overrides, write_overrides
from tools.proof import replayed, walk
from tools.proof.certificate import (
    Failure,
    Report,
    Row,
    decisions_name,
    player_of,
    read_certificate,
)
from tools.proof.checker import Checked, Checker
from tools.proof.threads import Watch
from tools.proof.values import Values
from tools.proof.walk import CERTIFICATE, Decisions, Walk, is_complete, layer_file, make_folder, save_layer
from tools.solver.solver import Solver

BITS = 26
WALKS = FOLDER / "proof"
VALUES = "values"
MOST, DRAWN = 20, 4
SAMPLES = 10_000
SEARCHED_FROM = 22  # moves left
LEGEND = (
    "won: decisions with a win to keep. failures: those that give it away; the walk goes on from a move that keeps it. "
    "overruled: decided by an override, in place of another move. cut: positions whose result nothing can change any "
    "more, not walked."
)
CHECKED_LEGEND = (
    "sampled: decisions repeated in plain Python, and all replies looked for in the next layer. valued: of these, "
    "moves whose result was found again, by the solver and in the last moves by playing everything out."
)
EPILOG = """Stopped at any time, it goes on where it was when it is started again. Who wins a position is kept for every
later walk, whoever plays: after an edit of the patterns only positions never met before are solved.

Exit status: 0 complete and without failure, 1 failures, or not walked to the end, 2 could not run."""
EXAMPLE = """
littlego prove --black --certificate black.json
littlego prove --check black.json
littlego prove --white --down-to 12
"""
FilePath = click.Path(path_type=Path)


class Settings(NamedTuple):
    """The options of a walk, or of a check; see the command."""

    samples: int
    patterns: str
    overrides: Path | None
    no_overrides: bool
    overrides_out: Path | None
    down_to: int
    certificate: Path | None
    most: int
    boards: int
    bits: int
    checkpoint: Path | None
    checkpoint_out: Path | None
    folder: Path
    search: int
    fresh: bool
    jobs: int

    def player(self) -> tuple[Knowledge, dict[int, int]]:
        """Return what the player knows, and its overrides. Raise ArgumentError."""
        return read_knowledge(self.patterns), {} if self.no_overrides else load_overrides(self.overrides)


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
    "--samples", type=NATURAL, default=SAMPLES, show_default=True, metavar="N", help="Of each layer, for --check."
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
def prove(colours: tuple[str, ...], check: Path | None, json: str | None, **options: Any) -> int:
    """Prove that the player never gives a win away, or find every position where it does.

    Every position that it can meet is walked, whatever the opponent plays, and each decision checked by the solver.
    """
    asked = [*dict.fromkeys(colours), *([check] if check else [])]
    if len(asked) != 1:
        raise click.UsageError("say one of --black, --white and --check CERTIFICATE")
    settings = Settings(**options)
    solver = Solver(settings.bits)
    if settings.checkpoint:
        print(
            f"{short_name(settings.checkpoint)}: {solver.resume(settings.checkpoint):,} results read", file=sys.stderr
        )
    return (
        check_certificate(check, settings, solver, json) if check else prove_colour(colours[0], settings, solver, json)
    )


def prove_colour(colour: str, settings: Settings, solver: Solver, json: str | None) -> int:
    """Walk, tell, and write what is asked for; return the exit status."""
    knowledge, overrides = settings.player()
    report = walk_all(colour, settings, solver, knowledge, overrides)
    if settings.overrides_out:
        with trying_to(f"write {short_name(settings.overrides_out)}"):
            number = write_overrides(settings.overrides_out, {**overrides, **report.repairs()})
        print(f"{short_name(settings.overrides_out)}: {number:,} overrides", file=sys.stderr)
    write_results(settings.certificate, report.certificate)
    write_results(json, report.as_json)
    if json != STANDARD_OUTPUT:
        console(markup=False).print(*draw_report(report, settings.most, settings.boards), sep="\n")
    return FINE if report.complete and not report.failures else FINDINGS


def walk_all(
    colour: str, settings: Settings, solver: Solver, knowledge: Knowledge, overrides: Mapping[int, int]
) -> Report:
    """Walk; keep the layers and the certificate; return the report."""
    folder, jobs, watch = settings.folder, settings.jobs, Watch()
    player, roots = player_of(knowledge, overrides), walk.roots_of(colour)
    with trying_to(f"keep the walk in {short_name(folder)}"):
        decided = make_folder(folder / "decisions", decisions_name(knowledge))
        if settings.fresh:
            rmtree(decided)
        decisions = Decisions(Decider(knowledge.book, overrides), decided, jobs, watch)
        walking = Walk(decisions, Values(solver, folder / VALUES, jobs, watch), jobs, watch, settings.search)
        try:
            layers = walking.layers(roots, settings.down_to, partial(_tell, time.monotonic()))
        finally:
            if settings.checkpoint_out:
                solver.save(settings.checkpoint_out)
        ids = [pattern.id for pattern in knowledge.book.patterns]
        report = Report(colour, player, roots.tolist(), ids, layers, is_complete(layers, settings.down_to))
        kept = make_folder(folder / "walks", f"{colour}-{digest(*player)[:16]}")
        for layer in layers:
            save_layer(kept, layer)
        write_json(kept / CERTIFICATE, report.certificate())
    return report


def _tell(began: float, line: str) -> None:
    """Say on standard error how far the walk is, and when."""
    print(f"{time.monotonic() - began:7,.0f} s  {line}", file=sys.stderr, flush=True)


def check_certificate(path: Path, settings: Settings, solver: Solver, json: str | None) -> int:
    """Check a certificate against a second, slow and simple look; tell, and return the exit status."""
    certificate = read_certificate(path)
    files = _player_files(path, settings, certificate)
    openings, folder = replayed.openings_of(certificate["colour"]), _find_layers(path, settings.folder, certificate)
    layers = [*Checker(certificate, openings, folder, files, solver, settings.samples, settings.jobs).layers()]
    write_results(json, lambda: {"layers": [vars(one) for one in layers]})
    if json != STANDARD_OUTPUT:
        console(markup=False).print(draw_check(certificate, layers))
    return FINDINGS if any(one.faults for one in layers) or not certificate["proved"] else FINE


def _player_files(path: Path, settings: Settings, certificate: Mapping[str, Any]) -> replayed.Files:
    """Return the player's own files; raise ArgumentError if they are not those of the certificate."""
    patterns = Path(settings.patterns).with_suffix(".txt")
    knowledge, overrides = settings._replace(patterns=str(patterns)).player()
    player = player_of(knowledge, overrides)._asdict()
    other = [name for name, value in player.items() if certificate["player"].get(name) != value]
    if other:
        raise ArgumentError(f"{short_name(path)} is about another player: its {' and '.join(other)} differ")
    return replayed.Files(patterns, (settings.overrides or OVERRIDES) if overrides else None)


def _find_layers(path: Path, folder: Path, certificate: Mapping[str, Any]) -> Path:
    """Return where the layers are: beside the certificate, or where the walk kept them."""
    if layer_file(path.parent, certificate["layers"][0]["left"]).exists():
        return path.parent
    kept = walk.find_certificate(folder / "walks", certificate)
    if kept is None:
        raise ArgumentError(
            f"the layers of {short_name(path)} are not here: "
            f"`littlego prove --{certificate['colour']}` makes them again"
        )
    return kept


def draw_report(report: Report, most: int, boards: int) -> Iterator[RenderableType]:
    """Yield what to print. most: rows of the table of patterns, 0 for all; boards: failures drawn."""
    yield draw_layers(report)
    yield Text()
    if report.failures:
        yield blamed_text(report.blamed, most)
    if boards and report.failures:
        drawn = first_of_each(report.failures, boards)
        yield side_by_side([decision_text(one.code, one.move, one.winning, one.by) for one in drawn])
    yield Text(format_conclusion(report), style="" if report.failures else "bold")


def draw_layers(report: Report) -> RenderableType:
    """Draw the layers, and their sum."""
    sums = (sum(column) for column in zip(*(row[1:-1] for row in report.rows), strict=True))
    rows = [(str(row.left), *_row_cells(row)) for row in report.rows]
    rows.append(("all", *_row_cells(Row._make([0, *sums, ""]))))
    table = new_table("left", "positions", "won", "failures", "a million", "overruled", "cut", rows=rows)
    return Group(
        Text(f"Every position that {report.colour.capitalize()} meets", style="bold"), table, Text(), Text(LEGEND)
    )


def _row_cells(row: Row) -> list[Text | str]:
    return [
        f"{row.positions:,}",
        f"{row.won:,}",
        Text(f"{row.failures:,}", style="bold red" if row.failures else ""),
        per_million(row.failures, row.won),
        f"{row.overruled:,}",
        f"{row.cut:,}",
    ]


def per_million(failures: int, of: int) -> str:
    """Return how many failures that is in a million."""
    return f"{1e6 * failures / of:,.0f}" if of else "-"


def first_of_each(failures: Sequence[Failure], most: int) -> list[Failure]:
    """Return failures to draw: the earliest of each pattern in turn, then further ones."""
    by: dict[str, list[Failure]] = {}
    for one in failures:
        by.setdefault(one.by, []).append(one)
    return [one for turn in zip_longest(*by.values()) for one in turn if one][:most]


def format_conclusion(report: Report) -> str:
    """Say in a sentence what is proved."""
    name, positions = report.colour.capitalize(), plural(report.positions, "position")
    if report.failures:
        return (
            f"{plural(len(report.failures), 'failure')} in {positions}: "
            f"{per_million(len(report.failures), report.won)} in a million won."
        )
    if not report.complete:
        return f"No failure in {positions}, down to {report.rows[-1].left} moves left; the walk is not complete."
    return f"Proved: {name} never gives a win away, whatever the opponent plays: {positions}, no failure."


def draw_check(certificate: Mapping[str, Any], layers: Sequence[Checked]) -> RenderableType:
    """Draw what a check of a certificate has found. layers: as checked."""
    rows = (
        (
            str(one.left),
            *(f"{number:,}" for number in (one.positions, one.sampled, one.valued)),
            Text(str(len(one.faults)), style="bold red" if one.faults else ""),
        )
        for one in layers
    )
    table = new_table("left", "positions", "sampled", "valued", "faults", rows=rows)
    told = [Text(f"{one.left} left: {fault}") for one in layers for fault in one.faults]
    name = certificate["colour"].capitalize()
    what = (
        "no failure"
        if certificate["proved"]
        else "it is not complete"
        if not certificate["complete"]
        else plural(certificate["failures"], "failure")
    )
    said = "Faults: it is not to be believed." if told else f"The certificate for {name} holds in the samples: {what}."
    return Group(table, Text(), *told, Text(CHECKED_LEGEND), Text(said, style="bold"))
