"""What a game of Go with rules of its own brings along: how it begins, and what is counted. Runs on Python 3.7.

The course's game needs none of it: there stones alone count, as rules/ has it. Ask tools.games.game, which knows both.
"""

from __future__ import annotations

from typing import NamedTuple, Tuple

from rules.geometry import Point
from rules.position import Position
from rules.ruleset import Ruleset

Both = Tuple[int, int]  # Black's and White's


class GameRuleset(Ruleset):
    """A ruleset with positions of its own."""

    __slots__ = ()

    def opening(self) -> GamePosition:
        """Return the position before the first move."""
        raise NotImplementedError


class Score(NamedTuple):
    """What both players have: stones on the board, points of territory, prisoners; komi is not in it."""

    stones: Both
    territory: Both
    prisoners: Both

    def margin2(self, komi2: int) -> int:
        """Return Black's lead after komi in half points."""
        return 2 * sum(black - white for black, white in self) - komi2


class GamePosition(Position):
    """A position of a game that does not count stones alone."""

    __slots__ = ()

    def allows(self, point: Point) -> bool:
        """Return whether the mover may play at a point of the board, without a look at all others."""
        raise NotImplementedError

    def score(self) -> Score:
        """Return what both players have, were the game to end here."""
        raise NotImplementedError

    def margin2(self) -> int:
        """Return Black's lead after komi in half points, were the game to end here."""
        return self.score().margin2(self.ruleset.komi2)
