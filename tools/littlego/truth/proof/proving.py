"""A walk, or a check of one, as it is asked for on the command line; and what it is told by."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import zip_longest
from pathlib import Path
from shutil import rmtree
from typing import Any

import numpy as np
from rich.console import Group, RenderableType
from rich.text import Text

from littlego.cache import digest
from littlego.cli.arguments import FINDINGS, FINE, ArgumentError, trying_to, write_results
from littlego.cli.terminal import console, new_table
from littlego.files import STANDARD_OUTPUT, short_name, write_json
from littlego.knowledge.files import Knowledge
from littlego.knowledge.problems import plural
from littlego.paths import OVERRIDES
from littlego.truth.grades.text import blamed_text, decision_text, side_by_side
from littlego.truth.labels.decider import Decider, write_overrides
from littlego.truth.proof import replayed, walk
from littlego.truth.proof.certificate import (
    Failure,
    Report,
    Row,
    blame,
    certificate_of,
    decisions_name,
    player_of,
    read_certificate,
)
from littlego.truth.proof.checker import Checked, Checker
from littlego.truth.proof.edited import keep_player
from littlego.truth.proof.forecast import Forecast, steps_of
from littlego.truth.proof.sampled import write_positions
from littlego.truth.proof.settings import Settings
from littlego.truth.proof.threads import Watch
from littlego.truth.proof.values import Values
from littlego.truth.proof.walk import (
    CERTIFICATE,
    Decisions,
    Layer,
    Walk,
    is_complete,
    layer_file,
    make_folder,
    save_layer,
)
from littlego.truth.solver.solver import Solver
from littlego.truth.solver.vectors import read_vectors

VALUES, WALKS = "values", "walks"  # folders
LEGEND = (
    "won: decisions with a win to keep. failures: those that give it away; the walk goes on from a move that keeps it. "
    "overruled: decided by an override, in place of another move. cut: positions whose result nothing can change any "
    "more, not walked."
)
CHECKED_LEGEND = (
    "sampled: decisions repeated in plain Python, and all replies looked for in the next layer. valued: of these, "
    "moves whose result was found again, by the solver and in the last moves by playing everything out. known: values "
    "from elsewhere, with as many moves left or one less, that the solver was held to. met: those of positions walked."
)


def prove_colour(colour: str, settings: Settings, json: str | None) -> int:
    """Walk, tell, and write what is asked for; return the exit status."""
    solver = settings.solver()
    knowledge, overrides = settings.player()
    report = walk_all(colour, settings, solver, knowledge, overrides)
    kept = report.needed(overrides) if settings.only_needed else overrides
    write_repairs(report, kept, settings.overrides_out)
    write_results(settings.certificate, report.certificate)
    write_results(json, report.as_json)
    if json != STANDARD_OUTPUT:
        console().print(*draw_report(report, settings.most, settings.boards), sep="\n")
    return FINE if report.complete and not report.failures else FINDINGS


def write_repairs(report: Report, overrides: Mapping[int, int], path: Path | None) -> None:
    """Write the overrides and one more for each failure, if that is asked for. Raise ArgumentError."""
    if path:
        with trying_to(f"write {short_name(path)}"):
            number = write_overrides(path, {**overrides, **report.repairs()})
        print(f"{short_name(path)}: {number:,} overrides", file=sys.stderr)


def walk_all(
    colour: str, settings: Settings, solver: Solver, knowledge: Knowledge, overrides: Mapping[int, int]
) -> Report:
    """Walk; keep the layers, whose they are and the certificate; return the report."""
    folder, player, roots = settings.folder, player_of(knowledge, overrides), walk.roots_of(colour)
    watch = Watch(forecast=_forecast(colour, settings))
    with trying_to(f"keep the walk in {short_name(folder)}"):
        walking = Walk(*make_walk(settings, solver, knowledge, overrides, watch), settings.jobs, watch, settings.search)
        layers = run_walk(walking, roots, settings)
        complete = is_complete(layers, settings.down_to)
        report = Report(colour, player, roots.tolist(), knowledge.book, layers, complete)
        kept = make_folder(folder / WALKS, f"{colour}-{digest(*player)[:16]}")
        for layer in layers:
            save_layer(kept, layer)
        keep_player(kept, knowledge, overrides)
        write_json(kept / CERTIFICATE, report.certificate())
    if settings.positions_out:
        number = write_positions(settings.positions_out, layers, walking.values, settings.positions)
        print(f"{short_name(settings.positions_out)}: {plural(number, 'position')} to learn from", file=sys.stderr)
    size = sum(path.stat().st_size for path in kept.iterdir())
    print(f"{short_name(kept)}: the walk is kept, {size / 1e6:,.1f} MB", file=sys.stderr)
    return report


def make_walk(
    settings: Settings, solver: Solver, knowledge: Knowledge, overrides: Mapping[int, int], watch: Watch
) -> tuple[Decisions, Values]:
    """Return what a walk asks: the player's decisions and who wins, both kept between runs. Raise OSError."""
    folder = make_folder(settings.folder / "decisions", decisions_name(knowledge))
    if settings.fresh:
        rmtree(folder)
    decisions = Decisions(Decider(knowledge.book, overrides), folder, settings.jobs, watch)
    return decisions, Values(solver, settings.folder / VALUES, settings.jobs, watch)


