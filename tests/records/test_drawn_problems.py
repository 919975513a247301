"""Tests of the drawn problems in problems.yaml, and of the reader's messages."""

from __future__ import annotations

from collections import Counter

import pytest
from boards import drawn

from littlego.cli.arguments import ArgumentError
from littlego.games.boards import board_rows
from littlego.records.problems import THEMES, read_problems
from littlego.rules.geometry import make_grid
from littlego.rules.position import PASS, RESIGN, chains, liberties

FEWEST, FEWEST_OF_A_THEME = 150, 25
BOARD = "\n".join(
    [
        "    . . . X O . . . .",
        "    X X X X O . . . .",
        "    O O O O O . . . .",
        *["    . . . . . . . . ."] * 6,
    ]
)
THREE = f'- id: three\n  theme: life\n  right: 0,1\n  why: "The middle makes two eyes."\n  board: |\n{BOARD}\n'


@pytest.fixture(scope="module")
def problems():
    return read_problems()


@pytest.fixture
def read(tmp_path):
    """Return a function that reads a text as a file of problems."""

    def read_text(text):
        path = tmp_path / "problems.yaml"
        path.write_text(text)
        return read_problems(path)

    return read_text


def images_of(rows):
    """Return the eight rotated and mirrored images of a board's rows."""
    images = []
    for _ in range(4):
        rows = ["".join(column) for column in zip(*rows[::-1], strict=True)]  # a quarter turn
        images += [rows, rows[::-1]]
    return images


def test_every_theme_has_enough_problems(problems):
    counts = Counter(problem.theme for problem in problems)
    assert set(counts) == set(THEMES)
    assert sum(counts.values()) >= FEWEST
    assert min(counts.values()) >= FEWEST_OF_A_THEME


def test_three_sizes_are_drawn_most_of_them_small(problems):
    counts = Counter(problem.position.ruleset.size for problem in problems)
    assert set(counts) == {9, 13, 19}
    assert counts[9] + counts[13] > 0.9 * len(problems)


def test_ids_differ(problems):
    assert max(Counter(problem.id for problem in problems).values()) == 1


def test_every_listed_move_is_legal(problems):
    for problem in problems:
        listed = problem.right | problem.wrong
        assert bool(problem.right) != bool(problem.wrong), problem.id
        assert all(move == PASS or problem.position.allows(move) for move in listed), problem.id


def test_every_problem_can_be_failed_and_solved(problems):
    for problem in problems:
        legal = problem.position.legal()
        moves = [PASS, *(point for point in range(legal.bit_length()) if legal >> point & 1)]
        assert {problem.is_solved_by(move) for move in moves} == {True, False}, problem.id


def test_every_chain_has_a_liberty(problems):
    for problem in problems:
        position = problem.position
        grid, occupied = make_grid(position.ruleset.size), position.black | position.white
        for chain in chains(position.black, grid) + chains(position.white, grid):
            assert liberties(chain, occupied, grid), problem.id


def test_no_problem_is_another_one_turned_mirrored_or_with_swapped_colours(problems):
    seen = {}
    for problem in problems:
        position = problem.position
        key = min(map(tuple, images_of(board_rows(position.ruleset.size, position.own, position.theirs))))
        assert key not in seen, (problem.id, seen[key])
        seen[key] = problem.id


def test_every_reason_is_a_sentence(problems):
    for problem in problems:
        assert len(problem.why.split()) >= 6, problem.id
        assert problem.why.endswith("."), problem.id
        assert problem.why[0].isupper() or problem.why[0].isdigit(), problem.id


def test_the_moves_and_the_position_are_read(read):
    [problem] = read(THREE.replace("0,1", "0,1 8,8 pass").replace("  board", "  colour: white\n  board"))
    assert (problem.id, problem.theme, problem.why) == ("three", "life", "The middle makes two eyes.")
    assert problem.right == {1, 80, PASS}
    board = drawn(BOARD)
    assert (problem.position.own, problem.position.theirs) == (board.own, board.theirs)
    assert problem.position.white == board.own


def test_wrong_moves_fail_and_all_others_but_a_resignation_solve(read):
    [problem] = read(THREE.replace("right: 0,1", "wrong: 0,0 0,2"))
    assert [problem.is_solved_by(move) for move in (0, 2, 1, PASS, RESIGN, None)] == [False] * 2 + [True] * 2 + [
        False
    ] * 2


@pytest.mark.parametrize(
    "old, new, expected",
    [
        ("theme: life", "theme: ladder", "one of capture, connection"),
        ("right: 0,1", "right: 0,9", "the move `0,9`"),
        ("right: 0,1", "right: 0,1\n  wrong: 0,0", "a problem with 2 lists of moves"),
        ("  right: 0,1\n", "", "a problem with 0 lists of moves"),
        ('  why: "The middle makes two eyes."\n', "", "an incomplete problem"),
        ("  theme", "  move: 0,1\n  theme", "unknown key `move`"),
        ("O O O O O . . . .", "O O O O", "P060"),
    ],
)
def test_mistakes_are_reported(read, old, new, expected):
    assert old in THREE
    with pytest.raises(ArgumentError) as raised:
        read(THREE.replace(old, new))
    assert expected in str(raised.value)
    assert "problems.yaml:" in str(raised.value)


def test_a_file_that_is_not_text_is_reported(tmp_path):
    (tmp_path / "bytes.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ArgumentError, match="is not UTF-8"):
        read_problems(tmp_path / "bytes.yaml")
