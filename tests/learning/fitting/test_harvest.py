"""Tests of `dev harvest`: the compiled rules and the shapes by slow definitions, and the fitted weights."""

from __future__ import annotations

import random

import numpy as np
import pytest

from littlego.cli.main import main
from littlego.engines.large.shapes import CELLS, REACH, RINGS, Shape, images, read_shapes, shapes_of
from littlego.engines.large.state import make_state
from littlego.games.game import why_illegal
from littlego.games.match import match_rules
from littlego.learning.fitting import harvest, harvest_kernels
from littlego.records.packed_games import PackedGame
from littlego.rules.position import BLACK

SIZE = 9
WIDTH = SIZE + 2 * REACH


def random_game(seed: int, plies: int = 60) -> PackedGame:
    rng = random.Random(seed)
    position, moves = match_rules(SIZE, pass_stones=False).opening(), []
    while len(moves) < plies:
        point = rng.randrange(SIZE * SIZE)
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
    found = harvest.found_in(GAMES, 3)
    played: dict[bytes, int] = {}
    for game in GAMES:
        for position, move in zip(game.positions(), game.moves, strict=True):
            cells = _cells(position, move)
            for ring in RINGS:
                drawing = min(images(cells[:ring]))
                played[drawing] = played.get(drawing, 0) + 1
    assert sorted(found.values()) == sorted(drawing for drawing, number in played.items() if number >= 3)


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


def test_the_counts_agree_with_the_shapes_of_the_engine(tmp_path, monkeypatch):
    path = tmp_path / "shapes.txt"
    found = harvest.found_in(GAMES, 3)
    model = harvest.new_model(len(found))
    agreement = [*harvest.fit(model, GAMES, list(found), 2)]
    assert agreement[0][2] > agreement[2][2]  # the surprise falls
    fitted = harvest.shapes_of(model, list(found.values()))
    path.write_bytes(harvest.file_of(fitted, ["test"]))
    assert [*read_shapes(path)] == fitted
    monkeypatch.setattr("littlego.engines.large.shapes.FILE", path)
    counts = {shape.drawing: [0, 0] for shape in fitted}
    for game in GAMES:
        for position, move in zip(game.positions(), game.moves, strict=True):
            for mark, shape in shapes_of(make_state(position)).items():
                point = mark.bit_length() - 1
                if why_illegal(position, point) in ("", "it repeats an earlier board"):
                    counts[shape.drawing][1] += 1
                    counts[shape.drawing][0] += point == move
    assert counts == {shape.drawing: [shape.played, shape.seen] for shape in fitted}


def test_the_weights_maximize_the_probability_of_the_moves():
    """Compare with the gradient of the mean surprise, computed by small differences."""
    found = harvest.found_in(GAMES, 20)
    model = harvest.new_model(len(found))
    *_, last = harvest.fit(model, GAMES, list(found), 60)
    known = np.array(list(found), np.int64)
    frequent = np.argsort(-model.counts[:, 0])[:5]
    for weight in frequent:
        for change in (-0.3, 0.3):
            moved = harvest.Fitted(model.weights.copy(), model.counts.copy())
            moved.weights[weight] += change
            assert harvest._learned(GAMES, known, moved, np.zeros(model.weights.size), 0.0)[2] > last[2]


def test_points_are_relative_to_the_mean_move():
    model = harvest.Fitted(np.log([4.0, 1.0, 1.0]), np.array([[3.0, 10], [1, 10], [0, 0]]))
    assert harvest.shapes_of(model, [b"X...", b"....", b"O..."]) == [
        Shape(b"X...", 5, 3, 10),
        Shape(b"....", -9, 1, 10),
    ]


def test_the_command_writes_the_same_file_twice(tmp_path, capsys):
    games = tmp_path / "games.txt"
    letters = "abcdefghi"
    lines = ["".join(letters[move % 9] + letters[move // 9] for move in game.moves) for game in GAMES]
    games.write_text("Games on 9x9\n" + "".join(f"B+R {line}\n" for line in lines))
    for name in ("one.txt", "two.txt"):
        arguments = ["dev", "harvest", str(games), "--least", "4", "--rounds", "2", "-o", str(tmp_path / name)]
        assert main(arguments) == 0
    assert (tmp_path / "one.txt").read_bytes() == (tmp_path / "two.txt").read_bytes()
    printed = capsys.readouterr().out
    assert printed.count("surprise") == 6
    assert "points by steps from the last move: 0: " in printed
    assert f"one.txt: wrote {len(read_shapes(tmp_path / 'one.txt'))} shapes" in printed


@pytest.mark.parametrize(
    ("game", "message"),
    [
        ("B+R ccgg", "no shape was played 20 times; use more games or a smaller --least"),
        ("B+R tt", "no game has a move to learn from"),
    ],
)
def test_games_without_shapes(tmp_path, capsys, game, message):
    games = tmp_path / "games.txt"
    games.write_text(f"Games on 9x9\n{game}\n")
    assert main(["dev", "harvest", str(games), "-o", str(tmp_path / "shapes.txt")]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "shapes.txt").exists()
