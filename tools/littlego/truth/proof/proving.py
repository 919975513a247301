"""Implementation and output of the commands `prove`, `dev walk` and `verify`."""

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
    "won: decisions with a win to keep. failures: decisions that give the win away; the walk continues with a winning "
    "move. per million: failures per million won positions. overruled: decisions in which an override replaces the "
    "patterns' move. cut: positions that the walk omits because their result is settled."
)
CHECKED_LEGEND = (
    "sampled: decisions repeated in plain Python, with all replies looked up in the next layer. valued: sampled moves "
    "whose result was recomputed, by the solver or, near the end, by exhaustive search. known: values from --vectors "
    "that were compared with the solver's values, for positions with the layer's number of moves left or with one move "
    "fewer. met: values from --vectors for positions in the walk."
)


def prove_colour(colour: str, settings: Settings, json: str | None) -> int:
    """Run a colour's walk, print the results and write the requested files. Return the exit status."""
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
    """Write the overrides to `path`, with an additional override for each failure, unless `path` is None.

    Raise ArgumentError if the file cannot be written.
    """
    if path:
        with trying_to(f"write {short_name(path)}"):
            number = write_overrides(path, {**overrides, **report.repairs()})
        print(f"{short_name(path)}: {number:,} overrides", file=sys.stderr)


def walk_all(
    colour: str, settings: Settings, solver: Solver, knowledge: Knowledge, overrides: Mapping[int, int]
) -> Report:
    """Run a colour's walk, store the walk's layers, player and certificate, and return the report."""
    folder, player, roots = settings.folder, player_of(knowledge, overrides), walk.roots_of(colour)
    watch = Watch(forecast=_forecast(colour, settings))
    with trying_to(f"store the walk in {short_name(folder)}"):
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
        print(f"{short_name(settings.positions_out)}: {plural(number, 'training position')}", file=sys.stderr)
    size = sum(path.stat().st_size for path in kept.iterdir())
    print(f"{short_name(kept)}: stored the walk, {size / 1e6:,.1f} MB", file=sys.stderr)
    return report


def make_walk(
    settings: Settings, solver: Solver, knowledge: Knowledge, overrides: Mapping[int, int], watch: Watch
) -> tuple[Decisions, Values]:
    """Return (the player's decisions, the solver's values), both cached between runs.

    With settings.fresh, delete the cached decisions first. Raise OSError if a folder cannot be created or deleted.
    """
    folder = make_folder(settings.folder / "decisions", decisions_name(knowledge))
    if settings.fresh:
        rmtree(folder)
    decisions = Decisions(Decider(knowledge.book, overrides), folder, settings.jobs, watch)
    return decisions, Values(solver, settings.folder / VALUES, settings.jobs, watch)


def run_walk(walking: Walk, roots: np.ndarray, settings: Settings) -> list[Layer]:
    """Return the layers of a walk. If requested, save the solver's results, even after an interrupt."""
    tell = partial(_tell, time.monotonic())
    try:
        return walking.layers(roots, settings.down_to, tell)
    finally:
        tell(format_asked(walking.values))
        if settings.checkpoint:
            walking.values.solver.save(settings.checkpoint)


def format_asked(values: Values) -> str:
    """Return a text with the numbers of solved positions and searched nodes.

    The solved positions are counted in total and by moves left.
    """
    counts = {left: number for left, number in sorted(values.asked.items(), reverse=True) if number}
    rows = ", ".join(f"{number:,} with {left} moves left" for left, number in counts.items())
    total = plural(sum(counts.values()), "position")
    return f"the solver solved {total} in {values.solver.nodes:,} nodes{': ' if rows else ''}{rows}"


def _forecast(colour: str, settings: Settings) -> Forecast | None:
    """Return a forecast of a walk's remaining time, or None if there is no basis for a forecast.

    The forecast is based on the latest complete stored walk or, if there is none, on the committed certificate of a
    complete walk.
    """
    kept = sorted((settings.folder / WALKS).glob(f"{colour}-*/{CERTIFICATE}"), key=lambda path: path.stat().st_mtime)
    for path in (*reversed(kept), certificate_of(colour)):
        if path.is_file() and (certificate := read_certificate(path))["complete"]:
            counts = {row["left"]: row["positions"] for row in certificate["layers"]}
            return Forecast(steps_of(counts, settings.down_to))
    return None


def _tell(began: float, line: str) -> None:
    """Print a progress line with the elapsed time on standard error."""
    print(f"{time.monotonic() - began:7,.0f} s  {line}", file=sys.stderr, flush=True)


def check_certificate(path: Path, settings: Settings, json: str | None) -> int:
    """Check a certificate with the independent checker, print the result, and return the exit status."""
    solver, certificate = settings.solver(), read_certificate(path)
    files = _player_files(path, settings, certificate)
    openings, folder = replayed.openings_of(certificate["colour"]), _find_layers(path, settings.folder, certificate)
    vectors = read_vectors(settings.vectors) if settings.vectors else []
    checker = Checker(certificate, openings, folder, files, solver, settings.positions, settings.jobs, vectors)
    layers = [*checker.layers()]
    write_results(json, lambda: {"layers": [vars(layer) for layer in layers]})
    if json != STANDARD_OUTPUT:
        console().print(draw_check(certificate, layers))
    return FINDINGS if any(layer.faults for layer in layers) or not certificate["proved"] else FINE


