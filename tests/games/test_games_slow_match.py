"""Tests of random matches, compared with a slow independent referee.

The tests compare boards, captures, scores and verdicts. Every game is played with and without pass stones; only
prisoners and scores may differ. By default one in 25 games runs; the others are marked `slow`.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest
from random_boards import without_dead
from sgfmill.boards import Board
from slow_match import OCCUPIED, SUICIDE, SUPERKO, SlowMatch, empty_board

from littlego.games.game import margin2, why_illegal, winner_of
from littlego.games.match import MatchPosition, match_rules
from littlego.rules.geometry import Mask, around, count, make_grid, points_of
from littlego.rules.position import BLACK, PASS, WHITE

GAMES = {5: 2000, 9: 2000, 13: 500, 19: 200}
PARTS = 25
OTHERS = 20  # number of points queried at every move in addition to the played point
COLOURS = {BLACK: "B", WHITE: "W"}
WINNERS = {BLACK: "B", WHITE: "W", 0: "."}
CLASSES = {
    "": "",
    "there is a stone already": OCCUPIED,
    "it is suicide": SUICIDE,
    "it retakes a ko at once": SUPERKO,
    "it repeats an earlier board": SUPERKO,
}


def rows_of(position: MatchPosition) -> list:
    """Return a position's board in the slow referee's form."""
    size = position.ruleset.size
    symbols = [
        "B" if position.black >> point & 1 else "W" if position.white >> point & 1 else "."
        for point in range(size * size)
    ]
    return [symbols[start : start + size] for start in range(0, size * size, size)]


def crowded(size: int, rng: random.Random) -> tuple[Mask, Mask]:
    """Return a random board that is full enough for frequent captures and kos."""
    black = white = 0
    for point in range(size * size):
        if rng.random() < 0.75:
            black, white = (black | 1 << point, white) if rng.random() < 0.5 else (black, white | 1 << point)
    return without_dead(black, white, make_grid(size))


def many_kos(size: int, rng: random.Random) -> tuple[Mask, Mask]:
    """Return a board with as many kos as fit, each mirrored at random and owned by a random player."""
    masks = {"X": 0, "O": 0}
    for row in range(0, size - 2, 3):
        for column in range(0, size - 3, 4):
            middle = rng.choice(("XO.O", "X.XO"))
            flipped = rng.choice((1, -1))
            for down, cells in enumerate((".XO.", middle, ".XO.")):
                for right, cell in enumerate(cells[::flipped]):
                    if cell != ".":
                        masks[cell] |= 1 << size * (row + down) + column + right
    return masks["X"], masks["O"]


# by the game's number modulo 4; games without an entry start from an empty board
STARTS = {1: crowded, 2: many_kos, 3: crowded}


class Beside:
    """A random game, played by both referees with and without pass stones. number: the game's seed.

    Three of four games begin with stones, prisoners and a random player to move. Every fifth game is also played on
    sgfmill's board.
    """

    def __init__(self, size: int, number: int) -> None:
        self.size = size
        self.kos = STARTS.get(number % 4) is many_kos
        self.rng = random.Random(f"slow match:{size}:{number}")
        board, colour, prisoners = (0, 0), BLACK, (0, 0)
        if number % 4 in STARTS:
            board = STARTS[number % 4](size, self.rng)
            colour = self.rng.choice((BLACK, WHITE))
            prisoners = self.rng.randrange(9), self.rng.randrange(9)
        self.fast = [match_rules(size, pass_stones=given).start(board, colour, prisoners) for given in (True, False)]
        rows = rows_of(self.fast[0]) if any(board) else empty_board(size)
        held = {"B": prisoners[0], "W": prisoners[1]}
        self.slow = [SlowMatch(rows, COLOURS[colour], held, given) for given in (True, False)]
        self.third = third_board(rows) if number % 5 == 0 else None
        self.captured: list[int] = []  # the last captured points
        self.seen: Counter[str] = Counter()

    def play(self) -> Counter[str]:
        """Play to the end of the game or to the move limit; return the number of events of each kind."""
        for ply in range(3 * self.size**2):
            self.play_one()
            self.compare(scored=ply % 5 == 0)
            if self.slow[0].winner is not None:
                self.seen["ended"] += 1
                break
        self.compare(scored=True)
        return self.seen

    def play_one(self) -> None:
        """Query both referees about some points, and then play a legal move or pass."""
        legal = self.ask()
        move = self.choose(legal)
        for slow in self.slow:
            slow.play_pass() if move == PASS else slow.play(*divmod(move, self.size))
        over = [position.ends_with(move) for position in self.fast]
        assert over == [slow.winner is not None for slow in self.slow]
        if self.third is not None and move != PASS:
            self.third.play(*divmod(move, self.size), "b" if self.fast[0].colour == BLACK else "w")
        before = self.fast[0]
        self.fast = [position.play(move) for position in self.fast]
        gone = before.theirs & ~self.fast[0].own
        self.captured = (points_of(gone) + self.captured)[:6]
        self.seen["captured"] += count(gone)
        self.seen["passes"] += move == PASS

    def choose(self, legal: dict[int, int]) -> int:
        """Return a move, with a preference for captures and recaptures: without them, no state would repeat."""
        if not legal or self.rng.random() < (0.3 if self.fast[0].passed else 0.15 / self.size):
            return PASS
        retaking = [point for point in self.captured if point in legal]
        if retaking and not self.kos and self.rng.random() < 0.6:
            return self.rng.choice(retaking)
        if self.kos and self.rng.random() < 0.95:
            return max(legal, key=lambda point: (legal[point] == 1, self.rng.random()))
        liking = self.rng.random() < 0.8
        return max(legal, key=lambda point: (legal[point] if liking else 0, self.rng.random()))

    def ask(self) -> dict[int, int]:
        """Compare the referees' verdicts on OTHERS + 1 points, first where ko or suicide is likely.

        Return {point: number of stones that a move there captures} for the legal points.
        """
        position = self.fast[0]
        empty = position.grid[1] & ~(position.black | position.white)
        enclosed = points_of(empty & ~around(empty, position.grid))  # suicide and kos occur only at enclosed points
        doubtful = self.captured + self.rng.sample(enclosed, min(12, len(enclosed)))
        points = dict.fromkeys(doubtful + self.rng.sample(range(self.size**2), OTHERS + 1))
        legal = {}
        for point in list(points)[: OTHERS + 1]:
            row, column = divmod(point, self.size)
            said, taken = self.slow[0].verdict(row, column)
            assert [position.legal() >> point & 1 for position in self.fast] == [not said, not said]
            assert CLASSES[why_illegal(self.fast[point % 2], point)] == said
            self.seen[said] += 1
            if said == SUPERKO:
                self.note_repetition(point)
            elif not said:
                legal[point] = len(taken)
        return legal

    def note_repetition(self, point: int) -> None:
        """Count the repetition that an illegal move would cause, by its kind."""
        simple = self.fast[0].ko >> point & 1
        self.seen["simple ko" if simple else "longer cycle"] += 1
        which = self.slow[0].repeated(*divmod(point, self.size))
        assert which is not None
        self.seen["made by a pass"] += self.slow[0].by_pass[which]
        self.seen["start"] += which == 0

    def compare(self, scored: bool) -> None:
        """Compare the positions and, if `scored`, the scores of both referees."""
        for position, slow in zip(self.fast, self.slow, strict=True):
            assert rows_of(position) == slow.board
            assert COLOURS[position.colour] == slow.turn
            assert position.prisoners == (slow.prisoners["B"], slow.prisoners["W"])
            if scored:
                black, white = slow.scores()
                assert margin2(position) == 2 * (black - white)
                assert WINNERS[winner_of(position)] == (slow.winner or WINNERS[winner_of(position)])
        if self.third is not None:
            self.compare_third(scored)

    def compare_third(self, scored: bool) -> None:
        """Compare the board and, if `scored`, the stones and the territory with sgfmill's."""
        position, third = self.fast[0], self.third
        held = {self.size * row + column: stone for stone, (row, column) in third.list_occupied_points()}
        assert sum(1 << point for point in held if held[point] == "b") == position.black
        assert sum(1 << point for point in held if held[point] == "w") == position.white
        if scored:
            stones, territory, _ = position.score()
            assert third.area_score() == sum(black - white for black, white in (stones, territory))


