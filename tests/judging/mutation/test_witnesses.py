"""Tests of `mutate --record`, which adds positions that detect mutants of points to the record."""

from __future__ import annotations

import json

import numpy as np
import pytest
from mutation_files import TAKE, WAIT, keep_in, written

from littlego.cli.main import main
from littlego.judging.mutation.witnesses import _around_examples, _boards_near, fewest_witnesses
from littlego.judging.recorded import HEADER, parse_record
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.textfile import book_for
from littlego.rules.engine import decide
from littlego.rules.geometry import count, flood, points_of
from littlego.rules.position import BLACK, WHITE, Position, liberties
from littlego.rules.positionkey import pack, unpack
from littlego.rules.ruleset import LITTLE_GO

BARELY = WAIT.replace("points: 95", "points: 105")  # more than `take` for a single stone, but less than its mutant
ELSEWHERE = HEADER + "# The first move.\n......................... black 24 - - 2,2\n"


@pytest.fixture
def arguments(tmp_path, monkeypatch):
    keep_in(tmp_path, monkeypatch)
    monkeypatch.chdir(tmp_path)
    return ["mutate", *written(tmp_path, TAKE + BARELY, ELSEWHERE)]


def survivors(arguments, tmp_path) -> list[str]:
    main([*arguments, "take", "--json", str(tmp_path / "found.json")])
    return [one["mutant"] for one in json.loads((tmp_path / "found.json").read_text())["survivors"]]


def test_what_is_recorded_kills_the_mutants_of_points(arguments, tmp_path, capsys):
    before = survivors(arguments, tmp_path)
    assert "points 100->110" in before
    assert main([*arguments, "take", "--record"]) == 1
    told = "decisions.txt: 1 position added to detect 1 of 2 survivors with changed points or priorities"
    assert told in _line(capsys)
    assert survivors(arguments, tmp_path) == [name for name in before if name != "points 100->110"]
    # 105 exceeds both values of the mutated points, so no position distinguishes them
    assert "points 100->90" in before


def _line(capsys) -> str:
    return capsys.readouterr().out.splitlines()[-1]


def test_it_adds_to_the_record_what_the_player_plays(arguments, tmp_path):
    main([*arguments, "--record"])
    text = (tmp_path / "decisions.txt").read_text()
    assert text.startswith(ELSEWHERE)
    book = book_for(compile_text((TAKE + BARELY).encode(), "patterns.yaml")[2].ranked(), LITTLE_GO)
    record = parse_record(text, "decisions.txt")
    added = [decide(position, book).move for position in record.positions()]
    assert len(added) > 1 and added[1:] == list(record.moves[1:])


def test_a_second_time_there_is_nothing_left_to_add(arguments, tmp_path, capsys):
    main([*arguments, "--record"])
    before = (tmp_path / "decisions.txt").read_bytes()
    main([*arguments, "--record"])
    assert "decisions.txt: 0 positions added" in _line(capsys)
    assert (tmp_path / "decisions.txt").read_bytes() == before


def test_a_position_that_tells_several_mutants_is_taken_once():
    told = {"a": [7, 2], "b": [2, 9], "c": [9], "d": [], "e": [2]}
    codes = {("p", name): np.array([pack(_position(left)) for left in lefts]) for name, lefts in told.items()}
    assert [position.left for position in fewest_witnesses(codes)] == [2, 9]


def _position(left: int) -> Position:
    return Position(LITTLE_GO, 0, 0, WHITE if left % 2 else BLACK, 0, False, left)


def test_boards_near_an_example_differ_in_a_point_and_leave_each_chain_a_liberty():
    [example, _] = compile_text(TAKE.encode(), "patterns.yaml")[2].patterns[0].examples
    position = example.position()
    boards = set(_boards_near(position))
    assert (position.black, position.white) in boards and len(boards) > 40
    for black, white in boards:
        assert count((black ^ position.black) | (white ^ position.white)) <= 1 and not black & white
        for stones in (black, white):
            for point in points_of(stones):
                assert liberties(flood(1 << point, stones, position.grid), black | white, position.grid)


def test_they_are_looked_at_at_each_time_at_which_so_many_stones_can_stand():
    [pattern] = compile_text(TAKE.encode(), "patterns.yaml")[2].patterns
    positions = [unpack(int(code)) for code in _around_examples(pattern)]
    assert {position.left for position in positions} == set(range(2, 24, 2))
    for position in positions:
        made = LITTLE_GO.length - position.left
        assert count(position.black) <= (made + 1) // 2 and count(position.white) <= made // 2


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--record", "--list"], "--record together with --list: choose one"),
        (["--record", "--ruleset", "match"], "--record supports only little-go; to record a sample"),
    ],
)
def test_what_it_cannot_record_it_says(arguments, told, capsys):
    assert main(["mutate", *arguments]) == 2
    assert told in capsys.readouterr().err
