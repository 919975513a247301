"""Tests of `weigh`, which compares facts: effects are counted correctly, and planted facts are found."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from knowledge_files import YAML
from mined_games import PATTERNS, knowledge, planted

from littlego.cli.main import main
from littlego.engines.compiled.engine import compile_book, decide_many
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.files import knowledge_of
from littlego.learning.fitting.solved import GROUPS, solved_positions
from littlego.learning.mining import weigh_cli
from littlego.learning.mining.readings import READINGS
from littlego.learning.mining.rules import FACTS, MOVE_FACTS, Features
from littlego.learning.mining.table import table_of
from littlego.learning.mining.tuning import cells_of
from littlego.learning.mining.weighing import NUMBERS, Weighing, all_names
from littlego.paths import LABELS
from littlego.truth.labels.labels import Labels, save
from littlego.truth.labels.positions import held_out

BOUNDS = (1,)  # the file of these tests declares no phases
CELLS = 2 * len(BOUNDS)

EVERY = 15  # of the labels
WITH = """
  - id: with-a-fact
    class: attack
    summary: "What the fact says."
    priority: 500
    points: {points}
    diagram: |
      *
    when:
      - {fact}(*) != 0
    examples:
      matches:
        - move: 0,0
          board: |
            . . . . .
            . . . . .
            . . . . .
            . . . . .
            . . . . .
      no_match:
        - board: |
            . . . . .
            . . . . .
            . . . . .
            . . . . .
            . . . . .
"""


@cache
def positions() -> Labels:
    """Return a sample of the solved positions that have both winning and losing moves."""
    every = solved_positions(LABELS, [])[0]
    return every.where(np.arange(every.codes.size) % EVERY == 0)


@cache
def weighing() -> Weighing:
    return Weighing(knowledge(), positions())


def decided(points: str, fact: str) -> np.ndarray:
    """Return the decisions of the player's patterns and one more pattern with these points."""
    text = Path(PATTERNS).read_text(encoding="utf-8") + WITH.format(points=points, fact=fact)
    book = knowledge_of(compile_text(text, PATTERNS, with_examples=False)[2], PATTERNS).book
    assert len(book.patterns) == len(knowledge().book.patterns) + 1
    return decide_many(positions().codes, compile_book(book))[0]


@pytest.mark.parametrize("fact", ["their_liberties", "atari", "edge"])
def test_the_player_with_one_pattern_more_does_what_was_counted(fact):
    before = positions().winning >> decide_many(positions().codes, compile_book(knowledge().book))[0] & 1
    changes = dict(zip(NUMBERS, weighing().changes(weighing().values(fact)), strict=True))
    told = 0
    for number in (8, -30, 100):
        after = positions().winning >> decided(f"{number} * {fact}(*)", fact) & 1
        assert (changes[number] == after - before).all()
        told += int((after != before).sum())
    assert told


def test_the_best_points_are_those_of_the_boards_that_are_searched():
    values = weighing().values("falls_in_3")
    points, changes = weighing().best_points(values)
    cell, held = cells_of(positions().codes, BOUNDS), held_out(positions().codes)
    for number, tried in zip(NUMBERS, weighing().changes(values), strict=True):
        for one in range(CELLS):
            here = cell == one
            assert tried[here & ~held].sum(dtype=int) <= max(changes[here & ~held].sum(dtype=int), 0)
            if points[one] == number:
                assert (tried[here] == changes[here]).all()
    assert any(points) and not changes[np.isin(cell, [one for one in range(CELLS) if not points[one]])].any()


def test_the_gains_are_counted_for_each_side_and_part():
    weighed = weighing().weigh("falls_in_3")
    blunders, white = weighing().table.blunders, cells_of(positions().codes, BOUNDS) >= CELLS // 2
    for gains, part in ((weighed.searched, ~weighing().held), (weighed.held, weighing().held)):
        assert [gain.given for gain in gains] == [int((blunders & part & (white == side)).sum()) for side in (0, 1)]
        assert all(0 <= gain.kept <= gain.given and gain.lost >= 0 for gain in gains)