def _player_files(path: Path, settings: Settings, certificate: Mapping[str, Any]) -> replayed.Files:
    """Return the player's files. Raise ArgumentError if the certificate covers another player."""
    patterns = Path(settings.patterns).with_suffix(".txt")
    knowledge, overrides = settings._replace(patterns=str(patterns)).player()
    player = player_of(knowledge, overrides)._asdict()
    other = [name for name, value in player.items() if certificate["player"].get(name) != value]
    if other:
        raise ArgumentError(
            f"{short_name(path)} covers another player: {' and '.join(other)} differ; select the certificate's player "
            "by --patterns and --overrides"
        )
    return replayed.Files(patterns, settings.overrides_file if overrides else None)


def _find_layers(path: Path, folder: Path, certificate: Mapping[str, Any]) -> Path:
    """Return the folder of the layers: the certificate's or, if it has none, the stored walk's."""
    if layer_file(path.parent, certificate["layers"][0]["left"]).exists():
        return path.parent
    kept = walk.find_certificate(folder / WALKS, certificate)
    if kept is None:
        raise ArgumentError(
            f"the layers of {short_name(path)} are missing: `littlego prove {certificate['colour']}` rebuilds them"
        )
    return kept


def draw_report(report: Report, most: int, boards: int) -> Iterator[RenderableType]:
    """Yield the parts of the printed report.

    most: the maximum number of patterns in the table, 0 for all. boards: the maximum number of failures to draw.
    """
    yield draw_layers(report)
    yield Text()
    yield from draw_failures(report.failures, most, boards)
    if report.first_moves and not report.failures:
        yield Text(format_first_moves(report))
    yield Text(format_conclusion(report), style="" if report.failures else "bold")


def draw_failures(failures: Sequence[Failure], most: int, boards: int) -> Iterator[RenderableType]:
    """Yield a table of the patterns to blame for the failures, then drawings of up to `boards` failures.

    Yield nothing if there are no failures.
    """
    if failures:
        yield blamed_text(blame(failures), most)
    if boards and failures:
        drawn = first_of_each(failures, boards)
        yield side_by_side([decision_text(one.code, one.move, one.winning, ", ".join(one.by)) for one in drawn])


def draw_layers(report: Report) -> RenderableType:
    """Return a heading, a table with a row for each layer and a row of totals, and a legend."""
    sums = (sum(column) for column in zip(*(row[1:-1] for row in report.rows), strict=True))
    rows = [(str(row.left), *_row_cells(row)) for row in report.rows]
    rows.append(("all", *_row_cells(Row._make([0, *sums, ""]))))
    table = new_table("left", "positions", "won", "failures", "per million", "overruled", "cut", rows=rows)
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
    """Return the number of failures per million as text, or `-` if `of` is 0."""
    return f"{1e6 * failures / of:,.0f}" if of else "-"


def first_of_each(failures: Sequence[Failure], most: int) -> list[Failure]:
    """Return at most `most` failures: the first failure of each pattern, then further failures."""
    by: dict[str, list[Failure]] = {}
    for one in failures:
        by.setdefault(one.by[0], []).append(one)
    return [one for turn in zip_longest(*by.values()) for one in turn if one][:most]


def format_first_moves(report: Report) -> str:
    """Return a sentence that lists Black's losing first moves, then Black's winning first moves, if any."""
    won, lost = (
        [first_move["move"] for first_move in report.first_moves if first_move["won"] == value]
        for value in (True, False)
    )
    unless = f", and after {', '.join(lost)} if Black errs" if lost else ""
    return f"White wins after {', '.join(won) or 'no first move of Black'}{unless} (first moves modulo symmetry)."


def format_conclusion(report: Report) -> str:
    """Return a sentence that states the result of the proof."""
    name, positions = report.colour.capitalize(), plural(report.positions, "position")
    if report.failures:
        return (
            f"{plural(len(report.failures), 'failure')} in {positions}: "
            f"{per_million(len(report.failures), report.won)} per million won positions."
        )
    if not report.complete:
        return f"No failure in {positions}, down to {report.rows[-1].left} moves left; the walk is not complete."
    return f"Proved: {name} never gives a win away, whatever the opponent plays: {positions}, no failure."


def draw_check(certificate: Mapping[str, Any], layers: Sequence[Checked]) -> RenderableType:
    """Return the printed result of a certificate's check. layers: the results for each layer."""
    rows = (
        (
            str(layer.left),
            *(f"{number:,}" for number in (layer.positions, layer.sampled, layer.valued, layer.known, layer.met)),
            Text(str(len(layer.faults)), style="bold red" if layer.faults else ""),
        )
        for layer in layers
    )
    table = new_table("left", "positions", "sampled", "valued", "known", "met", "faults", rows=rows)
    faults = [Text(f"{layer.left} left: {fault}") for layer in layers for fault in layer.faults]
    name = certificate["colour"].capitalize()
    what = (
        "no failure"
        if certificate["proved"]
        else "the walk is not complete"
        if not certificate["complete"]
        else plural(certificate["failures"], "failure")
    )
    conclusion = (
        "The certificate is faulty and proves nothing."
        if faults
        else f"All samples agree with the certificate for {name}: {what}."
    )
    return Group(table, Text(), *faults, Text(CHECKED_LEGEND), Text(conclusion, style="bold"))