def run_walk(walking: Walk, roots: np.ndarray, settings: Settings) -> list[Layer]:
    """Return the layers; save what the solver knows, if that is asked for, even where the walk is stopped."""
    tell = partial(_tell, time.monotonic())
    try:
        return walking.layers(roots, settings.down_to, tell)
    finally:
        tell(format_asked(walking.values))
        if settings.checkpoint:
            walking.values.solver.save(settings.checkpoint)


def format_asked(values: Values) -> str:
    """Say what the solver was asked, by moves left."""
    asked = {left: number for left, number in sorted(values.asked.items(), reverse=True) if number}
    rows = ", ".join(f"{number:,} with {left} left" for left, number in asked.items())
    total = plural(sum(asked.values()), "position")
    return f"the solver was asked about {total}, {values.solver.nodes:,} nodes{': ' if rows else ''}{rows}"


def _forecast(colour: str, settings: Settings) -> Forecast | None:
    """Return how long a walk takes by the counts of an earlier one, kept here or else committed; None without any."""
    kept = sorted((settings.folder / WALKS).glob(f"{colour}-*/{CERTIFICATE}"), key=lambda path: path.stat().st_mtime)
    for path in (*reversed(kept), certificate_of(colour)):
        if path.is_file() and (certificate := read_certificate(path))["complete"]:
            counts = {row["left"]: row["positions"] for row in certificate["layers"]}
            return Forecast(steps_of(counts, settings.down_to))
    return None


def _tell(began: float, line: str) -> None:
    """Say on standard error how far the walk is, and when."""
    print(f"{time.monotonic() - began:7,.0f} s  {line}", file=sys.stderr, flush=True)


def check_certificate(path: Path, settings: Settings, json: str | None) -> int:
    """Check a certificate against a second, slow and simple look; tell, and return the exit status."""
    solver, certificate = settings.solver(), read_certificate(path)
    files = _player_files(path, settings, certificate)
    openings, folder = replayed.openings_of(certificate["colour"]), _find_layers(path, settings.folder, certificate)
    vectors = read_vectors(settings.vectors) if settings.vectors else []
    checker = Checker(certificate, openings, folder, files, solver, settings.positions, settings.jobs, vectors)
    layers = [*checker.layers()]
    write_results(json, lambda: {"layers": [vars(one) for one in layers]})
    if json != STANDARD_OUTPUT:
        console().print(draw_check(certificate, layers))
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
    kept = walk.find_certificate(folder / WALKS, certificate)
    if kept is None:
        raise ArgumentError(
            f"the layers of {short_name(path)} are not here: `littlego prove {certificate['colour']}` makes them again"
        )
    return kept


def draw_report(report: Report, most: int, boards: int) -> Iterator[RenderableType]:
    """Yield what to print. most: rows of the table of patterns, 0 for all; boards: failures drawn."""
    yield draw_layers(report)
    yield Text()
    yield from draw_failures(report.failures, most, boards)
    if report.first_moves and not report.failures:
        yield Text(format_first_moves(report))
    yield Text(format_conclusion(report), style="" if report.failures else "bold")


def draw_failures(failures: Sequence[Failure], most: int, boards: int) -> Iterator[RenderableType]:
    """Yield the patterns to blame for failures, and some of these drawn; nothing where there are none."""
    if failures:
        yield blamed_text(blame(failures), most)
    if boards and failures:
        drawn = first_of_each(failures, boards)
        yield side_by_side([decision_text(one.code, one.move, one.winning, ", ".join(one.by)) for one in drawn])


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
        by.setdefault(one.by[0], []).append(one)
    return [one for turn in zip_longest(*by.values()) for one in turn if one][:most]


def format_first_moves(report: Report) -> str:
    """Say after which first moves of Black's White wins."""
    won, lost = ([one["move"] for one in report.first_moves if one["won"] == value] for value in (True, False))
    unless = f", after {', '.join(lost)} if Black errs" if lost else ""
    return f"White wins after {', '.join(won) or 'no first move of Black'}{unless} (first moves modulo symmetry)."


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
            *(f"{number:,}" for number in (one.positions, one.sampled, one.valued, one.known, one.met)),
            Text(str(len(one.faults)), style="bold red" if one.faults else ""),
        )
        for one in layers
    )
    table = new_table("left", "positions", "sampled", "valued", "known", "met", "faults", rows=rows)
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
