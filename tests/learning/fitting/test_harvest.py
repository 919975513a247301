"""Tests of `dev harvest`: the compiled rules and the shapes by slow definitions, and the fitted weights."""

from __future__ import annotations

import random

import numpy as np
import pytest

from littlego.cli.main import main
from littlego.engines.large.shapes import (
    CELLS,
    ENDS,
    LAST,
    NOWHERE,
    REACH,
    Shape,
    answers_of,
    drawing_of,
    images,
    key_of,
    read_shapes,
    shapes_of,
)
from littlego.engines.large.state import make_state
from littlego.games.game import why_illegal
from littlego.games.match import match_rules
from littlego.learning.fitting import harvest, harvest_kernels
from littlego.learning.fitting.samples import Sample, sampled
from littlego.records.packed_games import PackedGame
from littlego.records.recorded_games import GamesError
from littlego.rules.position import BLACK, PASS

SIZE = 9
WIDTH = SIZE + 2 * REACH


def random_game(seed: int, plies: int = 60, size: int = SIZE) -> PackedGame:
    rng = random.Random(seed)
    position, moves = match_rules(size, pass_stones=False).opening(), []
    while len(moves) < plies:
        point = rng.randrange(size * size)
        if not why_illegal(position, point):
            moves.append(point)
            position = position.play(point)
    return PackedGame(position.ruleset, ("?", "?"), ("", ""), seed, 0, 0, "", 0, tuple(moves))


GAMES = [random_game(seed) for seed in range(12)]


def inner(board: np.ndarray) -> np.ndarray:
    return board.reshape(WIDTH, WIDTH)[REACH:-REACH, REACH:-REACH]


def test_the_compiled_rules_agree_with_the_match():
    for game in GAMES:
        board, (stack, seen) = harvest.empty_board(SIZE), np.zeros((2, WIDTH * WIDTH), np.int64)
        for ply, (move, position) in enumerate(zip(harvest.moves_of(game), game.positions(), strict=True)):
            colour = BLACK + ply % 2
            for point in range(SIZE * SIZE):
                mark = 1 << point
                row, column = divmod(point, SIZE)
                stone = 1 if position.black & mark else 2 if position.white & mark else 0
                assert inner(board)[row, column] == stone
                if not stone:
                    place = (row + REACH) * WIDTH + column + REACH
                    allowed = harvest_kernels.may_play(board, place, colour, WIDTH, stack, seen)
                    wrong = why_illegal(position, point)
                    assert allowed == (not wrong or "repeats" in wrong or "ko" in wrong), wrong
            harvest_kernels.play(board, move, colour, WIDTH, stack, seen)


def test_shapes_that_are_played_often():
    played: dict[bytes, int] = {}
    for game in GAMES:
        last = None
        for position, move in zip(game.positions(), game.moves, strict=True):
            for place in {NOWHERE, _place(move, last)}:
                for end in ENDS:
                    drawing = drawing_of(*min(images(place, _cells(position, move)[:end])))
                    played[drawing] = played.get(drawing, 0) + 1
            last = move
    found = harvest.shapes_in(GAMES, 3)
    assert sorted(found.drawings) == sorted(drawing for drawing, number in played.items() if number >= 3)
    assert (np.diff(found.codes) > 0).all()
    for drawing, level, parent in zip(found.drawings, found.level, found.parent, strict=True):
        place, contents = key_of(drawing)
        assert len(contents) == ENDS[level]
        if level:
            smaller = {drawing_of(*key) for key in images(place, contents[: ENDS[level - 1]])}
            assert found.drawings[parent] in smaller


def _place(move: int, last: int | None, size: int = SIZE) -> int:
    """Return the place of the last move in the cells around a move, or NOWHERE."""
    if last is None:
        return NOWHERE
    cell = last // size - move // size, last % size - move % size
    return CELLS.index(cell) if cell in CELLS else NOWHERE


def _cells(position, move) -> bytes:
    size, own = position.ruleset.size, position.own
    contents = []
    for down, right in CELLS:
        row, column = move // size + down, move % size + right
        if not (0 <= row < size and 0 <= column < size):
            contents.append("#")
        else:
            mark = 1 << row * size + column
            contents.append("X" if own & mark else "O" if position.theirs & mark else ".")
    return "".join(contents).encode()


def model_of(least: int) -> harvest.Model:
    found = harvest.shapes_in(GAMES, least)
    return harvest.Model(found, harvest.choices_in(sampled(GAMES, 100, loser=1.0), found.codes, 1), 1)