def test_a_fact_tells_what_was_planted():
    labels = planted()
    rows = table_of(labels.codes, labels.winning, knowledge().book)
    values = Features(rows).facts["own_near"]
    most = np.maximum.reduceat(values, rows.starts[:-1])[rows.position]
    wins = (values == most) & (most > 0)
    winning = np.zeros(labels.codes.size, np.int32)
    np.bitwise_or.at(winning, rows.position[wins], np.int32(1) << rows.move[wins].astype(np.int32))
    some = Labels(labels.codes, winning, labels.tags).where(winning != 0)
    weighed = {name: Weighing(knowledge(), some).weigh(name) for name in ("own_near", "their_eye")}
    telling, dumb = weighed["own_near"], weighed["their_eye"]
    given = sum(gain.given for gain in (*telling.searched, *telling.held))
    assert sum(gain.kept - gain.lost for gain in telling.held) > 0.2 * sum(gain.given for gain in telling.held)
    assert telling.more.mends > 0.3 * given > dumb.more.mends  # elsewhere all winning moves are vetoed
    assert telling.more.misleads == telling.less.mends == 0
    assert any(number > 0 for number in telling.points)


def test_the_help_names_every_reading():
    shown = " ".join(weigh_cli.EPILOG.split())
    named = set(re.findall(r"[a-z]\w+", shown.split("reading:")[1].split(". Without")[0]))
    assert named == {*READINGS}


def test_what_points_cannot_keep_is_counted_apart():
    table = weighing().table
    stuck = [
        position
        for position in np.flatnonzero(table.blunders)
        if not any(
            table.wins[row] and table.scores.free[row]
            for row in range(table.starts[position], table.starts[position + 1])
        )
    ]
    assert weighing().given == table.blunders.sum() > weighing().beyond == len(stuck) > 0


def test_every_name_is_weighed_once_and_says_what_it_promises():
    names = all_names()
    assert len({*names}) == len(names) and {*MOVE_FACTS} < {*names}
    assert not {*FACTS} & ({*names} - {*MOVE_FACTS})  # a reading that becomes a fact must be deleted from the readings


def test_the_command_shows_and_writes_what_was_found(tmp_path, capsys):
    labels, found = tmp_path / "labels.npz", tmp_path / "found.json"
    save(planted(), labels)
    asked = ["dev", "weigh", "falls_in_2", "own_near", "falls_in_2", "-f", PATTERNS, "--labels", str(labels)]
    assert main([*asked, "--json", str(found)]) == 0
    shown = capsys.readouterr().out
    assert "given away" in shown and f"falls_in_2: {READINGS['falls_in_2'].promise}" in " ".join(shown.split())
    said = {one["name"]: one for one in json.loads(found.read_text(encoding="utf-8"))}
    assert [*said] == ["falls_in_2", "own_near"] and said["own_near"]["promise"] == "The mover's stones adjacent to P."
    assert [*said["own_near"]["held"]] == GROUPS
    assert [*map(len, said["own_near"]["points"].values())] == [CELLS // 2] * 2
    gain = said["own_near"]["held"]["Black"]
    assert f"+{gain['kept']} -{gain['lost']} of {gain['given']}" in shown


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["own_naer"], "`own_naer` is neither a fact about a move nor a reading. Did you mean own_near?"),
        (["legal"], "`legal` is neither a fact about a move"),
        (["xyz"], "See `littlego facts` and `littlego dev weigh --help`."),
        (["-f", str(YAML.with_name("patterns.match.yaml"))], "only its positions can be solved"),
        (["--labels", "none.npz"], "none.npz does not exist"),
    ],
)
def test_wrong_usage_is_refused_in_a_line(options, why, capsys):
    assert main(["dev", "weigh", *options]) == 2
    assert why in capsys.readouterr().err
