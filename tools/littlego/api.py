"""Public Python API of `littlego`: boards, moves, decisions and reasons.

The docstring of the package `littlego` shows examples.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:  # functions import other modules when called, so that `import littlego` is fast
    from littlego.rules.engine import Candidate
    from littlego.rules.engine import Decision as EngineDecision
    from littlego.rules.position import Position

__all__ = ["Board", "Decision", "Move", "Point", "Reason", "decide"]

Point = tuple[int, int]
Colour = Literal["black", "white"]


@dataclass(frozen=True, repr=False, eq=False)
class Board:
    """A position: the stones, the side to move, the number of remaining moves, and the ko point.

    Create a board with `from_text`, `from_file` or `empty`. Boards are immutable: `play` returns a new board. `over` is
    true after the game's last move, after two consecutive passes, or after a pass as the first move.
    """

    position: Position
    over: bool = False

    @classmethod
    def empty(cls) -> Board:
        """Return the board before the first move.

        >>> Board.empty().to_move
        'black'
        """
        from littlego.rules.position import opening
        from littlego.rules.ruleset import LITTLE_GO

        return cls(opening(LITTLE_GO))

    @classmethod
    def from_text(cls, text: str, to_move: Colour = "black", left: int | None = None) -> Board:
        """Return the board that a text drawing shows.

        A drawing has one line per row: `X` is Black, `O` is White, `.` is empty. Spaces are optional.

        `left` is the number of remaining moves, including the next move. By default, `left` is the largest number that
        the stones and the side to move allow. A drawing has no history, so the ko rule forbids no move.

        >>> Board.from_text("X O . . .\\n" + ". . . . .\\n" * 4).left
        22
        """
        from littlego.records.inputs import drawn_position
        from littlego.rules.position import BLACK, WHITE

        colours = {"black": BLACK, "white": WHITE}
        if not isinstance(text, str):
            raise TypeError(f"text: expected a str with a drawn board, found {type(text).__name__}")
        if to_move not in list(colours):
            raise ValueError(f"to_move={to_move!r}: expected 'black' or 'white'")
        return cls(drawn_position("the board", text, colours[to_move], left))

    @classmethod
    def from_file(cls, name: str | os.PathLike[str]) -> Board:
        """Return the position in a file: a drawn board, an input.txt, or a game in SGF or JSON.

        `game.sgf:12` is the position before move 12 of the game. Without a number, the result is the position after the
        last move, or before the last move if the game is over.
        """
        from littlego.records.inputs import position_at

        return cls(position_at(os.fspath(name)))

    @property
    def to_move(self) -> Colour:
        """The side to move."""
        from littlego.rules.position import BLACK

        return "black" if self.position.colour == BLACK else "white"

    @property
    def left(self) -> int:
        """The number of moves left, including the next move; 0 or less in a game without a limit."""
        return int(self.position.left)

    @property
    def legal_moves(self) -> list[Point]:
        """The legal points for the side to move, row by row. A pass is always legal but not listed.

        >>> len(Board.empty().legal_moves)
        25
        """
        from littlego.rules.geometry import points_of

        return [divmod(point, self._size) for point in points_of(self.position.legal())]

    def play(self, move: Point | None) -> Board:
        """Return the board after a move; None is a pass.

        Raise ValueError for an illegal move or a finished game.

        >>> print(Board.empty().play((2, 2)).play((1, 2)))
           0 1 2 3 4
         0 . . . . .
         1 . . O . .
         2 . . X . .
         3 . . . . .
         4 . . . . .
        """
        from littlego.rules.position import PASS

        self._require_moves_left()
        if move is not None and move not in self.legal_moves:
            raise ValueError(
                f"{move} is not a legal move for {self.to_move}: expected a point in legal_moves, or None for a pass"
            )
        point = PASS if move is None else move[0] * self._size + move[1]
        return Board(self.position.play(point), self.position.ends_with(point))

    def _require_moves_left(self) -> None:
        if self.over:
            raise ValueError("the game is over: no further move is possible")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        """Return the values that determine whether two boards are equal."""
        at = self.position
        return at.ruleset.name, at.ruleset.size, at.black, at.white, at.colour, at.ko, at.passed, at.left, self.over

    @property
    def _size(self) -> int:
        return int(self.position.ruleset.size)

    def __str__(self) -> str:
        from littlego.games.boards import board_text

        return board_text(self._size, self.position.black, self.position.white)

    def __repr__(self) -> str:
        """Return the board in one line.

        >>> Board.empty().play((2, 2))
        <Board ...../...../..X../...../....., white to move, 23 left>
        """
        from littlego.games.boards import board_rows

        rows = "/".join(board_rows(self._size, self.position.black, self.position.white))
        return f"<Board {rows}, {self.to_move} to move, {self.left} left>"

    def _repr_svg_(self) -> str:
        from littlego.engines.draw.svg import draw_board

        return draw_board(self._size, self.position.black, self.position.white)


@dataclass(frozen=True)
class Reason:
    """A pattern that fires for a move.

    `points` are the pattern's points for this move. `forbids` is true if the pattern forbids the move.
    """

    pattern: str
    summary: str
    priority: int
    points: int
    forbids: bool


@dataclass(frozen=True)
class Move:
    """A candidate move with its evaluation.

    `move` is (row, column), or None for a pass. Candidates are ranked by priority, then by points. `verdict` is a text:
    the reason for the veto, if any; otherwise the result of the safety check or, with at most two moves left, the exact
    result. `vetoed` is true if the engine vetoes the move. `reasons` are the patterns that count for the move, starting
    with the pattern with the highest priority; a firing `risk` pattern does not always count.
    """

    move: Point | None
    priority: int
    points: int
    verdict: str
    vetoed: bool
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, repr=False, eq=False)
class Decision:
    """The chosen move, the reason in one line, and all candidates.

    `moves` begins with the chosen move. The other moves follow from best to worst, with vetoed moves last.
    """

    board: Board
    engine: EngineDecision

    @property
    def move(self) -> Point | None:
        """The chosen move as (row, column); None is a pass."""
        return self.moves[0].move

    @property
    def reason(self) -> str:
        """The reason for the chosen move, in one line."""
        from littlego.engines.draw.decisions import reason_line

        return reason_line(self.engine)

    @property
    def moves(self) -> list[Move]:
        """All legal moves, including the pass, each with the patterns that count for the move.

        >>> decide(Board.empty()).moves[0].reasons[0].pattern
        'open-in-the-centre'
        """
        return [_move_of(candidate, self.board._size) for candidate in self.engine.candidates]

    def __str__(self) -> str:
        """Return the output of `littlego explain`: a board with the move, the reason and the best candidates."""
        from littlego.engines.draw.decisions import short_text
        from littlego.engines.reasons.contrast import contrast

        return short_text(contrast(self.engine))

    def __repr__(self) -> str:
        return f"<Decision {self.reason}>"

    def _repr_svg_(self) -> str:
        from littlego.engines.draw.svg import draw_decision

        return draw_decision(self.engine)


def decide(board: Board, patterns: str | os.PathLike[str] | None = None) -> Decision:
    """Return the player's decision on a board: the chosen move, the reasons, and all candidates.

    `patterns` names a patterns.yaml or patterns.txt file; the default is the player's own patterns. With more than two
    moves left, the moves in an overrides.txt beside the patterns file take precedence over the patterns, as in the
    player's games. Raise ValueError if the game is over.
    """
    from littlego.engines.books import overrides_beside
    from littlego.engines.choosing import engine_for
    from littlego.knowledge.files import read_knowledge
    from littlego.paths import PATTERNS_TXT

    if not isinstance(board, Board):
        raise TypeError(f"board: expected a Board, found {type(board).__name__}")
    board._require_moves_left()
    path = os.fspath(patterns or PATTERNS_TXT)
    book, ruleset = read_knowledge(path).book, board.position.ruleset
    engine, overrides = engine_for(ruleset), overrides_beside(path, ruleset)
    return Decision(board, engine.decide(board.position, book, True, overrides))


def _move_of(candidate: Candidate, size: int) -> Move:
    from littlego.engines.draw.decisions import verdict_text
    from littlego.rules.position import PASS

    return Move(
        None if candidate.move == PASS else divmod(candidate.move, size),
        candidate.priority,
        candidate.points,
        verdict_text(candidate, size),
        bool(candidate.veto),
        tuple(
            Reason(
                firing.pattern.id,
                firing.pattern.summary,
                firing.pattern.priority,
                firing.points,
                bool(firing.pattern.forbid),
            )
            for firing in candidate.firings
        ),
    )