@pytest.mark.parametrize("size", [5, 13, 19])
def test_the_features_of_all_legal_moves(size):
    game = random_game(7, 16, size)
    known = harvest.shapes_in([game], 1)
    names = {key_of(drawing): number for number, drawing in enumerate(known.drawings)}
    choices = harvest.choices_in([Sample(game, (0, 1, 9, 15))], known.codes, 1)
    positions = game.positions()
    for choice, ply in enumerate((0, 1, 9, 15)):
        position, rows = positions[ply], range(choices.starts[choice], choices.starts[choice + 1])
        last, own = (game.moves[ply - back] if ply >= back else None for back in (1, 2))
        legal = [
            point
            for point in range(size * size)
            if not (position.black | position.white) >> point & 1
            and ((wrong := why_illegal(position, point)) == "" or "repeats" in wrong or "ko" in wrong)
        ]
        assert legal[choices.right[choice] - rows[0]] == game.moves[ply]
        for row, point in zip(rows, legal, strict=True):
            shape, answer, pair = choices.features[row]
            assert pair == _steps(point, last, size) * 20 + _steps(point, own, size)
            assert shape == _largest(names, NOWHERE, _cells(position, point))
            place = _place(point, last, size)
            assert answer == (len(names) if place == NOWHERE else _largest(names, place, _cells(position, point)))


def _largest(names: dict[tuple[int, bytes], int], place: int, cells: bytes) -> int:
    """Return the index of the largest shape before the first unknown one."""
    found = len(names)
    for end in ENDS:
        key = min(images(place, cells[:end]))
        if key not in names:
            break
        found = names[key]
    return found