def third_board(rows: list) -> Board:
    """Return sgfmill's board with the same stones; its rows are numbered from the top like ours."""
    board = Board(len(rows))
    points = [(row, column) for row in range(len(rows)) for column in range(len(rows))]
    black, white = ([(row, column) for row, column in points if rows[row][column] == stone] for stone in "BW")
    assert board.apply_setup(black, white, [])
    return board


def play_part(size: int, part: int) -> Counter[str]:
    """Play one of PARTS parts of the games on a board size; return the number of events of each kind."""
    share = GAMES[size] // PARTS
    seen: Counter[str] = Counter()
    for number in range(part * share, (part + 1) * share):
        seen += Beside(size, number).play()
    return seen


def check_part(size: int, part: int) -> None:
    """Play a part of the games, and assert that all kinds of events occurred."""
    seen = play_part(size, part)
    print(f"\n{size}x{size}, part {part}: {dict(seen)}")
    share = GAMES[size] // PARTS
    assert seen["captured"] > 10 * share and seen["passes"] > 2 * share and seen["ended"] > share / 4
    assert min(seen[kind] for kind in (OCCUPIED, SUICIDE, SUPERKO)) > 0
    assert seen["longer cycle"] > 0 or size == 5  # longer cycles need several kos, but 5x5 has room for only one
    assert seen["made by a pass"] > 0 or size != 9


@pytest.mark.parametrize("size", GAMES)
def test_random_matches_are_equal_to_the_slow_referee(size):
    check_part(size, 0)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(1, PARTS))
@pytest.mark.parametrize("size", GAMES)
def test_all_random_matches_are_equal_to_the_slow_referee(size, part):
    check_part(size, part)
