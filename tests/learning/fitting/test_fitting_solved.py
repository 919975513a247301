"""Tests of points fitted to solved positions: table (checked by the Python engine), fit, and command."""

from __future__ import annotations

import json
from functools import lru_cache

import numpy as np
import pytest
from fitted_games import YAML
from labelled_games import solved_farther

from littlego.cli.arguments import ArgumentError
from littlego.cli.main import main
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.files import book_of_lines
from littlego.knowledge.model import SCALE
from littlego.knowledge.textfile import pattern_line
from littlego.learning.fitting.fitting import Settings, fit_solved
from littlego.learning.fitting.points import weights_of
from littlego.learning.fitting.samples import FOLDS, HELD_OUT
from littlego.learning.fitting.solved import folds_of, solved_positions, solved_table
from littlego.rules.engine import decide
from littlego.rules.positionkey import pack_move, unpack
from littlego.truth.labels import ERRS_10
from littlego.truth.labels.labels import Labels, in_test, save
from littlego.truth.labels.positions import at_stake, held_out

ENTRY = """\
  - id: {0}
    class: {1}
    summary: Of some move.
    priority: 500
    points: {2}
    diagram: |
      {3}
    examples:
      matches:
        - board: |
            . . . . .
            . X O . .
            . . . . .
            . . . . .
            . . . . .
          move: {4}
      no_match:
        - board: |
            . . . . .
            . X O . .
            . . . . .
            . . . . .
            . . . . .
          move: 4,4
"""


def patterns(touch: int, extend: int) -> str:
    """Return a small patterns.yaml.

    touch, extend: the points of a move beside a stone of the opponent, and beside a stone of the mover.
    """
    entries = (
        ENTRY.format("touch", "attack", touch, "O *", "1,3"),
        ENTRY.format("extend", "connect", extend, "X *", "1,0"),
    )
    return "ruleset: little-go\npatterns:\n" + "".join(entries)


def base_of(text: str):
    _, _, base = compile_text(text, "patterns.yaml")
    assert base is not None
    return base


@lru_cache(maxsize=1)
def positions() -> Labels:
    """Return solved positions for training and test, beyond the horizon of the safety check."""
    codes, winning = solved_farther(1000, 11)
    return Labels(codes, winning, np.full(codes.size, ERRS_10, dtype=np.uint8))


@pytest.fixture(scope="module")
def labels(tmp_path_factory):
    save(positions(), path := tmp_path_factory.mktemp("labels") / "labels.npz")
    return path


def test_the_positions_are_those_at_stake_outside_the_test_part(labels):
    found, weight = solved_positions(labels, [])
    assert (weight == 1).all()
    everything = positions()
    wanted = at_stake(everything.codes, everything.winning) & ~in_test(everything.codes)
    assert found.codes.tolist() == everything.codes[wanted].tolist() and found.codes.size > 20


def test_folds_depend_on_the_board_alone():
    codes = positions().codes
    folds = folds_of(codes)
    assert set(folds.tolist()) == {HELD_OUT, *range(FOLDS)}
    assert ((folds == HELD_OUT) == held_out(codes)).all()
    assert folds_of(codes[::-1]).tolist() == folds[::-1].tolist()


def test_the_first_option_is_what_the_engine_plays(labels):
    base, (found, weight) = base_of(patterns(7, 12)), solved_positions(labels, [])
    weights, columns = weights_of(base)
    book = book_of_lines(tuple(pattern_line(pattern) for pattern in base.ranked()))
    table = solved_table((found, weight), book, base.ranked(), weights, columns)
    ranks = table.ranks(np.array([one.start for one in weights]))
    seen = 0
    for index, code in enumerate(found.codes.tolist()):
        made = decide(unpack(code), book, complete=True)
        winning = int(found.winning[index])
        if made.chosen.veto or not made.chosen.firings:
            assert not table.choices.right[table.choices.starts[index] : table.choices.starts[index + 1]].any()
            continue
        seen += 1
        assert (ranks[index] == 0) == bool(winning >> pack_move(made.move) & 1)
        assert table.groups[table.group[index]] == ("White" if made.position.left % 2 else "Black")
        assert table.fired[index].any() == (ranks[index] >= 0)
    assert seen > 20


