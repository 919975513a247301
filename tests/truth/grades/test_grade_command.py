"""Tests of the command `grade-patterns`: its output, its JSON, and its errors."""

from __future__ import annotations

import json
import re
from collections import Counter

import numpy as np
import pytest
from labelled_games import solved_with_blunders

from littlego.cli.main import main
from littlego.engines.reasons.contrast import PRESENT, roles_of
from littlego.knowledge.files import read_knowledge
from littlego.knowledge.overrides import to_bytes
from littlego.rules.engine import decide
from littlego.rules.positionkey import pack_move, unpack
from littlego.truth.labels import ERRS_10, decider
from littlego.truth.labels.labels import in_test, legal_many, moves_left, save

EXAMPLES = """\
    examples:
      matches:
        - board: |
            . . . . .
            . X O . .
            . . . . .
            . . . . .
            . . . . .
          move: {move}
      no_match:
        - board: |
            . . . . .
            . X O . .
            . . . . .
            . . . . .
            . . . . .
          move: 4,4
"""
PATTERNS = f"""\
ruleset: little-go
patterns:
  - id: above-own
    class: shape
    summary: Stand beside an own stone.
    priority: 500
    points: 5 * line(*)
    diagram: |
      X *
{EXAMPLES.format(move="1,0")}
  - id: touch-theirs
    class: shape
    summary: Touch a stone of theirs.
    priority: 400
    points: 10
    diagram: |
      O *
{EXAMPLES.format(move="1,3")}
"""


class Files:
    """Files with labels of random positions, and with patterns."""

    def __init__(self, folder):
        self.folder = folder
        self.labels, self.yaml = folder / "labels.npz", folder / "patterns.yaml"
        save(solved_with_blunders(), self.labels)
        self.yaml.write_text(PATTERNS)
        self.book = read_knowledge(self.yaml).book

    def run(self, *args) -> int:
        return main(["dev", "grade-patterns", "--patterns", str(self.yaml), "--labels", str(self.labels), *args])

    def blunders(self, part: str, met: bool = True) -> list[tuple[int, int]]:
        """Return (code, move) for each win that the engine gives away when it decides position by position."""
        labels, found = solved_with_blunders(), []
        legal, tests = legal_many(labels.codes), in_test(labels.codes)
        for code, winning, tag, most, test in zip(*labels, legal, tests, strict=True):
            move = pack_move(decide(unpack(code), self.book).move)
            gives = winning not in (0, most) and not int(winning) >> move & 1
            if gives and test == (part == "test") and (tag == ERRS_10 or not met):
                found.append((int(code), move))
        return found


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.setattr(decider, "OVERRIDES", tmp_path / "overrides.txt")
    return Files(tmp_path)


@pytest.mark.parametrize("part", ["working", "test"])
def test_the_player_is_judged_by_what_it_met_in_one_part(files, capsys, part):
    assert files.run("--part", part, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    blunders = files.blunders(part)
    assert blunders
    assert sorted(one["code"] for one in found["blunders"]) == sorted(code for code, _ in blunders)
    rows = {row["left"]: row["blundered"] for row in found["player"]["rows"]}
    assert Counter({left: count for left, count in rows.items() if count}) == Counter(
        code >> 56 for code, _ in blunders
    )
    assert sum(found["blamed"].values()) >= len(blunders) and found["with_overrides"] is None
    blundered = found["measures"].index("blundered")
    cells = [cell for one in found["patterns"].values() for phase in one.values() for cell in phase.values()]
    assert sum(cell[blundered] for cell in cells) == _blame(files, part).total()


def _blame(files, part) -> Counter:
    made = (decide(unpack(code), files.book) for code, _ in files.blunders(part, met=False))
    return Counter(name for one in made for name, role in roles_of(one).items() if role != PRESENT)


def test_the_terminal_shows_rates_patterns_and_the_worst_boards(files, capsys):
    assert files.run("--boards", "2") == 0
    printed = capsys.readouterr().out
    blunders = files.blunders("working")
    assert len(blunders) >= 2 == len(re.findall(r" played \d,\d", printed))
    assert "averaged over" in printed and "above-own" in printed and "+" in printed
    assert max(map(len, printed.splitlines())) <= 80


def test_a_pattern_in_detail_by_phase_and_colour(files, capsys):
    assert files.run("above-own") == 0
    printed = capsys.readouterr().out
    assert "Stand beside an own stone." in printed and "X *" in printed and "end (10-3), white" in printed
    assert "last two (2-1), black" in printed and "The player on" not in printed


def test_overrides_are_measured_beside_the_patterns(files, capsys):
    code, _ = files.blunders("working")[0]
    labels = solved_with_blunders()
    winning = int(labels.winning[labels.codes == code][0])
    right = next(move for move in range(26) if winning >> move & 1)
    path = files.folder / "overrides.txt"
    path.write_bytes(to_bytes({code: right}))
    assert files.run("--json") == 0
    found = json.loads(capsys.readouterr().out)
    plain, mended = (sum(row["blundered"] for row in found[key]["rows"]) for key in ("player", "with_overrides"))
    assert mended == plain - 1 == len(files.blunders("working")) - 1
    assert files.run() == 0
    assert "with overrides" in capsys.readouterr().out
    path.write_bytes(path.read_bytes()[:-3])
    assert files.run() == 2
    assert "overrides.txt: the checksum does not match" in capsys.readouterr().err


def test_fails_over_a_rate(files):
    assert files.blunders("working") and files.run("--fail-over", "0") == 1
    assert files.run("--fail-over", "99") == 0


@pytest.mark.parametrize(
    "args, said",
    [
        (("--part", "test", "--boards", "3"), "boards of the test part are not drawn"),
        (("no-such-pattern",), "no-such-pattern"),
        (("--labels", "{folder}/none.npz"), "create it with `littlego dev label`"),
        (("--openings", "centre"), "no position of the working part"),
        (("--openings", "centre", "--source", "met"), "omit --source"),
        (("--overrides", "{folder}/none.txt"), "No such file"),
        (("-f", "{folder}/none.yaml"), "No such file"),
        (("--json", "/no/such/folder/x.json"), "cannot write /no/such/folder/x.json"),
    ],
)
def test_says_in_a_line_why_it_cannot_run(files, capsys, args, said):
    assert files.run(*(arg.format(folder=files.folder) for arg in args)) == 2
    told = capsys.readouterr().err
    assert said in told and "Traceback" not in told
    assert "Usage: " in told or told.count("\n") == 1


def test_a_part_is_all_that_is_read(files, capsys):
    assert files.run("--part", "test", "--source", "all", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    codes = solved_with_blunders().codes
    codes = codes[in_test(codes)]
    assert found["positions"].endswith(f" {codes.size} positions")
    assert {row["left"] for row in found["player"]["rows"]} == set(moves_left(codes))
    assert all(np.isfinite(list(one.values())).all() for one in found["player"]["mean"].values())
