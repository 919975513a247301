"""Tests of points tuned by descent: notation, counted effects, and patterns that keep their meaning."""

from __future__ import annotations

import io
import json
import re
from functools import cache
from zlib import crc32

import numpy as np
import pytest
from knowledge_files import YAML

from littlego.cli.main import main
from littlego.engines.compiled.engine import compile_book, decide_many
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.files import Knowledge, knowledge_of, read_knowledge
from littlego.knowledge.splice import set_points
from littlego.knowledge.tables import Points
from littlego.knowledge.tabulate import spread
from littlego.learning.fitting.solved import solved_positions
from littlego.learning.mining import tune_cli
from littlego.learning.mining.tuning import PROPORTIONAL, Tuning, _least_points, cells_of, wheres
from littlego.paths import LABELS
from littlego.rules.positionkey import pack_fields
from littlego.truth.labels.labels import moves_left
from littlego.truth.labels.positions import held_out

pytestmark = pytest.mark.thorough

PHASES = {"opening": 13, "middle": 7, "late": 5, "end": 1}
CELLS = 2 * len(PHASES)


def test_a_position_is_in_the_cell_of_its_colour_and_phase():
    codes = np.array([pack_fields(0, 0, 0, 0, left) for left in (24, 13, 12, 7, 6, 5, 4, 1)])
    assert cells_of(codes, [*PHASES.values()]).tolist() == [0, 4, 1, 5, 2, 6, 3, 7]
    assert cells_of(codes, [1]).tolist() == [0, 1, 0, 1, 0, 1, 0, 1]


def test_a_step_changes_a_cell_or_a_row_or_all():
    found = [where.cells for where in wheres(len(PHASES))]
    assert found == [[*range(CELLS)], [0, 1, 2, 3], [4, 5, 6, 7], *([cell] for cell in range(CELLS))]
    assert [where.cells for where in wheres(1)] == [[0, 1]]


WRONG = {"down-to-two-liberties": "0", "escape-by-extending": "1 * size(A)", "hane-on-the-edge": "100"}
EVERY = 6  # use every sixth of the other patterns, by name, so that the file is read quickly


@cache
def detuned() -> str:
    """Return YAML with a part of the player's patterns, of which three have wrong points."""
    head, *patterns = re.split(r"(?=\n  - id: )", YAML.read_text(encoding="utf-8"))
    chosen = [
        one
        for one in patterns
        if crc32(one.split()[2].encode()) % EVERY == 0 or "\n    forbid: true" in one or one.split()[2] in WRONG
    ]
    return set_points(head + "".join(chosen), YAML.name, WRONG)


@cache
def knowledge_in(text: str) -> Knowledge:
    return knowledge_of(compile_text(text, YAML.name, with_examples=False)[2], YAML.name)


@cache
def tuned() -> Tuning:
    """Return a tuning of the detuned patterns after two sweeps."""
    tuning = Tuning(knowledge_in(detuned()), *solved_positions(LABELS, []))
    for _ in range(2):
        list(tuning.sweep())
    return tuning


def test_fewer_wins_are_given_away_where_it_was_searched_and_where_not():
    shares = {one.name: one for one in tuned().shares()}
    assert [*shares] == ["Black, fitted to", "White, fitted to", "Black, held out", "White, held out"]
    assert all(one.after <= one.before for one in shares.values())
    assert sum(one.after for one in shares.values()) < 0.8 * sum(one.before for one in shares.values())
    assert "hane-on-the-edge" in {change.entry for change in tuned().changes()}


def test_the_player_with_the_new_points_does_what_was_counted():
    points = {change.entry: change.new for change in tuned().changes()}
    book = knowledge_in(set_points(detuned(), YAML.name, points)).book
    labels, weights = solved_positions(LABELS, [])
    moves, _ = decide_many(labels.codes, compile_book(book))
    lost = labels.winning >> moves & 1 == 0
    white, held = moves_left(labels.codes) % 2 == 1, held_out(labels.codes)
    for share, part in zip(tuned().shares(), [(0, 0), (1, 0), (0, 1), (1, 1)], strict=True):
        some = (white == part[0]) & (held == part[1])
        assert share.positions == some.sum() and share.after == weights[some & lost].sum()