def test_positions_that_stand_for_others_count_for_them(labels, tmp_path):
    known, _ = solved_positions(labels, [])
    some = known.codes[:4]
    np.savez(tmp_path / "walk.npz", codes=some, winning=known.winning[:4], weight=np.array([1.0, 1.0, 1.0, 5.0]))
    found, weight = solved_positions(labels, [tmp_path / "walk.npz"])
    assert found.codes.tolist() == known.codes.tolist()
    assert weight[:4].tolist() == [0.5, 0.5, 0.5, 2.5] and (weight[4:] == 1).all()
    np.savez(tmp_path / "walk.npz", codes=some, winning=known.winning[:4], weight=np.array([1.0, 0.0, 1.0, 5.0]))
    with pytest.raises(ArgumentError, match=r"walk\.npz: expected a weight above 0 for each of its 4 positions"):
        solved_positions(labels, [tmp_path / "walk.npz"])


def test_points_that_lose_games_are_mended(labels):
    found = solved_positions(labels, [])
    result = fit_solved(base_of(patterns(-90, 90)), found, Settings(0, 0, 30.0, False))
    fitted = {change.entry: change.fitted * SCALE for change in result.changes}
    assert fitted["touch"] > 5 > fitted["extend"]  # with other samples, touch is 12 to 24 and extend -8 to 0
    before, after = result.agreements(~result.table.held)
    assert after.surprise < before.surprise and after.first > before.first
    assert list(result.parts()) == ["fitted to", "held out", "held out, Black", "held out, White"]
    again = fit_solved(base_of(patterns(-90, 90)), found, Settings(0, 0, 30.0, False))
    assert again.changes == result.changes


def test_the_command_shows_it_and_writes_what_is_accepted(labels, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "patterns.yaml"
    path.write_text(patterns(-90, 90))
    words = ["dev", "fit", "patterns.yaml", "--labels", str(labels), "--prior", "30", "--around", "zero"]
    assert main(words) == 1
    shown = capsys.readouterr().out
    number = solved_positions(labels, [])[0].codes.size
    assert f"patterns.yaml: 2 weights fitted to {number} solved positions" in " ".join(shown.split())
    assert "held out, White" in shown and "right" in shown
    assert path.read_text() == patterns(-90, 90)
    assert main([*words, "--accept", "--json", "fit.json"]) == 0
    told = json.loads((tmp_path / "fit.json").read_text())
    assert told["positions"] == number and "points: -90" not in path.read_text()


def test_more_positions_may_be_given(labels, tmp_path):
    everything = positions()
    half = everything.where(np.arange(everything.codes.size) % 2 == 0)
    save(half, tmp_path / "half.npz")
    whole, _ = solved_positions(tmp_path / "half.npz", [labels])
    assert whole.codes.tolist() == solved_positions(labels, [])[0].codes.tolist()


@pytest.mark.parametrize(
    ("file", "words", "said"),
    [
        ("patterns.yaml", ["--size", "9"], "to solved positions; omit --games-from, --size, --moves, --loser\n"),
        ("patterns.yaml", ["--loser", "0"], "to solved positions; omit --games-from, --size, --moves, --loser\n"),
        (
            "patterns.match.yaml",
            ["--labels", "some.npz"],
            "patterns.match.yaml is for match, so it is fitted to games; omit --labels, --from\n",
        ),
    ],
)
def test_what_a_file_is_not_fitted_to_is_refused(tmp_path, monkeypatch, capsys, file, words, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / file).write_text(patterns(5, 5) if file == "patterns.yaml" else YAML)
    assert main(["dev", "fit", file, *words]) == 2
    told = capsys.readouterr().err
    assert said in told and f"{file} is for " in told
