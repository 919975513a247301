"""A lost game for people and for programs: who lost it to whom, by how much, and with which move."""

from __future__ import annotations

from typing import NamedTuple

from markupsafe import Markup

from rules.position import BLACK, PASS, WHITE
from rules.ruleset import LITTLE_GO
from tools.arena.results import Result
from tools.arena.turning import Lost
from tools.arena.wording import NAMES
from tools.draw import svg
from tools.draw.boards import move_text

BOARD = 150  # pixels


class LostGame(NamedTuple):
    """A game that somebody lost, and what is known of why."""

    result: Result
    lost: Lost

    @property
    def colour(self) -> str:
        """The loser's colour."""
        return NAMES[BLACK + WHITE - self.result.winner]

    @property
    def winner(self) -> str:
        """The name of who won."""
        return self.result.black if self.result.winner == BLACK else self.result.white

    @property
    def text(self) -> str:
        """How it was lost, in two sentences."""
        return " ".join(filter(None, [f"Against {self.winner}, {self._by}.", self.why]))

    @property
    def _by(self) -> str:
        result = self.result
        ahead = BLACK if result.lead2 > 0 else WHITE  # not the winner where somebody resigned
        return result.why if result.fault or result.winner != ahead else f"by {abs(result.lead2) / 2:g}"

    @property
    def why(self) -> str:
        """The move that lost it and those that would have won, or why there is none; '' if nobody asked."""
        turning = self.lost.turning
        if not turning:
            return f"{self.lost.why_none.capitalize()}." if self.lost.why_none else ""
        winning = " or ".join(map(_shown, turning.winning))
        return f"Move {turning.position.number}, {_shown(turning.move)}, lost it; {winning} would have won."

    @property
    def reason(self) -> str:
        """Why the loser played that move, if it said so."""
        return self.lost.turning.reason if self.lost.turning else ""

    @property
    def board(self) -> Markup:
        """A picture of the board before that move, the move a star, rings around those that would have won; or ''."""
        turning = self.lost.turning
        if not turning:
            return Markup()
        position, rings = turning.position, {move: "ring" for move in turning.winning if move != PASS}
        title = f"before move {position.number}: {self.why}"
        return Markup(
            svg.draw_board(
                LITTLE_GO.size,
                position.black,
                position.white,
                move=turning.move,
                marks=rings,
                title=title,
                size_px=BOARD,
            )
        )

    def as_json(self) -> dict:
        """Return it as plain values; `move` and `winning` are null where no move is known to have lost it."""
        turning = self.lost.turning
        return {
            "game": self.result.number,
            "loser": self.result.loser,
            "colour": self.colour,
            "winner": self.winner,
            "result": self.result.text,
            "number": turning and turning.position.number,
            "move": turning and _shown(turning.move),
            "winning": turning and list(map(_shown, turning.winning)),
            "reason": self.reason,
            "why_none": self.lost.why_none,
        }


def _shown(move: int) -> str:
    return move_text(move, LITTLE_GO.size)
