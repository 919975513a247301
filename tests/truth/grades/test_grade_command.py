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


def worths_by_removal(files, source: str = "all") -> dict[str, tuple[int, ...]]:
    """Return {pattern: (decides, won, given, regained)}: the plain engine decides everywhere without the pattern."""
    labels, knowledge = solved_with_blunders(), read_knowledge(files.yaml)
    legal, tests = legal_many(labels.codes), in_test(labels.codes)
    found = {}
    for name in knowledge.known:
        rest = knowledge.only({*knowledge.known} - {name}).book
        counts = np.zeros(4, int)
        for code, winning, tag, most, test in zip(*map(np.ndarray.tolist, (*labels, legal, tests)), strict=True):
            if test or (source == "met" and tag != ERRS_10):
                continue
            old, new = (pack_move(decide(unpack(code), book).move) for book in (files.book, rest))
            wins, won = (winning >> old & 1, winning >> new & 1), winning not in (0, most)
            counts += old != new, won and old != new, won and wins == (1, 0), won and wins == (0, 1)
        found[name] = tuple(counts.tolist())
    return found


@pytest.mark.parametrize("source", ["all", "met"])
def test_a_pattern_is_worth_the_wins_that_are_given_away_without_it(files, capsys, source):
    assert files.run("--worth", "--source", source, "--json") == 0
    found = json.loads(capsys.readouterr().out)["worths"]
    counts = {name: tuple(one[key] for key in ("decides", "won", "given", "regained")) for name, one in found.items()}
    assert counts == worths_by_removal(files, source)
    assert any(given for *_, given, _ in counts.values()) and any(regained for *_, regained in counts.values())
    worths = [one["worth"] for one in found.values()]
    assert worths == [given - regained for *_, given, regained in counts.values()] == sorted(worths)
    for one in found.values():
        changed = one["given"] + one["regained"]
        for limit in (one["low"], one["high"]):  # the ends of a score test of the share of wins given away
            share = (limit / changed + 1) / 2 if changed else 0
            off = abs(one["given"] - changed * share)
            assert off == pytest.approx(1.959964 * (changed * share * (1 - share)) ** 0.5, abs=1e-4) or share in (0, 1)


def test_worths_are_shown_only_where_they_are_asked_for(files, capsys):
    assert files.run("--worth", "--source", "all") == 0
    printed = capsys.readouterr().out
    table = printed.split("Worth alone")[1]
    for name, counts in worths_by_removal(files).items():
        assert re.search(rf"{name} +" + " +".join(str(count or "-") for count in counts), table)
    assert max(map(len, printed.splitlines())) <= 80
    assert files.run("--worth", "above-own") == 0
    printed = capsys.readouterr().out
    assert "touch-theirs" not in printed and "Worth alone" in printed
    assert files.run("--json") == 0
    assert json.loads(capsys.readouterr().out)["worths"] is None


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
