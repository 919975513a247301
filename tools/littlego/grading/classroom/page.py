"""The web pages of a class: an overview, and a page for each student.

The overview is for the teacher. A student's page shows the student's own lost games and names nobody else, so the
teacher can share it with the student.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from littlego.arena.losses import LostGame, why_lost
from littlego.arena.play import result_in
from littlego.cli.arguments import trying_to
from littlego.cli.page import render_page, render_template
from littlego.files import write_text
from littlego.grading.classroom.rows import Row, change_of, reason_of, similar_of
from littlego.grading.games import ROLES, Outcome
from littlego.match.referee import GameRecord
from littlego.records.records import game_record
from littlego.records.sgf_writing import record_sgf
from littlego.rules.position import BLACK

PAGE, STUDENTS = "index.html", "students"
MOST_LEFT = 16  # the solver runs in positions with at most this many moves left; this takes a second per game


class Loss(NamedTuple):
    """A lost game on a student's page. file: the name of the game's SGF file in the student's folder."""

    outcome: Outcome
    game: LostGame
    file: str


def find_losses(rows: Sequence[Row], games: Mapping[str, Sequence[Outcome]], most: int, jobs: int) -> dict[str, Any]:
    """Return {student's key: lost games with losing moves, if found}, at most `most` per student.

    games: {student's key: finished games}. The solver looks for losing moves in positions with at most MOST_LEFT moves
    left; the results are cached.
    """
    chosen = {row["key"]: _choose(row, games.get(row["key"], ()), most) for row in rows}
    records = [_record_of(outcome, row["name"]) for row in rows for outcome in chosen[row["key"]]]
    lost = iter(zip(records, why_lost(records, MOST_LEFT, jobs), strict=True))
    return {key: [_loss_of(outcome, *next(lost)) for outcome in outcomes] for key, outcomes in chosen.items()}


def _choose(row: Row, outcomes: Sequence[Outcome], most: int) -> list[Outcome]:
    """Return at most `most` lost games, with as many kinds of losses as possible.

    All these games are from the repetition that counts (see marks.best). Losses are of the same kind if the same role
    won and either all or none of them are due to a fault.
    """
    lost = [one for one in outcomes if one.game.repetition == row.get("repetition") and not (one.won or one.tie)]
    seen: dict[tuple[str, bool], int] = {}
    ranked = []
    for outcome in lost:
        kind = outcome.game.role, outcome.fault
        seen[kind] = seen.get(kind, 0) + 1
        ranked.append((seen[kind], outcome))
    shown = {outcome.game for _, outcome in sorted(ranked, key=lambda pair: pair[0])[:most]}
    return [outcome for outcome in lost if outcome.game in shown]


def _record_of(outcome: Outcome, name: str) -> GameRecord:
    """Return a game's record with the student's name instead of the path of the program."""
    record: GameRecord = game_record(outcome.record)
    players = (name, outcome.game.role) if outcome.game.colour == BLACK else (outcome.game.role, name)
    return record._replace(players=players)


def _loss_of(outcome: Outcome, record: GameRecord, lost: Any) -> Loss:
    game = outcome.game
    result = result_in(record, (game.seed, game.index, 0), record.players, game.seed)
    return Loss(outcome, LostGame(result, lost), f"{game.seed}.sgf")


def write_pages(folder: Path, value: Row, losses: Mapping[str, Sequence[Loss]]) -> None:
    """Write the pages of a class and the linked SGF files; raise ArgumentError if writing fails.

    value: a class's results from rows.class_value. losses: see find_losses.
    """
    with trying_to(f"write the pages to {folder}"):
        for row in value["rows"]:
            _write_student(folder / STUDENTS, row, losses[row["key"]])
        write_text(folder / PAGE, class_page(value))


def class_page(value: Row) -> str:
    """Return the overview page of a class as HTML."""
    rows = value["rows"]
    body = render_template(
        "littlego.grading",
        "class.html",
        rows=[(row, reason_of(row), change_of(row)) for row in rows],
        roles=[role for role in ROLES if any(role in row["roles"] for row in rows)],
        names={row["key"]: row["name"] for row in rows},
        similar=similar_of(value),
        pairs=value["similar"],
        settings=value["settings"],
        complete=value["complete"],
    )
    return render_page("Grades of the class", body)


def _write_student(folder: Path, row: Row, losses: Sequence[Loss]) -> None:
    body = render_template("littlego.grading", "student.html", row=row, losses=losses, most_left=MOST_LEFT)
    if losses:
        (folder / row["key"]).mkdir(parents=True, exist_ok=True)
    for loss in losses:
        game = _record_of(loss.outcome, row["name"])
        write_text(folder / row["key"] / loss.file, record_sgf(game))
    write_text(folder / f"{row['key']}.html", render_page(f"Grading of {row['name']}", body))
