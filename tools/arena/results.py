"""What statistics and reports know of a game: one row of the arena's file, without its moves."""

from __future__ import annotations

from typing import NamedTuple

from rules.position import BLACK, WHITE


class Side(NamedTuple):
    """What one player's own choices cost in a game: how many, their CPU seconds, the slowest one's."""

    chosen: int
    cpu: float
    slowest: float


class Result(NamedTuple):
    """A finished game of the arena.

    number: unique in its file, 2 * pair + half. pair: the pair of games with the same seed and opening, colours
    swapped. first, second: its players; `first` is Black in half 0. winner: BLACK, WHITE or 0 for a tie. fault: the
    colour that lost by a fault, or 0. lead2: Black's lead after komi, in half points. plies: moves played, the
    opening's included. why: how it ended. sides: Black's and White's.
    """

    number: int
    pair: int
    half: int
    first: str
    second: str
    seed: int
    opening: int
    winner: int
    fault: int
    lead2: int
    plies: int
    why: str
    sides: tuple[Side, Side]

    @property
    def black(self) -> str:
        """Black's name."""
        return self.second if self.half else self.first

    @property
    def white(self) -> str:
        """White's name."""
        return self.first if self.half else self.second

    @property
    def loser(self) -> str:
        """The name of who lost, '' for a tie."""
        return {BLACK: self.white, WHITE: self.black}.get(self.winner, "")

    @property
    def text(self) -> str:
        """The result as SGF spells it: `B+2.5`, `W+F` for a fault, `0` for a tie."""
        if not self.winner:
            return "0"
        return f"{'B' if self.winner == BLACK else 'W'}+{'F' if self.fault else f'{abs(self.lead2) / 2:g}'}"

    def score(self, name: str) -> float:
        """Return the points of one of the two players: 1 for a win, a half for a tie. Against itself: as Black."""
        colour = BLACK if name == self.black else WHITE
        return 0.5 if not self.winner else float(self.winner == colour)


def pentanomial(results: list[Result]) -> tuple[int, int, int, int, int]:
    """Return how many complete pairs gave `first` 0, 1/2, 1, 3/2 and 2 points; a lone half counts nowhere."""
    halves: dict[int, list[float]] = {}
    for result in results:
        points = result.score(result.black)
        halves.setdefault(result.pair, []).append(1 - points if result.half else points)
    counts = [0] * 5
    for points in halves.values():
        if len(points) == 2:
            counts[round(2 * sum(points))] += 1
    return tuple(counts)