def test_no_pattern_comes_to_say_the_opposite():
    tuning = tuned()
    sign = np.sign(tuning.least.sum(axis=1))[:, None]
    assert (sign * (tuning.least + tuning.moved) >= 0).all()
    assert not tuning.moved[sign[:, 0] == 0].any()
    forbidding = [index for index, one in enumerate(tuning.knowledge.book.patterns) if one.forbid]
    assert forbidding and not tuning.moved[forbidding].any()


@pytest.mark.parametrize(
    ("text", "least"),
    [
        ("-20", [-20] * CELLS),
        ("-60 + 60 * (moves_left <= 6)", [-60, -60, 0, 0] * 2),
        ("9 * size(A) + 7 * size(B) - 2 + 60 * (colour == 2)", [14] * 4 + [74] * 4),
        ("size(A) == 2", [PROPORTIONAL] * CELLS),
    ],
)
def test_what_points_come_to_at_least(text, least):
    assert _least_points(spread(Points(text), PHASES, 24)).tolist() == least


def test_points_are_shown_and_written_where_they_are_accepted(tmp_path, capsys, monkeypatch):
    path, found = tmp_path / "patterns.yaml", tmp_path / "found.json"
    path.write_text(detuned(), encoding="utf-8")
    monkeypatch.setattr(tune_cli, "_tuning", lambda *_: Swept())
    command = ["dev", "tune", "-f", str(path)]
    assert main([*command, "--json", str(found)]) == 1
    shown = capsys.readouterr().out
    assert "hane-on-the-edge" in shown and "given away" in shown
    assert path.read_text(encoding="utf-8") == detuned()
    monkeypatch.setattr("sys.stdin", io.StringIO("n\ny\nq\n"))
    assert main([*command, "--accept", "--interactive"]) == 1
    said = json.loads(found.read_text(encoding="utf-8"))["changes"]
    assert changed(path) == {said[1]["entry"]: said[1]["new"]}
    path.write_text(detuned(), encoding="utf-8")
    assert main([*command, "--accept", "--id", said[2]["entry"], "--most", "1"]) == 0
    assert changed(path) == {said[2]["entry"]: said[2]["new"]}
    path.write_text(detuned(), encoding="utf-8")
    assert main([*command, "--accept", "--most", "1"]) == 0
    assert "smaller changes are not shown" in capsys.readouterr().out
    assert changed(path) == {one["entry"]: one["new"] for one in said}


class Swept(Tuning):
    """A stand-in for Tuning with the result of two sweeps of the detuned patterns."""

    def __init__(self):
        vars(self).update(vars(tuned()))

    def sweep(self):
        yield False


def changed(path) -> dict[str, str]:
    """Return, by id, the points in a file that differ from the detuned patterns."""
    before = knowledge_in(detuned()).known
    return {
        name: " ".join(pattern.points_text.split())
        for name, pattern in read_knowledge(str(path)).known.items()
        if pattern.points_text != before[name].points_text
    }


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["-f", str(YAML.with_suffix(".txt"))], "expected the YAML file from which it was compiled"),
        (["-f", str(YAML.with_name("patterns.match.yaml"))], "only its positions can be solved"),
        (["--interactive"], "needs --accept"),
        (["--id", "nobody"], "no pattern `nobody`"),
    ],
)
def test_wrong_usage_is_refused_in_a_line(options, why, capsys, monkeypatch):
    monkeypatch.setattr(
        "littlego.learning.mining.tuning.Tuning.__init__",
        lambda self, knowledge, *_: vars(self).update(knowledge=knowledge),
    )
    assert main(["dev", "tune", *options]) == 2
    assert why in capsys.readouterr().err