def _steps(point: int, other: int | None, size: int) -> int:
    if other is None:
        return 19
    rows, columns = abs(point // size - other // size), abs(point % size - other % size)
    return min(rows + columns + max(rows, columns), 19)


def test_the_number_of_processes_does_not_change_the_choices():
    samples = sampled(GAMES, 20, loser=1.0)
    codes = harvest.shapes_in(GAMES, 5).codes
    for one, two in zip(harvest.choices_in(samples, codes, 1), harvest.choices_in(samples, codes, 2), strict=True):
        assert np.array_equal(one, two)


def test_an_illegal_move_is_an_error():
    game = GAMES[0]._replace(moves=(3, 12, 3, 40))
    told = r"^the game \? against \?, .*, seed 0: move 3, 0,3: there is a stone already$"
    with pytest.raises(GamesError, match=told):
        harvest.choices_in([Sample(game, (1, 2, 3))], harvest.shapes_in(GAMES, 5).codes, 1)


def test_moves_from_the_first_pass_on_are_left_out():
    game = GAMES[0]
    passed = harvest.before_pass(game._replace(moves=(*game.moves[:30], PASS, PASS, *game.moves[30:])))
    assert passed.moves == game.moves[:30]


def test_the_counts_agree_with_the_shapes_of_the_engine(tmp_path, monkeypatch):
    path = tmp_path / "shapes.txt"
    model = model_of(3)
    fitted = model.scored_shapes(model.fit()[0])
    assert {LAST in shape.drawing for shape in fitted} == {True, False}
    path.write_bytes(harvest.file_of(fitted, "a test"))
    assert [*read_shapes(path)] == fitted
    monkeypatch.setattr("littlego.engines.large.shapes.FILE", path)
    counts = {shape.drawing: [0, 0] for shape in fitted}
    for game in GAMES:
        for position, move in zip(game.positions(), game.moves, strict=True):
            state = make_state(position)
            for found in (shapes_of(state), answers_of(state)):
                for mark, shape in found.items():
                    point = mark.bit_length() - 1
                    wrong = why_illegal(position, point)
                    if not wrong or "repeats" in wrong or "ko" in wrong:
                        counts[shape.drawing][1] += 1
                        counts[shape.drawing][0] += point == move
    assert counts == {shape.drawing: [shape.played, shape.seen] for shape in fitted}


def test_the_slope_is_the_change_of_the_surprise():
    model = model_of(5)
    rng = np.random.default_rng(1)
    weights = rng.normal(size=model.shapes + harvest_kernels.DISTANCES)
    slope = model.slopes(weights)[1]
    frequent = np.argsort(-np.abs(slope))[:40]
    for weight in frequent:
        near = [weights.copy(), weights.copy()]
        near[0][weight] -= 1e-4
        near[1][weight] += 1e-4
        low, high = (model.slopes(one)[0] for one in near)
        assert (high - low) / 2e-4 == pytest.approx(slope[weight], rel=1e-4, abs=1e-4)


def test_the_fitted_weights_are_the_most_probable():
    model = model_of(5)
    weights, steps = model.fit()
    assert steps < harvest.MOST_STEPS
    slope = model.slopes(weights)[1] + weights / harvest.DEVIATION**2
    assert np.abs(slope).max() < 0.5
    assert model.slopes(weights)[0] < 0.95 * model.slopes(np.zeros(weights.size))[0]


def test_the_number_of_threads_does_not_change_the_slopes():
    one = model_of(5)
    two = harvest.Model(one.known, one.choices, 2)
    weights = np.linspace(-1, 1, one.shapes + harvest_kernels.DISTANCES)
    for first, second in zip(one.slopes(weights), two.slopes(weights), strict=True):
        assert np.array_equal(first, second)


def test_points_are_relative_to_the_mean_move():
    """Two shapes remain; the first row is the first choice's move, the third row the second choice's move."""
    found = harvest.KnownShapes(
        np.array([0, 1, 2, 3]), [b"", b"X...", b"O...", b"...."], np.array([0, 1, 1, 1]), np.zeros(4, np.int64)
    )
    features = np.array([[1, 4, 0], [1, 4, 0], [2, 4, 0], [1, 4, 0]], np.int32)
    choices = harvest.Choices(features, np.array([0, 2, 4]), np.array([0, 2]), np.ones(2))
    weights = np.zeros(4 + harvest_kernels.DISTANCES)
    weights[1:3] = np.log([4.0, 1.2])
    assert harvest.Model(found, choices, 1).scored_shapes(weights) == [
        Shape(b"X...", 2, 1, 3),
        Shape(b"O...", -10, 1, 1),
    ]


def test_a_shape_that_scores_like_a_smaller_one_is_omitted():
    found = harvest.KnownShapes(
        np.array([0, 1, 2]), [b"", b"X...", b"X...OO.."], np.array([0, 1, 2]), np.array([0, 0, 1])
    )
    choices = harvest.Choices(np.array([[2, 3, 0], [1, 3, 0]], np.int32), np.array([0, 2]), np.array([0]), np.ones(1))
    weights = np.zeros(3 + harvest_kernels.DISTANCES)
    weights[1:3] = 1.0, 0.05
    assert harvest.Model(found, choices, 1).scored_shapes(weights) == [Shape(b"X...", 0, 1, 2)]


def test_the_command_writes_the_same_file_twice(tmp_path, capsys):
    games = tmp_path / "games.txt"
    letters = "abcdefghi"
    lines = ["".join(letters[move % 9] + letters[move // 9] for move in game.moves) for game in GAMES]
    games.write_text("Games on 9x9\n" + "".join(f"B+R {line}\n" for line in lines))
    for name in ("one.txt", "two.txt"):
        arguments = ["dev", "harvest", str(games), "--least", "4", "--moves", "30", "-o", str(tmp_path / name)]
        assert main(arguments) == 0
    assert (tmp_path / "one.txt").read_bytes() == (tmp_path / "two.txt").read_bytes()
    printed = capsys.readouterr().out
    assert printed.count("surprise") == 2
    assert f"one.txt: wrote {len(read_shapes(tmp_path / 'one.txt'))} shapes" in printed


@pytest.mark.parametrize(
    ("game", "message"),
    [
        ("B+R ccgg", "no shape was played 6 times; use more games or a smaller --least"),
        ("B+R tt", "no game has a move to learn from"),
    ],
)
def test_games_without_shapes(tmp_path, capsys, game, message):
    games = tmp_path / "games.txt"
    games.write_text(f"Games on 9x9\n{game}\n")
    assert main(["dev", "harvest", str(games), "-o", str(tmp_path / "shapes.txt")]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "shapes.txt").exists()


def test_an_unusable_output_is_an_error_before_the_work(tmp_path, capsys):
    games = tmp_path / "games.txt"
    games.write_text("Games on 9x9\nB+R ccggcgeeff\n")
    for output, message in (
        (tmp_path, "expected a file in an existing folder"),
        (tmp_path / "missing" / "shapes.txt", "expected a file in an existing folder"),
        (games, "it is an input file; choose another file"),
    ):
        assert main(["dev", "harvest", str(games), "--least", "1", "-o", str(output)]) == 2
        assert message in capsys.readouterr().err
    assert games.read_text().startswith("Games on 9x9")
