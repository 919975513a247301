"""A slow implementation of the match on lists of lists, as an independent check of the bit masks.

The code follows only the numbered rules in docs/match.md, and uses no code from rules/ or tools/. A board is a list of
rows of "B", "W" and "."; a point is (row, column), both from 0.
"""

from __future__ import annotations

from functools import cache

OCCUPIED, SUICIDE, SUPERKO = "occupied", "suicide", "superko"  # reasons for refusing a placement
OPPONENT = {"B": "W", "W": "B"}


def empty_board(size: int) -> list:
    """Return a board without stones."""
    return [["."] * size for _ in range(size)]


def copy_of(board: list) -> list:
    """Return an independent copy of a board."""
    return [row[:] for row in board]


@cache
def near(size: int, row: int, column: int) -> list:
    """Return the points that are adjacent to a point on the board."""
    around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [(r, c) for r, c in around if 0 <= r < size and 0 <= c < size]


def area_of(board: list, row: int, column: int) -> tuple[set, set]:
    """Return the connected points with the same content, and the contents of their neighbours."""
    same = board[row][column]
    area, beside, waiting = {(row, column)}, set(), [(row, column)]
    while waiting:
        for point in near(len(board), *waiting.pop()):
            held = board[point[0]][point[1]]
            if held != same:
                beside.add(held)
            elif point not in area:
                area.add(point)
                waiting.append(point)
    return area, beside


def has_liberty(board: list, row: int, column: int) -> bool:
    """Return whether the group at a point has a liberty; the search ends at the first liberty."""
    stone = board[row][column]
    group, waiting = {(row, column)}, [(row, column)]
    while waiting:
        for point in near(len(board), *waiting.pop()):
            held = board[point[0]][point[1]]
            if held == ".":
                return True
            if held == stone and point not in group:
                group.add(point)
                waiting.append(point)
    return False


class SlowMatch:
    """A match in progress.

    board, turn, prisoners: the current position. states: every (turn, board) so far. by_pass: for each state, whether
    a pass led to the state. winner: "B", "W", "." for a tie, None while the match continues.
    """

    def __init__(self, board: list, turn: str = "B", prisoners: dict | None = None, pass_stones: bool = True):
        self.board = copy_of(board)
        self.turn = turn
        self.prisoners = dict(prisoners or {"B": 0, "W": 0})
        self.pass_stones = pass_stones
        self.komi = 6.5
        self.states = [(turn, copy_of(board))]
        self.by_pass = [False]
        self.passes_in_a_row = 0
        self.winner: str | None = None

    def place(self, row: int, column: int) -> tuple[list, list]:
        """Return the board and the captured points after a stone on an empty point, without a suicide check."""
        board = copy_of(self.board)
        board[row][column] = self.turn
        captured = []
        for r, c in near(len(board), row, column):
            if board[r][c] == OPPONENT[self.turn] and not has_liberty(board, r, c):
                for point in area_of(board, r, c)[0]:
                    captured.append(point)
                    board[point[0]][point[1]] = "."
        return board, captured

    def repeated(self, row: int, column: int) -> int | None:
        """Return the index of the earlier state that a stone on an empty point would repeat, or None."""
        state = OPPONENT[self.turn], self.place(row, column)[0]
        return self.states.index(state) if state in self.states else None

    def verdict(self, row: int, column: int) -> tuple[str, list]:
        """Return (reason, captured points) of a placement; the reason is '' if the placement is legal."""
        if self.board[row][column] != ".":
            return OCCUPIED, []
        board, captured = self.place(row, column)
        if not captured and not has_liberty(board, row, column):
            return SUICIDE, captured
        if (OPPONENT[self.turn], board) in self.states:
            return SUPERKO, captured
        return "", captured

    def play(self, row: int, column: int) -> list:
        """Place a stone at a legal point; return the captured points."""
        self.board, captured = self.place(row, column)
        self.prisoners[self.turn] += len(captured)
        self.passes_in_a_row = 0
        self._next(by_pass=False)
        return captured

    def play_pass(self) -> None:
        """Pass; the second pass in a row ends the match."""
        if self.pass_stones:
            self.prisoners[OPPONENT[self.turn]] += 1
        self.passes_in_a_row += 1
        self._next(by_pass=True)
        if self.passes_in_a_row == 2:
            black, white = self.scores()
            self.winner = "B" if black > white else "W" if white > black else "."

    def _next(self, by_pass: bool) -> None:
        self.turn = OPPONENT[self.turn]
        self.states.append((self.turn, copy_of(self.board)))
        self.by_pass.append(by_pass)

    def territory(self) -> tuple[int, int]:
        """Return the numbers of empty points surrounded only by Black's stones, and only by White's."""
        points = {"B": 0, "W": 0}
        counted: set = set()
        for row, cells in enumerate(self.board):
            for column, held in enumerate(cells):
                if held == "." and (row, column) not in counted:
                    area, beside = area_of(self.board, row, column)
                    counted |= area
                    if len(beside) == 1:
                        points[beside.pop()] += len(area)
        return points["B"], points["W"]

    def scores(self) -> tuple[float, float]:
        """Return Black's score and White's, with komi."""
        black, white = self.territory()
        black += sum(row.count("B") for row in self.board) + self.prisoners["B"]
        white += sum(row.count("W") for row in self.board) + self.prisoners["W"]
        return black, white + self.komi
